#include "model/host_star.h"

#include <math.h>
#include <string.h>

#define SUN_TEMPERATURE_K 5772.0 /* nominal, IAU 2015 B3 */
#define LEAST_SHARE 1e-3         /* of a value, left by a deviate that would make it negative */

const char *const host_star_names[N_STAR_PROPERTIES][2] = {
    {"star_mass", "star_mass_err"},
    {"star_radius", "star_radius_err"},
    {"star_luminosity", "star_luminosity_err"},
    {"star_temperature_k", "star_temperature_err_k"},
};

host_star host_star_of(const equant_star *star, double star_mass)
{
    equant_star whole = {0};
    if (star) {
        size_t n = star->struct_size < sizeof whole ? star->struct_size : sizeof whole;
        memcpy(&whole, star, n);
    }
    host_star made = {
        .value = {whole.mass, whole.radius, whole.luminosity, whole.temperature_k},
        .error = {whole.mass_err, whole.radius_err, whole.luminosity_err, whole.temperature_err_k}};
    if (made.value[STAR_MASS] == 0.0)
        made.value[STAR_MASS] = star_mass;
    return made;
}

bool host_star_has_mass(const host_star *star)
{
    return star->value[STAR_MASS] > 0.0;
}

bool host_star_has_luminosity(const host_star *star)
{
    return star->value[STAR_LUMINOSITY] > 0.0 ||
           (star->value[STAR_RADIUS] > 0.0 && star->value[STAR_TEMPERATURE] > 0.0);
}

star_values host_star_at(const host_star *star, const double deviates[N_STAR_PROPERTIES])
{
    double own[N_STAR_PROPERTIES];
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        own[i] = star->value[i] > 0.0 ? star->value[i] : NAN;
        if (deviates && star->error[i] > 0.0)
            own[i] = fmax(own[i] + deviates[i] * star->error[i], LEAST_SHARE * own[i]);
    }
    double ratio = own[STAR_TEMPERATURE] / SUN_TEMPERATURE_K;
    double luminosity = own[STAR_RADIUS] * own[STAR_RADIUS] * ratio * ratio * ratio * ratio;
    return (star_values){own[STAR_MASS],
                         star->value[STAR_LUMINOSITY] > 0.0 ? own[STAR_LUMINOSITY] : luminosity};
}
