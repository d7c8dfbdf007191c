/* Tables with a line of units under the headings: VizieR's, with a rule of dashes behind it, and
 * others without. */
#ifndef EQUANT_DATA_UNIT_LINE_H
#define EQUANT_DATA_UNIT_LINE_H

#include "data/text_buffer.h"
#include "equant.h"

/* Headings, a line without numbers, and a rule of dashes. */
bool unit_line_is_vizier(const char *text, size_t n_bytes);

/* Headings, and a line that consists of units of times and velocities. */
bool unit_line_is(const char *text, size_t n_bytes);

equant_status unit_line_translate(const char *text, size_t n_bytes, const char *name,
                                  text_buffer *plain);

#endif
