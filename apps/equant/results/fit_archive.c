#include "results/fit_archive.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files/input_file.h"
#include "files/json_reader.h"
#include "files/named_members.h"
#include "files/output_folder.h"
#include "options/star_request.h"
#include "results/fit_folder.h"
#include "results/noise_archive.h"
#include "stars/dataset_order.h"
#include "stars/fit_hints.h"
#include "stars/conditional_noise.h"
#include "terminal/angles.h"
#include "terminal/bounded_number.h"
#include "terminal/messages.h"

enum { MOST_PLANETS = 20, MOST_INSTRUMENTS = 1000, NAME_SIZE = 64 };

struct instrument {
    char *name;
    struct star_parameter quantities[QUANTITY_KIND_MOST]; /* by the index of the catalogue */
};

/* fit.json as it is read. */
struct draft {
    struct star_result *star;
    struct star_planet planets[MOST_PLANETS];
    size_t n_planets, n_instruments;
    bool has_n_fitted;
    struct instrument instruments[MOST_INSTRUMENTS];
    struct star_parameter linear, quadratic; /* of the trend; NaN: none */
};

/* ---- numbers ------------------------------------------------------------------------- */

#define MEMBER(type, member)                                                                       \
    {                                                                                              \
#member, offsetof(type, member), 1.0                                                       \
    }
static const struct named_member planet_members[] = {
    {"fap", offsetof(struct star_planet, false_alarm), 1.0},
    {"delta_lnl", offsetof(struct star_planet, log_likelihood_gain), 1.0},
    MEMBER(struct star_planet, delta_bic),
    MEMBER(struct star_planet, probability),
    {"fip", offsetof(struct star_planet, false_inclusion), 1.0},
    MEMBER(struct star_planet, period_days_bound),
    MEMBER(struct star_planet, k_m_s_low),
    MEMBER(struct star_planet, k_m_s_high),
    MEMBER(struct star_planet, eccentricity_low),
    MEMBER(struct star_planet, eccentricity_high),
    MEMBER(struct star_planet, m_jupiter),
    MEMBER(struct star_planet, m_jupiter_err),
};

static const struct named_member summary_members[] = {
    {"chi2", offsetof(equant_fit_summary, chi_square), 1.0},
    {"lnl", offsetof(equant_fit_summary, log_likelihood), 1.0},
    MEMBER(equant_fit_summary, bic),
    MEMBER(equant_fit_summary, rms_m_s),
    {"t_ref", offsetof(equant_fit_summary, reference_time_days), 1.0},
    {"lnl_without_planets", offsetof(equant_fit_summary, log_likelihood_without_planets), 1.0},
    MEMBER(equant_fit_summary, bic_without_planets),
    MEMBER(equant_fit_summary, period_min_days),
    MEMBER(equant_fit_summary, period_max_days),
};

static const struct named_member trend_members[] = {
    {"linear_m_s_day", offsetof(struct draft, linear.value), 1.0},
    {"linear_m_s_day_err", offsetof(struct draft, linear.uncertainty), 1.0},
    {"quadratic_m_s_day2", offsetof(struct draft, quadratic.value), 1.0},
    {"quadratic_m_s_day2_err", offsetof(struct draft, quadratic.uncertainty), 1.0},
};

/* The quantity that JSON calls so, or whose error it calls so. */
static bool find_quantity(const char *name, size_t *kind, bool *is_error)
{
    for (*kind = 0; *kind < quantity_kind_n(); ++*kind) {
        const char *shown = quantity_kind_at(*kind).shown_name, *rest = name + strlen(shown);
        *is_error = strncmp(name, shown, strlen(shown)) == 0 && strcmp(rest, "_err") == 0;
        if (*is_error || strcmp(name, shown) == 0)
            return true;
    }
    return false;
}

static double kept_per_shown(size_t kind)
{
    return quantity_kind_at(kind).is_angle ? RADIANS_PER_DEGREE : 1.0;
}

/* What JSON cannot say, it does not say: numbers that are not there are unknown. */
static void put_planet(struct star_planet *planet, const char *name, double value)
{
    size_t kind;
    bool is_error;
    if (!find_quantity(name, &kind, &is_error))
        NAMED_MEMBERS_PUT(planet_members, planet, name, value);
    else
        (is_error ? planet->errors : planet->values)[kind] = value * kept_per_shown(kind);
}

static const struct named_member alias_members[] = {
    MEMBER(equant_alias, period_days),
    MEMBER(equant_alias, probability),
    MEMBER(equant_alias, delta_lnl),
    MEMBER(equant_alias, overlap),
};

/* aliases[J].NAME of a planet. */
static void put_alias(struct star_planet *planet, const char *path, double value)
{
    size_t i;
    char name[NAME_SIZE];
    if (sscanf(path, "aliases[%zu].%63s", &i, name) != 2 || i >= STAR_PLANET_MOST_ALIASES)
        return;
    planet->n_aliases = planet->n_aliases > i ? planet->n_aliases : i + 1;
    NAMED_MEMBERS_PUT(alias_members, &planet->aliases[i], name, value);
}

/* n_planets[N].probability. */
static void put_number(struct star_result *star, const char *path, double value)
{
    size_t n;
    char name[NAME_SIZE];
    if (sscanf(path, "n_planets[%zu].%63s", &n, name) != 2 || strcmp(name, "probability") != 0 ||
        n != star->n_numbers || n >= STAR_RESULT_MOST_NUMBERS)
        return;
    star->numbers[star->n_numbers++] = value;
}

static void put_instrument(struct instrument *instrument, const char *name, double value)
{
    size_t kind;
    bool is_error;
    if (find_quantity(name, &kind, &is_error)) {
        struct star_parameter *own = &instrument->quantities[kind];
        *(is_error ? &own->uncertainty : &own->value) = value * kept_per_shown(kind);
    }
}

static void take_boolean(const char *path, bool value, void *context)
{
    struct draft *draft = context;
    noise_archive_take_boolean(&draft->star->noise, path, value);
}

static void take_number(const char *path, double value, void *context)
{
    struct draft *draft = context;
    char name[NAME_SIZE];
    size_t i;
    if (noise_archive_take_number(&draft->star->noise, path, value) ||
        noise_archive_take_outlier(&draft->star->outliers, path, value))
        return;
    if (sscanf(path, "planets[%zu].%63s", &i, name) == 2 && i < MOST_PLANETS) {
        while (draft->n_planets <= i)
            draft->planets[draft->n_planets++] = star_planet_unknown();
        put_planet(&draft->planets[i], name, value);
        put_alias(&draft->planets[i], name, value);
    } else if (sscanf(path, "candidate.%63s", name) == 1) {
        if (!draft->star->has_candidate)
            draft->star->candidate = star_planet_unknown();
        draft->star->has_candidate = true;
        put_planet(&draft->star->candidate, name, value);
    } else if (sscanf(path, "instruments[%zu].%63s", &i, name) == 2 && i < draft->n_instruments) {
        put_instrument(&draft->instruments[i], name, value);
    } else if (sscanf(path, "trend.%63s", name) == 1) {
        NAMED_MEMBERS_PUT(trend_members, draft, name, value);
    } else if (strcmp(path, "n_obs") == 0) {
        draft->star->summary.n_obs = (size_t)bounded_count(value);
    } else if (strcmp(path, "n_fitted") == 0) {
        draft->star->summary.n_fitted = (size_t)bounded_count(value);
        draft->has_n_fitted = true;
    } else if (strcmp(path, "n_parameters") == 0) {
        if (!draft->has_n_fitted) /* which older files call so */
            draft->star->summary.n_fitted = (size_t)bounded_count(value);
    } else {
        put_number(draft->star, path, value);
        NAMED_MEMBERS_PUT(summary_members, &draft->star->summary, path, value);
    }
}

/* ---- texts ----------------------------------------------------------------------------- */

/* What a planet, or the candidate, says in words; its numbers stand before. */
static bool take_word(struct draft *draft, const char *path, const char *value)
{
    struct star_result *star = draft->star;
    size_t i;
    char name[NAME_SIZE];
    if (sscanf(path, "planets[%zu].%63s", &i, name) == 2 && strcmp(name, "at_limit") == 0 &&
        i < draft->n_planets)
        draft->planets[i].at_limit = star_planet_limit_of(value);
    else if (sscanf(path, "planets[%zu].%63s", &i, name) == 2 && strcmp(name, "letter") == 0 &&
             i < draft->n_planets && i == strlen(star->letters.text) && i < MOST_PLANETS)
        star->letters.text[i] = value[0];
    else if (strcmp(path, "candidate.at_limit") == 0)
        star->candidate.at_limit = star_planet_limit_of(value);
    else if (strcmp(path, "probabilities") == 0)
        star->is_sampled = strcmp(value, "full") == 0;
    else if (strcmp(path, "candidate.refused_because.condition") == 0)
        snprintf(star->refused_because, sizeof star->refused_because, "%s", value);
    else if (strcmp(path, "candidate.refused_because.sentence") == 0)
        snprintf(star->refusal, sizeof star->refusal, "%s", value);
    else
        return false;
    return true;
}

/* What is said of the noise; instruments stand before it. */
static bool take_noise(struct draft *draft, const char *path, const char *value)
{
    struct star_noise_indicator *own = noise_archive_instrument(&draft->star->noise, path);
    for (size_t i = 0; own != NULL && i < draft->n_instruments; i++)
        if (draft->instruments[i].name != NULL && strcmp(draft->instruments[i].name, value) == 0)
            own->instrument = i;
    return own != NULL || noise_archive_take_string(&draft->star->noise, path, value);
}

/* The name of an instrument stands before its numbers. */
static void take_string(const char *path, const char *value, void *context)
{
    struct draft *draft = context;
    size_t i;
    char name[NAME_SIZE];
    if (take_word(draft, path, value) || take_noise(draft, path, value))
        return;
    if (strncmp(path, "warnings[", strlen("warnings[")) == 0)
        text_list_add(&draft->star->warnings, "%s", value);
    else if (strncmp(path, "hints[", strlen("hints[")) == 0)
        text_list_add(&draft->star->hints, "%s", value);
    else if (sscanf(path, "instruments[%zu].%63s", &i, name) == 2 && strcmp(name, "name") == 0 &&
             i == draft->n_instruments && i < MOST_INSTRUMENTS)
        draft->instruments[draft->n_instruments++].name = strdup(value);
}

static void take_origin_string(const char *path, const char *value, void *context)
{
    struct fit_archive *archive = context;
    char **place = strcmp(path, "version") == 0     ? &archive->version
                   : strcmp(path, "star_name") == 0 ? &archive->star_name
                   : strcmp(path, "command") == 0   ? &archive->command
                                                    : NULL;
    if (place == NULL || *place != NULL)
        return;
    *place = strdup(value);
    archive->is_out_of_memory = archive->is_out_of_memory || *place == NULL;
}

static void take_origin_number(const char *path, double value, void *context)
{
    equant_star *star = &((struct fit_archive *)context)->host;
    star->struct_size = sizeof *star;
    for (size_t i = 0; star_request_name(i) != NULL; i++)
        if (strcmp(path, star_request_name(i)) == 0 && isfinite(value) && value > 0.0)
            *star_request_number(star, i) = value;
}

/* ---- from files to a star ---------------------------------------------------------------- */

static int read_data(const char *path, const struct draft *draft, equant_dataset **dataset)
{
    const char *names[MOST_INSTRUMENTS];
    equant_dataset_options options = {.struct_size = sizeof options};
    equant_dataset *read = NULL;
    for (size_t i = 0; i < draft->n_instruments; i++) {
        names[i] = draft->instruments[i].name;
        if (names[i] == NULL)
            return messages_out_of_memory();
    }
    input_file_note(path);
    equant_status status = equant_dataset_from_files(1, &path, &options, &read);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    status = dataset_order_copy(read, draft->n_instruments, names,
                                draft->star->summary.reference_time_days, dataset);
    equant_dataset_free(read);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT)
        return messages_failure("%s: an instrument in it is not in " FIT_FOLDER_MARK
                                ": the two are not of one fit",
                                path);
    return messages_status(status);
}

static void set_parameters(struct star_result *star, const struct draft *draft)
{
    char name[QUANTITY_KIND_NAME_SIZE];
    for (size_t k = 0; k < quantity_kind_n(); k++) {
        equant_quantity_info kind = quantity_kind_at(k);
        bool is_of_planet = kind.axis == EQUANT_QUANTITY_PER_PLANET;
        bool is_of_instrument = kind.axis == EQUANT_QUANTITY_PER_INSTRUMENT;
        for (size_t i = 0; is_of_planet && i < star->n_planets; i++) {
            const struct star_planet *planet = &star->planets[i];
            quantity_kind_name(&kind, i + 1, name);
            star_result_set(star, name,
                            (struct star_parameter){planet->values[k], planet->errors[k]});
        }
        for (size_t i = 0; is_of_instrument && i < draft->n_instruments; i++) {
            quantity_kind_name(&kind, i + 1, name);
            star_result_set(star, name, draft->instruments[i].quantities[k]);
        }
    }
    star_result_set(star, "trend_m_s_day", draft->linear);
    star_result_set(star, "trend_m_s_day2", draft->quadratic);
}

/* A folder may hold the files of two fits, where somebody copied or stopped in between. */
static int check(const struct star_result *star, const char *path, double chi_square)
{
    const double rounding = 1e-6;
    double wanted = star->summary.chi_square;
    if (fabs(chi_square - wanted) <= rounding * fabs(wanted))
        return EXIT_CODE_OK;
    return messages_failure("%s: chi-square is %.8g with these data, and %.8g in " FIT_FOLDER_MARK
                            ": the two are not of one fit",
                            path, chi_square, wanted);
}

/* The same where there is noise beside jitters, by the likelihood; that of a fit with indicators as
 * series knows more than velocities. */
static int check_with_noise(struct star_result *star, const char *path)
{
    const double rounding = 1e-6;
    double wanted = star->summary.log_likelihood, there = NAN;
    int code = noise_process_evaluate(star, &there);
    if (code != EXIT_CODE_OK || star->noise.has_series ||
        fabs(there - wanted) <= rounding * fmax(fabs(wanted), 1.0))
        return code;
    return messages_failure("%s: ln L is %.8g with these data, and %.8g in " FIT_FOLDER_MARK
                            ": the two are not of one fit",
                            path, there, wanted);
}

static int assemble(struct star_result *star, const struct draft *draft, const char *data_path)
{
    double chi_square = NAN;
    equant_trend trend = isnan(draft->linear.value)      ? EQUANT_TREND_NONE
                         : isnan(draft->quadratic.value) ? EQUANT_TREND_LINEAR
                                                         : EQUANT_TREND_QUADRATIC;
    star->n_planets = draft->n_planets;
    star->planets = calloc(star->n_planets + 1, sizeof *star->planets);
    if (star->planets == NULL)
        return messages_out_of_memory();
    memcpy(star->planets, draft->planets, star->n_planets * sizeof *star->planets);
    int code = read_data(data_path, draft, &star->dataset);
    if (code == EXIT_CODE_OK)
        code = star_outliers_widen(star);
    if (code == EXIT_CODE_OK)
        code = star_result_prepare(star, trend);
    if (code != EXIT_CODE_OK)
        return code;
    set_parameters(star, draft);
    code = star_result_evaluate(star, &chi_square);
    if (code == EXIT_CODE_OK)
        code = star_noise_is_white(&star->noise) ? check(star, data_path, chi_square)
                                                 : check_with_noise(star, data_path);
    /* The Python package looks for none. */
    if (code == EXIT_CODE_OK && star->hints.n == 0)
        fit_hints_collect(star, &star->hints);
    return code;
}

static int read_fit(const char *mark, const char *data_path, struct star_result *star)
{
    struct draft *draft = calloc(1, sizeof *draft);
    if (draft == NULL)
        return messages_out_of_memory();
    draft->star = star;
    draft->linear = draft->quadratic = (struct star_parameter){NAN, NAN};
    struct json_listener listener = {.on_number = take_number,
                                     .on_string = take_string,
                                     .context = draft,
                                     .on_boolean = take_boolean};
    int code = json_reader_file(mark, &listener);
    if (code == EXIT_CODE_OK && draft->n_instruments == 0)
        code = messages_failure("%s: this is not what `equant fit` writes", mark);
    if (code == EXIT_CODE_OK)
        code = assemble(star, draft, data_path);
    for (size_t i = 0; i < draft->n_instruments; i++)
        free(draft->instruments[i].name);
    free(draft);
    return code;
}

/* ---- the folder ------------------------------------------------------------------------------ */

bool fit_archive_is_there(const char *folder)
{
    char *mark = output_folder_join(folder, FIT_FOLDER_MARK);
    bool is_there = mark != NULL && access(mark, F_OK) == 0;
    free(mark);
    return is_there;
}

int fit_archive_read_origin(const char *folder, struct fit_archive *archive)
{
    char *origin = output_folder_join(folder, FIT_FOLDER_ORIGIN);
    int code = origin != NULL ? EXIT_CODE_OK : EXIT_CODE_FAILED;
    if (code == EXIT_CODE_OK && access(origin, F_OK) == 0) {
        struct json_listener listener = {
            .on_number = take_origin_number, .on_string = take_origin_string, .context = archive};
        code = json_reader_file(origin, &listener);
        if (code == EXIT_CODE_OK && archive->is_out_of_memory)
            code = messages_out_of_memory();
    }
    free(origin);
    return code;
}

int fit_archive_read(const char *folder, struct fit_archive *archive)
{
    char *mark = output_folder_join(folder, FIT_FOLDER_MARK);
    char *data_path = output_folder_join(folder, "residuals.ecsv");
    *archive = (struct fit_archive){0};
    int code = mark != NULL && data_path != NULL ? read_fit(mark, data_path, &archive->star)
                                                 : EXIT_CODE_FAILED;
    if (code == EXIT_CODE_OK)
        code = fit_archive_read_origin(folder, archive);
    free(mark);
    free(data_path);
    return code;
}

void fit_archive_free(struct fit_archive *archive)
{
    star_result_free(&archive->star);
    free(archive->version);
    free(archive->star_name);
    free(archive->command);
    *archive = (struct fit_archive){0};
}
