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

/* The noise, and the residuals that it is conditioned on. */
struct conditional {
    equant_noise *process;
    double *variances;
    equant_noise_rows rows;
};

static void release(struct conditional *own)
{
    equant_noise_free(own->process);
    free(own->variances);
}

/* To be released in any case. */
static int prepare(const struct star_result *star, struct conditional *own)
{
    size_t n = equant_dataset_n_obs(star->dataset);
    *own = (struct conditional){.variances = calloc(n, sizeof *own->variances)};
    if (own->variances == NULL)
        return messages_out_of_memory();
    for (size_t k = 0; k < n; k++)
        own->variances[k] = pow(star_result_uncertainty(star, k), 2.0);
    own->rows = (equant_noise_rows){.struct_size = sizeof own->rows,
                                    .n = n,
                                    .time_days = equant_dataset_times_days(star->dataset),
                                    .values = star->residual_m_s,
                                    .variances = own->variances,
                                    .instruments = equant_dataset_instruments(star->dataset)};
    return messages_status(create_process(star, &own->process));
}

int conditional_noise_expect(struct star_result *star)
{
    struct conditional own;
    int code = prepare(star, &own);
    double *process = calloc(own.rows.n, sizeof *process);
    star->noise.process_m_s = process;
    if (code == EXIT_CODE_OK && process == NULL)
        code = messages_out_of_memory();
    if (code == EXIT_CODE_OK)
        code = messages_status(
            equant_noise_predict(own.process, &own.rows, NULL, &own.rows, process, NULL));
    release(&own);
    return code;
}

int conditional_noise_predict(const struct star_result *star, size_t n, const double *time_days,
                              double *mean, double *low, double *high)
{
    const equant_noise_rows at = {.struct_size = sizeof at, .n = n, .time_days = time_days};
    struct conditional own;
    int code = prepare(star, &own);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_noise_predict(own.process, &own.rows, NULL, &at, mean, high));
    for (size_t i = 0; i < n && code == EXIT_CODE_OK; i++) {
        double deviation = sqrt(fmax(high[i], 0.0));
        low[i] = mean[i] - deviation;
        high[i] = mean[i] + deviation;
    }
    release(&own);
    return code;
}

int conditional_noise_whiten(const struct star_result *star, double *whitened)
{
    struct conditional own;
    int code = prepare(star, &own);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_noise_whiten(own.process, &own.rows, NULL, whitened));
    release(&own);
    return code;
}
