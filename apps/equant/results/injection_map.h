/* A map of which injected planets or companions would have been found: as text, JSON, table and
 * picture. */
#ifndef EQUANT_APP_RESULTS_INJECTION_MAP_H
#define EQUANT_APP_RESULTS_INJECTION_MAP_H

#include <stdio.h>

#include "equant.h"
#include "files/output_check.h"
#include "pictures/picture.h"

/* How large what is injected is: a0 on the sky, K in velocities. */
struct injection_axis;

struct injection_map {
    const struct injection_axis *axis;
    const char *name; /* of the star or source; "": none */
    size_t n_periods, n_sizes, n_draws;
    const double *period_edges_days, *size_edges;
    const double *found;     /* [n_sizes][n_periods]: the share of each cell that is detected */
    const double *recovered; /* on the sky, the share whose period is right, too; else NULL */
    double star_mass;        /* solar masses; 0: unknown */
    double parallax_mas;     /* on the sky */
    double threshold; /* of what counts as detected: false-alarm probability, or probability */
    size_t n_planets; /* in velocities: of the star's own fit */
    double seconds;
};

/* Views of what the library found. */
struct injection_map injection_map_of_sky(const equant_sky_injection *injection);
struct injection_map injection_map_of_velocities(const equant_injection *injection);

/* The smallest size of which a share is found from there on; NaN where none is. Between cells the
 * logarithm is interpolated. */
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
