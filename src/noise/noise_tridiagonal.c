#include "noise/noise_tridiagonal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/dot_product.h"
#include "model/machine_clones.h"
#include "noise/noise_whole.h"

struct noise_tridiagonal {
    size_t n;
    double least_variance;
    double *reflectors; /* v of 1 - v v', of n - 1 - k numbers for k = 0 ... n - 2, in a row */
    double *diagonal, *beside; /* [n]: T, and T[j + 1][j]                                       */
    double *ones;              /* [n]: Q' (1, 1, ...)                                           */
};

enum { TOGETHER = NOISE_TRIDIAGONAL_TOGETHER };

void noise_tridiagonal_free(noise_tridiagonal *noise)
{
    if (!noise)
        return;
    free(noise->reflectors);
    free(noise->diagonal);
    free(noise->beside);
    free(noise->ones);
    free(noise);
}

/* ---- tridiagonalisation ------------------------------------------------------------------------
 */

/* Makes v of a column x, [m], such that (1 - v v') x = (beside, 0, ...); returns beside. */
static double reflector_of(size_t m, const double *x, double *v)
{
    double tail = dot_product(m - 1, x + 1, x + 1);
    memset(v, 0, m * sizeof *v);
    if (!(tail > 0.0))
        return x[0];
    double beside = -copysign(sqrt(x[0] * x[0] + tail), x[0]), first = x[0] - beside;
    double scale = sqrt(2.0 / (first * first + tail));
    v[0] = first * scale;
    for (size_t i = 1; i < m; i++)
        v[i] = x[i] * scale;
    return beside;
}

/* What a reflection leaves to be taken from the rows behind it: A <- A - v w' - w v'. */
typedef struct reflection {
    const double *v;
    double *w;
} reflection;

/* Row `row` of the lower triangle, [row + 1], brought up to date and multiplied by the next v: its
 * part of A v goes to `product`. */
MACHINE_CLONES static void update_rows(size_t n, size_t stride, double *restrict matrix,
                                       const reflection *last, const double *restrict next,
                                       double *restrict product)
{
    enum { N_PARTS = 8 };
    const double *restrict v = last->v, *restrict w = last->w;
    memset(product, 0, n * sizeof *product);
    for (size_t i = 0; i < n; i++) {
        double *restrict row = matrix + i * stride, part[N_PARTS] = {0.0};
        double own_v = v[i], own_w = w[i], own = next[i];
        size_t j = 0;
        for (; j + N_PARTS <= i; j += N_PARTS)
            for (size_t p = 0; p < N_PARTS; p++) {
                double value = row[j + p] - (own_v * w[j + p] + own_w * v[j + p]);
                row[j + p] = value;
                part[p] += value * next[j + p];
                product[j + p] += value * own;
            }
        for (; j < i; j++) {
            double value = row[j] - (own_v * w[j] + own_w * v[j]);
            row[j] = value;
            part[0] += value * next[j];
            product[j] += value * own;
        }
        row[i] -= 2.0 * own_v * own_w;
        product[i] = ((part[0] + part[1]) + (part[2] + part[3])) +
                     ((part[4] + part[5]) + (part[6] + part[7])) + row[i] * own;
    }
}

/* Column 0 below the diagonal of what is left, [m + 1][m + 1], brought up to date. */
static void update_column(size_t m, size_t stride, const double *matrix, const reflection *last,
                          double *column)
{
    for (size_t i = 0; i < m; i++)
        column[i] =
            matrix[(i + 1) * stride] - (last->v[i + 1] * last->w[0] + last->w[i + 1] * last->v[0]);
}

/* `work` has room for 4 n numbers. */
static void tridiagonalise(noise_tridiagonal *noise, double *matrix, double *work)
{
    size_t n = noise->n;
    double *column = work, *w = work + n, *product = work + 2 * n, *none = work + 3 * n;
    double *v = noise->reflectors;
    reflection last = {none, w};
    memset(work, 0, 4 * n * sizeof *work);
    for (size_t k = 0; k + 1 < n;
         k++) { /* what is left: rows and columns from k, not yet updated */
        size_t m = n - 1 - k;
        double *left = matrix + k * (n + 1);
        noise->diagonal[k] = left[0] - 2.0 * last.v[0] * last.w[0];
        update_column(m, n, left, &last, column);
        noise->beside[k] = reflector_of(m, column, v);
        const reflection behind = {last.v + 1, last.w + 1};
        update_rows(m, n, left + n + 1, &behind, v, product);
        double half = 0.5 * dot_product(m, product, v);
        for (size_t i = 0; i < m; i++)
            w[i] = product[i] - half * v[i];
        last = (reflection){v, w};
        v += m;
    }
    noise->diagonal[n - 1] = matrix[n * n - 1] - 2.0 * last.v[0] * last.w[0];
    noise->beside[n - 1] = 0.0;
}

/* ---- rotation ----------------------------------------------------------------------------------
 */

static inline __attribute__((always_inline)) void reflect(size_t m, size_t n_sets, const double *v,
                                                          double *x)
{
    double sum[TOGETHER] = {0.0};
    for (size_t i = 0; i < m; i++)
        for (size_t s = 0; s < n_sets; s++)
            sum[s] += v[i] * x[i * n_sets + s];
    for (size_t i = 0; i < m; i++)
        for (size_t s = 0; s < n_sets; s++)
            x[i * n_sets + s] -= v[i] * sum[s];
}

/* x <- Q' x of [n][n_sets]. */
MACHINE_CLONES static void rotate(const noise_tridiagonal *noise, size_t n_sets, double *x)
{
    const double *v = noise->reflectors;
    for (size_t m = noise->n - 1; m > 0; v += m, m--) {
        x += n_sets;
        if (n_sets == TOGETHER)
            reflect(m, TOGETHER, v, x);
        else
            reflect(m, n_sets, v, x);
    }
}

/* ---- creation ----------------------------------------------------------------------------------
 */

static equant_status fill(const noise_process *process, const noise_factor_rows *rows,
                          const double *variances, noise_tridiagonal *made)
{
    size_t n = made->n = rows->n;
    made->reflectors = malloc((n * (n - 1) / 2 + 1) * sizeof(double));
    made->diagonal = malloc(n * sizeof(double));
    made->beside = malloc(n * sizeof(double));
    made->ones = malloc(n * sizeof(double));
    double *matrix = malloc(n * n * sizeof *matrix), *work = malloc(4 * n * sizeof *work);
    noise_place *places = malloc(n * sizeof *places);
    bool is_complete = made->reflectors && made->diagonal && made->beside && made->ones && matrix &&
                       work && places;
    made->least_variance = INFINITY;
    if (is_complete) {
        noise_whole_fill(process, rows, variances, places, matrix);
        tridiagonalise(made, matrix, work);
        for (size_t k = 0; k < n; k++) {
            made->least_variance = fmin(made->least_variance, variances[k]);
            made->ones[k] = 1.0;
        }
        rotate(made, 1, made->ones);
    }
    free(matrix);
    free(work);
    free(places);
    return is_complete ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status noise_tridiagonal_create(const noise_process *process, const noise_factor_rows *rows,
                                       const double *variances, noise_tridiagonal **made)
{
    equant_status status = noise_factor_check_whole(rows->n);
    if (status != EQUANT_SUCCESS)
        return status;
    noise_tridiagonal *noise = calloc(1, sizeof *noise);
    if (!noise)
        return status_out_of_memory();
    status = fill(process, rows, variances, noise);
    if (status == EQUANT_SUCCESS)
        *made = noise;
    else
        noise_tridiagonal_free(noise);
    return status;
}

/* ---- likelihood --------------------------------------------------------------------------------
 */

/* Sums over the rows of L D L' = T + s^2, with u those of the vector of ones. */
typedef struct pivot_sums {
    double zz, uz, uu; /* of products over D */
    double log_pivots;
} pivot_sums;

/* Of one set, whose rotated residuals are n_sets apart. No pivot is less than the least variance:
 * it is that by rounding alone. */
static pivot_sums sum_pivots(const noise_tridiagonal *noise, double jitter, size_t n_sets,
                             const double *rotated)
{
    pivot_sums sums = {0.0, 0.0, 0.0, 0.0};
    double variance = jitter * jitter, d = 1.0, z = 0.0, u = 0.0;
    for (size_t j = 0; j < noise->n; j++) {
        double beside = j > 0 ? noise->beside[j - 1] : 0.0, share = beside / d;
        d = fmax(noise->diagonal[j] + variance - share * beside, noise->least_variance + variance);
        z = rotated[j * n_sets] - share * z;
        u = noise->ones[j] - share * u;
        sums.zz += z * z / d;
        sums.uz += u * z / d;
        sums.uu += u * u / d;
        sums.log_pivots += log(d);
    }
    return sums;
}

void noise_tridiagonal_log_likelihood(const noise_tridiagonal *noise, bool is_marginal,
                                      size_t n_sets, const double *residuals,
                                      const double *jitters_m_s, double *work,
                                      double *log_likelihood)
{
    size_t n = noise->n;
    for (size_t s = 0; s < n_sets; s++)
        for (size_t k = 0; k < n; k++)
            work[k * n_sets + s] = residuals[s * n + k];
    rotate(noise, n_sets, work);
    for (size_t s = 0; s < n_sets; s++) {
        pivot_sums sums = sum_pivots(noise, jitters_m_s[s], n_sets, work + s);
        log_likelihood[s] = -0.5 * (sums.zz + sums.log_pivots + (double)n * LOG_TWO_PI);
        if (is_marginal)
            log_likelihood[s] +=
                0.5 * sums.uz * sums.uz / sums.uu - 0.5 * (log(sums.uu) - LOG_TWO_PI);
    }
}

/* ---- derivatives -------------------------------------------------------------------------------
 */

/* x <- Q x of one column: the reflections from the last to the first. */
static void rotate_back(const noise_tridiagonal *noise, double *x)
{
    const double *v = noise->reflectors + noise->n * (noise->n - 1) / 2;
    for (size_t m = 1; m < noise->n; m++) {
        double *rest = x + noise->n - m;
        v -= m;
        double sum = dot_product(m, v, rest);
        for (size_t i = 0; i < m; i++)
            rest[i] -= sum * v[i];
    }
}

/* D of L D L' = T + s^2. */
static void fill_pivots(const noise_tridiagonal *noise, double variance, double *pivots)
{
    double d = 1.0;
    for (size_t j = 0; j < noise->n; j++) {
        double beside = j > 0 ? noise->beside[j - 1] : 0.0;
        d = fmax(noise->diagonal[j] + variance - beside / d * beside,
                 noise->least_variance + variance);
        pivots[j] = d;
    }
}

/* (T + s^2)^-1 x, in place. */
static void solve_tridiagonal(const noise_tridiagonal *noise, const double *pivots, double *x)
{
    size_t n = noise->n;
    for (size_t j = 1; j < n; j++)
        x[j] -= noise->beside[j - 1] / pivots[j - 1] * x[j - 1];
    for (size_t j = n; j-- > 0;)
        x[j] = (x[j] - (j + 1 < n ? noise->beside[j] * x[j + 1] : 0.0)) / pivots[j];
}

/* The trace of (T + s^2)^-1, whose diagonal comes of the pivots from both ends: 1 / (d + d' - t).
 */
static double inverse_trace(const noise_tridiagonal *noise, double variance, const double *pivots)
{
    double trace = 0.0, behind = 1.0;
    for (size_t j = noise->n; j-- > 0;) {
        double t = noise->diagonal[j] + variance, beside = noise->beside[j];
        double from_behind = fmax(t - beside / behind * beside, noise->least_variance + variance);
        trace += 1.0 / (pivots[j] + from_behind - t);
        behind = from_behind;
    }
    return trace;
}

double noise_tridiagonal_differentiate(const noise_tridiagonal *noise, bool is_marginal,
                                       const double *residuals, double jitter_m_s, double *work,
                                       double *solved, double *by_variance)
{
    size_t n = noise->n;
    double *pivots = work, *ones = work + n, *rotated = work + 2 * n, log_likelihood;
    double variance = jitter_m_s * jitter_m_s;
    noise_tridiagonal_log_likelihood(noise, is_marginal, 1, residuals, &jitter_m_s, rotated,
                                     &log_likelihood);
    fill_pivots(noise, variance, pivots);
    memcpy(solved, rotated, n * sizeof *solved);
    solve_tridiagonal(noise, pivots, solved);
    *by_variance = -0.5 * inverse_trace(noise, variance, pivots);
    if (is_marginal) {
        memcpy(ones, noise->ones, n * sizeof *ones);
        solve_tridiagonal(noise, pivots, ones);
        double weight = dot_product(n, ones, noise->ones), offset = dot_product(n, ones, rotated);
        for (size_t k = 0; k < n; k++)
            solved[k] -= offset / weight * ones[k];
        *by_variance += 0.5 * dot_product(n, ones, ones) / weight;
    }
    *by_variance += 0.5 * dot_product(n, solved, solved);
    rotate_back(noise, solved);
    return log_likelihood;
}
