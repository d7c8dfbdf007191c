#include "core/evaluators/data_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/dataset.h"
#include "core/model_object.h"
#include "core/status_fail.h"
#include "model/nights.h"
#include "statistics/noise_terms.h"

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

void data_problem_free(const backend_problem *problem)
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

equant_status data_problem_create(const equant_dataset *dataset, const equant_model *model,
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
        data_problem_free(problem);
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
        data_problem_free(problem);
    return status;
}

equant_status data_problem_check(const equant_dataset *dataset, const equant_model *model)
{
    equant_status status = check_match(dataset, model);
    return status == EQUANT_SUCCESS ? check_range(dataset) : status;
}

bool data_problem_solves(const backend_problem *problem)
{
    const parameter_layout *layout = &problem->layout;
    return !layout->given[TERM_OFFSETS] || (layout->trend_order > 0 && !layout->given[TERM_TREND]);
}
