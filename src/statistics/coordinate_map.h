/* From a point in sampling coordinates to the parameter set of an evaluator and the density of
 * its prior, and back: what a sampler asks of a posterior before anything is evaluated.
 *
 * Columns of a parameter set are those of equant_model: five elements of each planet, offsets,
 * trend terms, jitters. Coordinates stand in the same order,
 *
 *   of each planet   ln P, ln(1 + K / scale), two of e and omega, lambda = M0 + omega
 *   offsets, trend   as they are
 *   jitters          ln(1 + s / scale)
 *
 * without those that the priors fix. Where one of e and omega is fixed the other is its own
 * coordinate.
 *
 * A map is plain data: with its arrays copied to a device a CUDA thread can walk it. */
#ifndef EQUANT_STATISTICS_COORDINATE_MAP_H
#define EQUANT_STATISTICS_COORDINATE_MAP_H

#include <stddef.h>

#include "statistics/prior_density.h"
#include "statistics/sampling_coordinates.h"

/* Densities that are infinite or zero at e = 0 are taken here where e is smaller. What lies
 * there is too little for any chain to notice, and a circular orbit may be a starting point. */
#define COORDINATE_MAP_ROUND_ORBIT 1e-12

typedef struct coordinate_map {
    size_t n_planets, n_linear, n_jitters; /* linear: offsets and trend terms             */
    const prior_density *density; /* [5 n_planets + n_linear + n_jitters], as the columns   */
    const double *scale;          /* the same columns: of amplitudes and jitters, else unused */
} coordinate_map;

LANE_FUNCTION size_t coordinate_map_n_parameters(const coordinate_map *map)
{
    return 5 * map->n_planets + map->n_linear + map->n_jitters;
}

LANE_FUNCTION int coordinate_map_is_free(const prior_density *prior)
{
    return prior->kind != PRIOR_FIXED;
}

/* ln density of an angle, which is wherever whole turns may bring it. */
LANE_FUNCTION double coordinate_map_log_angle(const prior_density *prior, double angle)
{
    if (!coordinate_map_is_free(prior))
        return 0.0;
    double turned = sampling_turn_from(prior->lower, angle), end = prior->lower + SAMPLING_TWO_PI;
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

/* Eccentricity and omega. */
LANE_FUNCTION double coordinate_map_shape(const prior_density *density, const double **x,
                                          double *eccentricity, double *omega)
{
    double log_volume = 0.0;
    if (coordinate_map_is_free(&density[0]) && coordinate_map_is_free(&density[1])) {
        sampling_shape_elements((*x)[0], (*x)[1], eccentricity, omega);
        log_volume = SAMPLING_SHAPE_LOG_VOLUME;
        *eccentricity = coordinate_map_snap(&density[0], *eccentricity);
        *x += 2;
    } else {
        *eccentricity = coordinate_map_is_free(&density[0]) ? *(*x)++ : density[0].first;
        *omega = sampling_turn(coordinate_map_is_free(&density[1]) ? *(*x)++ : density[1].first);
    }
    if (!(*eccentricity >= 0.0 && *eccentricity < 1.0))
        return -INFINITY;
    double log_density = log_volume + coordinate_map_log_angle(&density[1], *omega);
    if (coordinate_map_is_free(&density[0]))
        log_density +=
            prior_density_log(&density[0], fmax(*eccentricity, COORDINATE_MAP_ROUND_ORBIT));
    return log_density;
}

/* The elements of one planet: the limit of K may depend on P and e, so it comes last. */
LANE_FUNCTION double coordinate_map_planet(const coordinate_map *map, size_t planet,
                                           const double **x, double *elements)
{
    const prior_density *density = map->density + 5 * planet;
    double log_density = 0.0;
    elements[0] = density[0].first;
    if (coordinate_map_is_free(&density[0])) {
        double log_period = *(*x)++;
        elements[0] = coordinate_map_snap(&density[0], exp(log_period));
        log_density += prior_density_log(&density[0], elements[0]) + log_period;
    }
    const double *amplitude = *x;
    if (coordinate_map_is_free(&density[1]))
        (*x)++;
    log_density += coordinate_map_shape(density + 2, x, &elements[2], &elements[3]);
    elements[4] = density[4].first;
    if (coordinate_map_is_free(&density[4])) {
        elements[4] = sampling_turn(*(*x)++ - elements[3]);
        log_density += coordinate_map_log_angle(&density[4], elements[4]);
    }
    prior_density of_k = prior_density_at_orbit(&density[1], elements[0], elements[2]);
    return log_density +
           coordinate_map_amplitude(&of_k, map->scale[5 * planet + 1], &amplitude, &elements[1]);
}

/* Fills the parameter set and returns ln of the prior density in coordinates. Outside the
 * prior, and at coordinates that are not numbers, that is -INFINITY and the set is NaN. */
LANE_CALL double coordinate_map_prepare(const coordinate_map *map, const double *coordinates,
                                        double *parameters)
{
    double log_density = 0.0;
    size_t column = 5 * map->n_planets, n = coordinate_map_n_parameters(map);
    for (size_t p = 0; p < map->n_planets; p++)
        log_density += coordinate_map_planet(map, p, &coordinates, parameters + 5 * p);
    for (; column < n - map->n_jitters; column++)
        log_density +=
            coordinate_map_identity(&map->density[column], &coordinates, &parameters[column]);
    for (; column < n; column++)
        log_density += coordinate_map_amplitude(&map->density[column], map->scale[column],
                                                &coordinates, &parameters[column]);
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
    const prior_density *density = map->density + 5 * planet;
    int free_e = coordinate_map_is_free(&density[2]), free_w = coordinate_map_is_free(&density[3]);
    double omega = free_w ? elements[3] : density[3].first;
    if (coordinate_map_is_free(&density[0]))
        *x++ = log(elements[0]);
    if (coordinate_map_is_free(&density[1]))
        *x++ = sampling_amplitude_coordinate(elements[1], map->scale[5 * planet + 1]);
    if (free_e && free_w) {
        sampling_shape_coordinates(elements[2], omega, &x[0], &x[1]);
        x += 2;
    } else if (free_e) {
        *x++ = elements[2];
    } else if (free_w) {
        *x++ = sampling_wrap(omega);
    }
    if (coordinate_map_is_free(&density[4]))
        *x++ = sampling_wrap(elements[4] + omega);
    return x;
}

/* The same for a column behind those of the planets. */
LANE_FUNCTION double *coordinate_map_column_coordinate(const coordinate_map *map, size_t column,
                                                       double value, double *x)
{
    if (!coordinate_map_is_free(&map->density[column]))
        return x;
    int is_jitter = column >= 5 * map->n_planets + map->n_linear;
    *x = is_jitter ? sampling_amplitude_coordinate(value, map->scale[column]) : value;
    return x + 1;
}

/* The coordinates of a parameter set. */
LANE_FUNCTION void coordinate_map_coordinates(const coordinate_map *map, const double *parameters,
                                              double *x)
{
    for (size_t p = 0; p < map->n_planets; p++)
        x = coordinate_map_planet_coordinates(map, p, parameters + 5 * p, x);
    for (size_t i = 5 * map->n_planets; i < coordinate_map_n_parameters(map); i++)
        x = coordinate_map_column_coordinate(map, i, parameters[i], x);
}

/* A planet of the prior from five uniform draws; the limit of K may depend on P and e. */
LANE_FUNCTION void coordinate_map_draw_planet(const coordinate_map *map, size_t planet,
                                              const double uniform[5], double elements[5])
{
    const double largest = 1.0 - 0x1p-53; /* a quantile may be rounded to e = 1 */
    const prior_density *density = map->density + 5 * planet;
    elements[0] = prior_density_quantile(&density[0], uniform[0]);
    elements[2] = fmin(prior_density_quantile(&density[2], uniform[2]), largest);
    prior_density of_k = prior_density_at_orbit(&density[1], elements[0], elements[2]);
    elements[1] = prior_density_quantile(&of_k, uniform[1]);
    elements[3] = prior_density_quantile(&density[3], uniform[3]);
    elements[4] = prior_density_quantile(&density[4], uniform[4]);
}

/* How many coordinates there are, and, where is_angle is not NULL, which of them wrap. */
LANE_FUNCTION size_t coordinate_map_layout(const coordinate_map *map, unsigned char *is_angle)
{
    size_t n_coordinates = 0, n = coordinate_map_n_parameters(map);
    for (size_t column = 0; column < n; column++) {
        if (!coordinate_map_is_free(&map->density[column]))
            continue;
        size_t element = column < 5 * map->n_planets ? column % 5 : 0;
        int is_omega = element == 3 && !coordinate_map_is_free(&map->density[column - 1]);
        if (is_angle)
            is_angle[n_coordinates] = element == 4 || is_omega;
        n_coordinates++;
    }
    return n_coordinates;
}

#endif
