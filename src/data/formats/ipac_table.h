/* IPAC's tables (.tbl), as the NASA Exoplanet Archive hands them out: bars in the headings say
 * where columns are. */
#ifndef EQUANT_DATA_IPAC_TABLE_H
#define EQUANT_DATA_IPAC_TABLE_H

#include "data/text_buffer.h"
#include "equant.h"

bool ipac_table_is(const char *text, size_t n_bytes);

equant_status ipac_table_translate(const char *text, size_t n_bytes, const char *name,
                                   text_buffer *plain);

#endif
