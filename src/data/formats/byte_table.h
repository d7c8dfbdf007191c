/* Machine-readable tables of the AAS journals: columns are ranges of bytes, which the head of the
 * file describes one by one. */
#ifndef EQUANT_DATA_BYTE_TABLE_H
#define EQUANT_DATA_BYTE_TABLE_H

#include "data/text_buffer.h"
#include "equant.h"

bool byte_table_is(const char *text, size_t n_bytes);

equant_status byte_table_translate(const char *text, size_t n_bytes, const char *name,
                                   text_buffer *plain);

#endif
