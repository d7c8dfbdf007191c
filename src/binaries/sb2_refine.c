#include "binaries/sb2_refine.h"

#include <math.h>
#include <string.h>

#include "statistics/cholesky.h"

/* Steps of one optimisation, halvings of the uncertainty that it begins with, and rounds of the
 * jitter. */
enum {
    MOST_STEPS = 60,
    FEW_STEPS = 8,
    MOST_ROUNDS = 5,
    MOST_LEFT_OUT = 32,
    N_JITTERS = 25,
    N_SECTIONS = 30
};
#define CONVERGED 1e-9
#define WORTH_MORE 1e-3
#define LEAST_DAMPING 1e-9
#define MOST_DAMPING 1e9
#define STEP_IN_ERRORS 0.1 /* of differences */

/* ---- optimisation ------------------------------------------------------------------------------
 */

/* A circle's limit: what lies beyond the highest eccentricity comes back onto it. */
static void bound(double eccentricity_max, double elements[SB2_N])
{
    double e = hypot(elements[SB2_COSINE], elements[SB2_SINE]);
    if (e > eccentricity_max) {
        elements[SB2_COSINE] *= eccentricity_max / e;
        elements[SB2_SINE] *= eccentricity_max / e;
    }
}

static bool take_step(const sb2_slopes *slopes, double damping, const double from[SB2_N],
                      double to[SB2_N])
{
    double matrix[SB2_N * SB2_N], step[SB2_N];
    memcpy(matrix, slopes->matrix, sizeof matrix);
    memcpy(step, slopes->gradient, sizeof step);
    for (size_t i = 0; i < SB2_N; i++)
        matrix[i * SB2_N + i] *= 1.0 + damping;
    if (!cholesky_factor(SB2_N, 0.0, matrix))
        return false;
    cholesky_solve_lower(SB2_N, matrix, step);
    cholesky_solve_upper(SB2_N, matrix, step);
    for (size_t i = 0; i < SB2_N; i++)
        to[i] = from[i] + step[i];
    return true;
}

/* Levenberg's steps with Fisher's matrix. */
static void optimise(const sb2_epochs *epochs, double eccentricity_max, int most_steps,
                     sb2_solution *solution)
{
    double damping = 1e-3, tried[SB2_N];
    sb2_slopes slopes;
    double best =
        sb2_model_likelihood(epochs, solution->elements, solution->jitter_m_s, &slopes, NULL);
    for (int step = 0; step < most_steps && damping < MOST_DAMPING; step++) {
        double found = -INFINITY;
        if (take_step(&slopes, damping, solution->elements, tried)) {
            bound(eccentricity_max, tried);
            found = sb2_model_likelihood(epochs, tried, solution->jitter_m_s, NULL, NULL);
        }
        if (!(found >= best)) {
            damping *= 10.0;
            continue;
        }
        double gained = found - best;
        memcpy(solution->elements, tried, sizeof tried);
        best = sb2_model_likelihood(epochs, tried, solution->jitter_m_s, &slopes, NULL);
        damping = fmax(LEAST_DAMPING, 0.1 * damping);
        if (gained < CONVERGED)
            break;
    }
    solution->log_likelihood = best;
}

/* Both amplitudes positive: an orbit turned by half a circle has them negative. */
static void settle_signs(sb2_solution *solution)
{
    double *own = solution->elements;
    if (own[SB2_K1] < 0.0 && own[SB2_K2] < 0.0) {
        own[SB2_K1] = -own[SB2_K1];
        own[SB2_K2] = -own[SB2_K2];
        own[SB2_COSINE] = -own[SB2_COSINE];
        own[SB2_SINE] = -own[SB2_SINE];
        own[SB2_LONGITUDE] += 3.14159265358979323846;
    }
    if (!(own[SB2_K1] > 0.0 && own[SB2_K2] > 0.0 && own[SB2_MOTION] > 0.0))
        solution->log_likelihood = -INFINITY;
}

static double mean_error(const sb2_epochs *epochs)
{
    double sum = 0.0, n = 0.0;
    for (size_t k = 0; k < epochs->n; k++)
        for (int i = 0; i < 2; i++)
            if (!isnan(epochs->rows[k].velocity[i])) {
                sum += epochs->rows[k].error[i];
                n += 1.0;
            }
    return sum / n;
}

void sb2_refine_optimise(const sb2_epochs *epochs, double eccentricity_max, sb2_solution *solution)
{
    double jitter = solution->jitter_m_s, n = 2.0 * (double)epochs->n, error = mean_error(epochs);
    double missed = sb2_model_chi_square(epochs, solution->elements, jitter) / n;
    bound(eccentricity_max, solution->elements);
    for (double spread = error * sqrt(missed); spread > 2.0 * error; spread *= 0.5) {
        solution->jitter_m_s = hypot(jitter, spread);
        optimise(epochs, eccentricity_max, FEW_STEPS, solution);
    }
    solution->jitter_m_s = jitter;
    optimise(epochs, eccentricity_max, MOST_STEPS, solution);
    settle_signs(solution);
}

/* Optimises without a row, then with it. */
static bool try_without(const sb2_epochs *epochs, double eccentricity_max, size_t row,
                        sb2_solution *solution)
{
    sb2_epochs others = *epochs;
    sb2_solution tried = *solution;
    others.left_out = row;
    optimise(&others, eccentricity_max, MOST_STEPS, &tried);
    optimise(epochs, eccentricity_max, MOST_STEPS, &tried);
    settle_signs(&tried);
    if (!(tried.log_likelihood > solution->log_likelihood + WORTH_MORE))
        return false;
    *solution = tried;
    return true;
}

void sb2_refine_polish(const sb2_epochs *epochs, double eccentricity_max, sb2_solution *solution)
{
    bool is_better = solution->log_likelihood > -INFINITY;
    for (int round = 0; round < MOST_ROUNDS && is_better; round++) {
        double below = INFINITY;
        sb2_solution before = *solution;
        is_better = false;
        for (int i = 0; i < MOST_LEFT_OUT; i++) {
            size_t row = sb2_model_worst_row(epochs, before.elements, before.jitter_m_s, &below);
            if (row == SB2_ALL)
                break;
            is_better |= try_without(epochs, eccentricity_max, row, solution);
        }
    }
}

/* ---- jitter ------------------------------------------------------------------------------------
 */

/* ln L with the elements marginalised, but for constants. */
static double restricted(const sb2_epochs *epochs, const double elements[SB2_N], double jitter_m_s)
{
    sb2_slopes slopes;
    double value = sb2_model_likelihood(epochs, elements, jitter_m_s, &slopes, NULL);
    if (!cholesky_factor(SB2_N, 0.0, slopes.matrix))
        return -INFINITY;
    for (size_t i = 0; i < SB2_N; i++)
        value -= log(slopes.matrix[i * SB2_N + i]);
    return value;
}

/* The largest between two jitters, by golden sections of their logarithms. */
static double largest_between(const sb2_epochs *epochs, const double elements[SB2_N], double low,
                              double high)
{
    const double golden = 0.61803398874989484820;
    double a = log(low), b = log(high);
    for (int i = 0; i < N_SECTIONS; i++) {
        double left = b - golden * (b - a), right = a + golden * (b - a);
        if (restricted(epochs, elements, exp(left)) > restricted(epochs, elements, exp(right)))
            b = right;
        else
            a = left;
    }
    return exp(0.5 * (a + b));
}

static double best_jitter(const sb2_epochs *epochs, const double elements[SB2_N])
{
    double chi_square = sb2_model_chi_square(epochs, elements, 0.0), error = mean_error(epochs);
    double least = 0.03 * error, most = 10.0 * error * sqrt(1.0 + chi_square / (double)epochs->n);
    double ratio = pow(most / least, 1.0 / N_JITTERS), best = restricted(epochs, elements, 0.0);
    double found = 0.0;
    for (int i = 0; i <= N_JITTERS; i++) {
        double jitter = least * pow(ratio, i), value = restricted(epochs, elements, jitter);
        if (value > best) {
            best = value;
            found = jitter;
        }
    }
    return found > 0.0 ? largest_between(epochs, elements, found / ratio, found * ratio) : 0.0;
}

void sb2_refine_with_jitter(const sb2_epochs *epochs, double eccentricity_max,
                            sb2_solution *solution)
{
    for (int round = 0; round < MOST_ROUNDS && solution->log_likelihood > -INFINITY; round++) {
        double before = solution->jitter_m_s;
        solution->jitter_m_s = best_jitter(epochs, solution->elements);
        optimise(epochs, eccentricity_max, MOST_STEPS, solution);
        settle_signs(solution);
        if (fabs(solution->jitter_m_s - before) <= 1e-3 * before)
            break;
    }
}

/* ---- covariance --------------------------------------------------------------------------------
 */

static bool invert(double matrix[SB2_N * SB2_N], double inverse[SB2_N * SB2_N])
{
    if (!cholesky_factor(SB2_N, 0.0, matrix))
        return false;
    for (size_t j = 0; j < SB2_N; j++) {
        double column[SB2_N] = {0};
        column[j] = 1.0;
        cholesky_solve_lower(SB2_N, matrix, column);
        cholesky_solve_upper(SB2_N, matrix, column);
        for (size_t i = 0; i < SB2_N; i++)
            inverse[i * SB2_N + j] = column[i];
    }
    return true;
}

/* Minus the derivative of the gradient. */
static void curve(const sb2_epochs *epochs, const sb2_solution *solution, const double step[SB2_N],
                  double matrix[SB2_N * SB2_N])
{
    for (size_t j = 0; j < SB2_N; j++) {
        sb2_slopes slopes[2];
        for (int side = 0; side < 2; side++) {
            double moved[SB2_N];
            memcpy(moved, solution->elements, sizeof moved);
            moved[j] += (side ? step[j] : -step[j]);
            sb2_model_likelihood(epochs, moved, solution->jitter_m_s, &slopes[side], NULL);
        }
        for (size_t i = 0; i < SB2_N; i++)
            matrix[i * SB2_N + j] =
                (slopes[0].gradient[i] - slopes[1].gradient[i]) / (2.0 * step[j]);
    }
    for (size_t i = 0; i < SB2_N; i++)
        for (size_t j = 0; j < i; j++)
            matrix[i * SB2_N + j] = matrix[j * SB2_N + i] =
                0.5 * (matrix[i * SB2_N + j] + matrix[j * SB2_N + i]);
}

bool sb2_refine_covariance(const sb2_epochs *epochs, const sb2_solution *solution,
                           double covariance[SB2_N * SB2_N])
{
    double matrix[SB2_N * SB2_N], step[SB2_N];
    sb2_slopes slopes;
    sb2_model_likelihood(epochs, solution->elements, solution->jitter_m_s, &slopes, NULL);
    if (!invert(slopes.matrix, covariance))
        return false;
    for (size_t i = 0; i < SB2_N; i++)
        step[i] = STEP_IN_ERRORS * sqrt(covariance[i * SB2_N + i]);
    curve(epochs, solution, step, matrix);
    double curved[SB2_N * SB2_N];
    if (invert(matrix, curved))
        memcpy(covariance, curved, sizeof curved);
    return true;
}
