/* The public noise: a sum of terms, and its likelihood. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "noise/noise_rows.h"

/* ---- the catalogue -----------------------------------------------------------------------------
 */

size_t equant_n_noise_terms(void)
{
    return noise_catalogue_n();
}

equant_status equant_noise_term_at(size_t index, equant_noise_term_info *info)
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
                                   .is_smooth = kind->is_smooth,
                                   .is_rotation = kind->is_rotation};
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

/* "rotation_period", "rotation_2_period" of the second rotation, "rotation@0_period" of that of one
 * instrument. */
static void name_parameters(equant_noise *noise)
{
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term *term = &noise->terms[t];
        size_t number = 1;
        for (size_t other = 0; other < t; other++)
            number +=
                noise->terms[other].kind == term->kind && noise->owners[other] == noise->owners[t];
        for (size_t i = 0; i < term->kind->n_parameters; i++) {
            char *name = noise->names[noise->n_parameters];
            if (term->owner[0] && number == 1)
                decimal_text_print(name, NOISE_SUM_MOST_NAME, "%s@%s_%s", term->kind->name,
                                   term->owner, term->kind->parameters[i].name);
            else if (number == 1)
                decimal_text_print(name, NOISE_SUM_MOST_NAME, "%s_%s", term->kind->name,
                                   term->kind->parameters[i].name);
            else
                decimal_text_print(name, NOISE_SUM_MOST_NAME, "%s_%zu_%s", term->kind->name, number,
                                   term->kind->parameters[i].name);
            noise->values[noise->n_parameters++] = term->lowest[i];
        }
    }
}

/* Instruments are numbers where there are no data that name them. */
static equant_status number_owners(const char *text, equant_noise *noise)
{
    for (size_t t = 0; t < noise->n_terms; t++) {
        const char *owner = noise->terms[t].owner;
        size_t n = strlen(owner);
        noise->owners[t] = NOISE_OWNER_ALL;
        if (n == 0)
            continue;
        if (n > 3 || strspn(owner, "0123456789") != n)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "noise '%s': without data an instrument is a number from 0, not "
                               "'%s'",
                               text, owner);
        noise->owners[t] = 1 + atoi(owner);
    }
    return EQUANT_SUCCESS;
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
    equant_status status = noise_text_read_values(text, made->terms, &made->n_terms);
    if (status == EQUANT_SUCCESS)
        status = number_owners(text, made);
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

/* The factor of a set, and chi-square of the values, which are whitened; false where no covariance
 * has the parameters. */
static bool whiten(const equant_noise *noise, const double *values, const equant_noise_rows *given,
                   const noise_rows *rows, noise_workspace *work, double *chi_square)
{
    noise_process process;
    if (!noise_sum_process(noise, values, rows->n_instruments, &process) ||
        !noise_factor_make(&work->factor, &process, &rows->of_factor, given->variances))
        return false;
    memcpy(work->columns, given->values, given->n * sizeof *work->columns);
    *chi_square = noise_factor_square(&work->factor, work->columns, work->state);
    return true;
}

equant_status equant_noise_log_likelihood(const equant_noise *noise, const equant_noise_rows *given,
                                          size_t n_sets, const double *parameters,
                                          double *log_likelihoods)
{
    if (!noise || !given || !log_likelihoods)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a likelihood needs noise, rows and a place to put it");
    noise_rows rows;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_VALUES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    noise_workspace work;
    status = noise_workspace_create(given->n, 1, noise_sum_is_whole(noise), &work);
    for (size_t s = 0; s < (parameters ? n_sets : 1) && status == EQUANT_SUCCESS; s++) {
        const double *values = parameters ? parameters + s * noise->n_parameters : noise->values;
        double chi_square;
        log_likelihoods[s] = whiten(noise, values, given, &rows, &work, &chi_square)
                                 ? noise_factor_log_likelihood(&work.factor, chi_square)
                                 : -INFINITY;
    }
    noise_workspace_free(&work);
    noise_rows_close(&rows);
    return status;
}

equant_status equant_noise_whiten(const equant_noise *noise, const equant_noise_rows *given,
                                  const double *parameters, double *whitened)
{
    if (!noise || !given || !whitened)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "whitening needs noise, rows and a place to put the values");
    noise_rows rows;
    equant_status status = noise_rows_open(noise, given, NOISE_ROWS_VALUES, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    noise_workspace work;
    status = noise_workspace_create(given->n, 1, noise_sum_is_whole(noise), &work);
    if (status == EQUANT_SUCCESS) {
        double chi_square;
        bool is_proper = whiten(noise, parameters ? parameters : noise->values, given, &rows, &work,
                                &chi_square);
        for (size_t k = 0; k < given->n; k++)
            whitened[k] = is_proper ? work.columns[k] : NAN;
    }
    noise_workspace_free(&work);
    noise_rows_close(&rows);
    return status;
}
