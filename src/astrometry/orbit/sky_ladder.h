/* The models that a source may have, from the plainest on: motion with 5, 7 and 9 parameters, with
 * harmonics of the scan angle, with an orbit, with both; and which of them the data ask for. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_LADDER_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_LADDER_H

#include "astrometry/orbit/sky_grid.h"

typedef enum sky_rung {
    SKY_RUNG_5P,
    SKY_RUNG_7P,
    SKY_RUNG_9P,
    SKY_RUNG_SCAN_ANGLE,
    SKY_RUNG_ORBIT,
    SKY_RUNG_ORBIT_SCAN_ANGLE,
    N_SKY_RUNGS
} sky_rung;

typedef struct sky_ladder_settings {
    const equant_engine_options *engine;
    sky_limits limits;
    double false_alarm_max, parallax_zero_point_mas;
    bool as_ccds, has_jitter, has_colour, is_free; /* of velocities: not tied to the orbit */
    bool has_orbit;                                /* an orbit is wanted, whatever noise could do */
    size_t max_orbits;                             /* at least 1 */
    const equant_sky_motions *motions;             /* NULL: none */
    size_t n_scans;
    const equant_astrometry *const *scans; /* behind the motions */
    double radial_velocity_km_s;
    equant_progress progress; /* NULL: nobody is told */
    void *progress_context;
    bool keeps_partial; /* when the caller has had enough, what was found is the result */
} sky_ladder_settings;

typedef struct sky_ladder {
    sky_data data, means; /* means: of transits, where data are CCDs */
    bool is_tried[N_SKY_RUNGS];
    sky_solution *rungs;            /* [N_SKY_RUNGS] */
    double chi_square[N_SKY_RUNGS]; /* of all with the same weights, those of the best one */
    double weight_jitter_mas;       /* in these */
    sky_grid grid;
    double recession_per_year; /* by which share the distance grows */
    sky_rung chosen;
    equant_sky_verdict verdict;
    double orbit_gain;             /* in ln L over the same model without the orbit */
    double false_alarm;            /* of the orbit, the larger of the next two    */
    double false_alarm_plain;      /* behind five parameters                      */
    double false_alarm_scan_angle; /* behind the harmonics as well; NaN: not asked */
    /* Of each orbit behind those before it. */
    double companion_gain[SKY_SOLUTION_MAX_ORBITS], companion_false_alarm[SKY_SOLUTION_MAX_ORBITS];
    bool is_partial; /* the caller had enough before all was tried */
    bool is_tied;
    double tie_excess, tie_chance; /* of chi-square, and how often noise makes it; NaN: not asked */
    double part_gain[2];           /* in ln L, of the chosen orbit on the sky and in velocities */
} sky_ladder;

equant_status sky_ladder_fit(const equant_astrometry *source, const equant_dataset *velocities,
                             const sky_ladder_settings *settings, sky_ladder *ladder);
void sky_ladder_free(sky_ladder *ladder);

/* The first steps alone: the data, and limits with the usual numbers in the place of zeros; then
 * the rung of five parameters. */
equant_status sky_ladder_open(const equant_astrometry *source, const equant_dataset *velocities,
                              const sky_ladder_settings *settings, sky_ladder *ladder,
                              sky_ladder_settings *filled);
equant_status sky_ladder_begin(sky_ladder *ladder, const sky_ladder_settings *settings);

/* "5p", "7p", "9p", "scan_angle", "orbit", "orbit_scan_angle". */
const char *sky_rung_name(sky_rung rung);

/* The Bayesian information criterion of a rung. */
double sky_ladder_bic(const sky_ladder *ladder, sky_rung rung);

#endif
