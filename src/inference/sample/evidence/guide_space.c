#include "inference/sample/evidence/guide_space.h"

#include <math.h>
#include <stdbool.h>

#include "statistics/random_draw.h"

#define NEAREST_TO_ONE (1.0 - 0x1p-53)
#define LOG_ROOT_TURN 0.91893853320467274178 /* ln of the root of 2 pi */

/* ---- periods ----------------------------------------------------------------- */

static bool is_linear(const coordinate_map *map, size_t planet)
{
    return map->basis && map->basis[planet].has_linear_period;
}

static double period_log_volume(const prior_density *prior, double period, double log_stretch,
                                double deviate)
{
    return prior_density_log(prior, period) + log_stretch + 0.5 * deviate * deviate + LOG_ROOT_TURN;
}

static double enter_period(const prior_density *prior, bool is_linear, double *x)
{
    double period = coordinate_map_snap(prior, is_linear ? *x : exp(*x)),
           log_stretch = is_linear ? 0.0 : *x;
    double below = prior_density_cumulative(prior, period);
    *x = random_normal_quantile(fmin(fmax(below, 0x1p-1022), NEAREST_TO_ONE));
    return period_log_volume(prior, period, log_stretch, *x);
}

static double leave_period(const prior_density *prior, bool is_linear, double *x)
{
    double deviate = *x, period = prior_density_quantile(prior, 0.5 * erfc(-deviate * sqrt(0.5)));
    *x = is_linear ? period : log(period);
    return period_log_volume(prior, period, is_linear ? 0.0 : *x, deviate);
}

/* ---- shapes of orbits ---------------------------------------------------------- */

/* With R dR = f(e) de / (1 - F(e)). */
static double shape_log_volume(const prior_density *prior, basis_shape shape, double e,
                               double log_above)
{
    double at = fmax(e, COORDINATE_MAP_ROUND_ORBIT);
    return prior_density_log(prior, at) - log_above + orbit_basis_shape_log_volume(shape, at);
}

static double enter_shape(const prior_density *prior, basis_shape shape, double *x)
{
    double e, omega;
    orbit_basis_shape(shape, x, &e, &omega);
    e = coordinate_map_snap(prior, e);
    double log_above = log1p(-fmin(prior_density_cumulative(prior, e), NEAREST_TO_ONE)),
           radius = sqrt(-2.0 * log_above);
    x[0] = radius * cos(omega);
    x[1] = radius * sin(omega);
    return shape_log_volume(prior, shape, e, log_above);
}

static double leave_shape(const prior_density *prior, basis_shape shape, double *x)
{
    double log_above = -0.5 * (x[0] * x[0] + x[1] * x[1]), omega = atan2(x[1], x[0]);
    double e = prior_density_quantile(prior, fmin(-expm1(log_above), NEAREST_TO_ONE));
    orbit_basis_shape_coordinates(shape, e, omega, x);
    return shape_log_volume(prior, shape, e, log_above);
}

/* ---- all ------------------------------------------------------------------------ */

static double change(const posterior_density *density, double *x, bool enters)
{
    const coordinate_map *map = posterior_density_map(density);
    double log_volume = 0.0;
    for (size_t p = 0; p < map->layout.n_planets; p++) {
        const prior_density *prior = map->density + parameter_layout_orbit(&map->layout, p);
        basis_shape shape = map->basis ? map->basis[p].shape : SHAPE_ROOTS;
        for (size_t element = 0; element < N_ELEMENTS; element++) {
            if (!coordinate_map_is_free(&prior[element]))
                continue;
            if (element == ELEMENT_PERIOD)
                log_volume +=
                    (enters ? enter_period : leave_period)(&prior[element], is_linear(map, p), x);
            else if (element == ELEMENT_ECCENTRICITY && shape != SHAPE_POLAR &&
                     coordinate_map_is_free(&prior[ELEMENT_OMEGA]))
                log_volume += (enters ? enter_shape : leave_shape)(&prior[element], shape, x);
            x++;
        }
    }
    return log_volume;
}

double guide_space_enter(const posterior_density *density, double *coordinates)
{
    return change(density, coordinates, true);
}

double guide_space_leave(const posterior_density *density, double *coordinates)
{
    return change(density, coordinates, false);
}
