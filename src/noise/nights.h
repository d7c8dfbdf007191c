/* Which observations begin a night. Nobody says where a telescope stands: its day is taken to be
 * where it never observes. */
#ifndef EQUANT_NOISE_NIGHTS_H
#define EQUANT_NOISE_NIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

/* begins[k]: row k is the first of its instrument in a night. instruments NULL: one. *n_instruments
 * is one more than the largest number. */
equant_status nights_find(size_t n, const double *time_days, const int *instruments, bool *begins,
                          int *n_instruments);

#endif
