/* The public equant_sky_sample: draws of orbits on the sky, and what they tell. */
#include <stdatomic.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_fit_settings.h"
#include "astrometry/posterior/sky_checkpoint.h"
#include "astrometry/posterior/sky_density.h"
#include "astrometry/posterior/sky_posterior.h"
#include "core/placement.h"
#include "core/files/replacement.h"
#include "core/status_fail.h"
#include "core/wall_clock.h"
#include "inference/sample/run/posterior_facts.h"
#include "inference/sample/run/sampler_run.h"
#include "output/sealed_file.h"
#include "parallel/parallel_for.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sky_sample_options, member)
#define FIT_OPTION(member) OPTION_OR_ZERO(fit, equant_sky_fit_options, member)
/* A number of the options, or the usual where it is zero. */
#define OPTION_OR(member, usual) (OPTION(member) != 0 ? OPTION(member) : (usual))

/* What one call works with. */
typedef struct sampling {
    const equant_sky_sample_options *options;
    sky_ladder_settings settings;
    sky_ladder ladder;
    sky_design design;
    sky_density *density;
    sampler_run *run;
    double begun_s;
    int n_threads;
    double reference_jd;
    const char *path;             /* of the file of the run; NULL: none */
    sky_checkpoint_source origin; /* tells data and settings apart      */
} sampling;

/* ---- the run ------------------------------------------------------------------------------- */

static const sky_solution *best_of(const sampling *session)
{
    return session->ladder.rungs + session->ladder.chosen;
}

static equant_status find_settings(sampling *session)
{
    const equant_sky_fit_options *fit =
        OPTION_OR_ZERO(session->options, equant_sky_sample_options, fit);
    equant_status status = sky_fit_settings(fit, &session->settings);
    session->settings.has_orbit = true;
    return status;
}

static equant_status find_orbit(const equant_astrometry *source, sampling *session)
{
    const equant_sky_fit_options *fit =
        OPTION_OR_ZERO(session->options, equant_sky_sample_options, fit);
    equant_status status =
        sky_ladder_fit(source, FIT_OPTION(velocities), &session->settings, &session->ladder);
    if (status == EQUANT_SUCCESS && best_of(session)->n_orbits == 0)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "%zu measurements are too few for an orbit, and there is nothing to "
                             "sample",
                             session->ladder.data.n_rows);
    const equant_engine_options *engine = session->settings.engine;
    session->n_threads =
        placement_threads(OPTION_OR_ZERO(engine, equant_engine_options, n_threads));
    return status;
}

static equant_status create_density(sampling *session)
{
    equant_status status =
        sky_design_create(&session->ladder.data, &best_of(session)->model, &session->design);
    if (status == EQUANT_SUCCESS)
        status =
            sky_density_create(&session->design, best_of(session), &session->ladder.grid.limits,
                               session->settings.has_jitter, session->n_threads, &session->density);
    return status;
}

static uint64_t or_usual(uint64_t asked, uint64_t usual)
{
    return asked != 0 ? asked : usual;
}

static equant_status create_run(sampling *session)
{
    sampler_target target = sky_density_target(session->density);
    size_t n_coordinates = target.n_coordinates;
    sky_checkpoint_source *own = &session->origin;
    own->n_populations = or_usual(own->n_populations, 4);
    own->n_walkers = or_usual(own->n_walkers, sampler_usual_walkers(n_coordinates));
    own->n_burn_in = or_usual(own->n_burn_in, 400);
    own->thinning = or_usual(own->thinning, 4);
    own->max_draws = or_usual(own->max_draws, 40000);
    sampler_run_options wanted = {.sampler = {.seed = own->seed,
                                              .n_populations = own->n_populations,
                                              .n_temperatures = 1,
                                              .n_walkers = own->n_walkers,
                                              .n_threads = session->n_threads},
                                  .n_burn_in = own->n_burn_in,
                                  .thinning = own->thinning,
                                  .max_draws = own->max_draws};
    size_t n = wanted.sampler.n_populations * wanted.sampler.n_walkers;
    double *start = calloc(n, n_coordinates * sizeof *start);
    if (start == NULL)
        return status_out_of_memory();
    bool is_possible = true;
    for (size_t i = 0; i < n; i++)
        is_possible = sky_density_start(session->density, wanted.sampler.seed, i,
                                        start + i * n_coordinates) &&
                      is_possible;
    equant_status status =
        is_possible
            ? sampler_run_create_on(&wanted, &target, start, &session->run)
            : status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                          "walkers cannot begin at the best orbit: its prior is zero, as where the "
                          "period, the eccentricity, a jitter or the size is beyond its range");
    free(start);
    return status;
}

static uint64_t data_origin(const sky_data *data)
{
    uint64_t sum = sky_checkpoint_origin(0, data->n_rows * sizeof(double), data->time_days);
    sum = sky_checkpoint_origin(sum, data->n_rows * sizeof(double), data->value);
    sum = sky_checkpoint_origin(sum, data->n_rows * sizeof(double), data->uncertainty);
    return sky_checkpoint_origin(sum, data->n_sky * sizeof(double), data->rows.angle_rad);
}

/* The same with the motions of a catalogue, and the scans behind them. */
static uint64_t motions_origin(uint64_t sum, const sky_ladder_settings *settings)
{
    const equant_sky_motions *motions = settings->motions;
    if (motions == NULL)
        return sum;
    const double *const pairs[] = {motions->hipparcos_mas_yr, motions->hipparcos_err_mas_yr,
                                   motions->long_mas_yr,      motions->long_err_mas_yr,
                                   motions->gaia_mas_yr,      motions->gaia_err_mas_yr};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        sum = sky_checkpoint_origin(sum, 2 * sizeof(double), pairs[i]);
    for (size_t i = 0; i < settings->n_scans; i++) {
        equant_sky_rows rows = {.struct_size = sizeof rows};
        if (equant_astrometry_rows(settings->scans[i], &rows) != EQUANT_SUCCESS)
            continue;
        sum = sky_checkpoint_origin(sum, rows.n_rows * sizeof(double), rows.time_days);
        sum = sky_checkpoint_origin(sum, rows.n_rows * sizeof(double), rows.angle_rad);
    }
    return sum;
}

/* What a run was asked for, and what is known of it before its orbit is found. */
static void list_origin(sampling *session)
{
    const equant_sky_sample_options *options = session->options;
    const sky_ladder_settings *own = &session->settings;
    session->origin = (sky_checkpoint_source){
        .seed = OPTION(seed),
        .n_populations = OPTION(n_populations),
        .n_walkers = OPTION(n_walkers),
        .n_burn_in = OPTION(n_burn_in),
        .thinning = OPTION(thinning),
        .max_draws = OPTION(max_draws),
        .settings = {{"single CCDs", own->as_ccds, true},
                     {"a jitter", own->has_jitter, true},
                     {"a column of the colour", own->has_colour, true},
                     {"velocities that have an amplitude of their own", own->is_free, true},
                     {"largest number of companions", (double)own->max_orbits, false},
                     {"false-alarm probability", own->false_alarm_max, false},
                     {"shortest period", own->limits.period_min_days, false},
                     {"longest period", own->limits.period_max_days, false},
                     {"largest eccentricity", own->limits.eccentricity_max, false},
                     {"zero point of the parallax", own->parallax_zero_point_mas, false},
                     {"radial velocity", own->radial_velocity_km_s, false}}};
}

/* Whether the run of a file, where one is to go on, began so. */
static equant_status check_file(const equant_astrometry *source, sampling *session)
{
    const equant_sky_sample_options *options = session->options;
    const equant_sky_fit_options *fit = OPTION(fit);
    sky_data data;
    session->path = OPTION(path);
    list_origin(session);
    if (session->path == NULL)
        return OPTION(resume) ? status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                            "a run to be resumed needs its path")
                              : EQUANT_SUCCESS;
    equant_status status =
        sky_data_create(source, session->settings.as_ccds, FIT_OPTION(velocities), &data);
    if (status != EQUANT_SUCCESS)
        return status;
    session->origin.data_origin = motions_origin(data_origin(&data), &session->settings);
    sky_data_free(&data);
    return OPTION(resume) ? sky_checkpoint_check(session->path, &session->origin)
                          : replacement_check(session->path, sealed_file_is_ours);
}

/* Whatever decides the draws beside the numbers of the sampler, which its state knows. */
static void find_origin(sampling *session)
{
    const sky_data *data = &session->ladder.data;
    const sky_solution *best = best_of(session);
    const sky_limits *limits = &session->ladder.grid.limits;
    const double numbers[] = {limits->period_min_days, limits->period_max_days,
                              limits->eccentricity_max, session->settings.parallax_zero_point_mas,
                              session->ladder.recession_per_year};
    const uint64_t words[] = {session->origin.seed,
                              best->n_orbits,
                              sky_solution_n_parameters(best),
                              best->is_tied,
                              session->settings.has_jitter,
                              data->n_sky};
    uint64_t sum = sky_checkpoint_origin(0, sizeof numbers, numbers);
    sum = sky_checkpoint_origin(sum, sizeof words, words);
    session->origin.origin = sky_checkpoint_origin(sum, sizeof session->origin.data_origin,
                                                   &session->origin.data_origin);
}

static equant_status write_file(const sampler_run *run, void *context)
{
    const sampling *session = context;
    return sky_checkpoint_write(session->path, &session->origin, run);
}

/* From the file of a run, or with its first one, by which a path that cannot be written is known.
 */
static equant_status open_file(sampling *session)
{
    const equant_sky_sample_options *options = session->options;
    if (session->path == NULL)
        return EQUANT_SUCCESS;
    find_origin(session);
    return OPTION(resume) ? sky_checkpoint_read(session->path, session->origin.origin, session->run)
                          : write_file(session->run, session);
}

static sampler_run_goals goals_of(const sampling *session)
{
    const equant_sky_sample_options *options = session->options;
    return (sampler_run_goals){.max_rhat = OPTION_OR(max_rhat, 1.01),
                               .min_ess = OPTION_OR(min_ess, 1000.0),
                               .max_steps = OPTION_OR(max_steps, 1000000),
                               .max_seconds = OPTION(max_seconds)};
}

/* ---- what it tells ------------------------------------------------------------------------- */

static sky_quantities_frame frame_of(const sampling *session, double reference_jd)
{
    const equant_sky_fit_options *fit =
        OPTION_OR_ZERO(session->options, equant_sky_sample_options, fit);
    return (sky_quantities_frame){.near = best_of(session),
                                  .reference_jd = reference_jd,
                                  .parallax_zero_point_mas =
                                      session->settings.parallax_zero_point_mas,
                                  .star_mass = FIT_OPTION(star_mass),
                                  .star_mass_err = FIT_OPTION(star_mass_err),
                                  .has_star = session->ladder.data.n_star > 0};
}

typedef struct telling {
    const sampling *session;
    const sky_quantities_frame *frame;
    const draws *from;
    size_t n_columns;
    sky_solution *drawn; /* [n_threads] */
    double *told;        /* [n_columns][draws] */
    atomic_int n_failed;
} telling;

static void tell_some(void *context, size_t first, size_t end, int thread)
{
    telling *of = context;
    const equant_sky_sample_options *options = of->session->options;
    const size_t n_draws = draws_n(of->from);
    uint64_t seed = OPTION(seed);
    sky_solution *own = of->drawn + thread;
    for (size_t i = first; i < end; i++) {
        double values[SKY_QUANTITIES_MOST], deviate;
        draws_row row = draws_at(of->from, i);
        if (!sky_density_draw(of->session->density, row.parameters, seed, i, own, 1, &deviate)) {
            atomic_fetch_add(&of->n_failed, 1);
            continue;
        }
        sky_quantities_fill(of->frame, own, deviate, values, NULL);
        for (size_t j = 0; j < of->n_columns; j++)
            of->told[j * n_draws + i] = values[j];
    }
}

/* Told columns of draws, [n_columns][draws]; with what else the star draws. */
static equant_status tell_columns(const sampling *session, const sky_quantities_frame *frame,
                                  const draws *from, size_t n_columns, double *told)
{
    telling of = {.session = session, .frame = frame, .from = from, .n_columns = n_columns};
    of.told = told;
    of.drawn = malloc((size_t)session->n_threads * sizeof *of.drawn);
    if (of.drawn == NULL)
        return status_out_of_memory();
    parallel_for(session->n_threads, draws_n(from), 0, tell_some, &of);
    free(of.drawn);
    int n_failed = atomic_load(&of.n_failed);
    return n_failed == 0
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_INTERNAL,
                             "%d draws have columns that do not determine them", n_failed);
}

/* The told columns of these draws and of where walkers began. */
static equant_status tell_draws(const sampling *session, const sky_quantities_frame *frame,
                                const draws *kept, const draws *begin, equant_sky_posterior *made)
{
    double first[SKY_QUANTITIES_MOST];
    made->n_columns = sky_quantities_fill(frame, best_of(session), 0.0, first, made->columns);
    made->n_draws = draws_n(kept);
    made->n_starts = begin ? draws_n(begin) : 0;
    made->values = malloc((made->n_columns + 1) * made->n_draws * sizeof *made->values);
    made->starts = malloc((made->n_columns * made->n_starts + 1) * sizeof *made->starts);
    if (made->values == NULL || made->starts == NULL)
        return status_out_of_memory();
    made->log_likelihood = made->values + made->n_columns * made->n_draws;
    for (size_t i = 0; i < made->n_draws; i++)
        made->log_likelihood[i] = draws_at(kept, i).log_likelihood;
    equant_status status = tell_columns(session, frame, kept, made->n_columns, made->values);
    if (status == EQUANT_SUCCESS && begin)
        status = tell_columns(session, frame, begin, made->n_columns, made->starts);
    made->best_draw = draws_best(kept);
    return status;
}

/* All that is told of a run, for the sampler to judge. */
static equant_status judge_told(void *context, const draws *kept, const draws *begin,
                                const convergence_goals *goals, convergence_verdict *verdict)
{
    const sampling *session = context;
    sky_quantities_frame frame = frame_of(session, session->reference_jd);
    equant_sky_posterior *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    made->facts.n_populations = kept->shape.n_populations;
    made->facts.n_walkers = kept->shape.n_walkers;
    made->facts.n_kept = kept->n_steps;
    equant_status status = tell_draws(session, &frame, kept, begin, made);
    if (status == EQUANT_SUCCESS)
        status = sky_posterior_summarise(made);
    for (size_t j = 0; j < made->n_columns && status == EQUANT_SUCCESS; j++)
        convergence_add(goals, j, &made->rows[j].quality, verdict);
    equant_sky_posterior_free(made);
    return status;
}

/* ---- the course of a run ------------------------------------------------------------------ */

static equant_status run_to_end(sampling *session, equant_sample_end *end)
{
    const equant_sky_sample_options *options = session->options;
    const sampler_run_goals goals = goals_of(session);
    const sampler_run_audience audience = {.progress = OPTION(progress),
                                           .progress_context = OPTION(progress_context),
                                           .checkpoint = session->path ? write_file : NULL,
                                           .checkpoint_context = session,
                                           .checkpoint_seconds =
                                               OPTION_OR(checkpoint_seconds, 60.0)};
    equant_status status = sampler_run_to_end(session->run, &goals, &audience, end);
    if (status == EQUANT_SUCCESS)
        status = sampler_run_judge(session->run, &goals);
    if (status == EQUANT_SUCCESS && session->path != NULL)
        status = write_file(session->run, session);
    if (status == EQUANT_SUCCESS && draws_n(session->run->kept) == 0)
        status = posterior_facts_fail_empty(sampler_n_steps(session->run->walkers));
    return status;
}

/* ---- what is kept -------------------------------------------------------------------------- */

/* What it was made from, so that it can be kept beside the draws. */
static equant_status keep_observations(const sampling *session, const equant_astrometry *source,
                                       equant_sky_posterior *made)
{
    const equant_sky_fit_options *fit =
        OPTION_OR_ZERO(session->options, equant_sky_sample_options, fit);
    const equant_dataset *velocities = FIT_OPTION(velocities);
    equant_status status =
        equant_astrometry_create(&session->ladder.data.rows, equant_astrometry_reference_jd(source),
                                 equant_astrometry_name(source), &made->source);
    if (status != EQUANT_SUCCESS || velocities == NULL)
        return status;
    const sky_velocities rows = {.n = equant_dataset_n_obs(velocities),
                                 .time_days = equant_dataset_times_days(velocities),
                                 .velocity_m_s = equant_dataset_velocities_m_s(velocities),
                                 .uncertainty_m_s = equant_dataset_uncertainties_m_s(velocities),
                                 .instrument = equant_dataset_instruments(velocities),
                                 .n_instruments = equant_dataset_n_instruments(velocities),
                                 .time_name = equant_dataset_time_name(velocities)};
    const char *names[SKY_DATA_MAX_INSTRUMENTS];
    for (size_t i = 0; i < rows.n_instruments; i++)
        names[i] = equant_dataset_instrument_name(velocities, i);
    return sky_posterior_keep_velocities(made, &rows, names);
}

static equant_status keep_origin(const sampling *session, const equant_astrometry *source,
                                 equant_sky_posterior *made)
{
    const equant_sky_sample_options *options = session->options;
    char seed[32], id[32], reference[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)OPTION(seed));
    snprintf(id, sizeof id, "%lld", (long long)equant_astrometry_source_id(source));
    snprintf(reference, sizeof reference, "%.9f", equant_astrometry_reference_jd(source));
    const char *const texts[][2] = {
        {"version", equant_version()},
        {"seed", seed},
        {"source_id", id},
        {"name", equant_astrometry_name(source)},
        {"reference_jd", reference},
        {"rows", session->settings.as_ccds ? "CCDs" : "means of transits"},
        {"prior_shapes", "ln P, e and M0 uniform"},
        {"prior_thiele_innes", "normal around zero, the logarithm of their scale uniform"},
        {"prior_jitter", "uniform in ln(1 + jitter / median uncertainty)"},
        {"prior_linear", "uniform; colour normal(0, 0.085)"}};
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == EQUANT_SUCCESS; i++)
        status = provenance_add(&made->made_with, texts[i][0], texts[i][1]);
    const equant_dataset *velocities = made->velocities;
    if (velocities == NULL)
        return status;
    if (status == EQUANT_SUCCESS)
        status =
            provenance_add(&made->made_with, "time_name", equant_dataset_time_name(velocities));
    for (size_t i = 0; i < equant_dataset_n_instruments(velocities) && status == EQUANT_SUCCESS;
         i++) {
        char name[32];
        snprintf(name, sizeof name, "instrument_%zu", i + 1);
        status =
            provenance_add(&made->made_with, name, equant_dataset_instrument_name(velocities, i));
    }
    return status;
}

static void fill_facts(const sampling *session, double reference_jd, equant_sample_end end,
                       const sampler_figures *figures, equant_sky_posterior *made)
{
    const sampler_run *run = session->run;
    const posterior_course course = {.end = end,
                                     .kept = run->kept,
                                     .figures = figures,
                                     .n_burn_in = run->state.schedule.window_start,
                                     .seconds = wall_clock_s() - session->begun_s};
    made->facts = posterior_facts_of(&course);
    made->facts.n_planets = best_of(session)->n_orbits;
    made->facts.reference_time_days = reference_jd;
    made->facts.backend = "processor";
    made->recession_per_year = best_of(session)->model.recession_per_year;
}

static equant_status report(const sampling *session, const equant_astrometry *source,
                            equant_sample_end end, equant_sky_posterior **posterior)
{
    double reference_jd = equant_astrometry_reference_jd(source);
    sky_quantities_frame frame = frame_of(session, reference_jd);
    const sampler_figures figures = sampler_figures_of(session->run->walkers);
    equant_sky_posterior *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    equant_status status =
        tell_draws(session, &frame, session->run->kept, session->run->begin, made);
    if (status == EQUANT_SUCCESS)
        status = keep_observations(session, source, made);
    if (status == EQUANT_SUCCESS)
        status = keep_origin(session, source, made);
    if (status == EQUANT_SUCCESS) {
        fill_facts(session, reference_jd, end, &figures, made);
        status = sky_posterior_summarise(made);
    }
    if (status == EQUANT_SUCCESS) {
        const sampler_run_goals goals = goals_of(session);
        posterior_facts_judge(&goals, &figures, made->n_columns, made->rows, &made->facts);
    }
    if (status != EQUANT_SUCCESS) {
        equant_sky_posterior_free(made);
        return status;
    }
    *posterior = made;
    return EQUANT_SUCCESS;
}

equant_status equant_sky_sample(const equant_astrometry *source,
                                const equant_sky_sample_options *options,
                                equant_sky_posterior **posterior)
{
    sampling session = {.options = options, .begun_s = wall_clock_s()};
    equant_sample_end end = EQUANT_END_NONE;
    if (source == NULL || posterior == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source and a place for its posterior are needed");
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = find_settings(&session);
    if (status == EQUANT_SUCCESS)
        status = check_file(source, &session);
    if (status == EQUANT_SUCCESS)
        status = find_orbit(source, &session);
    if (status == EQUANT_SUCCESS)
        status = create_density(&session);
    if (status == EQUANT_SUCCESS)
        status = create_run(&session);
    if (status == EQUANT_SUCCESS)
        status = open_file(&session);
    if (status == EQUANT_SUCCESS) {
        session.reference_jd = equant_astrometry_reference_jd(source);
        session.run->judge_told = judge_told;
        session.run->told = &session;
        status = run_to_end(&session, &end);
    }
    if (status == EQUANT_SUCCESS)
        status = report(&session, source, end, posterior);
    sampler_run_free(session.run);
    sky_density_free(session.density);
    sky_design_free(&session.design);
    sky_ladder_free(&session.ladder);
    return status;
}
