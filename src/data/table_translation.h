/* Tables that are set otherwise than with one delimiter and one line of headings: each is
 * recognised by its contents and becomes a plain table with tabs, line for line, so that
 * complaints about the one name lines of the other. */
#ifndef EQUANT_DATA_TABLE_TRANSLATION_H
#define EQUANT_DATA_TABLE_TRANSLATION_H

#include "data/text_buffer.h"
#include "equant.h"

typedef struct table_translation {
    text_buffer text;    /* the plain table; free it */
    const char *format;  /* a name for a person; NULL: that of the plain table */
    const char *warning; /* what was guessed; NULL: nothing */
} table_translation;

/* Fails on tables that are recognised and make no sense; `name` is the file's. *is_translated tells
 * whether there is anything in `translation`, which the caller frees in any case. */
equant_status table_translation_make(const char *text, size_t n_bytes, const char *name,
                                     bool *is_translated, table_translation *translation);

#endif
