/* Tables whose decimal sign is a comma, with cells set apart by semicolons, tabs or blanks. */
#ifndef EQUANT_DATA_DECIMAL_COMMA_H
#define EQUANT_DATA_DECIMAL_COMMA_H

#include "data/text_buffer.h"
#include "equant.h"

bool decimal_comma_is(const char *text, size_t n_bytes);

equant_status decimal_comma_translate(const char *text, size_t n_bytes, const char *name,
                                      text_buffer *plain);

#endif
