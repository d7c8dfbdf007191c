/* Noise in words whose instruments are called by their names, "night@HARPS(amplitude=1.5)", as the
 * library takes it where it has no data: "night@0(amplitude=1.5)". */
#ifndef EQUANT_APP_INPUTS_NOISE_OWNERS_H
#define EQUANT_APP_INPUTS_NOISE_OWNERS_H

#include "equant.h"

/* Free *made in any case. Returns an exit code, with a sentence where the data have no such
 * instrument. */
int noise_owners_number(const equant_dataset *dataset, const char *text, char **made);

#endif
