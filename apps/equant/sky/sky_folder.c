#include "sky/sky_folder.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "files/json_reader.h"
#include "files/named_members.h"
#include "files/output_file.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "sky/sky_figures.h"
#include "terminal/angles.h"
#include "terminal/bounded_number.h"
#include "terminal/messages.h"

static const struct ecsv_column scan_headings[SKY_N_SCAN_COLUMNS] = {
    {"days_since_reference", ECSV_NUMBER, "d", "TCB; the reference is t_ref of fit.json"},
    {"scan_angle_deg", ECSV_NUMBER, "deg", "of the direction, North through East"},
    {"parallax_factor", ECSV_NUMBER, NULL, "along the scan"},
    {"abscissa_mas", ECSV_NUMBER, "mas", "along the scan"},
    {"uncertainty_mas", ECSV_NUMBER, "mas", "with jitter"},
    {"residual_mas", ECSV_NUMBER, "mas", "what the model of the verdict leaves"},
    {"residual_5p_mas", ECSV_NUMBER, "mas", "what position, parallax and proper motion leave"},
    {"of_companion", ECSV_NUMBER, NULL, "1: of the companion, relative to its star"}};

static const struct ecsv_column velocity_headings[SKY_N_VELOCITY_COLUMNS] = {
    {"days_since_reference", ECSV_NUMBER, "d", "TCB; the reference is t_ref of fit.json"},
    {"velocity_m_s", ECSV_NUMBER, "m / s", "less the offset of its instrument"},
    {"uncertainty_m_s", ECSV_NUMBER, "m / s", "with jitter"},
    {"residual_m_s", ECSV_NUMBER, "m / s", "what the orbit leaves"}};

static const struct ecsv_column periodogram_headings[SKY_N_PERIODOGRAM_COLUMNS] = {
    {"frequency_per_day", ECSV_NUMBER, "1 / d", NULL},
    {"gain", ECSV_NUMBER, NULL, "in ln L, of the best orbit of this frequency"},
    {"eccentricity", ECSV_NUMBER, NULL, "of that orbit"}};

static const char *const level_names[SKY_STAR_N_LEVELS] = {"gain_at_fap_0.1", "gain_at_fap_0.01",
                                                           "gain_at_fap_0.001"};

/* ---- writing --------------------------------------------------------------------------------- */

/* What an earlier fit left is taken away where this one has none. */
static int write_or_remove(const struct number_table *table, const char *folder, const char *name,
                           const struct ecsv_column *headings, size_t n_notes,
                           const struct ecsv_note *notes)
{
    if (table->n_rows > 0)
        return number_table_write(table, folder, name, fit_folder_members, headings, n_notes,
                                  notes);
    return output_file_remove(folder, name, fit_folder_members);
}

static int write_tables(const struct sky_star *star, const char *folder)
{
    struct ecsv_note notes[SKY_STAR_N_LEVELS];
    for (int i = 0; i < SKY_STAR_N_LEVELS; i++)
        notes[i] = (struct ecsv_note){level_names[i], NULL, star->levels[i]};
    int code = write_or_remove(&star->scans, folder, SKY_STAR_SCANS, scan_headings, 0, NULL);
    if (code == EXIT_CODE_OK)
        code = write_or_remove(&star->velocities, folder, SKY_STAR_VELOCITIES, velocity_headings, 0,
                               NULL);
    if (code == EXIT_CODE_OK)
        code = write_or_remove(&star->periodogram, folder, SKY_STAR_PERIODOGRAM,
                               periodogram_headings, SKY_STAR_N_LEVELS, notes);
    return code;
}

static int write_json(const struct sky_result *result, const char *folder)
{
    struct output_file file;
    int code = output_file_open(&file, folder, FIT_FOLDER_MARK, fit_folder_members);
    if (code != EXIT_CODE_OK)
        return code;
    sky_json_write(file.stream, result);
    return output_file_close(&file, EXIT_CODE_OK);
}

int sky_folder_write(const struct sky_result *result, const equant_sky_fit_options *options,
                     const char *folder, const struct fit_folder_options *how)
{
    struct sky_star star;
    int code = sky_star_create(result->source, options, result->fit, &star);
    if (code == EXIT_CODE_OK)
        code = output_folder_create(folder);
    if (code == EXIT_CODE_OK)
        code = write_tables(&star, folder);
    if (code == EXIT_CODE_OK && !how->pictures.has_none)
        code = sky_figures_draw(&star, folder, how->pictures.format);
    if (code == EXIT_CODE_OK)
        code = fit_folder_write_origin(how, folder);
    if (code == EXIT_CODE_OK)
        code = write_json(result, folder);
    sky_star_free(&star);
    return code;
}

/* ---- reading --------------------------------------------------------------------------------- */

#define OF_COMPANION(name, member, factor)                                                         \
    {name, offsetof(equant_sky_companion, member), factor},                                        \
    {                                                                                              \
        name "_err", offsetof(equant_sky_companion, member##_err), factor                          \
    }
#define OF_CONSTANT(name, i)                                                                       \
    {"thiele_innes." name, offsetof(equant_sky_companion, thiele_innes_mas[i]), 1.0},              \
    {                                                                                              \
        "thiele_innes." name "_err", offsetof(equant_sky_companion, thiele_innes_mas_err[i]), 1.0  \
    }
static const struct named_member companion_members[] = {
    OF_COMPANION("period_days", period_days, 1.0),
    OF_COMPANION("eccentricity", eccentricity, 1.0),
    OF_COMPANION("omega_deg", omega_rad, RADIANS_PER_DEGREE),
    OF_COMPANION("m0_deg", m0_rad, RADIANS_PER_DEGREE),
    OF_COMPANION("t_peri", t_peri_jd, 1.0),
    OF_COMPANION("a0_mas", a0_mas, 1.0),
    OF_COMPANION("inclination_deg", inclination_rad, RADIANS_PER_DEGREE),
    OF_COMPANION("node_deg", node_rad, RADIANS_PER_DEGREE),
    OF_COMPANION("k_m_s", k_m_s, 1.0),
    OF_COMPANION("a1_au", a1_au, 1.0),
    OF_COMPANION("mass_jupiter", mass_jupiter, 1.0),
    OF_COMPANION("a_au", a_au, 1.0),
    {"mass_function_sun", offsetof(equant_sky_companion, mass_function_sun), 1.0},
    OF_CONSTANT("A", 0),
    OF_CONSTANT("B", 1),
    OF_CONSTANT("F", 2),
    OF_CONSTANT("G", 3)};

static const struct named_member summary_members[] = {
    {"astrometry.jitter_mas", offsetof(equant_sky_summary, jitter_mas), 1.0},
    {"astrometry.goodness_f2", offsetof(equant_sky_summary, goodness_f2), 1.0},
    {"astrometry.gain", offsetof(equant_sky_summary, gain), 1.0},
    {"astrometry.fap", offsetof(equant_sky_summary, false_alarm), 1.0},
    {"astrometry.fap_5p", offsetof(equant_sky_summary, false_alarm_plain), 1.0},
    {"astrometry.fap_scan_angle", offsetof(equant_sky_summary, false_alarm_scan_angle), 1.0},
    {"chi2", offsetof(equant_sky_summary, chi_square), 1.0},
    {"lnl", offsetof(equant_sky_summary, log_likelihood), 1.0},
    {"t_ref", offsetof(equant_sky_summary, reference_jd), 1.0}};

static const struct named_member model_members[] = {
    {"n_parameters", offsetof(struct sky_star_model, n_parameters), 1.0},
    {"chi2", offsetof(struct sky_star_model, chi_square), 1.0},
    {"bic", offsetof(struct sky_star_model, bic), 1.0},
    {"jitter_mas", offsetof(struct sky_star_model, jitter_mas), 1.0}};

/* Numbers that JSON does not have are unknown. */
static equant_sky_companion unknown_companion(void)
{
    equant_sky_companion own = {.struct_size = sizeof own};
    for (size_t i = 0; i < sizeof companion_members / sizeof *companion_members; i++)
        named_members_put(companion_members + i, 1, &own, companion_members[i].name, NAN);
    return own;
}

/* astrometry.parameters.NAME and NAME_err, the value first. */
static void put_column(struct sky_star *star, const char *name, double value)
{
    size_t n = strlen(name);
    bool is_error = n > 4 && strcmp(name + n - 4, "_err") == 0;
    if (is_error && star->n_columns > 0)
        star->columns[star->n_columns - 1].error = value;
    if (is_error || star->n_columns == SKY_STAR_MOST_COLUMNS)
        return;
    struct sky_star_column *own = &star->columns[star->n_columns++];
    *own = (struct sky_star_column){.value = value, .error = NAN};
    snprintf(own->name, sizeof own->name, "%.*s", (int)sizeof own->name - 1, name);
}

static void take_number(const char *path, double value, void *context)
{
    struct sky_star *star = context;
    char name[64];
    size_t i;
    if (sscanf(path, "planets[%zu].%63s", &i, name) == 2 && i < SKY_STAR_MOST_COMPANIONS) {
        while (star->n_companions <= i)
            star->companions[star->n_companions++] = unknown_companion();
        NAMED_MEMBERS_PUT(companion_members, &star->companions[i], name, value);
    } else if (sscanf(path, "astrometry.parameters.%63s", name) == 1) {
        put_column(star, name, value);
    } else if (sscanf(path, "astrometry.models[%zu].%63s", &i, name) == 2 && i < star->n_models) {
        NAMED_MEMBERS_PUT(model_members, &star->models[i], name, value);
    } else if (strcmp(path, "astrometry.n_transits") == 0) {
        star->summary.n_transits = (size_t)bounded_count(value);
    } else if (strcmp(path, "astrometry.n_motions") == 0) {
        star->summary.n_motions = (size_t)bounded_count(value);
    } else if (strcmp(path, "n_obs") == 0) {
        star->summary.n_rows = (size_t)bounded_count(value);
    } else {
        NAMED_MEMBERS_PUT(summary_members, &star->summary, path, value);
    }
}

static void take_string(const char *path, const char *value, void *context)
{
    struct sky_star *star = context;
    size_t i;
    char name[64];
    const struct {
        const char *path;
        char *text;
        size_t n;
    } texts[] = {{"astrometry.verdict", star->verdict, sizeof star->verdict},
                 {"astrometry.words", star->words, sizeof star->words},
                 {"astrometry.flags", star->flags, sizeof star->flags},
                 {"astrometry.source_id", star->source_id, sizeof star->source_id}};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        if (strcmp(path, texts[k].path) == 0)
            snprintf(texts[k].text, texts[k].n, "%s", value);
    if (strncmp(path, "warnings[", strlen("warnings[")) == 0)
        text_list_add(&star->remarks, "%s", value);
    if (sscanf(path, "astrometry.models[%zu].%63s", &i, name) == 2 && strcmp(name, "name") == 0 &&
        i == star->n_models && i < SKY_STAR_MOST_MODELS) {
        star->models[i] = (struct sky_star_model){.chi_square = NAN, .bic = NAN, .jitter_mas = NAN};
        snprintf(star->models[i].name, sizeof star->models[i].name, "%s", value);
        star->n_models++;
    }
}

static void notice_verdict(const char *path, const char *value, void *context)
{
    (void)value;
    if (strcmp(path, "astrometry.verdict") == 0)
        *(bool *)context = true;
}

bool sky_folder_is_there(const char *folder)
{
    bool is_there = false;
    struct json_listener listener = {.on_string = notice_verdict, .context = &is_there};
    char *path = output_folder_join(folder, FIT_FOLDER_MARK);
    if (path != NULL && system_file_exists(path))
        json_reader_file(path, &listener);
    free(path);
    return is_there;
}

/* Files of two fits may lie in one folder, where somebody copied or stopped in between. Proper
 * motions of a catalogue, where there are some, are rows that no table has. */
static int check(const struct sky_star *star, const char *folder)
{
    enum { N_MOTIONS = 7 }; /* and the parallax */
    size_t n = star->scans.n_rows + star->velocities.n_rows, wanted = star->summary.n_rows;
    bool is_whole = n == wanted || n + N_MOTIONS == wanted;
    if (n > 0 && is_whole && !isnan(star->summary.reference_jd))
        return EXIT_CODE_OK;
    return messages_failure("%s: " FIT_FOLDER_MARK " is of %zu rows, and " SKY_STAR_SCANS
                            " and " SKY_STAR_VELOCITIES " have %zu: they are not of one fit",
                            folder, wanted, n);
}

int sky_folder_read(const char *folder, struct sky_star *star)
{
    *star = (struct sky_star){.summary = {.struct_size = sizeof star->summary}};
    for (size_t i = 0; i < sizeof summary_members / sizeof *summary_members; i++)
        named_members_put(summary_members + i, 1, &star->summary, summary_members[i].name, NAN);
    struct json_listener listener = {
        .on_number = take_number, .on_string = take_string, .context = star};
    char *path = output_folder_join(folder, FIT_FOLDER_MARK);
    int code = path != NULL ? json_reader_file(path, &listener) : EXIT_CODE_FAILED;
    free(path);
    if (code == EXIT_CODE_OK)
        code = number_table_read(folder, SKY_STAR_SCANS, SKY_N_SCAN_COLUMNS, &star->scans);
    if (code == EXIT_CODE_OK)
        code = number_table_read(folder, SKY_STAR_VELOCITIES, SKY_N_VELOCITY_COLUMNS,
                                 &star->velocities);
    if (code == EXIT_CODE_OK)
        code = number_table_read(folder, SKY_STAR_PERIODOGRAM, SKY_N_PERIODOGRAM_COLUMNS,
                                 &star->periodogram);
    if (code == EXIT_CODE_OK)
        code = check(star, folder);
    if (code == EXIT_CODE_OK) {
        for (int i = 0; i < SKY_STAR_N_LEVELS; i++)
            star->levels[i] = number_table_note(folder, SKY_STAR_PERIODOGRAM, level_names[i]);
        sky_star_find_parallax(star);
        star->summary.n_companions = star->n_companions;
    }
    return code == EXIT_CODE_OK && star->remarks.out_of_memory ? messages_out_of_memory() : code;
}
