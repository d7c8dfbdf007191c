/* The public noise: a sum of terms, and its likelihood. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status.h"
#include "noise/nights.h"
#include "noise/noise_factor.h"
#include "noise/noise_text.h"

#define LN_TWO_PI 1.8378770664093454836

enum { MOST_PARAMETERS = NOISE_TEXT_MOST_TERMS * NOISE_CATALOGUE_MOST_PARAMETERS, MOST_NAME = 64 };

struct equant_noise {
    size_t n_terms, n_parameters;
    noise_term terms[NOISE_TEXT_MOST_TERMS];
    char names[MOST_PARAMETERS][MOST_NAME];
    double values[MOST_PARAMETERS];
};

/* ---- the catalogue -----------------------------------------------------------------------------
 */

size_t equant_noise_term_count(void)
{
    return noise_catalogue_n();
}

equant_status equant_noise_term_describe(size_t index, equant_noise_term_info *info)
{
    const noise_term_kind *kind = noise_catalogue_at(index);
    if (!kind || !info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no noise term number %zu",
                           index);
    equant_status status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_noise_term_info told = {.struct_size = sizeof told,
                                   .name = kind->name,
                                   .description = kind->about,
                                   .n_parameters = kind->n_parameters,
                                   .is_smooth = kind->is_smooth};
    OPTIONS_FILL(told, info);
    return EQUANT_SUCCESS;
}

equant_status equant_noise_term_parameter(size_t term, size_t index,
                                          equant_noise_parameter_info *info)
{
    const noise_term_kind *kind = noise_catalogue_at(term);
    if (!kind || index >= kind->n_parameters || !info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise term number %zu has no parameter number %zu", term, index);
    equant_status status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_noise_parameter_info told = {.struct_size = sizeof told,
                                        .name = kind->parameters[index].name,
                                        .unit = kind->parameters[index].unit,
                                        .description = kind->parameters[index].about};
    OPTIONS_FILL(told, info);
    return EQUANT_SUCCESS;
}

/* ---- a sum of terms ----------------------------------------------------------------------------
 */

/* "rotation_period", "rotation_2_period" of the second rotation. */
static void name_parameters(equant_noise *noise)
{
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term *term = &noise->terms[t];
        size_t number = 1;
        for (size_t other = 0; other < t; other++)
            number += noise->terms[other].kind == term->kind;
        for (size_t i = 0; i < term->kind->n_parameters; i++) {
            char *name = noise->names[noise->n_parameters];
            if (number == 1)
                decimal_text_print(name, MOST_NAME, "%s_%s", term->kind->name,
                                   term->kind->parameters[i].name);
            else
                decimal_text_print(name, MOST_NAME, "%s_%zu_%s", term->kind->name, number,
                                   term->kind->parameters[i].name);
            noise->values[noise->n_parameters++] = term->values[i];
        }
    }
}

equant_status equant_noise_create(const char *text, equant_noise **noise)
{
    if (!text || !noise)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "noise needs words and a place to put it");
    *noise = NULL;
    equant_noise *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    equant_status status = noise_text_read(text, made->terms, &made->n_terms);
    if (status != EQUANT_SUCCESS) {
        free(made);
        return status;
    }
    name_parameters(made);
    *noise = made;
    return EQUANT_SUCCESS;
}

void equant_noise_free(equant_noise *noise)
{
    free(noise);
}

size_t equant_noise_n_parameters(const equant_noise *noise)
{
    return noise ? noise->n_parameters : 0;
}

const char *equant_noise_parameter_name(const equant_noise *noise, size_t index)
{
    return index < equant_noise_n_parameters(noise) ? noise->names[index] : NULL;
}

double equant_noise_parameter_value(const equant_noise *noise, size_t index)
{
    return index < equant_noise_n_parameters(noise) ? noise->values[index] : NAN;
}

/* ---- likelihood --------------------------------------------------------------------------------
 */

static bool measures_derivatives(const equant_noise_rows *rows)
{
    const double *beta = OPTION_OR_ZERO(rows, equant_noise_rows, beta);
    for (size_t k = 0; beta && k < rows->n; k++)
        if (beta[k] != 0.0)
            return true;
    return false;
}

static equant_status check_rows(const equant_noise *noise, const equant_noise_rows *rows)
{
    equant_status status = OPTIONS_CHECK(rows);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!OPTIONS_HAVE(rows, equant_noise_rows, variances) || rows->n == 0 || !rows->time_days ||
        !rows->values || !rows->variances)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "rows of noise need times, values and variances");
    for (size_t k = 0; k < rows->n; k++) {
        if (!isfinite(rows->time_days[k]) || !isfinite(rows->values[k]) ||
            !(rows->variances[k] >= 0.0) || !isfinite(rows->variances[k]))
            return status_fail(
                EQUANT_ERROR_INVALID_ARGUMENT,
                "row %zu has a time or a value that is no number, or a variance that "
                "is none",
                k + 1);
        if (k > 0 && rows->time_days[k] < rows->time_days[k - 1])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "row %zu is earlier than the one before", k + 1);
    }
    for (size_t t = 0; t < noise->n_terms && measures_derivatives(rows); t++)
        if (!noise->terms[t].kind->is_smooth)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "'%s' has no derivative, and beta asks for it",
                               noise->terms[t].kind->name);
    return EQUANT_SUCCESS;
}

static equant_status check_room(const equant_noise *noise, int n_instruments)
{
    long n_blocks = 0;
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term_kind *kind = noise->terms[t].kind;
        n_blocks += kind->expand ? kind->n_blocks : n_instruments;
    }
    if (n_blocks > NOISE_PROCESS_MOST_BLOCKS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "this noise has %ld parts, nights counted for each instrument; %d are "
                           "the most",
                           n_blocks, NOISE_PROCESS_MOST_BLOCKS);
    return EQUANT_SUCCESS;
}

/* False where no covariance has these values. */
static bool make_process(const equant_noise *noise, const double *values, int n_instruments,
                         noise_process *made)
{
    made->n_blocks = made->n_states = 0;
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term_kind *kind = noise->terms[t].kind;
        if (!noise_text_has_sense(kind, values))
            return false;
        noise_catalogue_expand(kind, values, n_instruments, made);
        values += kind->n_parameters;
    }
    return true;
}

/* What a call works with. */
typedef struct noise_workspace {
    bool *begins;
    double *whitened, *state;
    noise_factor factor;
} noise_workspace;

static void workspace_free(noise_workspace *work)
{
    free(work->begins);
    free(work->whitened);
    free(work->state);
    noise_factor_free(&work->factor);
}

static equant_status workspace_create(size_t n, noise_workspace *work)
{
    memset(work, 0, sizeof *work);
    work->begins = malloc(n * sizeof *work->begins);
    work->whitened = malloc(n * sizeof *work->whitened);
    work->state = malloc((NOISE_PROCESS_MOST_STATES + 1) * sizeof *work->state);
    if (!work->begins || !work->whitened || !work->state)
        return status_out_of_memory();
    return noise_factor_create(n, NOISE_PROCESS_MOST_STATES, &work->factor);
}

static double log_likelihood(const noise_process *process, const equant_noise_rows *given,
                             noise_workspace *work)
{
    const noise_factor_rows rows = {.n = given->n,
                                    .time_days = given->time_days,
                                    .alpha = OPTION_OR_ZERO(given, equant_noise_rows, alpha),
                                    .beta = OPTION_OR_ZERO(given, equant_noise_rows, beta),
                                    .instruments =
                                        OPTION_OR_ZERO(given, equant_noise_rows, instruments),
                                    .begins_night = work->begins};
    noise_factor_propagate(&work->factor, process, &rows);
    if (!noise_factor_decompose(&work->factor, process, &rows, given->variances))
        return -INFINITY;
    memcpy(work->whitened, given->values, given->n * sizeof *work->whitened);
    noise_factor_whiten(&work->factor, 1, work->whitened, work->state);
    double sum = work->factor.log_determinant + (double)given->n * LN_TWO_PI;
    for (size_t k = 0; k < given->n; k++)
        sum += work->whitened[k] * work->whitened[k];
    return isnan(sum) ? -INFINITY : -0.5 * sum;
}

equant_status equant_noise_log_likelihood(const equant_noise *noise, const equant_noise_rows *rows,
                                          size_t n_sets, const double *parameters,
                                          double *log_likelihoods)
{
    if (!noise || !rows || !log_likelihoods)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a likelihood needs noise, rows and a place to put it");
    equant_status status = check_rows(noise, rows);
    if (status != EQUANT_SUCCESS)
        return status;
    int n_instruments = 1;
    noise_workspace work;
    status = workspace_create(rows->n, &work);
    if (status == EQUANT_SUCCESS)
        status = nights_find(rows->n, rows->time_days,
                             OPTION_OR_ZERO(rows, equant_noise_rows, instruments), work.begins,
                             &n_instruments);
    if (status == EQUANT_SUCCESS)
        status = check_room(noise, n_instruments);
    for (size_t s = 0; s < (parameters ? n_sets : 1) && status == EQUANT_SUCCESS; s++) {
        noise_process process;
        const double *values = parameters ? parameters + s * noise->n_parameters : noise->values;
        log_likelihoods[s] = make_process(noise, values, n_instruments, &process)
                                 ? log_likelihood(&process, rows, &work)
                                 : -INFINITY;
    }
    workspace_free(&work);
    return status;
}
