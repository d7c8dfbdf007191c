/* Runs on many stars side by side: each walks as it would alone, and all of them, half a step at a
 * time, have their proposals evaluated in one call. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/engine.h"
#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/sample/run/sampling.h"
#include "inference/sample/walkers/density_target.h"
#include "parallel/parallel_for.h"
#include "platform/system_threads.h"

/* A star among those of one list. */
typedef struct listed_star {
    sampling session;
    equant_evaluator_list *list;
    pthread_mutex_t *lock; /* of the list, which takes one call at a time */
    size_t place;          /* in the list */
    size_t number;         /* among all stars */
    sampler_target target; /* of its walkers: the density, but for who evaluates */
    sampler_proposals proposals;
    equant_status status;
    equant_sample_end end;
    bool is_under_way;
} listed_star;

/* Stars with as many instruments each, and the sets of all that are evaluated at a time. */
typedef struct star_list {
    size_t n;
    listed_star *stars;
    equant_model *model;
    equant_evaluator_list *list;
    pthread_mutex_t lock;
    int n_threads;
    size_t n_parameters, n_sets;
    size_t *star_of_set;
    double *parameters, *log_likelihood;
} star_list;

/* What is common to all stars. */
typedef struct star_runs {
    equant_engine_options engine; /* of one thread */
    equant_sample_options options;
    int n_threads;
    equant_progress progress; /* of the caller */
    void *progress_context;
    double max_seconds, begun_s;
    size_t n, n_done;
} star_runs;

/* ---- the target of a star ------------------------------------------------------------------ */

static double prepare_set(const void *context, const double *coordinates, double *parameters)
{
    const listed_star *star = context;
    return posterior_density_prepare(star->session.density, coordinates, parameters);
}

static void draw_from_prior(const void *context, uint64_t seed, uint64_t index, double *coordinates)
{
    const listed_star *star = context;
    posterior_density_draw(star->session.density, seed, index, coordinates);
}

/* Where walkers begin, one star at a time. */
static equant_status evaluate_alone(void *context, size_t n_sets, const double *parameters,
                                    double *log_likelihood)
{
    const listed_star *star = context;
    equant_results results = {.struct_size = sizeof results, .log_likelihood = log_likelihood};
    size_t *place = malloc((n_sets + 1) * sizeof *place);
    equant_status status = place ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t s = 0; s < n_sets && place; s++)
        place[s] = star->place;
    if (status == EQUANT_SUCCESS) {
        pthread_mutex_lock(star->lock);
        status = equant_evaluator_list_evaluate(star->list, n_sets, place, parameters, &results);
        pthread_mutex_unlock(star->lock);
    }
    free(place);
    return status;
}

static void set_target(listed_star *star)
{
    star->target = density_target(star->session.density);
    star->target.context = star;
    star->target.prepare = prepare_set;
    star->target.draw = draw_from_prior;
    star->target.evaluate = evaluate_alone;
    star->target.evaluator = NULL; /* walkers live here, whoever evaluates */
    star->target.map = NULL;
    star->session.target = &star->target;
}

/* ---- the beginning ------------------------------------------------------------------------- */

static equant_status create_model(star_list *list)
{
    const sampling *first = &list->stars[0].session;
    const equant_model_options shape = {.struct_size = sizeof shape,
                                        .n_planets = first->settings.n_planets,
                                        .n_instruments =
                                            equant_dataset_n_instruments(first->dataset),
                                        .trend = trend_order_name((int)first->settings.trend_order),
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,
                                        .trend_columns = EQUANT_NUISANCE_GIVEN,
                                        .with_jitter = 1,
                                        .noise = first->settings.noise};
    return equant_model_create(&shape, &list->model);
}

static equant_status create_list(star_list *list)
{
    const run_settings *settings = &list->stars[0].session.settings;
    const equant_engine_options engine = run_settings_engine(settings, list->n_threads);
    const equant_dataset **datasets = malloc((list->n + 1) * sizeof *datasets);
    equant_status status = datasets ? create_model(list) : status_out_of_memory();
    for (size_t i = 0; i < list->n && datasets; i++)
        datasets[i] = list->stars[i].session.dataset;
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_list_create(list->n, datasets, list->model, &engine, &list->list);
    free(datasets);
    return status;
}

/* Room for half the walkers of all stars. */
static equant_status create_room(star_list *list)
{
    size_t n_sets = 0;
    list->n_parameters = equant_model_n_parameters(list->model);
    for (size_t i = 0; i < list->n; i++) {
        const run_settings *settings = &list->stars[i].session.settings;
        n_sets += settings->n_walkers * settings->n_populations * settings->n_temperatures / 2;
    }
    list->star_of_set = malloc((n_sets + 1) * sizeof *list->star_of_set);
    list->parameters = malloc((n_sets + 1) * list->n_parameters * sizeof *list->parameters);
    list->log_likelihood = malloc((n_sets + 1) * sizeof *list->log_likelihood);
    return list->star_of_set && list->parameters && list->log_likelihood ? EQUANT_SUCCESS
                                                                         : status_out_of_memory();
}

/* Stars that cannot be prepared leave the list, with their status. */
static void drop_failed(star_list *list, equant_status *statuses)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        statuses[list->stars[i].number] = list->stars[i].status;
        if (list->stars[i].status == EQUANT_SUCCESS)
            list->stars[n++] = list->stars[i];
        else
            sampling_free(&list->stars[i].session);
    }
    list->n = n;
    for (size_t i = 0; i < n; i++)
        list->stars[i].place = i;
}

/* Does to each star under way, or to all, what a step of a loop does. */
typedef struct star_loop {
    star_list *list;
    void (*step)(listed_star *star, size_t half);
    size_t half;
    bool takes_all;
} star_loop;

static void step_some(void *context, size_t first, size_t end, int thread)
{
    const star_loop *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++)
        if (of->takes_all || of->list->stars[i].is_under_way)
            of->step(&of->list->stars[i], of->half);
}

static void for_each_star(star_list *list, void (*step)(listed_star *star, size_t half),
                          size_t half, bool takes_all)
{
    star_loop of = {list, step, half, takes_all};
    parallel_for(list->n_threads, list->n, 1, step_some, &of);
}

static void prepare_star(listed_star *star, size_t half)
{
    (void)half;
    star->status = sampling_prepare(&star->session);
}

static void begin_star(listed_star *star, size_t half)
{
    (void)half;
    set_target(star);
    star->status = sampling_begin(&star->session);
    star->is_under_way = star->status == EQUANT_SUCCESS;
}

static equant_status begin_all(star_list *list, equant_status *statuses)
{
    for_each_star(list, prepare_star, 0, true);
    drop_failed(list, statuses);
    if (list->n == 0)
        return EQUANT_SUCCESS;
    equant_status status = create_list(list);
    if (status == EQUANT_SUCCESS)
        status = create_room(list);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < list->n; i++) {
        list->stars[i].list = list->list;
        list->stars[i].lock = &list->lock;
    }
    for_each_star(list, begin_star, 0, true);
    return EQUANT_SUCCESS;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* The proposals of all stars behind each other. */
static void collect(star_list *list)
{
    list->n_sets = 0;
    for (size_t i = 0; i < list->n; i++) {
        const listed_star *star = &list->stars[i];
        if (!star->is_under_way)
            continue;
        memcpy(list->parameters + list->n_sets * list->n_parameters, star->proposals.parameters,
               star->proposals.n_sets * list->n_parameters * sizeof *list->parameters);
        for (size_t s = 0; s < star->proposals.n_sets; s++)
            list->star_of_set[list->n_sets++] = star->place;
    }
}

static void hand_out(star_list *list)
{
    const double *next = list->log_likelihood;
    for (size_t i = 0; i < list->n; i++) {
        listed_star *star = &list->stars[i];
        if (!star->is_under_way)
            continue;
        memcpy(star->proposals.log_likelihood, next,
               star->proposals.n_sets * sizeof *star->proposals.log_likelihood);
        next += star->proposals.n_sets;
    }
}

static void propose(listed_star *star, size_t half)
{
    star->proposals = sampler_propose(star->session.run->walkers, half);
}

static void accept(listed_star *star, size_t half)
{
    sampler_accept(star->session.run->walkers, half);
}

static equant_status step_half(star_list *list, size_t half)
{
    const equant_results results = {.struct_size = sizeof results,
                                    .log_likelihood = list->log_likelihood};
    for_each_star(list, propose, half, false);
    collect(list);
    equant_status status =
        list->n_sets == 0
            ? EQUANT_SUCCESS
            : equant_evaluator_list_evaluate(list->list, list->n_sets, list->star_of_set,
                                             list->parameters, &results);
    if (status != EQUANT_SUCCESS)
        return status;
    hand_out(list);
    for_each_star(list, accept, half, false);
    return EQUANT_SUCCESS;
}

/* What a star does after a step, and whether it goes on. */
static void heed_step(listed_star *star, size_t half)
{
    (void)half;
    sampler_run *run = star->session.run;
    const sampler_run_goals goals = run_settings_goals(&star->session.settings);
    sampler_end_step(run->walkers);
    star->status = sampler_run_heed_step(run, &goals);
    star->end = run->state.has_converged ? EQUANT_END_CONVERGED : EQUANT_END_STEPS;
    star->is_under_way = star->status == EQUANT_SUCCESS && !run->state.has_converged &&
                         sampler_n_steps(run->walkers) < goals.max_steps;
}

static equant_status step(star_list *list)
{
    equant_status status = step_half(list, 0);
    if (status == EQUANT_SUCCESS)
        status = step_half(list, 1);
    if (status != EQUANT_SUCCESS)
        return status;
    for_each_star(list, heed_step, 0, false);
    return EQUANT_SUCCESS;
}

static size_t n_under_way(const star_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->stars[i].is_under_way;
    return n;
}

/* Until none is under way, or the time is over. */
static equant_status go_on(star_list *list, const star_runs *runs)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n;
    while (status == EQUANT_SUCCESS && (n = n_under_way(list)) > 0) {
        status = progress_report_tell(runs->progress, runs->progress_context, "sampling stars",
                                      (double)(runs->n_done + list->n - n) / (double)runs->n);
        if (runs->max_seconds > 0.0 && wall_clock_s() - runs->begun_s > runs->max_seconds) {
            for (size_t i = 0; i < list->n; i++)
                if (list->stars[i].is_under_way)
                    list->stars[i].end = EQUANT_END_SECONDS;
            return status;
        }
        if (status == EQUANT_SUCCESS)
            status = step(list);
    }
    return status;
}

/* ---- lists --------------------------------------------------------------------------------- */

typedef struct finished_stars {
    star_list *list;
    equant_posterior **posteriors;
    equant_status *statuses;
} finished_stars;

static void finish_some(void *context, size_t first, size_t end, int thread)
{
    const finished_stars *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        listed_star *star = &of->list->stars[i];
        if (star->status == EQUANT_SUCCESS)
            star->status =
                sampling_finish(&star->session, star->end, &of->posteriors[star->number]);
        of->statuses[star->number] = star->status;
    }
}

static void finish_all(star_list *list, equant_posterior **posteriors, equant_status *statuses)
{
    finished_stars of = {list, posteriors, statuses};
    parallel_for(list->n_threads, list->n, 1, finish_some, &of);
}

static void free_list(star_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        sampling_free(&list->stars[i].session);
    equant_evaluator_list_free(list->list);
    equant_model_free(list->model);
    pthread_mutex_destroy(&list->lock);
    free(list->stars);
    free(list->star_of_set);
    free(list->parameters);
    free(list->log_likelihood);
}

/* All stars of so many instruments. */
static equant_status sample_list(star_runs *runs, size_t n_instruments,
                                 const equant_dataset *const *datasets,
                                 equant_posterior **posteriors, equant_status *statuses)
{
    star_list list = {.lock = PTHREAD_MUTEX_INITIALIZER, .n_threads = runs->n_threads};
    list.stars = calloc(runs->n + 1, sizeof *list.stars);
    if (!list.stars)
        return status_out_of_memory();
    for (size_t i = 0; i < runs->n; i++)
        if (equant_dataset_n_instruments(datasets[i]) == n_instruments)
            list.stars[list.n++] = (listed_star){.number = i,
                                                 .session = {.dataset = datasets[i],
                                                             .options = &runs->options,
                                                             .begun_s = wall_clock_s()}};
    for (size_t i = 0; i < list.n; i++)
        list.stars[i].session.n_together = list.n;
    size_t n = list.n;
    equant_status status = begin_all(&list, statuses);
    if (status == EQUANT_SUCCESS)
        status = go_on(&list, runs);
    if (status == EQUANT_SUCCESS)
        finish_all(&list, posteriors, statuses);
    runs->n_done += n;
    free_list(&list);
    return status;
}

/* ---- the call ------------------------------------------------------------------------------ */

static equant_status check(const equant_sample_options *options)
{
    if (options->marginalise_offsets || options->states || options->basis)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "stars that are sampled together have offsets as parameters, no "
                           "states and the usual coordinates");
    if (options->path)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "stars that are sampled together have no file of their run; "
                           "equant_posterior_save writes one of each");
    return EQUANT_SUCCESS;
}

static equant_status read_options(const equant_sample_options *options, star_runs *runs)
{
    const equant_engine_options *engine = OPTION_OR_ZERO(options, equant_sample_options, engine);
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(engine);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(runs->options, options);
    OPTIONS_TAKE(runs->engine, engine);
    runs->n_threads = placement_threads(runs->engine.n_threads);
    runs->progress = runs->options.progress;
    runs->progress_context = runs->options.progress_context;
    runs->max_seconds = runs->options.max_seconds;
    runs->engine.struct_size = sizeof runs->engine;
    runs->engine.n_threads = 1;
    runs->options.struct_size = sizeof runs->options;
    runs->options.engine = &runs->engine;
    runs->options.progress = NULL;
    return check(&runs->options);
}

/* The next number of instruments that stars have; 0: none is larger. */
static size_t next_number(const star_runs *runs, const equant_dataset *const *datasets,
                          size_t above)
{
    size_t next = 0;
    for (size_t i = 0; i < runs->n; i++) {
        size_t n = equant_dataset_n_instruments(datasets[i]);
        if (n > above && (next == 0 || n < next))
            next = n;
    }
    return next;
}

equant_status equant_sample_stars(size_t n_stars, const equant_dataset *const *datasets,
                                  const equant_sample_options *options,
                                  equant_posterior **posteriors, equant_status *statuses)
{
    bool is_complete = n_stars == 0 || (datasets && posteriors && statuses);
    for (size_t i = 0; i < n_stars && is_complete; i++)
        is_complete = datasets[i] != NULL;
    if (!is_complete)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "data sets, and places for posteriors and statuses are needed");
    star_runs runs = {.n = n_stars, .begun_s = wall_clock_s()};
    equant_status status = read_options(options, &runs);
    for (size_t i = 0; i < n_stars; i++) {
        posteriors[i] = NULL;
        statuses[i] = EQUANT_SUCCESS;
    }
    size_t n_instruments = next_number(&runs, datasets, 0);
    while (status == EQUANT_SUCCESS && n_instruments > 0) {
        status = sample_list(&runs, n_instruments, datasets, posteriors, statuses);
        n_instruments = next_number(&runs, datasets, n_instruments);
    }
    for (size_t i = 0; i < n_stars && status != EQUANT_SUCCESS; i++) {
        equant_posterior_free(posteriors[i]);
        posteriors[i] = NULL;
    }
    return status;
}
