#include "inputs/simulated_noise.h"

#include <stdlib.h>

#include "inputs/noise_owners.h"
#include "inputs/observation_times.h"
#include "terminal/messages.h"

static equant_status add_terms(const equant_noise *noise, uint64_t seed,
                               const equant_dataset *dataset, double *drawn, double *noise_m_s)
{
    equant_noise_rows rows = {.struct_size = sizeof rows,
                              .n = equant_dataset_n_obs(dataset),
                              .time_days = equant_dataset_times_days(dataset),
                              .instruments = equant_dataset_instruments(dataset)};
    equant_status status = equant_noise_draw(noise, &rows, NULL, seed, 0, 1, drawn);
    for (size_t k = 0; k < rows.n && status == EQUANT_SUCCESS; k++)
        noise_m_s[k] += drawn[k];
    return status;
}

int simulated_noise_draw(const char *terms, double white_m_s, uint64_t seed,
                         const equant_dataset *dataset, double *noise_m_s)
{
    size_t n = equant_dataset_n_obs(dataset);
    equant_noise *noise = NULL;
    char *numbered = NULL;
    int code =
        messages_status(equant_random_normal(seed, OBSERVATION_NOISE_PURPOSE, 0, n, noise_m_s));
    for (size_t k = 0; k < n && code == EXIT_CODE_OK; k++)
        noise_m_s[k] *= white_m_s;
    if (terms == NULL || code != EXIT_CODE_OK)
        return code;
    code = noise_owners_number(dataset, terms, &numbered);
    if (code == EXIT_CODE_OK)
        code = messages_status(equant_noise_create(numbered, &noise));
    free(numbered);
    if (code != EXIT_CODE_OK)
        return code;
    double *drawn = calloc(n, sizeof *drawn);
    code = drawn == NULL ? messages_out_of_memory()
                         : messages_status(add_terms(noise, seed, dataset, drawn, noise_m_s));
    free(drawn);
    equant_noise_free(noise);
    return code;
}
