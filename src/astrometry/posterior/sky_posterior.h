/* Draws of orbits on the sky as the library keeps them, sampled or read from a file. */
#ifndef EQUANT_ASTROMETRY_POSTERIOR_SKY_POSTERIOR_H
#define EQUANT_ASTROMETRY_POSTERIOR_SKY_POSTERIOR_H

#include "astrometry/posterior/sky_quantities.h"
#include "inference/sample/run/posterior_facts.h"
#include "output/provenance.h"

struct equant_sky_posterior {
    size_t n_columns, n_draws;
    sky_quantities_column columns[SKY_QUANTITIES_MOST];
    summary_row rows[SKY_QUANTITIES_MOST];
    double *values; /* [n_columns][n_draws], and behind them log_likelihood */
    double *log_likelihood;
    size_t n_starts;
    double *starts; /* [n_columns][n_starts] where walkers began; NULL: not known */
    size_t best_draw;
    double recession_per_year;  /* as sky_model.h has it                 */
    equant_astrometry *source;  /* the rows that were fitted             */
    equant_dataset *velocities; /* of the same star; NULL: none          */
    provenance made_with;
    equant_posterior_summary facts;
};

/* Velocities as arrays, to be copied. */
typedef struct sky_velocities {
    size_t n;
    const double *time_days, *velocity_m_s, *uncertainty_m_s;
    const int *instrument; /* from 0 */
    size_t n_instruments;
    const char *time_name;
} sky_velocities;
equant_status sky_posterior_keep_velocities(equant_sky_posterior *posterior,
                                            const sky_velocities *rows, const char *const *names);

/* Fills the rows of the summary from values, facts and the best draw. */
equant_status sky_posterior_summarise(equant_sky_posterior *posterior);

/* All draws of a quantity, [n_draws], by its name; NULL where there is none. */
const double *sky_posterior_column(const equant_sky_posterior *posterior, const char *name);

#endif
