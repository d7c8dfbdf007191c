#include "inference/study/noise_menu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "model/nights.h"

/* Periods in which stars turn, in days, and over how much of the data one has to be seen. */
#define ROTATION_SHORTEST 5.0
#define ROTATION_LONGEST 150.0
#define ROTATIONS_SEEN 2.0
/* Spots live for one to four turns: noise that remembers longer could pass for a planet. */
#define DECAY_SHORTEST 1.0
#define DECAY_LONGEST 4.0
/* A term that drifts over less than this is rotation's, and cycles of stars move velocities by no
 * more than a few metres per second (Lovis et al. 2011). */
#define SLOW_SHORTEST 200.0
#define SLOW_LARGEST_M_S 10.0
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

static void add_term(noise_menu *menu, const char *name, const noise_menu_parameter *parameters)
{
    const noise_term_kind *kind = noise_catalogue_find(name, strlen(name));
    noise_menu_term *term = &menu->terms[menu->n_terms++];
    term->kind = kind;
    term->first = menu->n_parameters;
    menu->n_parameters += kind->n_parameters;
    memcpy(term->parameters, parameters, kind->n_parameters * sizeof *parameters);
}

/* Scatter of the velocities about the mean of each instrument, and the typical uncertainty. */
static void measure_scatter(const equant_dataset *dataset, double *rms, double *sigma)
{
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *uncertainty = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    double squares = 0.0, errors = 0.0;
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        double count = 0.0, mean = 0.0;
        for (size_t k = 0; k < n; k++)
            if ((size_t)instrument[k] == i)
                mean += (velocity[k] - mean) / ++count;
        for (size_t k = 0; k < n; k++)
            if ((size_t)instrument[k] == i)
                squares += (velocity[k] - mean) * (velocity[k] - mean);
    }
    for (size_t k = 0; k < n; k++)
        errors += log(uncertainty[k]);
    *rms = sqrt(squares / (double)n);
    *sigma = exp(errors / (double)n);
}

static void offer_terms(const equant_dataset *dataset, noise_menu *menu)
{
    const double *time = equant_dataset_times_days(dataset);
    size_t n = equant_dataset_n_obs(dataset);
    double span = time[n - 1] - time[0], rms, sigma;
    measure_scatter(dataset, &rms, &sigma);
    double least = 0.1 * sigma, most = fmax(3.0 * rms, sigma), usual = fmin(sigma, most);
    noise_menu_parameter amplitude = {least, most, usual, false};
    if (menu->n_repeated >= LEAST_REPEATED && menu->n_night_states < NOISE_PROCESS_MOST_BLOCKS / 2)
        add_term(menu, "night", &amplitude);
    double longest = fmin(ROTATION_LONGEST, span / ROTATIONS_SEEN);
    if (n >= LEAST_FOR_ROTATION && longest > 2.0 * ROTATION_SHORTEST) {
        const noise_menu_parameter rotation[] = {
            amplitude,
            {ROTATION_SHORTEST, longest, sqrt(ROTATION_SHORTEST * longest), false},
            {DECAY_SHORTEST, DECAY_LONGEST, 2.0, true},
            {0.2, 2.0, 0.5, false}};
        add_term(menu, "mep", rotation);
    }
    if (n >= LEAST_FOR_SLOW && span > 2.0 * SLOW_SHORTEST) {
        const noise_menu_parameter slow[] = {
            {least, fmin(most, fmax(SLOW_LARGEST_M_S, 2.0 * least)), usual, false},
            {SLOW_SHORTEST, fmax(2.0 * SLOW_SHORTEST, span), sqrt(SLOW_SHORTEST * span), false}};
        add_term(menu, "slow", slow);
    }
}

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
        n += choice.terms >> t & 1 ? menu->terms[t].kind->n_parameters : 0;
    for (size_t i = 0; i < menu->n_indicators; i++)
        n += choice.indicators >> i & 1;
    return n;
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
        const noise_menu_parameter *parameter = &term->parameters[i];
        values[i] = parameter->start * (parameter->per_period ? values[1] : 1.0);
    }
}
