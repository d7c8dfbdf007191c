/* Peaks of scans, each refined with everything: the best first, no two of one period. */
#ifndef EQUANT_INFERENCE_SEARCH_PEAK_LIST_H
#define EQUANT_INFERENCE_SEARCH_PEAK_LIST_H

#include "inference/search/planet_scan.h"

typedef struct peak_list {
    size_t n, n_wanted;
    solution *found; /* [n_wanted] */
} peak_list;

/* Free it in any case. */
equant_status peak_list_create(study *star, size_t n_wanted, peak_list *list);
void peak_list_free(peak_list *list);

/* By ln L: the prior that chose among starts has no say in how peaks are listed. */
void peak_list_sort(peak_list *list);

/* Adds what scans like this one find behind other settings of the noise that the data allow, n of
 * them: a scan takes the noise as it is, and the best setting may hide what others show. Nothing
 * where the noise of the background has no terms. */
equant_status peak_list_add_settings(study *star, const planet_scan *scan,
                                     const solution *background, size_t n, peak_list *list);

#endif
