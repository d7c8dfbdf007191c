/* Correlated noise as the loops of a scan read it.
 *
 * A column x of a node is whitened by walking over the rows in the order of time, with what the
 * noise remembers of it in a state f (statistics/noise_process.h):
 *
 *   z = (x - u.f) / root D,   f <- R (f + w root D z),
 *
 * R the propagator to the next row. With 1/root D in the weight that x has been multiplied by, and
 * in u, and R and root D in w, a row of a block of m states costs m (m + 2) products. Blocks are
 * put in the order of their size, so that loops over those of one size can be unrolled. */
#ifndef EQUANT_BACKENDS_SCAN_NOISE_H
#define EQUANT_BACKENDS_SCAN_NOISE_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Blocks of one, two and three states, in this order. */
typedef struct scan_noise_shape {
    int n_singles, n_pairs, n_triples;
} scan_noise_shape;

/* Numbers that a row holds of a block of m states: u, then the rows of R, then w. */
enum { SCAN_NOISE_SINGLE = 3, SCAN_NOISE_PAIR = 8, SCAN_NOISE_TRIPLE = 15 };

/* NULL: no states. */
scan_noise_shape scan_noise_shape_of(const backend_scan_noise *noise);
size_t scan_noise_states(scan_noise_shape shape);
size_t scan_noise_row_length(scan_noise_shape shape);

/* One number for the shapes that have loops of their own. */
enum { SCAN_NOISE_ANY = -1, SCAN_NOISE_MOST_SINGLES = 2, SCAN_NOISE_MOST_PAIRS = 3 };
#define SCAN_NOISE_KIND(singles, pairs) ((singles) + (SCAN_NOISE_MOST_SINGLES + 1) * (pairs))
int scan_noise_kind(scan_noise_shape shape);

/* True where the blocks of one shape have room in another: states that are left over stand in
 * pairs, two in each. */
bool scan_noise_fits(scan_noise_shape shape, scan_noise_shape room);

/* Row `row` of n_obs, scan_noise_row_length numbers of a shape in which the noise has room; blocks
 * that it does not need are zeros. */
void scan_noise_fill_row(const backend_scan_noise *noise, size_t n_obs, size_t row,
                         scan_noise_shape shape, double *filled);

#ifdef __cplusplus
}
#endif
#endif
