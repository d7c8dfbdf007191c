#include "data/table_translation.h"

#include "core/status_fail.h"
#include "data/formats/byte_table.h"
#include "data/formats/decimal_comma.h"
#include "data/formats/ecsv.h"
#include "data/formats/ipac_table.h"
#include "data/formats/unit_line.h"

/* The list of them all; the first that recognises a text takes it. */
static const struct table_format {
    const char *format, *warning;
    bool (*is)(const char *text, size_t n_bytes);
    equant_status (*translate)(const char *text, size_t n_bytes, const char *name,
                               text_buffer *plain);
} formats[] = {
    {"AAS machine-readable table", NULL, byte_table_is, byte_table_translate},
    {"IPAC table", NULL, ipac_table_is, ipac_table_translate},
    {NULL, "commas are read as decimal signs", decimal_comma_is, decimal_comma_translate},
    {"VizieR table", NULL, unit_line_is_vizier, unit_line_translate},
    {NULL, NULL, unit_line_is, unit_line_translate},
};

equant_status table_translation_make(const char *text, size_t n_bytes, const char *name,
                                     bool *is_translated, table_translation *translation)
{
    *translation = (table_translation){0};
    *is_translated = false;
    if (ecsv_is(text, n_bytes))
        return EQUANT_SUCCESS;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (!formats[i].is(text, n_bytes))
            continue;
        *is_translated = true;
        translation->format = formats[i].format;
        translation->warning = formats[i].warning;
        equant_status status = formats[i].translate(text, n_bytes, name, &translation->text);
        return translation->text.has_failed ? status_out_of_memory() : status;
    }
    return EQUANT_SUCCESS;
}
