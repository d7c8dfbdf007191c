/* Numbers from files and options before they become whole ones: converting NaN, or what is too
 * large, has no meaning in C. */
#ifndef EQUANT_APP_TERMINAL_BOUNDED_NUMBER_H
#define EQUANT_APP_TERMINAL_BOUNDED_NUMBER_H

/* The value if it lies between the limits, else the nearer of them; the lower one of NaN. */
static inline double bounded_number(double value, double least, double most)
{
    return value > least ? (value < most ? value : most) : least;
}

/* A count: from 0 to what a double holds exactly. */
static inline double bounded_count(double value)
{
    return bounded_number(value, 0.0, 9007199254740992.0);
}

#endif
