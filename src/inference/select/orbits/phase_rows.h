/* The evidence of orbits of all phases, for several frequencies and eccentricities at once. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_PHASE_ROWS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_PHASE_ROWS_H

#include "inference/select/orbits/neighbourhood.h"
#include "inference/select/orbits/phase_products.h"

/* A frequency and an eccentricity, with all phases of theirs. */
typedef struct phase_row {
    double frequency, e;
    size_t n_phases, first_piece;
    double first_phase;       /* of turns; 0 behind white noise */
    double *evidence;         /* ln, [n_phases] */
    const phase_orbit *orbit; /* of another row with this e; NULL: its own, */
    phase_orbit own;          /* made when it is needed */
} phase_row;

/* Rows that know nothing of each other: all their pieces are shared out together, so that threads
 * meet once and not once a row. Behind white noise those of the same frequency, to the bit, share
 * its sums over the observations. */
typedef struct phase_rows {
    const base_columns *base;
    const weighted_columns *columns; /* of the base; NULL behind a factor */
    const neighbourhood *around;
    size_t n, n_pieces;
    phase_row *rows; /* [n] */
    size_t n_runs;
    double *evidence[2]; /* of the rows of each run */
} phase_rows;

/* Fills the evidence of the rows from `first` on, whose frequencies, eccentricities and numbers of
 * phases are given in memory that goes with them. */
equant_status phase_rows_run(study *star, phase_rows *whole, size_t first);
void phase_rows_free(phase_rows *all);

/* ln of what a row holds: the mean over its phases, or over one of so many. */
double phase_row_held(const phase_row *row, size_t stride);

#endif
