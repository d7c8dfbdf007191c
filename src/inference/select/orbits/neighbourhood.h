/* Where orbits near one lie: how far they may differ from it in frequency and in amplitude. */
#ifndef EQUANT_INFERENCE_SELECT_ORBITS_NEIGHBOURHOOD_H
#define EQUANT_INFERENCE_SELECT_ORBITS_NEIGHBOURHOOD_H

#include "inference/select/orbits/orbit_products.h"
#include "inference/search/base_columns.h"

typedef struct neighbourhood {
    double frequency, width;              /* of the best orbit, and the uncertainty of a circle's */
    double signal;                        /* over the noise: sqrt(2 gain) */
    double scales[ORBIT_PRODUCTS_SCALES]; /* of amplitudes */
} neighbourhood;

/* That of an orbit, whose K and omega are not read, and by how much it raises ln L. Scales of
 * amplitudes go by factors of two, but by larger ones where reach_m_s would lie beyond: few
 * observations carry large amplitudes. */
equant_status neighbourhood_find(const study *star, const base_columns *base,
                                 const double elements[N_ELEMENTS], double reach_m_s,
                                 neighbourhood *around, double *gain);

#endif
