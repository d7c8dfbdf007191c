#include "stars/conditional_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stars/star_result.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

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

enum { PROCESS_TEXT_SIZE = 4096 };

static equant_status create_process(const struct star_result *star, equant_noise **made)
{
    const struct star_noise *noise = &star->noise;
    char text[PROCESS_TEXT_SIZE] = "";
    for (size_t i = 0; i < noise->n_parameters; i++) {
        const struct star_noise_parameter *own = &noise->parameters[i];
        if (star_noise_begins_term(noise, i)) {
            text_line_append(text, sizeof text, "%s", i == 0 ? "" : "), ");
            append_term(star, own->term, sizeof text, text);
            text_line_append(text, sizeof text, "(");
        }
        text_line_append(text, sizeof text, "%s%s=%.17g",
                         star_noise_begins_term(noise, i) ? "" : ", ", own->name, own->value);
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
    const equant_fitted_indicator wanted = {.struct_size = sizeof wanted,
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

int noise_process_evaluate(struct star_result *star, double *log_likelihood)
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

int noise_process_predict(const struct star_result *star, size_t n, const double *time_days,
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

int noise_process_whiten(const struct star_result *star, double *whitened)
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
