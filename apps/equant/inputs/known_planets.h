/* Planets that a person knows already: to start from, to keep, or to take into account. */
#ifndef EQUANT_APP_INPUTS_KNOWN_PLANETS_H
#define EQUANT_APP_INPUTS_KNOWN_PLANETS_H

#include "equant.h"

/* Elements in the order of equant_element, at the data's reference time. */
struct known_planets {
    size_t n;
    double *elements; /* [n][EQUANT_N_ELEMENTS] */
};

/* Adds the planets of a file: fit.json or planets.ecsv of an earlier fit, any table with a
 * planet in each row, or the first row of a table of orbits (orbit_table.h). Where the
 * file tells the passage of pericentre its own reference time may be another. Returns an
 * exit code, with a sentence on failure; free what is there in any case. */
int known_planets_read(struct known_planets *planets, const char *path,
                       const equant_dataset *dataset);

void known_planets_free(struct known_planets *planets);

#endif
