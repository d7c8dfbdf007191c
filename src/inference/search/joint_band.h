/* A band of a map of pairs of frequencies: rows i as many as the resolution is wide, from which the
 * best of each column j is kept. Its peaks are what the map sifts. */
#ifndef EQUANT_INFERENCE_SEARCH_JOINT_BAND_H
#define EQUANT_INFERENCE_SEARCH_JOINT_BAND_H

#include "inference/search/joint_table.h"

/* Best first. */
typedef struct pair_list {
    size_t n;
    backend_pair *pairs;
} pair_list;

/* For qsort, best first; ties in the order of the grid, so that the order is one on all machines.
 */
int joint_band_compare(const void *left, const void *right);

/* Puts a pair in its place on a list of the best n_most, which has room for so many. */
void pair_list_add(pair_list *list, size_t n_most, backend_pair pair);

/* What a thread works on: over columns j the best of a band of rows, and which row it was;
 * then the best of each tile of columns. */
typedef struct band_scratch {
    int32_t *best; /* as bits */
    int32_t *row;
    backend_pair *tiles;
} band_scratch;

equant_status band_scratch_create(size_t n_frequencies, size_t n_tiles, band_scratch *scratch);
void band_scratch_free(band_scratch *scratch);

/* The best n_most peaks above a threshold of the rows first ... first + width - 1, into a list that
 * has room for them. */
void joint_band_find(const joint_table *table, size_t first, size_t width, float threshold,
                     size_t n_most, band_scratch *scratch, pair_list *found);

#endif
