/* A data set, a model and a backend bound together. */
#include <stdlib.h>

#include "core/accelerator.h"
#include "core/basis.h"
#include "core/evaluators/data_problem.h"
#include "core/engine.h"
#include "core/evaluators/evaluator.h"
#include "core/model_object.h"
#include "core/status_fail.h"

struct equant_evaluator {
    backend_problem problem; /* its arrays are the evaluator's own */
    backend_engine engine;
    const backend *chosen;
    void *state;
    accelerator elsewhere; /* for large batches where no backend was named */
    /* Derivatives are taken in double by a backend that has them: by the one above, or by
     * one more state that the first call makes. */
    const backend *differentiator;
    void *differentiator_state; /* NULL: the state above, or not made yet */
    accelerator lent;           /* for those that gain on a GPU */
};

equant_status equant_evaluator_create(const equant_dataset *dataset, const equant_model *model,
                                      const equant_engine_options *options, equant_evaluator **out)
{
    if (!dataset || !model || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an evaluator needs a data set, a model and a place to put it");
    equant_evaluator *evaluator = calloc(1, sizeof *evaluator);
    if (!evaluator)
        return status_out_of_memory();
    placement found;
    equant_status status = data_problem_check(dataset, model);
    if (status == EQUANT_SUCCESS)
        status = placement_find(NULL, options, &placement_small_batches, &found);
    if (status == EQUANT_SUCCESS)
        status = data_problem_create(dataset, model, &evaluator->problem);
    if (status != EQUANT_SUCCESS) {
        free(evaluator);
        return status;
    }
    const backend *chosen = evaluator->chosen = found.chosen;
    evaluator->engine = found.engine;
    bool is_correlated = model->layout.noise.n > 0,
         is_solved = data_problem_solves(&evaluator->problem);
    /* Derivatives beside noise terms are a processor's. */
    evaluator->differentiator = chosen->differentiate && !(is_correlated && chosen->device)
                                    ? chosen
                                    : placement_processor(NULL);
    status = is_correlated && is_solved && chosen->device
                 ? status_fail(EQUANT_ERROR_UNAVAILABLE,
                               "beside noise terms only processors solve for offsets and trend; "
                               "give them as columns, or name a processor")
                 : engine_report(chosen, chosen->create(&evaluator->problem, &evaluator->engine,
                                                        &evaluator->state));
    if (status != EQUANT_SUCCESS) {
        data_problem_free(&evaluator->problem);
        free(evaluator);
        return status;
    }
    evaluator->elsewhere.is_wanted = engine_is_automatic(options) && !(is_correlated && is_solved);
    *out = evaluator;
    return EQUANT_SUCCESS;
}

void equant_evaluator_free(equant_evaluator *evaluator)
{
    if (!evaluator)
        return;
    evaluator->chosen->destroy(evaluator->state);
    accelerator_free(&evaluator->elsewhere);
    accelerator_free(&evaluator->lent);
    if (evaluator->differentiator_state)
        evaluator->differentiator->destroy(evaluator->differentiator_state);
    data_problem_free(&evaluator->problem);
    free(evaluator);
}

evaluator_parts evaluator_parts_of(const equant_evaluator *evaluator)
{
    return (evaluator_parts){evaluator->chosen, &evaluator->engine, evaluator->state};
}

void evaluator_lend(equant_evaluator *evaluator, accelerator gpu)
{
    evaluator->lent = gpu;
    evaluator->lent.is_wanted &= evaluator->problem.layout.noise.n == 0;
}

const char *equant_evaluator_backend(const equant_evaluator *evaluator)
{
    return evaluator ? evaluator->chosen->name : NULL;
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
                                const double *parameters, const void *results)
{
    if (!evaluator || !results)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an evaluation needs an evaluator and a place for its results");
    if (!parameters && n_sets > 0 && evaluator->problem.layout.n_parameters > 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no parameters to evaluate");
    return EQUANT_SUCCESS;
}

equant_status equant_evaluator_evaluate(equant_evaluator *evaluator, size_t n_sets,
                                        const double *parameters, const equant_results *results)
{
    equant_status status = check_call(evaluator, n_sets, parameters, results);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(results);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    const backend *chosen = evaluator->chosen;
    equant_results known = known_results(results);
    if (accelerator_evaluate(&evaluator->elsewhere, &evaluator->problem, &evaluator->engine, n_sets,
                             parameters, &known))
        return EQUANT_SUCCESS;
    return engine_report(chosen, chosen->evaluate(evaluator->state, n_sets, parameters, &known));
}

equant_status equant_evaluator_evaluate_on_device(equant_evaluator *evaluator, size_t n_sets,
                                                  const double *parameters,
                                                  const equant_results *results, void *stream)
{
    equant_status status = check_call(evaluator, n_sets, parameters, results);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(results);
    if (status != EQUANT_SUCCESS)
        return status;
    const backend *chosen = evaluator->chosen;
    status = engine_require_device(chosen);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    equant_results known = known_results(results);
    return engine_report(
        chosen, chosen->evaluate_on_device(evaluator->state, n_sets, parameters, &known, stream));
}

size_t equant_evaluator_n_kernels(const equant_evaluator *evaluator)
{
    if (!evaluator)
        return 0;
    const backend_device *device = evaluator->chosen->device;
    return device ? device->n_kernels(evaluator->state) : 0;
}

equant_status equant_evaluator_kernel(const equant_evaluator *evaluator, size_t index,
                                      equant_kernel_info *info)
{
    if (!info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is nowhere to put the description of a function");
    equant_status status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = equant_evaluator_n_kernels(evaluator);
    if (index >= n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "this evaluator launches %zu functions; there is no number %zu", n,
                           index);
    const backend *chosen = evaluator->chosen;
    equant_kernel_info known = {.struct_size = sizeof known};
    status =
        engine_report(chosen, chosen->device->describe_kernel(evaluator->state, index, &known));
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(known, info);
    return status;
}

static equant_derivatives known_derivatives(const equant_derivatives *derivatives)
{
    equant_derivatives known = {.struct_size = sizeof known};
    known.chi_square = OPTION_OR_ZERO(derivatives, equant_derivatives, chi_square);
    known.log_likelihood = OPTION_OR_ZERO(derivatives, equant_derivatives, log_likelihood);
    known.chi_square_gradient =
        OPTION_OR_ZERO(derivatives, equant_derivatives, chi_square_gradient);
    known.log_likelihood_gradient =
        OPTION_OR_ZERO(derivatives, equant_derivatives, log_likelihood_gradient);
    known.fisher = OPTION_OR_ZERO(derivatives, equant_derivatives, fisher);
    known.jacobian = OPTION_OR_ZERO(derivatives, equant_derivatives, jacobian);
    return known;
}

/* True when the state that evaluates can also differentiate. */
static bool differentiates_itself(const equant_evaluator *evaluator)
{
    return evaluator->differentiator == evaluator->chosen &&
           evaluator->engine.precision == EQUANT_PRECISION_DOUBLE;
}

/* Makes the state that differentiates where one is needed and not there yet. */
static equant_status require_differentiator(equant_evaluator *evaluator)
{
    if (differentiates_itself(evaluator) || evaluator->differentiator_state)
        return EQUANT_SUCCESS;
    backend_engine engine = evaluator->engine;
    engine.precision = EQUANT_PRECISION_DOUBLE;
    return engine_report(evaluator->differentiator,
                         evaluator->differentiator->create(&evaluator->problem, &engine,
                                                           &evaluator->differentiator_state));
}

static bool differentiates_elsewhere(equant_evaluator *evaluator, equant_basis basis, size_t n_sets,
                                     const double *parameters, const equant_derivatives *known)
{
    backend_engine engine = evaluator->engine;
    engine.precision = EQUANT_PRECISION_DOUBLE;
    return accelerator_differentiate(&evaluator->lent, &evaluator->problem, &engine, basis, n_sets,
                                     parameters, known);
}

equant_status equant_evaluator_differentiate(equant_evaluator *evaluator, equant_basis basis,
                                             size_t n_sets, const double *parameters,
                                             const equant_derivatives *derivatives)
{
    equant_status status = check_call(evaluator, n_sets, parameters, derivatives);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(derivatives);
    if (status == EQUANT_SUCCESS && !basis_is_known(basis))
        status =
            status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no basis number %d", (int)basis);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    equant_derivatives known = known_derivatives(derivatives);
    if (differentiates_elsewhere(evaluator, basis, n_sets, parameters, &known))
        return EQUANT_SUCCESS;
    status = require_differentiator(evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    const backend *chosen = evaluator->differentiator;
    void *state =
        differentiates_itself(evaluator) ? evaluator->state : evaluator->differentiator_state;
    return engine_report(chosen, chosen->differentiate(state, basis, n_sets, parameters, &known));
}
