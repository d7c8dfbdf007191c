/* Which observations begin a night. Nobody says where a telescope stands: its day is taken to be
 * where it never observes. */
#ifndef EQUANT_MODEL_NIGHTS_H
#define EQUANT_MODEL_NIGHTS_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

/* More than any star has, and few enough for a table. */
enum { NIGHTS_MOST_INSTRUMENTS = 1000 };

/* begins[k]: row k is the first of its instrument in a night. instruments NULL: one. *n_instruments
 * is one more than the largest number. Fails without a sentence: where there is no memory, or where
 * the number of an instrument is negative or too large. */
equant_status nights_find(size_t n, const double *time_days, const int *instruments, bool *begins,
                          int *n_instruments);

/* The nights in which times of instruments lie, [n_at], numbered by the day; instruments and their
 * days are those of the rows. Zero for instruments that made none of them. */
equant_status nights_number(size_t n, const double *time_days, const int *instruments, size_t n_at,
                            const double *at_days, const int *at_instruments, double *night);

/* A place for each night, place[k] for its rows, from 0; nights of several instruments that overlap
 * have different ones. Places are few: as many as nights are open at a time. The arrays are those
 * of nights_find. */
void nights_places(size_t n, const int *instruments, const bool *begins, int *place, int *n_places);

#endif
