/* Normal equations in which the unknowns of one group do not meet each other, as the offsets of
 * instruments: an observation has one instrument. Such a matrix has the shape of an arrow. The
 * group is eliminated first, and the work grows with its size, not with the cube of it. */
#ifndef EQUANT_INFERENCE_OPTIMISE_ARROW_MATRIX_H
#define EQUANT_INFERENCE_OPTIMISE_ARROW_MATRIX_H

#include <stdbool.h>
#include <stddef.h>

/* Of n unknowns those from `first` on, `n_apart` of them, do not meet each other. The others, in
 * their order, are the n - n_apart `together`. */
typedef struct arrow_matrix {
    size_t n, first, n_apart;
    double *together; /* [n - n_apart][n - n_apart] */
    double *side;     /* [n - n_apart][n_apart]: where the two groups meet */
    double *apart;    /* [n_apart]: the diagonal of the others */
} arrow_matrix;

/* How many doubles a matrix takes, and a matrix in as many that the caller has. */
size_t arrow_matrix_size(size_t n, size_t n_apart);
arrow_matrix arrow_matrix_in(double *storage, size_t n, size_t first, size_t n_apart);

/* From a full symmetric matrix whose rows are `stride` apart. */
void arrow_matrix_load(arrow_matrix *made, const double *full, size_t stride);

/* Two unknowns together, i and the next, become c x + s y and c y - s x. */
void arrow_matrix_turn(arrow_matrix *a, size_t i, double cosine, double sine);

/* Takes what known unknowns do off the right side; those apart are not known. */
void arrow_matrix_take_off(const arrow_matrix *a, const double *known, double *right);

/* x' A x. */
double arrow_matrix_square(const arrow_matrix *a, const double *x);

/* Solves for the unknowns that are wanted, the others get zero; the diagonal of those that are
 * damped grows by 1 + damping. Unknowns that the rest determines get zero. The unknowns that stay
 * apart are always wanted. work: [n - n_apart][n - n_apart + 2]. */
void arrow_matrix_solve(const arrow_matrix *a, const bool *is_wanted, const bool *is_damped,
                        double damping, const double *right, double *solution, double *work);

#endif
