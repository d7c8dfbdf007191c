#include "inference/compare/background.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "statistics/cholesky.h"

enum { N_PARTS = 4 };

static double dot(size_t n, const double *a, const double *b)
{
    double sum[N_PARTS] = {0.0};
    size_t k = 0;
    for (; k + N_PARTS <= n; k += N_PARTS)
        for (size_t i = 0; i < N_PARTS; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

equant_status background_create(const count_star *star, size_t most_planets, background *made)
{
    memset(made, 0, sizeof *made);
    size_t n = star->n_obs;
    made->star = star;
    made->room = star->n_base + 2 * most_planets;
    made->columns = malloc((made->room + 1) * n * sizeof *made->columns);
    made->solved = malloc((made->room + 1) * n * sizeof *made->solved);
    made->residual = malloc(n * sizeof *made->residual);
    made->matrix = malloc((made->room + 1) * (made->room + 1) * sizeof *made->matrix);
    if (!made->columns || !made->solved || !made->residual || !made->matrix) {
        background_free(made);
        return status_out_of_memory();
    }
    memcpy(made->columns, star->base, star->n_base * n * sizeof *made->columns);
    background_clear(made);
    return EQUANT_SUCCESS;
}

void background_free(background *rest)
{
    free(rest->columns);
    free(rest->solved);
    free(rest->residual);
    free(rest->matrix);
    memset(rest, 0, sizeof *rest);
}

void background_clear(background *rest)
{
    rest->n = rest->star->n_base;
}

void background_add(background *rest, const double *columns, double scale)
{
    size_t n = rest->star->n_obs;
    double *to = rest->columns + rest->n * n;
    for (size_t k = 0; k < 2 * n; k++)
        to[k] = scale * columns[k];
    rest->n += 2;
}

bool background_solve(background *rest, count_noise *noise)
{
    const count_star *star = rest->star;
    size_t n_obs = star->n_obs, n = rest->n;
    memcpy(rest->solved, rest->columns, n * n_obs * sizeof *rest->solved);
    memcpy(rest->residual, star->velocity, n_obs * sizeof *rest->residual);
    for (size_t j = 0; j < n; j++)
        count_noise_solve(noise, rest->solved + j * n_obs);
    count_noise_solve(noise, rest->residual);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            rest->matrix[i * n + j] =
                dot(n_obs, rest->columns + i * n_obs, rest->solved + j * n_obs) +
                (i == j ? 1.0 : 0.0);
    if (!cholesky_factor(n, 0.0, rest->matrix))
        return false;
    double square = dot(n_obs, star->velocity, rest->residual), logarithm = 0.0;
    for (size_t j = 0; j < n; j++) { /* Q' = L^-1 (C^-1 M)', row by row */
        double *q = rest->solved + j * n_obs;
        for (size_t i = 0; i < j; i++) {
            double share = rest->matrix[j * n + i];
            const double *before = rest->solved + i * n_obs;
            for (size_t k = 0; k < n_obs; k++)
                q[k] -= share * before[k];
        }
        double inverse = 1.0 / rest->matrix[j * n + j];
        for (size_t k = 0; k < n_obs; k++)
            q[k] *= inverse;
        logarithm += log(rest->matrix[j * n + j]);
    }
    for (size_t j = 0; j < n; j++) {
        const double *q = rest->solved + j * n_obs;
        double share = dot(n_obs, q, star->velocity);
        square -= share * share;
        for (size_t k = 0; k < n_obs; k++)
            rest->residual[k] -= share * q[k];
    }
    rest->log_likelihood =
        -0.5 * (square + noise->log_determinant + 2.0 * logarithm + (double)n_obs * LOG_TWO_PI);
    return isfinite(rest->log_likelihood);
}

orbit_products background_products(const background *rest, count_noise *noise,
                                   const double *columns)
{
    size_t n = rest->star->n_obs;
    const double *x = columns, *y = columns + n;
    orbit_products made;
    count_noise_square(noise, x, y, &made.xx, &made.xy, &made.yy);
    made.xr = dot(n, x, rest->residual);
    made.yr = dot(n, y, rest->residual);
    for (size_t j = 0; j < rest->n; j++) {
        double qx = dot(n, rest->solved + j * n, x), qy = dot(n, rest->solved + j * n, y);
        made.xx -= qx * qx;
        made.xy -= qx * qy;
        made.yy -= qy * qy;
    }
    return made;
}
