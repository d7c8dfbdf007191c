/* What a space is inside: for target_space.c, and for target_slopes.c beside it. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SPACE_OBJECT_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_TARGET_SPACE_OBJECT_H

#include <stdbool.h>

#include "inference/sample/target/target_space.h"
#include "model/orbit_elements.h"

enum { TARGET_SPACE_NAME_SIZE = 48 };

/* What is known of a dimension. */
typedef struct target_dimension {
    size_t column;  /* of the parameter that it belongs to                            */
    size_t partner; /* of K: the dimension of the same planet's M0; else its own
                       index */
    bool is_alone;  /* an angle that is not turned into two                            */
    char name[TARGET_SPACE_NAME_SIZE];
} target_dimension;

struct target_space {
    const posterior_density *density;
    const coordinate_map *map;
    equant_space kind;
    size_t n_dimensions;
    target_dimension *dimensions;
};

/* Which element of which planet a column is; false for those behind the planets. */
static inline bool target_space_is_element(const target_space *space, size_t column, size_t element)
{
    return parameter_layout_element(&space->map->layout, column) == element;
}

static inline bool target_space_is_free(const target_space *space, size_t column)
{
    return coordinate_map_is_free(&space->map->density[column]);
}

#endif
