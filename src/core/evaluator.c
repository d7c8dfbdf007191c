/* A data set, a model and a backend bound together. */
#include <math.h>
#include <stdlib.h>

#include "core/dataset.h"
#include "core/engine.h"
#include "core/model.h"
#include "core/status.h"

struct equant_evaluator {
    const backend *chosen;
    void *state;
    size_t n_parameters;
};

static equant_status check_match(const equant_dataset *dataset, const equant_model *model)
{
    if (dataset->n_instruments != model->n_instruments)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the data set has %zu instruments and the model %zu",
                           dataset->n_instruments, model->n_instruments);
    return EQUANT_SUCCESS;
}

/* Squares and inverse squares of uncertainties must be ordinary numbers, in single
 * precision too; times must have a difference from the reference time. */
static equant_status check_range(const equant_dataset *dataset)
{
    const double least = 1e-15, most = 1e15;
    for (size_t k = 0; k < dataset->n_obs; k++) {
        double sigma = dataset->uncertainty_m_s[k];
        if (!(sigma >= least && sigma <= most))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "observation %zu has an uncertainty of %g m/s, which no instrument "
                               "has: it should be between %g and %g",
                               k + 1, sigma, least, most);
        if (!isfinite(dataset->time_days[k] - dataset->reference_time_days))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the time of observation %zu is too far from the reference time",
                               k + 1);
    }
    return EQUANT_SUCCESS;
}

equant_status equant_evaluator_create(const equant_dataset *dataset, const equant_model *model,
                                      const equant_engine_options *options, equant_evaluator **out)
{
    if (!dataset || !model || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an evaluator needs a data set, a model and a place to put it");
    backend_engine engine;
    const backend *chosen;
    equant_status status = check_match(dataset, model);
    if (status == EQUANT_SUCCESS)
        status = check_range(dataset);
    if (status == EQUANT_SUCCESS)
        status = engine_choose(options, &engine, &chosen);
    if (status != EQUANT_SUCCESS)
        return status;

    equant_evaluator *evaluator = calloc(1, sizeof *evaluator);
    double *time = malloc(dataset->n_obs * sizeof *time);
    if (!evaluator || !time) {
        free(evaluator);
        free(time);
        return status_out_of_memory();
    }
    for (size_t k = 0; k < dataset->n_obs; k++)
        time[k] = dataset->time_days[k] - dataset->reference_time_days;
    backend_problem problem = {
        .n_obs = dataset->n_obs,
        .time_days = time,
        .velocity_m_s = dataset->velocity_m_s,
        .uncertainty_m_s = dataset->uncertainty_m_s,
        .instrument = dataset->instrument,
        .n_instruments = dataset->n_instruments,
        .n_planets = model->n_planets,
        .trend_order = model->trend_order,
        .offsets_given = model->offsets_given,
        .trend_given = model->trend_given,
        .with_jitter = model->with_jitter,
        .n_parameters = model->n_parameters,
        .n_linear = model->n_linear,
    };
    evaluator->chosen = chosen;
    evaluator->n_parameters = model->n_parameters;
    status = engine_report(chosen, chosen->create(&problem, &engine, &evaluator->state));
    free(time);
    if (status != EQUANT_SUCCESS) {
        free(evaluator);
        return status;
    }
    *out = evaluator;
    return EQUANT_SUCCESS;
}

void equant_evaluator_free(equant_evaluator *evaluator)
{
    if (!evaluator)
        return;
    evaluator->chosen->destroy(evaluator->state);
    free(evaluator);
}

const char *equant_evaluator_backend(const equant_evaluator *evaluator)
{
    return evaluator->chosen->name;
}

/* The members that the caller's struct has, NULL for the rest. */
static equant_results known_results(const equant_results *results)
{
    equant_results known = {.struct_size = sizeof known};
    known.chi_square = OPTION_OR_ZERO(results, equant_results, chi_square);
    known.log_likelihood = OPTION_OR_ZERO(results, equant_results, log_likelihood);
    known.linear = OPTION_OR_ZERO(results, equant_results, linear);
    known.velocities = OPTION_OR_ZERO(results, equant_results, velocities);
    known.residuals = OPTION_OR_ZERO(results, equant_results, residuals);
    return known;
}

static equant_status check_call(const equant_evaluator *evaluator, size_t n_sets,
                                const double *parameters, const equant_results *results)
{
    if (!evaluator || !results)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an evaluation needs an evaluator and a place for its results");
    if (!parameters && n_sets > 0 && evaluator->n_parameters > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no parameters to evaluate");
    return OPTIONS_CHECK(results);
}

equant_status equant_evaluator_evaluate(equant_evaluator *evaluator, size_t n_sets,
                                        const double *parameters, const equant_results *results)
{
    equant_status status = check_call(evaluator, n_sets, parameters, results);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    const backend *chosen = evaluator->chosen;
    equant_results known = known_results(results);
    return engine_report(chosen, chosen->evaluate(evaluator->state, n_sets, parameters, &known));
}

equant_status equant_evaluator_evaluate_on_device(equant_evaluator *evaluator, size_t n_sets,
                                                  const double *parameters,
                                                  const equant_results *results, void *stream)
{
    equant_status status = check_call(evaluator, n_sets, parameters, results);
    if (status != EQUANT_SUCCESS)
        return status;
    const backend *chosen = evaluator->chosen;
    if (!chosen->evaluate_on_device)
        return status_fail(EQUANT_ERROR_UNAVAILABLE, "backend '%s' has no device memory",
                           chosen->name);
    if (n_sets == 0)
        return EQUANT_SUCCESS;
    equant_results known = known_results(results);
    return engine_report(
        chosen, chosen->evaluate_on_device(evaluator->state, n_sets, parameters, &known, stream));
}
