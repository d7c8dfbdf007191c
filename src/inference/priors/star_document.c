/* Star files: from the events of a reader of YAML to a list of values with their lines. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"
#include "inference/priors/star_file_values.h"
#include "inference/priors/state_list.h"
#include "inference/priors/yaml_reader.h"

/* ---- what may be there ----------------------------------------------------------------------- */

typedef enum section_form {
    FORM_KEYS,  /* keys that are listed                        */
    FORM_FREE,  /* any keys                                    */
    FORM_ITEMS, /* things with keys of their own               */
    FORM_VALUE, /* one value, or keys that are listed          */
    FORM_LIST   /* values                                      */
} section_form;

static const struct {
    const char *name;
    section_form form;
    const char *keys; /* NULL: any */
} sections[] = {{"star", FORM_KEYS, "name mass radius luminosity temperature"},
                {"data", FORM_KEYS,
                 "files columns unit t-ref skip-bad-rows leave-out leave-out-times "
                 "leave-out-transits"},
                {"planets", FORM_ITEMS, NULL},
                {"instruments", FORM_ITEMS, "jitter offset"},
                {"trend", FORM_VALUE, "trend_m_s_day trend_m_s_day2"},
                {"noise", FORM_VALUE, ""},
                {"states", FORM_LIST, NULL},
                {"fit", FORM_FREE, NULL},
                {"sample", FORM_FREE, NULL}};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

/* "star data planets ...". */
static void list_sections(char *names, size_t n_bytes)
{
    size_t n = 0;
    for (size_t s = 0; s < N_SECTIONS; s++)
        n += (size_t)snprintf(names + n, n_bytes - n, "%s%s", s > 0 ? " " : "", sections[s].name);
}

/* ---- reading --------------------------------------------------------------------------------- */

typedef struct reader {
    equant_star_file *file;
    yaml_reader *yaml;
} reader;

static equant_status add(reader *r, const char *section, const char *item, const char *key)
{
    equant_star_file *file = r->file;
    star_value *longer = realloc(file->values, (file->n + 1) * sizeof *longer);
    if (!longer)
        return status_out_of_memory();
    file->values = longer;
    star_value *made = &file->values[file->n++];
    *made = (star_value){strdup(section), strdup(item), strdup(key),
                         strdup(yaml_reader_text(r->yaml)), yaml_reader_line(r->yaml)};
    return made->section && made->item && made->key && made->value ? EQUANT_SUCCESS
                                                                   : status_out_of_memory();
}

/* A value, or each of a list, whose first event is there. */
static equant_status read_values(reader *r, const char *section, const char *item, const char *key)
{
    yaml_reader *yaml = r->yaml;
    const char *name = key[0] ? key : section;
    if (yaml_reader_kind(yaml) == YAML_READER_VALUE)
        return add(r, section, item, key);
    if (yaml_reader_kind(yaml) != YAML_READER_LIST)
        return yaml_reader_fail(yaml, yaml_reader_line(yaml),
                                "%s should have a value here, or a list of values", name);
    equant_status status = yaml_reader_next(yaml);
    while (status == EQUANT_SUCCESS && yaml_reader_kind(yaml) != YAML_READER_LIST_END) {
        if (yaml_reader_kind(yaml) != YAML_READER_VALUE)
            return yaml_reader_fail(yaml, yaml_reader_line(yaml), "%s is a list of plain values",
                                    name);
        status = add(r, section, item, key);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next(yaml);
    }
    return status;
}

/* Keys with values up to the end of a mapping that has begun. */
static equant_status read_keys(reader *r, const char *section, const char *item,
                               const char *allowed)
{
    yaml_keys seen = {.n = 0};
    char key[YAML_KEY_SIZE];
    bool has_key;
    equant_status status = yaml_reader_next_key(r->yaml, &seen, key, &has_key);
    while (status == EQUANT_SUCCESS && has_key) {
        if (allowed && !yaml_reader_has_word(key, allowed)) {
            char what[96];
            snprintf(what, sizeof what, "%s has no", section);
            return yaml_reader_refuse(r->yaml, what, key, allowed);
        }
        status = yaml_reader_next(r->yaml);
        if (status == EQUANT_SUCCESS)
            status = read_values(r, section, item, key);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next_key(r->yaml, &seen, key, &has_key);
    }
    return status;
}

static bool is_letter(const char *word)
{
    return word[0] >= STATE_FIRST_LETTER && word[0] <= STATE_LAST_LETTER && word[1] == '\0';
}

static bool is_empty(const yaml_reader *yaml)
{
    return yaml_reader_kind(yaml) == YAML_READER_VALUE && yaml_reader_text(yaml)[0] == '\0';
}

/* What is said of one thing, whose first event is there. */
static equant_status read_item(reader *r, const char *section, const char *item,
                               const char *allowed, bool may_be_empty)
{
    size_t before = r->file->n;
    if (is_empty(r->yaml) && may_be_empty)
        return add(r, section, item, "");
    if (yaml_reader_kind(r->yaml) != YAML_READER_MAPPING)
        return yaml_reader_fail(r->yaml, yaml_reader_line(r->yaml),
                                "%s should have its parameters below it, as in period_days: 20.9",
                                item);
    equant_status status = read_keys(r, section, item, allowed);
    return status == EQUANT_SUCCESS && r->file->n == before ? add(r, section, item, "") : status;
}

/* Things with keys of their own: planets by letter, instruments by name. */
static equant_status read_items(reader *r, const char *section, const char *allowed)
{
    yaml_keys seen = {.n = 0};
    char item[YAML_KEY_SIZE];
    bool are_planets = strcmp(section, "planets") == 0, has_item;
    if (yaml_reader_kind(r->yaml) != YAML_READER_MAPPING)
        return yaml_reader_fail(r->yaml, yaml_reader_line(r->yaml),
                                "%s should be listed by %s, with their parameters below", section,
                                are_planets ? "letter" : "name");
    equant_status status = yaml_reader_next_key(r->yaml, &seen, item, &has_item);
    while (status == EQUANT_SUCCESS && has_item) {
        if (are_planets && !is_letter(item))
            return yaml_reader_fail(r->yaml, yaml_reader_line(r->yaml),
                                    "'%s' is no letter of a planet: these are b to z", item);
        status = yaml_reader_next(r->yaml);
        if (status == EQUANT_SUCCESS)
            status = read_item(r, section, item, allowed, are_planets);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next_key(r->yaml, &seen, item, &has_item);
    }
    return status;
}

static equant_status read_section(reader *r, size_t s)
{
    const char *name = sections[s].name, *keys = sections[s].keys;
    bool is_mapping = yaml_reader_kind(r->yaml) == YAML_READER_MAPPING;
    if (is_empty(r->yaml))
        return EQUANT_SUCCESS;
    switch (sections[s].form) {
    case FORM_ITEMS:
        return read_items(r, name, keys);
    case FORM_LIST:
        return read_values(r, name, "", "");
    case FORM_VALUE:
        return is_mapping && keys[0] ? read_keys(r, name, "", keys) : read_values(r, name, "", "");
    case FORM_KEYS:
    case FORM_FREE:
        break;
    }
    if (!is_mapping)
        return yaml_reader_fail(r->yaml, yaml_reader_line(r->yaml),
                                "%s should have keys below it%s%s", name, keys ? ": " : "",
                                keys ? keys : "");
    return read_keys(r, name, "", keys);
}

static equant_status read_sections(reader *r)
{
    yaml_keys seen = {.n = 0};
    char name[YAML_KEY_SIZE], names[128];
    bool has_section;
    equant_status status = yaml_reader_next_key(r->yaml, &seen, name, &has_section);
    while (status == EQUANT_SUCCESS && has_section) {
        size_t s = 0;
        while (s < N_SECTIONS && strcmp(sections[s].name, name) != 0)
            s++;
        if (s == N_SECTIONS) {
            list_sections(names, sizeof names);
            return yaml_reader_refuse(r->yaml, "a star file has no section", name, names);
        }
        status = yaml_reader_next(r->yaml);
        if (status == EQUANT_SUCCESS)
            status = read_section(r, s);
        if (status == EQUANT_SUCCESS)
            status = yaml_reader_next_key(r->yaml, &seen, name, &has_section);
    }
    return status;
}

static equant_status read_document(reader *r)
{
    if (yaml_reader_kind(r->yaml) != YAML_READER_MAPPING)
        return yaml_reader_fail(r->yaml, yaml_reader_line(r->yaml),
                                "a star file begins with a section, such as data: or star:");
    equant_status status = read_sections(r);
    return status == EQUANT_SUCCESS ? yaml_reader_end(r->yaml) : status;
}

/* The numbers of a star are positive, with an error behind +- where there is one. */
static equant_status check_star(const reader *r, const star_value *own)
{
    double error = 1.0;
    char *rest;
    if (strcmp(own->key, "name") == 0)
        return EQUANT_SUCCESS;
    double value = decimal_text_read(own->value, &rest);
    bool is_number = rest != own->value;
    rest += strspn(rest, " ");
    if (is_number && strncmp(rest, "+-", 2) == 0) {
        const char *behind = rest + 2;
        error = decimal_text_read(behind, &rest);
        is_number = rest != behind;
    }
    if (!is_number || rest[strspn(rest, " ")] || !(value > 0.0) || !(error > 0.0))
        return yaml_reader_fail(r->yaml, own->line,
                                "%s should be a positive number, with its error as in 1.07 +- "
                                "0.06, not '%.60s'",
                                own->key, own->value);
    return EQUANT_SUCCESS;
}

static equant_status check(const reader *r)
{
    equant_states *states = NULL;
    for (size_t i = 0; i < r->file->n; i++)
        if (strcmp(r->file->values[i].section, "star") == 0) {
            equant_status status = check_star(r, &r->file->values[i]);
            if (status != EQUANT_SUCCESS)
                return status;
        }
    equant_status status = equant_star_file_states(r->file, &states);
    equant_states_free(states);
    return status;
}

equant_status equant_star_file_read(const char *path, equant_star_file **file)
{
    if (!path || !file)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a star file needs a path and a place");
    reader r = {.file = calloc(1, sizeof *r.file)};
    bool has_memory = r.file && (r.file->path = strdup(path));
    equant_status status =
        has_memory ? yaml_reader_open(path, "star file", &r.yaml) : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = read_document(&r);
    if (status == EQUANT_SUCCESS)
        status = check(&r);
    yaml_reader_close(r.yaml);
    if (status == EQUANT_SUCCESS)
        *file = r.file;
    else
        equant_star_file_free(r.file);
    return status;
}
