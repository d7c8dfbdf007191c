/* equant/sky_catalogue.h: catalogues of astrometry. What many sources do on the sky: one row for
 * each, orbits looked for in all of them. */
#ifndef EQUANT_SKY_CATALOGUE_H
#define EQUANT_SKY_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "equant/astrometry.h"
#include "equant/data.h"
#include "equant/evaluate.h"
#include "equant/sky_fit.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_sky_catalogue_options {
    size_t struct_size;
    const equant_engine_options *engine; /* of the scan of many sources at once, and how many
                                            threads do everything else; NULL: the usual, in mixed
                                            precision                                          */
    double false_alarm_max;              /* of an orbit, and of columns more; 0: 1e-3          */
    double period_min_days;              /* 0: 10 days                                         */
    double period_max_days;              /* 0: 20 times the span of a source                   */
    double eccentricity_max;             /* 0: 0.95                                            */
    int no_colour;                       /* 1: without the column of the colour                */
    int fit_all;                         /* 1: every source is fitted, whatever the scan says  */
} equant_sky_catalogue_options;

#define EQUANT_SKY_FLAGS_LENGTH 256

/* What is told of a source. Numbers that it has not are NaN. */
typedef struct equant_sky_catalogue_row {
    size_t struct_size;
    int64_t source_id; /* 0: it has none */
    size_t n_transits;
    int is_solved; /* 0: the rows do not determine five parameters, and nothing else is told  */
    int is_fitted; /* 1: equant_sky_fit_create has done it; 0: the scan found that noise explains
                      what five parameters leave, and the row is that of five parameters      */
    equant_sky_verdict verdict;
    double parallax_mas, parallax_mas_err;
    double pm_ra_mas_yr, pm_ra_mas_yr_err;
    double pm_dec_mas_yr, pm_dec_mas_yr_err;
    double chi_square_5p, chi_square_orbit, chi_square_scan_angle; /* with the same weights */
    double gain;        /* in ln L of the best orbit, or of the best node of the scan             */
    double false_alarm; /* that noise gains as much                                              */
    double period_days, eccentricity, a0_mas, a0_mas_err; /* of an orbit that is the verdict     */
    char flags[EQUANT_SKY_FLAGS_LENGTH]; /* of equant_sky_fit_flags; "unsolved"                   */
} equant_sky_catalogue_row;

typedef struct equant_sky_catalogue equant_sky_catalogue;

/* Layers and memory that all sources share; options may be NULL. The caller frees *catalogue. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_catalogue_create(
    const equant_sky_catalogue_options *options, equant_sky_catalogue **catalogue);
EQUANT_EXPERIMENTAL EQUANT_API void equant_sky_catalogue_free(equant_sky_catalogue *catalogue);

/* One row for each of the sources, rows[n_sources], of which the first names its size. All of them
 * are scanned in one go; those for which noise is no explanation are then fitted one by one, as
 * equant_sky_fit_create does. The row of a source depends on nothing but the source: neither its
 * company nor the threads change a bit. Calls on one catalogue come one at a time. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_catalogue_run(equant_sky_catalogue *catalogue, size_t n_sources,
                         const equant_astrometry *const *sources, equant_sky_catalogue_row *rows);

/* What is known of a source beside its astrometry. */
typedef struct equant_sky_star {
    size_t struct_size;
    const equant_dataset *velocities; /* NULL: none                                           */
    double star_mass, star_mass_err;  /* solar masses; 0: unknown                             */
    double parallax_bias_mas;         /* subtracted from the parallax before it is a distance */
    double ks_mag; /* NaN or 0: unknown; else it gives the mass where there is none, by
                      equant_sky_mass_from_ks and the parallax of five parameters */
} equant_sky_star;

/* Which data an orbit is from. Values are pinned. */
typedef enum equant_sky_origin {
    EQUANT_SKY_FROM_NONE = 0, /* there is no orbit */
    EQUANT_SKY_FROM_SKY = 1,
    EQUANT_SKY_FROM_VELOCITIES = 2,
    EQUANT_SKY_FROM_BOTH = 3
} equant_sky_origin;

/* "none", "sky", "velocities", "both"; never NULL. */
EQUANT_EXPERIMENTAL EQUANT_API const char *equant_sky_origin_name(equant_sky_origin origin);

/* What astrometry and velocities tell together. Numbers that there are not are NaN. */
typedef struct equant_sky_joint_row {
    size_t struct_size;
    size_t n_velocities;
    equant_sky_origin orbit_from;
    /* Of the best orbit for both, where one was looked for. */
    double gain, false_alarm;
    double gain_sky, gain_velocities; /* as in equant_sky_summary */
    double tie_excess, tie_chance;    /* as in equant_sky_summary */
    /* Of velocities alone: the planet with the largest gain, or the best that was refused. */
    double velocity_gain, velocity_false_alarm, velocity_period_days;
    /* The orbit, of which only some elements are known where it is from velocities. */
    double period_days, period_days_err;
    double eccentricity, eccentricity_err;
    double a0_mas, a0_mas_err;
    double inclination_rad, inclination_rad_err;
    double omega_rad, omega_rad_err;
    double node_rad, node_rad_err;
    double t_peri_jd, t_peri_jd_err;
    double k_m_s, k_m_s_err;
    double mass_function_sun;
    double star_mass, star_mass_err;       /* solar masses, that the next is by */
    double mass_jupiter, mass_jupiter_err; /* of a dark companion; the smallest one, m sin i, where
                                              the orbit is from velocities                       */
    char flags[EQUANT_SKY_FLAGS_LENGTH];   /* of the fit to both, and "disagree": one orbit of a
        dark companion does not explain sky and velocities (tie_chance); "periods_differ": each
        alone has an orbit, of other periods; "minimum_mass"                                     */
} equant_sky_joint_row;

/* As equant_sky_catalogue_run, with stars[n_sources] and a row joint[n_sources] more for each, of
 * which the first name their sizes. sources[i] may be NULL where stars[i] has velocities. An orbit
 * is looked for in the astrometry alone, in the velocities alone where they scatter by more than
 * their errors, and in both together. An orbit of both is from the sky, from the velocities or from
 * both, whichever of them its amplitudes are worth their number by BIC. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status equant_sky_catalogue_run_joint(
    equant_sky_catalogue *catalogue, size_t n_sources, const equant_astrometry *const *sources,
    const equant_sky_star *stars, equant_sky_catalogue_row *rows, equant_sky_joint_row *joint);

/* The best orbit of the grid for a source, which noise may have made: the search of a catalogue
 * without the fits behind it. Numbers that a source has not are NaN. */
typedef struct equant_sky_signal {
    size_t struct_size;
    int is_searched; /* 0: the rows do not determine five parameters, or leave too few for an orbit
                      */
    double gain;     /* in ln L over five parameters, as in a row                             */
    double false_alarm; /* that noise gains as much; 1 where nothing was searched                */
    double period_days, eccentricity, m0_rad; /* of the node: no period between nodes is tried   */
} equant_sky_signal;

/* One signal for each of the sources, signals[n_sources], of which the first names its size: five
 * parameters with their jitter and every node of the grid, from rows as they are. Some thousands of
 * sources are under way at a time, whatever their number; where the grid is on a GPU, processors
 * prepare the next ones beside it. A signal depends on nothing but its source and the kind of
 * engine. */
EQUANT_EXPERIMENTAL EQUANT_API equant_status
equant_sky_catalogue_search(equant_sky_catalogue *catalogue, size_t n_sources,
                            const equant_astrometry *const *sources, equant_sky_signal *signals);

#ifdef __cplusplus
}
#endif
#endif
