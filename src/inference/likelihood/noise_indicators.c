#include "inference/likelihood/noise_indicators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"

/* An indicator follows a magnetic cycle beneath what spots do to it: averaged over this many days
 * (the standard deviation of the weights), where the data are long enough to have a cycle. */
#define SMOOTHING_DAYS 100.0
#define SMOOTHINGS_SEEN 6.0
/* Fewer values than this say nothing. */
enum { LEAST_VALUES = 20 };

/* ---- columns -----------------------------------------------------------------------------------
 */

static bool has_value(const equant_dataset *dataset, const equant_indicator *indicator,
                      size_t instrument, size_t k)
{
    return (size_t)equant_dataset_instruments(dataset)[k] == instrument &&
           isfinite(indicator->values[k]);
}

void noise_indicators_values(const equant_dataset *dataset, const noise_menu_indicator *wanted,
                             double *column)
{
    const equant_indicator *indicator = equant_dataset_indicator(dataset, wanted->indicator);
    const double *time = equant_dataset_times_days(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    double days = wanted->smoothing_days;
    for (size_t k = 0; k < n; k++) {
        bool own = has_value(dataset, indicator, wanted->instrument, k);
        double sum = 0.0, weights = 0.0;
        column[k] = own ? indicator->values[k] : NAN;
        for (size_t j = 0; j < n && own && days > 0.0; j++) {
            double x = (time[j] - time[k]) / days;
            if (!has_value(dataset, indicator, wanted->instrument, j) || fabs(x) > 4.0)
                continue;
            double weight = exp(-0.5 * x * x);
            sum += weight * indicator->values[j];
            weights += weight;
        }
        if (own && days > 0.0)
            column[k] = sum / weights;
    }
}

/* Standardised; the number of values there are. */
static size_t make_column(const equant_dataset *dataset, noise_menu_indicator *made, double *column)
{
    size_t n = equant_dataset_n_obs(dataset), count = 0;
    double mean = 0.0, squares = 0.0;
    noise_indicators_values(dataset, made, column);
    for (size_t k = 0; k < n; k++)
        if (!isnan(column[k]))
            mean += (column[k] - mean) / (double)++count;
    for (size_t k = 0; k < n; k++)
        if (!isnan(column[k]))
            squares += (column[k] - mean) * (column[k] - mean);
    made->mean = mean;
    made->deviation = sqrt(squares / (double)(count > 0 ? count : 1));
    for (size_t k = 0; k < n; k++)
        column[k] = isnan(column[k]) ? 0.0 : (column[k] - mean) / made->deviation;
    return count;
}

/* ---- which --------------------------------------------------------------------------------------
 */

static const char *instrument_name(const equant_dataset *dataset, size_t instrument)
{
    return equant_dataset_instrument_name(dataset, instrument);
}

/* One column, where there is room and the indicator says something; what stands against it is
 * remarked, of too few values only where the indicator was named. */
static bool add_column(const equant_dataset *dataset, noise_menu_indicator wanted, bool is_named,
                       noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), next = menu->n_indicators;
    const char *name = equant_dataset_indicator(dataset, wanted.indicator)->name;
    if (next == NOISE_MENU_MOST_INDICATORS) {
        if (is_named)
            remarks_add(
                &menu->remarks, "A model follows at most %d indicators: %s of %s is left out.",
                NOISE_MENU_MOST_INDICATORS, name, instrument_name(dataset, wanted.instrument));
        return false;
    }
    menu->indicators[next] = wanted;
    size_t count = make_column(dataset, &menu->indicators[next], menu->columns + next * n);
    bool is_constant = count > 1 && !(menu->indicators[next].deviation >
                                      1e-12 * fabs(menu->indicators[next].mean));
    if (is_constant)
        remarks_add(&menu->remarks,
                    "The indicator %s has the same value in all rows of %s: it is left out.", name,
                    instrument_name(dataset, wanted.instrument));
    else if (is_named && count > 0 && count < LEAST_VALUES)
        remarks_add(&menu->remarks,
                    "The indicator %s has %zu values in the rows of %s and is left out there: %d "
                    "are the least.",
                    name, count, instrument_name(dataset, wanted.instrument), LEAST_VALUES);
    bool is_good = !is_constant && count >= LEAST_VALUES;
    menu->n_indicators += is_good;
    return is_good;
}

/* One indicator, for each instrument that has it. */
static size_t add_indicator(const equant_dataset *dataset, size_t indicator, double smoothing_days,
                            bool is_named, noise_menu *menu)
{
    size_t n_added = 0;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        const noise_menu_indicator wanted = {
            .indicator = indicator, .instrument = i, .smoothing_days = smoothing_days};
        n_added += add_column(dataset, wanted, is_named, menu);
    }
    return n_added;
}

static equant_status make_room(const equant_dataset *dataset, noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset);
    menu->columns = malloc(NOISE_MENU_MOST_INDICATORS * n * sizeof *menu->columns);
    return menu->columns ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status noise_indicators_offer(const equant_dataset *dataset, noise_menu *menu)
{
    size_t n = equant_dataset_n_obs(dataset), n_kinds = equant_dataset_n_indicators(dataset);
    const double *time = equant_dataset_times_days(dataset);
    bool is_long = time[n - 1] - time[0] > SMOOTHINGS_SEEN * SMOOTHING_DAYS;
    equant_status status = n_kinds > 0 ? make_room(dataset, menu) : EQUANT_SUCCESS;
    for (int smoothed = 0; smoothed <= is_long && status == EQUANT_SUCCESS; smoothed++)
        for (size_t j = 0; j < n_kinds; j++)
            add_indicator(dataset, j, smoothed ? SMOOTHING_DAYS : 0.0, false, menu);
    return status;
}

static equant_status no_such_indicator(const equant_dataset *dataset, const char *name, size_t n)
{
    char names[400] = "";
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
        strncat(names, i > 0 ? ", " : "; they have ", sizeof names - strlen(names) - 1);
        strncat(names, equant_dataset_indicator(dataset, i)->name,
                sizeof names - strlen(names) - 1);
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the data have no indicator '%.*s'%s",
                       (int)(n < 40 ? n : 40), name, names[0] ? names : ", nor any other");
}

/* Why no instrument has a column of an indicator that was named. */
static equant_status nothing_to_follow(const equant_dataset *dataset, size_t index)
{
    const equant_indicator *indicator = equant_dataset_indicator(dataset, index);
    size_t most = 0;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        size_t count = 0;
        for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
            count += has_value(dataset, indicator, i, k);
        most = count > most ? count : most;
    }
    if (most >= LEAST_VALUES)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the indicator '%s' has the same value in all rows of an instrument: "
                           "nothing can follow it",
                           indicator->name);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the indicator '%s' has at most %zu values in the rows of an instrument: %d "
                       "are the least that velocities can follow",
                       indicator->name, most, LEAST_VALUES);
}

static bool is_name(const equant_indicator *indicator, const char *name, size_t n)
{
    return strlen(indicator->name) == n && memcmp(indicator->name, name, n) == 0;
}

equant_status noise_indicators_take(const equant_dataset *dataset, const char *names,
                                    noise_menu *menu)
{
    size_t n_kinds = equant_dataset_n_indicators(dataset);
    equant_status status = make_room(dataset, menu);
    while (status == EQUANT_SUCCESS) {
        names += strspn(names, " ");
        size_t length = strcspn(names, ","), n = length, index = 0;
        while (n > 0 && names[n - 1] == ' ')
            n--;
        while (index < n_kinds && !is_name(equant_dataset_indicator(dataset, index), names, n))
            index++;
        if (index == n_kinds)
            return no_such_indicator(dataset, names, n);
        for (size_t i = 0; i < menu->n_indicators; i++)
            if (menu->indicators[i].indicator == index)
                return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                   "the indicator '%.*s' is named twice", (int)n, names);
        size_t first = menu->n_indicators;
        if (add_indicator(dataset, index, 0.0, true, menu) == 0 &&
            first < NOISE_MENU_MOST_INDICATORS)
            return nothing_to_follow(dataset, index);
        for (size_t i = first; i < menu->n_indicators; i++)
            menu->always.indicators |= 1u << i;
        names += length;
        if (*names == '\0')
            return status;
        names++;
    }
    return status;
}

/* ---- words --------------------------------------------------------------------------------------
 */

void noise_indicators_remark(const equant_dataset *dataset, const noise_menu_indicator *used,
                             remarks *made)
{
    const equant_indicator *indicator = equant_dataset_indicator(dataset, used->indicator);
    size_t n_instruments = equant_dataset_n_instruments(dataset);
    for (size_t i = 0; i < n_instruments; i++) {
        size_t n = equant_dataset_instrument_n_obs(dataset, i), n_values = 0;
        for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
            n_values += has_value(dataset, indicator, i, k);
        if (n_values == 0 && n > 0)
            remarks_add(made, "The indicator %s is not of %s, whose velocities do not follow it.",
                        indicator->name, instrument_name(dataset, i));
        else if (i == used->instrument && n_values < n)
            remarks_add(made,
                        "The indicator %s is missing in %zu of %zu rows of %s: there it counts as "
                        "at its mean.",
                        indicator->name, n - n_values, n, instrument_name(dataset, i));
    }
}

void noise_indicators_write(const equant_dataset *dataset, const noise_menu_indicator *used,
                            size_t n, char *text)
{
    char days[64] = "";
    if (used->smoothing_days > 0.0)
        decimal_text_print(days, sizeof days, " averaged over %.0f days", used->smoothing_days);
    const char *const parts[] = {text[0] ? ", " : "",
                                 equant_dataset_indicator(dataset, used->indicator)->name, " of ",
                                 instrument_name(dataset, used->instrument), days};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        strncat(text, parts[i], n - strlen(text) - 1);
}
