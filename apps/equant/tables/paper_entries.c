#include "tables/paper_entries.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/quantity_kind.h"
#include "stars/noise_words.h"
#include "terminal/messages.h"

#define EARTHS_PER_JUPITER 317.82838 /* nominal GM, IAU 2015 B3 */

/* By the names of quantities. */
static const struct sign {
    const char *name, *latex;
} signs[] = {
    {"period_days", "P"},
    {"k_m_s", "K"},
    {"eccentricity", "e"},
    {"omega_rad", "\\omega"},
    {"m0_rad", "M_0"},
    {"lambda_rad", "\\lambda_0"},
    {"t_peri", "T_\\mathrm{peri}"},
    {"t_conj", "T_\\mathrm{conj}"},
    {"t_sup", "T_\\mathrm{sup}"},
    {"m_sin_i_jupiter", "m \\sin i"},
    {"a_au", "a"},
    {"insolation_earth", "S"},
    {"t_eq_k", "T_\\mathrm{eq}"},
    {"offset_m_s", "\\gamma"},
    {"trend_m_s_day", "\\dot{\\gamma}"},
    {"trend_m_s_day2", "\\ddot{\\gamma}"},
    {"jitter_m_s", "\\sigma"},
};

/* By the units of the catalogue. */
static const struct paper_unit units[] = {
    {"d", "d", "d"},
    {"m/s", "m\\,s$^{-1}$", "m / s"},
    {"deg", "deg", "deg"},
    {"M_jup", "$M_\\mathrm{Jup}$", "jupiterMass"},
    {"M_earth", "$M_\\oplus$", "earthMass"},
    {"au", "au", "AU"},
    {"K", "K", "K"},
    {"m/s/d", "m\\,s$^{-1}$\\,d$^{-1}$", "m / (d s)"},
    {"m/s/d2", "m\\,s$^{-1}$\\,d$^{-2}$", "m / (d2 s)"},
    {"S_earth", "$S_\\oplus$", ""},
    {"M_sun", "$M_\\odot$", "solMass"},
    {"R_sun", "$R_\\odot$", "solRad"},
    {"L_sun", "$L_\\odot$", "solLum"},
    {"g/cm3", "g\\,cm$^{-3}$", "g / cm3"},
};

static struct paper_unit unit_of(const char *plain)
{
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(units[i].plain, plain) == 0)
            return units[i];
    return (struct paper_unit){plain, plain, ""};
}

static const char *sign_of(const char *name)
{
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (strcmp(signs[i].name, name) == 0)
            return signs[i].latex;
    return NULL;
}

static struct paper_entry *add(struct paper_entries *entries, struct paper_entry entry)
{
    if (entries->n == entries->capacity) {
        size_t capacity = 2 * entries->capacity + 32;
        struct paper_entry *list = realloc(entries->list, capacity * sizeof *list);
        if (list == NULL) {
            entries->has_failed = true;
            return NULL;
        }
        entries->list = list;
        entries->capacity = capacity;
    }
    entries->list[entries->n] = entry;
    return &entries->list[entries->n++];
}

/* Words of a kind; an angle is in degrees. */
static struct paper_entry entry_of(const equant_quantity_info *kind, size_t planet,
                                   const char *instrument)
{
    struct paper_entry entry = {.unit = unit_of(kind->shown_unit),
                                .planet = planet,
                                .is_derived = kind->role == EQUANT_QUANTITY_DERIVED};
    const char *latex = sign_of(kind->name);
    if (strcmp(kind->name, "insolation_earth") == 0)
        entry.unit = unit_of("S_earth");
    snprintf(entry.name, sizeof entry.name, "%s", kind->shown_name);
    snprintf(entry.symbol, sizeof entry.symbol, "%s", kind->symbol);
    snprintf(entry.meaning, sizeof entry.meaning, "%s", kind->meaning);
    snprintf(entry.instrument, sizeof entry.instrument, "%s", instrument);
    if (latex != NULL)
        snprintf(entry.latex, sizeof entry.latex, "%s", latex);
    return entry;
}

struct paper_entry paper_entries_named(const char *name, size_t planet, const char *instrument)
{
    size_t index;
    if (equant_quantity_find(name, &index) == EQUANT_SUCCESS) {
        equant_quantity_info kind = quantity_kind_at(index);
        return entry_of(&kind, planet, instrument);
    }
    struct paper_entry entry = {.unit = {"", "", ""}, .planet = planet};
    snprintf(entry.name, sizeof entry.name, "%s", name);
    snprintf(entry.symbol, sizeof entry.symbol, "%s", name);
    snprintf(entry.instrument, sizeof entry.instrument, "%s", instrument);
    return entry;
}

/* An angle that could be any is not one. */
static struct paper_value angle_or_nothing(const equant_quantity_info *kind,
                                           struct paper_value value)
{
    const double most_deg = 220.0; /* of the 246 that hold 68.3 % of a full turn */
    if (kind->is_angle && value.plus + value.minus >= most_deg)
        value.limit = PAPER_UNKNOWN;
    return value;
}

/* ---- of a fit ------------------------------------------------------------------------------ */

static struct paper_value fitted_value(const struct star_planet *planet, size_t index,
                                       const equant_quantity_info *kind)
{
    struct paper_value value = paper_value_of(planet->values[index], planet->errors[index]);
    if (star_planet_has_bound(planet, index) && index == EQUANT_ELEMENT_PERIOD) {
        value.limit = planet->at_limit == EQUANT_LIMIT_LONGEST ? PAPER_AT_LEAST : PAPER_AT_MOST;
        value.value = planet->period_days_bound;
        if (!isfinite(value.value))
            value.limit = PAPER_UNKNOWN;
    }
    return angle_or_nothing(kind, paper_value_scaled(value, kind->shown_factor));
}

/* That of a planet whose inclination is known, as its m sin i is. */
static void add_mass(const struct star_planet *planet, struct paper_entry entry,
                     struct paper_entries *entries)
{
    if (isnan(planet->m_jupiter))
        return;
    snprintf(entry.name, sizeof entry.name, "m_jupiter");
    snprintf(entry.symbol, sizeof entry.symbol, "m");
    snprintf(entry.latex, sizeof entry.latex, "m");
    snprintf(entry.meaning, sizeof entry.meaning, "mass, its inclination being known");
    entry.value = paper_value_of(planet->m_jupiter, planet->m_jupiter_err);
    add(entries, entry);
}

static void collect_fitted_planets(const struct star_result *star, struct paper_entries *entries)
{
    for (size_t p = 0; p < star->n_planets; p++)
        for (size_t k = 0; k < quantity_kind_n(); k++) {
            equant_quantity_info kind = quantity_kind_at(k);
            if (!quantity_kind_is_of_planet(&kind) || isnan(star->planets[p].values[k]))
                continue;
            struct paper_entry entry = entry_of(&kind, p + 1, "");
            entry.value = fitted_value(&star->planets[p], k, &kind);
            add(entries, entry);
            if (strcmp(kind.name, "m_sin_i_jupiter") == 0)
                add_mass(&star->planets[p], entry, entries);
        }
}

static void collect_fitted_rest(const struct star_result *star, struct paper_entries *entries)
{
    struct star_parameter known;
    for (size_t k = 0; k < quantity_kind_n(); k++) {
        equant_quantity_info kind = quantity_kind_at(k);
        size_t n = equant_dataset_n_instruments(star->dataset);
        for (size_t i = 0; i < n && kind.axis == EQUANT_QUANTITY_PER_INSTRUMENT; i++) {
            const char *instrument = equant_dataset_instrument_name(star->dataset, i);
            char name[QUANTITY_KIND_NAME_SIZE];
            quantity_kind_name(&kind, i + 1, name);
            if (!star_result_parameter(star, name, &known))
                continue;
            struct paper_entry entry = entry_of(&kind, 0, instrument);
            entry.value = paper_value_of(known.value, known.uncertainty);
            add(entries, entry);
        }
        if (kind.role == EQUANT_QUANTITY_LINEAR && kind.axis == EQUANT_QUANTITY_ALONE &&
            star_result_parameter(star, kind.name, &known)) {
            struct paper_entry entry = entry_of(&kind, 0, "");
            entry.value = paper_value_of(known.value, known.uncertainty);
            add(entries, entry);
        }
    }
}

/* Terms of noise, and what velocities follow. */
static void collect_fitted_noise(const struct star_result *star, struct paper_entries *entries)
{
    for (size_t i = 0; i < star->noise.n_parameters; i++) {
        const struct star_noise_parameter *own = &star->noise.parameters[i];
        const char *instrument = star_noise_instrument(own->term);
        int n = (int)strcspn(own->term, "@");
        struct paper_entry entry = {.unit = unit_of(own->unit)};
        snprintf(entry.name, sizeof entry.name, "%.*s_%.30s", n > 24 ? 24 : n, own->term,
                 own->name);
        char term[STAR_NOISE_TERM_SIZE];
        snprintf(term, sizeof term, "%.*s", n, own->term);
        snprintf(entry.symbol, sizeof entry.symbol, "%s %s", noise_words_term(term).text,
                 own->name);
        snprintf(entry.meaning, sizeof entry.meaning, "%s of correlated noise", own->name);
        snprintf(entry.instrument, sizeof entry.instrument, "%s",
                 instrument != NULL ? instrument : "");
        entry.value = paper_value_of(own->value, own->err);
        if (entry.value.limit == PAPER_FIXED && !own->is_fixed)
            entry.value.limit = PAPER_AT_END;
        add(entries, entry);
    }
    for (size_t i = 0; i < star->noise.n_indicators; i++) {
        const struct star_noise_indicator *own = &star->noise.indicators[i];
        struct paper_entry entry = {.unit = unit_of("m/s")};
        snprintf(entry.name, sizeof entry.name, "slope_%.48s", own->name);
        snprintf(entry.symbol, sizeof entry.symbol, "slope with %.48s", own->name);
        snprintf(entry.meaning, sizeof entry.meaning,
                 "velocity for a standard deviation of an indicator");
        snprintf(entry.instrument, sizeof entry.instrument, "%s",
                 equant_dataset_instrument_name(star->dataset, own->instrument));
        entry.value = paper_value_of(own->slope_m_s, own->slope_m_s_err);
        add(entries, entry);
    }
}

/* ---- of a run ------------------------------------------------------------------------------ */

/* What cannot be negative may be a limit. */
static bool is_positive(const equant_quantity_info *kind)
{
    return kind->role == EQUANT_QUANTITY_NOISE || strcmp(kind->name, "k_m_s") == 0 ||
           strcmp(kind->name, "eccentricity") == 0 || strcmp(kind->name, "m_sin_i_jupiter") == 0;
}

static int collect_sampled(const equant_posterior *posterior, struct paper_entries *entries)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_posterior_summarize(posterior, &facts);
    size_t n = facts.n_populations * facts.n_walkers * facts.n_kept;
    double *draws = malloc((n + 1) * sizeof *draws);
    if (draws == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior) && status == EQUANT_SUCCESS;
         i++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        double limit = NAN;
        status = equant_posterior_quantity(posterior, i, &own);
        if (status != EQUANT_SUCCESS)
            break;
        equant_quantity_info kind = quantity_kind_at(own.kind);
        struct paper_entry entry =
            entry_of(&kind, own.planet, own.instrument_name != NULL ? own.instrument_name : "");
        entry.value = paper_value_between(own.median, own.low, own.high);
        if (is_positive(&kind) && entry.value.limit == PAPER_MEASURED)
            status = equant_posterior_values(posterior, i, draws);
        if (status == EQUANT_SUCCESS && is_positive(&kind) && entry.value.limit == PAPER_MEASURED &&
            paper_value_is_limit(n, draws, &limit))
            entry.value = (struct paper_value){PAPER_AT_MOST, limit, NAN, NAN};
        entry.value = angle_or_nothing(&kind, paper_value_scaled(entry.value, kind.shown_factor));
        add(entries, entry);
    }
    free(draws);
    return messages_status(status);
}

/* ---- both ---------------------------------------------------------------------------------- */

static void collect_star(const equant_star *host, struct paper_entries *entries)
{
    double light, light_err, density, density_err;
    if (equant_star_derive(host, &light, &light_err, &density, &density_err) != EQUANT_SUCCESS)
        return;
    const struct {
        const char *name, *symbol, *latex, *unit, *meaning;
        double value, error;
    } rows[] = {
        {"star_mass", "M star", "M_\\star", "M_sun", "mass of the star", host->mass,
         host->mass_err},
        {"star_radius", "R star", "R_\\star", "R_sun", "radius of the star", host->radius,
         host->radius_err},
        {"star_temperature", "T eff", "T_\\mathrm{eff}", "K", "effective temperature",
         host->temperature_k, host->temperature_err_k},
        {"star_luminosity", "L star", "L_\\star", "L_sun", "luminosity of the star", light,
         light_err},
        {"star_density", "density star", "\\rho_\\star", "g/cm3", "mean density of the star",
         density, density_err},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct paper_entry entry = {.unit = unit_of(rows[i].unit),
                                    .is_derived = true,
                                    .is_of_star = true,
                                    .value = paper_value_of(rows[i].value, rows[i].error)};
        snprintf(entry.name, sizeof entry.name, "%s", rows[i].name);
        snprintf(entry.symbol, sizeof entry.symbol, "%s", rows[i].symbol);
        snprintf(entry.latex, sizeof entry.latex, "%s", rows[i].latex);
        snprintf(entry.meaning, sizeof entry.meaning, "%s", rows[i].meaning);
        if (rows[i].value > 0.0)
            add(entries, entry);
    }
}

/* Planets lighter than a third of Jupiter are weighed in Earths. */
static void weigh(enum paper_mass_unit unit, struct paper_entries *entries)
{
    const double light = 0.3;
    double heaviest = 0.0;
    for (size_t i = 0; i < entries->n; i++)
        if (strcmp(entries->list[i].name, "m_sin_i_jupiter") == 0)
            heaviest = fmax(heaviest, entries->list[i].value.value);
    if (unit == PAPER_MASS_JUPITER || (unit == PAPER_MASS_AUTO && !(heaviest < light)))
        return;
    for (size_t i = 0; i < entries->n; i++) {
        struct paper_entry *own = &entries->list[i];
        bool is_least = strcmp(own->name, "m_sin_i_jupiter") == 0;
        if (!is_least && strcmp(own->name, "m_jupiter") != 0)
            continue;
        own->value = paper_value_scaled(own->value, EARTHS_PER_JUPITER);
        own->unit = unit_of("M_earth");
        snprintf(own->name, sizeof own->name, is_least ? "m_sin_i_earth" : "m_earth");
    }
}

static bool is_circle(const struct paper_entries *entries, size_t planet)
{
    for (size_t i = 0; i < entries->n; i++) {
        const struct paper_entry *own = &entries->list[i];
        if (own->planet == planet && strcmp(own->name, "eccentricity") == 0)
            return own->value.limit == PAPER_FIXED && own->value.value == 0.0;
    }
    return false;
}

/* A circle has no pericentre, and nothing that is counted from there. */
static void leave_out_pericentres(struct paper_entries *entries)
{
    static const char *const lost[] = {"omega_deg", "m0_deg", "t_peri"};
    size_t n = 0;
    for (size_t i = 0; i < entries->n; i++) {
        bool is_lost = false;
        for (size_t j = 0; j < sizeof lost / sizeof lost[0]; j++)
            is_lost = is_lost || strcmp(entries->list[i].name, lost[j]) == 0;
        if (!is_lost || !is_circle(entries, entries->list[i].planet))
            entries->list[n++] = entries->list[i];
    }
    entries->n = n;
}

int paper_entries_collect(const struct paper_source *source, enum paper_mass_unit unit,
                          struct paper_entries *entries)
{
    const struct star_result *star = paper_source_star(source);
    int code = EXIT_CODE_OK;
    *entries = (struct paper_entries){.n_planets = star->n_planets,
                                      .letters = paper_source_letters(source)};
    if (source->posterior != NULL) {
        equant_posterior_summary facts = {.struct_size = sizeof facts};
        if (equant_posterior_summarize(source->posterior, &facts) == EQUANT_SUCCESS)
            entries->n_planets = facts.n_planets;
        code = collect_sampled(source->posterior, entries);
    } else {
        collect_fitted_planets(star, entries);
        collect_fitted_rest(star, entries);
        collect_fitted_noise(star, entries);
    }
    leave_out_pericentres(entries);
    collect_star(&source->host, entries);
    weigh(unit, entries);
    return entries->has_failed ? messages_out_of_memory() : code;
}

void paper_entries_free(struct paper_entries *entries)
{
    free(entries->list);
}

bool paper_entries_have_ends(const struct paper_entries *entries)
{
    for (size_t i = 0; i < entries->n; i++)
        if (entries->list[i].value.limit == PAPER_AT_END)
            return true;
    return false;
}

bool paper_entries_have_limits(const struct paper_entries *entries, bool are_derived)
{
    for (size_t i = 0; i < entries->n; i++) {
        enum paper_limit limit = entries->list[i].value.limit;
        if (entries->list[i].is_derived == are_derived &&
            (limit == PAPER_AT_MOST || limit == PAPER_AT_LEAST))
            return true;
    }
    return false;
}

/* "K" or "$K$"; of an instrument "offset HIRES" or "$\gamma_\mathrm{HIRES}$"; what has no sign is
 * called by its words, outside math mode. */
void paper_entry_add_symbol(struct paper_grid *grid, const struct paper_entry *entry)
{
    bool has_instrument = entry->instrument[0] != '\0';
    if (!paper_grid_is_latex(grid))
        paper_grid_add_text(grid, "%s%s%s", entry->symbol, has_instrument ? " " : "",
                            entry->instrument);
    else if (entry->latex[0] != '\0')
        paper_grid_add_text(grid, "$%s%s$", entry->latex,
                            paper_grid_subscript(entry->instrument).text);
    else
        paper_grid_add_text(grid, "%s%s%s%s", paper_grid_escape(entry->symbol).text,
                            has_instrument ? " (" : "", paper_grid_escape(entry->instrument).text,
                            has_instrument ? ")" : "");
}

void paper_entry_add_unit(struct paper_grid *grid, const struct paper_entry *entry)
{
    paper_grid_add_text(grid, "%s",
                        paper_grid_is_latex(grid) ? entry->unit.latex : entry->unit.plain);
}
