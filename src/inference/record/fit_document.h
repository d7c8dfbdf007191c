/* What is known of a fit, as its record has it: rows of fields that fit_fields.c describes, between
 * an equant_fit and the files of a folder. */
#ifndef EQUANT_INFERENCE_RECORD_FIT_DOCUMENT_H
#define EQUANT_INFERENCE_RECORD_FIT_DOCUMENT_H

#include "inference/fit/fit_record.h"
#include "inference/record/record_field.h"

typedef struct document_alias {
    double period_days, probability, delta_lnl, overlap, expected_separation,
        expected_separation_err;
} document_alias;

typedef struct document_refusal {
    const char *condition, *sentence;
} document_refusal;

/* A planet, or the candidate, which alone has a refusal. */
typedef struct document_planet {
    record_quantities quantities;
    double false_alarm, log_likelihood_gain, delta_bic, probability, false_inclusion;
    double k_m_s_low, k_m_s_high, eccentricity_low, eccentricity_high;
    double m_jupiter, m_jupiter_err, period_days_bound;
    const char *at_limit;
    record_list aliases;
    const char *letter;
    int is_candidate;
    document_refusal *refusal;
} document_planet;

typedef struct document_number {
    size_t n;
    double probability;
} document_number;

typedef struct document_pair {
    record_list planets, period_days;
    double probability, delta_lnl;
} document_pair;

typedef struct document_model {
    size_t n_planets;
    double without_period_days, with_period_days, log_likelihood, bic, delta_lnz;
} document_model;

typedef struct document_rival {
    double period_days;
    int is_of_candidate;
    record_list planets_days;
    const char *noise;
    size_t n_outliers, trend_order;
    double delta_lnl, delta_score;
    const char *sentence;
} document_rival;

typedef struct document_instrument {
    const char *name;
    size_t n_obs;
    record_quantities quantities;
} document_instrument;

typedef struct document_trend {
    double linear, linear_err, quadratic, quadratic_err;
} document_trend;

typedef struct document_parameter {
    const char *key;
    double value, err;
    const char *unit;
    int is_fixed;
} document_parameter;

typedef struct document_term {
    const char *name, *instrument;
    record_list parameters;
} document_term;

typedef struct document_indicator {
    const char *name, *instrument;
    double slope_m_s, slope_m_s_err, mean, deviation, smoothing_days;
} document_indicator;

typedef struct document_series {
    const char *name, *instrument;
    double scale, scale_err, rate, rate_err, jitter, jitter_err;
} document_series;

/* Of a term, or of an indicator, which has the days. */
typedef struct document_trial {
    const char *name, *instrument;
    double smoothing_days;
    int is_chosen, is_given;
    double log_likelihood_gain, delta_bic;
} document_trial;

typedef struct document_noise {
    record_list terms, indicators, series;
    double lead_days, lead_days_err;
    record_list trials, indicator_trials;
    double rotation_days, rotation_days_err, rotation_probability;
    double memory_days, memory_days_err, rms_after_m_s;
} document_noise;

typedef struct document_outlier {
    const char *unit;
    double time_days;
    const char *instrument;
    record_list rows;
    double deviation_m_s, expected_m_s, deviation_sigma, widening_m_s;
} document_outlier;

typedef struct fit_document {
    record_list planets;
    double threshold;
    const char *probabilities;
    int chains_agree;
    record_list numbers, pairs, models, rivals, instruments;
    document_trend *trend;
    document_noise *noise;
    record_list outliers;
    const char *end;
    size_t n_obs, n_parameters, n_fitted;
    double chi_square, log_likelihood, bic, rms_m_s;
    double log_likelihood_without_planets, bic_without_planets;
    double reference_time_days, period_min_days, period_max_days;
    document_planet *candidate;
    record_list warnings, hints;
} fit_document;

/* Who made a fit, of which star. */
typedef struct origin_document {
    const char *version, *star_name, *command;
    double star[N_STAR_PROPERTIES][2]; /* value and error; NaN: unknown */
} origin_document;

extern const record_group fit_fields, fit_fields_origin, fit_fields_planet;

/* Texts that live as long as a document. */
typedef struct document_texts {
    record_list kept;
    bool is_out_of_memory;
} document_texts;

/* The first n bytes of a text as a text of its own; "" where there is no memory. */
const char *document_texts_keep(document_texts *texts, const char *text, size_t n);
void document_texts_free(document_texts *texts);

/* The words of files for equant_limit, of which the first has none, and equant_fit_end. */
enum { N_FIT_DOCUMENT_LIMITS = 3, N_FIT_DOCUMENT_ENDS = 3 };
extern const char *const fit_document_limits[N_FIT_DOCUMENT_LIMITS];
extern const char *const fit_document_ends[N_FIT_DOCUMENT_ENDS];

/* Planets that are less probable are candidates, where nobody says otherwise. */
#define FIT_DOCUMENT_THRESHOLD 0.95

/* All that files have of a fit of these data; free document and texts in any case. It points to the
 * fit, the data and the options. */
equant_status fit_document_create(const equant_fit *fit, const equant_dataset *dataset,
                                  const equant_record_options *options, document_texts *texts,
                                  fit_document *made);

origin_document fit_document_origin(const equant_record_options *options);

#endif
