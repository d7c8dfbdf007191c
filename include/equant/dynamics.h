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
                          would go round at the speed that it has at pericentre       */
} equant_nbody_options;

/* How an integration ended. Values are pinned. */
typedef enum equant_nbody_end {
    EQUANT_NBODY_FINE = 0,
    EQUANT_NBODY_CLOSE = 1,     /* bodies came close; of derivatives alone: they are not exact   */
    EQUANT_NBODY_COLLISION = 2, /* bodies touched                                                */
    EQUANT_NBODY_UNBOUND = 3,   /* a planet left the star                                        */
    EQUANT_NBODY_FAILED = 4,    /* the step is too long for an orbit                             */
    EQUANT_NBODY_INVALID = 5    /* elements that are none: e >= 1, a mass below zero, ...        */
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

/* The orbits of planets that attract each other which fit velocities best, with a common
 * inclination and an offset and a jitter for each instrument, from Keplerian orbits to begin with.
 */
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
} equant_interacting_planet;

typedef struct equant_interacting_summary {
    size_t struct_size;
    size_t n_obs, n_fitted;
    double epoch_days, star_mass;
    double inclination_rad, inclination_rad_err;
    double chi_square, log_likelihood, bic, rms_m_s;
    double candidate_period_days; /* of the peak of the residuals that was not taken; NaN where
                                     none was looked for */
    double candidate_false_alarm;
} equant_interacting_summary;

/* orbits [n_orbits][EQUANT_N_ELEMENTS] at the reference time of the data set, such as those of a
 * fit. The caller frees *fit. EQUANT_ERROR_INVALID_ARGUMENT where no integration from them ends. */
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

#ifdef __cplusplus
}
#endif
#endif
