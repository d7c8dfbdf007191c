/* Scans that benchmarks of catalogues share, and sources on them: noise, or a companion in it. */
#ifndef EQUANT_BENCHMARKS_SKY_SKY_SCANS_H
#define EQUANT_BENCHMARKS_SKY_SKY_SCANS_H

#include <math.h>
#include <stdbool.h>

#include "../trial_run.h"

enum { MADE_UP = 93, ORBIT_PURPOSE = 31, NOISE_PURPOSE = 32, SCAN_PURPOSE = 33 };
#define TWO_PI 6.283185307179586

struct scans {
    size_t n;
    double *time, *angle, *factor, *error;
};

struct companion {
    double period, e, m0, a, b, f, g;
};

static inline void make_up(struct scans *scans)
{
    double u[2 * MADE_UP];
    must(equant_random_uniform(1, SCAN_PURPOSE, 0, 2 * MADE_UP, u));
    for (size_t k = 0; k < scans->n; k++) {
        scans->time[k] = -950.0 + 1900.0 * u[2 * k];
        scans->angle[k] = TWO_PI * u[2 * k + 1];
        scans->factor[k] = 0.7 * sin(scans->angle[k] + TWO_PI * scans->time[k] / 365.25);
    }
}

/* Times, angles and factors of the first source of a file; errors are one. */
static inline struct scans read_scans(const char *path)
{
    equant_astrometry **sources = NULL, *means = NULL;
    equant_sky_rows rows = {.struct_size = sizeof rows, .n_rows = MADE_UP};
    size_t n_sources = 0;
    bool is_file = path[0] != '-' || path[1] != '\0';
    if (is_file) {
        must(equant_astrometry_read(path, NULL, &sources, &n_sources));
        must(equant_astrometry_transits(sources[0], &means));
        must(equant_astrometry_rows(means, &rows));
    }
    struct scans scans = {.n = rows.n_rows};
    double *memory = allocate(4 * scans.n, sizeof *memory);
    scans.time = memory;
    scans.angle = memory + scans.n;
    scans.factor = memory + 2 * scans.n;
    scans.error = memory + 3 * scans.n;
    for (size_t k = 0; k < scans.n && is_file; k++) {
        scans.time[k] = rows.time_days[k];
        scans.angle[k] = rows.angle_rad[k];
        scans.factor[k] = rows.parallax_factor[k];
    }
    if (!is_file)
        make_up(&scans);
    for (size_t k = 0; k < scans.n; k++)
        scans.error[k] = 1.0;
    equant_astrometry_free(means);
    equant_astrometry_free_all(sources, n_sources);
    return scans;
}

/* Periods of 30 to 1500 days, and sizes about what is found half of the time. */
static inline struct companion draw_companion(size_t number, size_t n_rows)
{
    double u[7];
    must(equant_random_uniform(1, ORBIT_PURPOSE, 8 * number, 7, u));
    double usual = 9.0 / sqrt((double)n_rows), w = TWO_PI * u[2], o = TWO_PI * u[3];
    double a0 = usual * pow(4.0, u[1] - 0.5), tilt = 1.0 - 2.0 * u[4];
    return (struct companion){.period = 30.0 * pow(50.0, u[0]),
                              .e = 0.6 * u[5],
                              .m0 = TWO_PI * u[6],
                              .a = a0 * (cos(w) * cos(o) - sin(w) * sin(o) * tilt),
                              .b = a0 * (cos(w) * sin(o) + sin(w) * cos(o) * tilt),
                              .f = -a0 * (sin(w) * cos(o) + cos(w) * sin(o) * tilt),
                              .g = -a0 * (sin(w) * sin(o) - cos(w) * cos(o) * tilt)};
}

/* `value` has room for the abscissae. */
static inline equant_astrometry *make_source(const struct scans *scans, size_t number,
                                             bool has_companion, double *value)
{
    size_t n = scans->n;
    must(equant_random_normal(has_companion ? 3 : 2, NOISE_PURPOSE, number * n, n, value));
    struct companion own = draw_companion(number, n);
    for (size_t k = 0; k < n && has_companion; k++) {
        double mean = remainder(TWO_PI * scans->time[k] / own.period + own.m0, TWO_PI), sine,
               cosine;
        must(equant_kepler_solve(1, &mean, &own.e, NULL, NULL, &sine, &cosine));
        double x = cosine - own.e, y = sqrt(1.0 - own.e * own.e) * sine;
        value[k] += (own.b * x + own.g * y) * sin(scans->angle[k]) +
                    (own.a * x + own.f * y) * cos(scans->angle[k]);
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = n,
                                  .time_days = scans->time,
                                  .abscissa_mas = value,
                                  .uncertainty_mas = scans->error,
                                  .angle_rad = scans->angle,
                                  .parallax_factor = scans->factor};
    equant_astrometry *source = NULL;
    must(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, NULL, &source));
    return source;
}

#endif
