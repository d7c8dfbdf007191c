/* Star files: from the events of libyaml to a list of values with their lines. */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/status.h"
#include "inference/states/star_file.h"
#include "inference/states/state_list.h"

#ifdef EQUANT_HAVE_LIBYAML
#include <yaml.h>
#endif

#ifndef EQUANT_HAVE_LIBYAML

equant_status equant_star_file_read(const char *path, equant_star_file **file)
{
    if (file)
        *file = NULL;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this library was built without libyaml and reads no star files",
                       path ? path : "");
}

#else

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
                {"data", FORM_KEYS, "files columns unit t-ref skip-bad-rows leave-out"},
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
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_event;
    long line;
} reader;

__attribute__((format(printf, 3, 4))) static equant_status fail_at(const reader *r, long line,
                                                                   const char *format, ...)
{
    char sentence[600];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return status_fail(EQUANT_ERROR_FORMAT, "%s:%ld: %s", r->file->path, line, sentence);
}

static equant_status next(reader *r)
{
    if (r->has_event)
        yaml_event_delete(&r->event);
    r->has_event = false;
    if (!yaml_parser_parse(&r->parser, &r->event)) {
        if (r->parser.error == YAML_MEMORY_ERROR)
            return status_out_of_memory();
        return fail_at(r, (long)r->parser.problem_mark.line + 1, "this is no YAML: %s",
                       r->parser.problem ? r->parser.problem : "it cannot be read");
    }
    r->has_event = true;
    r->line = (long)r->event.start_mark.line + 1;
    if (r->event.type == YAML_ALIAS_EVENT)
        return fail_at(r, r->line, "star files have no anchors and aliases: write it out");
    return EQUANT_SUCCESS;
}

static const char *scalar(const reader *r)
{
    return (const char *)r->event.data.scalar.value;
}

static equant_status add(reader *r, const char *section, const char *item, const char *key)
{
    equant_star_file *file = r->file;
    star_value *longer = realloc(file->values, (file->n + 1) * sizeof *longer);
    if (!longer)
        return status_out_of_memory();
    file->values = longer;
    const char *value = r->event.type == YAML_SCALAR_EVENT ? scalar(r) : "";
    star_value *made = &file->values[file->n++];
    *made = (star_value){strdup(section), strdup(item), strdup(key), strdup(value), r->line};
    return made->section && made->item && made->key && made->value ? EQUANT_SUCCESS
                                                                   : status_out_of_memory();
}

/* The word of a list that was probably meant; "" where none is near. */
static void nearest_word(const char *word, const char *list, char *best, size_t n_bytes)
{
    size_t least = strlen(word) / 3 + 2;
    best[0] = '\0';
    while (*list != '\0') {
        char own[64];
        size_t n = strcspn(list, " ");
        snprintf(own, sizeof own, "%.*s", (int)n, list);
        size_t distance = parameter_state_distance(word, own);
        if (distance < least) {
            least = distance;
            snprintf(best, n_bytes, "%s", own);
        }
        list += n + (list[n] == ' ');
    }
}

static bool has_word(const char *word, const char *list)
{
    char best[64];
    nearest_word(word, list, best, sizeof best);
    return strcmp(word, best) == 0;
}

static equant_status refuse_word(const reader *r, const char *what, const char *word,
                                 const char *list)
{
    char best[64];
    nearest_word(word, list, best, sizeof best);
    if (best[0])
        return fail_at(r, r->line, "%s '%.60s': did you mean '%s'?", what, word, best);
    return fail_at(r, r->line, "%s '%.60s': there are %s", what, word, list);
}

/* Whether a mapping has this key already; remembers it. */
typedef struct seen_keys {
    size_t n;
    struct {
        char name[64];
        long line;
    } keys[64];
} seen_keys;

static equant_status see(const reader *r, seen_keys *seen)
{
    for (size_t i = 0; i < seen->n; i++)
        if (strcmp(seen->keys[i].name, scalar(r)) == 0)
            return fail_at(r, r->line, "'%s' is already there in line %ld", scalar(r),
                           seen->keys[i].line);
    if (seen->n < sizeof seen->keys / sizeof *seen->keys) {
        snprintf(seen->keys[seen->n].name, sizeof seen->keys[0].name, "%s", scalar(r));
        seen->keys[seen->n++].line = r->line;
    }
    return EQUANT_SUCCESS;
}

/* A value, or each of a list, whose first event is there. */
static equant_status read_values(reader *r, const char *section, const char *item, const char *key)
{
    if (r->event.type == YAML_SCALAR_EVENT)
        return add(r, section, item, key);
    if (r->event.type != YAML_SEQUENCE_START_EVENT)
        return fail_at(r, r->line, "%s should have a value here, or a list of values",
                       key[0] ? key : section);
    equant_status status = next(r);
    while (status == EQUANT_SUCCESS && r->event.type != YAML_SEQUENCE_END_EVENT) {
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail_at(r, r->line, "%s is a list of plain values", key[0] ? key : section);
        status = add(r, section, item, key);
        if (status == EQUANT_SUCCESS)
            status = next(r);
    }
    return status;
}

/* Keys with values up to the end of a mapping that has begun. */
static equant_status read_keys(reader *r, const char *section, const char *item,
                               const char *allowed)
{
    seen_keys seen = {.n = 0};
    equant_status status = next(r);
    while (status == EQUANT_SUCCESS && r->event.type != YAML_MAPPING_END_EVENT) {
        char key[64];
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail_at(r, r->line, "a name is expected here");
        snprintf(key, sizeof key, "%s", scalar(r));
        status = see(r, &seen);
        if (status == EQUANT_SUCCESS && allowed && !has_word(key, allowed)) {
            char what[96];
            snprintf(what, sizeof what, "%s has no", section);
            return refuse_word(r, what, key, allowed);
        }
        if (status == EQUANT_SUCCESS)
            status = next(r);
        if (status == EQUANT_SUCCESS)
            status = read_values(r, section, item, key);
        if (status == EQUANT_SUCCESS)
            status = next(r);
    }
    return status;
}

static bool is_letter(const char *word)
{
    return word[0] >= STATE_FIRST_LETTER && word[0] <= STATE_LAST_LETTER && word[1] == '\0';
}

/* Things with keys of their own: planets by letter, instruments by name. */
static equant_status read_items(reader *r, const char *section, const char *allowed)
{
    seen_keys seen = {.n = 0};
    bool are_planets = strcmp(section, "planets") == 0;
    if (r->event.type != YAML_MAPPING_START_EVENT)
        return fail_at(r, r->line, "%s should be listed by %s, with their parameters below",
                       section, are_planets ? "letter" : "name");
    equant_status status = next(r);
    while (status == EQUANT_SUCCESS && r->event.type != YAML_MAPPING_END_EVENT) {
        char item[64];
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail_at(r, r->line, "a name is expected here");
        snprintf(item, sizeof item, "%s", scalar(r));
        for (size_t i = 0; are_planets && i < seen.n; i++)
            if (strcmp(seen.keys[i].name, item) == 0)
                return fail_at(r, r->line,
                               "two planets have the letter %s: the other is in line "
                               "%ld",
                               item, seen.keys[i].line);
        status = see(r, &seen);
        if (status == EQUANT_SUCCESS && are_planets && !is_letter(item))
            return fail_at(r, r->line, "'%s' is no letter of a planet: these are b to z", item);
        if (status == EQUANT_SUCCESS)
            status = next(r);
        if (status != EQUANT_SUCCESS)
            return status;
        bool is_empty = r->event.type == YAML_SCALAR_EVENT && scalar(r)[0] == '\0';
        if (is_empty && are_planets)
            status = add(r, section, item, "");
        else if (r->event.type == YAML_MAPPING_START_EVENT) {
            size_t before = r->file->n;
            status = read_keys(r, section, item, allowed);
            if (status == EQUANT_SUCCESS && r->file->n == before)
                status = add(r, section, item, "");
        } else
            return fail_at(r, r->line,
                           "%s should have its parameters below it, as in "
                           "period_days: 20.9",
                           item);
        if (status == EQUANT_SUCCESS)
            status = next(r);
    }
    return status;
}

static equant_status read_section(reader *r, size_t s)
{
    const char *name = sections[s].name;
    bool is_mapping = r->event.type == YAML_MAPPING_START_EVENT;
    bool is_empty = r->event.type == YAML_SCALAR_EVENT && scalar(r)[0] == '\0';
    if (is_empty)
        return EQUANT_SUCCESS;
    switch (sections[s].form) {
    case FORM_ITEMS:
        return read_items(r, name, sections[s].keys);
    case FORM_LIST:
        return read_values(r, name, "", "");
    case FORM_VALUE:
        return is_mapping && sections[s].keys[0] ? read_keys(r, name, "", sections[s].keys)
                                                 : read_values(r, name, "", "");
    case FORM_KEYS:
    case FORM_FREE:
        break;
    }
    if (!is_mapping)
        return fail_at(r, r->line, "%s should have keys below it%s%s", name,
                       sections[s].keys ? ": " : "", sections[s].keys ? sections[s].keys : "");
    return read_keys(r, name, "", sections[s].keys);
}

static equant_status read_sections(reader *r)
{
    seen_keys seen = {.n = 0};
    char names[128];
    equant_status status = next(r);
    while (status == EQUANT_SUCCESS && r->event.type != YAML_MAPPING_END_EVENT) {
        size_t s = 0;
        if (r->event.type != YAML_SCALAR_EVENT)
            return fail_at(r, r->line, "the name of a section is expected here");
        while (s < N_SECTIONS && strcmp(sections[s].name, scalar(r)) != 0)
            s++;
        if (s == N_SECTIONS) {
            list_sections(names, sizeof names);
            return refuse_word(r, "a star file has no section", scalar(r), names);
        }
        status = see(r, &seen);
        if (status == EQUANT_SUCCESS)
            status = next(r);
        if (status == EQUANT_SUCCESS)
            status = read_section(r, s);
        if (status == EQUANT_SUCCESS)
            status = next(r);
    }
    return status;
}

static equant_status read_document(reader *r)
{
    equant_status status = next(r); /* the stream */
    if (status == EQUANT_SUCCESS)
        status = next(r);
    if (status == EQUANT_SUCCESS && r->event.type == YAML_STREAM_END_EVENT)
        return fail_at(r, 1, "the star file is empty");
    if (status == EQUANT_SUCCESS)
        status = next(r);
    if (status == EQUANT_SUCCESS && r->event.type != YAML_MAPPING_START_EVENT)
        return fail_at(r, r->line, "a star file begins with a section, such as data: or star:");
    if (status == EQUANT_SUCCESS)
        status = read_sections(r);
    if (status == EQUANT_SUCCESS)
        status = next(r); /* the end of the document */
    if (status == EQUANT_SUCCESS)
        status = next(r);
    if (status == EQUANT_SUCCESS && r->event.type != YAML_STREAM_END_EVENT)
        return fail_at(r, r->line, "a star file has one document: another begins here");
    return status;
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
        return fail_at(r, own->line,
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
    FILE *input = fopen(path, "rb");
    if (!input)
        return status_fail(EQUANT_ERROR_IO, "%s: %s", path, strerror(errno));
    reader r = {.file = calloc(1, sizeof *r.file)};
    equant_status status = EQUANT_SUCCESS;
    if (!r.file || !(r.file->path = strdup(path)) || !yaml_parser_initialize(&r.parser)) {
        equant_star_file_free(r.file);
        fclose(input);
        return status_out_of_memory();
    }
    yaml_parser_set_input_file(&r.parser, input);
    status = read_document(&r);
    if (r.has_event)
        yaml_event_delete(&r.event);
    yaml_parser_delete(&r.parser);
    fclose(input);
    if (status == EQUANT_SUCCESS)
        status = check(&r);
    if (status == EQUANT_SUCCESS)
        *file = r.file;
    else
        equant_star_file_free(r.file);
    return status;
}

#endif
