/* From a point in sampling coordinates to the parameter set of an evaluator and the density of
 * its prior, and back: what a sampler asks of a posterior before anything is evaluated.
 *
 * Columns of a parameter set are those of equant_model: five elements of each planet, offsets,
 * trend terms, jitters. Coordinates stand in the same order,
 *
 *   of each planet   ln P, ln(1 + K / scale), two of e and omega, lambda = M0 + omega
 *   offsets, trend   as they are
 *   jitters          ln(1 + s / scale)
 *   noise            ln of the parameter; of a decay whose prior is in turns, ln(decay / period)
 *
 * without those that the priors fix. Where one of e and omega is fixed the other is its own
 * coordinate.
 *
 * A map is plain data: with its arrays copied to a device a CUDA thread can walk it. */
#ifndef EQUANT_STATISTICS_COORDINATE_MAP_H
#define EQUANT_STATISTICS_COORDINATE_MAP_H

#include <stddef.h>

#include "model/parameter_layout.h"
#include "statistics/orbit_basis.h"
#include "statistics/prior_density.h"
#include "statistics/sampling_coordinates.h"

/* Densities that are infinite or zero at e = 0 are taken here where e is smaller. What lies
 * there is too little for any chain to notice, and a circular orbit may be a starting point. */
#define COORDINATE_MAP_ROUND_ORBIT 1e-12

typedef struct coordinate_map {
    parameter_layout layout;      /* of the parameter sets                                       */
    const prior_density *density; /* [n_parameters], as the columns                         */
    const double *scale;          /* the same columns: of amplitudes and jitters, else unused */
    const orbit_basis *basis;     /* [n_planets], on processors alone; NULL: as above        */
} coordinate_map;

LANE_FUNCTION int coordinate_map_is_free(const prior_density *prior)
{
    return prior->kind != PRIOR_FIXED;
}

/* ln density of an angle, which is wherever whole turns may bring it. */
LANE_FUNCTION double coordinate_map_log_angle(const prior_density *prior, double angle)
{
    if (!coordinate_map_is_free(prior))
        return 0.0;
    double turned = sampling_turn_from(prior->lower, angle), end = prior->lower + TWO_PI;
    return prior_density_log(prior, turned > end ? end : turned); /* NaN stays NaN */
}

/* A value at an end of its prior may come back from its coordinate a few roundings further out;
 * this is where it was. */
LANE_FUNCTION double coordinate_map_snap(const prior_density *prior, double value)
{
    const double roundings = 1e-14;
    if (value < prior->lower && value >= prior->lower - roundings * fabs(prior->lower))
        return prior->lower;
    if (value > prior->upper && value <= prior->upper + roundings * fabs(prior->upper))
        return prior->upper;
    return value;
}

/* A column that is its own coordinate. Returns ln of its density, and moves x on to the next. */
LANE_FUNCTION double coordinate_map_identity(const prior_density *prior, const double **x,
                                             double *value)
{
    if (!coordinate_map_is_free(prior)) {
        *value = prior->first;
        return 0.0;
    }
    *value = *(*x)++;
    return prior_density_log(prior, *value);
}

/* The same for an amplitude or a jitter: ln of density times volume. */
LANE_FUNCTION double coordinate_map_amplitude(const prior_density *prior, double scale,
                                              const double **x, double *value)
{
    if (!coordinate_map_is_free(prior)) {
        *value = prior->first;
        return 0.0;
    }
    double coordinate = *(*x)++;
    *value = coordinate_map_snap(prior, sampling_amplitude(coordinate, scale));
    return prior_density_log(prior, *value) + sampling_amplitude_log_volume(coordinate, scale);
}

/* Eccentricity and omega of an orbit with these priors. */
LANE_FUNCTION double coordinate_map_shape(const prior_density *density, const double **x,
                                          double *eccentricity, double *omega)
{
    const prior_density *of_e = &density[ELEMENT_ECCENTRICITY], *of_omega = &density[ELEMENT_OMEGA];
    double log_volume = 0.0;
    if (coordinate_map_is_free(of_e) && coordinate_map_is_free(of_omega)) {
        sampling_shape_elements((*x)[0], (*x)[1], eccentricity, omega);
        log_volume = SAMPLING_SHAPE_LOG_VOLUME;
        *eccentricity = coordinate_map_snap(of_e, *eccentricity);
        *x += 2;
    } else {
        *eccentricity = coordinate_map_is_free(of_e) ? *(*x)++ : of_e->first;
        *omega = sampling_turn(coordinate_map_is_free(of_omega) ? *(*x)++ : of_omega->first);
    }
    if (!(*eccentricity >= 0.0 && *eccentricity < 1.0))
        return -INFINITY;
    double log_density = log_volume + coordinate_map_log_angle(of_omega, *omega);
    if (coordinate_map_is_free(of_e))
        log_density += prior_density_log(of_e, fmax(*eccentricity, COORDINATE_MAP_ROUND_ORBIT));
    return log_density;
}

#ifndef __CUDACC__
/* The elements of one planet in coordinates that were chosen; those of GPUs are the usual ones. */
LANE_FUNCTION double coordinate_map_planet_in(const coordinate_map *map, size_t planet,
                                              const double **x, double *elements)
{
    const orbit_basis *basis = &map->basis[planet];
    size_t first = parameter_layout_orbit(&map->layout, planet);
    const prior_density *density = map->density + first, *of_e = &density[ELEMENT_ECCENTRICITY];
    double log_density = 0.0, *e = &elements[ELEMENT_ECCENTRICITY],
           *omega = &elements[ELEMENT_OMEGA];
    elements[ELEMENT_PERIOD] = density[ELEMENT_PERIOD].first;
    if (coordinate_map_is_free(&density[ELEMENT_PERIOD])) {
        double own = *(*x)++, value = basis->has_linear_period ? own : exp(own);
        elements[ELEMENT_PERIOD] = coordinate_map_snap(&density[ELEMENT_PERIOD], value);
        log_density += prior_density_log(&density[ELEMENT_PERIOD], elements[ELEMENT_PERIOD]) +
                       (basis->has_linear_period ? 0.0 : own);
    }
    const double *amplitude = *x;
    if (coordinate_map_is_free(&density[ELEMENT_K]))
        (*x)++;
    if (basis->shape == SHAPE_ROOTS || !coordinate_map_is_free(of_e) ||
        !coordinate_map_is_free(&density[ELEMENT_OMEGA])) {
        log_density += coordinate_map_shape(density, x, e, omega);
    } else {
        orbit_basis_shape(basis->shape, *x, e, omega);
        *x += 2;
        if (!(*e >= 0.0 && *e < 1.0))
            return -INFINITY;
        double at = fmax(*e, COORDINATE_MAP_ROUND_ORBIT);
        log_density += orbit_basis_shape_log_volume(basis->shape, at) +
                       prior_density_log(of_e, at) +
                       coordinate_map_log_angle(&density[ELEMENT_OMEGA], *omega);
    }
    int has_own_phase = coordinate_map_is_free(&density[ELEMENT_M0]);
    double phase = has_own_phase ? *(*x)++ : 0.0;
    elements[ELEMENT_M0] = density[ELEMENT_M0].first;
    if (has_own_phase || basis->phase_is_fixed)
        elements[ELEMENT_M0] =
            sampling_turn(phase + orbit_basis_origin(basis, elements[ELEMENT_PERIOD], *e, *omega));
    if (has_own_phase)
        log_density += coordinate_map_log_angle(&density[ELEMENT_M0], elements[ELEMENT_M0]);
    prior_density of_k = prior_density_at_orbit(&density[ELEMENT_K], elements[ELEMENT_PERIOD], *e);
    if (basis->has_linear_k)
        return log_density + coordinate_map_identity(&of_k, &amplitude, &elements[ELEMENT_K]);
    return log_density + coordinate_map_amplitude(&of_k, map->scale[first + ELEMENT_K], &amplitude,
                                                  &elements[ELEMENT_K]);
}

/* The coordinates of such a planet. Returns where the next one goes. */
LANE_FUNCTION double *coordinate_map_planet_coordinates_in(const coordinate_map *map, size_t planet,
                                                           const double *elements, double *x)
{
    const orbit_basis *basis = &map->basis[planet];
    size_t first = parameter_layout_orbit(&map->layout, planet);
    const prior_density *density = map->density + first;
    int free_e = coordinate_map_is_free(&density[ELEMENT_ECCENTRICITY]),
        free_w = coordinate_map_is_free(&density[ELEMENT_OMEGA]);
    double e = free_e ? elements[ELEMENT_ECCENTRICITY] : density[ELEMENT_ECCENTRICITY].first,
           omega = free_w ? elements[ELEMENT_OMEGA] : density[ELEMENT_OMEGA].first,
           period = coordinate_map_is_free(&density[ELEMENT_PERIOD])
                        ? elements[ELEMENT_PERIOD]
                        : density[ELEMENT_PERIOD].first;
    if (coordinate_map_is_free(&density[ELEMENT_PERIOD]))
        *x++ = basis->has_linear_period ? period : log(period);
    if (coordinate_map_is_free(&density[ELEMENT_K]))
        *x++ = basis->has_linear_k ? elements[ELEMENT_K]
                                   : sampling_amplitude_coordinate(elements[ELEMENT_K],
                                                                   map->scale[first + ELEMENT_K]);
    if (free_e && free_w) {
        orbit_basis_shape_coordinates(basis->shape, e, omega, x);
        x += 2;
    } else if (free_e) {
        *x++ = e;
    } else if (free_w) {
        *x++ = sampling_wrap(omega);
    }
    if (coordinate_map_is_free(&density[ELEMENT_M0]))
        *x++ = sampling_wrap(elements[ELEMENT_M0] -
                             orbit_basis_origin(basis, period, e, sampling_wrap(omega)));
    return x;
}
#endif

/* The elements of one planet: the limit of K may depend on P and e, so it comes last. */
LANE_FUNCTION double coordinate_map_planet(const coordinate_map *map, size_t planet,
                                           const double **x, double *elements)
{
    const prior_density *density = map->density + parameter_layout_orbit(&map->layout, planet);
    double log_density = 0.0;
#ifndef __CUDACC__
    if (map->basis)
        return coordinate_map_planet_in(map, planet, x, elements);
#endif
    elements[ELEMENT_PERIOD] = density[ELEMENT_PERIOD].first;
    if (coordinate_map_is_free(&density[ELEMENT_PERIOD])) {
        double log_period = *(*x)++;
        elements[ELEMENT_PERIOD] = coordinate_map_snap(&density[ELEMENT_PERIOD], exp(log_period));
        log_density +=
            prior_density_log(&density[ELEMENT_PERIOD], elements[ELEMENT_PERIOD]) + log_period;
    }
    const double *amplitude = *x;
    if (coordinate_map_is_free(&density[ELEMENT_K]))
        (*x)++;
    log_density +=
        coordinate_map_shape(density, x, &elements[ELEMENT_ECCENTRICITY], &elements[ELEMENT_OMEGA]);
    elements[ELEMENT_M0] = density[ELEMENT_M0].first;
    if (coordinate_map_is_free(&density[ELEMENT_M0])) {
        elements[ELEMENT_M0] = sampling_turn(*(*x)++ - elements[ELEMENT_OMEGA]);
        log_density += coordinate_map_log_angle(&density[ELEMENT_M0], elements[ELEMENT_M0]);
    }
    prior_density of_k = prior_density_at_orbit(&density[ELEMENT_K], elements[ELEMENT_PERIOD],
                                                elements[ELEMENT_ECCENTRICITY]);
    return log_density + coordinate_map_amplitude(
                             &of_k,
                             map->scale[parameter_layout_orbit(&map->layout, planet) + ELEMENT_K],
                             &amplitude, &elements[ELEMENT_K]);
}

/* What parameters of noise are multiples of: 1, or of a decay with a prior in turns the period
 * of its term, which stands before it. */
LANE_FUNCTION double coordinate_map_unit(const prior_density *prior, const double *value)
{
    if (prior->kind != PRIOR_TURNS)
        return 1.0;
    return coordinate_map_is_free(&prior[-1]) ? value[-1] : prior[-1].first;
}

/* A parameter of correlated noise, those before it being known: ln of density times volume. */
LANE_FUNCTION double coordinate_map_noise(const prior_density *prior, const double **x,
                                          double *value)
{
    if (!coordinate_map_is_free(prior)) {
        *value = prior->first;
        return 0.0;
    }
    double coordinate = *(*x)++, multiple = coordinate_map_snap(prior, exp(coordinate));
    *value = multiple * coordinate_map_unit(prior, value);
    return prior_density_log(prior, multiple) + coordinate;
}

/* A column behind those of the planets, what it is a multiple of being known. Returns ln of density
 * times volume, and moves x on to the next coordinate. */
LANE_FUNCTION double coordinate_map_column(const coordinate_map *map, size_t column,
                                           const double **x, double *parameters)
{
    const prior_density *prior = &map->density[column];
    if (column < parameter_layout_first_noise(&map->layout))
        return coordinate_map_identity(prior, x, &parameters[column]);
    if (column < parameter_layout_first(&map->layout, TERM_NOISE))
        return coordinate_map_amplitude(prior, map->scale[column], x, &parameters[column]);
    return coordinate_map_noise(prior, x, &parameters[column]);
}

/* Fills the parameter set and returns ln of the prior density in coordinates. Outside the
 * prior, and at coordinates that are not numbers, that is -INFINITY and the set is NaN. */
LANE_CALL double coordinate_map_prepare(const coordinate_map *map, const double *coordinates,
                                        double *parameters)
{
    double log_density = 0.0;
    const parameter_layout *layout = &map->layout;
    size_t column = parameter_layout_end(layout, TERM_ORBITS), n = layout->n_parameters;
    for (size_t p = 0; p < map->layout.n_planets; p++)
        log_density += coordinate_map_planet(map, p, &coordinates,
                                             parameters + parameter_layout_orbit(layout, p));
    for (; column < n; column++)
        log_density += coordinate_map_column(map, column, &coordinates, parameters);
    if (isfinite(log_density))
        return log_density;
    for (column = 0; column < n; column++)
        parameters[column] = NAN;
    return -INFINITY;
}

/* The coordinates of one planet; what the priors fix is not looked at. Returns where the next
 * coordinate goes. */
LANE_FUNCTION double *coordinate_map_planet_coordinates(const coordinate_map *map, size_t planet,
                                                        const double *elements, double *x)
{
    const prior_density *density = map->density + parameter_layout_orbit(&map->layout, planet);
    int free_e = coordinate_map_is_free(&density[ELEMENT_ECCENTRICITY]),
        free_w = coordinate_map_is_free(&density[ELEMENT_OMEGA]);
    double omega = free_w ? elements[ELEMENT_OMEGA] : density[ELEMENT_OMEGA].first;
#ifndef __CUDACC__
    if (map->basis)
        return coordinate_map_planet_coordinates_in(map, planet, elements, x);
#endif
    if (coordinate_map_is_free(&density[ELEMENT_PERIOD]))
        *x++ = log(elements[ELEMENT_PERIOD]);
    if (coordinate_map_is_free(&density[ELEMENT_K]))
        *x++ = sampling_amplitude_coordinate(
            elements[ELEMENT_K],
            map->scale[parameter_layout_orbit(&map->layout, planet) + ELEMENT_K]);
    if (free_e && free_w) {
        sampling_shape_coordinates(elements[ELEMENT_ECCENTRICITY], omega, &x[0], &x[1]);
        x += 2;
    } else if (free_e) {
        *x++ = elements[ELEMENT_ECCENTRICITY];
    } else if (free_w) {
        *x++ = sampling_wrap(omega);
    }
    if (coordinate_map_is_free(&density[ELEMENT_M0]))
        *x++ = sampling_wrap(elements[ELEMENT_M0] + omega);
    return x;
}

/* The same for a column behind those of the planets; a decay with a prior in turns is given in
 * them. */
LANE_FUNCTION double *coordinate_map_column_coordinate(const coordinate_map *map, size_t column,
                                                       double value, double *x)
{
    if (!coordinate_map_is_free(&map->density[column]))
        return x;
    if (column >= parameter_layout_first(&map->layout, TERM_NOISE))
        *x = log(value);
    else if (column >= parameter_layout_first_noise(&map->layout))
        *x = sampling_amplitude_coordinate(value, map->scale[column]);
    else
        *x = value;
    return x + 1;
}

/* The coordinates of a parameter set. */
LANE_FUNCTION void coordinate_map_coordinates(const coordinate_map *map, const double *parameters,
                                              double *x)
{
    const parameter_layout *layout = &map->layout;
    for (size_t p = 0; p < map->layout.n_planets; p++)
        x = coordinate_map_planet_coordinates(map, p,
                                              parameters + parameter_layout_orbit(layout, p), x);
    for (size_t i = parameter_layout_end(layout, TERM_ORBITS); i < layout->n_parameters; i++)
        x = coordinate_map_column_coordinate(
            map, i, parameters[i] / coordinate_map_unit(&map->density[i], &parameters[i]), x);
}

/* A planet of the prior from five uniform draws; the limit of K may depend on P and e. */
LANE_FUNCTION void coordinate_map_draw_planet(const coordinate_map *map, size_t planet,
                                              const double uniform[N_ELEMENTS],
                                              double elements[N_ELEMENTS])
{
    const double largest = 1.0 - 0x1p-53; /* a quantile may be rounded to e = 1 */
    const prior_density *density = map->density + parameter_layout_orbit(&map->layout, planet);
    elements[ELEMENT_PERIOD] =
        prior_density_quantile(&density[ELEMENT_PERIOD], uniform[ELEMENT_PERIOD]);
    elements[ELEMENT_ECCENTRICITY] =
        fmin(prior_density_quantile(&density[ELEMENT_ECCENTRICITY], uniform[ELEMENT_ECCENTRICITY]),
             largest);
    prior_density of_k = prior_density_at_orbit(&density[ELEMENT_K], elements[ELEMENT_PERIOD],
                                                elements[ELEMENT_ECCENTRICITY]);
    elements[ELEMENT_K] = prior_density_quantile(&of_k, uniform[ELEMENT_K]);
    elements[ELEMENT_OMEGA] =
        prior_density_quantile(&density[ELEMENT_OMEGA], uniform[ELEMENT_OMEGA]);
    elements[ELEMENT_M0] = prior_density_quantile(&density[ELEMENT_M0], uniform[ELEMENT_M0]);
}

/* How many coordinates there are, and, where is_angle is not NULL, which of them wrap. */
LANE_FUNCTION size_t coordinate_map_layout(const coordinate_map *map, unsigned char *is_angle)
{
    size_t n_coordinates = 0, n = map->layout.n_parameters;
    for (size_t column = 0; column < n; column++) {
        if (!coordinate_map_is_free(&map->density[column]))
            continue;
        size_t element = parameter_layout_element(&map->layout, column);
        int is_omega =
            element == ELEMENT_OMEGA &&
            (!coordinate_map_is_free(&map->density[column - 1]) ||
             (map->basis && map->basis[column / map->layout.n_elements].shape == SHAPE_POLAR));
        if (is_angle)
            is_angle[n_coordinates] = element == ELEMENT_M0 || is_omega;
        n_coordinates++;
    }
    return n_coordinates;
}

#endif
