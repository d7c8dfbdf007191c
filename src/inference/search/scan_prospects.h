/* Which bins of a scan may hold a peak: what the best ellipse of a bin explains at most, told from
 * the spectrum of the residual, which costs a few per cent of the scan itself.
 *
 * The two columns of an ellipse are sums of the harmonics of its frequency,
 *
 *   cos nu = c_0 + sum A_k cos k M,   sin nu = sum B_k sin k M,
 *
 * so that a column a cos nu + b sin nu, with a^2 = t and b^2 = 1 - t, has at most the product
 * sum_k R(k f) sqrt(q_k) with the residual, q_k = t A_k^2 + (1 - t) B_k^2, R the modulus of the
 * residual's spectrum; and its square is about W/2 sum q_k, W the sum of the weights. What
 * chi-square falls by is the square of the one over the other. The base and uneven times make
 * squares smaller: a margin, and by how much more the circles of the bin explain than their
 * spectrum says, stand for that. */
#ifndef EQUANT_INFERENCE_SEARCH_SCAN_PROSPECTS_H
#define EQUANT_INFERENCE_SEARCH_SCAN_PROSPECTS_H

#include "core/scan.h"

/* most[b]: what no ellipse of bin b of n_bins should improve more by, behind white noise; circular
 * are the best circles of the bins. The same on any number of threads; on a GPU, where the engine
 * has it, to some 1e-5 of it. */
equant_status scan_prospects_find(const equant_engine_options *engine, const backend_scan *scan,
                                  size_t n_bins, const backend_scan_node *circular, float *most);

#endif
