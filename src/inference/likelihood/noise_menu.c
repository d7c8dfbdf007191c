#include "inference/likelihood/noise_menu.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "model/nights.h"

/* Fewer observations than this say nothing of a covariance. */
enum { LEAST_FOR_ROTATION = 25, LEAST_FOR_SLOW = 25, LEAST_REPEATED = 8 };
/* Days after which 1/e of the noise of hours is left. It is forgotten by the next night: what is
 * not could hide planets of a few days. */
#define HOURS_SHORTEST 0.01
#define HOURS_LONGEST 0.25
#define MEMORY_SHORTEST 1.0

void noise_menu_free(noise_menu *menu)
{
    if (menu->series)
        series_rows_free(menu->series);
    free(menu->series);
    free(menu->columns);
    free(menu->begins_night);
    free(menu->night_state);
    memset(menu, 0, sizeof *menu);
}

equant_status noise_menu_create(const equant_dataset *dataset, noise_menu *made)
{
    memset(made, 0, sizeof *made);
    size_t n = equant_dataset_n_obs(dataset);
    int n_instruments;
    made->begins_night = malloc(n * sizeof *made->begins_night);
    made->night_state = malloc(n * sizeof *made->night_state);
    if (!made->begins_night || !made->night_state)
        return status_out_of_memory();
    equant_status status =
        nights_find(n, equant_dataset_times_days(dataset), equant_dataset_instruments(dataset),
                    made->begins_night, &n_instruments);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        made->n_repeated += !made->begins_night[k];
    if (status == EQUANT_SUCCESS)
        nights_places(n, equant_dataset_instruments(dataset), made->begins_night, made->night_state,
                      &made->n_night_states);
    return status;
}

static noise_ranges ranges_of(const equant_dataset *dataset, const noise_menu *menu)
{
    noise_ranges ranges = noise_ranges_of(dataset);
    ranges.class = menu->class;
    return ranges;
}

static void add_term(noise_menu *menu, const noise_term_kind *kind, const noise_range *parameters)
{
    noise_menu_term *term = &menu->terms[menu->n_terms++];
    term->kind = kind;
    term->owner = NOISE_OWNER_ALL;
    decimal_text_print(term->name, sizeof term->name, "%s", kind->name);
    term->first = menu->n_parameters;
    menu->n_parameters += kind->n_parameters;
    memcpy(term->parameters, parameters, kind->n_parameters * sizeof *parameters);
    term->is_learnt = false;
    term->share = 0.0;
    term->instead_of = menu->n_terms - 1;
}

static void offer_term(const noise_ranges *ranges, noise_kind kind, noise_menu *menu)
{
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(ranges, noise_catalogue_at(kind), parameters);
    add_term(menu, noise_catalogue_at(kind), parameters);
    menu->terms[menu->n_terms - 1].share = prior_table_noise_share(menu->class, kind);
}

/* The decay of noise without a period: less than a day is white noise where a star is observed once
 * a night, and beyond 200 days is what the slow term has. */
static noise_range memory_range(const noise_ranges *ranges)
{
    double longest = fmin(NOISE_RANGES_SHORTEST_SLOW, ranges->span_days);
    return (noise_range){MEMORY_SHORTEST, longest, sqrt(MEMORY_SHORTEST * longest), false,
                         prior_table_noise(ranges->class, NOISE_MATERN32, NOISE_MEMORY)};
}

/* Spots that come and go roughly and show two harmonics of the rotation; those that do so smoothly
 * and show three; those that show four; and noise of the same memory without a period. The others
 * cost several times the first, so that they are tried last. */
static void offer_rotation(const noise_ranges *ranges, noise_menu *menu)
{
    size_t usual = menu->n_terms;
    offer_term(ranges, NOISE_MEP, menu);
    offer_term(ranges, NOISE_ESP3, menu);
    offer_term(ranges, NOISE_MEP4, menu);
    offer_term(ranges, NOISE_MATERN32, menu);
    menu->terms[menu->n_terms - 1].parameters[1] = memory_range(ranges);
    for (size_t t = usual; t < menu->n_terms; t++)
        menu->terms[t].instead_of = usual;
}

/* Noise that is forgotten within the day. Where nights hold several exposures it competes with
 * their offsets: granules, drifts of an instrument, a planet that crosses its star. */
static void offer_hours(const noise_ranges *ranges, noise_menu *menu)
{
    const noise_term_kind *kind = noise_catalogue_at(NOISE_EXPONENTIAL);
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(ranges, kind, parameters);
    parameters[1] = (noise_range){HOURS_SHORTEST, HOURS_LONGEST,
                                  sqrt(HOURS_SHORTEST * HOURS_LONGEST), false, NULL};
    add_term(menu, kind, parameters);
    menu->terms[menu->n_terms - 1].share = prior_table_noise_share(menu->class, NOISE_EXPONENTIAL);
}

void noise_menu_offer(const equant_dataset *dataset, noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset);
    noise_ranges ranges = ranges_of(dataset, menu);
    if (menu->n_repeated >= LEAST_REPEATED && menu->n_night_states < NOISE_PROCESS_MOST_BLOCKS / 2)
        offer_term(&ranges, NOISE_NIGHT, menu);
    if (menu->n_repeated >= LEAST_REPEATED)
        offer_hours(&ranges, menu);
    if (n >= LEAST_FOR_ROTATION &&
        noise_ranges_longest_rotation(&ranges) > 2.0 * NOISE_RANGES_SHORTEST_ROTATION)
        offer_rotation(&ranges, menu);
    if (n >= LEAST_FOR_SLOW && ranges.span_days > 2.0 * NOISE_RANGES_SHORTEST_SLOW)
        offer_term(&ranges, NOISE_SLOW, menu);
}

/* ---- terms that are asked for -------------------------------------------------------------------
 */

equant_status noise_menu_read(const char *text, noise_term *terms, size_t *n_terms)
{
    equant_status status = noise_text_read(text, terms, n_terms);
    for (size_t t = 0; t < *n_terms && status == EQUANT_SUCCESS; t++) {
        /* Of a rotation without a quality what spots do is fitted, as where noise is chosen. */
        bool has_shape = false;
        for (size_t i = 2; i < terms[t].kind->n_parameters; i++)
            has_shape = has_shape || !isnan(terms[t].lowest[i]);
        if (terms[t].kind == noise_catalogue_at(NOISE_ROTATION) && !has_shape)
            terms[t].kind = noise_catalogue_at(NOISE_MEP);
        for (size_t other = 0; other < t; other++)
            if (terms[other].kind == terms[t].kind &&
                strcmp(terms[other].owner, terms[t].owner) == 0)
                return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                   "noise '%s': '%s' is there twice; a fit takes each term once",
                                   text, terms[t].kind->name);
    }
    return status;
}

/* The term that scans have instead of one that needs whole matrices. */
static const noise_term_kind *scanned_kind(const noise_term_kind *kind)
{
    return noise_catalogue_is_whole(kind) ? noise_catalogue_at(NOISE_ESP3) : kind;
}

/* Whether an instrument has observations that are not the first of their night. */
static bool repeats(const noise_menu *menu, const equant_dataset *dataset, int owner)
{
    size_t k = 0, n = equant_dataset_n_obs(dataset);
    while (k < n && (menu->begins_night[k] || equant_dataset_instruments(dataset)[k] + 1 != owner))
        k++;
    return k < n;
}

/* What callers may get wrong about these data. */
static equant_status check_term(const noise_term *term, int owner, const noise_ranges *ranges,
                                const equant_dataset *dataset, const noise_menu *menu)
{
    bool is_night = term->kind == noise_catalogue_at(NOISE_NIGHT);
    if (is_night && owner != NOISE_OWNER_ALL && !repeats(menu, dataset, owner))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'night@%s': no night has two observations of %s, so that its "
                           "nights are no other noise than its jitter",
                           term->owner, term->owner);
    if (is_night && menu->n_repeated == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'night': no night has two observations of one instrument, so "
                           "that nights are no other noise than jitter");
    if (term->kind->is_rotation && term->highest[1] > ranges->span_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': a rotation of %g days is longer than the data, %.6g days",
                           term->kind->name, term->highest[1], ranges->span_days);
    return noise_catalogue_is_whole(term->kind)
               ? noise_factor_check_whole(equant_dataset_n_obs(dataset))
               : EQUANT_SUCCESS;
}

equant_status noise_menu_find_owner(const noise_term *term, const equant_dataset *dataset,
                                    int *owner)
{
    size_t n = equant_dataset_n_instruments(dataset);
    char names[200] = "";
    *owner = NOISE_OWNER_ALL;
    if (!term->owner[0])
        return EQUANT_SUCCESS;
    for (size_t i = 0; i < n; i++) {
        const char *name = equant_dataset_instrument_name(dataset, i);
        if (strcmp(name, term->owner) == 0) {
            *owner = 1 + (int)i;
            return EQUANT_SUCCESS;
        }
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, name, sizeof names - strlen(names) - 1);
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "noise '%s@%s': the data have no instrument of this name; they have %s",
                       term->kind->name, term->owner, names);
}

/* The usual ranges but for what was said. */
static void take_term(const noise_term *term, int owner, const noise_ranges *ranges,
                      noise_menu *menu)
{
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(ranges, term->kind, parameters);
    for (size_t i = 0; i < term->kind->n_parameters; i++)
        if (!isnan(term->lowest[i]))
            parameters[i] =
                (noise_range){term->lowest[i], term->highest[i],
                              sqrt(term->lowest[i]) * sqrt(term->highest[i]), false, NULL};
    for (size_t i = 0; i < term->kind->n_parameters; i++)
        if (parameters[i].lowest == parameters[i].highest)
            parameters[i].start = parameters[i].lowest;
    menu->always.terms |= 1u << menu->n_terms;
    add_term(menu, term->kind, parameters);
    noise_menu_term *added = &menu->terms[menu->n_terms - 1];
    added->owner = owner;
    if (owner != NOISE_OWNER_ALL)
        decimal_text_print(added->name, sizeof added->name, "%s@%s", term->kind->name, term->owner);
}

static size_t blocks_of(const noise_menu *menu, size_t term)
{
    return (size_t)noise_catalogue_blocks(scanned_kind(menu->terms[term].kind),
                                          menu->n_night_states);
}

/* Of all terms, each in the shape that has most. */
static size_t most_blocks(const noise_menu *menu)
{
    size_t n = 0;
    for (size_t t = 0; t < menu->n_terms; t++) {
        size_t usual = menu->terms[t].instead_of, own = blocks_of(menu, t),
               counted = usual == t ? 0 : blocks_of(menu, usual);
        n += own > counted ? own - counted : 0;
    }
    return n;
}

/* Offsets, and jitters where they are fitted, come first; one observation has to be over. */
equant_status noise_menu_check_room(const equant_dataset *dataset, bool with_jitter,
                                    const noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), n_blocks = most_blocks(menu);
    size_t n_other = equant_dataset_n_instruments(dataset) * (with_jitter ? 2 : 1),
           n_free = noise_menu_n_chosen(menu, menu->always);
    if (n_blocks > NOISE_PROCESS_MOST_PARTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "this noise has %zu parts, nights counted for each instrument; %d are "
                           "the most",
                           n_blocks, NOISE_PROCESS_MOST_PARTS);
    if (n_free > 0 && n_other + n_free >= n)
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "%zu observations do not carry a noise of %zu free parameters beside %zu "
            "of their instruments: leave terms out, or fix some",
            n, n_free, n_other);
    return EQUANT_SUCCESS;
}

equant_status noise_menu_take(const equant_dataset *dataset, const char *text, noise_menu *menu)
{
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    noise_ranges ranges = ranges_of(dataset, menu);
    size_t n_terms;
    equant_status status = noise_menu_read(text, terms, &n_terms);
    for (size_t t = 0; t < n_terms && status == EQUANT_SUCCESS; t++) {
        int owner = NOISE_OWNER_ALL;
        status = noise_menu_find_owner(&terms[t], dataset, &owner);
        if (status == EQUANT_SUCCESS)
            status = check_term(&terms[t], owner, &ranges, dataset, menu);
        if (status == EQUANT_SUCCESS)
            take_term(&terms[t], owner, &ranges, menu);
    }
    return status;
}

/* A fit begins where the indicators alone would have it, within what was asked for. */
static void begin_at(double value, noise_range *range)
{
    if (noise_range_is_open(range))
        range->start = fmin(range->highest, fmax(range->lowest, value));
}

/* Indicators that were asked for and are no series, and values without an error. */
static void remark_series(const equant_dataset *dataset, const char *names, noise_menu *menu)
{
    const spot_finding *found = &menu->series->found;
    size_t n_without = found->n_values;
    for (size_t s = 0; s < found->n_series; s++)
        n_without -= found->series[s].n_uncertainties;
    if (n_without > 0)
        remarks_add(&menu->remarks,
                    "%zu of %zu values of indicators have no uncertainty: the jitter of their "
                    "series is all their error.",
                    n_without, found->n_values);
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++)
        for (size_t m = 0; m < equant_dataset_n_instruments(dataset); m++) {
            const char *name = equant_dataset_indicator(dataset, i)->name;
            size_t s = 0;
            while (s < found->n_series &&
                   (found->series[s].indicator != i || found->series[s].instrument != m))
                s++;
            if (s == found->n_series && spot_series_is_named(names, name))
                remarks_add(&menu->remarks,
                            "The indicator %s is no series of %s: it takes %d values that are not "
                            "all the same, and %d series are the most.",
                            name, equant_dataset_instrument_name(dataset, m), SPOTS_LEAST_VALUES,
                            SPOTS_MOST_SERIES);
        }
}

equant_status noise_menu_take_series(const equant_dataset *dataset,
                                     const equant_spots_options *options, noise_menu *menu)
{
    const noise_term_kind *kind = noise_catalogue_at(NOISE_MEP);
    noise_ranges ranges = ranges_of(dataset, menu);
    size_t t = 0;
    while (t < menu->n_terms &&
           (menu->terms[t].kind != kind || menu->terms[t].owner != NOISE_OWNER_ALL))
        t++;
    if (t == NOISE_MENU_MOST_TERMS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "indicators as series need a rotation beside %zu other terms, and %d "
                           "are the most",
                           menu->n_terms, NOISE_MENU_MOST_TERMS);
    bool is_given = t < menu->n_terms;
    if (!is_given)
        offer_term(&ranges, NOISE_MEP, menu);
    noise_menu_term *term = &menu->terms[t];
    equant_spots_options own = *options;
    if (menu->always.terms >> t & 1 && noise_range_is_open(&term->parameters[1])) {
        own.period_min_days = term->parameters[1].lowest;
        own.period_max_days = term->parameters[1].highest;
    }
    menu->series = calloc(1, sizeof *menu->series);
    equant_status status = menu->series ? series_rows_create(dataset, &own, menu->begins_night,
                                                             menu->night_state, menu->series)
                                        : status_out_of_memory();
    if (status != EQUANT_SUCCESS)
        return status;
    const spot_finding *found = &menu->series->found;
    remark_series(dataset, options->indicators, menu);
    begin_at(found->period_days, &term->parameters[1]);
    begin_at(term->parameters[2].per_period ? found->decay_days / found->period_days
                                            : found->decay_days,
             &term->parameters[2]);
    begin_at(found->width, &term->parameters[3]);
    term->is_learnt = true;
    menu->always.terms |= 1u << t;
    menu->series_term = t;
    menu->first_series = menu->n_parameters;
    menu->n_parameters += series_rows_n_values(menu->series);
    return EQUANT_SUCCESS;
}

size_t noise_menu_n_rows(const noise_menu *menu, size_t n_obs)
{
    return menu->series ? menu->series->n : n_obs;
}

/* Of the series: offsets and jitters, and beside the process how they see it. */
static size_t n_of_series(const noise_menu *menu, noise_choice choice)
{
    bool has_process = choice.terms >> menu->series_term & 1;
    size_t n = menu->series->found.n_series;
    for (size_t i = 0; i < series_rows_n_values(menu->series); i++) {
        bool is_logarithm;
        noise_range range = series_rows_range(menu->series, i, &is_logarithm);
        bool is_jitter = i > 0 && (i - 1) % SERIES_VALUES + 1 == SERIES_JITTER;
        n += noise_range_is_open(&range) && (is_jitter || has_process);
    }
    return n;
}

size_t noise_menu_n_chosen(const noise_menu *menu, noise_choice choice)
{
    size_t n = menu->series ? n_of_series(menu, choice) : 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        for (size_t i = 0; i < menu->terms[t].kind->n_parameters; i++)
            n += choice.terms >> t & 1 && noise_range_is_open(&menu->terms[t].parameters[i]);
    for (size_t i = 0; i < menu->n_indicators; i++)
        n += choice.indicators >> i & 1;
    return n;
}

bool noise_menu_is_least(const noise_menu *menu, noise_choice choice)
{
    return choice.terms == menu->always.terms && choice.indicators == menu->always.indicators &&
           !choice.outliers;
}

/* The blocks of a term: of its instrument; beside series all but theirs are of velocities. */
static void expand_term(const noise_menu *menu, size_t t, const noise_term_kind *kind,
                        const double *values, noise_process *made)
{
    int first = made->n_blocks;
    noise_catalogue_expand(kind, values + menu->terms[t].first, menu->n_night_states, made);
    bool is_of_velocities = menu->series && t != menu->series_term;
    for (int b = first; b < made->n_blocks; b++)
        made->block[b].owner = is_of_velocities && menu->terms[t].owner == NOISE_OWNER_ALL
                                   ? NOISE_OWNER_VELOCITIES
                                   : menu->terms[t].owner;
}

void noise_menu_process(const noise_menu *menu, noise_choice choice, const double *values,
                        noise_process *made)
{
    made->n_blocks = made->n_states = 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        if (choice.terms >> t & 1)
            expand_term(menu, t, menu->terms[t].kind, values, made);
}

void noise_menu_scanned_process(const noise_menu *menu, noise_choice choice, const double *values,
                                noise_process *made)
{
    made->n_blocks = made->n_states = 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        if (choice.terms >> t & 1)
            expand_term(menu, t, scanned_kind(menu->terms[t].kind), values, made);
}

equant_status noise_menu_factor(const noise_menu *menu, size_t n, noise_factor *made)
{
    bool is_whole = false;
    for (size_t t = 0; t < menu->n_terms; t++)
        is_whole = is_whole || noise_catalogue_is_whole(menu->terms[t].kind);
    return noise_factor_create(n, NOISE_PROCESS_MOST_STATES, is_whole, made);
}

/* Adds to a text of which n characters are the most. */
__attribute__((format(printf, 3, 4))) static void append(size_t n, char *text, const char *format,
                                                         ...)
{
    char more[96];
    va_list arguments;
    va_start(arguments, format);
    decimal_text_vprint(more, sizeof more, format, arguments);
    va_end(arguments);
    strncat(text, more, n - strlen(text) - 1);
}

void noise_menu_write(const noise_menu *menu, noise_choice choice, const double *values, size_t n,
                      char *text)
{
    text[0] = '\0';
    for (size_t t = 0; t < menu->n_terms; t++) {
        const noise_term_kind *kind = menu->terms[t].kind;
        for (size_t i = 0; i < kind->n_parameters && choice.terms >> t & 1; i++) {
            if (i == 0)
                append(n, text, "%s%s(", text[0] ? ", " : "", menu->terms[t].name);
            /* What is at its least, rounded, would be no value. */
            append(n, text, "%s%s=%.6g", i > 0 ? ", " : "", kind->parameters[i].name,
                   fmax(values[menu->terms[t].first + i], 1.00001 * kind->parameters[i].least));
        }
        if (choice.terms >> t & 1)
            append(n, text, ")");
    }
}

void noise_menu_start(const noise_menu_term *term, double *values)
{
    for (size_t i = 0; i < term->kind->n_parameters; i++) {
        const noise_range *parameter = &term->parameters[i];
        values[i] = parameter->start * (parameter->per_period ? values[1] : 1.0);
    }
}
