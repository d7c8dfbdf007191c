#include "inference/record/record_reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "inference/record/record_files.h"
#include "text/json_walk.h"

/* A value of a JSON text: a number, a text or a boolean. */
typedef struct json_value {
    enum { VALUE_NUMBER, VALUE_TEXT, VALUE_BOOLEAN } kind;
    double number;
    const char *text;
    bool is_true;
} json_value;

typedef struct reading {
    const char *path; /* of the file */
    const record_group *group;
    void *row;
    document_texts *texts;
    equant_status status; /* the first failure */
} reading;

static void refuse(reading *own, const char *where, const char *what)
{
    if (own->status == EQUANT_SUCCESS)
        own->status = status_fail(EQUANT_ERROR_FORMAT, "%s: %s must be %s", own->path, where, what);
}

static void fail_for_memory(reading *own)
{
    if (own->status == EQUANT_SUCCESS)
        own->status = status_out_of_memory();
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_count(const json_value *value)
{
    const double most = 9007199254740992.0; /* above, doubles leave whole numbers out */
    return value->kind == VALUE_NUMBER && value->number >= 0.0 && value->number <= most &&
           value->number == floor(value->number);
}

static void put_number(reading *own, const char *where, const json_value *value, double *place)
{
    if (value->kind != VALUE_NUMBER || !isfinite(value->number))
        refuse(own, where, "a finite number");
    else
        *place = value->number;
}

static void put_count(reading *own, const char *where, const json_value *value, size_t *place)
{
    if (!is_count(value))
        refuse(own, where, "a whole number");
    else
        *place = (size_t)value->number;
}

static void put_text(reading *own, const char *where, const json_value *value, const char **place)
{
    if (value->kind != VALUE_TEXT) {
        refuse(own, where, "a text");
        return;
    }
    *place = document_texts_keep(own->texts, value->text, strlen(value->text));
    if (own->texts->is_out_of_memory)
        fail_for_memory(own);
}

static void put_boolean(reading *own, const char *where, const json_value *value, int *place)
{
    if (value->kind != VALUE_BOOLEAN)
        refuse(own, where, "true or false");
    else
        *place = value->is_true;
}

/* An element of a list of numbers, counts or texts. */
static void put_element(reading *own, const char *where, record_kind kind, const json_value *value,
                        void *place)
{
    if (kind == RECORD_NUMBERS)
        put_number(own, where, value, place);
    else if (kind == RECORD_COUNTS)
        put_count(own, where, value, place);
    else
        put_text(own, where, value, place);
}

static void put_scalar(reading *own, const char *where, record_kind kind, const json_value *value,
                       void *place)
{
    if (kind == RECORD_NUMBER)
        put_number(own, where, value, place);
    else if (kind == RECORD_COUNT)
        put_count(own, where, value, place);
    else if (kind == RECORD_TEXT)
        put_text(own, where, value, place);
    else
        put_boolean(own, where, value, place);
}

/* ---- quantities ------------------------------------------------------------------------------ */

/* The number that is written as this one. Files have angles in degrees, and rounding twice may miss
 * it by a bit. */
static double unshown(double shown, double factor)
{
    double value = shown / factor, below = nextafter(value, -INFINITY),
           above = nextafter(value, INFINITY);
    if (value * factor != shown && below * factor == shown)
        return below;
    return value * factor != shown && above * factor == shown ? above : value;
}

/* A group that has no such quantity leaves it out. */
static void put_quantity(reading *own, const char *where, const record_group *group, void *row,
                         const char *key, const json_value *value)
{
    for (size_t i = 0; i < group->n_fields; i++)
        for (size_t k = 0; k < quantity_catalogue_n(); k++) {
            const equant_quantity_info *info = &quantity_catalogue_at(k)->info;
            size_t n = strlen(info->shown_name);
            if (!record_kind_has(group->fields[i].kind, quantity_catalogue_at(k)) ||
                strncmp(key, info->shown_name, n) != 0 || (key[n] && strcmp(key + n, "_err") != 0))
                continue;
            record_quantities *known = (void *)((char *)row + group->fields[i].offset);
            double *place = key[n] ? &known->errors[k] : &known->values[k];
            put_number(own, where, value, place);
            *place = unshown(*place, info->shown_factor);
            return;
        }
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Element number `index` of a list, which grows as far as that. */
static void *element_at(reading *own, const record_field *field, record_list *list, size_t index)
{
    size_t size = record_element_size(field);
    while (list->n <= index) {
        void *row = record_list_add(list, size);
        if (!row) {
            fail_for_memory(own);
            return NULL;
        }
        if (field->group)
            record_row_clear(field->group, row);
        else if (field->kind == RECORD_NUMBERS)
            *(double *)row = NAN;
        else if (field->kind == RECORD_TEXTS)
            *(const char **)row = "";
    }
    return (char *)list->rows + index * size;
}

/* The row of a key of n letters. */
static void *member_at(reading *own, const record_field *field, record_list *list, const char *key,
                       size_t n)
{
    for (size_t i = 0; i < list->n; i++) {
        void *row = (char *)list->rows + i * field->group->row_size;
        const char *known = *(const char **)row;
        if (known && strncmp(known, key, n) == 0 && known[n] == '\0')
            return row;
    }
    const char *kept = document_texts_keep(own->texts, key, n);
    void *row = element_at(own, field, list, list->n);
    if (row)
        *(const char **)row = kept;
    return row;
}

static void *object_at(reading *own, const record_field *field, void **place)
{
    if (!*place) {
        *place = calloc(1, field->group->row_size);
        if (*place)
            record_row_clear(field->group, *place);
        else
            fail_for_memory(own);
    }
    return *place;
}

static bool take_index(const char **at, size_t *index)
{
    char *end;
    if (**at != '[')
        return false;
    *index = strtoull(*at + 1, &end, 10);
    *at = end + 1;
    return *end == ']';
}

/* The row that the rest of a path leads to below a field, and the rest behind that; NULL where it
 * leads to none. */
static void *row_below(reading *own, const char *where, const record_field *field, void *at,
                       const char **rest)
{
    size_t index = 0;
    void *row = NULL;
    if (field->kind == RECORD_LIST && take_index(rest, &index) && **rest == '.') {
        row = element_at(own, field, at, index);
    } else if (field->kind == RECORD_OBJECT && **rest == '.') {
        row = object_at(own, field, at);
    } else if (field->kind == RECORD_MEMBERS && **rest == '.') {
        size_t n = strcspn(*rest + 1, ".");
        row = (*rest)[1 + n] == '.' ? member_at(own, field, at, *rest + 1, n) : NULL;
        *rest += 1 + n;
    }
    if (!row)
        refuse(own, where, field->kind == RECORD_LIST ? "a list of objects" : "an object");
    *rest += row != NULL;
    return row;
}

static const record_field *field_of(const record_group *group, const char *key)
{
    size_t n = strcspn(key, ".[");
    for (size_t i = 0; i < group->n_fields; i++)
        if (strlen(group->fields[i].key) == n && n > 0 &&
            strncmp(group->fields[i].key, key, n) == 0)
            return &group->fields[i];
    return NULL;
}

static void put_value(reading *own, const char *where, const json_value *value)
{
    const record_group *group = own->group;
    void *row = own->row;
    const char *rest = where;
    size_t index;
    while (own->status == EQUANT_SUCCESS) {
        const record_field *field = field_of(group, rest);
        if (!field) {
            put_quantity(own, where, group, row, rest, value);
            return;
        }
        void *at = (char *)row + field->offset;
        rest += strlen(field->key);
        if (field->group) {
            group = field->group;
            row = row_below(own, where, field, at, &rest);
        } else if (record_element_size(field) == 0) {
            if (*rest)
                refuse(own, where, "a single value");
            else
                put_scalar(own, where, field->kind, value, at);
            return;
        } else {
            void *place =
                take_index(&rest, &index) && !*rest ? element_at(own, field, at, index) : NULL;
            if (place)
                put_element(own, where, field->kind, value, place);
            else
                refuse(own, where, "a list");
            return;
        }
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

static void take_number(const char *where, double number, void *context)
{
    put_value(context, where, &(json_value){.kind = VALUE_NUMBER, .number = number});
}

static void take_text(const char *where, const char *text, void *context)
{
    put_value(context, where, &(json_value){.kind = VALUE_TEXT, .text = text});
}

static void take_boolean(const char *where, bool is_true, void *context)
{
    put_value(context, where, &(json_value){.kind = VALUE_BOOLEAN, .is_true = is_true});
}

equant_status record_reader_read(const char *path, const record_group *group, void *row,
                                 document_texts *texts)
{
    reading own = {.path = path, .group = group, .row = row, .texts = texts};
    const struct json_listener listener = {take_number, take_text, &own, take_boolean};
    char *text;
    equant_status status = record_files_read(path, &text);
    if (status != EQUANT_SUCCESS)
        return status;
    decimal_text_scope scope = decimal_text_begin();
    size_t line = json_walk(text, &listener);
    decimal_text_end(&scope);
    bool is_object = text[strspn(text, " \t\r\n")] == '{';
    free(text);
    if (line == JSON_WALK_NO_MEMORY)
        return status_out_of_memory();
    if (line > 0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s:%zu: this is no JSON", path, line);
    if (!is_object)
        refuse(&own, "all of it", "an object");
    return own.status;
}
