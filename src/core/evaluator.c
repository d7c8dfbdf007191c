/* A data set, a model and a backend bound together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/accelerator.h"
#include "core/basis.h"
#include "core/dataset.h"
#include "core/engine.h"
#include "core/evaluator.h"
#include "core/model.h"
#include "core/status.h"
#include "model/nights.h"
#include "statistics/noise_terms.h"

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
};

static equant_status check_match(const equant_dataset *dataset, const equant_model *model)
{
    if (dataset->n_instruments != model->layout.n_instruments)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the data set has %zu instruments and the model %zu",
                           dataset->n_instruments, model->layout.n_instruments);
    for (size_t i = 0; i < dataset->n_instruments; i++)
        if (dataset->kind[i] != ROW_VELOCITY)
            return status_fail(EQUANT_ERROR_UNAVAILABLE,
                               "instrument %zu does not measure velocities, and nothing else can "
                               "be predicted yet",
                               i + 1);
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

static void free_observations(const backend_problem *problem)
{
    free((void *)problem->rows.time_days);
    free((void *)problem->rows.value);
    free((void *)problem->rows.uncertainty);
    free((void *)problem->rows.instrument);
    free((void *)problem->rows.kind);
    free((void *)problem->rows.begins_night);
    free((void *)problem->rows.night_place);
}

/* Where the model has noise of nights: which observations share one. */
static equant_status find_nights(const equant_dataset *dataset, observation_rows *rows)
{
    int n_instruments;
    bool *begins = malloc(rows->n * sizeof *begins);
    int *place = malloc(rows->n * sizeof *place);
    rows->begins_night = begins;
    rows->night_place = place;
    if (!begins || !place)
        return status_out_of_memory();
    equant_status status =
        nights_find(rows->n, dataset->time_days, dataset->instrument, begins, &n_instruments);
    if (status == EQUANT_ERROR_OUT_OF_MEMORY)
        return status_out_of_memory();
    if (status != EQUANT_SUCCESS)
        return status_fail(status, "nights are told apart for at most %d instruments",
                           (int)NIGHTS_MOST_INSTRUMENTS);
    nights_places(rows->n, dataset->instrument, begins, place, &rows->n_night_places);
    return EQUANT_SUCCESS;
}

static equant_status prepare_noise(const equant_dataset *dataset, backend_problem *problem)
{
    const noise_kinds *noise = &problem->layout.noise;
    const parameter_layout *layout = &problem->layout;
    const size_t most_solved = 60;
    int n_blocks = 0;
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < noise->n; i++)
        if (noise_kind_is_whole(noise->kind[i]))
            return status_fail(EQUANT_ERROR_UNAVAILABLE,
                               "the noise '%s' needs whole matrices, which no evaluator has: take "
                               "esp3, which is near it, or fit",
                               noise_kind_name(noise->kind[i]));
    if (noise->n > 0 && !layout->given[TERM_OFFSETS] && layout->n_linear > most_solved)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "beside noise terms the offsets of at most %zu instruments are solved "
                           "for; give them as columns",
                           most_solved);
    if (noise_kinds_have(noise, NOISE_NIGHT))
        status = find_nights(dataset, &problem->rows);
    for (int i = 0; i < noise->n; i++)
        n_blocks += noise_terms_blocks(noise->kind[i], problem->rows.n_night_places);
    if (status == EQUANT_SUCCESS && n_blocks > NOISE_PROCESS_MOST_PARTS)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "this noise has %d parts, nights counted as often as they overlap; %d "
                             "are the most",
                             n_blocks, (int)NOISE_PROCESS_MOST_PARTS);
    return status;
}

/* What a backend wants to know, in memory of its own. */
static equant_status copy_problem(const equant_dataset *dataset, const equant_model *model,
                                  backend_problem *problem)
{
    size_t n = dataset->n_obs, n_instruments = dataset->n_instruments;
    double *time = malloc(n * sizeof *time), *velocity = malloc(n * sizeof *velocity);
    double *uncertainty = malloc(n * sizeof *uncertainty);
    int *instrument = malloc(n * sizeof *instrument);
    row_kind *kind = malloc(n_instruments * sizeof *kind);
    *problem = (backend_problem){.rows = {.n = n,
                                          .time_days = time,
                                          .value = velocity,
                                          .uncertainty = uncertainty,
                                          .instrument = instrument,
                                          .n_instruments = n_instruments,
                                          .kind = kind},
                                 .layout = model->layout};
    if (!time || !velocity || !uncertainty || !instrument || !kind) {
        free_observations(problem);
        return status_out_of_memory();
    }
    memcpy(kind, dataset->kind, n_instruments * sizeof *kind);
    for (size_t k = 0; k < n; k++)
        time[k] = dataset->time_days[k] - dataset->reference_time_days;
    memcpy(velocity, dataset->velocity_m_s, n * sizeof *velocity);
    memcpy(uncertainty, dataset->uncertainty_m_s, n * sizeof *uncertainty);
    memcpy(instrument, dataset->instrument, n * sizeof *instrument);
    equant_status status = prepare_noise(dataset, problem);
    if (status != EQUANT_SUCCESS)
        free_observations(problem);
    return status;
}

/* Whether a model leaves linear terms out of its sets. */
static bool solves_anything(const parameter_layout *layout)
{
    return !layout->given[TERM_OFFSETS] || (layout->trend_order > 0 && !layout->given[TERM_TREND]);
}

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
    equant_status status = check_match(dataset, model);
    if (status == EQUANT_SUCCESS)
        status = check_range(dataset);
    if (status == EQUANT_SUCCESS)
        status = placement_find(NULL, options, &placement_small_batches, &found);
    if (status == EQUANT_SUCCESS)
        status = copy_problem(dataset, model, &evaluator->problem);
    if (status != EQUANT_SUCCESS) {
        free(evaluator);
        return status;
    }
    const backend *chosen = evaluator->chosen = found.chosen;
    evaluator->engine = found.engine;
    bool is_correlated = model->layout.noise.n > 0, is_solved = solves_anything(&model->layout);
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
        free_observations(&evaluator->problem);
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
    if (evaluator->differentiator_state)
        evaluator->differentiator->destroy(evaluator->differentiator_state);
    free_observations(&evaluator->problem);
    free(evaluator);
}

evaluator_parts evaluator_parts_of(const equant_evaluator *evaluator)
{
    return (evaluator_parts){evaluator->chosen, &evaluator->engine, evaluator->state};
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
    status = require_differentiator(evaluator);
    if (status != EQUANT_SUCCESS)
        return status;
    const backend *chosen = evaluator->differentiator;
    void *state =
        differentiates_itself(evaluator) ? evaluator->state : evaluator->differentiator_state;
    equant_derivatives known = known_derivatives(derivatives);
    return engine_report(chosen, chosen->differentiate(state, basis, n_sets, parameters, &known));
}
