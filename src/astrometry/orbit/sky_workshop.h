/* One model of the data, with memory to refine its solutions in. */
#ifndef EQUANT_ASTROMETRY_ORBIT_SKY_WORKSHOP_H
#define EQUANT_ASTROMETRY_ORBIT_SKY_WORKSHOP_H

#include "astrometry/solution/sky_refine.h"

typedef struct sky_workshop {
    sky_design design;
    sky_refiner refiner;
} sky_workshop;

/* Closed whether it could be opened or not. */
equant_status sky_workshop_open(const sky_data *data, const sky_model *model, sky_workshop *own);
void sky_workshop_close(sky_workshop *own);

#endif
