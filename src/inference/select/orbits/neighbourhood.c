#include "inference/select/orbits/neighbourhood.h"

#include <math.h>

#include "inference/select/orbits/orbit_columns.h"
#include "model/circle.h"

/* By how much an orbit of these elements, whose K and omega are not read, raises ln L. */
static equant_status gain_at(const study *star, const base_columns *base,
                             const double elements[N_ELEMENTS], double *gain)
{
    orbit_columns work;
    equant_status status = orbit_columns_create(base->n_obs, 1, &work);
    if (status == EQUANT_SUCCESS)
        status = orbit_columns_set(star, base, 1.0 / elements[ELEMENT_PERIOD],
                                   elements[ELEMENT_ECCENTRICITY], &elements[ELEMENT_M0], &work);
    if (status == EQUANT_SUCCESS)
        *gain = orbit_products_gain(orbit_columns_products(base, work.x, work.y));
    orbit_columns_free(&work);
    return status;
}

/* The standard deviation of the times, by their weights. */
static double spread_of_times(const base_columns *base)
{
    double total = 0.0, mean = 0.0, square = 0.0;
    for (size_t k = 0; k < base->n_obs; k++) {
        double w = base->root_weight[k] * base->root_weight[k];
        total += w;
        mean += w * base->time_days[k];
        square += w * base->time_days[k] * base->time_days[k];
    }
    mean /= total;
    return sqrt(fmax(0.0, square / total - mean * mean));
}

/* From the lowest to the highest: no amplitude needs to be larger. */
static double range_of_velocities(const study *star)
{
    const double *velocity = equant_dataset_velocities_m_s(star->dataset);
    double low = velocity[0], high = velocity[0];
    for (size_t k = 1; k < star->n_obs; k++) {
        low = fmin(low, velocity[k]);
        high = fmax(high, velocity[k]);
    }
    return high - low;
}

equant_status neighbourhood_find(const study *star, const base_columns *base,
                                 const double elements[N_ELEMENTS], double reach_m_s,
                                 neighbourhood *around, double *gain)
{
    double weights = 0.0;
    equant_status status = gain_at(star, base, elements, gain);
    for (size_t k = 0; k < base->n_obs; k++)
        weights += base->root_weight[k] * base->root_weight[k];
    double signal = sqrt(2.0 * fmax(*gain, 1.0));
    *around = (neighbourhood){.frequency = 1.0 / elements[ELEMENT_PERIOD],
                              .width = 1.0 / (TWO_PI * signal * spread_of_times(base)),
                              .signal = signal};
    double first = ORBIT_PRODUCTS_FIRST_SCALE * sqrt(2.0 / weights),
           last = fmin(reach_m_s, range_of_velocities(star)),
           factor = fmax(2.0, pow(last / first, 1.0 / (ORBIT_PRODUCTS_SCALES - 1)));
    for (int i = 0; i < ORBIT_PRODUCTS_SCALES; i++)
        around->scales[i] = first * pow(factor, i);
    return status;
}
