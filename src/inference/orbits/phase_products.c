#include "inference/orbits/phase_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/orbits/octet_wave.h"
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

/* Real numbers from the conjugates of a curve at equal steps of M. */
static void read_harmonics(const phase_wave *of, double *made)
{
    phase_wave_transform(of);
    for (size_t m = 0; m < of->n; m++)
        made[m] = of->re[m] / (double)of->n;
}

enum { ORBIT_ROOM = 4 };
equant_status phase_orbit_create(double e, const equant_engine_options *engine, phase_orbit *made)
{
    size_t most = phase_orbit_harmonics(e), n = phase_wave_round(3 * most);
    double *kept = malloc(2 * n * sizeof *kept), *room = malloc(ORBIT_ROOM * n * sizeof *room);
    *made = (phase_orbit){.most = most, .n = n, .once = kept, .twice = kept + n};
    phase_wave wave = {.n = n, .re = room + 2 * n, .im = room + 3 * n};
    if (!kept || !room || !phase_turns_find(n, &wave.turns)) {
        free(room);
        phase_orbit_free(made);
        return status_out_of_memory();
    }
    double *mean = room, *eccentricity = room + n;
    for (size_t m = 0; m < n; m++) {
        mean[m] = TWO_PI * (double)m / (double)n;
        eccentricity[m] = e;
    }
    double *sine = wave.im, *cosine = wave.re;
    equant_status status = equant_kepler_solve(n, mean, eccentricity, engine, NULL, sine, cosine);
    for (size_t m = 0; m < n && status == EQUANT_SUCCESS; m++) {
        double distance = 1.0 - e * cosine[m];
        cosine[m] = (cosine[m] - e) / distance;
        sine[m] = -sqrt(1.0 - e * e) * sine[m] / distance;
        mean[m] = cosine[m] * cosine[m] - sine[m] * sine[m];
        eccentricity[m] = 2.0 * cosine[m] * sine[m];
    }
    if (status == EQUANT_SUCCESS) {
        read_harmonics(&wave, made->once);
        memcpy(wave.re, mean, n * sizeof *mean);
        memcpy(wave.im, eccentricity, n * sizeof *eccentricity);
        read_harmonics(&wave, made->twice);
    }
    phase_turns_free(&wave.turns);
    free(room);
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
    octet basis, weight, others; /* all but the weight */
} column_marks;

static void mark_columns(size_t first, size_t n_basis, column_marks *made)
{
    for (size_t j = 0; j < OCTET; j++) {
        made->basis[j] = first + j < n_basis ? 1.0 : 0.0;
        made->weight[j] = first + j == n_basis + 1 ? 1.0 : 0.0;
        made->others[j] = 1.0 - made->weight[j];
    }
}

/* The sums of eight columns with the orbits of all phases, into the wave: of the weight with
 * exp(2 i v), of others with exp(i v). */
MACHINE_CLONES static void to_phases(const harmonic_sums *sums, size_t column,
                                     const column_marks *marks, const phase_orbit *orbit,
                                     const octet_wave *of)
{
    const octet once = marks->others, twice = marks->weight;
    memset(of->re, 0, of->n * sizeof *of->re);
    memset(of->im, 0, of->n * sizeof *of->im);
    for (size_t h = 0; h <= orbit->most; h++) {
        octet re = sums->re[h * sums->n_octets + column],
              im = sums->im[h * sums->n_octets + column];
        octet by = once * orbit->once[h] + twice * orbit->twice[h];
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
    octet_wave_transform(of);
}

/* What the basis has of the squares, by lanes. */
typedef struct explained {
    octet xx, xy, yy;
} explained;

MACHINE_CLONES static void add_squares(const octet_wave *of, const column_marks *marks,
                                       explained *sums)
{
    const octet mark = marks->basis;
    for (size_t j = 0; j < of->n; j++) {
        octet x = mark * of->re[j], y = mark * of->im[j];
        sums[j].xx += x * x;
        sums[j].xy += x * y;
        sums[j].yy += y * y;
    }
}

static inline double sum_of_octet(const octet *of)
{
    const octet v = *of;
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
}

/* The products of the residual and of the weight, where they are among these columns. */
static void read_single(const octet_wave *of, size_t first, size_t n_basis, double total,
                        orbit_products *made)
{
    size_t residual = n_basis - first, weight = residual + 1; /* may lie elsewhere */
    for (size_t j = 0; j < of->n && residual < OCTET; j++) {
        made[j].xr = of->re[j][residual];
        made[j].yr = of->im[j][residual];
    }
    for (size_t j = 0; j < of->n && weight < OCTET; j++) {
        made[j].xx = 0.5 * (total + of->re[j][weight]);
        made[j].xy = 0.5 * of->im[j][weight];
        made[j].yy = 0.5 * (total - of->re[j][weight]);
    }
}

/* From sums to products. */
static void make_products(const harmonic_sums *sums, const phase_orbit *orbit, const octet_wave *of,
                          explained *squares, orbit_products *made)
{
    size_t n_basis = sums->n_columns - 2, weight = n_basis + 1;
    double total = sums->re[weight / OCTET][weight % OCTET];
    for (size_t column = 0; column < sums->n_octets; column++) {
        column_marks marks;
        mark_columns(OCTET * column, n_basis, &marks);
        to_phases(sums, column, &marks, orbit, of);
        add_squares(of, &marks, squares);
        read_single(of, OCTET * column, n_basis, total, made);
    }
    for (size_t j = 0; j < of->n; j++) {
        made[j].xx -= sum_of_octet(&squares[j].xx);
        made[j].xy -= sum_of_octet(&squares[j].xy);
        made[j].yy -= sum_of_octet(&squares[j].yy);
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
    octet_wave wave;
    octet *squares = octets_create_zero(sizeof(explained) / sizeof(octet) * n_phases);
    equant_status status = octet_wave_create(n_phases, &wave);
    if (status == EQUANT_SUCCESS && !squares)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        make_products(sums, orbit, &wave, (explained *)squares, made);
    octet_wave_free(&wave);
    free(squares);
    return status;
}
