#include "inference/search/significance.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/optimise/jitter.h"

/* Layers reach the less far in frequency the more eccentric they are: between the ends of two
 * of them, the lower eccentricity is the largest that was tried. */
static void make_bands(const scan_grid *grid, significance *made)
{
    for (size_t i = 0; i < grid->n_layers; i++) {
        size_t next = i + 1 < grid->n_layers ? grid->layers[i + 1].n_bins : 0;
        size_t bins = grid->layers[i].n_bins - next;
        if (bins > 0)
            made->bands[made->n_bands++] =
                (false_alarm_band){.width_per_day = (double)bins * grid->bin_width_per_day,
                                   .eccentricity_max = grid->layers[i].eccentricity};
    }
}

/* What the covariance changes: the spans of all bands. */
static equant_status set_covariance(const study *star, const noise_factor *factor,
                                    significance *made)
{
    double end = made->first_frequency_per_day, first;
    for (size_t b = 0; b < made->n_bands; b++)
        end += made->bands[b].width_per_day;
    equant_status status = effective_span_create(factor, equant_dataset_times_days(star->dataset),
                                                 made->first_frequency_per_day, end, &made->spans);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t b = 0; b < made->n_bands; b++, end = first) {
        first = end - made->bands[b].width_per_day;
        made->bands[b].effective_span_days = effective_span_mean(&made->spans, first, end);
    }
    made->is_correlated = true;
    return EQUANT_SUCCESS;
}

equant_status significance_create(const study *star, const scan_grid *grid,
                                  const solution *weighted_by, const base_terms *terms,
                                  significance *made)
{
    *made = (significance){.n_obs = star->n_obs,
                           .n_columns = terms ? terms->n_columns : 0,
                           .first_frequency_per_day = grid->first_frequency_per_day};
    make_bands(grid, made);
    double *weight = malloc(star->n_obs * sizeof *weight);
    if (!weight)
        return status_out_of_memory();
    noise_root_weights(star, weighted_by->noise, solution_values(star, weighted_by, TERM_JITTERS),
                       weight);
    for (size_t k = 0; k < star->n_obs; k++)
        weight[k] *= weight[k];
    made->effective_span_days =
        false_alarm_effective_span(star->n_obs, equant_dataset_times_days(star->dataset), weight);
    free(weight);
    return terms && terms->factor ? set_covariance(star, terms->factor, made) : EQUANT_SUCCESS;
}

false_alarm_search significance_search(const significance *judge, size_t n_base)
{
    return (false_alarm_search){.effective_span_days = judge->effective_span_days,
                                .n_bands = judge->n_bands,
                                .bands = judge->bands,
                                .n_obs = judge->n_obs,
                                .n_base = n_base};
}

/* What a planet of this frequency has to stand out from: as many frequencies as there would be if
 * all factors of period held as many as its own does, and the orbits that were tried there. */
static false_alarm_band band_around(const significance *judge, double frequency_per_day)
{
    double first = judge->first_frequency_per_day, last = first;
    double eccentricity_max = judge->bands[judge->n_bands - 1].eccentricity_max;
    for (size_t b = judge->n_bands; b-- > 0;) {
        if (frequency_per_day >= last)
            eccentricity_max = judge->bands[b].eccentricity_max;
        last += judge->bands[b].width_per_day;
    }
    double within = fmin(fmax(frequency_per_day, first), last); /* given planets may be beyond */
    return (false_alarm_band){.width_per_day = within * log(last / first),
                              .eccentricity_max = eccentricity_max,
                              .effective_span_days =
                                  judge->is_correlated ? effective_span_near(&judge->spans, within)
                                                       : judge->effective_span_days};
}

/* Eccentricities up to which a search goes, and its share of the risk. */
static const struct {
    double eccentricity_max, share;
} nested_searches[] = {{0.0, 0.4}, {0.3, 0.3}, {0.6, 0.2}, {1.0, 0.1}};

/* Jitters above the larger of this and the instrument's own errors are rare, the rarer the
 * larger. */
#define USUAL_JITTER_M_S 3.0

/* The share of stars that are at least as restless as an instrument finds this one. */
static double share_as_restless(double jitter_m_s, double typical_error_m_s)
{
    return 1.0 / (1.0 + jitter_m_s / fmax(USUAL_JITTER_M_S, typical_error_m_s));
}

/* Root mean square error of an instrument. */
static double typical_error(const study *star, size_t instrument)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    const int *made_by = equant_dataset_instruments(star->dataset);
    double sum = 0.0, n = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        if ((size_t)made_by[k] == instrument) {
            sum += sigma[k] * sigma[k];
            n += 1.0;
        }
    return n > 0.0 ? sqrt(sum / n) : 0.0;
}

/* How much rarer stars as restless as `without` says are than those as restless as `with` says, by
 * the instrument that says most; 1 at most. */
static double rarity(const study *star, const solution *with, const solution *without)
{
    double least = 1.0;
    for (size_t i = 0; i < star->n_instruments; i++) {
        double error = typical_error(star, i);
        double share = share_as_restless(solution_restlessness(star, without, i), error) /
                       share_as_restless(solution_restlessness(star, with, i), error);
        least = fmin(least, share);
    }
    return least;
}

double significance_usual_noise(const study *star, const solution *model)
{
    double least = 1.0;
    for (size_t i = 0; i < star->n_instruments; i++)
        least = fmin(least, share_as_restless(solution_restlessness(star, model, i),
                                              typical_error(star, i)));
    return least;
}

/* The share of a model's noise that was fitted, 0 where the errors explain it all, 1 where they
 * do not count beside the jitters. */
static double fitted_share(const study *star, const solution *fitted)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    const int *made_by = equant_dataset_instruments(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++) {
        double s = solution_restlessness(star, fitted, (size_t)made_by[k]), s2 = s * s;
        sum += s2 / (s2 + sigma[k] * sigma[k]);
    }
    return sum / (double)star->n_obs;
}

/* A gain in ln L comes easier where the level of the noise is fitted along. Between the two
 * laws, for a known and for an unknown level, the share that was fitted decides. */
static double probability_between(const false_alarm_search *unknown, double gain, double fitted)
{
    false_alarm_search known = *unknown;
    known.n_obs = 0;
    return pow(false_alarm_probability(&known, gain), 1.0 - fitted) *
           pow(false_alarm_probability(unknown, gain), fitted);
}

/* What a planet is judged by. */
typedef struct judged_orbit {
    double period_days, eccentricity;
    size_t n_base;       /* parameters of the velocity beside its own */
    double fitted_share; /* of the noise without it */
} judged_orbit;

/* How often noise gains as much by the best orbit of a search that holds this one. */
static double probability_of(const significance *judge, const judged_orbit *orbit, double gain)
{
    double least = 1.0;
    false_alarm_band around = band_around(judge, 1.0 / orbit->period_days);
    /* Fits go beyond the grid. */
    double searched = fmax(around.eccentricity_max, orbit->eccentricity);
    for (size_t i = 0; i < sizeof nested_searches / sizeof *nested_searches; i++) {
        double most = nested_searches[i].eccentricity_max;
        if (orbit->eccentricity > most)
            continue;
        around.eccentricity_max = fmin(searched, most);
        false_alarm_search search = significance_search(judge, orbit->n_base);
        search.n_bands = 1;
        search.bands = &around;
        double probability = probability_between(&search, gain, orbit->fitted_share);
        least = fmin(least, probability / nested_searches[i].share);
    }
    return least;
}

/* One planet of `with`. */
static judged_orbit orbit_of(const study *star, const significance *judge, const solution *with,
                             const solution *without, double period_days, double eccentricity)
{
    return (judged_orbit){.period_days = period_days,
                          .eccentricity = eccentricity,
                          .n_base = star->n_instruments + (size_t)with->trend_order +
                                    judge->n_columns + N_ELEMENTS * (with->n_planets - 1),
                          .fitted_share = fitted_share(star, without)};
}

double significance_of_planet(const study *star, const significance *judge, const solution *with,
                              const solution *without, double period_days, double eccentricity)
{
    judged_orbit orbit = orbit_of(star, judge, with, without, period_days, eccentricity);
    double least = probability_of(judge, &orbit, solution_gain(star, with, without));
    return least < 1.0 ? least * rarity(star, with, without) : 1.0;
}

double significance_level(const study *star, const significance *judge, const solution *with,
                          const solution *without, size_t planet, double probability)
{
    const double largest = 1e6;
    const double *elements = with->set + N_ELEMENTS * planet;
    judged_orbit orbit = orbit_of(star, judge, with, without, elements[ELEMENT_PERIOD],
                                  elements[ELEMENT_ECCENTRICITY]);
    double low = 0.0, high = 1.0;
    while (high < largest && probability_of(judge, &orbit, high) >= probability) {
        low = high;
        high *= 2.0;
    }
    while (high < largest && high - low > 1e-6 * high) {
        double middle = 0.5 * (low + high);
        if (probability_of(judge, &orbit, middle) >= probability)
            low = middle;
        else
            high = middle;
    }
    return high;
}
