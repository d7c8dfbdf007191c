#include "data/tables/gaia_names.h"

/* The first name of a column is the one that sentences use. Below the names of the draft stand
 * those of DR3 and of the focused product release, which have the same meaning. The name of the
 * flag of validity was not known when this was written: those that are likely stand here. */
static const struct gaia_name {
    gaia_table table;
    gaia_word word;
    const char *name;
    bool is_single;
} names[] = {
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_SOURCE_ID, "source_id", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_TRANSIT_ID, "transit_id", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_TIME, "obs_time_tcb", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_CORRECTION, "obs_time_bary_corr", true},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_ABSCISSA, "centroid_pos_al", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_UNCERTAINTY, "centroid_pos_error_al", true},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_ANGLE, "scan_pos_angle", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_PARALLAX_FACTOR, "parallax_factor_al", true},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_COLOUR_FACTOR, "colour_factor_al", true},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_USED, "used_by_agis_al", false},
    {GAIA_EPOCH_ASTROMETRY, GAIA_WORD_EXCESS_NOISE, "agis_source_excess_noise", true},

    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_SOURCE_ID, "source_id", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_TIME, "obs_time_rv", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_TIME, "rv_obs_time", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV, "radial_velocity", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_ERROR, "radial_velocity_error", true},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_RAW_ERROR, "raw_radial_velocity_error", true},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_SIMULATED_ERROR, "radial_velocity_mc_error", true},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "radial_velocity_is_valid", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "radial_velocity_validity_flag", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "radial_velocity_valid", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "is_valid_radial_velocity", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "rv_validity_flag", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "rv_is_valid", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_VALID, "rv_valid", false},
    {GAIA_EPOCH_VELOCITIES, GAIA_WORD_RV_INVALID, "rejected_by_variability", false},

    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_SOURCE_ID, "source_id", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_SOURCE_ID, "dr4_source_id", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_DR3_ID, "dr3_source_id", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_DISTANCE, "angular_distance", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_PROBABLE, "probable_match", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_NAME, "name", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_NAME, "star", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_NAME, "star_name", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_NAME, "object", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_NAME, "target", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_HAS_ASTROMETRY, "has_epoch_astrometry", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_HAS_VELOCITIES, "has_epoch_rvs", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_BIAS, "tentative_parallax_bias", true},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_MASS, "star_mass", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_MASS, "m1", true},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_MASS_ERROR, "star_mass_err", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_MASS_LOWER, "m1_lower", true},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_MASS_UPPER, "m1_upper", true},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_KS, "ks_mag", false},
    {GAIA_SOURCE_LIST, GAIA_WORD_LIST_KS, "ks_m", false},

    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_SOURCE_ID, "source_id", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_TYPE, "solution_type", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_DR3_TYPE, "nss_solution_type", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_PERIOD, "period", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_PERIOD_ERROR, "period_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_ECCENTRICITY, "eccentricity", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_ECCENTRICITY_ERROR, "eccentricity_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_PERICENTRE, "t_periastron", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_PERICENTRE_ERROR, "t_periastron_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_A, "a_thiele_innes", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_A_ERROR, "a_thiele_innes_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_B, "b_thiele_innes", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_B_ERROR, "b_thiele_innes_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_F, "f_thiele_innes", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_F_ERROR, "f_thiele_innes_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_G, "g_thiele_innes", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_G_ERROR, "g_thiele_innes_error", false},
    {GAIA_PUBLISHED_ORBITS, GAIA_WORD_NSS_CORRELATIONS, "corr_vec", false},

    /* The draft was not seen where it names both velocities: likely words, and those of papers. */
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_SOURCE_ID, "source_id", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_GAIA_TIME, "obs_time_rv", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_GAIA_TIME, "rv_obs_time", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "bjd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "jd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "hjd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "mjd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "rjd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "time", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "date_bjd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "bjd_tdb", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "jd_utc", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "t_jd", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "time_days", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_TIME, "t", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "rv1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "vrad1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "v1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "rva", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "rv_primary", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "radial_velocity_1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "radial_velocity_comp1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1, "radial_velocity_primary", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "rv1_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "rv1_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "e_rv1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "err1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "sigma1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "sigma_rv1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "rv1_sig", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "e_vrad1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "v1_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "e_rva", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "rv_a_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "rv_primary_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "radial_velocity_1_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "radial_velocity_error_1", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "radial_velocity_comp1_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV1_ERROR, "radial_velocity_primary_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "rv2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "vrad2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "v2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "rvb", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "rv_secondary", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "radial_velocity_2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "radial_velocity_comp2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2, "radial_velocity_secondary", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "rv2_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "rv2_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "e_rv2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "err2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "sigma2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "sigma_rv2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "rv2_sig", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "e_vrad2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "v2_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "e_rvb", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "rv_b_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "rv_secondary_err", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "radial_velocity_2_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "radial_velocity_error_2", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "radial_velocity_comp2_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_RV2_ERROR, "radial_velocity_secondary_error", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_ORDERED, "is_reordered", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_ORDERED, "reordered", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_ORDERED, "is_ordered", false},
    {GAIA_DOUBLE_VELOCITIES, GAIA_WORD_SB2_ORDERED, "roles_known", false},
};

enum { N_NAMES = sizeof names / sizeof names[0], MOST_LETTERS = 64 };

/* The letters of a name without underscores, as camel case is compared; 0 where they are too many.
 */
static size_t letters_of(text_slice name, char letters[MOST_LETTERS])
{
    size_t n = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.start[i] == '_')
            continue;
        if (n + 1 == MOST_LETTERS)
            return 0;
        letters[n++] = name.start[i];
    }
    letters[n] = '\0';
    return n;
}

static text_slice slice_of(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return (text_slice){text, n};
}

gaia_word gaia_word_of(gaia_table table, text_slice heading)
{
    char given[MOST_LETTERS], known[MOST_LETTERS];
    size_t n = letters_of(heading, given);
    for (size_t i = 0; i < N_NAMES && n > 0; i++) {
        letters_of(slice_of(names[i].name), known);
        if (names[i].table == table && text_is_word((text_slice){given, n}, known))
            return names[i].word;
    }
    return GAIA_N_WORDS;
}

const char *gaia_word_name(gaia_word word)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (names[i].word == word)
            return names[i].name;
    return "";
}

bool gaia_word_is_single(gaia_word word)
{
    for (size_t i = 0; i < N_NAMES; i++)
        if (names[i].word == word)
            return names[i].is_single;
    return false;
}

bool gaia_word_begins(text_slice text, gaia_word word)
{
    char letters[MOST_LETTERS];
    for (size_t i = 0; i < N_NAMES; i++) {
        if (names[i].word != word)
            continue;
        letters_of(slice_of(names[i].name), letters);
        if (text_begins_with(text, names[i].name) || text_begins_with(text, letters))
            return true;
    }
    return false;
}
