/* equant_posterior_open and equant_posterior_read_dataset: a run as its file tells it. Nothing is
 * made that could sample or evaluate, so that any machine can look at a run of any other. */
#include <math.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/run/posterior.h"
#include "output/run_file.h"

/* What is read of one run. */
typedef struct finished_run {
    run_settings settings;
    sampler_run_state state;
    provenance made_with;
    sampler *told;           /* its figures */
    draws *begin;            /* where its walkers began */
    posterior_origin origin; /* of the members above and of the file */
} finished_run;

/* Draws, settings and state must speak of the same run. */
static equant_status check_shapes(const run_file *from, const char *path,
                                  const posterior_origin *origin)
{
    const draws_shape *kept = &from->draws->shape;
    const parameter_layout *told = &origin->shape.layout;
    if (told->n_parameters != kept->n_parameters ||
        told->n_planets != from->shape.layout.n_planets ||
        origin->figures.n_populations != kept->n_populations ||
        origin->figures.n_walkers != kept->n_walkers)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: the draws belong to a run of another shape",
                           path);
    return EQUANT_SUCCESS;
}

/* A file does not say how its run ended; where that cannot be told, the run may go on. */
static equant_sample_end end_of(const finished_run *run)
{
    sampler_run_goals goals = run_settings_goals(&run->settings);
    return run->origin.figures.n_steps >= goals.max_steps ? EQUANT_END_STEPS : EQUANT_END_NONE;
}

static equant_status take(const run_file *from, const char *path, finished_run *run)
{
    posterior_origin *origin = &run->origin;
    equant_status status = run_settings_read(from, path, &run->settings);
    if (status == EQUANT_SUCCESS && from->draws->n_steps == 0)
        status = status_fail(EQUANT_ERROR_UNAVAILABLE, "%s: this run has kept no draws yet", path);
    if (status == EQUANT_SUCCESS)
        status = sampler_run_read(from->state, from->n_state_bytes, &run->state, &run->told);
    if (status != EQUANT_SUCCESS)
        return status;
    origin->figures = sampler_figures_of(run->told);
    origin->shape = run_settings_shape(&run->settings, from->dataset);
    status = check_shapes(from, path, origin);
    if (status == EQUANT_SUCCESS)
        status = provenance_add_all(&run->made_with, from->n_provenance, from->provenance);
    if (status == EQUANT_SUCCESS)
        status = sampler_run_read_begin(from->state, from->n_state_bytes, &from->draws->shape,
                                        &run->begin);
    origin->begin = run->begin;
    if (status != EQUANT_SUCCESS)
        return status;
    if (from->evidence.method && strcmp(from->evidence.method, POSTERIOR_BY_BRIDGE) == 0)
        origin->evidence = &from->evidence;
    origin->n_burn_in = run->state.schedule.window_start;
    origin->end = end_of(run);
    return EQUANT_SUCCESS;
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
    finished_run run = {.origin = {.dataset = from->dataset,
                                   .settings = &run.settings,
                                   .made_with = &run.made_with,
                                   .n_state_bytes = from->n_state_bytes,
                                   .state = from->state,
                                   .seconds = NAN}};
    status = take(from, path, &run);
    if (status == EQUANT_SUCCESS)
        status = posterior_create(&from->draws, &run.origin, made);
    sampler_free(run.told);
    draws_free(run.begin);
    provenance_free(&run.made_with);
    run_file_free(from);
    return status;
}

equant_status equant_posterior_read_dataset(const char *path, equant_dataset **dataset)
{
    if (!path || !dataset)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the observations of a run take the path of its file and a place for "
                           "them");
    return run_file_read_dataset(path, dataset);
}
