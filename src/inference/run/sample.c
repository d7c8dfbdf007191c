/* equant_sample, equant_sample_resume and equant_posterior_open: a posterior, a run and its file,
 * tied together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/status.h"
#include "inference/density/star_priors.h"
#include "inference/run/start_points.h"
#include "output/run_file.h"
#include "inference/run/posterior.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sample_options, member)

enum { N_ELEMENTS = 5, NAME_SIZE = 64 };

/* One call. */
typedef struct sampling {
    const equant_dataset *dataset;
    const equant_sample_options *options; /* of the caller; may be NULL */
    const equant_priors *priors;
    equant_priors *own_priors; /* where the caller gave none */
    sample_settings settings;
    const char *path;     /* NULL: no file */
    provenance made_with; /* of the file and of the posterior */
    bool is_looked_at;    /* and goes no further: whatever machine made it, this one will do */
    int n_threads;
    correlated_noise *noise;
    posterior *density;
    sample *run;
    double begun_s;
} sampling;

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void free_sampling(sampling *of)
{
    sample_free(of->run);
    posterior_free(of->density);
    correlated_noise_free(of->noise);
    equant_priors_free(of->own_priors);
    provenance_free(&of->made_with);
}

/* ---- the posterior ----------------------------------------------------------------------- */

static equant_status create_priors(sampling *of)
{
    equant_priors_options wanted = {.struct_size = sizeof wanted,
                                    .n_planets = of->settings.n_planets,
                                    .trend_order = (int)of->settings.trend_order};
    equant_status status = equant_priors_create(of->dataset, &wanted, &of->own_priors);
    of->priors = of->own_priors;
    return status;
}

static equant_status create_density(sampling *of)
{
    const sample_settings *settings = &of->settings;
    equant_engine_options engine = sample_settings_engine(settings, of->n_threads);
    equant_status status = EQUANT_SUCCESS;
    if (of->is_looked_at)
        engine.backend = "cpu";
    if (settings->has_kernel)
        status = correlated_noise_create(&settings->kernel, of->dataset, &of->noise);
    posterior_options wanted = {.dataset = of->dataset,
                                .n_planets = settings->n_planets,
                                .trend_order = (int)settings->trend_order,
                                .priors = of->priors->set,
                                .engine = &engine,
                                .marginalise_offsets = (int)settings->marginalise_offsets,
                                .noise = of->noise};
    return status == EQUANT_SUCCESS ? posterior_create(&wanted, &of->density) : status;
}

/* The number of walkers depends on the posterior, and its backend on their number. */
static equant_status settle(sampling *of)
{
    sample_settings *settings = &of->settings;
    equant_status status = create_density(of);
    if (status != EQUANT_SUCCESS)
        return status;
    if (settings->n_walkers == 0)
        settings->n_walkers = sampler_usual_walkers(posterior_n_coordinates(of->density));
    if (settings->backend[0] != '\0')
        return EQUANT_SUCCESS;
    double n_rows = (double)settings->n_walkers / 2.0 * (double)settings->n_populations *
                    (double)settings->n_temperatures;
    sample_settings_settle(settings, of->dataset, n_rows < 1e9 ? (size_t)n_rows : 1000000000);
    posterior_free(of->density);
    correlated_noise_free(of->noise);
    of->density = NULL;
    of->noise = NULL;
    return create_density(of);
}

/* ---- the run ------------------------------------------------------------------------------ */

/* Passes the stages of the fit on to whoever watches the run. */
static int pass_on(const char *stage, double done, void *context)
{
    const sampling *of = context;
    const equant_sample_options *options = of->options;
    equant_sample_progress progress = {.struct_size = sizeof progress,
                                       .stage = stage,
                                       .done = done,
                                       .steps_per_s = NAN,
                                       .acceptance = NAN,
                                       .rhat = NAN,
                                       .ess_bulk = NAN,
                                       .ess_tail = NAN,
                                       .seconds_left = NAN};
    equant_sample_watch watch = OPTION(watch);
    return watch ? watch(&progress, OPTION(watch_context)) : 0;
}

static equant_status find_modes(sampling *of, start_modes *found)
{
    const equant_sample_options *options = of->options;
    const sample_settings *settings = &of->settings;
    equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = settings->backend, .n_threads = of->n_threads};
    start_modes_request request = {.dataset = of->dataset,
                                   .n_planets = settings->n_planets,
                                   .trend_order = (int)settings->trend_order,
                                   .priors = of->priors->set,
                                   .engine = &engine,
                                   .n_known = OPTION(n_known),
                                   .known = OPTION(known),
                                   .seed = settings->seed,
                                   .progress = pass_on,
                                   .progress_context = of};
    return start_modes_find(&request, found);
}

/* Fills *start, for the caller to free, with the places where walkers begin. */
static equant_status find_start(sampling *of, double **start)
{
    const sample_settings *settings = &of->settings;
    start_points_shape shape = {settings->n_populations, settings->n_temperatures,
                                settings->n_walkers};
    start_modes found = {0};
    equant_status status = find_modes(of, &found);
    if (status == EQUANT_SUCCESS) {
        size_t n = shape.n_populations * shape.n_temperatures * shape.n_walkers;
        *start = calloc(n, posterior_n_coordinates(of->density) * sizeof **start);
        status = *start ? start_points_fill(of->density, of->priors->set, &found, &shape,
                                            settings->seed, *start)
                        : status_out_of_memory();
    }
    start_modes_free(&found);
    return status;
}

/* Whether planets differ in nothing but their number. */
static bool has_alike_planets(const equant_priors *of, size_t n_planets)
{
    for (size_t i = N_ELEMENTS; i < N_ELEMENTS * n_planets; i++)
        if (strcmp(of->texts[i], of->texts[i % N_ELEMENTS]) != 0)
            return false;
    return true;
}

static equant_status create_run(sampling *of, const double *start)
{
    const sample_settings *settings = &of->settings;
    sample_options wanted = {.sampler = {.seed = settings->seed,
                                         .n_populations = settings->n_populations,
                                         .n_temperatures = settings->n_temperatures,
                                         .n_walkers = settings->n_walkers,
                                         .n_threads = of->n_threads},
                             .n_planets = settings->n_planets,
                             .has_alike_planets =
                                 has_alike_planets(of->priors, settings->n_planets),
                             .n_burn_in = settings->n_burn_in,
                             .thinning = settings->thinning,
                             .max_draws = settings->max_draws};
    return sample_create(&wanted, of->density, start, &of->run);
}

/* ---- the file ------------------------------------------------------------------------------ */

static quantities_shape shape_of(const sampling *of)
{
    size_t n_instruments = equant_dataset_n_instruments(of->dataset);
    return (quantities_shape){.n_planets = of->settings.n_planets,
                              .n_instruments = n_instruments,
                              .has_offsets = !of->settings.marginalise_offsets,
                              .trend_order = (int)of->settings.trend_order,
                              .n_jitters = n_instruments,
                              .star_mass = of->settings.star_mass};
}

/* Figures of the sampler, one after the other in `values`. */
enum { N_FIGURES = 4 };

static void list_figures(const sample *run, double *values, run_file_figure figures[N_FIGURES])
{
    const sampler *walkers = run->walkers;
    size_t n_rungs = sampler_n_temperatures(walkers);
    double *acceptance = values, *rejection = acceptance + ENSEMBLE_N_MOVES;
    double *trips = rejection + n_rungs;
    for (size_t move = 0; move < ENSEMBLE_N_MOVES; move++)
        acceptance[move] = sampler_acceptance(walkers, 0, (ensemble_move)move);
    for (size_t pair = 0; pair + 1 < n_rungs; pair++)
        rejection[pair] = sampler_swap_rejection(walkers, pair);
    trips[0] = (double)sampler_round_trips(walkers);
    figures[0] = (run_file_figure){"beta", n_rungs, sampler_beta(walkers)};
    figures[1] = (run_file_figure){"acceptance", ENSEMBLE_N_MOVES, acceptance};
    figures[2] = (run_file_figure){"swap_rejection", n_rungs - 1, rejection};
    figures[3] = (run_file_figure){"round_trips", 1, trips};
}

/* How the run is made: in its file, and for whoever asks the posterior. */
static equant_status describe(sampling *of, const char *star_name, const char *command)
{
    equant_status status = sample_settings_write(&of->settings, &of->made_with);
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&of->made_with, "version", equant_version());
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&of->made_with, "star_name", star_name);
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&of->made_with, "command", command);
    for (size_t i = 0; i < equant_priors_n(of->priors) && status == EQUANT_SUCCESS; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "prior_%s", equant_priors_name(of->priors, i));
        status = provenance_add(&of->made_with, name, equant_priors_text(of->priors, i));
    }
    return status;
}

/* What a file needs beside the draws. */
typedef struct file_parts {
    double *values, *log_z_of_run;
    void *state;
} file_parts;

static void free_parts(file_parts *parts)
{
    free(parts->values);
    free(parts->log_z_of_run);
    free(parts->state);
}

static equant_status create_parts(const sample *run, file_parts *parts)
{
    size_t n_values = ENSEMBLE_N_MOVES + 1 + sampler_n_temperatures(run->walkers);
    size_t n_populations = sampler_n_populations(run->walkers);
    *parts = (file_parts){.values = calloc(n_values, sizeof *parts->values),
                          .log_z_of_run = calloc(n_populations, sizeof *parts->log_z_of_run),
                          .state = malloc(sample_state_bytes(run))};
    if (!parts->values || !parts->log_z_of_run || !parts->state)
        return status_out_of_memory();
    return sample_save(run, parts->state);
}

static equant_status write_file(const sample *run, void *context)
{
    const sampling *of = context;
    file_parts parts;
    run_file_figure figures[N_FIGURES];
    equant_status status = create_parts(run, &parts);
    if (status == EQUANT_SUCCESS) {
        stepping_stone_evidence stones = sampler_log_evidence(run->walkers, parts.log_z_of_run);
        run_file_evidence evidence = {stones.log_evidence, stones.error,
                                      sampler_n_populations(run->walkers), parts.log_z_of_run,
                                      "stepping stone"};
        list_figures(run, parts.values, figures);
        run_file_contents contents = {
            .dataset = of->dataset,
            .shape = shape_of(of),
            .draws = run->kept,
            .evidence = sampler_n_temperatures(run->walkers) > 1 ? &evidence : NULL,
            .n_figures = N_FIGURES,
            .figures = figures,
            .n_provenance = of->made_with.n,
            .provenance = of->made_with.texts,
            .n_state_bytes = sample_state_bytes(run),
            .state = parts.state};
        status = run_file_write(of->path, &contents);
    }
    free_parts(&parts);
    return status;
}

/* ---- the course of a call ------------------------------------------------------------------ */

static sample_targets targets_of(const sample_settings *settings)
{
    return (sample_targets){.max_rhat = settings->max_rhat,
                            .min_ess = settings->min_ess,
                            .max_steps = settings->max_steps};
}

static equant_status report(sampling *of, equant_sample_end end, double seconds,
                            equant_posterior **made)
{
    sampled_posterior_origin origin = {.dataset = of->dataset,
                                       .settings = &of->settings,
                                       .shape = shape_of(of),
                                       .made_with = &of->made_with,
                                       .end = end,
                                       .seconds = seconds,
                                       .n_threads = of->n_threads};
    return sampled_posterior_create(of->run, &origin, made);
}

static equant_status run_and_report(sampling *of, equant_posterior **made)
{
    const equant_sample_options *options = of->options;
    double spent_s = clock_s() - of->begun_s, max_seconds = OPTION(max_seconds);
    sample_targets targets = targets_of(&of->settings);
    targets.max_seconds = max_seconds > 0.0 ? fmax(max_seconds - spent_s, 1e-9) : 0.0;
    sample_audience audience = {
        .watch_context = OPTION(watch_context),
        .watch = OPTION(watch),
        .checkpoint_context = of,
        .checkpoint = of->path ? write_file : NULL,
        .checkpoint_seconds = OPTION(checkpoint_seconds) > 0.0 ? OPTION(checkpoint_seconds) : 60.0};
    equant_sample_end end;
    equant_status status = sample_run(of->run, &targets, &audience, &end);
    if (status == EQUANT_SUCCESS && of->path)
        status = write_file(of->run, of);
    if (status == EQUANT_SUCCESS)
        status = sample_judge(of->run);
    return status == EQUANT_SUCCESS ? report(of, end, clock_s() - of->begun_s, made) : status;
}

static int threads_of(const equant_sample_options *options)
{
    const equant_engine_options *engine = OPTION(engine);
    return OPTION_OR_ZERO(engine, equant_engine_options, n_threads);
}

static equant_status sample_anew(sampling *of, equant_posterior **made)
{
    const equant_sample_options *options = of->options;
    double *start = NULL;
    equant_status status = of->path ? run_file_is_possible(of->path) : EQUANT_SUCCESS;
    of->priors = OPTION(priors);
    if (status == EQUANT_SUCCESS && !of->priors)
        status = create_priors(of);
    if (status == EQUANT_SUCCESS)
        status = settle(of);
    if (status == EQUANT_SUCCESS && of->settings.start == EQUANT_START_FIT)
        status = find_start(of, &start);
    if (status == EQUANT_SUCCESS)
        status = create_run(of, start);
    free(start);
    if (status == EQUANT_SUCCESS)
        status = describe(of, OPTION(star_name), OPTION(command));
    /* From here on a killed program loses no more than the time between two checkpoints. */
    if (status == EQUANT_SUCCESS && of->path)
        status = write_file(of->run, of);
    return status == EQUANT_SUCCESS ? run_and_report(of, made) : status;
}

equant_status equant_sample(const equant_dataset *dataset, const equant_sample_options *options,
                            equant_posterior **made)
{
    sampling of = {.dataset = dataset, .options = options, .begun_s = clock_s()};
    equant_status status = sample_settings_take(dataset, options, &of.settings);
    if (status != EQUANT_SUCCESS)
        return status;
    of.path = OPTION(path);
    of.n_threads = threads_of(options);
    status = sample_anew(&of, made);
    free_sampling(&of);
    return status;
}

/* ---- resuming ------------------------------------------------------------------------------- */

static equant_status restore_priors(sampling *of, const run_file *from)
{
    equant_status status = create_priors(of);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < equant_priors_n(of->own_priors); i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "prior_%s", equant_priors_name(of->own_priors, i));
        const char *text = run_file_provenance(from, name);
        status =
            text ? equant_priors_change(of->own_priors, equant_priors_name(of->own_priors, i), text)
                 : status_fail(EQUANT_ERROR_FORMAT, "%s: this file lacks %s", of->path, name);
    }
    return status;
}

/* Walkers begin somewhere in the prior, and are then put where the file says. */
static equant_status restore_run(sampling *of, run_file *from)
{
    equant_status status = restore_priors(of, from);
    if (status == EQUANT_SUCCESS)
        status = create_density(of);
    if (status == EQUANT_SUCCESS)
        status = create_run(of, NULL);
    if (status == EQUANT_SUCCESS)
        status = sample_restore(of->run, from->state, from->n_state_bytes, from->draws);
    if (status == EQUANT_SUCCESS)
        from->draws = NULL;
    return status;
}

static equant_status resume(sampling *of, run_file *from, equant_posterior **made)
{
    equant_status status = sample_settings_read(from, of->path, &of->settings);
    if (status == EQUANT_SUCCESS)
        status = sample_settings_extend(of->options, &of->settings);
    if (status == EQUANT_SUCCESS)
        status = restore_run(of, from);
    if (status == EQUANT_SUCCESS)
        status = describe(of, run_file_provenance(from, "star_name"),
                          run_file_provenance(from, "command"));
    return status == EQUANT_SUCCESS ? run_and_report(of, made) : status;
}

equant_status equant_sample_resume(const char *path, const equant_sample_options *options,
                                   equant_posterior **made)
{
    run_file *from = NULL;
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS && !path)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a run to be resumed needs its path");
    if (status == EQUANT_SUCCESS)
        status = run_file_read(path, NULL, &from);
    if (status != EQUANT_SUCCESS)
        return status;
    sampling of = {.dataset = from->dataset,
                   .options = options,
                   .path = path,
                   .n_threads = threads_of(options),
                   .begun_s = clock_s()};
    status = resume(&of, from, made);
    free_sampling(&of);
    run_file_free(from);
    return status;
}

/* ---- looking --------------------------------------------------------------------------------- */

/* A file does not say how its run ended; where that cannot be told, the run may go on. */
static equant_sample_end end_of(const sampling *of)
{
    sample_targets targets = targets_of(&of->settings);
    if (sample_meets(of->run, &targets))
        return EQUANT_END_CONVERGED;
    return sampler_n_steps(of->run->walkers) >= targets.max_steps ? EQUANT_END_STEPS
                                                                  : EQUANT_END_NONE;
}

static equant_status look_at(sampling *of, run_file *from, equant_posterior **made)
{
    equant_status status = sample_settings_read(from, of->path, &of->settings);
    if (status == EQUANT_SUCCESS && from->draws->n_steps == 0)
        status =
            status_fail(EQUANT_ERROR_UNAVAILABLE, "%s: this run has kept no draws yet", of->path);
    if (status == EQUANT_SUCCESS)
        status = restore_run(of, from);
    for (size_t i = 0; i < from->n_provenance && status == EQUANT_SUCCESS; i++)
        status =
            provenance_add(&of->made_with, from->provenance[i].name, from->provenance[i].value);
    if (status == EQUANT_SUCCESS)
        status = sample_judge(of->run);
    return status == EQUANT_SUCCESS ? report(of, end_of(of), NAN, made) : status;
}

equant_status equant_posterior_open(const char *path, equant_posterior **made)
{
    run_file *from = NULL;
    if (!path || !made)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "opening a run takes the path of its file and a place for the result");
    equant_status status = run_file_read(path, NULL, &from);
    if (status != EQUANT_SUCCESS)
        return status;
    sampling of = {.dataset = from->dataset, .path = path, .is_looked_at = true};
    status = look_at(&of, from, made);
    free_sampling(&of);
    run_file_free(from);
    return status;
}
