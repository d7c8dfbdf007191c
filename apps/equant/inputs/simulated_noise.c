#include "inputs/simulated_noise.h"

#include <stdlib.h>

#include "equant.h"
#include "inputs/observation_times.h"
#include "terminal/messages.h"

static equant_status add_terms(const equant_noise *noise, uint64_t seed, size_t n,
                               const double *time_days, double *drawn, double *noise_m_s)
{
    equant_noise_rows rows = {.struct_size = sizeof rows, .n = n, .time_days = time_days};
    equant_status status = equant_noise_draw(noise, &rows, NULL, seed, 0, 1, drawn);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        noise_m_s[k] += drawn[k];
    return status;
}

int simulated_noise_draw(const char *terms, double white_m_s, uint64_t seed, size_t n,
                         const double *time_days, double *noise_m_s)
{
    equant_noise *noise;
    int code =
        messages_status(equant_random_normal(seed, OBSERVATION_NOISE_PURPOSE, 0, n, noise_m_s));
    for (size_t k = 0; k < n && code == EXIT_CODE_OK; k++)
        noise_m_s[k] *= white_m_s;
    if (terms == NULL || code != EXIT_CODE_OK)
        return code;
    code = messages_status(equant_noise_create(terms, &noise));
    if (code != EXIT_CODE_OK)
        return code;
    double *drawn = calloc(n, sizeof *drawn);
    code = drawn == NULL ? messages_out_of_memory()
                         : messages_status(add_terms(noise, seed, n, time_days, drawn, noise_m_s));
    free(drawn);
    equant_noise_free(noise);
    return code;
}
