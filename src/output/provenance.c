#include "output/provenance.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

static equant_status make_room(provenance *list)
{
    if (list->n < list->capacity)
        return EQUANT_SUCCESS;
    size_t capacity = list->capacity > 0 ? 2 * list->capacity : 32;
    run_file_text *longer = realloc(list->texts, capacity * sizeof *longer);
    if (!longer)
        return status_out_of_memory();
    list->texts = longer;
    list->capacity = capacity;
    return EQUANT_SUCCESS;
}

equant_status provenance_add(provenance *list, const char *name, const char *value)
{
    if (!value)
        return EQUANT_SUCCESS;
    equant_status status = make_room(list);
    if (status != EQUANT_SUCCESS)
        return status;
    run_file_text copy = {strdup(name), strdup(value)};
    if (!copy.name || !copy.value) {
        free((char *)copy.name);
        free((char *)copy.value);
        return status_out_of_memory();
    }
    list->texts[list->n++] = copy;
    return EQUANT_SUCCESS;
}

equant_status provenance_add_all(provenance *list, size_t n, const run_file_text *texts)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        status = provenance_add(list, texts[i].name, texts[i].value);
    return status;
}

const char *provenance_find(const provenance *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->texts[i].name, name) == 0)
            return list->texts[i].value;
    return NULL;
}

void provenance_free(provenance *list)
{
    for (size_t i = 0; i < list->n; i++) {
        free((char *)list->texts[i].name);
        free((char *)list->texts[i].value);
    }
    free(list->texts);
    *list = (provenance){0};
}
