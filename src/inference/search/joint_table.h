/* What a map of pairs of frequencies looks up instead of summing over observations.
 *
 * On an even grid the product of two sinusoids is a sum of sinusoids at the difference and
 * at the sum of their frequencies, so that the inner products of all columns of the map
 * come from two tables of the window function. What the base takes away is a short sum over
 * its columns. */
#ifndef EQUANT_INFERENCE_SEARCH_JOINT_TABLE_H
#define EQUANT_INFERENCE_SEARCH_JOINT_TABLE_H

#include "inference/search/joint_map.h"

/* A direction of (cos, sin) takes part when the base leaves this share of its variance:
 * single precision still knows it well. */
#define JOINT_TABLE_LEAST_SHARE_LEFT 1e-3

/* Arrays over frequencies may be read this far beyond their end: zeros. */
enum { JOINT_TABLE_CHUNK = 64 };

/* Per frequency i the whitened columns cos and sin, less their part in the base, become the
 * two orthonormal columns u = T (cos, sin). A direction that the base leaves next to nothing
 * of has a zero row in T. With the window function w,
 *   <u_i, u_j> = T_i H_ij T_j' - sum_b on_base_bi on_base_bj',
 *   H_ij = (w_cos(j-i) + w_cos(j+i)  w_sin(j+i) + w_sin(j-i))
 *          (w_sin(j+i) - w_sin(j-i)  w_cos(j-i) - w_cos(j+i)) . */
typedef struct joint_table {
    size_t n, n_base;
    float *difference_cos, *difference_sin; /* [n], by j - i; half the window function */
    float *sum_cos, *sum_sin;               /* [2 n], by j + i */
    float *to_orthonormal[2][2];            /* T, [n] each */
    float *amplitude[2];                    /* <u, residual>, [n] each */
    float *on_base[2];                      /* <u, base b>, [n_base][stride] each */
    size_t stride;
    /* For bounds, over frequencies, differences or sums: an array's size, and its largest from
     * CHUNK q to CHUNK (q + 2), which covers any CHUNK of them that begins in the first half. */
    float *scale, *explained, *power; /* |T|, |on_base|, |amplitude|^2 */
    float *scale_cover, *explained_cover, *power_cover, *difference_cover, *sum_cover;
    float *memory; /* all of the above */
} joint_table;

equant_status joint_table_create(const backend_scan *data, const joint_map_options *options,
                                 int n_threads, joint_table *table);
void joint_table_free(joint_table *table);

/* What no pair (i, j ... j + CHUNK - 1) improves more by. */
float joint_table_bound(const joint_table *table, size_t i, size_t j);

#endif
