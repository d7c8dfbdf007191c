#include "backends/scan_scale.h"

#include <math.h>

scan_scale scan_scale_of(const backend_scan *scan)
{
    double weight_max = 0.0, square = 0.0;
    for (size_t k = 0; k < scan->n_obs; k++) {
        weight_max = fmax(weight_max, scan->root_weight[k]);
        square += scan->residual[k] * scan->residual[k];
    }
    return (scan_scale){.weight = weight_max > 0.0 ? 1.0 / weight_max : 0.0,
                        .residual = square > 0.0 ? 1.0 / sqrt(square) : 0.0,
                        .residual_square = square};
}
