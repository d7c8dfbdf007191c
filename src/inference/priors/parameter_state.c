#include "inference/priors/parameter_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "model/circle.h"

/* ---- sentences -------------------------------------------------------------------------- */

equant_status parameter_state_fail(const parameter_state *state, const char *format, ...)
{
    char sentence[700];
    va_list values;
    va_start(values, format);
    decimal_text_vprint(sentence, sizeof sentence, format, values);
    va_end(values);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%s%s%s", state->where,
                       state->where[0] ? ": " : "", sentence);
}

size_t parameter_state_distance(const char *one, const char *other)
{
    size_t row[STATE_NAME_SIZE + 1], n = strlen(other);
    if (n > STATE_NAME_SIZE)
        return n;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; one[i - 1] != '\0'; i++) {
        size_t before = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t changed = before + (one[i - 1] != other[j - 1]);
            before = row[j];
            size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = changed < shorter ? changed : shorter;
        }
    }
    return row[n];
}

/* ---- names ------------------------------------------------------------------------------- */

/* What others call them: not taken, since units would be guessed, but understood. */
static const struct {
    const char *said, *meant;
} synonyms[] = {{"P", "period_days"},
                {"per", "period_days"},
                {"period", "period_days"},
                {"K", "k_m_s"},
                {"k", "k_m_s"},
                {"e", "eccentricity"},
                {"ecc", "eccentricity"},
                {"w", "omega_deg"},
                {"omega", "omega_deg"},
                {"tc", "t_conj"},
                {"t0", "t_conj"},
                {"tp", "t_peri"},
                {"msini", "m_sin_i_jupiter"},
                {"mass", "m_sin_i_jupiter"},
                {"a", "a_au"},
                {"m0", "m0_deg"},
                {"jit", "jitter"},
                {"gamma", "offset"},
                {"dvdt", "trend_m_s_day"},
                {"curv", "trend_m_s_day2"}};

#define TRANSIT "transit"

static bool is_of_planet(const quantity_kind *kind)
{
    return kind->info.axis == EQUANT_QUANTITY_PER_PLANET;
}

/* Jitters and offsets are written without their unit, the instrument in brackets. */
static const char *written_name(const quantity_kind *kind, bool is_shown)
{
    if (kind->term == TERM_OFFSETS)
        return "offset";
    if (kind->term == TERM_JITTERS)
        return "jitter";
    return is_shown ? kind->info.shown_name : kind->info.name;
}

/* What a transit that was seen in light says of a shape: the density that the star would have if
 * the orbit were a circle, over its own, ((1 + e sin omega) / sqrt(1 - e^2))^3 (Dawson & Johnson
 * 2012).
 */
static double density_ratio(const keplerian_orbit *own)
{
    return pow((1.0 + own->e * sin(own->omega)) / sqrt(1.0 - own->e * own->e), 3.0);
}

/* What states alone know: of no column, and in no table of quantities. */
static const quantity_kind of_states[] = {{.info.name = "density_ratio",
                                           .info.shown_name = "density_ratio",
                                           .info.axis = EQUANT_QUANTITY_PER_PLANET,
                                           .info.shown_factor = 1.0,
                                           .term = N_TERMS,
                                           .formula = density_ratio},
                                          {.info.name = "inclination_deg",
                                           .info.shown_name = "inclination_deg",
                                           .info.axis = EQUANT_QUANTITY_PER_PLANET,
                                           .info.shown_factor = 1.0,
                                           .term = N_TERMS}};
enum { N_OF_STATES = sizeof of_states / sizeof of_states[0] };

static const quantity_kind *find_kind(const char *name, bool of_planet, bool *is_shown)
{
    for (size_t i = 0; i < N_OF_STATES && of_planet; i++)
        if (strcmp(name, of_states[i].info.name) == 0) {
            *is_shown = false;
            return &of_states[i];
        }
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        *is_shown = strcmp(name, written_name(kind, false)) != 0;
        if (is_of_planet(kind) == of_planet && strcmp(name, written_name(kind, *is_shown)) == 0)
            return kind;
    }
    return NULL;
}

static void consider(const char *name, const char *candidate, size_t *least, const char **best)
{
    size_t distance = parameter_state_distance(name, candidate);
    if (distance < *least) {
        *least = distance;
        *best = candidate;
    }
}

/* The name that was probably meant; NULL where none is near. */
static const char *nearest_name(const char *name, bool of_planet)
{
    const char *best = NULL;
    size_t least = strlen(name) / 3 + 2;
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
        bool is_shown;
        if (strcmp(name, synonyms[i].said) == 0 &&
            find_kind(synonyms[i].meant, of_planet, &is_shown))
            return synonyms[i].meant;
    }
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        if (is_of_planet(kind) == of_planet) {
            consider(name, written_name(kind, false), &least, &best);
            consider(name, written_name(kind, true), &least, &best);
        }
    }
    consider(name, of_planet ? TRANSIT : "trend", &least, &best);
    if (!of_planet)
        consider(name, "orbits", &least, &best);
    for (size_t i = 0; i < N_OF_STATES && of_planet; i++)
        consider(name, of_states[i].info.name, &least, &best);
    return best;
}

static equant_status refuse_name(const parameter_state *state, const char *own)
{
    bool is_shown;
    if (!state->letter && (find_kind(own, true, &is_shown) || strcmp(own, TRANSIT) == 0))
        return parameter_state_fail(state,
                                    "'%s' belongs to a planet: write its letter before it, "
                                    "'b.%s'",
                                    state->name, own);
    if (state->letter && find_kind(own, false, &is_shown))
        return parameter_state_fail(state, "'%s' belongs to no planet: leave '%c.' out", own,
                                    state->letter);
    const char *meant = nearest_name(own, state->letter != 0);
    if (meant && state->letter)
        return parameter_state_fail(state, "there is no parameter '%s': did you mean '%c.%s'?",
                                    state->name, state->letter, meant);
    if (meant)
        return parameter_state_fail(state, "there is no parameter '%s': did you mean '%s'?",
                                    state->name, meant);
    return parameter_state_fail(
        state,
        "there is no parameter '%s': planets have period_days, k_m_s, eccentricity, omega_deg, "
        "m0_deg, t_conj, t_peri, t_sup, m_sin_i_jupiter, a_au, inclination_deg, density_ratio and "
        "transit, as in b.period_days; there are jitter[NAME], offset[NAME], trend and orbits",
        state->name);
}

/* "jitter[HARPS]" into its two parts. */
static equant_status split_instrument(parameter_state *state, char *own)
{
    char *open = strchr(own, '['), *close = strrchr(own, ']');
    if (!open && !close)
        return EQUANT_SUCCESS;
    if (!open || !close || close < open || close[1] != '\0' || close == open + 1)
        return parameter_state_fail(state,
                                    "'%s' should name an instrument in brackets, as in "
                                    "jitter[HARPS]",
                                    state->name);
    if ((size_t)(close - open) > sizeof state->instrument)
        return parameter_state_fail(state, "the name of the instrument in '%s' is too long",
                                    state->name);
    memcpy(state->instrument, open + 1, (size_t)(close - open - 1));
    *open = '\0';
    return EQUANT_SUCCESS;
}

static equant_status read_name(parameter_state *state, bool *is_shown)
{
    char own[STATE_NAME_SIZE];
    const char *dot = strchr(state->name, '.'), *bracket = strchr(state->name, '[');
    bool has_letter = dot && (!bracket || dot < bracket);
    *is_shown = false;
    snprintf(own, sizeof own, "%s", has_letter ? dot + 1 : state->name);
    if (has_letter) {
        char letter = state->name[0];
        if (dot != state->name + 1 || letter < STATE_FIRST_LETTER || letter > STATE_LAST_LETTER)
            return parameter_state_fail(state,
                                        "'%s' should begin with the letter of a planet, b to "
                                        "z, and a point",
                                        state->name);
        state->letter = letter;
    }
    equant_status status = split_instrument(state, own);
    if (status != EQUANT_SUCCESS)
        return status;
    if (state->letter && strcmp(own, TRANSIT) == 0) {
        state->is_transit = true;
        state->kind = quantity_catalogue_find("t_conj");
        return EQUANT_SUCCESS;
    }
    if (!state->letter && strcmp(own, "trend") == 0) {
        state->form = STATE_TREND;
        return EQUANT_SUCCESS;
    }
    if (!state->letter && strcmp(own, "orbits") == 0) {
        state->form = STATE_APART;
        return EQUANT_SUCCESS;
    }
    state->kind = find_kind(own, state->letter != 0, is_shown);
    if (!state->kind)
        return refuse_name(state, own);
    if (state->instrument[0] && state->kind->info.axis != EQUANT_QUANTITY_PER_INSTRUMENT &&
        state->kind->term != TERM_NOISE)
        return parameter_state_fail(state, "'%s' is of no instrument: leave the brackets out", own);
    return EQUANT_SUCCESS;
}

/* ---- values ------------------------------------------------------------------------------- */

typedef struct value_range {
    double lower, upper;
    bool lower_is_out, upper_is_out; /* the ends themselves are no values */
} value_range;

static value_range possible_values(const quantity_kind *kind)
{
    value_range range = {.lower = -INFINITY, .upper = INFINITY};
    bool is_signed = kind->is_event || kind->info.is_angle || kind->term == TERM_OFFSETS ||
                     kind->term == TERM_TREND;
    if (is_signed)
        return range;
    range.lower = 0.0;
    if (kind->term == TERM_ORBITS && kind->place == ELEMENT_ECCENTRICITY) {
        range.upper = 1.0;
        range.upper_is_out = true;
    }
    range.lower_is_out = (kind->term == TERM_ORBITS && kind->place == ELEMENT_PERIOD) ||
                         kind->term == TERM_NOISE || kind->term == N_TERMS;
    return range;
}

/* "1:3" is a range. */
static bool read_range(const char *text, prior_density *made)
{
    char *end;
    double lower = decimal_text_read(text, &end), upper;
    while (*end == ' ')
        end++;
    if (end == text || *end != ':')
        return false;
    const char *second = end + 1;
    upper = decimal_text_read(second, &end);
    while (*end == ' ')
        end++;
    if (end == second || *end != '\0')
        return false;
    *made = prior_density_uniform(lower, upper);
    return true;
}

/* In the unit that is kept, where the name has that which is shown. */
static void change_unit(double factor, prior_density *density)
{
    *density = prior_density_make(density->kind, density->first / factor, density->second / factor,
                                  density->lower / factor, density->upper / factor);
}

static equant_status check_values(const parameter_state *state)
{
    const prior_density *own = &state->density;
    value_range range = possible_values(state->kind);
    bool is_point = own->kind == PRIOR_FIXED;
    if (state->kind->info.is_angle && !is_point && own->kind != PRIOR_UNIFORM &&
        own->kind != PRIOR_NORMAL)
        return parameter_state_fail(state,
                                    "%s is an angle: it may have a value, a range or a "
                                    "normal prior, not '%s'",
                                    state->name, state->text);
    if (own->kind == PRIOR_FALLING_LIMIT || own->kind == PRIOR_TURNS)
        return parameter_state_fail(state, "'%s' is a prior of --prior, not a state of %s",
                                    state->text, state->name);
    if (own->lower < range.lower || own->upper > range.upper ||
        (is_point && ((own->first == range.lower && range.lower_is_out) ||
                      (own->first == range.upper && range.upper_is_out))))
        return parameter_state_fail(state, "%s=%s reaches beyond what the parameter can be, %s%s",
                                    state->name, state->text,
                                    range.lower_is_out ? "above zero" : "zero or more",
                                    range.upper_is_out ? " and below one" : "");
    if (state->kind->info.is_angle && own->upper - own->lower > TWO_PI * (1.0 + 1e-9) &&
        own->kind == PRIOR_UNIFORM)
        return parameter_state_fail(state, "%s=%s is wider than a turn", state->name, state->text);
    if (state->is_transit && own->kind != PRIOR_NORMAL)
        return parameter_state_fail(state,
                                    "a transit is a time with its error: write "
                                    "%s=normal(TIME, ERROR), not '%s'",
                                    state->name, state->text);
    if (is_point && state->kind->term == N_TERMS && !state->kind->is_event &&
        !state->kind->info.is_angle)
        return parameter_state_fail(state,
                                    "%s follows from the orbit: it may have a prior, but no "
                                    "fixed value",
                                    state->name);
    return EQUANT_SUCCESS;
}

static equant_status read_trend(parameter_state *state)
{
    static const char *const orders[] = {"none", "linear", "quadratic"};
    for (int i = 0; i < 3; i++)
        if (strcmp(state->text, orders[i]) == 0) {
            state->trend_order = i;
            return EQUANT_SUCCESS;
        }
    return parameter_state_fail(state,
                                "trend is none, linear or quadratic, not '%s'; its terms are "
                                "trend_m_s_day and trend_m_s_day2",
                                state->text);
}

/* Degrees, with an error or without; it enters no likelihood. */
static equant_status check_inclination(parameter_state *state)
{
    const prior_density *own = &state->density;
    state->form = STATE_BESIDE;
    bool is_said = own->kind == PRIOR_FIXED || own->kind == PRIOR_NORMAL;
    if (is_said && own->first > 0.0 && own->first <= 90.0)
        return EQUANT_SUCCESS;
    return parameter_state_fail(state,
                                "%s=%s: an inclination is a value above 0 and up to 90 degrees, or "
                                "normal(VALUE, ERROR)",
                                state->name, state->text);
}

static equant_status read_apart(parameter_state *state)
{
    if (strcmp(state->text, "non-crossing") == 0)
        return EQUANT_SUCCESS;
    return parameter_state_fail(state,
                                "orbits are non-crossing, not '%s'; leave it out where they "
                                "may cross",
                                state->text);
}

static equant_status read_value(parameter_state *state, bool is_shown)
{
    char complaint[PRIOR_COMPLAINT_SIZE];
    value_range range = possible_values(state->kind);
    if (strcmp(state->text, "free") == 0) {
        state->form = STATE_FREE;
        return EQUANT_SUCCESS;
    }
    bool is_range = read_range(state->text, &state->density);
    if (is_range && !prior_density_is_proper(&state->density))
        return parameter_state_fail(state, "%s=%s: nothing lies between these bounds", state->name,
                                    state->text);
    double factor = is_shown ? state->kind->info.shown_factor : 1.0;
    if (!is_range && !prior_text_read(state->text, range.lower * factor, range.upper * factor,
                                      &state->density, complaint))
        return parameter_state_fail(state, "%s: '%s' %s", state->name, state->text, complaint);
    state->form = state->density.kind == PRIOR_FIXED ? STATE_FIXED : STATE_PRIOR;
    if (state->kind == &of_states[1])
        return check_inclination(state);
    if (factor != 1.0)
        change_unit(factor, &state->density);
    return check_values(state);
}

/* Copies a piece without the blanks around it; false where there is no room. */
static bool copy_trimmed(const char *from, const char *end, char *to, size_t n_bytes)
{
    while (from < end && strchr(" \t\r\n", *from))
        from++;
    while (end > from && strchr(" \t\r\n", end[-1]))
        end--;
    size_t n = (size_t)(end - from);
    if (n + 1 > n_bytes)
        return false;
    memcpy(to, from, n);
    to[n] = '\0';
    return true;
}

equant_status parameter_state_read(const char *sentence, const char *where, parameter_state *made)
{
    parameter_state state = {.form = STATE_FREE};
    snprintf(state.where, sizeof state.where, "%s", where ? where : "");
    const char *equals = strchr(sentence, '=');
    if (!equals)
        return parameter_state_fail(&state,
                                    "a state reads NAME=VALUE, as in b.eccentricity=0, not "
                                    "'%.100s'",
                                    sentence);
    if (!copy_trimmed(sentence, equals, state.name, sizeof state.name) ||
        !copy_trimmed(equals + 1, equals + strlen(equals), state.text, sizeof state.text))
        return parameter_state_fail(&state, "'%.60s...' is too long for a state", sentence);
    if (state.name[0] == '\0' || state.text[0] == '\0')
        return parameter_state_fail(&state, "'%.100s' lacks a name or a value", sentence);
    bool is_shown;
    equant_status status = read_name(&state, &is_shown);
    if (status == EQUANT_SUCCESS)
        status = state.form == STATE_TREND   ? read_trend(&state)
                 : state.form == STATE_APART ? read_apart(&state)
                                             : read_value(&state, is_shown);
    if (status == EQUANT_SUCCESS)
        *made = state;
    return status;
}
