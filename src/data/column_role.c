/* The names that the field gives its columns. */
#include "data/column_role.h"

#include <string.h>

#include "model/indicator_catalogue.h"

/* Names in small letters, with every run of other characters made one '_'.
 * Ranks settle tables that have several, e.g. "tel" and "inst". */
static const struct known_name {
    const char *name;
    column_role role;
    int rank;
} known_names[] = {
    {"time", COLUMN_TIME, 1},
    {"t", COLUMN_TIME, 1},
    {"bjd", COLUMN_TIME, 0},
    {"jd", COLUMN_TIME, 1},
    {"hjd", COLUMN_TIME, 1},
    {"rjd", COLUMN_TIME, 1},
    {"mjd", COLUMN_TIME, 1},
    {"jdb", COLUMN_TIME, 1},
    {"tjd", COLUMN_TIME, 1},
    {"btjd", COLUMN_TIME, 1},
    {"epoch", COLUMN_TIME, 1},
    {"times", COLUMN_TIME, 1},
    {"date", COLUMN_TIME, 2},
    {"days", COLUMN_TIME, 2},
    {"obs_time", COLUMN_TIME, 2},
    {"date_bjd", COLUMN_TIME, 0},
    {"obj_date_bjd", COLUMN_TIME, 0},
    {"rv_mlc_nzp", COLUMN_VELOCITY, -4},
    {"rv_drs_nzp", COLUMN_VELOCITY, -3},
    {"rv_mlc", COLUMN_VELOCITY, -2},
    {"rv_drs", COLUMN_VELOCITY, -1},
    {"avc", COLUMN_VELOCITY, -1},
    {"rvc", COLUMN_VELOCITY, -1},
    {"mnvel", COLUMN_VELOCITY, 0},
    {"rv", COLUMN_VELOCITY, 1},
    {"vel", COLUMN_VELOCITY, 1},
    {"vrad", COLUMN_VELOCITY, 1},
    {"velocity", COLUMN_VELOCITY, 1},
    {"radial_velocity", COLUMN_VELOCITY, 1},
    {"radvel", COLUMN_VELOCITY, 1},
    {"rvel", COLUMN_VELOCITY, 1},
    {"vr", COLUMN_VELOCITY, 2},
    {"v", COLUMN_VELOCITY, 2},
    {"rvs", COLUMN_VELOCITY, 2},
    {"value", COLUMN_VELOCITY, 3},
    {"e_rv_mlc_nzp", COLUMN_UNCERTAINTY, -4},
    {"e_rv_drs_nzp", COLUMN_UNCERTAINTY, -3},
    {"e_rv_mlc", COLUMN_UNCERTAINTY, -2},
    {"e_rv_drs", COLUMN_UNCERTAINTY, -1},
    {"e_avc", COLUMN_UNCERTAINTY, -1},
    {"e_rvc", COLUMN_UNCERTAINTY, -1},
    {"err_rvc", COLUMN_UNCERTAINTY, -1},
    {"rvc_err", COLUMN_UNCERTAINTY, -1},
    {"dvrms", COLUMN_UNCERTAINTY, -1},
    {"errvel", COLUMN_UNCERTAINTY, 0},
    {"rv_err", COLUMN_UNCERTAINTY, 1},
    {"rverr", COLUMN_UNCERTAINTY, 1},
    {"rv_error", COLUMN_UNCERTAINTY, 1},
    {"rv_unc", COLUMN_UNCERTAINTY, 1},
    {"rv_uncertainty", COLUMN_UNCERTAINTY, 1},
    {"rv_sigma", COLUMN_UNCERTAINTY, 1},
    {"rv_sig", COLUMN_UNCERTAINTY, 1},
    {"rv_std", COLUMN_UNCERTAINTY, 1},
    {"err_rv", COLUMN_UNCERTAINTY, 1},
    {"errrv", COLUMN_UNCERTAINTY, 1},
    {"error_rv", COLUMN_UNCERTAINTY, 1},
    {"sigma_rv", COLUMN_UNCERTAINTY, 1},
    {"sig_rv", COLUMN_UNCERTAINTY, 1},
    {"s_rv", COLUMN_UNCERTAINTY, 1},
    {"srv", COLUMN_UNCERTAINTY, 1},
    {"d_rv", COLUMN_UNCERTAINTY, 1},
    {"drv", COLUMN_UNCERTAINTY, 1},
    {"e_rv", COLUMN_UNCERTAINTY, 1},
    {"erv", COLUMN_UNCERTAINTY, 1},
    {"svrad", COLUMN_UNCERTAINTY, 1},
    {"vrad_err", COLUMN_UNCERTAINTY, 1},
    {"vrad_error", COLUMN_UNCERTAINTY, 1},
    {"vel_err", COLUMN_UNCERTAINTY, 1},
    {"vel_error", COLUMN_UNCERTAINTY, 1},
    {"velerr", COLUMN_UNCERTAINTY, 1},
    {"err_vel", COLUMN_UNCERTAINTY, 1},
    {"e_vel", COLUMN_UNCERTAINTY, 1},
    {"velocity_error", COLUMN_UNCERTAINTY, 1},
    {"velocity_uncertainty", COLUMN_UNCERTAINTY, 1},
    {"radial_velocity_error", COLUMN_UNCERTAINTY, 1},
    {"radial_velocity_uncertainty", COLUMN_UNCERTAINTY, 1},
    {"err", COLUMN_UNCERTAINTY, 2},
    {"error", COLUMN_UNCERTAINTY, 2},
    {"errors", COLUMN_UNCERTAINTY, 2},
    {"uncertainty", COLUMN_UNCERTAINTY, 2},
    {"unc", COLUMN_UNCERTAINTY, 2},
    {"sigma", COLUMN_UNCERTAINTY, 2},
    {"sig", COLUMN_UNCERTAINTY, 2},
    {"tel", COLUMN_INSTRUMENT, 0},
    {"instrument", COLUMN_INSTRUMENT, 1},
    {"inst", COLUMN_INSTRUMENT, 1},
    {"ins", COLUMN_INSTRUMENT, 1},
    {"instrument_name", COLUMN_INSTRUMENT, 1},
    {"ins_name", COLUMN_INSTRUMENT, 1},
    {"spectrograph", COLUMN_INSTRUMENT, 1},
    {"instrumentid", COLUMN_INSTRUMENT, 2},
    {"instrument_id", COLUMN_INSTRUMENT, 2},
    {"inst_id", COLUMN_INSTRUMENT, 2},
    {"instid", COLUMN_INSTRUMENT, 2},
    {"telescope", COLUMN_INSTRUMENT, 3},
    {"jitter", COLUMN_JITTER_FLAG, 0},
    {"jitter_flag", COLUMN_JITTER_FLAG, 0},
    {"offset", COLUMN_OFFSET_FLAG, 0},
    {"offset_flag", COLUMN_OFFSET_FLAG, 0},
    {"object", COLUMN_OBJECT, 0},
    {"star", COLUMN_TARGET, 0},
    {"star_name", COLUMN_TARGET, 0},
    {"starname", COLUMN_TARGET, 0},
    {"star_id", COLUMN_TARGET, 0},
    {"target", COLUMN_TARGET, 1},
    {"target_name", COLUMN_TARGET, 1},
    {"target_id", COLUMN_TARGET, 1},
    {"object_name", COLUMN_TARGET, 1},
    {"object_id", COLUMN_TARGET, 1},
    {"obj_name", COLUMN_TARGET, 1},
    {"obj_id", COLUMN_TARGET, 1},
    {"host_name", COLUMN_TARGET, 1},
    {"hostname", COLUMN_TARGET, 1},
    {"source_id", COLUMN_TARGET, 1},
    {"name", COLUMN_TARGET, COLUMN_TARGET_DOUBTED},
    {"id", COLUMN_TARGET, COLUMN_TARGET_DOUBTED + 1},
    {"drs_qc", COLUMN_QUALITY, 0},
    {"drs_quality", COLUMN_QUALITY, 0},
    {"f_rv", COLUMN_SERVAL_FLAG, 0},
    {"flag", COLUMN_OTHER_FLAG, 0},
    {"flags", COLUMN_OTHER_FLAG, 0},
    {"qc", COLUMN_OTHER_FLAG, 0},
    {"qflag", COLUMN_OTHER_FLAG, 0},
    {"quality", COLUMN_OTHER_FLAG, 0},
    {"quality_flag", COLUMN_OTHER_FLAG, 0},
    {"obs_quality", COLUMN_OTHER_FLAG, 0},
    {"rv_flag", COLUMN_OTHER_FLAG, 0},
    {"rv_quality", COLUMN_OTHER_FLAG, 0},
};

/* What archives put before names, longest first: DACE's "spectro_ccf_rv", ESO's "drs_ccf_rvc". */
static const char *const archive_prefixes[] = {"spectro_analysis_", "spectro_ccf_", "spectro_",
                                               "drs_ccf_",          "drs_",         "ccf_"};

/* Times come with their system and zero point: "bjd_tdb", "jd_2450000". */
static const char *const time_prefixes[] = {"bjd_", "bjd2", "hjd_", "hjd2",  "jd_",   "jd2",
                                            "rjd_", "mjd_", "jdb_", "btjd_", "time_", "epoch_"};

/* Units written into names, as in "rv_kms"; longest first. */
static const struct {
    const char *ending, *unit;
} unit_endings[] = {{"_km_s", "km/s"}, {"_kmps", "km/s"}, {"_kms", "km/s"},
                    {"_m_s", "m/s"},   {"_mps", "m/s"},   {"_ms", "m/s"}};

static text_slice from_string(const char *string)
{
    return (text_slice){string, strlen(string)};
}

/* Cuts "rv [km/s]" into the name and what the brackets hold. */
static text_slice cut_bracket(text_slice *name)
{
    for (size_t i = 1; i < name->n; i++) {
        if (name->start[i] != '(' && name->start[i] != '[')
            continue;
        text_slice unit = {name->start + i + 1, name->n - i - 1};
        char last = unit.n > 0 ? unit.start[unit.n - 1] : '\0';
        if (last == ')' || last == ']')
            unit.n--;
        *name = text_trim((text_slice){name->start, i});
        return text_trim(unit);
    }
    return (text_slice){name->start + name->n, 0};
}

static void normalise(text_slice name, char *buffer)
{
    size_t used = 0;
    for (size_t i = 0; i < name.n && used + 1 < COLUMN_NAME_SIZE; i++) {
        char c = name.start[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (is_plain)
            buffer[used++] = c;
        else if (used > 0 && buffer[used - 1] != '_')
            buffer[used++] = '_';
    }
    while (used > 0 && buffer[used - 1] == '_')
        used--;
    buffer[used] = '\0';
}

/* Takes the unit off the end of a normalised name. */
static text_slice cut_unit_ending(char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof unit_endings / sizeof unit_endings[0]; i++) {
        size_t n_ending = strlen(unit_endings[i].ending);
        if (n > n_ending && strcmp(name + n - n_ending, unit_endings[i].ending) == 0) {
            name[n - n_ending] = '\0';
            return from_string(unit_endings[i].unit);
        }
    }
    return from_string("");
}

static bool is_time_with_system(const char *name)
{
    if (strstr(name, "err") != NULL || strstr(name, "unc") != NULL)
        return false;
    for (size_t i = 0; i < sizeof time_prefixes / sizeof time_prefixes[0]; i++)
        if (strncmp(name, time_prefixes[i], strlen(time_prefixes[i])) == 0)
            return true;
    return false;
}

void column_role_normal(text_slice name, char normal[COLUMN_NAME_SIZE])
{
    cut_bracket(&name);
    normalise(name, normal);
}

static bool find_role(const char *normal, column_meaning *meaning)
{
    for (size_t i = 0; i < sizeof known_names / sizeof known_names[0]; i++) {
        if (strcmp(normal, known_names[i].name) == 0) {
            meaning->role = known_names[i].role;
            meaning->rank = known_names[i].rank;
            return true;
        }
    }
    meaning->indicator = indicator_catalogue_of_heading(normal, &meaning->is_indicator_uncertainty);
    return meaning->indicator >= 0;
}

static bool find_role_behind_prefix(const char *normal, column_meaning *meaning)
{
    for (size_t i = 0; i < sizeof archive_prefixes / sizeof archive_prefixes[0]; i++) {
        size_t n = strlen(archive_prefixes[i]);
        if (strncmp(normal, archive_prefixes[i], n) == 0)
            return find_role(normal + n, meaning);
    }
    return false;
}

column_meaning column_role_of(text_slice name)
{
    char normal[COLUMN_NAME_SIZE];
    column_meaning meaning = {.role = COLUMN_OTHER, .indicator = -1};
    meaning.unit = cut_bracket(&name);
    normalise(name, normal);
    if (meaning.unit.n == 0)
        meaning.unit = cut_unit_ending(normal);
    if (find_role(normal, &meaning) || find_role_behind_prefix(normal, &meaning))
        return meaning;
    if (is_time_with_system(normal)) {
        meaning.role = COLUMN_TIME;
        meaning.rank = 2;
    }
    return meaning;
}

size_t column_role_find_target(const text_slice *names, size_t n)
{
    size_t found = n;
    int lowest = 0;
    for (size_t i = 0; i < n; i++) {
        column_meaning meaning = column_role_of(names[i]);
        bool is_object = meaning.role == COLUMN_OBJECT;
        int rank = is_object ? 1 : meaning.rank;
        if ((!is_object && meaning.role != COLUMN_TARGET) || (found < n && rank >= lowest))
            continue;
        found = i;
        lowest = rank;
    }
    return found;
}
