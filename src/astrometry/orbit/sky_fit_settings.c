#include "astrometry/orbit/sky_fit_settings.h"

#include <math.h>

#include "core/status_fail.h"

#define USUAL_FALSE_ALARM 1e-3
#define USUAL_ECCENTRICITY_MAX 0.95
#define LARGEST_ECCENTRICITY 0.99

/* A number of the options, or the usual where it is zero. */
#define OPTION_OR(options, member, usual)                                                          \
    (OPTION_OR_ZERO(options, equant_sky_fit_options, member) != 0.0                                \
         ? OPTION_OR_ZERO(options, equant_sky_fit_options, member)                                 \
         : (usual))

equant_status sky_fit_settings(const equant_sky_fit_options *options, sky_ladder_settings *made)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    *made = (sky_ladder_settings){
        .engine = OPTION_OR_ZERO(options, equant_sky_fit_options, engine),
        .limits =
            {.period_min_days = OPTION_OR_ZERO(options, equant_sky_fit_options, period_min_days),
             .period_max_days = OPTION_OR_ZERO(options, equant_sky_fit_options, period_max_days),
             .eccentricity_max = OPTION_OR(options, eccentricity_max, USUAL_ECCENTRICITY_MAX)},
        .false_alarm_max = OPTION_OR(options, false_alarm_max, USUAL_FALSE_ALARM),
        .parallax_zero_point_mas =
            OPTION_OR_ZERO(options, equant_sky_fit_options, parallax_zero_point_mas),
        .as_ccds = OPTION_OR_ZERO(options, equant_sky_fit_options, as_ccds) != 0,
        .has_jitter = OPTION_OR_ZERO(options, equant_sky_fit_options, no_jitter) == 0,
        .has_colour = OPTION_OR_ZERO(options, equant_sky_fit_options, no_colour) == 0,
        .is_free = OPTION_OR_ZERO(options, equant_sky_fit_options, free_velocities) != 0,
        .motions = OPTION_OR_ZERO(options, equant_sky_fit_options, motions),
        .n_scans = OPTION_OR_ZERO(options, equant_sky_fit_options, n_scans),
        .scans = OPTION_OR_ZERO(options, equant_sky_fit_options, scans),
        .radial_velocity_km_s =
            OPTION_OR_ZERO(options, equant_sky_fit_options, radial_velocity_km_s),
        .max_orbits = (size_t)OPTION_OR(options, max_companions, SKY_SOLUTION_MAX_ORBITS),
        .progress = OPTION_OR_ZERO(options, equant_sky_fit_options, progress),
        .progress_context = OPTION_OR_ZERO(options, equant_sky_fit_options, progress_context),
        .keeps_partial = OPTION_OR_ZERO(options, equant_sky_fit_options, keeps_partial) != 0,
        .has_orbit = OPTION_OR_ZERO(options, equant_sky_fit_options, force_orbit) != 0,
    };
    if (!(made->limits.period_min_days >= 0.0) || !isfinite(made->limits.period_min_days) ||
        !(made->limits.period_max_days >= 0.0) || !isfinite(made->limits.period_max_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "periods of orbits are above zero");
    if (!(made->limits.eccentricity_max > 0.0 &&
          made->limits.eccentricity_max <= LARGEST_ECCENTRICITY))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "eccentricities up to %g; the largest is between 0 and %g",
                           made->limits.eccentricity_max, LARGEST_ECCENTRICITY);
    if (!isfinite(made->radial_velocity_km_s) || fabs(made->radial_velocity_km_s) > 1e4)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a radial velocity of %g km/s",
                           made->radial_velocity_km_s);
    if (made->max_orbits < 1 || made->max_orbits > SKY_SOLUTION_MAX_ORBITS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "companions are 1 to %d",
                           SKY_SOLUTION_MAX_ORBITS);
    if (!(made->false_alarm_max > 0.0 && made->false_alarm_max <= 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a false-alarm probability of %g; it is between 0 and 1",
                           made->false_alarm_max);
    return EQUANT_SUCCESS;
}
