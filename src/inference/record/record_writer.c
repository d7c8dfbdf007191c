#include "inference/record/record_writer.h"

#include <math.h>

#include "text/json_writer.h"

static void write_members(json_writer *json, const record_group *group, const void *row);

static void write_object(json_writer *json, const record_group *group, const void *row)
{
    if (!row) {
        json_null(json);
        return;
    }
    json_object_begin(json);
    write_members(json, group, row);
    json_object_end(json);
}

static void write_element(json_writer *json, const record_field *field, const void *at)
{
    if (field->kind == RECORD_NUMBERS)
        json_number(json, *(const double *)at);
    else if (field->kind == RECORD_COUNTS)
        json_number(json, (double)*(const size_t *)at);
    else if (field->kind == RECORD_TEXTS)
        json_string(json, *(const char *const *)at);
    else
        write_object(json, field->group, at);
}

static void write_list(json_writer *json, const record_field *field, const record_list *list)
{
    json_array_begin(json);
    for (size_t i = 0; i < list->n; i++)
        write_element(json, field, (const char *)list->rows + i * record_element_size(field));
    json_array_end(json);
}

/* Rows under their keys. */
static void write_keyed(json_writer *json, const record_field *field, const record_list *list)
{
    json_object_begin(json);
    for (size_t i = 0; i < list->n; i++) {
        const char *row = (const char *)list->rows + i * field->group->row_size;
        json_key(json, *(const char *const *)(const void *)row);
        write_object(json, field->group, row);
    }
    json_object_end(json);
}

static void write_text(json_writer *json, const char *text)
{
    if (text)
        json_string(json, text);
    else
        json_null(json);
}

static void write_value(json_writer *json, const record_field *field, const void *at)
{
    json_key(json, field->key);
    switch (field->kind) {
    case RECORD_NUMBER:
        json_number(json, *(const double *)at);
        break;
    case RECORD_COUNT:
        json_unsigned(json, *(const size_t *)at);
        break;
    case RECORD_BOOLEAN:
        json_boolean(json, *(const int *)at > 0);
        break;
    case RECORD_TEXT:
        write_text(json, *(const char *const *)at);
        break;
    case RECORD_OBJECT:
        write_object(json, field->group, *(const void *const *)at);
        break;
    case RECORD_MEMBERS:
        write_keyed(json, field, at);
        break;
    case RECORD_NUMBERS:
    case RECORD_COUNTS:
    case RECORD_TEXTS:
    case RECORD_LIST:
    case RECORD_PLANET_QUANTITIES:
    case RECORD_PLANET_STAR_QUANTITIES:
    case RECORD_INSTRUMENT_QUANTITIES:
        write_list(json, field, at);
        break;
    }
}

static void write_quantities(json_writer *json, record_kind kind, const record_quantities *own)
{
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *quantity = quantity_catalogue_at(i);
        char key[RECORD_KEY_SIZE];
        if (!record_kind_has(kind, quantity))
            continue;
        const equant_quantity_info *info = &quantity->info;
        json_key_number(json, info->shown_name, own->values[i] * info->shown_factor);
        snprintf(key, sizeof key, "%s_err", info->shown_name);
        json_key_number(json, key, own->errors[i] * info->shown_factor);
    }
}

/* Whether a field that may be left out is there. */
static bool is_there(const record_field *field, const void *row)
{
    if (field->needs == 0)
        return true;
    const void *at = (const char *)row + field->needs - 1;
    switch (field->kind) {
    case RECORD_BOOLEAN:
        return *(const int *)at >= 0;
    case RECORD_TEXT:
    case RECORD_OBJECT:
        return *(const void *const *)at != NULL;
    case RECORD_LIST:
        return ((const record_list *)at)->n > 0;
    case RECORD_NUMBER:
        return !isnan(*(const double *)at);
    case RECORD_COUNT:
    case RECORD_MEMBERS:
    case RECORD_NUMBERS:
    case RECORD_COUNTS:
    case RECORD_TEXTS:
    case RECORD_PLANET_QUANTITIES:
    case RECORD_PLANET_STAR_QUANTITIES:
    case RECORD_INSTRUMENT_QUANTITIES:
        break;
    }
    return true;
}

static void write_members(json_writer *json, const record_group *group, const void *row)
{
    for (size_t i = 0; i < group->n_fields; i++) {
        const record_field *field = &group->fields[i];
        const void *at = (const char *)row + field->offset;
        if (record_kind_is_of_catalogue(field->kind))
            write_quantities(json, field->kind, at);
        else if (is_there(field, row))
            write_value(json, field, at);
    }
}

void record_writer_write(FILE *stream, const record_group *group, const void *row)
{
    json_writer json = json_start(stream);
    write_object(&json, group, row);
    json_finish(&json);
}
