/* equant/sky_orbits.h: published orbits. Tables of solutions such as nss_two_body_orbit, and each
 * of them against the epochs of its own source. */
#ifndef EQUANT_SKY_ORBITS_H
#define EQUANT_SKY_ORBITS_H

#include <stddef.h>
#include <stdint.h>

#include "equant/astrometry.h"
#include "equant/sky_fit.h"
#include "equant/sky_sources.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Elements of a published orbit, in the order of its covariance. */
#define EQUANT_SKY_N_PUBLISHED 7

/* An orbit on the sky as it was published. */
typedef struct equant_sky_published {
    size_t struct_size;
    int64_t source_id;
    char solution_type[48]; /* of the table, such as "Orbital" */
    int is_on_sky;          /* 0: without constants of Thiele and Innes, nothing else is known */
    int has_correlations;   /* 0: errors alone                                                 */
    double period_days, eccentricity, t_peri_jd;
    double thiele_innes_mas[4]; /* A, B, F, G */
    double covariance[49]; /* [7][7] of A, B, F, G, period, eccentricity, t_peri, in their units */
} equant_sky_published;

typedef struct equant_sky_orbits equant_sky_orbits;

/* Reads a table with source_id, period and the columns of nss_two_body_orbit that there are: csv,
 * ECSV, VOTable or FITS. Times of pericentre count from J2017.5, those of DR3, whose solutions are
 * called nss_solution_type, from J2016.0. Correlations (corr_vec) are those of the 12 parameters of
 * an astrometric orbit or the 15 with spectroscopy; of others there are errors alone. `sources`,
 * which may be NULL, knows numbers of DR3. The caller frees *orbits. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_orbits_read(
    const char *path, const equant_sky_sources *sources, equant_sky_orbits **orbits);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_orbits_free(equant_sky_orbits *orbits);
/* In the order of the numbers of their sources. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_sky_orbits_n(const equant_sky_orbits *orbits);
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_orbits_at(const equant_sky_orbits *orbits,
                                                                  size_t index,
                                                                  equant_sky_published *orbit);
/* The first orbit of a source, and how many there are. */
EQUANT_EXPERIMENTAL EQUANT_API size_t equant_sky_orbits_find(const equant_sky_orbits *orbits,
                                                             int64_t source_id, size_t *n);

/* What epochs say of a published orbit. Values are pinned. */
typedef enum equant_sky_judgement {
    EQUANT_SKY_UNCHECKED = 0, /* it has no constants on the sky, or the epochs do not suffice  */
    EQUANT_SKY_AGREES = 1,
    EQUANT_SKY_OTHER_GEOMETRY = 2, /* the same period, and beyond both covariances otherwise    */
    EQUANT_SKY_OTHER_PERIOD = 3,
    EQUANT_SKY_IS_SCAN_ANGLE = 4, /* harmonics of the scan angle explain what is left          */
    EQUANT_SKY_NOTHING = 5        /* the epochs ask for no orbit                               */
} equant_sky_judgement;

/* "unchecked", "agrees", "other_geometry", "other_period", "scan_angle", "nothing"; never NULL. */
EQUANT_EXPERIMENTAL EQUANT_API const char *
equant_sky_judgement_name(equant_sky_judgement judgement);

/* Numbers that there are not are NaN. */
typedef struct equant_sky_check {
    size_t struct_size;
    equant_sky_judgement judgement;
    equant_sky_verdict verdict; /* of the epochs alone */
    double log_ratio;      /* ln L of the best model of the epochs less that of the published orbit
                              with motion and parallax refitted, each with a jitter of its own */
    double gain_published; /* ln L of the published orbit over five parameters */
    double chi_square_5p, chi_square_published, chi_square_best; /* with the stated errors and the
                                                                    jitter of the best model      */
    double distance_square, chance; /* between the two orbits by both covariances, in seven
                                       elements, and how often noise makes it as large            */
    double period_days, period_days_err, eccentricity, a0_mas; /* of the epochs' own orbit */
    double false_alarm;                                        /* of it                    */
} equant_sky_check;

/* Orbits [n] against the epochs of their sources [n], into checks [n], of which the first names its
 * size; as many at a time as options->engine has threads. One agrees where the epochs' own orbit
 * has the same period (to half of 1/span, or five errors) and lies within both covariances, or is
 * hardly more likely (options->false_alarm_max); or where the epochs have none that is significant,
 * and the published one is worth its seven elements by BIC. options may be NULL, as in
 * equant_sky_fit_create; velocities are not taken. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_orbits_check(
    size_t n, const equant_astrometry *const *sources, const equant_sky_published *orbits,
    const equant_sky_fit_options *options, equant_sky_check *checks);

#ifdef __cplusplus
}
#endif
#endif
