/* The one table of what the record of a fit holds: each field with its name in fit.json, its kind,
 * its unit and what it means, in the order of the file. */
#include "inference/record/fit_document.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define GROUP(type, rows)                                                                          \
    {                                                                                              \
        sizeof(type), COUNT(rows), rows                                                            \
    }

#define AT(type, member) .offset = offsetof(type, member)
#define FIELD(type, member, key, kind, unit, ...)                                                  \
    {                                                                                              \
        key, kind, unit, __VA_ARGS__, AT(type, member)                                             \
    }
/* One that is left out where it, or another number of the row, is unknown. */
#define FIELD_IF(type, member, given, key, kind, unit, ...)                                        \
    {                                                                                              \
        key, kind, unit, __VA_ARGS__, AT(type, member), .needs = 1 + offsetof(type, given)         \
    }
#define ROWS(type, member, key, kind, rows, ...)                                                   \
    {                                                                                              \
        key, kind, "", __VA_ARGS__, AT(type, member), .group = &rows                               \
    }
#define ROWS_IF(type, member, key, kind, rows, ...)                                                \
    {                                                                                              \
        key, kind, "", __VA_ARGS__, AT(type, member), .group = &rows,                              \
                                                      .needs = 1 + offsetof(type, member)          \
    }
/* A number and its standard error. */
#define MEASURED(type, member, key, unit, ...)                                                     \
    FIELD(type, member, key, RECORD_NUMBER, unit, __VA_ARGS__),                                    \
        FIELD(type, member##_err, key "_err", RECORD_NUMBER, unit, "its standard error")
#define JUDGED(member, key, unit, ...)                                                             \
    {                                                                                              \
        key, RECORD_NUMBER, unit, __VA_ARGS__, AT(document_planet, member), .is_column = true      \
    }

/* --- planets ------------------------------------------------------------------------------------
 */

static const record_field alias_rows[] = {
    FIELD(document_alias, period_days, "period_days", RECORD_NUMBER, "d", "period of the alias"),
    FIELD(document_alias, probability, "probability", RECORD_NUMBER, "",
          "probability of this period among the aliases"),
    FIELD(document_alias, delta_lnl, "delta_lnl", RECORD_NUMBER, "",
          "ln L of the best model with this period, minus that with the planet's"),
    FIELD(document_alias, overlap, "overlap", RECORD_NUMBER, "",
          "fraction of the planet's signal that this period also explains"),
    FIELD(document_alias, expected_separation, "expected_separation", RECORD_NUMBER, "",
          "expected lead of the right period in ln L"),
    FIELD(document_alias, expected_separation_err, "expected_separation_err", RECORD_NUMBER, "",
          "its standard deviation"),
};
static const record_group alias_group = GROUP(document_alias, alias_rows);

static const record_field refusal_rows[] = {
    FIELD(document_refusal, condition, "condition", RECORD_TEXT, "",
          "the first criterion that it fails, in a word"),
    FIELD(document_refusal, sentence, "sentence", RECORD_TEXT, "",
          "the same as a sentence, with the numbers"),
};
static const record_group refusal_group = GROUP(document_refusal, refusal_rows);

static const record_field planet_rows[] = {
    FIELD(document_planet, quantities, "", RECORD_PLANET_QUANTITIES, "",
          "quantities of the orbit, each with its standard error (_err)"),
    JUDGED(false_alarm, "fap", "", "false-alarm probability, analytic"),
    JUDGED(log_likelihood_gain, "delta_lnl", "",
           "decrease of ln L without the planet, everything else refitted"),
    JUDGED(delta_bic, "delta_bic", "", "increase of the BIC without it"),
    JUDGED(probability, "probability", "",
           "posterior probability of the planet, from the evidences with and without it"),
    JUDGED(false_inclusion, "fip", "",
           "false-inclusion probability, 1 - probability with all its digits"),
    FIELD_IF(document_planet, k_m_s_low, k_m_s_low, "k_m_s_low", RECORD_NUMBER, "m / s",
             "lower end of the 68.3 % interval of K, where its standard error is misleading"),
    FIELD_IF(document_planet, k_m_s_high, k_m_s_low, "k_m_s_high", RECORD_NUMBER, "m / s",
             "upper end; null: unbounded"),
    FIELD_IF(document_planet, eccentricity_low, k_m_s_low, "eccentricity_low", RECORD_NUMBER, "",
             "lower end of the 68.3 % interval of the eccentricity"),
    FIELD_IF(document_planet, eccentricity_high, k_m_s_low, "eccentricity_high", RECORD_NUMBER, "",
             "upper end; 1: unbounded"),
    FIELD_IF(document_planet, m_jupiter, m_jupiter, "m_jupiter", RECORD_NUMBER, "jupiterMass",
             "mass of the planet, where its inclination is known"),
    FIELD_IF(document_planet, m_jupiter_err, m_jupiter, "m_jupiter_err", RECORD_NUMBER,
             "jupiterMass", "its standard error"),
    JUDGED(period_days_bound, "period_days_bound", "d",
           "bound of a period at the end of the range, which has no error"),
    {"at_limit", RECORD_TEXT, "",
     "end of the range that the period has reached: longest or shortest",
     AT(document_planet, at_limit), .is_column = true},
    ROWS_IF(document_planet, aliases, "aliases", RECORD_LIST, alias_group,
            "possible periods of the signal, the planet's own first"),
    FIELD(document_planet, quantities, "", RECORD_PLANET_STAR_QUANTITIES, "",
          "quantities that need the mass of the star, each with its standard error (_err)"),
    FIELD_IF(document_planet, letter, letter, "letter", RECORD_TEXT, "",
             "letter of the planet, where states name it"),
    FIELD_IF(document_planet, is_candidate, is_candidate, "is_candidate", RECORD_BOOLEAN, "",
             "whether the planet is less probable than the threshold"),
    ROWS_IF(document_planet, refusal, "refused_because", RECORD_OBJECT, refusal_group,
            "why it was not accepted as a planet"),
};
const record_group fit_fields_planet = GROUP(document_planet, planet_rows);

static const record_field number_rows[] = {
    FIELD(document_number, n, "n", RECORD_COUNT, "", "a number of planets"),
    FIELD(document_number, probability, "probability", RECORD_NUMBER, "",
          "its posterior probability"),
};
static const record_group number_group = GROUP(document_number, number_rows);

static const record_field pair_rows[] = {
    FIELD(document_pair, planets, "planets", RECORD_COUNTS, "",
          "indices of the two planets, from 0"),
    FIELD(document_pair, period_days, "period_days", RECORD_NUMBERS, "d",
          "their alternative periods, possible only together"),
    FIELD(document_pair, probability, "probability", RECORD_NUMBER, "",
          "probability of the pair among all periods of the two planets"),
    FIELD(document_pair, delta_lnl, "delta_lnl", RECORD_NUMBER, "",
          "ln L of the best model with both, minus that of the fit"),
};
static const record_group pair_group = GROUP(document_pair, pair_rows);

static const record_field model_rows[] = {
    FIELD(document_model, n_planets, "n_planets", RECORD_COUNT, "",
          "number of planets of the model"),
    FIELD(document_model, without_period_days, "without_period_days", RECORD_NUMBER, "d",
          "period of the planet that is left out; null: none"),
    FIELD(document_model, with_period_days, "with_period_days", RECORD_NUMBER, "d",
          "period of the candidate, where it is included"),
    FIELD(document_model, log_likelihood, "lnl", RECORD_NUMBER, "", "its ln L"),
    FIELD(document_model, bic, "bic", RECORD_NUMBER, "", "its BIC"),
    FIELD(document_model, delta_lnz, "delta_lnz", RECORD_NUMBER, "",
          "its ln Z minus that of the fit; null: unknown"),
};
static const record_group model_group = GROUP(document_model, model_rows);

static const record_field rival_rows[] = {
    FIELD(document_rival, period_days, "period_days", RECORD_NUMBER, "d",
          "period of the planet that the rival lacks, or of the candidate that it has"),
    FIELD(document_rival, is_of_candidate, "is_of_candidate", RECORD_BOOLEAN, "",
          "whether it is the best model with the rejected candidate"),
    FIELD(document_rival, planets_days, "planets_days", RECORD_NUMBERS, "d",
          "periods of the planets of the rival"),
    FIELD(document_rival, noise, "noise", RECORD_TEXT, "",
          "noise terms of the rival; white: jitters alone"),
    FIELD(document_rival, n_outliers, "n_outliers", RECORD_COUNT, "",
          "number of outliers of the rival"),
    FIELD(document_rival, trend_order, "trend_order", RECORD_COUNT, "",
          "order of the trend of the rival; 0: none"),
    FIELD(document_rival, delta_lnl, "delta_lnl", RECORD_NUMBER, "",
          "its ln L minus that of the fit"),
    FIELD(document_rival, delta_score, "delta_score", RECORD_NUMBER, "",
          "ln of its evidence and prior minus that of the fit"),
    FIELD(document_rival, sentence, "sentence", RECORD_TEXT, "", "what it says"),
};
static const record_group rival_group = GROUP(document_rival, rival_rows);

static const record_field instrument_rows[] = {
    FIELD(document_instrument, name, "name", RECORD_TEXT, "", "name of the instrument in the data"),
    FIELD(document_instrument, n_obs, "n_obs", RECORD_COUNT, "", "number of its observations"),
    FIELD(document_instrument, quantities, "", RECORD_INSTRUMENT_QUANTITIES, "",
          "offset and jitter, each with its standard error (_err)"),
};
static const record_group instrument_group = GROUP(document_instrument, instrument_rows);

static const record_field trend_rows[] = {
    MEASURED(document_trend, linear, "linear_m_s_day", "m / (s d)", "slope at the reference time"),
    MEASURED(document_trend, quadratic, "quadratic_m_s_day2", "m / (s d2)",
             "quadratic term; null: not fitted"),
};
static const record_group trend_group = GROUP(document_trend, trend_rows);

/* --- noise --------------------------------------------------------------------------------------
 */

static const record_field parameter_rows[] = {
    FIELD(document_parameter, value, "value", RECORD_NUMBER, "",
          "value of the parameter, in the given unit"),
    FIELD(document_parameter, err, "err", RECORD_NUMBER, "",
          "standard error; 0: fixed, or at the end of its range"),
    FIELD(document_parameter, unit, "unit", RECORD_TEXT, "", "unit of value and error"),
    FIELD(document_parameter, is_fixed, "fixed", RECORD_BOOLEAN, "",
          "whether it was held fixed by the user"),
};
static const record_group parameter_group = GROUP(document_parameter, parameter_rows);

static const record_field term_rows[] = {
    FIELD(document_term, name, "name", RECORD_TEXT, "", "name of the noise term"),
    FIELD(document_term, instrument, "instrument", RECORD_TEXT, "",
          "the instrument that it applies to; null: all"),
    ROWS(document_term, parameters, "parameters", RECORD_MEMBERS, parameter_group,
         "parameters of the term, by name"),
};
static const record_group term_group = GROUP(document_term, term_rows);

static const record_field indicator_rows[] = {
    FIELD(document_indicator, name, "name", RECORD_TEXT, "", "name of the indicator"),
    FIELD(document_indicator, instrument, "instrument", RECORD_TEXT, "",
          "instrument whose velocities are correlated with it"),
    MEASURED(document_indicator, slope_m_s, "slope_m_s", "m / s",
             "slope of the velocities, per standard deviation of the indicator"),
    FIELD(document_indicator, mean, "mean", RECORD_NUMBER, "",
          "mean of the indicator, in its unit"),
    FIELD(document_indicator, deviation, "deviation", RECORD_NUMBER, "",
          "standard deviation of the indicator, in its unit"),
    FIELD(document_indicator, smoothing_days, "smoothing_days", RECORD_NUMBER, "d",
          "averaging window that was applied first; 0: none"),
};
static const record_group indicator_group = GROUP(document_indicator, indicator_rows);

static const record_field noise_series_rows[] = {
    FIELD(document_series, name, "name", RECORD_TEXT, "", "name of the indicator"),
    FIELD(document_series, instrument, "instrument", RECORD_TEXT, "",
          "instrument that measured it"),
    MEASURED(document_series, scale, "scale", "",
             "amplitude of the process in the indicator, in its unit"),
    MEASURED(document_series, rate, "rate", "",
             "amplitude of the derivative of the process, in its unit"),
    MEASURED(document_series, jitter, "jitter", "", "jitter of the indicator, in its unit"),
};
static const record_group series_group = GROUP(document_series, noise_series_rows);

#define TRIAL                                                                                      \
    FIELD(document_trial, is_chosen, "chosen", RECORD_BOOLEAN, "",                                 \
          "whether it is part of the adopted model"),                                              \
        FIELD(document_trial, is_given, "given", RECORD_BOOLEAN, "",                               \
              "whether the user required it in all models"),                                       \
        FIELD(document_trial, log_likelihood_gain, "delta_lnl", RECORD_NUMBER, "",                 \
              "increase of ln L with it"),                                                         \
        FIELD(document_trial, delta_bic, "delta_bic", RECORD_NUMBER, "",                           \
              "increase of the BIC without it")
static const record_field trial_rows[] = {
    FIELD(document_trial, name, "name", RECORD_TEXT, "", "name of the noise term"),
    FIELD(document_trial, instrument, "instrument", RECORD_TEXT, "",
          "the instrument that it applies to; null: all"),
    TRIAL,
};
static const record_group trial_group = GROUP(document_trial, trial_rows);

static const record_field indicator_trial_rows[] = {
    FIELD(document_trial, name, "name", RECORD_TEXT, "", "name of the indicator"),
    FIELD(document_trial, instrument, "instrument", RECORD_TEXT, "", "instrument that measured it"),
    FIELD(document_trial, smoothing_days, "smoothing_days", RECORD_NUMBER, "d",
          "averaging window that was applied first; 0: none"),
    TRIAL,
};
static const record_group indicator_trial_group = GROUP(document_trial, indicator_trial_rows);

static const record_field noise_rows[] = {
    ROWS(document_noise, terms, "terms", RECORD_LIST, term_group,
         "terms of correlated noise in the model"),
    ROWS(document_noise, indicators, "indicators", RECORD_LIST, indicator_group,
         "indicators in the model, as linear regressors"),
    ROWS(document_noise, series, "series", RECORD_LIST, series_group,
         "indicators that are modelled jointly with the velocities, by one Gaussian process"),
    MEASURED(document_noise, lead_days, "lead_days", "d",
             "phase lead of the velocities over the process, in days"),
    ROWS(document_noise, trials, "tried", RECORD_LIST, trial_group, "noise terms that were tested"),
    ROWS(document_noise, indicator_trials, "indicators_tried", RECORD_LIST, indicator_trial_group,
         "indicators that were tested"),
    MEASURED(document_noise, rotation_days, "rotation_days", "d",
             "rotation period of the star; null: not determined by the noise"),
    FIELD(document_noise, rotation_probability, "rotation_probability", RECORD_NUMBER, "",
          "probability that the rotation is periodic, against noise without a period; 1: it was "
          "requested; null: no rotation"),
    MEASURED(document_noise, memory_days, "memory_days", "d",
             "time in which the correlation of noise of days to months falls to 1/e; null: no such "
             "noise, or a determined rotation"),
    FIELD(document_noise, rms_after_m_s, "rms_after_m_s", RECORD_NUMBER, "m / s",
          "rms of the residuals after subtracting the correlated noise"),
};
static const record_group noise_group = GROUP(document_noise, noise_rows);

static const record_field outlier_rows[] = {
    FIELD(document_outlier, unit, "unit", RECORD_TEXT, "", "observation or night"),
    FIELD(document_outlier, time_days, "time", RECORD_NUMBER, "d", "mean time of its observations"),
    FIELD(document_outlier, instrument, "instrument", RECORD_TEXT, "",
          "instrument that observed it"),
    FIELD(document_outlier, rows, "rows", RECORD_COUNTS, "",
          "indices of its observations, from 0, in order of time"),
    FIELD(document_outlier, deviation_m_s, "deviation_m_s", RECORD_NUMBER, "m / s",
          "observed minus predicted velocity"),
    FIELD(document_outlier, expected_m_s, "expected_m_s", RECORD_NUMBER, "m / s",
          "expected standard deviation of that difference"),
    FIELD(document_outlier, deviation_sigma, "deviation_sigma", RECORD_NUMBER, "",
          "deviation in units of the expected one"),
    FIELD(document_outlier, widening_m_s, "widening_m_s", RECORD_NUMBER, "m / s",
          "added in quadrature to the uncertainties"),
};
static const record_group outlier_group = GROUP(document_outlier, outlier_rows);

/* --- the fit ------------------------------------------------------------------------------------
 */

#define SUMMARY(member, key, unit, ...)                                                            \
    FIELD(fit_document, member, key, RECORD_NUMBER, unit, __VA_ARGS__)
static const record_field fit_rows[] = {
    ROWS(fit_document, planets, "planets", RECORD_LIST, fit_fields_planet,
         "planets of the adopted model, in order of period"),
    SUMMARY(threshold, "threshold", "", "planets below this probability are candidates"),
    FIELD(fit_document, probabilities, "probabilities", RECORD_TEXT, "",
          "how probabilities were computed: quick, full or none"),
    FIELD_IF(fit_document, chains_agree, chains_agree, "chains_agree", RECORD_BOOLEAN, "",
             "whether the chains agree, so that sampled probabilities are reliable"),
    ROWS(fit_document, numbers, "n_planets", RECORD_LIST, number_group,
         "posterior probabilities of the number of planets"),
    ROWS_IF(fit_document, pairs, "alias_pairs", RECORD_LIST, pair_group,
            "alternative periods of two planets, possible only together"),
    ROWS(fit_document, models, "models", RECORD_LIST, model_group,
         "models that differ from the fit by one planet, and the fit itself"),
    ROWS(fit_document, rivals, "trace", RECORD_LIST, rival_group,
         "the best model seen without each planet, and with the rejected candidate"),
    ROWS(fit_document, instruments, "instruments", RECORD_LIST, instrument_group,
         "instruments, in the order of the data"),
    ROWS(fit_document, trend, "trend", RECORD_OBJECT, trend_group,
         "trend of the model; null: none"),
    ROWS(fit_document, noise, "noise", RECORD_OBJECT, noise_group,
         "noise besides jitters; null: white, with nothing else tested"),
    ROWS(fit_document, outliers, "outliers", RECORD_LIST, outlier_group,
         "observations and nights with inflated errors, in order of time"),
    FIELD(fit_document, end, "end", RECORD_TEXT, "",
          "how the fit ended: finished, seconds (time limit) or cancelled"),
    FIELD(fit_document, n_obs, "n_obs", RECORD_COUNT, "", "number of observations"),
    FIELD(fit_document, n_parameters, "n_parameters", RECORD_COUNT, "",
          "number of parameters of the model"),
    FIELD(fit_document, n_fitted, "n_fitted", RECORD_COUNT, "", "number of free parameters"),
    SUMMARY(chi_square, "chi2", "", "chi-square, with jitters added to the uncertainties"),
    SUMMARY(log_likelihood, "lnl", "", "ln L"),
    SUMMARY(bic, "bic", "", "Bayesian information criterion"),
    SUMMARY(rms_m_s, "rms_m_s", "m / s", "rms of the residuals"),
    SUMMARY(log_likelihood_without_planets, "lnl_without_planets", "",
            "ln L of the model without planets"),
    SUMMARY(bic_without_planets, "bic_without_planets", "", "BIC of the model without planets"),
    SUMMARY(reference_time_days, "t_ref", "d",
            "reference time of mean anomalies, trend and offsets"),
    SUMMARY(period_min_days, "period_min_days", "d", "lower end of the searched range of periods"),
    SUMMARY(period_max_days, "period_max_days", "d", "upper end of the searched range of periods"),
    ROWS(fit_document, candidate, "candidate", RECORD_OBJECT, fit_fields_planet,
         "the signal that was rejected last; null: none"),
    FIELD(fit_document, warnings, "warnings", RECORD_TEXTS, "", "warnings of the data reader"),
    FIELD(fit_document, hints, "hints", RECORD_TEXTS, "", "remarks for the user, in sentences"),
};
const record_group fit_fields = GROUP(fit_document, fit_rows);

/* --- the origin ---------------------------------------------------------------------------------
 */

#define STAR(index, key, unit, ...)                                                                \
    {key,                                                                                          \
     RECORD_NUMBER,                                                                                \
     unit,                                                                                         \
     __VA_ARGS__,                                                                                  \
     AT(origin_document, star[index][0]),                                                          \
     .needs = (index) == STAR_MASS ? 0 : 1 + offsetof(origin_document, star[index][0])},           \
    {                                                                                              \
        key "_err", RECORD_NUMBER, unit, "its standard error",                                     \
            AT(origin_document, star[index][1]),                                                   \
            .needs = 1 + offsetof(origin_document, star[index][1])                                 \
    }
static const record_field origin_rows[] = {
    FIELD(origin_document, version, "version", RECORD_TEXT, "", "version of equant"),
    FIELD(origin_document, star_name, "star_name", RECORD_TEXT, "", "name of the star"),
    FIELD(origin_document, command, "command", RECORD_TEXT, "",
          "the command line, or the Python call"),
    STAR(STAR_MASS, "star_mass", "solMass", "mass of the star; null: unknown"),
    STAR(STAR_RADIUS, "star_radius", "solRad", "radius of the star"),
    STAR(STAR_LUMINOSITY, "star_luminosity", "solLum", "luminosity of the star"),
    STAR(STAR_TEMPERATURE, "star_temperature_k", "K", "effective temperature of the star"),
};
const record_group fit_fields_origin = GROUP(origin_document, origin_rows);
