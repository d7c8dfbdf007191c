/* How the likelihood of noise falls from its best: the errors of the noise, and what its terms
 * cost. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/noise_fit.h"
#include "inference/likelihood/small_matrix.h"
#include "model/circle.h"

/* A coordinate so close to an end of its range is there. */
#define AT_END 1e-6

void noise_fit_curvature(noise_fit *fit, const double *x, size_t n, const size_t *inside,
                         double *matrix)
{
    const double step = 10.0 * NOISE_FIT_DIFFERENCE;
    double moved[MOST_COORDINATES], here = noise_fit_objective(fit, x), single[MOST_COORDINATES];
    memcpy(moved, x, fit->n * sizeof *moved);
    for (size_t i = 0; i < n; i++) {
        moved[inside[i]] = x[inside[i]] + step;
        single[i] = noise_fit_objective(fit, moved);
        moved[inside[i]] = x[inside[i]] - step;
        matrix[i * n + i] =
            (single[i] + noise_fit_objective(fit, moved) - 2.0 * here) / (step * step);
        moved[inside[i]] = x[inside[i]];
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            moved[inside[i]] += step;
            moved[inside[j]] += step;
            matrix[i * n + j] = matrix[j * n + i] =
                (noise_fit_objective(fit, moved) - single[i] - single[j] + here) / (step * step);
            moved[inside[i]] = x[inside[i]];
            moved[inside[j]] = x[inside[j]];
        }
}

/* Whether the set has what the coordinate is of, and not at an end of its range. */
static bool is_inside(const coordinate *c, double x, const double *set)
{
    bool is_there = c->is_plain || set[c->column] > 0.0;
    return is_there && x > c->lowest + AT_END && x < c->highest - AT_END;
}

equant_status noise_fit_covariance(study *star, const noise_fit_problem *problem, const double *set,
                                   double *covariance)
{
    noise_fit *fit = malloc(sizeof *fit);
    equant_status status = fit ? noise_fit_open(star, problem, set, fit) : status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        free(fit);
        return status;
    }
    size_t n_all = fit->n_columns - fit->first_jitter, n = 0, inside[MOST_COORDINATES];
    double x[MOST_COORDINATES], *matrix = malloc((2 * fit->n * fit->n + 1) * sizeof *matrix);
    memset(covariance, 0, n_all * n_all * sizeof *covariance);
    noise_fit_read(fit, set, x);
    for (size_t i = 0; i < fit->n; i++) {
        if (is_inside(&fit->coordinates[i], x[i], set))
            inside[n++] = i;
    }
    if (!matrix) {
        status = status_out_of_memory();
    } else if (n > 0) {
        double *inverse = matrix + n * n;
        noise_fit_curvature(fit, x, n, inside, matrix);
        small_matrix_factor(n, matrix);
        small_matrix_invert(n, matrix, inverse);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                size_t a = fit->coordinates[inside[i]].column,
                       b = fit->coordinates[inside[j]].column;
                double by_a = fit->coordinates[inside[i]].is_plain ? 1.0 : set[a],
                       by_b = fit->coordinates[inside[j]].is_plain ? 1.0 : set[b];
                covariance[(a - fit->first_jitter) * n_all + b - fit->first_jitter] =
                    inverse[i * n + j] * by_a * by_b;
            }
    }
    free(matrix);
    status = status == EQUANT_SUCCESS ? fit->wanted : status;
    noise_fit_close(fit);
    free(fit);
    return status;
}

/* What a coordinate at an end of its range costs: the likelihood falls from there and counts where
 * the prior is. ln L falls in proportion to the logarithm, and above the lower end to the square of
 * the value, as variances do. */
static double price_at_end(noise_fit *fit, const double *x, size_t i)
{
    enum { STEPS = 100 };
    const coordinate *c = &fit->coordinates[i];
    double moved[MOST_COORDINATES], step = 10.0 * NOISE_FIT_DIFFERENCE, sum = 0.0;
    double inwards = x[i] > c->lowest + AT_END ? -1.0 : 1.0;
    memcpy(moved, x, fit->n * sizeof *moved);
    moved[i] += inwards * step;
    double slope = (noise_fit_objective(fit, moved) - noise_fit_objective(fit, x)) / step;
    double width = (c->highest - c->lowest) / STEPS;
    for (int k = 0; k < STEPS; k++) {
        double away = (k + 0.5) * width, moves = inwards > 0.0 ? 0.5 * expm1(2.0 * away) : away;
        sum +=
            width * exp(noise_fit_log_prior(c, x[i] + inwards * away) - fmax(0.0, slope) * moves);
    }
    return -log(sum);
}

/* The slope and curvature of ln of the prior, with the sign turned. */
static void bend_of_prior(const coordinate *c, double x, double *slope, double *curvature)
{
    const double step = 10.0 * NOISE_FIT_DIFFERENCE;
    double here = noise_fit_log_prior(c, x), above = noise_fit_log_prior(c, x + step),
           below = noise_fit_log_prior(c, x - step);
    *slope = (below - above) / (2.0 * step);
    *curvature = fmax(0.0, (2.0 * here - above - below) / (step * step));
}

/* Of those inside their ranges: half of the logarithm of the determinant of the curvature, less
 * that of the jitters alone, which any model has. */
static bool price_inside(const noise_fit *fit, size_t n, const size_t *inside, const double *x,
                         double *matrix, double *price)
{
    *price = 0.0;
    for (size_t i = 0; i < n; i++) {
        const coordinate *c = &fit->coordinates[inside[i]];
        double slope = 0.0, curvature = 0.0;
        if (c->prior)
            bend_of_prior(c, x[inside[i]], &slope, &curvature);
        /* Elimination; jitters come first. */
        double pivot = matrix[i * n + i] += curvature;
        if (!(pivot > 0.0))
            return false;
        for (size_t j = i + 1; j < n; j++) {
            double share = matrix[j * n + i] / pivot;
            for (size_t k = i + 1; k < n; k++)
                matrix[j * n + k] -= share * matrix[i * n + k];
        }
        if (!isinf(c->highest))
            *price += 0.5 * log(pivot / TWO_PI) - noise_fit_log_prior(c, x[inside[i]]) -
                      0.5 * slope * slope / pivot;
    }
    return true;
}

equant_status noise_fit_price(study *star, const noise_fit_problem *problem, const double *set,
                              double *price)
{
    noise_fit *fit = malloc(sizeof *fit);
    equant_status status = fit ? noise_fit_open(star, problem, set, fit) : status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        free(fit);
        return status;
    }
    size_t n = 0, inside[MOST_COORDINATES] = {0};
    double x[MOST_COORDINATES], at_ends = 0.0, within = 0.0,
                                *matrix = malloc((fit->n * fit->n + 1) * sizeof *matrix);
    noise_fit_read(fit, set, x);
    for (size_t i = 0; i < fit->n; i++) {
        const coordinate *c = &fit->coordinates[i];
        if (is_inside(c, x[i], set))
            inside[n++] = i;
        else if (!isinf(c->highest))
            at_ends += price_at_end(fit, x, i);
    }
    *price = NAN;
    if (!matrix) {
        status = status_out_of_memory();
    } else {
        noise_fit_curvature(fit, x, n, inside, matrix);
        if (price_inside(fit, n, inside, x, matrix, &within))
            *price = fmax(0.0, at_ends + within) - noise_fit_log_odds(fit);
    }
    free(matrix);
    noise_fit_close(fit);
    free(fit);
    return status;
}
