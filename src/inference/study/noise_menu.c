#include "inference/study/noise_menu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "model/nights.h"

/* An indicator follows a magnetic cycle beneath what spots do to it: averaged over this many days
 * (the standard deviation of the weights), where the data are long enough to have a cycle. */
#define SMOOTHING_DAYS 100.0
#define SMOOTHINGS_SEEN 6.0
/* Fewer observations than this say nothing of a covariance, or of an indicator. */
enum { LEAST_FOR_ROTATION = 25, LEAST_FOR_SLOW = 25, LEAST_REPEATED = 8, LEAST_FOR_INDICATOR = 20 };

void noise_menu_free(noise_menu *menu)
{
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

static void add_term(noise_menu *menu, const noise_term_kind *kind, const noise_range *parameters)
{
    noise_menu_term *term = &menu->terms[menu->n_terms++];
    term->kind = kind;
    term->first = menu->n_parameters;
    menu->n_parameters += kind->n_parameters;
    memcpy(term->parameters, parameters, kind->n_parameters * sizeof *parameters);
}

static void offer_term(const noise_ranges *ranges, noise_kind kind, noise_menu *menu)
{
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(ranges, noise_catalogue_at(kind), parameters);
    add_term(menu, noise_catalogue_at(kind), parameters);
}

static void offer_terms(const equant_dataset *dataset, noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset);
    noise_ranges ranges = noise_ranges_of(dataset);
    if (menu->n_repeated >= LEAST_REPEATED && menu->n_night_states < NOISE_PROCESS_MOST_BLOCKS / 2)
        offer_term(&ranges, NOISE_NIGHT, menu);
    if (n >= LEAST_FOR_ROTATION &&
        noise_ranges_longest_rotation(&ranges) > 2.0 * NOISE_RANGES_SHORTEST_ROTATION)
        offer_term(&ranges, NOISE_MEP, menu);
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
            if (terms[other].kind == terms[t].kind)
                return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                   "noise '%s': '%s' is there twice; a fit takes each term once",
                                   text, terms[t].kind->name);
    }
    return status;
}

/* What callers may get wrong about these data. */
static equant_status check_term(const noise_term *term, const noise_ranges *ranges,
                                const noise_menu *menu)
{
    if (term->kind == noise_catalogue_at(NOISE_NIGHT) && menu->n_repeated == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise 'night': no night has two observations of one instrument, so "
                           "that nights are no other noise than jitter");
    if (term->kind->is_rotation && term->highest[1] > ranges->span_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise '%s': a rotation of %g days is longer than the data, %.6g days",
                           term->kind->name, term->highest[1], ranges->span_days);
    return EQUANT_SUCCESS;
}

/* The usual ranges but for what was said. */
static void take_term(const noise_term *term, const noise_ranges *ranges, noise_menu *menu)
{
    noise_range parameters[NOISE_CATALOGUE_MOST_PARAMETERS];
    noise_ranges_usual(ranges, term->kind, parameters);
    for (size_t i = 0; i < term->kind->n_parameters; i++)
        if (!isnan(term->lowest[i]))
            parameters[i] = (noise_range){term->lowest[i], term->highest[i],
                                          sqrt(term->lowest[i]) * sqrt(term->highest[i]), false};
    for (size_t i = 0; i < term->kind->n_parameters; i++)
        if (parameters[i].lowest == parameters[i].highest)
            parameters[i].start = parameters[i].lowest;
    menu->always.terms |= 1u << menu->n_terms;
    add_term(menu, term->kind, parameters);
}

/* Offsets, and jitters where they are fitted, come first; one observation has to be over. */
static equant_status check_room(const equant_dataset *dataset, bool with_jitter,
                                const noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), n_blocks = 0;
    size_t n_other = equant_dataset_n_instruments(dataset) * (with_jitter ? 2 : 1),
           n_free = noise_menu_n_chosen(menu, menu->always);
    for (size_t t = 0; t < menu->n_terms; t++)
        n_blocks += (size_t)noise_catalogue_blocks(menu->terms[t].kind, menu->n_night_states);
    if (n_blocks > NOISE_PROCESS_MOST_BLOCKS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "this noise has %zu parts, nights counted for each instrument; %d are "
                           "the most",
                           n_blocks, NOISE_PROCESS_MOST_BLOCKS);
    if (n_other + n_free >= n)
        return status_fail(
            EQUANT_ERROR_INVALID_ARGUMENT,
            "%zu observations do not carry a noise of %zu free parameters beside %zu "
            "of their instruments: leave terms out, or fix some",
            n, n_free, n_other);
    return EQUANT_SUCCESS;
}

equant_status noise_menu_take(const equant_dataset *dataset, const char *text, bool with_jitter,
                              noise_menu *menu)
{
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    noise_ranges ranges = noise_ranges_of(dataset);
    size_t n_terms;
    equant_status status = noise_menu_read(text, terms, &n_terms);
    for (size_t t = 0; t < n_terms && status == EQUANT_SUCCESS; t++) {
        status = check_term(&terms[t], &ranges, menu);
        if (status == EQUANT_SUCCESS)
            take_term(&terms[t], &ranges, menu);
    }
    return status == EQUANT_SUCCESS ? check_room(dataset, with_jitter, menu) : status;
}

/* ---- indicators ---------------------------------------------------------------------------------
 */

/* The indicator at the observations of one instrument, averaged where it is to be; NaN elsewhere.
 */
static void copy_values(const equant_dataset *dataset, const equant_indicator *indicator,
                        const noise_menu_indicator *wanted, double *column)
{
    const double *time = equant_dataset_times_days(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    double days = wanted->smoothing_days;
    for (size_t k = 0; k < n; k++) {
        bool own = (size_t)instrument[k] == wanted->instrument && isfinite(indicator->values[k]);
        double sum = 0.0, weights = 0.0;
        column[k] = own ? indicator->values[k] : NAN;
        for (size_t j = 0; j < n && own && days > 0.0; j++) {
            double x = (time[j] - time[k]) / days;
            if ((size_t)instrument[j] != wanted->instrument || !isfinite(indicator->values[j]) ||
                fabs(x) > 4.0)
                continue;
            double weight = exp(-0.5 * x * x);
            sum += weight * indicator->values[j];
            weights += weight;
        }
        if (own && days > 0.0)
            column[k] = sum / weights;
    }
}

/* Standardised; false where the indicator says nothing there. */
static bool make_column(const equant_dataset *dataset, const equant_indicator *indicator,
                        noise_menu_indicator *made, double *column)
{
    size_t n = equant_dataset_n_obs(dataset), count = 0;
    double mean = 0.0, squares = 0.0;
    copy_values(dataset, indicator, made, column);
    for (size_t k = 0; k < n; k++)
        if (!isnan(column[k]))
            mean += (column[k] - mean) / (double)++count;
    for (size_t k = 0; k < n; k++)
        if (!isnan(column[k]))
            squares += (column[k] - mean) * (column[k] - mean);
    made->mean = mean;
    made->deviation = sqrt(squares / (double)(count > 0 ? count : 1));
    if (count < LEAST_FOR_INDICATOR || !(made->deviation > 1e-12 * fabs(mean)))
        return false;
    for (size_t k = 0; k < n; k++)
        column[k] = isnan(column[k]) ? 0.0 : (column[k] - mean) / made->deviation;
    return true;
}

/* One column, where there is room and the indicator says something. */
static void offer_indicator(const equant_dataset *dataset, noise_menu_indicator wanted,
                            noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), next = menu->n_indicators;
    if (next == NOISE_MENU_MOST_INDICATORS)
        return;
    menu->indicators[next] = wanted;
    menu->n_indicators += make_column(dataset, equant_dataset_indicator(dataset, wanted.indicator),
                                      &menu->indicators[next], menu->columns + next * n);
}

static equant_status offer_indicators(const equant_dataset *dataset, noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), n_kinds = equant_dataset_n_indicators(dataset);
    size_t n_instruments = equant_dataset_n_instruments(dataset);
    const double *time = equant_dataset_times_days(dataset);
    bool is_long = time[n - 1] - time[0] > SMOOTHINGS_SEEN * SMOOTHING_DAYS;
    if (n_kinds == 0)
        return EQUANT_SUCCESS;
    menu->columns = malloc(NOISE_MENU_MOST_INDICATORS * n * sizeof *menu->columns);
    if (!menu->columns)
        return status_out_of_memory();
    for (int smoothed = 0; smoothed <= is_long; smoothed++)
        for (size_t j = 0; j < n_kinds; j++)
            for (size_t i = 0; i < n_instruments; i++)
                offer_indicator(
                    dataset,
                    (noise_menu_indicator){.indicator = j,
                                           .instrument = i,
                                           .smoothing_days = smoothed ? SMOOTHING_DAYS : 0.0},
                    menu);
    return EQUANT_SUCCESS;
}

equant_status noise_menu_offer_all(const equant_dataset *dataset, noise_menu *menu)
{
    offer_terms(dataset, menu);
    return offer_indicators(dataset, menu);
}

size_t noise_menu_n_chosen(const noise_menu *menu, noise_choice choice)
{
    size_t n = 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        for (size_t i = 0; i < menu->terms[t].kind->n_parameters; i++)
            n += choice.terms >> t & 1 && noise_range_is_open(&menu->terms[t].parameters[i]);
    for (size_t i = 0; i < menu->n_indicators; i++)
        n += choice.indicators >> i & 1;
    return n;
}

bool noise_menu_is_least(const noise_menu *menu, noise_choice choice)
{
    return choice.terms == menu->always.terms && choice.indicators == menu->always.indicators;
}

void noise_menu_process(const noise_menu *menu, noise_choice choice, const double *values,
                        noise_process *made)
{
    made->n_blocks = made->n_states = 0;
    for (size_t t = 0; t < menu->n_terms; t++)
        if (choice.terms >> t & 1)
            noise_catalogue_expand(menu->terms[t].kind, values + menu->terms[t].first,
                                   menu->n_night_states, made);
}

void noise_menu_start(const noise_menu_term *term, double *values)
{
    for (size_t i = 0; i < term->kind->n_parameters; i++) {
        const noise_range *parameter = &term->parameters[i];
        values[i] = parameter->start * (parameter->per_period ? values[1] : 1.0);
    }
}
