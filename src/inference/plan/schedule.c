/* equant_schedule: nights that are filled with observations of many stars. */
#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/plan/plan_star.h"

enum { USUAL_DRAWS = 500 };

struct equant_schedule {
    size_t n_stars, n;
    equant_plan **plans;     /* [n_stars] */
    equant_scheduled *entry; /* [n], by the clock */
};

/* While it is made. */
typedef struct schedule_work {
    const equant_schedule_options *options;
    size_t n_stars, n_times, n_chosen;
    plan_star *stars;          /* [n_stars] */
    equant_scheduled *entries; /* [n_times of all stars] */
} schedule_work;

static void work_free(schedule_work *work)
{
    for (size_t i = 0; work->stars && i < work->n_stars; i++)
        plan_star_close(&work->stars[i]);
    free(work->stars);
    free(work->entries);
}

/* What stars are opened for: the first half of the way. */
static equant_status open_star(schedule_work *work, const equant_schedule_star *given, size_t index)
{
    const equant_schedule_options *options = work->options;
    size_t n_draws = OPTION_OR_ZERO(options, equant_schedule_options, max_draws),
           most = OPTION_OR_ZERO(given, equant_schedule_star, n_most);
    const equant_plan_options asked = {
        .struct_size = sizeof asked,
        .engine = OPTION_OR_ZERO(options, equant_schedule_options, engine),
        .target = OPTION_OR_ZERO(given, equant_schedule_star, target),
        .min_gap_days = OPTION_OR_ZERO(given, equant_schedule_star, min_gap_days),
        .max_draws = n_draws > 0 ? n_draws : USUAL_DRAWS,
        .probabilities = OPTION_OR_ZERO(given, equant_schedule_star, probabilities),
        .progress = OPTION_OR_ZERO(options, equant_schedule_options, progress),
        .progress_context = OPTION_OR_ZERO(options, equant_schedule_options, progress_context)};
    plan_star *star = &work->stars[index];
    equant_status status =
        plan_star_open(given->n_posteriors, given->posteriors, given->candidates, &asked,
                       most > 0            ? most
                       : given->candidates ? given->candidates->n
                                           : 1,
                       star);
    double part = 0.5 / (double)work->n_stars;
    if (status == EQUANT_SUCCESS)
        status = plan_search_find_gains(star->search, part * (double)index,
                                        part * (double)(index + 1), star->plan->facts);
    for (size_t t = 0; status == EQUANT_SUCCESS && t < star->plan->times.n; t++)
        star->plan->gains[t] = plan_search_gain(star->search, t);
    if (status == EQUANT_SUCCESS)
        work->n_times += star->plan->times.n;
    return status;
}

static equant_status open_all(schedule_work *work, const equant_schedule_star *stars)
{
    equant_status status = EQUANT_SUCCESS;
    work->stars = calloc(work->n_stars, sizeof *work->stars);
    if (!work->stars)
        return status_out_of_memory();
    for (size_t i = 0; i < work->n_stars && status == EQUANT_SUCCESS; i++) {
        status = OPTIONS_CHECK(&stars[i]);
        if (status == EQUANT_SUCCESS)
            status = open_star(work, &stars[i], i);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    work->entries = malloc(work->n_times * sizeof *work->entries);
    return work->entries ? EQUANT_SUCCESS : status_out_of_memory();
}

/* The star and the time that are worth most of what is left. */
static bool find_best(const schedule_work *work, size_t *star, size_t *time)
{
    double highest = OPTION_OR_ZERO(work->options, equant_schedule_options, least_value);
    bool is_found = false;
    for (size_t i = 0; i < work->n_stars; i++) {
        const plan_star *own = &work->stars[i];
        size_t best = 0;
        double value = 0.0;
        if (own->plan->n_chosen < own->plan->n_most &&
            plan_search_best(own->search, &best, &value) && value > highest) {
            highest = value;
            *star = i;
            *time = best;
            is_found = true;
        }
    }
    return is_found;
}

static double share_done(const schedule_work *work)
{
    size_t n_left = 0;
    for (size_t i = 0; i < work->n_stars; i++)
        n_left += plan_search_n_left(work->stars[i].search);
    return 1.0 - 0.5 * (double)n_left / (double)work->n_times;
}

static equant_status take(schedule_work *work, size_t star, size_t time)
{
    plan_star *own = &work->stars[star];
    equant_plan *plan = own->plan;
    const plan_candidates *times = &plan->times;
    bool is_last = plan->n_chosen + 1 == plan->n_most;
    work->entries[work->n_chosen++] = (equant_scheduled){.struct_size = sizeof(equant_scheduled),
                                                         .star = star,
                                                         .number = plan->n_chosen,
                                                         .place = times->places[time],
                                                         .start_days = times->starts_days[time],
                                                         .end_days = times->ends_days[time]};
    equant_status status =
        plan_search_choose(own->search, time, is_last, &plan->chosen[plan->n_chosen]);
    if (status != EQUANT_SUCCESS)
        return status;
    plan->n_chosen++;
    for (size_t i = 0; i < work->n_stars; i++)
        plan_search_block(work->stars[i].search, times->places[time], times->starts_days[time],
                          times->ends_days[time]);
    double done = share_done(work);
    return is_last ? EQUANT_SUCCESS : plan_search_find_gains(own->search, done, done, NULL);
}

static int by_clock(const void *a, const void *b)
{
    const equant_scheduled *first = a, *second = b;
    if (first->start_days != second->start_days)
        return first->start_days < second->start_days ? -1 : 1;
    if (first->place != second->place)
        return first->place < second->place ? -1 : 1;
    return (first->star > second->star) - (first->star < second->star);
}

static equant_status fill(schedule_work *work)
{
    size_t most = OPTION_OR_ZERO(work->options, equant_schedule_options, n_observations), star = 0,
           time = 0;
    equant_status status = EQUANT_SUCCESS;
    while ((most == 0 || work->n_chosen < most) && status == EQUANT_SUCCESS &&
           find_best(work, &star, &time))
        status = take(work, star, time);
    for (size_t i = 0; i < work->n_stars && status == EQUANT_SUCCESS; i++)
        status = plan_star_conclude(&work->stars[i]);
    if (status == EQUANT_SUCCESS)
        qsort(work->entries, work->n_chosen, sizeof *work->entries, by_clock);
    return status;
}

/* Plans and entries go to the schedule. */
static equant_status hand_over(schedule_work *work, equant_schedule **out)
{
    equant_schedule *made = calloc(1, sizeof *made);
    if (made)
        made->plans = calloc(work->n_stars, sizeof *made->plans);
    if (!made || !made->plans) {
        free(made);
        return status_out_of_memory();
    }
    made->n_stars = work->n_stars;
    made->n = work->n_chosen;
    made->entry = work->entries;
    work->entries = NULL;
    for (size_t i = 0; i < work->n_stars; i++) {
        made->plans[i] = work->stars[i].plan;
        work->stars[i].plan = NULL;
    }
    *out = made;
    return EQUANT_SUCCESS;
}

equant_status equant_schedule_create(size_t n_stars, const equant_schedule_star *stars,
                                     const equant_schedule_options *options, equant_schedule **out)
{
    if (n_stars == 0 || !stars || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a schedule takes stars");
    equant_status status = OPTIONS_CHECK(options);
    schedule_work work = {.options = options, .n_stars = n_stars};
    if (status == EQUANT_SUCCESS)
        status = open_all(&work, stars);
    if (status == EQUANT_SUCCESS)
        status = fill(&work);
    if (status == EQUANT_SUCCESS)
        status = hand_over(&work, out);
    work_free(&work);
    return status;
}

/* ---- what it says -----------------------------------------------------------------------------
 */

void equant_schedule_free(equant_schedule *schedule)
{
    if (!schedule)
        return;
    for (size_t i = 0; i < schedule->n_stars; i++)
        equant_plan_free(schedule->plans[i]);
    free(schedule->plans);
    free(schedule->entry);
    free(schedule);
}

size_t equant_schedule_n(const equant_schedule *schedule)
{
    return schedule ? schedule->n : 0;
}

equant_status equant_schedule_at(const equant_schedule *schedule, size_t index,
                                 equant_scheduled *out)
{
    if (!schedule)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no schedule");
    equant_status status = STATUS_CHECK_ITEM(out, "observations", schedule->n, index);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_scheduled known = schedule->entry[index];
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

size_t equant_schedule_n_stars(const equant_schedule *schedule)
{
    return schedule ? schedule->n_stars : 0;
}

const equant_plan *equant_schedule_plan(const equant_schedule *schedule, size_t star)
{
    if (!schedule)
        return NULL;
    return star < schedule->n_stars ? schedule->plans[star] : NULL;
}
