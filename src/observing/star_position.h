/* Where a star is on the sky, as people write it. */
#ifndef EQUANT_OBSERVING_STAR_POSITION_H
#define EQUANT_OBSERVING_STAR_POSITION_H

#include "equant.h"

/* Copies a caller's struct as far as it reaches and checks it. */
equant_status star_position_take(const equant_star_position *given, equant_star_position *taken);

#endif
