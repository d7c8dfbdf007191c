/* What Gaia calls its tables' columns: all names of the draft data model of DR4 (issue D, revision
 * 0, June 2026) that are read here. They may change before the release; gaia_names.c has them in
 * one table, a row each. A column may have several names. */
#ifndef EQUANT_DATA_GAIA_NAMES_H
#define EQUANT_DATA_GAIA_NAMES_H

#include "data/text_table.h"

typedef enum gaia_word {
    /* epoch_astrometry; in the order of gaia_column */
    GAIA_WORD_SOURCE_ID,
    GAIA_WORD_TRANSIT_ID,
    GAIA_WORD_TIME,
    GAIA_WORD_CORRECTION,
    GAIA_WORD_ABSCISSA,
    GAIA_WORD_UNCERTAINTY,
    GAIA_WORD_ANGLE,
    GAIA_WORD_PARALLAX_FACTOR,
    GAIA_WORD_COLOUR_FACTOR,
    GAIA_WORD_USED,
    GAIA_WORD_EXCESS_NOISE,
    /* rvs_epoch_parameters_single */
    GAIA_WORD_RV_SOURCE_ID,
    GAIA_WORD_RV_TIME,            /* TCB at the barycentre, days since 2010.0 */
    GAIA_WORD_RV,                 /* km/s, all corrections applied */
    GAIA_WORD_RV_ERROR,           /* km/s, with the correction of its underestimation */
    GAIA_WORD_RV_RAW_ERROR,       /* km/s, without it */
    GAIA_WORD_RV_SIMULATED_ERROR, /* km/s, of simulated transits of such a star */
    GAIA_WORD_RV_VALID,           /* flag: the velocity may be used */
    GAIA_WORD_RV_INVALID,         /* flag: it may not */
    /* gaia_source, dr3_neighbourhood, nss_masses, and columns that users add to a list of sources
     */
    GAIA_WORD_LIST_SOURCE_ID,
    GAIA_WORD_LIST_DR3_ID,
    GAIA_WORD_LIST_DISTANCE, /* between the two on the sky */
    GAIA_WORD_LIST_PROBABLE, /* flag: the probable one of several */
    GAIA_WORD_LIST_NAME,
    GAIA_WORD_LIST_HAS_ASTROMETRY,
    GAIA_WORD_LIST_HAS_VELOCITIES, /* 0 none, 1 to 3 better ones */
    GAIA_WORD_LIST_BIAS,           /* mas, to be subtracted from the parallax */
    GAIA_WORD_LIST_MASS,           /* of the star, solar masses */
    GAIA_WORD_LIST_MASS_ERROR,
    GAIA_WORD_LIST_MASS_LOWER, /* 16 and 84 per cent */
    GAIA_WORD_LIST_MASS_UPPER,
    GAIA_WORD_LIST_KS, /* magnitude of 2MASS */
    /* nss_two_body_orbit, of DR4 and of DR3 */
    GAIA_WORD_NSS_SOURCE_ID,
    GAIA_WORD_NSS_TYPE,
    GAIA_WORD_NSS_DR3_TYPE, /* whose times count from J2016.0 */
    GAIA_WORD_NSS_PERIOD,
    GAIA_WORD_NSS_PERIOD_ERROR,
    GAIA_WORD_NSS_ECCENTRICITY,
    GAIA_WORD_NSS_ECCENTRICITY_ERROR,
    GAIA_WORD_NSS_PERICENTRE, /* days since the epoch of the release */
    GAIA_WORD_NSS_PERICENTRE_ERROR,
    GAIA_WORD_NSS_A,
    GAIA_WORD_NSS_A_ERROR,
    GAIA_WORD_NSS_B,
    GAIA_WORD_NSS_B_ERROR,
    GAIA_WORD_NSS_F,
    GAIA_WORD_NSS_F_ERROR,
    GAIA_WORD_NSS_G,
    GAIA_WORD_NSS_G_ERROR,
    GAIA_WORD_NSS_CORRELATIONS, /* upper triangle by columns */
    /* rvs_epoch_parameters_double, and tables of other telescopes with two velocities */
    GAIA_WORD_SB2_SOURCE_ID,
    GAIA_WORD_SB2_GAIA_TIME, /* TCB at the barycentre, days since 2010.0 */
    GAIA_WORD_SB2_TIME,
    GAIA_WORD_SB2_RV1,
    GAIA_WORD_SB2_RV1_ERROR,
    GAIA_WORD_SB2_RV2,
    GAIA_WORD_SB2_RV2_ERROR,
    GAIA_WORD_SB2_ORDERED, /* flag: the first velocity is of star 1 */
    GAIA_N_WORDS
} gaia_word;

typedef enum gaia_table {
    GAIA_EPOCH_ASTROMETRY,
    GAIA_EPOCH_VELOCITIES,
    GAIA_SOURCE_LIST,
    GAIA_PUBLISHED_ORBITS,
    GAIA_DOUBLE_VELOCITIES
} gaia_table;

/* The column of a table that a heading names, in snake or in camel case; else GAIA_N_WORDS. */
gaia_word gaia_word_of(gaia_table table, text_slice heading);

/* The first of its names. */
const char *gaia_word_name(gaia_word word);

/* Whether the archive keeps the column in single precision. */
bool gaia_word_is_single(gaia_word word);

/* Whether a text begins with a name of the column. */
bool gaia_word_begins(text_slice text, gaia_word word);

#endif
