#include "inference/select/orbits/circular_orbit.h"

#include <math.h>

#include "inference/select/orbits/orbit_columns.h"

/* The m0 of circles. */
static const double at_zero = 0.0;

equant_status circular_orbit_best(const study *star, const base_columns *base,
                                  double frequency_per_day, double elements[N_ELEMENTS],
                                  double *gain)
{
    orbit_columns work;
    equant_status status = orbit_columns_create(base->n_obs, 1, &work);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, base, frequency_per_day, 0.0, &at_zero, &work);
    if (status == EQUANT_SUCCESS) {
        orbit_products p = orbit_columns_products(base, work.x, work.y);
        double determinant = p.xx * p.yy - p.xy * p.xy;
        bool is_there = orbit_products_are_determined(p);
        double a = is_there ? (p.xr * p.yy - p.yr * p.xy) / determinant : 0.0,
               b = is_there ? (p.yr * p.xx - p.xr * p.xy) / determinant : 0.0;
        *gain = orbit_products_gain(p);
        elements[ELEMENT_PERIOD] = 1.0 / frequency_per_day;
        elements[ELEMENT_K] = hypot(a, b);
        elements[ELEMENT_ECCENTRICITY] = 0.0;
        elements[ELEMENT_OMEGA] = 0.0;
        elements[ELEMENT_M0] = atan2(-b, a); /* a cos M + b sin M = K cos(M + M0) */
    }
    orbit_columns_free(&work);
    return status;
}

equant_status circular_orbit_overlap(const study *star, const base_columns *base,
                                     double one_per_day, double other_per_day, double *overlap)
{
    size_t n = base->n_obs;
    orbit_columns work, other;
    equant_status status = orbit_columns_create(n, 1, &work);
    if (status != EQUANT_SUCCESS)
        return status;
    status = orbit_columns_create(n, 1, &other);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, base, one_per_day, 0.0, &at_zero, &work);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, base, other_per_day, 0.0, &at_zero, &other);
    if (status == EQUANT_SUCCESS) {
        double *columns[4] = {work.x, work.y, other.x, other.y}, sum = 0.0;
        for (int i = 0; i < 4; i++) {
            base_columns_project(base, columns[i]);
            double before = i % 2 == 1 ? orbit_columns_dot(n, columns[i], columns[i - 1]) : 0.0;
            for (size_t k = 0; k < n && i % 2 == 1; k++)
                columns[i][k] -= before * columns[i - 1][k];
            double size = sqrt(orbit_columns_dot(n, columns[i], columns[i]));
            for (size_t k = 0; k < n && size > 0.0; k++)
                columns[i][k] /= size;
        }
        for (int i = 0; i < 2; i++)
            for (int j = 2; j < 4; j++)
                sum += pow(orbit_columns_dot(n, columns[i], columns[j]), 2.0);
        *overlap = 0.5 * sum;
    }
    orbit_columns_free(&other);
    orbit_columns_free(&work);
    return status;
}
