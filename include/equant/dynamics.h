/* equant/dynamics.h: planets that attract each other. What they do to the star's velocity, and
 * fits.
 *
 * Experimental: names and meanings may change with any version. */
#ifndef EQUANT_DYNAMICS_H
#define EQUANT_DYNAMICS_H

#include <stddef.h>

#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/progress.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of a planet at the epoch, in Jacobi coordinates: mass in solar masses, period in days,
 * e cos omega, e sin omega, mean longitude M + omega, inclination of the orbit to the plane of the
 * sky and longitude of its node in rad. omega is that of velocities; planets come in the order of
 * their periods. */
#define EQUANT_N_NBODY_ELEMENTS 7
#define EQUANT_NBODY_MAX_PLANETS 10

typedef struct equant_nbody_options {
    size_t struct_size;
    const equant_engine_options *engine;
    double star_mass;  /* solar masses; 0: 1                                          */
    double epoch_days; /* of the elements, in the same clock as the times             */
    double step_days;  /* of the integrator; 0: a thirtieth of the shortest time in which a planet
                          would go round at the speed that it has at pericentre, two
                          thirds of that for transits                                 */
} equant_nbody_options;

/* How an integration ended. Values are pinned. */
typedef enum equant_nbody_end {
    EQUANT_NBODY_FINE = 0,
    EQUANT_NBODY_CLOSE = 1,     /* bodies came close; of derivatives alone: they are not exact   */
    EQUANT_NBODY_COLLISION = 2, /* bodies touched                                                */
    EQUANT_NBODY_UNBOUND = 3,   /* a planet left the star                                        */
    EQUANT_NBODY_FAILED = 4,    /* the step is too long for an orbit                             */
    EQUANT_NBODY_INVALID = 5,   /* elements that are none: e >= 1, a mass below zero, ...        */
    EQUANT_NBODY_NO_TRANSIT = 6 /* a transit that is wanted does not come                        */
} equant_nbody_end;
/* A sentence for it. Never NULL. */
EQUANT_EXPERIMENTAL EQUANT_API const char *equant_nbody_end_text(equant_nbody_end end);

/* The velocities with which the star recedes, m/s, [n_systems][n_times], of systems
 * [n_systems][n_planets][7] at any times in days, and where wanted, their derivatives with all
 * elements, [n_systems][7 n_planets][n_times]; the centre of mass is at rest. Results of a system
 * that ended otherwise than EQUANT_NBODY_FINE or EQUANT_NBODY_CLOSE are NaN; ends may be NULL. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_nbody_velocities(size_t n_planets, size_t n_systems, const double *elements, size_t n_times,
                        const double *time_days, const equant_nbody_options *options,
                        double *velocities_m_s, double *jacobian, equant_nbody_end *ends);

/* The middle of a transit, where a planet is nearest to the centre of the star on the sky: time,
 * days; distance, au, and speed, au/day, of the planet relative to the star on the sky. The impact
 * parameter is distance / R, the duration 2 sqrt((R + r)^2 - distance^2) / speed of a planet of
 * radius r at a star of radius R. Times are those at the star: without the time of light. */
#define EQUANT_N_NBODY_TRANSIT 3

/* Transits [n_transits][3] of one system, and where wanted, their derivatives with all elements,
 * [n_transits][7 n_planets][3]. Transits are planets, counted from 0 in the order of the periods,
 * and numbers: 0 is the transit nearest to zero_days of the planet, [n_planets]; NULL: to the
 * epoch. Where *end, which may be NULL, is not EQUANT_NBODY_FINE, all results are NaN. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_nbody_transits(
    size_t n_planets, const double *elements, const double *zero_days, size_t n_transits,
    const int *planet, const int *number, const equant_nbody_options *options, double *transits,
    double *jacobian, equant_nbody_end *end);

/* Transit times that were observed, of two or more for each planet. Planets are labels: 1 is b.
 * Numbers count orbits from anywhere, each once, and times grow with them. A file has the columns
 * planet (letter or label), number, time and error in days, in this order or with these headings.
 * EQUANT_ERROR_FORMAT, with the line, and of arrays EQUANT_ERROR_INVALID_ARGUMENT, where rows are
 * no such transits. The caller frees *transits. */
typedef struct equant_transits equant_transits;
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_transits_from_arrays(size_t n, const int *planet, const int *number, const double *time_days,
                            const double *uncertainty_days, equant_transits **transits);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_transits_from_file(const char *path,
                                                                       equant_transits **transits);
/* 1: a file that names these columns. */
EQUANT_EXPERIMENTAL EQUANT_API int equant_transits_is_file(const char *path);
EQUANT_EXPERIMENTAL EQUANT_API void equant_transits_free(equant_transits *transits);
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_transits_n(const equant_transits *transits);
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_transits_n_planets(const equant_transits *transits);

/* The orbits of planets that attract each other which fit velocities, transit times or both best,
 * with a common inclination and an offset and a jitter for each instrument, from Keplerian orbits
 * to begin with. Planets that transit are seen edge-on, and all others with them. */
typedef struct equant_interacting_fit equant_interacting_fit;

typedef struct equant_interacting_options {
    size_t struct_size;
    const equant_engine_options *engine;
    double star_mass;         /* solar masses; 0: 1                                             */
    int is_edge_on;           /* 1: inclinations stay 90 degrees; 0: one inclination is fitted  */
    int keeps_planets;        /* 1: just the orbits that are given; 0: begins with the two of the
                                 largest amplitudes, and adds planets that scans of the residuals
                                 find while the BIC falls                                       */
    double false_alarm_max;   /* of a planet that is added; 0: 1e-3                             */
    equant_progress progress; /* may be NULL                                                  */
    void *progress_context;
    const equant_transits *transits; /* NULL: velocities alone; of the clock of the velocities  */
} equant_interacting_options;

/* Elements at the epoch of the summary, with errors; those of what is not fitted are NaN. */
typedef struct equant_interacting_planet {
    size_t struct_size;
    double mass_jupiter, mass_jupiter_err;
    double period_days, period_days_err;
    double eccentricity, eccentricity_err;
    double omega_rad, omega_rad_err;
    double mean_longitude_rad, mean_longitude_rad_err;
    double k_m_s; /* semi-amplitude of the osculating orbit */
    int label;    /* of the planet in the transits, 0: it has none there */
} equant_interacting_planet;

/* A transit, by planet and number. */
typedef struct equant_interacting_transit {
    size_t struct_size;
    size_t planet; /* of the fit */
    int number;
    double time_days, time_days_err; /* observed */
    double fitted_days;
    double linear_days; /* by a linear ephemeris: the variation is fitted_days less this */
    double distance_au, speed_au_day; /* equant_nbody_transits */
} equant_interacting_transit;

typedef struct equant_interacting_summary {
    size_t struct_size;
    size_t n_obs, n_fitted;
    double epoch_days, star_mass;
    double inclination_rad, inclination_rad_err;
    double chi_square, log_likelihood, bic, rms_m_s;
    double candidate_period_days; /* of the peak of the residuals that was not taken; NaN where
                                     none was looked for */
    double candidate_false_alarm;
    size_t n_transits;
    double chi_square_transits, rms_transits_s;
} equant_interacting_summary;

/* orbits [n_orbits][EQUANT_N_ELEMENTS] at the reference time of the data set, such as those of a
 * fit. The caller frees *fit. EQUANT_ERROR_INVALID_ARGUMENT where no integration from them ends.
 * With transits, which bring planets of their own, the data set may be NULL and n_orbits 0. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_interacting_fit_create(
    const equant_dataset *dataset, size_t n_orbits, const double *orbits,
    const equant_interacting_options *options, equant_interacting_fit **fit);
EQUANT_EXPERIMENTAL EQUANT_API void equant_interacting_fit_free(equant_interacting_fit *fit);
/* By period. */
EQUANT_EXPERIMENTAL EQUANT_API size_t
equant_interacting_fit_n_planets(const equant_interacting_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_interacting_fit_planet(
    const equant_interacting_fit *fit, size_t index, equant_interacting_planet *planet);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_interacting_fit_summarize(
    const equant_interacting_fit *fit, equant_interacting_summary *summary);
/* Elements [n_planets][EQUANT_N_NBODY_ELEMENTS] at the epoch, as equant_nbody_velocities takes
 * them; valid until the fit is freed. */
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_interacting_fit_elements(const equant_interacting_fit *fit);
/* [n_obs], in the order of the data set. */
EQUANT_EXPERIMENTAL EQUANT_API const double *
equant_interacting_fit_residuals_m_s(const equant_interacting_fit *fit);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_interacting_fit_transit(
    const equant_interacting_fit *fit, size_t index, equant_interacting_transit *transit);

#ifdef __cplusplus
}
#endif
#endif
