/* Numbers as astronomers write them, read the same in every locale. */
#ifndef EQUANT_DATA_TEXT_NUMBER_H
#define EQUANT_DATA_TEXT_NUMBER_H

#include <stdbool.h>

#include "data/text_table.h"

/* Reads a whole slice as a decimal number, correctly rounded; Fortran's D may
 * stand for the exponent's E. False for anything else: text, nan, inf, hex. A
 * number too large for double reads as infinite. */
bool text_number_read(text_slice slice, double *value);

/* True for nan, inf and infinity with or without a sign. */
bool text_number_is_not_finite(text_slice slice);

/* Reads a whole slice as an integer of at most four digits. */
bool text_number_read_small_integer(text_slice slice, int *value);

#endif
