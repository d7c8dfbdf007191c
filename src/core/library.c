/* What the library says of itself: its version, its backends, its threads. */
#include "core/placement.h"
#include "core/status_fail.h"

const char *equant_version(void)
{
    return EQUANT_VERSION_STRING;
}

size_t equant_n_backends(void)
{
    return backend_list_length;
}

equant_status equant_backend_at(size_t index, equant_backend_info *info)
{
    if (!info)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there is nowhere to put the description of a backend");
    equant_status status = OPTIONS_CHECK(info);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= backend_list_length)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no backend number %zu", index);
    const backend *described = backend_list[index];
    if (OPTIONS_HAVE(info, equant_backend_info, name))
        info->name = described->name;
    if (OPTIONS_HAVE(info, equant_backend_info, description))
        info->description = described->description;
    if (OPTIONS_HAVE(info, equant_backend_info, available))
        info->available = described->available();
    if (OPTIONS_HAVE(info, equant_backend_info, is_default))
        info->is_default = described == placement_processor(NULL);
    return EQUANT_SUCCESS;
}

int equant_default_threads(void)
{
    return placement_threads(0);
}
