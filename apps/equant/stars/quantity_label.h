/* What people call a quantity of a posterior. */
#ifndef EQUANT_APP_STARS_QUANTITY_LABEL_H
#define EQUANT_APP_STARS_QUANTITY_LABEL_H

#include "equant.h"

/* Without its planet or instrument: "K m/s"; angles are then in degrees. */
const char *quantity_label(const equant_quantity *quantity);

#endif
