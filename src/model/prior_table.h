/* What is believed of a star before its velocities are seen: which planets it may have, which
 * noise, and how many of its observations are wrong. All prior densities and prior probabilities by
 * which models are compared are in this table and nowhere else, with their sources
 * (docs/priors.md). */
#ifndef EQUANT_MODEL_PRIOR_TABLE_H
#define EQUANT_MODEL_PRIOR_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "model/host_star.h"
#include "model/noise_kind.h"

/* ---- planets ------------------------------------------------------------------------------------
 * The number of planets is uniform: before the data every number is as probable as any other.
 * Periods are log-uniform between the limits of the search; below a week planets become rare
 * (Howard et al. 2012, ApJS 201, 15): the density is multiplied by
 * 1 - exp(-(P / cutoff)^steepness). Amplitudes are normal in both components, with a scale that is
 * log-uniform. Published occurrence rates fall by a factor of two to three for each factor of ten
 * in mass and rise by 1.3 to 1.8 for each factor of ten in period (Cumming et al. 2008, PASP 120,
 * 531: dN ~ M^-0.31 P^0.26; Howard et al. 2010, Science 330, 653: dN ~ M^-0.48; Mayor et al. 2011,
 * arXiv:1109.2497), which over the range of one survey is less than the factor of three by which
 * priors are varied here. */
#define PRIOR_TABLE_CUTOFF_DAYS 7.0
#define PRIOR_TABLE_CUTOFF_STEEPNESS 2.4
/* Eccentricities: the Beta distribution of Kipping (2013, MNRAS 434, L51). */
#define ECCENTRICITY_A 0.867
#define ECCENTRICITY_B 3.03

/* ---- outliers -----------------------------------------------------------------------------------
 * Observations and nights that are wrong: their share has a Beta distribution with this mean and
 * strength, so that it is learnt from the star where that has many observations. By how much one is
 * off is known to a factor of 30 in its logarithm: what is left of that once it was seen is
 * ln(ln 30 / 2.07). The prior knows no phases: a few observations near a pericentre cost as
 * much as any others. */
#define PRIOR_TABLE_OUTLIER_SHARE 0.015
#define PRIOR_TABLE_OUTLIER_STRENGTH 30.0
#define PRIOR_TABLE_OUTLIER_SIZE 0.5

/* ---- noise --------------------------------------------------------------------------------------
 */

typedef enum star_class {
    STAR_CLASS_UNKNOWN, /* a mixture of the others */
    STAR_CLASS_QUIET_DWARF,
    STAR_CLASS_ACTIVE_DWARF,
    STAR_CLASS_M_DWARF,
    STAR_CLASS_EVOLVED,
    N_STAR_CLASSES
} star_class;

/* The class of a star by its mass, radius and temperature, as far as they are known. Which dwarfs
 * are active these do not tell. */
star_class prior_table_class(const host_star *star);

/* A sum of log-normal densities; n = 0: uniform in the logarithm. */
enum { LOG_NORMAL_SUM_MOST_PARTS = 4 };
typedef struct log_normal_sum {
    size_t n;
    double share[LOG_NORMAL_SUM_MOST_PARTS], median[LOG_NORMAL_SUM_MOST_PARTS],
        width[LOG_NORMAL_SUM_MOST_PARTS];
} log_normal_sum;

/* ln of the density of ln x at ln x, and the share that lies between two values of ln x. */
double log_normal_sum_density(const log_normal_sum *prior, double log_x);
double log_normal_sum_between(const log_normal_sum *prior, double log_low, double log_high);

/* Of what a parameter of noise is a prior. */
typedef enum noise_quantity {
    NOISE_AMPLITUDE, /* m/s */
    NOISE_PERIOD,    /* days */
    NOISE_TURNS,     /* decay of a rotation, in periods */
    NOISE_MEMORY,    /* decay of any other noise, days */
    NOISE_WIDTH,
    N_NOISE_QUANTITIES
} noise_quantity;

/* The prior of a parameter of a kind of noise; uniform in the logarithm where the table has none.
 */
const log_normal_sum *prior_table_noise(star_class class, noise_kind kind, noise_quantity quantity);

/* How often stars of a class have noise of a kind, whatever its size. */
double prior_table_noise_share(star_class class, noise_kind kind);

#endif
