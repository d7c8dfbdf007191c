/* What a search has found: curves over frequency, peaks, and how good noise would do. */
#ifndef EQUANT_INFERENCE_SEARCH_PERIODOGRAM_H
#define EQUANT_INFERENCE_SEARCH_PERIODOGRAM_H

#include "inference/likelihood/remarks.h"
#include "inference/search/significance.h"

enum { PERIODOGRAM_MOST_PEAKS = 1000, PERIODOGRAM_CURVES = 5 };
enum { PERIODOGRAM_REMARK = 80, PERIODOGRAM_WORDS = 1024 }; /* lengths of texts */

typedef struct reported_peak {
    equant_peak peak;
    char remark[PERIODOGRAM_REMARK];
} reported_peak;

struct equant_periodogram {
    size_t n;
    double *frequency, *power, *circular, *eccentricity, *window; /* [n], in one piece */
    size_t n_peaks;
    reported_peak *peaks;
    double n_nodes, seconds;
    significance significance;
    size_t n_base, n_known;
    bool is_circular;
    char noise[PERIODOGRAM_WORDS], indicators[PERIODOGRAM_WORDS];
    remarks remarks;
};

/* Curves of n frequencies each in one piece; NULL: there are none. */
void periodogram_place_curves(equant_periodogram *periodogram, double *piece);

#endif
