#include "inference/select/orbits/orbit_products.h"

#include <math.h>

bool orbit_products_are_determined(orbit_products p)
{
    return p.xx > 0.0 && p.yy > 0.0 && p.xx * p.yy - p.xy * p.xy > 1e-12 * p.xx * p.yy;
}

double orbit_products_gain(orbit_products p)
{
    double determinant = p.xx * p.yy - p.xy * p.xy;
    if (!orbit_products_are_determined(p))
        return 0.0;
    return 0.5 * (p.xr * p.xr * p.yy - 2.0 * p.xr * p.yr * p.xy + p.yr * p.yr * p.xx) / determinant;
}

double orbit_products_evidence(orbit_products p, size_t n_scales, const double *scales,
                               double *weights)
{
    double own[ORBIT_PRODUCTS_MOST_SCALES], gains[ORBIT_PRODUCTS_MOST_SCALES], most = 0.0,
                                                                               sum = 0.0;
    double *weight = weights ? weights : own;
    for (size_t i = 0; i < n_scales; i++) {
        /* Where nothing is left of an orbit, rounding may leave less than that. */
        double precision = 1.0 / (scales[i] * scales[i]), xx = fmax(p.xx, 0.0) + precision,
               yy = fmax(p.yy, 0.0) + precision, determinant = xx * yy - p.xy * p.xy;
        bool is_there = determinant > 1e-12 * xx * yy;
        gains[i] = is_there
                       ? 0.5 * (p.xr * p.xr * yy - 2.0 * p.xr * p.yr * p.xy + p.yr * p.yr * xx) /
                             determinant
                       : 0.0;
        weight[i] = precision / sqrt(is_there ? determinant : 1e-12 * xx * yy);
        most = fmax(most, gains[i]);
    }
    for (size_t i = 0; i < n_scales; i++) {
        weight[i] *= exp(gains[i] - most);
        sum += weight[i];
    }
    return most + log(sum / (double)n_scales);
}
