/* Amplitudes of orbits of given shape. Velocity curves come from an evaluator, at unit
 * amplitude and the two arguments of pericentre 0 and pi/2, of which every other is a linear
 * combination; so does, in the end, the likelihood. */
#include "inference/search/amplitude_solver.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/likelihood/small_matrix.h"
#include "model/circle.h"
#include "model/orbit_elements.h"

/* K in units of the range of the velocities: beyond it the data would have missed all of a
 * pericentre, or two orbits cancel each other. */
#define LARGEST_AMPLITUDE 10.0

enum { SETS_AT_ONCE = 64 };

struct amplitude_solver {
    size_t n_obs, n_instruments, n_planets, n_linear, n_unknowns;
    double *variance, *velocity; /* [n_obs] */
    int *instrument;
    double *trend; /* [order][n_obs], powers of scaled time */
    double k_max_m_s;
    equant_model *unit_model, *full_model;
    equant_evaluator *unit, *full;
    double *unit_sets, *curves; /* [SETS_AT_ONCE][n_planets][2][5 + n_instruments or n_obs] */
    double *full_sets;
    double *normal; /* matrix, right side and a row of it */
};

static size_t normal_size(const amplitude_solver *solver)
{
    return (solver->n_unknowns + 2) * solver->n_unknowns;
}

/* Row k of the least-squares problem: instrument, trend, then two columns per planet. */
static void fill_row(const amplitude_solver *solver, const double *curves, size_t k, double *row)
{
    size_t n_trend = solver->n_linear - solver->n_instruments;
    memset(row, 0, solver->n_instruments * sizeof *row);
    row[solver->instrument[k]] = 1.0;
    for (size_t order = 0; order < n_trend; order++)
        row[solver->n_instruments + order] = solver->trend[order * solver->n_obs + k];
    for (size_t c = 0; c < 2 * solver->n_planets; c++)
        row[solver->n_linear + c] = curves[c * solver->n_obs + k];
}

/* Writes K and omega of one set into its elements. */
static void solve_set(const amplitude_solver *solver, const double *curves, const double *jitters,
                      double *elements)
{
    size_t n = solver->n_unknowns;
    double *matrix = solver->normal, *right = matrix + n * n, *row = right + n;
    memset(matrix, 0, normal_size(solver) * sizeof *matrix);
    for (size_t k = 0; k < solver->n_obs; k++) {
        double jitter = jitters[solver->instrument[k]];
        double weight = 1.0 / (solver->variance[k] + jitter * jitter);
        fill_row(solver, curves, k, row);
        for (size_t r = 0; r < n; r++) {
            double weighted = weight * row[r];
            for (size_t c = 0; c <= r; c++)
                matrix[r * n + c] += weighted * row[c];
            right[r] += weighted * solver->velocity[k];
        }
    }
    small_matrix_factor(n, matrix);
    small_matrix_solve(n, matrix, right);
    for (size_t p = 0; p < solver->n_planets; p++) {
        double a = right[solver->n_linear + 2 * p], b = right[solver->n_linear + 2 * p + 1];
        double omega = atan2(b, a);
        elements[p * N_ELEMENTS + ELEMENT_K] = hypot(a, b);
        elements[p * N_ELEMENTS + ELEMENT_OMEGA] = omega < 0.0 ? omega + TWO_PI : omega;
    }
}

/* Orbits of unit amplitude with offsets of zero. */
static void fill_unit_sets(const amplitude_solver *solver, size_t n_sets, const double *elements)
{
    size_t width = N_ELEMENTS + solver->n_instruments;
    for (size_t o = 0; o < 2 * n_sets * solver->n_planets; o++) {
        const double *from = elements + o / 2 * N_ELEMENTS;
        double *set = solver->unit_sets + o * width;
        memset(set, 0, width * sizeof *set);
        set[0] = from[0];
        set[1] = 1.0;
        set[2] = from[2];
        set[3] = o % 2 == 0 ? 0.0 : HALF_PI;
        set[4] = from[4];
    }
}

static equant_status run_batch(amplitude_solver *solver, size_t n_sets, double *elements,
                               const double *jitters, double *log_likelihood)
{
    size_t n_columns = solver->n_planets * N_ELEMENTS, n_instruments = solver->n_instruments;
    fill_unit_sets(solver, n_sets, elements);
    equant_results curves = {.struct_size = sizeof curves, .velocities = solver->curves};
    equant_status status = equant_evaluator_evaluate(solver->unit, 2 * n_sets * solver->n_planets,
                                                     solver->unit_sets, &curves);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t s = 0; s < n_sets; s++) {
        double *full = solver->full_sets + s * (n_columns + n_instruments);
        solve_set(solver, solver->curves + s * 2 * solver->n_planets * solver->n_obs,
                  jitters + s * n_instruments, elements + s * n_columns);
        memcpy(full, elements + s * n_columns, n_columns * sizeof *full);
        memcpy(full + n_columns, jitters + s * n_instruments, n_instruments * sizeof *full);
    }
    equant_results likelihood = {.struct_size = sizeof likelihood,
                                 .log_likelihood = log_likelihood};
    status = equant_evaluator_evaluate(solver->full, n_sets, solver->full_sets, &likelihood);
    for (size_t o = 0; o < n_sets * solver->n_planets; o++)
        if (!(elements[o * N_ELEMENTS + ELEMENT_K] <= solver->k_max_m_s))
            log_likelihood[o / solver->n_planets] = -INFINITY;
    return status;
}

equant_status amplitude_solver_run(amplitude_solver *solver, size_t n_sets, double *elements,
                                   const double *jitters, double *log_likelihood)
{
    for (size_t start = 0; start < n_sets; start += SETS_AT_ONCE) {
        size_t n = n_sets - start < SETS_AT_ONCE ? n_sets - start : SETS_AT_ONCE;
        equant_status status =
            run_batch(solver, n, elements + start * solver->n_planets * N_ELEMENTS,
                      jitters + start * solver->n_instruments, log_likelihood + start);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

static void copy_data(const equant_dataset *dataset, size_t n_trend, amplitude_solver *solver)
{
    size_t n_obs = solver->n_obs;
    const double *time = equant_dataset_times_days(dataset);
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double reference = equant_dataset_reference_time_days(dataset);
    double scale = time[n_obs - 1] > time[0] ? time[n_obs - 1] - time[0] : 1.0;
    double lowest = INFINITY, highest = -INFINITY;
    for (size_t k = 0; k < n_obs; k++) {
        solver->velocity[k] = velocity[k];
        solver->variance[k] = sigma[k] * sigma[k];
        lowest = fmin(lowest, velocity[k]);
        highest = fmax(highest, velocity[k]);
        double power = 1.0;
        for (size_t order = 0; order < n_trend; order++) {
            power *= (time[k] - reference) / scale;
            solver->trend[order * n_obs + k] = power;
        }
    }
    memcpy(solver->instrument, equant_dataset_instruments(dataset),
           n_obs * sizeof *solver->instrument);
    solver->k_max_m_s = LARGEST_AMPLITUDE * (highest - lowest);
}

static equant_status create_evaluators(const equant_dataset *dataset,
                                       const equant_engine_options *engine, int trend_order,
                                       amplitude_solver *solver)
{
    equant_model_options unit = {.struct_size = sizeof unit,
                                 .n_planets = 1,
                                 .n_instruments = solver->n_instruments,
                                 .offset_columns = EQUANT_NUISANCE_GIVEN};
    equant_model_options full = {.struct_size = sizeof full,
                                 .n_planets = solver->n_planets,
                                 .n_instruments = solver->n_instruments,
                                 .trend = trend_order_name(trend_order),
                                 .with_jitter = 1};
    equant_engine_options single = {.struct_size = sizeof single};
    if (engine)
        memcpy(&single, engine,
               engine->struct_size < sizeof single ? engine->struct_size : sizeof single);
    single.struct_size = sizeof single;
    single.n_threads = 1;
    equant_status status = equant_model_create(&unit, &solver->unit_model);
    if (status == EQUANT_SUCCESS)
        status = equant_model_create(&full, &solver->full_model);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(dataset, solver->unit_model, &single, &solver->unit);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_create(dataset, solver->full_model, &single, &solver->full);
    return status;
}

static equant_status allocate(size_t n_trend, amplitude_solver *solver)
{
    size_t n_obs = solver->n_obs, n_curves = 2 * solver->n_planets * SETS_AT_ONCE;
    size_t width = N_ELEMENTS + solver->n_instruments;
    size_t full_width = N_ELEMENTS * solver->n_planets + solver->n_instruments;
    solver->variance = malloc(n_obs * sizeof *solver->variance);
    solver->velocity = malloc(n_obs * sizeof *solver->velocity);
    solver->instrument = malloc(n_obs * sizeof *solver->instrument);
    solver->trend = malloc((n_trend + 1) * n_obs * sizeof *solver->trend);
    solver->unit_sets = malloc(n_curves * width * sizeof *solver->unit_sets);
    solver->curves = malloc(n_curves * n_obs * sizeof *solver->curves);
    solver->full_sets = malloc(SETS_AT_ONCE * full_width * sizeof *solver->full_sets);
    solver->normal = malloc(normal_size(solver) * sizeof *solver->normal);
    return solver->variance && solver->velocity && solver->instrument && solver->trend &&
                   solver->unit_sets && solver->curves && solver->full_sets && solver->normal
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

equant_status amplitude_solver_create(const equant_dataset *dataset,
                                      const equant_engine_options *engine, size_t n_planets,
                                      int trend_order, amplitude_solver **solver)
{
    equant_status status = OPTIONS_CHECK(engine);
    if (status != EQUANT_SUCCESS)
        return status;
    amplitude_solver *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    made->n_obs = equant_dataset_n_obs(dataset);
    made->n_instruments = equant_dataset_n_instruments(dataset);
    made->n_planets = n_planets;
    made->n_linear = made->n_instruments + (size_t)trend_order;
    made->n_unknowns = made->n_linear + 2 * n_planets;
    status = allocate((size_t)trend_order, made);
    if (status == EQUANT_SUCCESS) {
        copy_data(dataset, (size_t)trend_order, made);
        status = create_evaluators(dataset, engine, trend_order, made);
    }
    if (status == EQUANT_SUCCESS)
        *solver = made;
    else
        amplitude_solver_free(made);
    return status;
}

void amplitude_solver_free(amplitude_solver *solver)
{
    if (!solver)
        return;
    equant_evaluator_free(solver->unit);
    equant_evaluator_free(solver->full);
    equant_model_free(solver->unit_model);
    equant_model_free(solver->full_model);
    free(solver->variance);
    free(solver->velocity);
    free(solver->instrument);
    free(solver->trend);
    free(solver->unit_sets);
    free(solver->curves);
    free(solver->full_sets);
    free(solver->normal);
    free(solver);
}
