/* Stars on orbits of dark companions as Gaia scans them, with velocities of the same orbit: places
 * and velocities anew from the elements, noise of a counter. Shares no code with src/. */
#ifndef EQUANT_TESTS_TIED_STAR_H
#define EQUANT_TESTS_TIED_STAR_H

#include <math.h>
#include <stdint.h>

#include "equant.h"
#include "oracle/plain_orbit.h"

enum { TIED_STAR_SCANS = 80, TIED_STAR_VELOCITIES = 30 };

typedef struct tied_star {
    double period_days, e, m0, a0_mas, inclination, omega, node, parallax_mas;
    equant_astrometry *source;
    equant_dataset *velocities;
    double chi_square; /* of the noise: what the true orbit leaves */
} tied_star;

static const double tied_star_error_mas = 0.1, tied_star_error_m_s = 200.0;
static const double tied_star_from = -1000.0, tied_star_to = 1000.0; /* days */

static inline double tied_star_uniform(uint64_t star, uint64_t number)
{
    double drawn = 0.5;
    equant_random_uniform(20 + star, 7, number, 1, &drawn);
    return drawn;
}

static inline double tied_star_normal(uint64_t star, uint64_t number)
{
    return sqrt(-2.0 * log(1.0 - tied_star_uniform(star, 2 * number))) *
           cos(PLAIN_ORBIT_TURN * tied_star_uniform(star, 2 * number + 1));
}

/* Towards East, North and away from us, mas; and the speed away, mas a day. */
static inline void tied_star_place(const tied_star *own, double days, double place[4])
{
    double mean = PLAIN_ORBIT_TURN * days / own->period_days + own->m0;
    double E = plain_eccentric_anomaly(mean, own->e), root = sqrt(1.0 - own->e * own->e);
    double speed = PLAIN_ORBIT_TURN / own->period_days / (1.0 - own->e * cos(E));
    double x = cos(E) - own->e, y = root * sin(E), vx = -sin(E) * speed, vy = root * cos(E) * speed;
    double sw = sin(own->omega), cw = cos(own->omega), so = sin(own->node), co = cos(own->node);
    double along = own->a0_mas * (x * cw - y * sw), across = own->a0_mas * (x * sw + y * cw);
    double ci = cos(own->inclination), si = sin(own->inclination);
    place[0] = along * so + across * co * ci;
    place[1] = along * co - across * so * ci;
    place[2] = across * si;
    place[3] = own->a0_mas * (vx * sw + vy * cw) * si;
}

/* Inclinations go evenly over the sphere; every fifth star is within three degrees of being seen
 * from above, from below or edge-on. Periods from 60 days to three times the data. */
static inline void tied_star_draw(uint64_t star, uint64_t n_stars, tied_star *own)
{
    const double degree = PLAIN_ORBIT_TURN / 360.0;
    double share = ((double)star + 0.5) / (double)n_stars, near = 3.0 * degree;
    own->inclination = acos(1.0 - 2.0 * share);
    if (star % 5 == 4) {
        double off = near * (0.2 + 0.8 * tied_star_uniform(star, 9000));
        own->inclination = star % 3 == 0   ? off
                           : star % 3 == 1 ? 0.5 * PLAIN_ORBIT_TURN - off
                                           : 0.25 * PLAIN_ORBIT_TURN + off - 0.5 * near;
    }
    own->period_days = 60.0 * pow(100.0, tied_star_uniform(star, 9001));
    own->e = 0.9 * tied_star_uniform(star, 9002);
    own->m0 = PLAIN_ORBIT_TURN * tied_star_uniform(star, 9003);
    own->omega = PLAIN_ORBIT_TURN * tied_star_uniform(star, 9004);
    own->node = PLAIN_ORBIT_TURN * tied_star_uniform(star, 9005);
    own->a0_mas = 0.5 * pow(10.0, tied_star_uniform(star, 9006)) *
                  fmax(1.0, pow(own->period_days / (tied_star_to - tied_star_from), 2.0));
    own->parallax_mas = 1.5 * pow(10.0, tied_star_uniform(star, 9007));
}

static inline equant_status tied_star_scan(uint64_t star, tied_star *own)
{
    enum { N = TIED_STAR_SCANS };
    double time[N], value[N], error[N], angle[N], factor[N], step = tied_star_to - tied_star_from;
    for (uint64_t k = 0; k < N; k++) {
        double place[4], noise = tied_star_normal(star, k);
        time[k] = tied_star_from + step * tied_star_uniform(star, 5000 + k);
        angle[k] = PLAIN_ORBIT_TURN * tied_star_uniform(star, 6000 + k);
        factor[k] = 0.7 * sin(angle[k] + PLAIN_ORBIT_TURN * time[k] / 365.25);
        error[k] = tied_star_error_mas;
        tied_star_place(own, time[k], place);
        double years = time[k] / 365.25;
        value[k] = (place[0] + 3.0 + 12.0 * years) * sin(angle[k]) +
                   (place[1] - 1.0 - 31.0 * years) * cos(angle[k]) + own->parallax_mas * factor[k] +
                   error[k] * noise;
        own->chi_square += noise * noise;
    }
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = N,
                                  .time_days = time,
                                  .abscissa_mas = value,
                                  .uncertainty_mas = error,
                                  .angle_rad = angle,
                                  .parallax_factor = factor};
    return equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, "", &own->source);
}

static inline equant_status tied_star_measure(uint64_t star, tied_star *own)
{
    enum { N = TIED_STAR_VELOCITIES };
    const double m_s_per_au_day = 149597870700.0 / 86400.0;
    double time[N], velocity[N], error[N], step = tied_star_to - tied_star_from;
    for (uint64_t k = 0; k < N; k++) {
        double place[4], noise = tied_star_normal(star, 1000 + k);
        double days = tied_star_from + step * tied_star_uniform(star, 7000 + k);
        double jd = EQUANT_SKY_GAIA_JD + days;
        tied_star_place(own, days, place);
        time[k] = jd - 1.550519768e-8 * (jd - 2443144.5003725); /* TDB */
        error[k] = tied_star_error_m_s;
        velocity[k] = 8000.0 + m_s_per_au_day * place[3] / own->parallax_mas + error[k] * noise;
        own->chi_square += noise * noise;
    }
    return equant_dataset_from_arrays(N, time, velocity, error, NULL, 0, NULL, NULL,
                                      &own->velocities);
}

/* Star number `star` of n_stars: a function of both alone. */
static inline equant_status tied_star_make(uint64_t star, uint64_t n_stars, tied_star *own)
{
    *own = (tied_star){0};
    tied_star_draw(star, n_stars, own);
    equant_status status = tied_star_scan(star, own);
    return status == EQUANT_SUCCESS ? tied_star_measure(star, own) : status;
}

static inline void tied_star_free(tied_star *own)
{
    equant_astrometry_free(own->source);
    equant_dataset_free(own->velocities);
}

/* A tied fit of it by the stated errors, with the orbit shown in any case. */
static inline equant_status tied_star_fit(const tied_star *own, equant_sky_summary *summary,
                                          equant_sky_companion *companion)
{
    equant_sky_fit *fit = NULL;
    const equant_sky_fit_options options = {.struct_size = sizeof options,
                                            .no_jitter = 1,
                                            .force_orbit = 1,
                                            .max_companions = 1,
                                            .period_min_days = 40.0,
                                            .velocities = own->velocities};
    *summary = (equant_sky_summary){.struct_size = sizeof *summary};
    *companion = (equant_sky_companion){.struct_size = sizeof *companion};
    equant_status status = equant_sky_fit_create(own->source, &options, &fit);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_summarize(fit, summary);
    if (status == EQUANT_SUCCESS)
        status = equant_sky_fit_companion(fit, 0, companion);
    equant_sky_fit_free(fit);
    return status;
}

#endif
