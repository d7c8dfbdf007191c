#include "noise/noise_sum.h"

#include "core/status_fail.h"

equant_status noise_sum_check_room(const equant_noise *noise, int n_instruments)
{
    long n_blocks = 0;
    for (size_t t = 0; t < noise->n_terms; t++)
        n_blocks += noise_catalogue_blocks(noise->terms[t].kind, n_instruments);
    if (n_blocks > NOISE_PROCESS_MOST_PARTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "this noise has %ld parts, nights counted for each instrument; %d are "
                           "the most",
                           n_blocks, NOISE_PROCESS_MOST_PARTS);
    return EQUANT_SUCCESS;
}

bool noise_sum_is_whole(const equant_noise *noise)
{
    for (size_t t = 0; t < noise->n_terms; t++)
        if (noise_catalogue_is_whole(noise->terms[t].kind))
            return true;
    return false;
}

bool noise_sum_process(const equant_noise *noise, const double *values, int n_instruments,
                       noise_process *made)
{
    made->n_blocks = made->n_states = 0;
    for (size_t t = 0; t < noise->n_terms; t++) {
        const noise_term_kind *kind = noise->terms[t].kind;
        if (!noise_text_has_sense(kind, values))
            return false;
        int first = made->n_blocks;
        noise_catalogue_expand(kind, values, n_instruments, made);
        for (int b = first; b < made->n_blocks; b++)
            made->block[b].owner = noise->owners[t];
        values += kind->n_parameters;
    }
    return true;
}
