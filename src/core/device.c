/* The memory of a device, for callers that have no tool kit for it. */
#include "core/engine.h"
#include "core/placement.h"
#include "core/status_fail.h"

/* The backend that a name stands for, with its device memory. */
static equant_status find_device(const char *name, const backend **chosen, int *device)
{
    equant_engine_options options = {.struct_size = sizeof options, .backend = name};
    placement found;
    equant_status status = placement_find(NULL, &options, &placement_small_batches, &found);
    if (status != EQUANT_SUCCESS)
        return status;
    *chosen = found.chosen;
    *device = found.engine.device;
    return engine_require_device(*chosen);
}

equant_status equant_device_allocate(const char *name, size_t n_bytes, void **memory)
{
    const backend *chosen;
    int device;
    if (!memory)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no place for the memory");
    equant_status status = find_device(name, &chosen, &device);
    if (status != EQUANT_SUCCESS)
        return status;
    return engine_report(chosen, chosen->device->allocate(device, n_bytes, memory));
}

void equant_device_free(const char *name, void *memory)
{
    const backend *chosen;
    int device;
    if (memory && find_device(name, &chosen, &device) == EQUANT_SUCCESS)
        chosen->device->release(device, memory);
}

equant_status equant_device_copy(const char *name, size_t n_bytes, const void *from, void *to)
{
    const backend *chosen;
    int device;
    if (n_bytes > 0 && (!from || !to))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a copy needs a place to come from and a place to go to");
    equant_status status = find_device(name, &chosen, &device);
    if (status != EQUANT_SUCCESS)
        return status;
    return engine_report(chosen, chosen->device->copy(device, n_bytes, from, to));
}

equant_status equant_device_wait(const char *name)
{
    const backend *chosen;
    int device;
    equant_status status = find_device(name, &chosen, &device);
    if (status != EQUANT_SUCCESS)
        return status;
    return engine_report(chosen, chosen->device->wait(device));
}

equant_status equant_device_describe(const char *name, equant_device_info *info)
{
    const backend *chosen;
    int device;
    if (!info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is nowhere to put the description of a device");
    equant_status status = OPTIONS_CHECK(info);
    if (status == EQUANT_SUCCESS)
        status = find_device(name, &chosen, &device);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_device_info known = {.struct_size = sizeof known};
    status = engine_report(chosen, chosen->device->describe(device, &known));
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(known, info);
    return status;
}
