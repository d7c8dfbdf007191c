#include "inference/sample/target/target_space.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/target/target_space_object.h"
#include "statistics/coordinate_draw.h"

/* ---- what there is ------------------------------------------------------------------- */

static void list_columns(target_space *space)
{
    size_t n = 0;
    for (size_t column = 0; column < posterior_density_n_parameters(space->density); column++)
        if (target_space_is_free(space, column)) {
            space->dimensions[n] = (target_dimension){.column = column, .partner = n};
            n++;
        }
}

/* K and M0 of a planet, where both are free, are three or fewer dimensions apart.
 */
static void join_partners(target_space *space)
{
    for (size_t i = 0; i < space->n_dimensions; i++) {
        target_dimension *own = &space->dimensions[i];
        own->is_alone = own->is_alone || posterior_density_is_angle(space->density)[i];
        if (!target_space_is_element(space, own->column, ELEMENT_K))
            continue;
        for (size_t j = i + 1; j < space->n_dimensions && j <= i + ELEMENT_M0 - ELEMENT_K; j++)
            if (space->dimensions[j].column == own->column + ELEMENT_M0 - ELEMENT_K)
                own->partner = j;
    }
    for (size_t i = 0; i < space->n_dimensions; i++)
        if (space->dimensions[i].partner != i)
            space->dimensions[space->dimensions[i].partner].is_alone = false;
}

/* The word for a smooth dimension, to be followed by the number of its planet or instrument; NULL
 * where it is the parameter itself. */
static const char *smooth_word(const target_space *space, size_t i)
{
    const target_dimension *own = &space->dimensions[i];
    size_t column = own->column;
    parameter_term term = parameter_layout_term(&space->map->layout, column);
    if (term != TERM_ORBITS)
        return term == TERM_JITTERS ? "ln_jitter" : NULL;
    switch (parameter_layout_element(&space->map->layout, column)) {
    case ELEMENT_PERIOD:
        return "ln_period";
    case ELEMENT_K:
        return own->partner != i ? "ln_k_cos_lambda" : "ln_k";
    case ELEMENT_ECCENTRICITY:
        return target_space_is_free(space, column + 1) ? "sqrt_e_cos_omega" : NULL;
    case ELEMENT_OMEGA:
        return target_space_is_free(space, column - 1) ? "sqrt_e_sin_omega" : NULL;
    default:
        return own->is_alone ? "lambda" : "ln_k_sin_lambda";
    }
}

static void write_names(target_space *space)
{
    for (size_t i = 0; i < space->n_dimensions; i++) {
        target_dimension *own = &space->dimensions[i];
        const char *parameter = posterior_density_parameter_name(space->density, own->column);
        const char *word = space->kind == EQUANT_SPACE_SMOOTH ? smooth_word(space, i) : NULL;
        bool is_log = space->kind == EQUANT_SPACE_SMOOTH &&
                      parameter_layout_term(&space->map->layout, own->column) == TERM_NOISE;
        if (is_log)
            snprintf(own->name, TARGET_SPACE_NAME_SIZE, "ln_%s", parameter);
        else if (word)
            snprintf(own->name, TARGET_SPACE_NAME_SIZE, "%s%s", word, strrchr(parameter, '_'));
        else
            snprintf(own->name, TARGET_SPACE_NAME_SIZE, "%s", parameter);
    }
}

equant_status target_space_create(const posterior_density *density, equant_space kind,
                                  target_space **made)
{
    target_space *space = calloc(1, sizeof *space);
    size_t n = posterior_density_n_coordinates(density);
    target_dimension *dimensions = calloc(n, sizeof *dimensions);
    if (!space || !dimensions) {
        free(space);
        free(dimensions);
        return status_out_of_memory();
    }
    *space = (target_space){.density = density,
                            .map = posterior_density_map(density),
                            .kind = kind,
                            .n_dimensions = n,
                            .dimensions = dimensions};
    list_columns(space);
    join_partners(space);
    write_names(space);
    *made = space;
    return EQUANT_SUCCESS;
}

void target_space_free(target_space *space)
{
    if (!space)
        return;
    free(space->dimensions);
    free(space);
}

size_t target_space_n_dimensions(const target_space *space)
{
    return space->n_dimensions;
}

const char *target_space_name(const target_space *space, size_t i)
{
    return i < space->n_dimensions ? space->dimensions[i].name : NULL;
}

/* ---- the prior ------------------------------------------------------------------------ */

/* The element of a planet, or other column, given that of its orbit which its limit depends on. */
static double log_density_of(const target_space *space, size_t column, const double *parameters)
{
    prior_density prior = space->map->density[column];
    double value = parameters[column];
    if (target_space_is_element(space, column, ELEMENT_K))
        prior = prior_density_at_orbit(&prior, parameters[column - ELEMENT_K],
                                       parameters[column - ELEMENT_K + ELEMENT_ECCENTRICITY]);
    if (prior.kind == PRIOR_TURNS)
        prior = prior_density_at_period(&prior, parameters[column - 1]);
    if (target_space_is_element(space, column, ELEMENT_ECCENTRICITY)) {
        if (!(value >= 0.0 && value < 1.0))
            return -INFINITY;
        value = fmax(value, COORDINATE_MAP_ROUND_ORBIT);
    }
    return prior_density_log(&prior, value);
}

static double prepare_parameters(const target_space *space, const double *point, double *parameters)
{
    size_t n = posterior_density_n_parameters(space->density);
    double log_density = 0.0;
    for (size_t column = 0; column < n; column++)
        parameters[column] =
            target_space_is_free(space, column) ? *point++ : space->map->density[column].first;
    for (size_t column = 0; column < n; column++)
        if (target_space_is_free(space, column))
            log_density += log_density_of(space, column, parameters);
    if (isfinite(log_density))
        return log_density;
    for (size_t column = 0; column < n; column++)
        parameters[column] = NAN;
    return -INFINITY;
}

/* The area dy dlambda is that of the plane of the two over y. */
static double prepare_smooth(const target_space *space, const double *point, double *coordinates,
                             double *parameters)
{
    const double half_turn = 0.5 * TWO_PI;
    double log_volume = 0.0;
    memcpy(coordinates, point, space->n_dimensions * sizeof *coordinates);
    for (size_t i = 0; i < space->n_dimensions; i++) {
        size_t j = space->dimensions[i].partner;
        if (j != i) {
            double amplitude = hypot(point[i], point[j]);
            coordinates[i] = amplitude;
            coordinates[j] = atan2(point[j], point[i]);
            log_volume -= log(fmax(amplitude, COORDINATE_MAP_ROUND_ORBIT));
        } else if (space->dimensions[i].is_alone && !(fabs(point[i]) <= half_turn)) {
            coordinates[i] = NAN;
        }
    }
    double log_prior = posterior_density_prepare(space->density, coordinates, parameters);
    return log_prior + (isfinite(log_prior) ? log_volume : 0.0);
}

double target_space_prepare(const target_space *space, const double *point, double *coordinates,
                            double *parameters)
{
    if (space->kind == EQUANT_SPACE_PARAMETERS)
        return prepare_parameters(space, point, parameters);
    return prepare_smooth(space, point, coordinates, parameters);
}

/* ---- the way back ----------------------------------------------------------------------- */

void target_space_point(const target_space *space, const double *parameters, double *point)
{
    if (space->kind == EQUANT_SPACE_PARAMETERS) {
        for (size_t i = 0; i < space->n_dimensions; i++)
            point[i] = parameters[space->dimensions[i].column];
        return;
    }
    posterior_density_coordinates_of(space->density, parameters, point);
    for (size_t i = 0; i < space->n_dimensions; i++) {
        size_t j = space->dimensions[i].partner;
        if (j != i) {
            double amplitude = point[i], lambda = point[j];
            point[i] = amplitude * cos(lambda);
            point[j] = amplitude * sin(lambda);
        }
    }
}

/* ---- the unit cube ------------------------------------------------------------------------ */

/* Whether the prior of an angle is the same wherever it points. */
static bool is_any_angle(const prior_density *prior)
{
    return prior->kind == PRIOR_UNIFORM && prior->mass >= TWO_PI * (1.0 - 1e-12);
}

int target_space_cube_wraps(const target_space *space, size_t i)
{
    if (i >= space->n_dimensions)
        return 0;
    size_t column = space->dimensions[i].column;
    return (target_space_is_element(space, column, ELEMENT_OMEGA) ||
            target_space_is_element(space, column, ELEMENT_M0)) &&
           is_any_angle(&space->map->density[column]);
}

/* Ends have quantiles that may be infinite; what lies beyond has none. */
static double within_cube(double u)
{
    return u >= 0.0 && u <= 1.0 ? fmin(fmax(u, 0x1p-53), 1.0 - 0x1p-53) : NAN;
}

/* Moves the cube on behind the planet's dimensions. Subtracting omega from lambda changes neither
 * the distribution of an M0 that may be anywhere nor a volume. */
static void planet_from_cube(const target_space *space, size_t planet, const double **cube,
                             double *elements)
{
    const prior_density *density = space->map->density + N_ELEMENTS * planet;
    double uniform[N_ELEMENTS];
    for (size_t i = 0; i < N_ELEMENTS; i++)
        uniform[i] = coordinate_map_is_free(&density[i]) ? within_cube(*(*cube)++) : 0.5;
    coordinate_map_draw_planet(space->map, planet, uniform, elements);
    if (is_any_angle(&density[ELEMENT_M0]))
        elements[ELEMENT_M0] =
            fmin(sampling_turn_from(density[ELEMENT_M0].lower,
                                    elements[ELEMENT_M0] - elements[ELEMENT_OMEGA]),
                 density[ELEMENT_M0].upper);
}

void target_space_from_cube(const target_space *space, const double *cube, double *parameters,
                            double *point)
{
    bool is_inside = true;
    for (size_t i = 0; i < space->n_dimensions; i++)
        is_inside = is_inside && cube[i] >= 0.0 && cube[i] <= 1.0;
    if (!is_inside) {
        for (size_t i = 0; i < space->n_dimensions; i++)
            point[i] = NAN;
        return;
    }
    for (size_t planet = 0; planet < space->map->layout.n_planets; planet++)
        planet_from_cube(space, planet, &cube, parameters + N_ELEMENTS * planet);
    for (size_t column = parameter_layout_end(&space->map->layout, TERM_ORBITS);
         column < posterior_density_n_parameters(space->density); column++) {
        double uniform = target_space_is_free(space, column) ? within_cube(*cube++) : 0.5;
        const prior_density *prior = &space->map->density[column];
        parameters[column] = prior_density_quantile(prior, uniform) *
                             coordinate_map_unit(prior, &parameters[column]);
    }
    target_space_point(space, parameters, point);
}

void target_space_draw(const target_space *space, uint64_t seed, uint64_t index, double *cube,
                       double *parameters, double *point)
{
    for (size_t i = 0; i < space->n_dimensions; i++)
        cube[i] = coordinate_draw_uniform(seed, index, space->dimensions[i].column);
    target_space_from_cube(space, cube, parameters, point);
}
