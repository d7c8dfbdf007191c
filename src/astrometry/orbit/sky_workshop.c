#include "astrometry/orbit/sky_workshop.h"

equant_status sky_workshop_open(const sky_data *data, const sky_model *model, sky_workshop *own)
{
    *own = (sky_workshop){0};
    equant_status status = sky_design_create(data, model, &own->design);
    return status == EQUANT_SUCCESS ? sky_refiner_create(&own->design, &own->refiner) : status;
}

void sky_workshop_close(sky_workshop *own)
{
    sky_refiner_free(&own->refiner);
    sky_design_free(&own->design);
}
