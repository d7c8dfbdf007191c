/* A map of which companions of a source would have been found: as text, JSON, table and picture. */
#ifndef EQUANT_APP_SKY_INJECTION_MAP_H
#define EQUANT_APP_SKY_INJECTION_MAP_H

#include <stdio.h>

#include "equant.h"
#include "files/output_check.h"
#include "pictures/picture.h"

struct injection_map {
    const equant_sky_injection *injection;
    const char *name;       /* of the source; "": none */
    double star_mass;       /* suns; 0: unknown */
    double false_alarm_max; /* of what counts as found */
    double seconds;
};

/* The smallest orbit of which a share is found from there on, in mas; NaN where none is. Between
 * cells the logarithm goes straight. */
double injection_map_limit(const struct injection_map *map, size_t period, double share);

/* The table, for output_check_folder. */
extern const struct output_member injection_map_members[];

/* Each returns an exit code, with a sentence on failure; the last two write FOLDER/injections.ecsv
 * and FOLDER/injections.FORMAT. */
int injection_map_print(const struct injection_map *map);
void injection_map_json(FILE *stream, const struct injection_map *map);
int injection_map_table(const struct injection_map *map, const char *folder);
int injection_map_draw(const struct injection_map *map, const char *folder,
                       enum picture_format format);

#endif
