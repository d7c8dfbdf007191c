/* What the two columns of an orbit, beside everything else of a model, make of the data: products
 * with each other and with the residual. From them come the best amplitudes and, with amplitudes
 * normal about zero on one of several scales, the evidence. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_PRODUCTS_H
#define EQUANT_INFERENCE_SELECT_ORBITS_ORBIT_PRODUCTS_H

#include <stdbool.h>
#include <stddef.h>

enum { ORBIT_PRODUCTS_MOST_SCALES = 32 };

/* Of scales by factors of two, the first is a quarter of what the noise leaves open, and there are
 * so many. */
#define ORBIT_PRODUCTS_FIRST_SCALE 0.25
enum { ORBIT_PRODUCTS_SCALES = 8 };

typedef struct orbit_products {
    double xx, xy, yy, xr, yr;
} orbit_products;

/* Whether the data tell the two amplitudes from each other and from the rest. */
bool orbit_products_are_determined(orbit_products p);

/* What the best amplitudes gain in ln L. */
double orbit_products_gain(orbit_products p);

/* ln of the evidence, less that of no planet, with amplitudes of standard deviation tau, the mean
 * over all scales:  |1 + tau^2 F|^-1/2 exp(1/2 b' (F + 1/tau^2)^-1 b). weights, [n_scales], may be
 * NULL: what each scale has of it, up to a common factor. */
double orbit_products_evidence(orbit_products p, size_t n_scales, const double *scales,
                               double *weights);

#endif
