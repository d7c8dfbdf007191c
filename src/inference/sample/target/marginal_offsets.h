/* The offsets of instruments integrated out of a Gaussian likelihood.
 *
 * With weights w_k = 1 / (sigma_k^2 + s^2) and their sum W_i over the observations of instrument
 * i, ln L is a parabola in its offset, of curvature -W_i about its best value, whatever the
 * orbits and the trend are; and the offsets do not see each other. Under uniform priors, of
 * width D_i, that are wide beside the parabola,
 *
 *   ln integral L prod_i (d offset_i / D_i)
 *       = ln L at the best offsets - 1/2 sum_i ln(W_i / (2 pi)) - sum_i ln D_i.
 *
 * The second term depends on the jitters s. Instruments without observations contribute
 * nothing: their integral is that of their prior. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_MARGINAL_OFFSETS_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_MARGINAL_OFFSETS_H

#include "inference/sample/target/model_priors.h"

typedef struct marginal_offsets marginal_offsets;

/* Copies what it needs. Offsets whose priors are not uniform are refused. */
equant_status marginal_offsets_create(const equant_dataset *dataset, const priors *priors_of_star,
                                      marginal_offsets **made);
void marginal_offsets_free(marginal_offsets *offsets);

/* What the formula adds to ln L at the best offsets; jitters are one per instrument. */
double marginal_offsets_log_factor(const marginal_offsets *offsets, const double *jitter_m_s);

/* Adds the derivatives of that by the jitters to `slopes`, one per instrument. */
void marginal_offsets_add_slopes(const marginal_offsets *offsets, const double *jitter_m_s,
                                 double *slopes);

/* The sum of ln D_i alone. */
double marginal_offsets_log_width(const marginal_offsets *offsets);

#endif
