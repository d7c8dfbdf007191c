#include "inference/select/orbits/phase_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/select/orbits/fft.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* Harmonics of an orbit fall off as the powers of a ratio; those below this are left out, and a
 * few more are kept for the squares. */
#define LEAST_HARMONIC 1e-8
enum { HARMONICS_MORE = 4 };

/* ---- harmonics of an orbit ---------------------------------------------------------------- */

size_t phase_orbit_harmonics(double e)
{
    double root = sqrt(1.0 - e * e), ratio = e * exp(root) / (1.0 + root);
    double n = e > 0.0 ? ceil(log(LEAST_HARMONIC) / log(ratio)) : 0.0;
    return (size_t)n + HARMONICS_MORE;
}

/* exp(i v) and exp(2 i v) at equal steps of M, one sequence of the transform each. */
static equant_status sample_orbit(double e, const equant_engine_options *engine, const fft *of)
{
    size_t n = of->n;
    double *mean = malloc(4 * n * sizeof *mean);
    if (!mean)
        return status_out_of_memory();
    double *eccentricity = mean + n, *sine = mean + 2 * n, *cosine = mean + 3 * n;
    for (size_t m = 0; m < n; m++) {
        mean[m] = TWO_PI * (double)m / (double)n;
        eccentricity[m] = e;
    }
    equant_status status = equant_kepler_solve(n, mean, eccentricity, engine, NULL, sine, cosine);
    memset(of->re, 0, n * sizeof *of->re);
    memset(of->im, 0, n * sizeof *of->im);
    for (size_t m = 0; m < n && status == EQUANT_SUCCESS; m++) {
        double distance = 1.0 - e * cosine[m];
        double x = (cosine[m] - e) / distance, y = -sqrt(1.0 - e * e) * sine[m] / distance;
        size_t place = of->place[m];
        of->re[place][0] = x;
        of->im[place][0] = y;
        of->re[place][1] = x * x - y * y;
        of->im[place][1] = 2.0 * x * y;
    }
    free(mean);
    return status;
}

equant_status phase_orbit_create(double e, const equant_engine_options *engine, phase_orbit *made)
{
    size_t most = phase_orbit_harmonics(e), n = fft_length(3 * most);
    double *kept = malloc(2 * n * sizeof *kept);
    fft transform;
    *made = (phase_orbit){.most = most, .n = n, .once = kept, .twice = kept ? kept + n : NULL};
    equant_status status = fft_create(n, &transform);
    if (status == EQUANT_SUCCESS && !kept)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = sample_orbit(e, engine, &transform);
    if (status == EQUANT_SUCCESS) {
        fft_run(&transform);
        for (size_t m = 0; m < n; m++) { /* real, since v is odd in M */
            made->once[m] = transform.re[m][0] / (double)n;
            made->twice[m] = transform.re[m][1] / (double)n;
        }
    }
    fft_free(&transform);
    if (status != EQUANT_SUCCESS)
        phase_orbit_free(made);
    return status;
}

void phase_orbit_free(phase_orbit *orbit)
{
    free(orbit->once);
    *orbit = (phase_orbit){0};
}

/* ---- phases --------------------------------------------------------------------------------- */

/* 1 for those of eight columns, from `first` on, that are of the basis or the weight, else 0. */
typedef struct column_marks {
    double8 basis, weight, others; /* all but the weight */
} column_marks;

static void mark_columns(size_t first, size_t n_basis, column_marks *made)
{
    for (size_t j = 0; j < DOUBLE8; j++) {
        made->basis[j] = first + j < n_basis ? 1.0 : 0.0;
        made->weight[j] = first + j == n_basis + 1 ? 1.0 : 0.0;
        made->others[j] = 1.0 - made->weight[j];
    }
}

/* The sums of eight columns with the orbits of all phases, into a transform: of the weight with
 * exp(2 i v), of others with exp(i v). */
MACHINE_CLONES static void to_phases(const harmonic_sums *sums, size_t column,
                                     const column_marks *marks, const phase_orbit *orbit,
                                     const fft *of)
{
    const double8 once = marks->others, twice = marks->weight;
    memset(of->re, 0, of->n * sizeof *of->re);
    memset(of->im, 0, of->n * sizeof *of->im);
    for (size_t h = 0; h <= orbit->most; h++) {
        double8 re = sums->re[h * sums->n_packs + column],
                im = sums->im[h * sums->n_packs + column];
        double8 by = once * orbit->once[h] + twice * orbit->twice[h];
        size_t place = of->place[h & (of->n - 1)];
        of->re[place] += by * re;
        of->im[place] += by * im;
        if (h == 0)
            continue;
        by = once * orbit->once[orbit->n - h] + twice * orbit->twice[orbit->n - h];
        place = of->place[(of->n - (h & (of->n - 1))) & (of->n - 1)];
        of->re[place] += by * re;
        of->im[place] -= by * im;
    }
    fft_run(of);
}

/* What the basis has of the squares, by lanes. */
typedef struct explained {
    double8 xx, xy, yy;
} explained;

MACHINE_CLONES static void add_squares(const fft *of, const column_marks *marks, explained *sums)
{
    const double8 mark = marks->basis;
    for (size_t j = 0; j < of->n; j++) {
        double8 x = mark * of->re[j], y = mark * of->im[j];
        sums[j].xx += x * x;
        sums[j].xy += x * y;
        sums[j].yy += y * y;
    }
}

static inline double sum_of_lanes(const double8 *of)
{
    const double8 v = *of;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The products of the residual and of the weight, where they are among these columns. */
static void read_single(const fft *of, size_t first, size_t n_basis, double total,
                        orbit_products *made)
{
    size_t residual = n_basis - first, weight = residual + 1; /* may lie elsewhere */
    for (size_t j = 0; j < of->n && residual < DOUBLE8; j++) {
        made[j].xr = of->re[j][residual];
        made[j].yr = of->im[j][residual];
    }
    for (size_t j = 0; j < of->n && weight < DOUBLE8; j++) {
        made[j].xx = 0.5 * (total + of->re[j][weight]);
        made[j].xy = 0.5 * of->im[j][weight];
        made[j].yy = 0.5 * (total - of->re[j][weight]);
    }
}

/* From sums to products. */
static void make_products(const harmonic_sums *sums, const phase_orbit *orbit, const fft *of,
                          explained *squares, orbit_products *made)
{
    size_t n_basis = sums->n_columns - 2, weight = n_basis + 1;
    double total = sums->re[weight / DOUBLE8][weight % DOUBLE8];
    for (size_t column = 0; column < sums->n_packs; column++) {
        column_marks marks;
        mark_columns(DOUBLE8 * column, n_basis, &marks);
        to_phases(sums, column, &marks, orbit, of);
        add_squares(of, &marks, squares);
        read_single(of, DOUBLE8 * column, n_basis, total, made);
    }
    for (size_t j = 0; j < of->n; j++) {
        made[j].xx -= sum_of_lanes(&squares[j].xx);
        made[j].xy -= sum_of_lanes(&squares[j].xy);
        made[j].yy -= sum_of_lanes(&squares[j].yy);
    }
}

/* The basis, the residual and the roots of the weights, all times these roots. */
equant_status phase_columns_create(const base_columns *base, weighted_columns *made)
{
    const double **columns = malloc((base->n + 2) * sizeof *columns);
    *made = (weighted_columns){0};
    if (!columns)
        return status_out_of_memory();
    for (size_t b = 0; b < base->n; b++)
        columns[b] = base->basis + b * base->n_obs;
    columns[base->n] = base->residual;
    columns[base->n + 1] = base->root_weight;
    equant_status status = weighted_columns_create(base->n_obs, base->n + 2, base->time_days,
                                                   base->root_weight, columns, made);
    free(columns);
    return status;
}

equant_status phase_products_find(const harmonic_sums *sums, const phase_orbit *orbit,
                                  size_t n_phases, orbit_products *made)
{
    fft transform;
    double8 *squares = double8_create_zero(sizeof(explained) / sizeof(double8) * n_phases);
    equant_status status = fft_create(n_phases, &transform);
    if (status == EQUANT_SUCCESS && !squares)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        make_products(sums, orbit, &transform, (explained *)squares, made);
    fft_free(&transform);
    free(squares);
    return status;
}
