#include "stars/star_noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/star_result.h"
#include "terminal/measured_value.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

#define COPY(into, from) snprintf(into, sizeof(into), "%s", from)

static equant_status collect_parameters(const equant_fit *fit, struct star_noise *noise)
{
    equant_status status = EQUANT_SUCCESS;
    size_t n = equant_fit_n_noise_parameters(fit);
    for (size_t i = 0; i < n && i < STAR_NOISE_MOST_PARAMETERS && status == EQUANT_SUCCESS; i++) {
        equant_fit_noise_parameter known = {.struct_size = sizeof known};
        struct star_noise_parameter *own = &noise->parameters[noise->n_parameters++];
        status = equant_fit_noise_parameter_at(fit, i, &known);
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
        equant_fit_noise_trial known = {.struct_size = sizeof known};
        struct star_noise_trial *own = &noise->trials[noise->n_trials++];
        status = equant_fit_noise_trial_at(fit, i, &known);
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
        equant_fit_indicator_trial known = {.struct_size = sizeof known};
        equant_status status = equant_fit_indicator_trial_at(star->fit, i, &known);
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
        equant_fit_indicator known = {.struct_size = sizeof known};
        struct star_noise_indicator *own = &noise->indicators[noise->n_indicators++];
        status = equant_fit_indicator_at(star->fit, i, &known);
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
        equant_fit_series known = {.struct_size = sizeof known};
        struct star_noise_series *own = &noise->series[noise->n_series++];
        equant_status status = equant_fit_series_at(star->fit, i, &known);
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

bool star_noise_is_known(const struct star_noise *noise)
{
    return noise->n_trials > 0 || noise->n_indicator_trials > 0 || !star_noise_is_white(noise);
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

const struct star_noise_parameter *star_noise_rotation(const struct star_noise *noise)
{
    equant_noise_term_info kind = {.struct_size = sizeof kind};
    for (size_t i = 0; i < equant_noise_term_count(); i++)
        if (equant_noise_term_describe(i, &kind) == EQUANT_SUCCESS && kind.is_rotation) {
            const struct star_noise_parameter *found = star_noise_find(noise, kind.name, "period");
            if (found != NULL)
                return found;
        }
    return NULL;
}

/* ---- words --------------------------------------------------------------------------- */

const char *star_noise_instrument(const char *term)
{
    const char *at = strchr(term, '@');
    return at != NULL ? at + 1 : NULL;
}

struct star_noise_text star_noise_word(const char *term)
{
    struct star_noise_text made;
    size_t n = strcspn(term, "@");
    const char *word = n == 3 && strncmp(term, "mep", n) == 0    ? "rotation"
                       : n == 4 && strncmp(term, "esp3", n) == 0 ? "rotation (esp3)"
                                                                 : NULL;
    snprintf(made.text, sizeof made.text, "%s%s", word ? word : term, word ? term + n : "");
    return made;
}

const char *star_noise_unit(const struct star_noise_parameter *parameter)
{
    return strcmp(parameter->unit, "d") == 0 ? "days" : parameter->unit;
}

static bool begins_term(const struct star_noise *noise, size_t i)
{
    return i == 0 || strcmp(noise->parameters[i].term, noise->parameters[i - 1].term) != 0;
}

void star_noise_describe_indicator(const struct star_result *star, size_t index,
                                   char text[STAR_NOISE_TEXT_SIZE])
{
    const struct star_noise_indicator *own = &star->noise.indicators[index];
    bool is_one_of_many = equant_dataset_n_instruments(star->dataset) > 1;
    snprintf(text, STAR_NOISE_TEXT_SIZE, "the velocities%s%s follow %s",
             is_one_of_many ? " of " : "",
             is_one_of_many ? equant_dataset_instrument_name(star->dataset, own->instrument) : "",
             own->name);
    if (own->smoothing_days > 0.0)
        text_line_append(text, STAR_NOISE_TEXT_SIZE, " averaged over %.0f days",
                         own->smoothing_days);
    text_line_append(text, STAR_NOISE_TEXT_SIZE, ": %s m/s per standard deviation",
                     measured_value_of(own->slope_m_s, own->slope_m_s_err).text);
}

void star_noise_describe_left(const struct star_result *star, char text[STAR_NOISE_TEXT_SIZE])
{
    const struct star_noise *noise = &star->noise;
    bool is_one_of_many = equant_dataset_n_instruments(star->dataset) > 1;
    text[0] = '\0';
    for (size_t i = 0; i < noise->n_indicator_trials; i++) {
        const struct star_noise_indicator_trial *own = &noise->indicator_trials[i];
        if (own->is_chosen)
            continue;
        text_line_append(text, STAR_NOISE_TEXT_SIZE, "%s%s", text[0] == '\0' ? "" : ", ",
                         own->name);
        if (own->smoothing_days > 0.0)
            text_line_append(text, STAR_NOISE_TEXT_SIZE, " averaged over %.0f days",
                             own->smoothing_days);
        if (is_one_of_many)
            text_line_append(text, STAR_NOISE_TEXT_SIZE, " of %s",
                             equant_dataset_instrument_name(star->dataset, own->instrument));
    }
}

void star_noise_describe_series(const struct star_result *star, char text[STAR_NOISE_TEXT_SIZE])
{
    const struct star_noise *noise = &star->noise;
    text[0] = '\0';
    if (noise->n_series == 0)
        return;
    text_line_append(text, STAR_NOISE_TEXT_SIZE, "velocities and ");
    for (size_t i = 0; i < noise->n_series; i++) {
        bool is_last = i + 1 == noise->n_series;
        text_line_append(text, STAR_NOISE_TEXT_SIZE, "%s%s", noise->series[i].name,
                         is_last ? "" : ", ");
        if (equant_dataset_n_instruments(star->dataset) > 1)
            text_line_append(
                text, STAR_NOISE_TEXT_SIZE, " of %s",
                equant_dataset_instrument_name(star->dataset, noise->series[i].instrument));
    }
    text_line_append(text, STAR_NOISE_TEXT_SIZE,
                     " are series of one process, which velocities are %s by %s days",
                     noise->lead_days < 0.0 ? "behind" : "ahead of",
                     measured_value_of(fabs(noise->lead_days), noise->lead_days_err).text);
}

const struct star_noise_indicator_trial *
star_noise_trial_of(const struct star_noise *noise, const struct star_noise_indicator *indicator)
{
    for (size_t i = 0; i < noise->n_indicator_trials; i++) {
        const struct star_noise_indicator_trial *own = &noise->indicator_trials[i];
        if (strcmp(own->name, indicator->name) == 0 && own->instrument == indicator->instrument &&
            own->smoothing_days == indicator->smoothing_days)
            return own;
    }
    return NULL;
}

void star_noise_describe(const struct star_result *star, char text[STAR_NOISE_TEXT_SIZE])
{
    const struct star_noise *noise = &star->noise;
    char indicator[STAR_NOISE_TEXT_SIZE];
    text[0] = '\0';
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const struct star_noise_parameter *own = &noise->parameters[i];
        if (begins_term(noise, i))
            text_line_append(text, STAR_NOISE_TEXT_SIZE, "%s%s (", i == 0 ? "" : "), ",
                             star_noise_word(own->term).text);
        text_line_append(text, STAR_NOISE_TEXT_SIZE, "%s%s %s%s%s",
                         begins_term(noise, i) ? "" : ", ", own->name,
                         measured_value_of(own->value, own->err).text,
                         own->unit[0] != '\0' ? " " : "", star_noise_unit(own));
    }
    if (noise->n_parameters > 0)
        text_line_append(text, STAR_NOISE_TEXT_SIZE, ")");
    for (size_t i = 0; i < noise->n_indicators; i++) {
        star_noise_describe_indicator(star, i, indicator);
        text_line_append(text, STAR_NOISE_TEXT_SIZE, "%s%s", text[0] == '\0' ? "" : "; ",
                         indicator);
    }
    star_noise_describe_series(star, indicator);
    if (indicator[0] != '\0')
        text_line_append(text, STAR_NOISE_TEXT_SIZE, "; %s", indicator);
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

/* ---- a process of which only the values are known --------------------------------------- */

/* "mep@1" for the second instrument: without data noise knows numbers alone. */
static void append_term(const struct star_result *star, const char *term, size_t size, char *text)
{
    const char *instrument = star_noise_instrument(term);
    size_t i = 0, n = equant_dataset_n_instruments(star->dataset);
    text_line_append(text, size, "%.*s", (int)strcspn(term, "@"), term);
    if (instrument == NULL)
        return;
    while (i < n && strcmp(equant_dataset_instrument_name(star->dataset, i), instrument) != 0)
        i++;
    text_line_append(text, size, "@%zu", i);
}

static equant_status create_process(const struct star_result *star, equant_noise **made)
{
    const struct star_noise *noise = &star->noise;
    char text[4 * STAR_NOISE_TEXT_SIZE] = "";
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const struct star_noise_parameter *own = &noise->parameters[i];
        if (begins_term(noise, i)) {
            text_line_append(text, sizeof text, "%s", i == 0 ? "" : "), ");
            append_term(star, own->term, sizeof text, text);
            text_line_append(text, sizeof text, "(");
        }
        text_line_append(text, sizeof text, "%s%s=%.17g", begins_term(noise, i) ? "" : ", ",
                         own->name, own->value);
    }
    text_line_append(text, sizeof text, ")");
    return equant_noise_create(text, made);
}

static double *variances_of(const struct star_result *star)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    double *variances = calloc(n, sizeof *variances);
    for (size_t k = 0; variances != NULL && k < n; k++)
        variances[k] = pow(star_result_uncertainty(star, k), 2.0);
    return variances;
}

static equant_noise_rows rows_of(const struct star_result *star, const double *variances)
{
    return (equant_noise_rows){.struct_size = sizeof(equant_noise_rows),
                               .n = equant_dataset_n_obs(star->dataset),
                               .time_days = equant_dataset_times_days(star->dataset),
                               .values = star->residual_m_s,
                               .variances = variances,
                               .instruments = equant_dataset_instruments(star->dataset)};
}

/* The number of indicators where there is none of that name. */
static size_t find_indicator(const equant_dataset *dataset, const char *name)
{
    size_t i = 0;
    while (i < equant_dataset_n_indicators(dataset) &&
           strcmp(equant_dataset_indicator(dataset, i)->name, name) != 0)
        i++;
    return i;
}

/* Where an indicator was not measured, it says nothing. */
static equant_status add_indicator(struct star_result *star, const struct star_noise_indicator *own)
{
    const equant_fit_indicator wanted = {.struct_size = sizeof wanted,
                                         .indicator = find_indicator(star->dataset, own->name),
                                         .instrument = own->instrument,
                                         .mean = own->mean,
                                         .deviation = own->deviation,
                                         .smoothing_days = own->smoothing_days};
    size_t n = equant_dataset_n_obs(star->dataset);
    if (wanted.indicator == equant_dataset_n_indicators(star->dataset))
        return EQUANT_SUCCESS; /* other data: their likelihood will say so */
    double *column = calloc(n, sizeof *column);
    if (column == NULL)
        return EQUANT_ERROR_OUT_OF_MEMORY;
    equant_status status = equant_fit_indicator_column(star->dataset, &wanted, column);
    for (size_t k = 0; status == EQUANT_SUCCESS && k < n; k++) {
        star->model_m_s[k] += own->slope_m_s * column[k];
        star->residual_m_s[k] -= own->slope_m_s * column[k];
    }
    free(column);
    return status;
}

static double white_log_likelihood(const struct star_result *star, const double *variances)
{
    double sum = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(star->dataset); k++)
        sum += star->residual_m_s[k] * star->residual_m_s[k] / variances[k] +
               log(2.0 * 3.14159265358979323846 * variances[k]);
    return -0.5 * sum;
}

int star_noise_evaluate(struct star_result *star, double *log_likelihood)
{
    struct star_noise *noise = &star->noise;
    equant_noise *process = NULL;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < noise->n_indicators && status == EQUANT_SUCCESS; i++)
        status = add_indicator(star, &noise->indicators[i]);
    double *variances = status == EQUANT_SUCCESS ? variances_of(star) : NULL;
    if (variances == NULL)
        return status == EQUANT_SUCCESS ? messages_out_of_memory() : messages_status(status);
    *log_likelihood = white_log_likelihood(star, variances);
    equant_noise_rows rows = rows_of(star, variances);
    int code = EXIT_CODE_OK;
    if (noise->n_parameters > 0) {
        noise->process_m_s = calloc(rows.n, sizeof *noise->process_m_s);
        code = noise->process_m_s == NULL ? messages_out_of_memory() : EXIT_CODE_OK;
        if (code == EXIT_CODE_OK)
            status = create_process(star, &process);
        if (code == EXIT_CODE_OK && status == EQUANT_SUCCESS)
            status = equant_noise_log_likelihood(process, &rows, 1, NULL, log_likelihood);
        if (code == EXIT_CODE_OK && status == EQUANT_SUCCESS)
            status = equant_noise_predict(process, &rows, NULL, &rows, noise->process_m_s, NULL);
        equant_noise_free(process);
    }
    free(variances);
    return code != EXIT_CODE_OK ? code : messages_status(status);
}

int star_noise_predict(const struct star_result *star, size_t n, const double *time_days,
                       double *mean, double *low, double *high)
{
    equant_noise *process = NULL;
    double *variances = variances_of(star);
    if (variances == NULL)
        return messages_out_of_memory();
    const equant_noise_rows rows = rows_of(star, variances),
                            at = {.struct_size = sizeof at, .n = n, .time_days = time_days};
    equant_status status = create_process(star, &process);
    if (status == EQUANT_SUCCESS)
        status = equant_noise_predict(process, &rows, NULL, &at, mean, high);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++) {
        double deviation = sqrt(fmax(high[i], 0.0));
        low[i] = mean[i] - deviation;
        high[i] = mean[i] + deviation;
    }
    equant_noise_free(process);
    free(variances);
    return messages_status(status);
}

/* The likelihood of the first rows with their values and with zeros: the difference is what the
 * values add, and from row to row its growth is the square of one whitened residual. */
static equant_status whiten_rows(const equant_noise *process, equant_noise_rows rows,
                                 const double *zeros, double *whitened)
{
    equant_status status = EQUANT_SUCCESS;
    equant_noise_rows without = rows;
    double before = 0.0;
    without.values = zeros;
    for (size_t k = 0, n = rows.n; k < n && status == EQUANT_SUCCESS; k++) {
        double with_values = NAN, with_zeros = NAN;
        rows.n = without.n = k + 1;
        status = equant_noise_log_likelihood(process, &rows, 1, NULL, &with_values);
        if (status == EQUANT_SUCCESS)
            status = equant_noise_log_likelihood(process, &without, 1, NULL, &with_zeros);
        double chi_square = 2.0 * (with_zeros - with_values);
        whitened[k] = sqrt(fmax(chi_square - before, 0.0));
        before = chi_square;
    }
    return status;
}

int star_noise_whiten(const struct star_result *star, double *whitened)
{
    equant_noise *process = NULL;
    size_t n = equant_dataset_n_obs(star->dataset);
    double *variances = variances_of(star), *zeros = calloc(n, sizeof *zeros);
    int code = EXIT_CODE_OK;
    if (variances == NULL || zeros == NULL)
        code = messages_out_of_memory();
    if (code == EXIT_CODE_OK)
        code = messages_status(create_process(star, &process));
    if (code == EXIT_CODE_OK)
        code = messages_status(whiten_rows(process, rows_of(star, variances), zeros, whitened));
    equant_noise_free(process);
    free(variances);
    free(zeros);
    return code;
}
