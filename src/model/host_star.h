/* The star that planets go around, as far as it is known from elsewhere: its numbers with errors,
 * and one such star without them, of which orbits take what they need. */
#ifndef EQUANT_MODEL_HOST_STAR_H
#define EQUANT_MODEL_HOST_STAR_H

#include <stdbool.h>

#include "equant/star.h"

typedef enum star_property {
    STAR_MASS,
    STAR_RADIUS,
    STAR_LUMINOSITY,
    STAR_TEMPERATURE,
    N_STAR_PROPERTIES
} star_property;

/* In the units of equant_star; a value of 0: unknown. */
typedef struct host_star {
    double value[N_STAR_PROPERTIES], error[N_STAR_PROPERTIES];
} host_star;

/* One star without errors; NaN: unknown. */
typedef struct star_values {
    double mass, luminosity;
} star_values;

/* Names of values and errors in files, "mass" and "mass_err" first. */
extern const char *const host_star_names[N_STAR_PROPERTIES][2];

/* The struct of a caller, which may be NULL or older; star_mass is that of options which know the
 * mass alone, and counts where the struct has none. */
host_star host_star_of(const equant_star *star, double star_mass);

bool host_star_has_mass(const host_star *star);
bool host_star_has_luminosity(const host_star *star);

/* The star of the values, each moved by so many standard deviations; NULL: by none. What falls to
 * zero or below stays just above. */
star_values host_star_at(const host_star *star, const double deviates[N_STAR_PROPERTIES]);

#endif
