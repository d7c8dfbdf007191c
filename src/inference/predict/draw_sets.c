#include "inference/predict/draw_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"

/* The stream of offsets that are drawn. */
enum { OFFSET_PURPOSE = 14 };

static equant_trend trend_of(const parameter_layout *layout)
{
    return layout->trend_order == 0   ? EQUANT_TREND_NONE
           : layout->trend_order == 1 ? EQUANT_TREND_LINEAR
                                      : EQUANT_TREND_QUADRATIC;
}

const double *draw_sets_parameters(const draw_sets *sets, size_t draw)
{
    return draws_at(posterior_draws(sets->posterior), sets->index[draw]).parameters;
}

/* ---- evaluations ---------------------------------------------------------------------------- */

/* A model of the planets and the trend of the run; its offsets are columns or solved for. */
static equant_status open_evaluator(const draw_sets *sets, const equant_dataset *dataset,
                                    equant_nuisance offsets, int with_jitter,
                                    equant_evaluator **made)
{
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = sets->layout->n_planets,
                                    .n_instruments = equant_dataset_n_instruments(dataset),
                                    .trend = trend_of(sets->layout),
                                    .offset_columns = offsets,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = with_jitter};
    equant_model *model = NULL;
    equant_status status = equant_model_create(&options, &model);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(dataset, model, &sets->engine, made);
    equant_model_free(model);
    return status;
}

/* Orbits and trend of a draw around as many offsets and jitters as a model has. */
static void write_set(const draw_sets *sets, size_t draw, size_t n_offsets, const double *offsets,
                      size_t n_jitters, const double *jitters, double *set)
{
    const double *parameters = draw_sets_parameters(sets, draw);
    const parameter_columns *orbits = &sets->layout->columns[TERM_ORBITS],
                            *trend = &sets->layout->columns[TERM_TREND];
    memcpy(set, parameters + orbits->first, orbits->n * sizeof *set);
    set += orbits->n;
    for (size_t i = 0; i < n_offsets; i++)
        *set++ = offsets ? offsets[i] : 0.0;
    memcpy(set, parameters + trend->first, trend->n * sizeof *set);
    set += trend->n;
    for (size_t i = 0; i < n_jitters; i++)
        *set++ = jitters[i];
}

equant_status draw_sets_residuals(const draw_sets *sets, double *residuals)
{
    const equant_dataset *dataset = equant_posterior_dataset(sets->posterior);
    size_t n = sets->n_columns - 1 + sets->n_instruments;
    double *parameters = malloc(sets->n * n * sizeof *parameters);
    equant_evaluator *evaluator = NULL;
    equant_status status = parameters
                               ? open_evaluator(sets, dataset, EQUANT_NUISANCE_GIVEN, 0, &evaluator)
                               : status_out_of_memory();
    for (size_t i = 0; i < sets->n && status == EQUANT_SUCCESS; i++)
        write_set(sets, i, sets->n_instruments, sets->offsets + i * sets->n_instruments, 0, NULL,
                  parameters + i * n);
    const equant_results results = {.struct_size = sizeof results, .residuals = residuals};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, sets->n, parameters, &results);
    equant_evaluator_free(evaluator);
    free(parameters);
    return status;
}

/* Times without data: velocities and their errors are of no account. */
static equant_status open_times(const draw_sets *sets, size_t n, const double *time_days,
                                equant_dataset **made)
{
    const equant_dataset *dataset = equant_posterior_dataset(sets->posterior);
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .velocity_unit = EQUANT_UNIT_M_S,
                                            .has_reference_time = 1,
                                            .reference_time_days =
                                                equant_dataset_reference_time_days(dataset)};
    double *zeros = calloc(2 * n, sizeof *zeros), *ones = zeros ? zeros + n : NULL;
    if (!zeros)
        return status_out_of_memory();
    for (size_t k = 0; k < n; k++)
        ones[k] = 1.0;
    equant_status status =
        equant_dataset_from_arrays(n, time_days, zeros, ones, NULL, 1, NULL, &options, made);
    free(zeros);
    return status;
}

equant_status draw_sets_evaluator(const draw_sets *sets, size_t n_times, const double *time_days,
                                  const char *backend_name, equant_evaluator **made)
{
    equant_dataset *times = NULL;
    draw_sets there = *sets;
    there.engine.backend = backend_name;
    equant_status status = open_times(sets, n_times, time_days, &times);
    if (status == EQUANT_SUCCESS)
        status = open_evaluator(&there, times, EQUANT_NUISANCE_GIVEN, 0, made);
    equant_dataset_free(times);
    return status;
}

equant_status draw_sets_velocities(const draw_sets *sets, size_t n_times, const double *time_days,
                                   double *velocities)
{
    equant_evaluator *evaluator = NULL;
    equant_status status =
        draw_sets_evaluator(sets, n_times, time_days, sets->engine.backend, &evaluator);
    const equant_results results = {.struct_size = sizeof results, .velocities = velocities};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, sets->n, sets->orbits, &results);
    equant_evaluator_free(evaluator);
    return status;
}

/* ---- offsets that a run has integrated out ----------------------------------------------------
 */

/* The best offsets of all draws, [n][n_linear]. */
static equant_status solve_offsets(const draw_sets *sets, double *linear)
{
    const equant_dataset *dataset = equant_posterior_dataset(sets->posterior);
    size_t n = sets->n_columns - 1 + sets->n_instruments;
    double *parameters = malloc(sets->n * n * sizeof *parameters);
    equant_evaluator *evaluator = NULL;
    equant_status status =
        parameters ? open_evaluator(sets, dataset, EQUANT_NUISANCE_SOLVED, 1, &evaluator)
                   : status_out_of_memory();
    for (size_t i = 0; i < sets->n && status == EQUANT_SUCCESS; i++)
        write_set(sets, i, 0, NULL, sets->n_instruments, sets->jitters + i * sets->n_instruments,
                  parameters + i * n);
    const equant_results results = {.struct_size = sizeof results, .linear = linear};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, sets->n, parameters, &results);
    equant_evaluator_free(evaluator);
    free(parameters);
    return status;
}

/* The sum of weights of an instrument, which is one over the variance of its offset. */
static double weight_of(const equant_dataset *dataset, size_t instrument, double jitter)
{
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const int *made_by = equant_dataset_instruments(dataset);
    double sum = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
        if ((size_t)made_by[k] == instrument)
            sum += 1.0 / (sigma[k] * sigma[k] + jitter * jitter);
    return sum;
}

static equant_status draw_offsets(draw_sets *sets)
{
    const equant_dataset *dataset = equant_posterior_dataset(sets->posterior);
    size_t n_linear = sets->layout->n_linear, m = sets->n_instruments;
    double *linear = malloc(sets->n * n_linear * sizeof *linear);
    double *normals = malloc(sets->n * m * sizeof *normals);
    equant_status status = linear && normals ? solve_offsets(sets, linear) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = equant_random_normal(0, OFFSET_PURPOSE, 0, sets->n * m, normals);
    for (size_t i = 0; i < sets->n && status == EQUANT_SUCCESS; i++)
        for (size_t k = 0; k < m; k++) {
            double weight = weight_of(dataset, k, sets->jitters[i * m + k]);
            sets->offsets[i * m + k] =
                linear[i * n_linear + k] + (weight > 0.0 ? normals[i * m + k] / sqrt(weight) : 0.0);
        }
    free(linear);
    free(normals);
    return status;
}

/* ---- creation ---------------------------------------------------------------------------------
 */

static void read_nuisance(draw_sets *sets)
{
    const parameter_columns *jitters = &sets->layout->columns[TERM_JITTERS],
                            *offsets = &sets->layout->columns[TERM_OFFSETS];
    size_t m = sets->n_instruments;
    for (size_t i = 0; i < sets->n; i++) {
        const double *parameters = draw_sets_parameters(sets, i);
        for (size_t k = 0; k < m; k++) {
            sets->offsets[i * m + k] = offsets->n > 0 ? parameters[offsets->first + k] : 0.0;
            sets->jitters[i * m + k] =
                jitters->n > 0 ? parameters[jitters->first + (jitters->n > 1 ? k : 0)] : 0.0;
        }
        write_set(sets, i, 1, NULL, 0, NULL, sets->orbits + i * sets->n_columns);
    }
}

/* Whoever cuts work into blocks names where it is done, once for all of them. */
static equant_status place_work(const equant_engine_options *engine, draw_sets *made)
{
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SMALL_BATCHES};
    equant_placement_info place = {.struct_size = sizeof place};
    equant_status status = equant_placement(engine, &work, &place);
    made->engine = (equant_engine_options){
        .struct_size = sizeof made->engine, .backend = place.backend, .n_threads = place.n_threads};
    made->n_threads = place.n_threads > 0 ? place.n_threads : 1;
    return status;
}

equant_status draw_sets_create(const equant_posterior *posterior,
                               const equant_engine_options *engine, size_t most, draw_sets *made)
{
    memset(made, 0, sizeof *made);
    equant_status status = place_work(engine, made);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_all = draws_n(posterior_draws(posterior));
    made->posterior = posterior;
    made->layout = &posterior_shape(posterior)->layout;
    made->n = most > 0 && most < n_all ? most : n_all;
    made->n_instruments = made->layout->n_instruments;
    made->n_columns =
        made->layout->columns[TERM_ORBITS].n + 1 + made->layout->columns[TERM_TREND].n;
    made->index = malloc(made->n * sizeof *made->index);
    made->offsets = malloc(made->n * made->n_instruments * sizeof *made->offsets);
    made->jitters = malloc(made->n * made->n_instruments * sizeof *made->jitters);
    made->orbits = malloc(made->n * made->n_columns * sizeof *made->orbits);
    if (!made->index || !made->offsets || !made->jitters || !made->orbits)
        status = status_out_of_memory();
    for (size_t i = 0; i < made->n && status == EQUANT_SUCCESS; i++)
        made->index[i] = (size_t)(((double)i + 0.5) * (double)n_all / (double)made->n);
    if (status == EQUANT_SUCCESS)
        read_nuisance(made);
    if (status == EQUANT_SUCCESS && !made->layout->given[TERM_OFFSETS])
        status = draw_offsets(made);
    if (status != EQUANT_SUCCESS)
        draw_sets_free(made);
    return status;
}

void draw_sets_free(draw_sets *sets)
{
    free(sets->index);
    free(sets->offsets);
    free(sets->jitters);
    free(sets->orbits);
    memset(sets, 0, sizeof *sets);
}

void draw_sets_modes(const draw_sets *sets, size_t *of_draw)
{
    const modes *found = posterior_modes(sets->posterior);
    for (size_t i = 0; i < sets->n; i++) {
        uint32_t own = found->of_draw[sets->index[i]];
        of_draw[i] = own == MODES_NONE ? found->n : own;
    }
}
