/* From derivatives with respect to blocks to those with respect to the parameters of noise terms.
 */
#ifndef EQUANT_STATISTICS_NOISE_GRADIENT_H
#define EQUANT_STATISTICS_NOISE_GRADIENT_H

#include "statistics/noise_adjoint.h"
#include "statistics/noise_terms.h"

/* How blocks change with a parameter: by differences over eight places in its logarithm, in which
 * all formulas of noise_terms.h are smooth; good to some 1e-13. */
#define NOISE_GRADIENT_STEP 0.01

SHARED_FUNCTION double noise_gradient_parameter(const noise_kinds *kinds, double *values,
                                                size_t index, int n_nights,
                                                const noise_adjoint_block *by_block)
{
    const double share[4] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
    double value = values[index], sum = 0.0;
    for (int i = 0; i < 4; i++)
        for (int side = -1; side <= 1; side += 2) {
            noise_process process;
            double part = 0.0;
            values[index] = value * exp(side * (i + 1) * NOISE_GRADIENT_STEP);
            noise_terms_expand(&process, kinds, values, n_nights);
            for (int b = 0; b < process.n_blocks; b++) {
                const noise_block *block = &process.block[b];
                part += by_block[b].a * block->a + by_block[b].b * block->b +
                        by_block[b].c * block->c + by_block[b].q * block->q;
            }
            sum += side * share[i] * part;
        }
    values[index] = value;
    return sum / (NOISE_GRADIENT_STEP * value);
}

#endif
