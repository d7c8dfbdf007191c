/* Any bytes as the header of an ECSV: a unit is always a terminated string that
 * fits, for every column name that the text itself may contain. */
#include <string.h>

#include "data/formats/ecsv.h"
#include "fuzz_target.h"

static void ask_for_unit(const char *text, size_t n_bytes, text_slice column)
{
    char unit[16];
    memset(unit, 'x', sizeof unit);
    ecsv_unit(text, n_bytes, column, unit, sizeof unit);
    PROMISE(memchr(unit, '\0', sizeof unit) != NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const char *text = (const char *)data;
    static const char *const usual[] = {"rv", "rv_err", "bjd", ""};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        ask_for_unit(text, n_bytes, (text_slice){usual[i], strlen(usual[i])});
    if (n_bytes > 8)
        ask_for_unit(text, n_bytes, (text_slice){text + n_bytes / 2, n_bytes % 8});
    ecsv_delimiter(text, n_bytes);
    ecsv_is(text, n_bytes);
    return 0;
}
