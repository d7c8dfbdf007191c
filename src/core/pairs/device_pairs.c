#include "core/pairs/device_pairs.h"

#include <stdlib.h>

#include "core/engine.h"
#include "core/status_fail.h"

struct device_pairs {
    placement place;
    void *state; /* of the chosen backend */
};

equant_status device_pairs_create(const equant_engine_options *options,
                                  const backend_pair_grid *grid, device_pairs **made)
{
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    placement place;
    *made = NULL;
    equant_status status = placement_find(NULL, options, &work, &place);
    if (status != EQUANT_SUCCESS || !place.chosen->pairs)
        return status;
    device_pairs *pairs = calloc(1, sizeof *pairs);
    if (!pairs)
        return status_out_of_memory();
    pairs->place = place;
    status = place.chosen->pairs->create(&place.engine, grid, &pairs->state);
    if (status == EQUANT_SUCCESS) {
        *made = pairs;
        return EQUANT_SUCCESS;
    }
    free(pairs);
    return place.fallback ? EQUANT_SUCCESS : engine_report(place.chosen, status);
}

void device_pairs_free(device_pairs *pairs)
{
    if (!pairs)
        return;
    pairs->place.chosen->pairs->destroy(pairs->state);
    free(pairs);
}

bool device_pairs_may_leave(const device_pairs *pairs)
{
    return pairs->place.fallback != NULL;
}

equant_status device_pairs_powers(device_pairs *pairs, float *power)
{
    const backend *chosen = pairs->place.chosen;
    return engine_report(chosen, chosen->pairs->powers(pairs->state, power));
}

equant_status device_pairs_peaks(device_pairs *pairs, size_t n_bands, const int32_t *first_rows,
                                 float threshold, backend_pair *found, size_t *n_found)
{
    const backend *chosen = pairs->place.chosen;
    return engine_report(
        chosen, chosen->pairs->peaks(pairs->state, n_bands, first_rows, threshold, found, n_found));
}
