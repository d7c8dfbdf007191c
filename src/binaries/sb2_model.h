/* The likelihood of a double-lined orbit. With x = cos(omega + nu) + e cos omega,
 *
 *     v1 = gamma + K1 x,   v2 = gamma - K2 x,
 *
 * the two columns of a row are v1, v2 or v2, v1: both are as likely before the velocities are seen,
 * unless the row is ordered, and the likelihood of a row is the mean of both. Elements are those
 * that are regular at e = 0: n = 2 pi / P, lambda = M + omega at time 0, k = e cos omega, h = e sin
 * omega. */
#ifndef EQUANT_BINARIES_SB2_MODEL_H
#define EQUANT_BINARIES_SB2_MODEL_H

#include <stdint.h>

#include "binaries/sb2_data.h"

enum {
    SB2_MOTION,    /* n, radians a day     */
    SB2_LONGITUDE, /* lambda               */
    SB2_COSINE,    /* k                    */
    SB2_SINE,      /* h                    */
    SB2_GAMMA,     /* m/s                  */
    SB2_K1,
    SB2_K2,
    SB2_N = EQUANT_SB2_N_ELEMENTS
};

#define SB2_ALL SIZE_MAX

/* Rows of which the times count from a reference. */
typedef struct sb2_epochs {
    size_t n;
    const sb2_row *rows;
    double reference_days, span_days;
    bool keeps_roles;
    size_t left_out; /* a row that does not count; SB2_ALL: none */
} sb2_epochs;

typedef struct sb2_slopes {
    double gradient[SB2_N];
    double matrix[SB2_N * SB2_N]; /* of Fisher, roles weighed by their probability */
} sb2_slopes;

/* x, and its derivatives by the first four elements. */
double sb2_model_shape(const double elements[SB2_N], double time_days, double slope[4]);

/* ln L; slopes and swapped [n], the probability that column 1 is star 2, may be NULL. */
double sb2_model_likelihood(const sb2_epochs *epochs, const double elements[SB2_N],
                            double jitter_m_s, sb2_slopes *slopes, double *swapped);

/* The sum of squares by the likelier role of each row. */
double sb2_model_chi_square(const sb2_epochs *epochs, const double elements[SB2_N],
                            double jitter_m_s);

/* The row that fits worst of those whose chi-square is below a number, which becomes its own;
 * SB2_ALL where there is none. */
size_t sb2_model_worst_row(const sb2_epochs *epochs, const double elements[SB2_N],
                           double jitter_m_s, double *below);

/* The best ln L of two constant velocities, with a jitter of their own if `has_jitter`. */
double sb2_model_constant(const sb2_epochs *epochs, bool has_jitter);

#endif
