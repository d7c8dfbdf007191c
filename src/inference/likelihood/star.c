/* The public face of a star that is known from elsewhere. */
#include <math.h>

#include "core/status_fail.h"
#include "model/host_star.h"

/* Mean density of a star of solar mass and radius, g/cm3: nominal GM and R of IAU 2015 B3, with
 * G = 6.67430e-11. */
#define SUN_DENSITY_G_CM3 1.4097798

equant_status equant_star_check(const equant_star *star)
{
    static const char *const words[N_STAR_PROPERTIES] = {"mass", "radius", "luminosity",
                                                         "effective temperature"};
    equant_status status = OPTIONS_CHECK(star);
    if (status != EQUANT_SUCCESS)
        return status;
    host_star own = host_star_of(star, 0.0);
    for (size_t i = 0; i < N_STAR_PROPERTIES; i++) {
        if (!(own.value[i] >= 0.0) || isinf(own.value[i]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "a star's %s must be positive, not %g", words[i], own.value[i]);
        if (!(own.error[i] >= 0.0) || isinf(own.error[i]))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the error of a star's %s must be positive, not %g", words[i],
                               own.error[i]);
        if (own.error[i] > 0.0 && !(own.value[i] > 0.0))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the error of a star's %s, %g, needs the %s itself", words[i],
                               own.error[i], words[i]);
        if (own.error[i] > 0.5 * own.value[i])
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "the error of a star's %s, %g, is more than half of it, %g: nothing "
                               "follows from such a number",
                               words[i], own.error[i], own.value[i]);
    }
    return EQUANT_SUCCESS;
}

/* A product of powers of two properties: value and relative error. */
static void give_product(double scale, const host_star *own, star_property first, double power,
                         star_property second, double other_power, double *value, double *error)
{
    double a = own->value[first], b = own->value[second];
    bool is_known = a > 0.0 && b > 0.0;
    double made = is_known ? scale * pow(a, power) * pow(b, other_power) : NAN;
    if (value)
        *value = made;
    if (error)
        *error = made * hypot(power * own->error[first] / a, other_power * own->error[second] / b);
}

equant_status equant_star_derive(const equant_star *star, double *luminosity,
                                 double *luminosity_err, double *density_g_cm3,
                                 double *density_err_g_cm3)
{
    equant_status status = equant_star_check(star);
    if (status != EQUANT_SUCCESS)
        return status;
    host_star own = host_star_of(star, 0.0);
    if (own.value[STAR_LUMINOSITY] > 0.0)
        give_product(1.0, &own, STAR_LUMINOSITY, 1.0, STAR_LUMINOSITY, 0.0, luminosity,
                     luminosity_err);
    else
        give_product(pow(5772.0, -4.0), &own, STAR_RADIUS, 2.0, STAR_TEMPERATURE, 4.0, luminosity,
                     luminosity_err);
    give_product(SUN_DENSITY_G_CM3, &own, STAR_MASS, 1.0, STAR_RADIUS, -3.0, density_g_cm3,
                 density_err_g_cm3);
    return EQUANT_SUCCESS;
}
