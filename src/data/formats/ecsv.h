/* The header of astropy's ECSV: YAML in comment lines, of which just what a
 * table of velocities needs is read. */
#ifndef EQUANT_DATA_ECSV_H
#define EQUANT_DATA_ECSV_H

#include <stdbool.h>
#include <stddef.h>

#include "data/text_table.h"

/* True when the text begins as every ECSV file does. */
bool ecsv_is(const char *text, size_t n_bytes);

/* How the cells are set apart: the header's `delimiter`, or blanks. */
text_delimiter ecsv_delimiter(const char *text, size_t n_bytes);

/* Copies the unit of a column; "" where the header has none. */
void ecsv_unit(const char *text, size_t n_bytes, text_slice column, char *unit, size_t n_unit);

/* The same for its description. */
void ecsv_description(const char *text, size_t n_bytes, text_slice column, char *description,
                      size_t n_description);

#endif
