#include "core/status_fail.h"

#include <stdarg.h>

#include "core/decimal_text.h"

static _Thread_local char last_error[1024];

equant_status status_fail(equant_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    decimal_text_vprint(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return status;
}

equant_status status_fail_range(const char *noun, size_t n, size_t index)
{
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are %zu %s, so none has index %zu", n,
                       noun, index);
}

equant_status status_out_of_memory(void)
{
    return status_fail(EQUANT_ERROR_OUT_OF_MEMORY, "there is not enough memory for this");
}

const char *equant_last_error(void)
{
    return last_error;
}

const char *equant_status_name(equant_status status)
{
    switch (status) {
    case EQUANT_SUCCESS:
        return "success";
    case EQUANT_ERROR_INVALID_ARGUMENT:
        return "invalid argument";
    case EQUANT_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case EQUANT_ERROR_IO:
        return "input or output failed";
    case EQUANT_ERROR_FORMAT:
        return "format not understood";
    case EQUANT_ERROR_UNAVAILABLE:
        return "not available here";
    case EQUANT_ERROR_CANCELLED:
        return "cancelled";
    case EQUANT_ERROR_DEVICE:
        return "device failed";
    case EQUANT_ERROR_INTERNAL:
        return "internal error";
    }
    return "unknown status";
}
