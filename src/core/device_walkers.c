#include "core/device_walkers.h"

#include <stdlib.h>

#include "core/engine.h"
#include "core/evaluators/evaluator.h"
#include "core/status_fail.h"

struct device_walkers {
    const backend *chosen;
    void *walkers; /* of that backend */
};

equant_status device_walkers_create(const equant_evaluator *evaluator,
                                    const struct ensemble *on_host,
                                    const struct coordinate_map *map, device_walkers **made)
{
    const evaluator_parts parts = evaluator_parts_of(evaluator);
    *made = NULL;
    if (!parts.chosen->walkers)
        return EQUANT_SUCCESS;
    device_walkers *walkers = malloc(sizeof *walkers);
    if (!walkers)
        return status_out_of_memory();
    walkers->chosen = parts.chosen;
    equant_status status =
        engine_report(parts.chosen, parts.chosen->walkers->create(parts.state, parts.engine,
                                                                  on_host, map, &walkers->walkers));
    if (status != EQUANT_SUCCESS) {
        free(walkers);
        return status;
    }
    *made = walkers;
    return EQUANT_SUCCESS;
}

void device_walkers_free(device_walkers *walkers)
{
    if (!walkers)
        return;
    walkers->chosen->walkers->destroy(walkers->walkers);
    free(walkers);
}

equant_status device_walkers_upload(device_walkers *walkers, unsigned fields,
                                    const struct ensemble *from, const backend_walker_sums *sums)
{
    const backend *chosen = walkers->chosen;
    return engine_report(chosen, chosen->walkers->upload(walkers->walkers, fields, from, sums));
}

equant_status device_walkers_step(device_walkers *walkers, uint64_t step, int move)
{
    const backend *chosen = walkers->chosen;
    return engine_report(chosen, chosen->walkers->step(walkers->walkers, step, move));
}

equant_status device_walkers_download(device_walkers *walkers, unsigned fields,
                                      const struct ensemble *to, const backend_walker_sums *sums,
                                      double *cold_parameters)
{
    const backend *chosen = walkers->chosen;
    return engine_report(
        chosen, chosen->walkers->download(walkers->walkers, fields, to, sums, cold_parameters));
}
