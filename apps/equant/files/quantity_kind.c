#include "files/quantity_kind.h"

#include <stdio.h>

size_t quantity_kind_n(void)
{
    size_t n = equant_n_quantities();
    return n < QUANTITY_KIND_MOST ? n : QUANTITY_KIND_MOST;
}

equant_quantity_info quantity_kind_at(size_t index)
{
    equant_quantity_info kind = {.struct_size = sizeof kind};
    equant_quantity_at(index, &kind);
    return kind;
}

size_t quantity_kind_index(const char *name)
{
    size_t index = 0;
    equant_quantity_find(name, &index);
    return index;
}

void quantity_kind_name(const equant_quantity_info *kind, size_t number,
                        char name[QUANTITY_KIND_NAME_SIZE])
{
    snprintf(name, QUANTITY_KIND_NAME_SIZE, "%s_%zu", kind->name, number);
}

bool quantity_kind_is_of_planet(const equant_quantity_info *kind)
{
    return kind->axis == EQUANT_QUANTITY_PER_PLANET && !kind->is_posterior_only;
}

struct ecsv_column quantity_kind_column(const equant_quantity_info *kind)
{
    const char *unit = kind->is_angle ? kind->shown_unit : kind->table_unit;
    return (struct ecsv_column){kind->shown_name, ECSV_NUMBER, unit[0] != '\0' ? unit : NULL,
                                kind->meaning};
}
