#include "sky/sky_source_file.h"

#include "terminal/messages.h"

int sky_source_file_read(const char *command, const char *path, const equant_sky_reading *reading,
                         equant_astrometry **source)
{
    equant_astrometry **sources;
    size_t n = 0;
    int code = EXIT_CODE_OK;
    equant_status status = equant_astrometry_read(path, reading, &sources, &n);
    if (status == EQUANT_ERROR_INVALID_ARGUMENT && reading->source_id != 0)
        return messages_usage(command, "--source: %s", equant_last_error());
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    if (n == 1) {
        *source = sources[0];
        sources[0] = NULL;
    } else {
        code = messages_failure("%s: %zu sources; name one with --source, the first is %lld", path,
                                n, (long long)equant_astrometry_source_id(sources[0]));
    }
    equant_astrometry_free_all(sources, n);
    return code;
}
