#include "inference/scan/phase_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* Harmonics of an orbit fall off as the powers of a ratio; those below this are left out, and a
 * few more are kept for the squares. */
#define LEAST_HARMONIC 1e-8
enum { HARMONICS_MORE = 4 };
/* Observations that stay in the nearest cache while all harmonics pass. */
enum { STRIP = 512, AT_ONCE = 4 };

/* ---- transforms -------------------------------------------------------------------------- */

/* n complex numbers, a power of two, in two arrays. */
typedef struct wave {
    size_t n;
    double *re, *im;
    const double *turn_re, *turn_im; /* exp(pi i m / half) at half + m, for each half below n */
} wave;

size_t phase_products_round(size_t n)
{
    size_t power = 1;
    while (power < n)
        power *= 2;
    return power;
}

/* The turns of each stage one after the other, so that none is picked out of a longer list. */
static void fill_turns(size_t n, double *re, double *im)
{
    for (size_t m = 0; m < n / 2; m++) {
        double angle = TWO_PI * (double)m / (double)n;
        re[n / 2 + m] = cos(angle);
        im[n / 2 + m] = sin(angle);
    }
    for (size_t half = n / 4; half > 0; half /= 2)
        for (size_t m = 0; m < half; m++) {
            re[half + m] = re[2 * (half + m)];
            im[half + m] = im[2 * (half + m)];
        }
}

static void reverse_bits(const wave *of)
{
    for (size_t i = 1, j = 0; i < of->n; i++) {
        size_t bit = of->n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double re = of->re[i], im = of->im[i];
            of->re[i] = of->re[j];
            of->im[i] = of->im[j];
            of->re[j] = re;
            of->im[j] = im;
        }
    }
}

/* Two halves of a stage become one. */
static inline __attribute__((always_inline)) void
join(size_t half, const double *restrict c, const double *restrict s, double *restrict low_re,
     double *restrict low_im, double *restrict high_re, double *restrict high_im)
{
    for (size_t m = 0; m < half; m++) {
        double re = high_re[m] * c[m] - high_im[m] * s[m],
               im = high_re[m] * s[m] + high_im[m] * c[m];
        high_re[m] = low_re[m] - re;
        high_im[m] = low_im[m] - im;
        low_re[m] += re;
        low_im[m] += im;
    }
}

/* a_j becomes the sum over m of a_m exp(2 pi i m j / n). */
MACHINE_CLONES static void transform(const wave *of)
{
    reverse_bits(of);
    for (size_t half = 1; half < of->n; half *= 2)
        for (size_t first = 0; first < of->n; first += 2 * half) {
            double *re = of->re + first, *im = of->im + first;
            join(half, of->turn_re + half, of->turn_im + half, re, im, re + half, im + half);
        }
}

/* ---- harmonics of an orbit ---------------------------------------------------------------- */

/* Of exp(i v) and of exp(2 i v): [n], those of negative h at its end. */
typedef struct orbit_harmonics {
    size_t most, n; /* |h| at most; length of the transform */
    double *once, *twice;
} orbit_harmonics;

static size_t most_harmonics(double e)
{
    double root = sqrt(1.0 - e * e), ratio = e * exp(root) / (1.0 + root);
    double n = e > 0.0 ? ceil(log(LEAST_HARMONIC) / log(ratio)) : 0.0;
    return (size_t)n + HARMONICS_MORE;
}

/* Real numbers from the conjugates of a curve at equal steps of M. */
static void read_harmonics(const wave *of, double *made)
{
    transform(of);
    for (size_t m = 0; m < of->n; m++)
        made[m] = of->re[m] / (double)of->n;
}

/* Room for `storage`: eight times n. */
static equant_status harmonics_of(double e, const equant_engine_options *engine, double *storage,
                                  orbit_harmonics *made)
{
    size_t n = made->n;
    double *mean = storage, *eccentricity = storage + n, *sine = storage + 2 * n,
           *cosine = storage + 3 * n, *turns = storage + 4 * n;
    made->once = storage + 6 * n;
    made->twice = storage + 7 * n;
    for (size_t m = 0; m < n; m++) {
        mean[m] = TWO_PI * (double)m / (double)n;
        eccentricity[m] = e;
    }
    equant_status status = equant_kepler_solve(n, mean, eccentricity, engine, NULL, sine, cosine);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t m = 0; m < n; m++) {
        double distance = 1.0 - e * cosine[m];
        cosine[m] = (cosine[m] - e) / distance;
        sine[m] = -sqrt(1.0 - e * e) * sine[m] / distance;
        mean[m] = cosine[m] * cosine[m] - sine[m] * sine[m];
        eccentricity[m] = 2.0 * cosine[m] * sine[m];
    }
    fill_turns(n, turns, turns + n);
    read_harmonics(&(wave){n, cosine, sine, turns, turns + n}, made->once);
    read_harmonics(&(wave){n, mean, eccentricity, turns, turns + n}, made->twice);
    return status;
}

/* ---- sums over the observations ------------------------------------------------------------ */

/* The sums of columns with exp(i h M), for h = 0 to `most`: of the basis, the residual and the
 * roots of the weights, all times these roots. */
typedef struct column_sums {
    size_t most, n_columns;
    const double **columns; /* [n_columns], each over the observations */
    double *re, *im;        /* [most + 1][n_columns] */
} column_sums;

typedef double octet __attribute__((vector_size(64)));

static inline __attribute__((always_inline)) double fold(octet sums)
{
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
           ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

/* Adds the products of AT_ONCE columns with x and y, n a multiple of eight. */
static inline __attribute__((always_inline)) void add_products(size_t n,
                                                               const double *const columns[AT_ONCE],
                                                               const double *x, const double *y,
                                                               double *re, double *im)
{
    octet of_x[AT_ONCE] = {{0.0}}, of_y[AT_ONCE] = {{0.0}}, a, b, c;
    for (size_t k = 0; k < n; k += 8) {
        memcpy(&a, x + k, sizeof a);
        memcpy(&b, y + k, sizeof b);
#pragma GCC unroll 4
        for (size_t j = 0; j < AT_ONCE; j++) {
            memcpy(&c, columns[j] + k, sizeof c);
            of_x[j] += c * a;
            of_y[j] += c * b;
        }
    }
    for (size_t j = 0; j < AT_ONCE; j++) {
        re[j] += fold(of_x[j]);
        im[j] += fold(of_y[j]);
    }
}

/* What a strip works with: its columns, padded with zeros, and the harmonics at its rows. */
typedef struct strip {
    size_t n, n_columns; /* both padded */
    size_t stride;   /* from column to column: no power of two, which caches have few places for */
    double *columns; /* [n_columns][stride] */
    double *x, *y, *turn_x, *turn_y;
} strip;

/* All harmonics of a strip: each follows from the one before by a turn. */
MACHINE_CLONES static void sum_strip(const strip *of, size_t most, double *re, double *im)
{
    for (size_t h = 0; h <= most; h++) {
        for (size_t j = 0; j < of->n_columns; j += AT_ONCE) {
            const double *const columns[AT_ONCE] = {
                of->columns + j * of->stride, of->columns + (j + 1) * of->stride,
                of->columns + (j + 2) * of->stride, of->columns + (j + 3) * of->stride};
            add_products(of->n, columns, of->x, of->y, re + h * of->n_columns + j,
                         im + h * of->n_columns + j);
        }
        for (size_t k = 0; k < of->n; k++) {
            double x = of->x[k], y = of->y[k];
            of->x[k] = x * of->turn_x[k] - y * of->turn_y[k];
            of->y[k] = x * of->turn_y[k] + y * of->turn_x[k];
        }
    }
}

/* Rows first ... of the data into a strip. */
static void load_strip(const base_columns *base, const column_sums *sums, double frequency_per_day,
                       size_t first, strip *made)
{
    size_t left = base->n_obs - first, n = left < STRIP ? left : STRIP;
    made->n = (n + 7) / 8 * 8;
    memset(made->columns, 0, (made->n_columns + 4) * made->stride * sizeof *made->columns);
    for (size_t j = 0; j < sums->n_columns && sums->columns[j]; j++)
        memcpy(made->columns + j * made->stride, sums->columns[j] + first,
               n * sizeof *made->columns);
    for (size_t k = 0; k < n; k++) {
        double turns = frequency_per_day * base->time_days[first + k];
        double mean = TWO_PI * (turns - floor(turns));
        made->x[k] = base->root_weight[first + k];
        made->turn_x[k] = cos(mean);
        made->turn_y[k] = sin(mean);
    }
}

static equant_status find_sums(const base_columns *base, double frequency_per_day,
                               column_sums *sums)
{
    size_t most = base->n_obs < STRIP ? base->n_obs : STRIP;
    strip work = {.n_columns = sums->n_columns, .stride = (most + 7) / 8 * 8 + 8};
    work.columns = malloc((work.n_columns + 4) * work.stride * sizeof *work.columns);
    if (!work.columns)
        return status_out_of_memory();
    work.x = work.columns + work.n_columns * work.stride;
    work.y = work.x + work.stride;
    work.turn_x = work.y + work.stride;
    work.turn_y = work.turn_x + work.stride;
    for (size_t first = 0; first < base->n_obs; first += STRIP) {
        load_strip(base, sums, frequency_per_day, first, &work);
        sum_strip(&work, sums->most, sums->re, sums->im);
    }
    free(work.columns);
    return EQUANT_SUCCESS;
}

/* ---- phases --------------------------------------------------------------------------------- */

/* The sums of one column with the orbits of all phases, into the wave. */
static void to_phases(const column_sums *sums, size_t column, const orbit_harmonics *orbit,
                      const double *factors, const wave *of)
{
    memset(of->re, 0, of->n * sizeof *of->re);
    memset(of->im, 0, of->n * sizeof *of->im);
    for (size_t h = 0; h <= sums->most; h++) {
        double re = sums->re[h * sums->n_columns + column],
               im = sums->im[h * sums->n_columns + column];
        size_t place = h & (of->n - 1);
        of->re[place] += factors[h] * re;
        of->im[place] += factors[h] * im;
        if (h == 0)
            continue;
        place = (of->n - place) & (of->n - 1);
        of->re[place] += factors[orbit->n - h] * re;
        of->im[place] -= factors[orbit->n - h] * im;
    }
    transform(of);
}

/* From sums to products, the squares first. */
static void make_products(const base_columns *base, const column_sums *sums,
                          const orbit_harmonics *orbit, const wave *of, orbit_products *made)
{
    size_t residual = base->n, weight = base->n + 1;
    double total = sums->re[weight];
    to_phases(sums, weight, orbit, orbit->twice, of);
    for (size_t j = 0; j < of->n; j++)
        made[j] = (orbit_products){.xx = 0.5 * (total + of->re[j]),
                                   .xy = 0.5 * of->im[j],
                                   .yy = 0.5 * (total - of->re[j])};
    to_phases(sums, residual, orbit, orbit->once, of);
    for (size_t j = 0; j < of->n; j++) {
        made[j].xr = of->re[j];
        made[j].yr = of->im[j];
    }
    for (size_t b = 0; b < base->n; b++) {
        to_phases(sums, b, orbit, orbit->once, of);
        for (size_t j = 0; j < of->n; j++) {
            made[j].xx -= of->re[j] * of->re[j];
            made[j].xy -= of->re[j] * of->im[j];
            made[j].yy -= of->im[j] * of->im[j];
        }
    }
}

equant_status phase_products_find(const base_columns *base, const equant_engine_options *engine,
                                  double frequency_per_day, double e, size_t n_phases,
                                  orbit_products *made)
{
    orbit_harmonics orbit = {.most = most_harmonics(e)};
    orbit.n = phase_products_round(3 * orbit.most);
    column_sums sums = {.most = orbit.most,
                        .n_columns = (base->n + 2 + AT_ONCE - 1) / AT_ONCE * AT_ONCE};
    size_t n_sums = (sums.most + 1) * sums.n_columns;
    sums.columns = calloc(sums.n_columns, sizeof *sums.columns);
    sums.re = calloc(2 * n_sums + 8 * orbit.n + 4 * n_phases + 1, sizeof *sums.re);
    if (!sums.columns || !sums.re) {
        free(sums.columns);
        free(sums.re);
        return status_out_of_memory();
    }
    sums.im = sums.re + n_sums;
    double *storage = sums.im + n_sums, *phases = storage + 8 * orbit.n;
    double *turns = phases + 2 * n_phases;
    for (size_t b = 0; b < base->n; b++)
        sums.columns[b] = base->basis + b * base->n_obs;
    sums.columns[base->n] = base->residual;
    sums.columns[base->n + 1] = base->root_weight;
    equant_status status = harmonics_of(e, engine, storage, &orbit);
    if (status == EQUANT_SUCCESS)
        status = find_sums(base, frequency_per_day, &sums);
    if (status == EQUANT_SUCCESS) {
        fill_turns(n_phases, turns, turns + n_phases);
        make_products(base, &sums, &orbit,
                      &(wave){n_phases, phases, phases + n_phases, turns, turns + n_phases}, made);
    }
    free(sums.columns);
    free(sums.re);
    return status;
}
