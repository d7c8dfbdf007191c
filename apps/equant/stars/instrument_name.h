/* Short names of instruments, for keys of figures; tables have the whole ones. */
#ifndef EQUANT_APP_STARS_INSTRUMENT_NAME_H
#define EQUANT_APP_STARS_INSTRUMENT_NAME_H

#include "equant.h"

struct instrument_name {
    char text[96];
};

/* "HIRES 2" of the second of several that are called "HIRES (some file)", "HAMILTON" of "HAMILTON
 * ECHELLE SPECTROGRAPH", "HARPS_TERRA" of "HD41248_HARPS_TERRA"; a name of up to sixteen
 * letters stays. */
struct instrument_name instrument_name_short(const equant_dataset *dataset, size_t index);

#endif
