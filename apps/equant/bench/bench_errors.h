/* How far chi-square is from the truth, in the three ways of Ford (2008), Table 2. */
#ifndef EQUANT_APP_BENCH_BENCH_ERRORS_H
#define EQUANT_APP_BENCH_BENCH_ERRORS_H

#include <stddef.h>

typedef struct bench_errors {
    double max_fractional; /* max |chi2 - truth| / truth       */
    double max_absolute;   /* max |chi2 - truth|               */
    double l1;             /* sum |chi2 - truth| / sum truth   */
} bench_errors;

/* The same three definitions as sentences, for the output. */
extern const char bench_errors_max_fractional[], bench_errors_max_absolute[], bench_errors_l1[];

/* A chi-square that is not finite counts as an infinite error. n >= 1. */
bench_errors bench_errors_of(size_t n, const double *chi_square, const double *truth);

#endif
