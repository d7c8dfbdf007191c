#include "inference/sample/run/sampling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "core/wall_clock.h"
#include "inference/sample/target/star_priors.h"
#include "inference/sample/target/stated_priors.h"
#include "inference/sample/run/posterior.h"
#include "inference/sample/run/run_record.h"
#include "inference/sample/run/start_points.h"
#include "model/orbit_elements.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sample_options, member)

enum { NAME_SIZE = 64 };

void sampling_free(sampling *session)
{
    sampler_run_free(session->run);
    posterior_density_free(session->density);
    equant_priors_free(session->own_priors);
    equant_states_free(session->own_states);
    free(session->basis);
    equant_dataset_free(session->believed);
    provenance_free(&session->made_with);
    guided_evidence_free(&session->found);
}

/* ---- the posterior ----------------------------------------------------------------------- */

equant_status sampling_create_priors(sampling *session, const char *noise)
{
    equant_priors_options wanted = {.struct_size = sizeof wanted,
                                    .n_planets = session->settings.n_planets,
                                    .trend = trend_order_name((int)session->settings.trend_order),
                                    .noise = noise};
    equant_status status = equant_priors_create(session->dataset, &wanted, &session->own_priors);
    session->priors = session->own_priors;
    return status;
}

/* States take the place of priors. */
static equant_status apply_states(sampling *session)
{
    equant_priors *changed = NULL;
    if (!session->states)
        return EQUANT_SUCCESS;
    equant_status status =
        stated_priors_create(session->states, session->dataset, session->priors, &changed);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_priors_free(session->own_priors);
    session->priors = session->own_priors = changed;
    return EQUANT_SUCCESS;
}

/* Coordinates of orbits, where they are not the usual ones. */
equant_status sampling_choose_basis(sampling *session)
{
    size_t n = session->settings.n_planets;
    bool is_usual;
    session->basis = calloc(n + 1, sizeof *session->basis);
    if (!session->basis)
        return status_out_of_memory();
    equant_status status = stated_priors_basis(session->states, session->basis_words, n,
                                               equant_dataset_reference_time_days(session->dataset),
                                               session->basis, &is_usual);
    if (is_usual) {
        free(session->basis);
        session->basis = NULL;
    }
    return status;
}

/* All but the engine. */
static posterior_density_options density_options(const sampling *session)
{
    const run_settings *settings = &session->settings;
    return (posterior_density_options){.dataset = session->dataset,
                                       .n_planets = settings->n_planets,
                                       .trend_order = (int)settings->trend_order,
                                       .priors = session->priors->set,
                                       .marginalise_offsets = (int)settings->marginalise_offsets,
                                       .states = session->states,
                                       .basis = session->basis,
                                       .star_mass = settings->star.value[STAR_MASS]};
}

equant_status sampling_create_density(sampling *session)
{
    const run_settings *settings = &session->settings;
    equant_engine_options engine = run_settings_engine(settings, session->n_threads);
    posterior_density_options wanted = density_options(session);
    if (session->n_together > 0) /* others evaluate; it only prepares */
        engine.backend = "cpu";
    wanted.engine = &engine;
    return posterior_density_create(&wanted, &session->density);
}

/* The number of walkers depends on that of coordinates, the backend on the number of walkers, and
 * the density is made for that backend. */
static equant_status settle(sampling *session)
{
    run_settings *settings = &session->settings;
    const posterior_density_options wanted = density_options(session);
    if (settings->n_walkers == 0)
        settings->n_walkers = sampler_usual_walkers(posterior_density_count(&wanted));
    double n_rows = (double)settings->n_walkers / 2.0 * (double)settings->n_populations *
                    (double)settings->n_temperatures * fmax((double)session->n_together, 1.0);
    equant_status status =
        run_settings_settle(settings, session->dataset, n_rows < 1e9 ? (size_t)n_rows : 1000000000);
    return status == EQUANT_SUCCESS ? sampling_create_density(session) : status;
}

/* ---- the run ------------------------------------------------------------------------------ */

static equant_status find_modes(sampling *session, start_modes *found)
{
    const equant_sample_options *options = session->options;
    const run_settings *settings = &session->settings;
    equant_engine_options engine = {.struct_size = sizeof engine,
                                    .backend = settings->backend,
                                    .n_threads = session->n_threads};
    start_modes_request request = {.dataset = session->dataset,
                                   .n_planets = settings->n_planets,
                                   .trend_order = (int)settings->trend_order,
                                   .priors = session->priors->set,
                                   .engine = &engine,
                                   .n_known = OPTION(n_known),
                                   .known = OPTION(known),
                                   .states = session->states,
                                   .star_mass = settings->star.value[STAR_MASS],
                                   .seed = settings->seed,
                                   .progress = OPTION(progress),
                                   .progress_context = OPTION(progress_context)};
    return start_modes_find(&request, found);
}

static double span_of(const equant_dataset *dataset)
{
    const double *times = equant_dataset_times_days(dataset);
    return times[equant_dataset_n_obs(dataset) - 1] - times[0];
}

/* Fills *start, for the caller to free, with the places where walkers begin. */
static equant_status find_start(sampling *session, double **start)
{
    const run_settings *settings = &session->settings;
    start_points_shape shape = {.n_populations = settings->n_populations,
                                .n_temperatures = settings->n_temperatures,
                                .n_walkers = settings->n_walkers,
                                .span_days = span_of(session->dataset),
                                .n_threads = session->n_threads};
    start_modes found = {0};
    equant_status status = find_modes(session, &found);
    if (status == EQUANT_SUCCESS) {
        size_t n = shape.n_populations * shape.n_temperatures * shape.n_walkers;
        *start = calloc(n, posterior_density_n_coordinates(session->density) * sizeof **start);
        status = *start ? start_points_fill(session->density, session->priors->set, &found, &shape,
                                            settings->seed, *start)
                        : status_out_of_memory();
    }
    start_modes_free(&found);
    return status;
}

/* Whether planets differ in nothing but their number. */
static bool has_alike_planets(const equant_priors *held, size_t n_planets)
{
    for (size_t i = N_ELEMENTS; i < N_ELEMENTS * n_planets; i++)
        if (strcmp(held->texts[i], held->texts[i % N_ELEMENTS]) != 0)
            return false;
    return true;
}

/* Every quantity of the posterior. */
static equant_status judge_told(void *context, const draws *kept, const draws *begin,
                                const convergence_goals *goals, convergence_verdict *verdict)
{
    const sampling *session = context;
    const summary_request request = {
        .draws = kept,
        .begin = begin,
        .shape = run_settings_shape(&session->settings, session->dataset),
        .reference_time_days = equant_dataset_reference_time_days(session->dataset),
        .n_threads = session->n_threads,
        .is_for_quality = true};
    summary *made;
    equant_status status = summary_create(&request, &made);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < made->n_rows; i++)
        convergence_add(goals, i, &made->rows[i].quality, verdict);
    summary_free(made);
    return EQUANT_SUCCESS;
}

equant_status sampling_create_run(sampling *session, const double *start)
{
    const run_settings *settings = &session->settings;
    sampler_run_options wanted = {.sampler = {.seed = settings->seed,
                                              .n_populations = settings->n_populations,
                                              .n_temperatures = settings->n_temperatures,
                                              .n_walkers = settings->n_walkers,
                                              .n_threads = session->n_threads},
                                  .n_planets = settings->n_planets,
                                  .has_alike_planets =
                                      has_alike_planets(session->priors, settings->n_planets),
                                  .span_days = span_of(session->dataset),
                                  .n_burn_in = settings->n_burn_in,
                                  .thinning = settings->thinning,
                                  .max_draws = settings->max_draws};
    equant_status status =
        sampler_run_create(&wanted, session->density, session->target, start, &session->run);
    if (status == EQUANT_SUCCESS) {
        session->run->judge_told = judge_told;
        session->run->told = session;
    }
    return status;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* States as sentences, "state_1" and on, with the letters of planets and the basis. */
static equant_status describe_states(sampling *session)
{
    char letters[2 * STATE_LIST_MOST_PLANETS + 1] = "";
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < equant_states_n_planets(session->states); i++) {
        size_t n = strlen(letters);
        snprintf(letters + n, sizeof letters - n, "%s%c", n > 0 ? "," : "",
                 equant_states_letter(session->states, i));
    }
    if (letters[0])
        status = provenance_add(&session->made_with, "letters", letters);
    if (status == EQUANT_SUCCESS && session->basis_words[0])
        status = provenance_add(&session->made_with, "basis", session->basis_words);
    for (size_t i = 0; i < equant_states_n(session->states) && status == EQUANT_SUCCESS; i++) {
        char name[NAME_SIZE], sentence[STATE_NAME_SIZE + PRIOR_TEXT_SIZE + 2];
        snprintf(name, sizeof name, "state_%zu", i + 1);
        snprintf(sentence, sizeof sentence, "%s=%s", equant_states_name(session->states, i),
                 equant_states_text(session->states, i));
        status = provenance_add(&session->made_with, name, sentence);
    }
    return status;
}

/* How the run is made: in its file, and for whoever asks the posterior. */
equant_status sampling_describe(sampling *session, const char *star_name, const char *command)
{
    equant_status status = run_settings_write(&session->settings, &session->made_with);
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&session->made_with, "version", equant_version());
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&session->made_with, "star_name", star_name);
    if (status == EQUANT_SUCCESS)
        status = provenance_add(&session->made_with, "command", command);
    if (status == EQUANT_SUCCESS && session->outliers[0] != '\0')
        status = provenance_add(&session->made_with, "outliers", session->outliers);
    if (status == EQUANT_SUCCESS)
        status = describe_states(session);
    for (size_t i = 0; i < equant_priors_n(session->priors) && status == EQUANT_SUCCESS; i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "prior_%s", equant_priors_name(session->priors, i));
        status = provenance_add(&session->made_with, name, equant_priors_text(session->priors, i));
    }
    return status;
}

/* The state of the run as bytes, for the caller to free. */
static equant_status save_state(const sampler_run *run, void **state)
{
    *state = malloc(sampler_run_state_bytes(run));
    return *state ? sampler_run_save(run, *state) : status_out_of_memory();
}

static equant_status write_file(const sampler_run *run, void *context)
{
    const sampling *session = context;
    void *state;
    equant_status status = save_state(run, &state);
    if (status == EQUANT_SUCCESS) {
        run_record record = {.dataset = session->dataset,
                             .shape = run_settings_shape(&session->settings, session->dataset),
                             .kept = run->kept,
                             .walkers = run->walkers,
                             .made_with = &session->made_with,
                             .evidence = session->evidence.method ? &session->evidence : NULL,
                             .n_state_bytes = sampler_run_state_bytes(run),
                             .state = state};
        status = run_record_write(&record, session->path);
    }
    free(state);
    return status;
}

/* ---- the course of a call ------------------------------------------------------------------ */

static equant_status report(sampling *session, equant_sample_end end, equant_posterior **made)
{
    sampler_run *run = session->run;
    void *state;
    equant_status status = save_state(run, &state);
    posterior_origin origin = {.dataset = session->dataset,
                               .settings = &session->settings,
                               .shape = run_settings_shape(&session->settings, session->dataset),
                               .made_with = &session->made_with,
                               .evidence = session->evidence.method ? &session->evidence : NULL,
                               .begin = run->begin,
                               .n_burn_in = run->state.schedule.window_start,
                               .n_state_bytes = sampler_run_state_bytes(run),
                               .state = state,
                               .end = end,
                               .seconds = wall_clock_s() - session->begun_s,
                               .n_threads = session->n_threads};
    origin.figures = sampler_figures_of(run->walkers);
    if (status == EQUANT_SUCCESS)
        status = posterior_create(&run->kept, &origin, made);
    free(state);
    return status;
}

/* From the draws that there are; none where they are too few. */
static equant_status find_evidence(sampling *session)
{
    const guided_evidence_request request = {.density = session->density,
                                             .kept = session->run->kept,
                                             .n_planets = session->settings.n_planets,
                                             .span_days = span_of(session->dataset),
                                             .worth = session->run->worst.ess_bulk,
                                             .seed = session->settings.seed,
                                             .n_threads = session->n_threads};
    if (sampler_n_temperatures(session->run->walkers) < 2)
        return EQUANT_SUCCESS;
    equant_status status = guided_evidence_find(&request, &session->found);
    const guided_evidence *found = &session->found;
    if (status == EQUANT_SUCCESS && isfinite(found->log_evidence))
        session->evidence = (run_file_evidence){.log_z = found->log_evidence,
                                                .log_z_err = found->error,
                                                .n_runs = found->n_populations,
                                                .log_z_of_run = found->by_population,
                                                .method = POSTERIOR_BY_BRIDGE,
                                                .k_hat = found->k_hat};
    return status;
}

equant_status sampling_finish(sampling *session, equant_sample_end end, equant_posterior **made)
{
    const sampler_run_goals goals = run_settings_goals(&session->settings);
    equant_status status = EQUANT_SUCCESS;
    if (session->run->worst_step < sampler_n_steps(session->run->walkers))
        status = sampler_run_judge(session->run, &goals);
    if (status == EQUANT_SUCCESS)
        status = find_evidence(session);
    if (status == EQUANT_SUCCESS && session->path)
        status = write_file(session->run, session);
    return status == EQUANT_SUCCESS ? report(session, end, made) : status;
}

equant_status sampling_go_on(sampling *session, equant_posterior **made)
{
    const equant_sample_options *options = session->options;
    double spent_s = wall_clock_s() - session->begun_s, max_seconds = OPTION(max_seconds);
    sampler_run_goals goals = run_settings_goals(&session->settings);
    goals.max_seconds = max_seconds > 0.0 ? fmax(max_seconds - spent_s, 1e-9) : 0.0;
    sampler_run_audience audience = {
        .progress = OPTION(progress),
        .progress_context = OPTION(progress_context),
        .checkpoint_context = session,
        .checkpoint = session->path ? write_file : NULL,
        .checkpoint_seconds = OPTION(checkpoint_seconds) > 0.0 ? OPTION(checkpoint_seconds) : 60.0};
    equant_sample_end end;
    equant_status status = sampler_run_to_end(session->run, &goals, &audience, &end);
    return status == EQUANT_SUCCESS ? sampling_finish(session, end, made) : status;
}

int sampling_threads(const equant_sample_options *options)
{
    const equant_engine_options *engine = OPTION(engine);
    return OPTION_OR_ZERO(engine, equant_engine_options, n_threads);
}

/* The planets and the trend that states name are there. */
static equant_status take_states(sampling *session)
{
    const equant_sample_options *options = session->options;
    const equant_states *states = OPTION(states);
    const char *basis = OPTION(basis);
    run_settings *settings = &session->settings;
    size_t n_stated = equant_states_n_planets(states);
    snprintf(session->basis_words, sizeof session->basis_words, "%s", basis ? basis : "");
    if (equant_states_n(states) == 0 && n_stated == 0)
        return EQUANT_SUCCESS;
    session->states = states;
    if (OPTION(n_known) > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a run with states takes planets from them, not from a start");
    if (settings->n_planets < n_stated)
        settings->n_planets = n_stated;
    if (state_list_trend(states) > (int)settings->trend_order)
        settings->trend_order = (uint64_t)state_list_trend(states);
    const equant_priors *given = OPTION(priors);
    if (given && (priors_layout(given->set)->n_planets != settings->n_planets ||
                  priors_layout(given->set)->trend_order != (int)settings->trend_order))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the states name planets or a trend that the priors lack");
    return state_list_check_star(states, session->dataset, settings->star.value[STAR_MASS] > 0.0);
}

/* What is asked for, and the data as they are believed. */
static equant_status take_options(sampling *session)
{
    const equant_sample_options *options = session->options;
    equant_status status = run_settings_take(session->dataset, options, &session->settings);
    if (status == EQUANT_SUCCESS)
        status = take_states(session);
    if (status != EQUANT_SUCCESS)
        return status;
    session->path = OPTION(path);
    session->n_threads = sampling_threads(options);
    status = equant_fit_check_outliers(OPTION(outliers));
    if (status == EQUANT_SUCCESS)
        status =
            believed_data_create(session->dataset, options, &session->believed, session->outliers);
    if (session->believed)
        session->dataset = session->believed;
    return status;
}

equant_status sampling_prepare(sampling *session)
{
    const equant_sample_options *options = session->options;
    equant_status status = take_options(session);
    if (status == EQUANT_SUCCESS && session->path)
        status = run_file_is_possible(session->path);
    session->priors = OPTION(priors);
    if (status == EQUANT_SUCCESS)
        status = session->priors
                     ? star_priors_check_noise(session->priors, session->dataset, OPTION(noise))
                     : sampling_create_priors(session, OPTION(noise));
    if (status == EQUANT_SUCCESS)
        status = apply_states(session);
    if (status == EQUANT_SUCCESS)
        status = sampling_choose_basis(session);
    if (status == EQUANT_SUCCESS) {
        noise_kinds_write_sorted(&priors_layout(session->priors->set)->noise,
                                 session->settings.noise);
        status = settle(session);
    }
    return status;
}

equant_status sampling_begin(sampling *session)
{
    const equant_sample_options *options = session->options;
    double *start = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (session->settings.start == EQUANT_START_FIT)
        status = find_start(session, &start);
    if (status == EQUANT_SUCCESS)
        status = sampling_create_run(session, start);
    free(start);
    if (status == EQUANT_SUCCESS)
        status = sampling_describe(session, OPTION(star_name), OPTION(command));
    /* From here on a killed program loses no more than the time between two checkpoints. */
    if (status == EQUANT_SUCCESS && session->path)
        status = write_file(session->run, session);
    return status;
}
