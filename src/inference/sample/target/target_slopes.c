#include "inference/sample/target/target_slopes.h"

#include <math.h>
#include <string.h>

#include "inference/sample/target/target_space_object.h"

/* Dimensions of one planet's elements, where they are free. */
static bool is_free_beside(const target_space *space, size_t column, size_t from, size_t to)
{
    return target_space_is_free(space, column - from + to);
}

/* ---- from parameters to dimensions ---------------------------------------------------- */

/* By omega at a lambda that stays: M0 = lambda - omega moves the other way. */
static double slope_of_omega(const target_space *space, size_t column, const double *by_parameter)
{
    bool has_lambda = is_free_beside(space, column, ELEMENT_OMEGA, ELEMENT_M0);
    return by_parameter[column] -
           (has_lambda ? by_parameter[column - ELEMENT_OMEGA + ELEMENT_M0] : 0.0);
}

/* By x = sqrt(e) cos omega and y = sqrt(e) sin omega, of which the first is coordinate i: e = x^2 +
 * y^2, omega = atan2(y, x). Nothing depends on omega where e = 0. */
static void slopes_of_shape(const target_space *space, const double *x, size_t column,
                            const double *by_parameter, double slopes[2])
{
    double e = x[0] * x[0] + x[1] * x[1], by_e = by_parameter[column],
           turn = e > 0.0 ? slope_of_omega(space, column + 1, by_parameter) / e : 0.0;
    slopes[0] = 2.0 * x[0] * by_e - x[1] * turn;
    slopes[1] = 2.0 * x[1] * by_e + x[0] * turn;
}

/* By ln of a parameter of noise: what is a multiple of it moves with it. */
static double slope_of_noise(const target_space *space, size_t column, target_row row,
                             const double *by_parameter)
{
    const coordinate_map *map = space->map;
    double slope = by_parameter[column] * row.parameters[column];
    bool has_multiple =
        column + 1 < map->layout.n_parameters && map->density[column + 1].kind == PRIOR_TURNS;
    return has_multiple ? slope + by_parameter[column + 1] * row.parameters[column + 1] : slope;
}

/* By coordinate i; the two of e and omega are filled together. */
static void slopes_of_coordinate(const target_space *space, target_row row, size_t i,
                                 const double *by_parameter, double *slopes)
{
    const coordinate_map *map = space->map;
    size_t column = space->dimensions[i].column;
    double slope = by_parameter[column], value = row.parameters[column];
    parameter_term term = parameter_layout_term(&map->layout, column);
    size_t element = parameter_layout_element(&map->layout, column);
    slopes[i] = slope;
    if (term == TERM_JITTERS || element == ELEMENT_K)
        slopes[i] = slope * (value + map->scale[column]);
    else if (term == TERM_NOISE)
        slopes[i] = slope_of_noise(space, column, row, by_parameter);
    else if (element == ELEMENT_PERIOD)
        slopes[i] = slope * value;
    else if (element == ELEMENT_ECCENTRICITY && target_space_is_free(space, column + 1))
        slopes_of_shape(space, row.coordinates + i, column, by_parameter, slopes + i);
    else if (element == ELEMENT_OMEGA)
        slopes[i] = slope_of_omega(space, column, by_parameter);
}

/* By y cos lambda and y sin lambda, from those by y and lambda. */
static void turn_planes(const target_space *space, target_row row, double *slopes)
{
    for (size_t i = 0; i < space->n_dimensions; i++) {
        size_t j = space->dimensions[i].partner;
        if (j == i)
            continue;
        double y = row.coordinates[i], cosine = cos(row.coordinates[j]),
               sine = sin(row.coordinates[j]), outwards = slopes[i],
               along = y > 0.0 ? slopes[j] / y : 0.0;
        slopes[i] = outwards * cosine - along * sine;
        slopes[j] = outwards * sine + along * cosine;
    }
}

/* The second of e and omega, whose slope came with that of the first. */
static bool is_second(const target_space *space, size_t i)
{
    size_t column = space->dimensions[i].column;
    return target_space_is_element(space, column, ELEMENT_OMEGA) &&
           is_free_beside(space, column, ELEMENT_OMEGA, ELEMENT_ECCENTRICITY);
}

static void slopes_of_coordinates(const target_space *space, target_row row,
                                  const double *by_parameter, double *slopes)
{
    for (size_t i = 0; i < space->n_dimensions; i++)
        if (!is_second(space, i))
            slopes_of_coordinate(space, row, i, by_parameter, slopes);
}

void target_slopes_of_point(const target_space *space, target_row row, const double *by_parameter,
                            double *slopes)
{
    if (space->kind == EQUANT_SPACE_PARAMETERS) {
        for (size_t i = 0; i < space->n_dimensions; i++)
            slopes[i] = by_parameter[space->dimensions[i].column];
        return;
    }
    slopes_of_coordinates(space, row, by_parameter, slopes);
    turn_planes(space, row, slopes);
}

/* ---- the prior ------------------------------------------------------------------------ */

/* K, whose range may end where the orbit says. */
static void add_slopes_of_k(const target_space *space, size_t column, const double *parameters,
                            double *slopes)
{
    const prior_density *prior = &space->map->density[column];
    size_t first = column - ELEMENT_K;
    double period = parameters[first], e = parameters[first + ELEMENT_ECCENTRICITY];
    prior_density at_orbit = prior_density_at_orbit(prior, period, e);
    slopes[column] += prior_density_log_slope(&at_orbit, parameters[column]);
    if (prior->kind != PRIOR_FALLING_LIMIT)
        return;
    double by_end = prior_density_log_slope_of_end(&at_orbit) * at_orbit.upper;
    slopes[first] -= by_end / (3.0 * period);
    slopes[first + ELEMENT_ECCENTRICITY] += by_end * e / ((1.0 - e) * (1.0 + e));
}

/* What is a multiple of the period before it, whose prior is that of the multiple: in the smooth
 * space, where volumes are counted apart. */
static void add_slopes_of_turns(const target_space *space, size_t column, const double *parameters,
                                double *slopes)
{
    const prior_density *prior = &space->map->density[column];
    double period = parameters[column - 1], multiple = parameters[column] / period,
           slope = prior_density_log_slope(prior, multiple);
    slopes[column] += slope / period;
    slopes[column - 1] -= slope * multiple / period;
}

static double value_within(const target_space *space, size_t column, double value)
{
    const prior_density *prior = &space->map->density[column];
    bool is_angle = target_space_is_element(space, column, ELEMENT_OMEGA) ||
                    target_space_is_element(space, column, ELEMENT_M0);
    return is_angle && space->kind == EQUANT_SPACE_SMOOTH ? sampling_turn_from(prior->lower, value)
                                                          : value;
}

/* By the parameters, of the product of their densities. */
static void fill_by_parameter(const target_space *space, const double *parameters, double *slopes)
{
    const coordinate_map *map = space->map;
    memset(slopes, 0, map->layout.n_parameters * sizeof *slopes);
    for (size_t i = 0; i < space->n_dimensions; i++) {
        size_t column = space->dimensions[i].column;
        const prior_density *prior = &map->density[column];
        double value = value_within(space, column, parameters[column]);
        if (target_space_is_element(space, column, ELEMENT_K))
            add_slopes_of_k(space, column, parameters, slopes);
        else if (prior->kind == PRIOR_TURNS && space->kind == EQUANT_SPACE_SMOOTH)
            add_slopes_of_turns(space, column, parameters, slopes);
        else if (!target_space_is_element(space, column, ELEMENT_ECCENTRICITY) ||
                 value > COORDINATE_MAP_ROUND_ORBIT)
            slopes[column] += prior_density_log_slope(prior, value);
    }
}

/* Coordinates that are logarithms add themselves to ln of the density. */
static bool is_logarithm(const target_space *space, size_t column)
{
    parameter_term term = parameter_layout_term(&space->map->layout, column);
    return term == TERM_JITTERS || term == TERM_NOISE ||
           target_space_is_element(space, column, ELEMENT_PERIOD) ||
           target_space_is_element(space, column, ELEMENT_K);
}

/* The volumes of the coordinates, and of the planes in which an amplitude and an angle lie. */
static void add_volumes(const target_space *space, target_row row, double *slopes)
{
    for (size_t i = 0; i < space->n_dimensions; i++) {
        slopes[i] += is_logarithm(space, space->dimensions[i].column) ? 1.0 : 0.0;
        if (space->dimensions[i].partner != i && row.coordinates[i] > COORDINATE_MAP_ROUND_ORBIT)
            slopes[i] -= 1.0 / row.coordinates[i];
    }
}

void target_slopes_of_prior(const target_space *space, target_row row, double *work, double *slopes)
{
    fill_by_parameter(space, row.parameters, work);
    if (space->kind == EQUANT_SPACE_PARAMETERS) {
        target_slopes_of_point(space, row, work, slopes);
        return;
    }
    slopes_of_coordinates(space, row, work, slopes);
    add_volumes(space, row, slopes);
    turn_planes(space, row, slopes);
}
