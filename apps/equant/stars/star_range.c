#include "stars/star_range.h"

#include <math.h>

struct star_range star_range_around(const struct star_result *star, const double *y, size_t n,
                                    const double *curve)
{
    double lowest = INFINITY, highest = -INFINITY, sum = 0.0;
    size_t n_obs = equant_dataset_n_obs(star->dataset);
    for (size_t k = 0; k < n_obs; k++) {
        lowest = fmin(lowest, y[k]);
        highest = fmax(highest, y[k]);
        sum += star_result_uncertainty(star, k);
    }
    for (size_t i = 0; i < n; i++) {
        lowest = fmin(lowest, curve[i]);
        highest = fmax(highest, curve[i]);
    }
    double margin = 0.06 * (highest - lowest) + sum / (double)n_obs;
    return (struct star_range){lowest - margin, highest + margin};
}
