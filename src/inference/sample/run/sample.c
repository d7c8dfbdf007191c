/* equant_sample and equant_sample_resume: a run that begins, and one that goes on. */
#include <stdio.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/wall_clock.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/sample/target/stated_priors.h"
#include "inference/sample/run/sampling.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_sample_options, member)

enum { NAME_SIZE = 64 };

equant_status equant_sample(const equant_dataset *dataset, const equant_sample_options *options,
                            equant_posterior **made)
{
    sampling session = {.dataset = dataset, .options = options, .begun_s = wall_clock_s()};
    equant_status status = sampling_prepare(&session);
    if (status == EQUANT_SUCCESS)
        status = sampling_begin(&session);
    if (status == EQUANT_SUCCESS)
        status = sampling_go_on(&session, made);
    sampling_free(&session);
    return status;
}

/* ---- resuming ------------------------------------------------------------------------------- */

static equant_status restore_priors(sampling *session, const run_file *from)
{
    noise_kinds kinds;
    char words[NOISE_PRIORS_WORDS_SIZE];
    equant_status status = model_noise_read(session->settings.noise, &kinds);
    noise_priors_words(&kinds, session->dataset, words);
    if (status == EQUANT_SUCCESS)
        status = sampling_create_priors(session, words);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < equant_priors_n(session->own_priors); i++) {
        char name[NAME_SIZE];
        snprintf(name, sizeof name, "prior_%s", equant_priors_name(session->own_priors, i));
        const char *text = run_file_provenance(from, name);
        status =
            text ? equant_priors_change(session->own_priors,
                                        equant_priors_name(session->own_priors, i), text)
                 : status_fail(EQUANT_ERROR_FORMAT, "%s: this file lacks %s", session->path, name);
    }
    return status;
}

static equant_status restore_states(sampling *session, const run_file *from)
{
    const char *letters = run_file_provenance(from, "letters"),
               *basis = run_file_provenance(from, "basis");
    char name[NAME_SIZE] = "state_1";
    snprintf(session->basis_words, sizeof session->basis_words, "%s", basis ? basis : "");
    equant_status status = EQUANT_SUCCESS;
    if (letters || run_file_provenance(from, name))
        status = equant_states_create(&session->own_states);
    if (status == EQUANT_SUCCESS && letters)
        status = equant_states_name_planets(session->own_states, letters, session->path);
    for (size_t i = 1; status == EQUANT_SUCCESS && run_file_provenance(from, name); i++) {
        status =
            equant_states_set(session->own_states, run_file_provenance(from, name), session->path);
        snprintf(name, sizeof name, "state_%zu", i + 1);
    }
    session->states = session->own_states;
    return status == EQUANT_SUCCESS ? sampling_choose_basis(session) : status;
}

/* Walkers begin somewhere in the prior, and are then put where the file says. */
static equant_status restore_run(sampling *session, run_file *from)
{
    equant_status status = restore_priors(session, from);
    if (status == EQUANT_SUCCESS)
        status = restore_states(session, from);
    if (status == EQUANT_SUCCESS)
        status = sampling_create_density(session);
    if (status == EQUANT_SUCCESS)
        status = sampling_create_run(session, NULL);
    if (status == EQUANT_SUCCESS)
        status = sampler_run_restore(session->run, from->state, from->n_state_bytes, from->draws);
    if (status == EQUANT_SUCCESS)
        from->draws = NULL;
    return status;
}

static equant_status resume(sampling *session, run_file *from, equant_posterior **made)
{
    equant_status status = run_settings_read(from, session->path, &session->settings);
    const char *outliers = run_file_provenance(from, "outliers");
    snprintf(session->outliers, sizeof session->outliers, "%s", outliers ? outliers : "");
    if (status == EQUANT_SUCCESS)
        status = run_settings_extend(session->options, &session->settings);
    if (status == EQUANT_SUCCESS)
        status = restore_run(session, from);
    if (status == EQUANT_SUCCESS)
        status = sampling_describe(session, run_file_provenance(from, "star_name"),
                                   run_file_provenance(from, "command"));
    return status == EQUANT_SUCCESS ? sampling_go_on(session, made) : status;
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
    sampling session = {.dataset = from->dataset,
                        .options = options,
                        .path = path,
                        .n_threads = sampling_threads(options),
                        .begun_s = wall_clock_s()};
    status = resume(&session, from, made);
    sampling_free(&session);
    run_file_free(from);
    return status;
}
