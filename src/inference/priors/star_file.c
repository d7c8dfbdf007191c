#include "inference/priors/star_file_values.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/state_list.h"

void equant_star_file_free(equant_star_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->n; i++) {
        free(file->values[i].section);
        free(file->values[i].item);
        free(file->values[i].key);
        free(file->values[i].value);
    }
    free(file->values);
    free(file->path);
    free(file);
}

size_t equant_star_file_n_entries(const equant_star_file *file)
{
    return file ? file->n : 0;
}

equant_status equant_star_file_entry(const equant_star_file *file, size_t index,
                                     equant_star_entry *entry)
{
    if (!file || !entry || index >= file->n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the star file has no such entry");
    const star_value *own = &file->values[index];
    equant_star_entry known = {.section = own->section,
                               .item = own->item,
                               .key = own->key,
                               .value = own->value,
                               .line = (size_t)own->line};
    OPTIONS_FILL(known, entry);
    return EQUANT_SUCCESS;
}

/* ---- states -------------------------------------------------------------------------------- */

/* A transit is written "2456907.9628 +- 0.0012", or with a comma or a blank between. */
static void write_transit(const star_value *own, char *sentence, size_t n_bytes)
{
    const char *time = own->value + strspn(own->value, " ");
    size_t n_time = strcspn(time, " ,");
    const char *error = time + n_time + strspn(time + n_time, " ,");
    if (strncmp(error, "+-", 2) == 0)
        error += 2 + strspn(error + 2, " ");
    size_t n_error = strcspn(error, " ,");
    if (n_time > 0 && n_error > 0)
        snprintf(sentence, n_bytes, "%.1s.transit=normal(%.*s, %.*s)", own->item,
                 (int)(n_time < 60 ? n_time : 60), time, (int)(n_error < 60 ? n_error : 60), error);
    else
        snprintf(sentence, n_bytes, "%.1s.transit=%.150s", own->item, own->value);
}

/* The sentence of a value; false where it is no state. */
static bool write_sentence(const star_value *own, char *sentence, size_t n_bytes)
{
    if (strcmp(own->section, "planets") == 0 && strcmp(own->key, "transits") == 0)
        write_transit(own, sentence, n_bytes);
    else if (strcmp(own->section, "planets") == 0 && own->key[0])
        snprintf(sentence, n_bytes, "%.20s.%.60s=%.200s", own->item, own->key, own->value);
    else if (strcmp(own->section, "instruments") == 0)
        snprintf(sentence, n_bytes, "%.60s[%.60s]=%.200s", own->key, own->item, own->value);
    else if (strcmp(own->section, "trend") == 0)
        snprintf(sentence, n_bytes, "%s=%.200s", own->key[0] ? own->key : "trend", own->value);
    else if (strcmp(own->section, "states") == 0)
        snprintf(sentence, n_bytes, "%.250s", own->value);
    else
        return false;
    return true;
}

/* The letters of the planets in the order of the file, "b,c". */
static void write_letters(const equant_star_file *file, char *letters, size_t n_bytes)
{
    size_t n = 0;
    letters[0] = '\0';
    for (size_t i = 0; i < file->n; i++) {
        const star_value *own = &file->values[i];
        if (strcmp(own->section, "planets") != 0 || strchr(letters, own->item[0]))
            continue;
        n += (size_t)snprintf(letters + n, n_bytes - n, "%s%.1s", n > 0 ? "," : "", own->item);
    }
}

equant_status equant_star_file_states(const equant_star_file *file, equant_states **states)
{
    char letters[64], where[STATE_WHERE_SIZE], sentence[512];
    if (!file || !states)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a star file and a place are needed");
    equant_states *made = NULL;
    equant_status status = equant_states_create(&made);
    write_letters(file, letters, sizeof letters);
    if (status == EQUANT_SUCCESS && letters[0])
        status = equant_states_name_planets(made, letters, file->path);
    for (size_t i = 0; i < file->n && status == EQUANT_SUCCESS; i++) {
        snprintf(where, sizeof where, "%.200s:%ld", file->path, file->values[i].line);
        if (write_sentence(&file->values[i], sentence, sizeof sentence))
            status = equant_states_set(made, sentence, where);
    }
    if (status == EQUANT_SUCCESS)
        status = equant_states_check(made);
    if (status == EQUANT_SUCCESS)
        *states = made;
    else
        equant_states_free(made);
    return status;
}
