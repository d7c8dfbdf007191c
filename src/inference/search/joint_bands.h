/* The bands of a map of pairs: a GPU that scans finds their peaks, or the threads of the caller
 * do, with the same formulas. */
#ifndef EQUANT_INFERENCE_SEARCH_JOINT_BANDS_H
#define EQUANT_INFERENCE_SEARCH_JOINT_BANDS_H

#include "inference/search/joint_band.h"

/* Bands that are asked for at once, at most. */
enum { JOINT_BANDS_MOST = 256 };

typedef struct joint_bands joint_bands;

/* Data and options are the caller's, and stay until the bands are freed. Of each band the best
 * n_most peaks are wanted. */
equant_status joint_bands_create(const backend_scan *data, const joint_map_options *options,
                                 size_t width, size_t n_most, joint_bands **made);
void joint_bands_free(joint_bands *bands);

/* [n_frequencies]: what each improves by alone. */
const float *joint_bands_power(const joint_bands *bands);

/* Peaks above a threshold of the bands that begin with these rows, into lists that have room. */
equant_status joint_bands_find(joint_bands *bands, size_t n_bands, const int32_t *first_rows,
                               float threshold, pair_list *found);

#endif
