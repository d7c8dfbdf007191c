#include "inputs/fixed_noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inputs/noise_owners.h"
#include "terminal/messages.h"

#define FIRST_PARAMETER "_amplitude"

/* Terms begin with their amplitudes: "mep_amplitude" is one of mep. */
static void name_terms(struct fixed_noise *made)
{
    for (size_t i = 0; i < made->n_values; i++) {
        const char *name = equant_noise_parameter_name(made->noise, i),
                   *end = strstr(name, FIRST_PARAMETER);
        size_t n = strlen(made->names);
        if (end == NULL || end[strlen(FIRST_PARAMETER)] != '\0')
            continue;
        snprintf(made->names + n, sizeof made->names - n, "%s%.*s", n > 0 ? "," : "",
                 (int)(end - name), name);
        made->is_whole |= strncmp(name, "qp", 2) == 0 && strchr("_@", name[2]) != NULL;
    }
}

static int read_values(const char *command, const char *text, struct fixed_noise *made)
{
    if (equant_noise_create(text, &made->noise) != EQUANT_SUCCESS)
        return messages_usage(command, "--noise: %s", equant_last_error());
    made->n_values = equant_noise_n_parameters(made->noise);
    made->values = calloc(made->n_values + 1, sizeof *made->values);
    if (made->values == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < made->n_values; i++)
        made->values[i] = equant_noise_parameter_value(made->noise, i);
    name_terms(made);
    return EXIT_CODE_OK;
}

int fixed_noise_read(const char *command, const char *text, const equant_dataset *dataset,
                     struct fixed_noise *made)
{
    char *numbered = NULL;
    *made = (struct fixed_noise){.names = ""};
    if (text == NULL || strcmp(text, "white") == 0)
        return EXIT_CODE_OK;
    if (strcmp(text, "auto") == 0)
        return messages_usage(command, "--noise auto is what a fit chooses; name terms here");
    int code = noise_owners_number(dataset, text, &numbered);
    if (code == EXIT_CODE_OK && strchr(numbered, '(') != NULL)
        code = read_values(command, numbered, made);
    else if (code == EXIT_CODE_OK)
        snprintf(made->names, sizeof made->names, "%s", numbered);
    free(numbered);
    return code;
}

void fixed_noise_free(struct fixed_noise *noise)
{
    equant_noise_free(noise->noise);
    free(noise->values);
    *noise = (struct fixed_noise){.names = ""};
}

static double *variances_of(const equant_dataset *dataset, const double *jitters)
{
    size_t n = equant_dataset_n_obs(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double *made = calloc(n, sizeof *made);
    for (size_t k = 0; made != NULL && k < n; k++) {
        double jitter = jitters != NULL ? jitters[equant_dataset_instruments(dataset)[k]] : 0.0;
        made[k] = sigma[k] * sigma[k] + jitter * jitter;
    }
    return made;
}

/* With zeros in the place of residuals ln L is that of the determinant alone. */
equant_status fixed_noise_judge(const struct fixed_noise *noise, const equant_dataset *dataset,
                                const double *residuals, const double *jitters, size_t n,
                                const double *columns, struct fixed_noise_verdict *verdict)
{
    size_t n_obs = equant_dataset_n_obs(dataset);
    double *variances = variances_of(dataset, jitters), *zeros = calloc(n_obs, sizeof *zeros);
    double of_zeros = NAN;
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = n_obs,
                              .time_days = equant_dataset_times_days(dataset),
                              .values = residuals,
                              .variances = variances,
                              .instruments = equant_dataset_instruments(dataset)};
    const equant_noise_columns followed = {
        .struct_size = sizeof followed, .n = n, .columns = columns};
    equant_status status =
        variances != NULL && zeros != NULL ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
    if (status == EQUANT_SUCCESS)
        status = equant_noise_follow(noise->noise, &rows, NULL, &followed, verdict->coefficients,
                                     &verdict->log_likelihood, NULL);
    rows.values = zeros;
    if (status == EQUANT_SUCCESS)
        status = equant_noise_log_likelihood(noise->noise, &rows, 0, NULL, &of_zeros);
    verdict->chi_square = 2.0 * (of_zeros - verdict->log_likelihood);
    free(variances);
    free(zeros);
    return status;
}
