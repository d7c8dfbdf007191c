#include "inference/search/noise_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/least_squares.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_fit.h"
#include "statistics/random_draw.h"

enum { MOST = STUDY_MAX_INSTRUMENTS + NOISE_MENU_MOST_PARAMETERS };

/* The covariance of jitters and noise parameters, [n][n]. */
static equant_status find_covariance(study *star, const solution *fitted, double *covariance)
{
    const study_shape shape = solution_shape(fitted);
    const least_squares_problem problem = {
        .n_planets = fitted->n_planets, .trend_order = fitted->trend_order, .noise = fitted->noise};
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    bool *is_free = malloc((layout.n_parameters + 1) * sizeof *is_free);
    if (!is_free)
        return status_out_of_memory();
    least_squares_free_columns(star, &problem, is_free);
    const noise_fit_problem noise = {&shape, is_free, 0, POLISH_TO_RANK};
    equant_status status = noise_fit_covariance(star, &noise, fitted->set, covariance);
    free(is_free);
    return status;
}

/* Of logarithms, and its factor row by row, in place; what has no variance of its own beside those
 * before it does not move. */
static void factor_logarithms(size_t n, const double *values, double *matrix)
{
    for (size_t i = 0; i < n; i++) {
        double whole = values[i] > 0.0 ? matrix[i * n + i] / (values[i] * values[i]) : 0.0;
        for (size_t j = 0; j <= i; j++) {
            bool is_there = values[i] > 0.0 && values[j] > 0.0;
            double sum = is_there ? matrix[i * n + j] / (values[i] * values[j]) : 0.0;
            for (size_t k = 0; k < j; k++)
                sum -= matrix[i * n + k] * matrix[j * n + k];
            if (i == j)
                matrix[i * n + i] = sum > 1e-10 * whole ? sqrt(sum) : 0.0;
            else
                matrix[i * n + j] = matrix[j * n + j] > 0.0 ? sum / matrix[j * n + j] : 0.0;
        }
    }
}

static double normal_number(uint64_t seed, uint64_t number, size_t i)
{
    random_stream stream = {.seed = seed, .purpose = RANDOM_PURPOSE_NOISE, .substream = 2};
    random_uniforms pair = random_uniforms_at(stream, number * MOST + i / 2);
    return random_normal_quantile(pair.half[i % 2]);
}

/* Moves the parameters of a term by factors, within their ranges; what is measured in periods goes
 * along with them. */
static bool move_term(const noise_menu_term *term, const double *factors, double *values)
{
    bool moved = false;
    for (size_t i = 0; i < term->kind->n_parameters; i++) {
        const noise_range *range = &term->parameters[i];
        double unit = range->per_period ? values[1] : 1.0;
        if (!noise_range_is_open(range))
            continue;
        double old = values[i], along = range->per_period ? factors[1] : 1.0;
        values[i] =
            fmin(range->highest * unit, fmax(range->lowest * unit, old * along * factors[i]));
        moved = moved || values[i] != old;
    }
    return moved;
}

equant_status noise_settings_draw(study *star, const solution *fitted, uint64_t seed,
                                  uint64_t number, solution *made, bool *differs)
{
    size_t n = star->n_instruments + star->menu.n_parameters;
    double *matrix = malloc((n * n + 1) * sizeof *matrix), factors[MOST];
    *differs = false;
    if (!matrix)
        return status_out_of_memory();
    equant_status status = find_covariance(star, fitted, matrix);
    if (status == EQUANT_SUCCESS) {
        solution_copy(star, fitted, made);
        double *values = solution_values(star, made, TERM_JITTERS);
        factor_logarithms(n, values, matrix);
        for (size_t i = 0; i < n; i++) {
            double sum = 0.0;
            for (size_t j = 0; j <= i; j++)
                sum += matrix[i * n + j] * normal_number(seed, number, j);
            factors[i] = exp(fmin(2.0, fmax(-2.0, sum)));
        }
        for (size_t i = 0; i < star->n_instruments; i++)
            values[i] *= factors[i];
        for (size_t t = 0; t < star->menu.n_terms; t++) {
            const noise_menu_term *term = &star->menu.terms[t];
            size_t first = star->n_instruments + term->first;
            if (made->noise.terms >> t & 1)
                *differs = move_term(term, factors + first, values + first) || *differs;
        }
    }
    free(matrix);
    return status;
}
