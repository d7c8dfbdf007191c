#include "inference/sample/walkers/sampler_device.h"

#include <stdlib.h>

#include "core/status_fail.h"

struct sampler_device {
    device_walkers *walkers;
    unsigned old;     /* BACKEND_WALKERS_...: what the arrays of the sampler lack */
    unsigned changed; /* what the device lacks                                    */
    equant_status failure;
};

static backend_walker_sums sums_of(const sampler *s)
{
    return (backend_walker_sums){s->counts.n_accepted, s->counts.rejection, s->counts.round_trips};
}

equant_status sampler_device_begin(sampler *s)
{
    device_walkers *walkers = NULL;
    if (!s->target.evaluator || !s->target.map)
        return EQUANT_SUCCESS;
    equant_status status =
        device_walkers_create(s->target.evaluator, &s->walkers, s->target.map, &walkers);
    if (status != EQUANT_SUCCESS || !walkers)
        return status;
    s->device = calloc(1, sizeof *s->device);
    if (!s->device) {
        device_walkers_free(walkers);
        return status_out_of_memory();
    }
    s->device->walkers = walkers;
    sampler_device_changed(s, BACKEND_WALKERS_ALL | BACKEND_WALKERS_SUMS);
    return EQUANT_SUCCESS;
}

void sampler_device_end(sampler *s)
{
    if (s->device)
        device_walkers_free(s->device->walkers);
    free(s->device);
    s->device = NULL;
}

void sampler_device_changed(sampler *s, unsigned fields)
{
    if (!s->device)
        return;
    s->device->changed |= fields;
    s->device->old &= ~fields;
    if (fields & BACKEND_WALKERS_ALL)
        s->device->old |= BACKEND_WALKERS_COLD; /* their parameter sets */
}

static equant_status send(const sampler *s)
{
    sampler_device *device = s->device;
    const backend_walker_sums sums = sums_of(s);
    if (device->failure == EQUANT_SUCCESS && device->changed)
        device->failure =
            device_walkers_upload(device->walkers, device->changed, &s->walkers, &sums);
    device->changed = 0;
    return device->failure;
}

equant_status sampler_device_fetch(const sampler *s, unsigned fields)
{
    sampler_device *device = s->device;
    if (!device || !(device->old & fields))
        return device ? device->failure : EQUANT_SUCCESS;
    const backend_walker_sums sums = sums_of(s);
    const unsigned wanted = device->old & fields;
    if (send(s) == EQUANT_SUCCESS)
        device->failure = device_walkers_download(device->walkers, wanted, &s->walkers, &sums,
                                                  s->cold_parameters);
    if (device->failure == EQUANT_SUCCESS)
        device->old &= ~wanted;
    return device->failure;
}

equant_status sampler_device_step(sampler *s, ensemble_move move)
{
    sampler_device *device = s->device;
    if (send(s) == EQUANT_SUCCESS)
        device->failure = device_walkers_step(device->walkers, s->n_steps, (int)move);
    device->old = BACKEND_WALKERS_ALL | BACKEND_WALKERS_SUMS | BACKEND_WALKERS_COLD;
    return device->failure;
}
