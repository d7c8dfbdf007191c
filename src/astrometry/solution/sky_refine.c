#include "astrometry/solution/sky_refine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/solution/sky_jitter.h"
#include "astrometry/solution/sky_orientation.h"
#include "core/status_fail.h"

enum { MOST_STEPS = 200, MOST_TURNS = 12 };

/* A fall of chi-square that ends the search for a better one. */
#define SMALL_FALL 1e-9
#define DAMPING_START 1e-3
#define DAMPING_MAX 1e12
/* A change of the logarithm of a jitter's weight that ends the turns. */
#define SMALL_CHANGE 1e-7

equant_status sky_refiner_create(const sky_design *design, sky_refiner *refiner)
{
    size_t n = design->n_rows, most = SKY_SOLUTION_MAX_PARAMETERS;
    double *memory = malloc(((most + 3) * n + most + sky_step_memory(most)) * sizeof *memory);
    *refiner = (sky_refiner){.design = design, .columns = memory};
    if (memory == NULL)
        return status_out_of_memory();
    refiner->residual = memory + most * n;
    refiner->root_weight = refiner->residual + n;
    refiner->scratch = refiner->root_weight + n;
    refiner->work = refiner->scratch + n;
    equant_status status = sky_system_create(n, most, &refiner->system);
    if (status != EQUANT_SUCCESS)
        sky_refiner_free(refiner);
    return status;
}

void sky_refiner_free(sky_refiner *refiner)
{
    free(refiner->columns);
    sky_system_free(&refiner->system);
    *refiner = (sky_refiner){0};
}

static const char *parameter_name(const sky_solution *solution, size_t j)
{
    size_t n_sky_columns = sky_model_n_columns(&solution->model);
    if (j < n_sky_columns)
        return sky_model_column_name(&solution->model, j);
    return j < n_sky_columns + solution->n_instruments ? "the offset of an instrument" : "an orbit";
}

/* Orthonormal columns of the first n parameters, from refiner->columns. */
static equant_status decompose(sky_refiner *refiner, const sky_solution *solution, size_t n_columns)
{
    size_t n = refiner->design->n_rows;
    sky_system_clear(&refiner->system);
    for (size_t j = 0; j < n_columns; j++) {
        for (size_t k = 0; k < n; k++)
            refiner->scratch[k] = refiner->columns[j * n + k] * refiner->root_weight[k];
        if (!sky_system_add(&refiner->system, refiner->scratch))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "%zu measurements do not determine %s beside the other parameters "
                               "of the model",
                               refiner->design->data->n_rows, parameter_name(solution, j));
    }
    return EQUANT_SUCCESS;
}

static double sum_of_squares(size_t n, const double *x)
{
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += x[k] * x[k];
    return sum;
}

static void whiten(sky_refiner *refiner)
{
    for (size_t k = 0; k < refiner->design->n_rows; k++)
        refiner->residual[k] *= refiner->root_weight[k];
}

/* Chi-square and likelihood of the residuals, which are white. */
static void weigh_residuals(const sky_refiner *refiner, sky_solution *solution)
{
    size_t n = refiner->design->n_rows, n_data = refiner->design->data->n_rows;
    double logarithms = 0.0;
    for (size_t k = 0; k < n_data; k++)
        logarithms += log(refiner->root_weight[k]);
    solution->chi_square = sum_of_squares(n, refiner->residual);
    solution->log_likelihood =
        logarithms - 0.5 * solution->chi_square - 0.5 * (double)n_data * log(SKY_ORBIT_TWO_PI);
}

/* Everything that is linear, at the shapes and jitters that the solution has. */
static equant_status solve_linear(sky_refiner *refiner, sky_solution *solution)
{
    size_t n_linear = sky_solution_n_linear(solution);
    sky_design_weigh(refiner->design, solution->jitter, refiner->root_weight);
    if (!solution->is_tied && !solution->has_ratio) {
        memset(solution->value, 0, n_linear * sizeof *solution->value);
        sky_design_fill(refiner->design, solution, n_linear, refiner->columns, refiner->residual);
        equant_status status = decompose(refiner, solution, n_linear);
        if (status != EQUANT_SUCCESS)
            return status;
        whiten(refiner);
        sky_system_project(&refiner->system, refiner->residual, solution->value);
        sky_system_solve(&refiner->system, solution->value);
    } else {
        sky_design_fill(refiner->design, solution, 0, NULL, refiner->residual);
        whiten(refiner);
    }
    weigh_residuals(refiner, solution);
    return EQUANT_SUCCESS;
}

static bool is_turned(const sky_solution *solution)
{
    return solution->is_tied && solution->has_velocities;
}

/* Columns of A, B, F, G of tied orbits become those of their orientations. */
static void turn_columns(sky_refiner *refiner, const sky_solution *solution)
{
    size_t n = refiner->design->n_rows;
    for (size_t p = 0; p < solution->n_orbits; p++) {
        sky_orientation own = sky_orientation_of(solution, p);
        double *columns = refiner->columns + sky_solution_amplitudes(solution, p) * n, by[4][4];
        sky_orientation_slopes(&own, by);
        for (size_t k = 0; k < n; k++) {
            double turned[4] = {0.0};
            for (int i = 0; i < 4; i++)
                for (size_t j = 0; j < 4; j++)
                    turned[i] += by[i][j] * columns[j * n + k];
            for (size_t j = 0; j < 4; j++)
                columns[j * n + k] = turned[j];
        }
    }
}

/* The solution moved by a step of its last m parameters. */
static void move(const sky_solution *solution, size_t m, const double *change, sky_solution *moved)
{
    size_t first = sky_solution_n_parameters(solution) - m;
    *moved = *solution;
    for (size_t j = 0; j < m; j++)
        moved->value[first + j] += change[j];
    for (size_t p = 0; p < solution->n_orbits && is_turned(solution); p++) {
        sky_orientation own = sky_orientation_of(solution, p);
        const double *step = change + sky_solution_amplitudes(solution, p);
        own.x += step[0];
        own.y += step[1];
        own.i += step[2];
        own.Omega += step[3];
        sky_orientation_put(&own, moved, p);
    }
}

/* One step that makes chi-square smaller; false where there is none. */
static bool improve(sky_refiner *refiner, const sky_limits *limits, double small_fall,
                    sky_solution *solution, sky_solution *trial, double *damping)
{
    size_t n_parameters = sky_solution_n_parameters(solution);
    bool has_exact = !solution->is_tied && !solution->has_ratio;
    size_t n_exact = has_exact ? sky_solution_n_linear(solution) : 0, m = n_parameters - n_exact;
    double *shares = refiner->work, promise;
    sky_design_fill(refiner->design, solution, n_parameters, refiner->columns, refiner->residual);
    whiten(refiner);
    if (is_turned(solution))
        turn_columns(refiner, solution);
    if (decompose(refiner, solution, n_parameters) != EQUANT_SUCCESS)
        return false;
    sky_system_project(&refiner->system, refiner->residual, shares);
    sky_step step =
        sky_step_begin(&refiner->system, shares, m, limits, solution, refiner->work + n_parameters);
    for (; *damping < DAMPING_MAX; *damping *= 8.0) {
        if (!sky_step_find(&step, solution, *damping, &promise))
            continue;
        if (2.0 * promise < small_fall)
            return false;
        move(solution, m, step.change, trial);
        sky_step_keep_within(limits, trial);
        if (solve_linear(refiner, trial) != EQUANT_SUCCESS)
            continue;
        double fall = solution->chi_square - trial->chi_square;
        if (fall > 0.0) {
            *damping = fmax(*damping / 10.0, 1e-12);
            *solution = *trial;
            return fall > small_fall;
        }
    }
    return false;
}

equant_status sky_refine_roughly(sky_refiner *refiner, const sky_limits *limits, double small_fall,
                                 sky_solution *solution)
{
    equant_status status = solve_linear(refiner, solution);
    if (status != EQUANT_SUCCESS || solution->n_orbits == 0)
        return status;
    sky_solution *trial = malloc(sizeof *trial);
    if (trial == NULL)
        return status_out_of_memory();
    double damping = DAMPING_START;
    for (int step = 0; step < MOST_STEPS; step++)
        if (!improve(refiner, limits, small_fall, solution, trial, &damping))
            break;
    free(trial);
    return EQUANT_SUCCESS;
}

equant_status sky_refine_shapes(sky_refiner *refiner, const sky_limits *limits,
                                sky_solution *solution)
{
    return sky_refine_roughly(refiner, limits, SMALL_FALL, solution);
}

static equant_status find_covariance(sky_refiner *refiner, sky_solution *solution)
{
    size_t n = sky_solution_n_parameters(solution);
    sky_design_weigh(refiner->design, solution->jitter, refiner->root_weight);
    sky_design_fill(refiner->design, solution, n, refiner->columns, refiner->residual);
    whiten(refiner);
    weigh_residuals(refiner, solution);
    equant_status status = decompose(refiner, solution, n);
    if (status == EQUANT_SUCCESS)
        sky_system_covariance(&refiner->system, solution->covariance);
    else if (solution->n_orbits > 0) { /* the orbit stays, its errors are not known */
        for (size_t j = 0; j < n * n; j++)
            solution->covariance[j] = NAN;
        status = EQUANT_SUCCESS;
    }
    return status;
}

equant_status sky_refine(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                         sky_solution *solution)
{
    equant_status status = sky_refine_shapes(refiner, limits, solution);
    for (int turn = 0; turn < MOST_TURNS && has_jitter && status == EQUANT_SUCCESS; turn++) {
        double change = 0.0;
        size_t n = sky_solution_n_parameters(solution);
        sky_design_fill(refiner->design, solution, n, refiner->columns, refiner->residual);
        if (!sky_jitter_update(refiner, n, solution->jitter, &change))
            break;
        status = sky_refine_shapes(refiner, limits, solution);
        if (change < SMALL_CHANGE)
            break;
    }
    return status == EQUANT_SUCCESS ? find_covariance(refiner, solution) : status;
}

equant_status sky_refine_and_keep(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                                  sky_solution *trial, sky_solution *best, bool *has_best)
{
    equant_status status = sky_refine(refiner, limits, has_jitter, trial);
    if (sky_refine_has_none(status))
        return EQUANT_SUCCESS;
    if (status != EQUANT_SUCCESS)
        return status;
    if (!*has_best || trial->log_likelihood > best->log_likelihood)
        *best = *trial;
    *has_best = true;
    return EQUANT_SUCCESS;
}
