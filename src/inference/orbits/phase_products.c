#include "inference/orbits/phase_products.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/orbits/phase_wave.h"
#include "model/circle.h"

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

enum { ORBIT_ROOM = 2 + PHASE_WAVE_ROOM };
equant_status phase_orbit_create(double e, const equant_engine_options *engine, phase_orbit *made)
{
    size_t most = phase_orbit_harmonics(e), n = phase_wave_round(3 * most);
    double *kept = malloc(2 * n * sizeof *kept), *room = malloc(ORBIT_ROOM * n * sizeof *room);
    *made = (phase_orbit){.most = most, .n = n, .once = kept, .twice = kept + n};
    if (!kept || !room) {
        free(room);
        phase_orbit_free(made);
        return status_out_of_memory();
    }
    double *mean = room, *eccentricity = room + n;
    phase_wave wave = phase_wave_make(n, room + 2 * n);
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

/* The sums of one column with the orbits of all phases, into the wave. */
static void to_phases(const harmonic_sums *sums, size_t column, const phase_orbit *orbit,
                      const double *factors, const phase_wave *of)
{
    memset(of->re, 0, of->n * sizeof *of->re);
    memset(of->im, 0, of->n * sizeof *of->im);
    size_t first = column * (sums->most + 1);
    for (size_t h = 0; h <= orbit->most; h++) {
        double re = sums->re[first + h], im = sums->im[first + h];
        size_t place = h & (of->n - 1);
        of->re[place] += factors[h] * re;
        of->im[place] += factors[h] * im;
        if (h == 0)
            continue;
        place = (of->n - place) & (of->n - 1);
        of->re[place] += factors[orbit->n - h] * re;
        of->im[place] -= factors[orbit->n - h] * im;
    }
    phase_wave_transform(of);
}

/* From sums to products, the squares first. */
static void make_products(const harmonic_sums *sums, const phase_orbit *orbit, const phase_wave *of,
                          orbit_products *made)
{
    size_t n_basis = sums->n_columns - 2, residual = n_basis, weight = n_basis + 1;
    double total = sums->re[weight * (sums->most + 1)];
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
    for (size_t b = 0; b < n_basis; b++) {
        to_phases(sums, b, orbit, orbit->once, of);
        for (size_t j = 0; j < of->n; j++) {
            made[j].xx -= of->re[j] * of->re[j];
            made[j].xy -= of->re[j] * of->im[j];
            made[j].yy -= of->im[j] * of->im[j];
        }
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
    double *room = malloc(PHASE_WAVE_ROOM * n_phases * sizeof *room);
    if (!room)
        return status_out_of_memory();
    phase_wave wave = phase_wave_make(n_phases, room);
    make_products(sums, orbit, &wave, made);
    free(room);
    return EQUANT_SUCCESS;
}
