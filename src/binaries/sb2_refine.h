/* From a start to the maximum of the likelihood of a double-lined orbit, and its curvature there.
 */
#ifndef EQUANT_BINARIES_SB2_REFINE_H
#define EQUANT_BINARIES_SB2_REFINE_H

#include "binaries/sb2_model.h"

typedef struct sb2_solution {
    double elements[SB2_N];
    double jitter_m_s, log_likelihood; /* -infinity: there is none */
} sb2_solution;

/* Optimises from elements with uncertainties that begin as large as what a start misses, so that no
 * role is settled too early. */
void sb2_refine_optimise(const sb2_epochs *epochs, double eccentricity_max, sb2_solution *solution);

/* Optimises again with each of the rows that fit worst left out for a while, until no row makes the
 * likelihood larger: a role that was settled too early keeps others where they are. */
void sb2_refine_polish(const sb2_epochs *epochs, double eccentricity_max, sb2_solution *solution);

/* Optimises with the jitter that is likeliest when the elements are marginalised (restricted
 * likelihood). */
void sb2_refine_with_jitter(const sb2_epochs *epochs, double eccentricity_max,
                            sb2_solution *solution);

/* The inverse of the curvature of -ln L by differences, or of Fisher's matrix where that is not
 * positive; false where neither is. */
bool sb2_refine_covariance(const sb2_epochs *epochs, const sb2_solution *solution,
                           double covariance[SB2_N * SB2_N]);

#endif
