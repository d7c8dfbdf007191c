/* Whole numbers from numbers that may be anything: in C the conversion of NaN, or of what is too
 * large, has no meaning, and on most machines gives an index far outside of any array. */
#ifndef EQUANT_CORE_NUMBERS_WHOLE_NUMBER_H
#define EQUANT_CORE_NUMBERS_WHOLE_NUMBER_H

#include <stddef.h>

/* The whole number at or below a value, from 0 to `most`; 0 of NaN. */
static inline size_t whole_number_up_to(double value, size_t most)
{
    if (!(value > 0.0))
        return 0;
    return value < (double)most ? (size_t)value : most;
}

/* A value without its fraction, if it lies between limits; else the nearer of these, the lower one
 * of NaN. */
static inline int whole_number_within(double value, int least, int most)
{
    if (!(value > (double)least))
        return least;
    return value < (double)most ? (int)value : most;
}

#endif
