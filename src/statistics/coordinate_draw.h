/* Coordinates drawn from the prior that a map describes: a function of seed and index alone. */
#ifndef EQUANT_STATISTICS_COORDINATE_DRAW_H
#define EQUANT_STATISTICS_COORDINATE_DRAW_H

#include "statistics/random_draw.h"
#include "statistics/coordinate_map.h"

/* The uniform draw of one column. */
LANE_CALL double coordinate_draw_uniform(uint64_t seed, uint64_t index, size_t column)
{
    random_stream stream = {seed, RANDOM_PURPOSE_PRIOR, (uint32_t)(1 + column / 2)};
    return random_uniforms_at(stream, index).half[column % 2];
}

/* Parameters are drawn and forgotten one by one, so that drawing needs no memory. */
LANE_CALL void coordinate_draw(const coordinate_map *map, uint64_t seed, uint64_t index,
                               double *coordinates)
{
    size_t column = 0;
    for (size_t planet = 0; planet < map->layout.n_planets; planet++) {
        double uniform[N_ELEMENTS], elements[N_ELEMENTS];
        for (size_t i = 0; i < N_ELEMENTS; i++)
            uniform[i] = coordinate_draw_uniform(seed, index, column++);
        coordinate_map_draw_planet(map, planet, uniform, elements);
        coordinates = coordinate_map_planet_coordinates(map, planet, elements, coordinates);
    }
    for (; column < map->layout.n_parameters; column++) {
        double value = prior_density_quantile(&map->density[column],
                                              coordinate_draw_uniform(seed, index, column));
        coordinates = coordinate_map_column_coordinate(map, column, value, coordinates);
    }
}

#endif
