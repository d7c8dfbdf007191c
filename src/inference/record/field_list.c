/* The fields of a record as callers may list them. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/record/fit_document.h"
#include "inference/record/record_files.h"

enum { PATH_SIZE = 128 };

/* Looks for field number `wanted` below a group; `n` counts. */
typedef struct field_walk {
    size_t wanted, n;
    record_file file;
    equant_record_field found;
} field_walk;

static equant_record_kind kind_of(record_kind kind)
{
    return kind <= RECORD_MEMBERS ? (equant_record_kind)kind : EQUANT_RECORD_NUMBER;
}

static void visit(field_walk *walk, const char *path, const record_field *field)
{
    static _Thread_local char kept[PATH_SIZE];
    if (walk->n++ != walk->wanted)
        return;
    snprintf(kept, sizeof kept, "%s", path);
    walk->found = (equant_record_field){.file = record_files_name(walk->file),
                                        .path = kept,
                                        .kind = kind_of(field->kind),
                                        .unit = field->unit,
                                        .meaning = field->meaning,
                                        .is_optional = field->needs > 0};
}

/* Each quantity, and its error. */
static void visit_quantities(field_walk *walk, const char *before, const record_field *field)
{
    for (size_t i = 0; i < 2 * quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i / 2);
        const equant_quantity_info *info = &kind->info;
        char path[PATH_SIZE];
        if (!record_kind_has(field->kind, kind))
            continue;
        snprintf(path, sizeof path, "%s%s%s", before, info->shown_name, i % 2 ? "_err" : "");
        record_field own = *field;
        own.unit = info->is_angle ? info->shown_unit : info->table_unit;
        own.meaning = i % 2 ? "its standard error" : info->meaning;
        visit(walk, path, &own);
    }
}

static void walk_group(field_walk *walk, const char *before, const record_group *group)
{
    for (size_t i = 0; i < group->n_fields; i++) {
        const record_field *field = &group->fields[i];
        char path[PATH_SIZE];
        if (record_kind_is_of_catalogue(field->kind)) {
            visit_quantities(walk, before, field);
            continue;
        }
        snprintf(path, sizeof path, "%s%s", before, field->key);
        visit(walk, path, field);
        if (!field->group)
            continue;
        snprintf(path, sizeof path, "%s%s%s.", before, field->key,
                 field->kind == RECORD_LIST      ? "[]"
                 : field->kind == RECORD_MEMBERS ? ".*"
                                                 : "");
        walk_group(walk, path, field->group);
    }
}

static field_walk walk_all(size_t wanted)
{
    field_walk walk = {.wanted = wanted, .file = RECORD_FILE_FIT};
    walk_group(&walk, "", &fit_fields);
    walk.file = RECORD_FILE_ORIGIN;
    walk_group(&walk, "", &fit_fields_origin);
    return walk;
}

size_t equant_n_record_fields(void)
{
    return walk_all(SIZE_MAX).n;
}

equant_status equant_record_field_at(size_t index, equant_record_field *field)
{
    equant_status status = STATUS_CHECK_ITEM(field, "fields", equant_n_record_fields(), index);
    if (status != EQUANT_SUCCESS)
        return status;
    field_walk walk = walk_all(index);
    OPTIONS_FILL(walk.found, field);
    return EQUANT_SUCCESS;
}
