#include "stars/star_noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/star_result.h"
#include "terminal/messages.h"

#define COPY(into, from) snprintf(into, sizeof(into), "%s", from)

static equant_status collect_parameters(const equant_fit *fit, struct star_noise *noise)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n = equant_fit_n_noise_parameters(fit);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_PARAMETERS && status == EQUANT_SUCCESS; i++) {
        equant_fitted_noise_parameter known = {.struct_size = sizeof known};
        struct star_noise_parameter *own = &noise->parameters[noise->n_parameters++];
        status = equant_fit_noise_parameter(fit, i, &known);
        if (status != EQUANT_SUCCESS)
            return status;
        COPY(own->term, known.term);
        COPY(own->name, known.name);
        COPY(own->unit, known.unit);
        own->value = known.value;
        own->err = known.err;
        own->is_fixed = known.is_fixed != 0;
    }
    return status;
}

static equant_status collect_trials(const equant_fit *fit, struct star_noise *noise)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n = equant_fit_n_noise_trials(fit);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_TERMS && status == EQUANT_SUCCESS; i++) {
        equant_fitted_noise_trial known = {.struct_size = sizeof known};
        struct star_noise_trial *own = &noise->trials[noise->n_trials++];
        status = equant_fit_noise_trial(fit, i, &known);
        if (status != EQUANT_SUCCESS)
            return status;
        COPY(own->term, known.term);
        own->is_chosen = known.is_chosen != 0;
        own->is_given = known.is_given != 0;
        own->log_likelihood_gain = known.log_likelihood_gain;
        own->delta_bic = known.delta_bic;
    }
    return status;
}

static equant_status collect_indicator_trials(const struct star_result *star,
                                              struct star_noise *noise)
{
    size_t n = equant_fit_n_indicator_trials(star->fit);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_INDICATORS; i++) {
        equant_fitted_indicator_trial known = {.struct_size = sizeof known};
        equant_status status = equant_fit_indicator_trial(star->fit, i, &known);
        if (status != EQUANT_SUCCESS)
            return status;
        struct star_noise_indicator_trial *own =
            &noise->indicator_trials[noise->n_indicator_trials++];
        COPY(own->name, equant_dataset_indicator(star->dataset, known.indicator)->name);
        own->instrument = known.instrument;
        own->smoothing_days = known.smoothing_days;
        own->is_chosen = known.is_chosen != 0;
        own->is_given = known.is_given != 0;
        own->log_likelihood_gain = known.log_likelihood_gain;
        own->delta_bic = known.delta_bic;
    }
    return EQUANT_SUCCESS;
}

static equant_status collect_indicators(const struct star_result *star, struct star_noise *noise)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n = equant_fit_n_indicators(star->fit);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_INDICATORS && status == EQUANT_SUCCESS; i++) {
        equant_fitted_indicator known = {.struct_size = sizeof known};
        struct star_noise_indicator *own = &noise->indicators[noise->n_indicators++];
        status = equant_fit_indicator(star->fit, i, &known);
        if (status != EQUANT_SUCCESS)
            return status;
        COPY(own->name, equant_dataset_indicator(star->dataset, known.indicator)->name);
        own->instrument = known.instrument;
        own->slope_m_s = known.slope_m_s;
        own->slope_m_s_err = known.slope_m_s_err;
        own->mean = known.mean;
        own->deviation = known.deviation;
        own->smoothing_days = known.smoothing_days;
    }
    return status;
}

static equant_status collect_series(const struct star_result *star, struct star_noise *noise)
{
    size_t n = equant_fit_n_series(star->fit);
    noise->has_series = n > 0;
    noise->lead_days = equant_fit_lead_days(star->fit, &noise->lead_days_err);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_TERMS; i++) {
        equant_fitted_series known = {.struct_size = sizeof known};
        struct star_noise_series *own = &noise->series[noise->n_series++];
        equant_status status = equant_fit_series(star->fit, i, &known);
        if (status != EQUANT_SUCCESS)
            return status;
        COPY(own->name, equant_dataset_indicator(star->dataset, known.indicator)->name);
        own->instrument = known.instrument;
        own->scale = known.scale;
        own->scale_err = known.scale_err;
        own->rate = known.rate;
        own->rate_err = known.rate_err;
        own->jitter = known.jitter;
        own->jitter_err = known.jitter_err;
    }
    return EQUANT_SUCCESS;
}

int star_noise_collect(struct star_result *star)
{
    struct star_noise *noise = &star->noise;
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    equant_status status = collect_parameters(star->fit, noise);
    if (status == EQUANT_SUCCESS)
        status = collect_trials(star->fit, noise);
    if (status == EQUANT_SUCCESS)
        status = collect_indicators(star, noise);
    if (status == EQUANT_SUCCESS)
        status = collect_indicator_trials(star, noise);
    if (status == EQUANT_SUCCESS)
        status = collect_series(star, noise);
    noise->rotation_days = equant_fit_rotation_days(star->fit, NULL);
    noise->memory_days = equant_fit_memory_days(star->fit, NULL);
    if (status != EQUANT_SUCCESS || noise->n_parameters == 0)
        return messages_status(status);
    noise->process_m_s = calloc(n_obs, sizeof *noise->process_m_s);
    if (noise->process_m_s == NULL)
        return messages_out_of_memory();
    memcpy(noise->process_m_s, equant_fit_noise_m_s(star->fit), n_obs * sizeof(double));
    return EXIT_CODE_OK;
}

void star_noise_free(struct star_noise *noise)
{
    free(noise->process_m_s);
    *noise = (struct star_noise){0};
}

bool star_noise_is_white(const struct star_noise *noise)
{
    return noise->n_parameters == 0 && noise->n_indicators == 0;
}

/* Whether a term, of all instruments or of one, is of a kind. */
static bool is_kind(const char *term, const char *kind)
{
    size_t n = strcspn(term, "@");
    return strlen(kind) == n && strncmp(term, kind, n) == 0;
}

const struct star_noise_parameter *star_noise_find(const struct star_noise *noise, const char *term,
                                                   const char *name)
{
    for (size_t i = 0; i < noise->n_parameters; i++)
        if (is_kind(noise->parameters[i].term, term) &&
            strcmp(noise->parameters[i].name, name) == 0)
            return &noise->parameters[i];
    return NULL;
}

const char *star_noise_instrument(const char *term)
{
    const char *at = strchr(term, '@');
    return at != NULL ? at + 1 : NULL;
}

bool star_noise_begins_term(const struct star_noise *noise, size_t i)
{
    return i == 0 || strcmp(noise->parameters[i].term, noise->parameters[i - 1].term) != 0;
}

double star_noise_rest(const struct star_result *star, size_t k)
{
    const double *process = star->noise.process_m_s;
    return star->residual_m_s[k] - (process != NULL ? process[k] : 0.0);
}

double star_noise_rms_after(const struct star_result *star)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < n; k++)
        sum += star_noise_rest(star, k) * star_noise_rest(star, k);
    return sqrt(sum / (double)n);
}
