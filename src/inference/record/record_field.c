#include "inference/record/record_field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *record_list_add(record_list *list, size_t row_size)
{
    /* There is room for a power of two of them. */
    if ((list->n & (list->n - 1)) == 0) {
        size_t room = list->n == 0 ? 1 : 2 * list->n;
        void *grown = realloc(list->rows, room * row_size);
        if (!grown)
            return NULL;
        list->rows = grown;
    }
    char *row = (char *)list->rows + list->n++ * row_size;
    return memset(row, 0, row_size);
}

static void clear_quantities(record_quantities *own)
{
    for (size_t i = 0; i < QUANTITY_CATALOGUE_MOST; i++)
        own->values[i] = own->errors[i] = NAN;
}

void record_row_clear(const record_group *group, void *row)
{
    memset(row, 0, group->row_size);
    for (size_t i = 0; i < group->n_fields; i++) {
        const record_field *field = &group->fields[i];
        void *at = (char *)row + field->offset;
        if (field->kind == RECORD_NUMBER)
            *(double *)at = NAN;
        else if (field->kind == RECORD_BOOLEAN)
            *(int *)at = -1;
        else if (record_kind_is_of_catalogue(field->kind))
            clear_quantities(at);
    }
}

static void free_list(const record_field *field, record_list *list)
{
    for (size_t i = 0; field->group && i < list->n; i++)
        record_row_free(field->group, (char *)list->rows + i * field->group->row_size);
    free(list->rows);
    *list = (record_list){0};
}

void record_row_free(const record_group *group, void *row)
{
    for (size_t i = 0; i < group->n_fields; i++) {
        const record_field *field = &group->fields[i];
        void *at = (char *)row + field->offset;
        if (field->kind == RECORD_OBJECT && *(void **)at) {
            record_row_free(field->group, *(void **)at);
            free(*(void **)at);
            *(void **)at = NULL;
        } else if (record_element_size(field) > 0) {
            free_list(field, at);
        }
    }
}

size_t record_element_size(const record_field *field)
{
    switch (field->kind) {
    case RECORD_NUMBERS:
        return sizeof(double);
    case RECORD_COUNTS:
        return sizeof(size_t);
    case RECORD_TEXTS:
        return sizeof(const char *);
    case RECORD_LIST:
    case RECORD_MEMBERS:
        return field->group->row_size;
    case RECORD_NUMBER:
    case RECORD_COUNT:
    case RECORD_BOOLEAN:
    case RECORD_TEXT:
    case RECORD_OBJECT:
    case RECORD_PLANET_QUANTITIES:
    case RECORD_PLANET_STAR_QUANTITIES:
    case RECORD_INSTRUMENT_QUANTITIES:
        break;
    }
    return 0;
}

bool record_kind_is_of_catalogue(record_kind kind)
{
    return kind == RECORD_PLANET_QUANTITIES || kind == RECORD_PLANET_STAR_QUANTITIES ||
           kind == RECORD_INSTRUMENT_QUANTITIES;
}

bool record_kind_has(record_kind kind, const quantity_kind *quantity)
{
    const equant_quantity_info *info = &quantity->info;
    if (kind == RECORD_INSTRUMENT_QUANTITIES)
        return info->axis == EQUANT_QUANTITY_PER_INSTRUMENT;
    return record_kind_is_of_catalogue(kind) && info->axis == EQUANT_QUANTITY_PER_PLANET &&
           !info->is_posterior_only &&
           (info->needs_star_mass != 0) == (kind == RECORD_PLANET_STAR_QUANTITIES);
}
