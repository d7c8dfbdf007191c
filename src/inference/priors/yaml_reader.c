/* Events of libyaml, with their lines, as sentences want them. */
#include "inference/priors/yaml_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/files/input_stream.h"
#include "core/status_fail.h"
#include "inference/priors/parameter_state.h"

#ifdef EQUANT_HAVE_LIBYAML
#include <yaml.h>
#endif

/* ---- words ----------------------------------------------------------------------------------- */

/* The word of a list that was probably meant; "" where none is near. */
static void nearest_word(const char *word, const char *list, char *best, size_t n_bytes)
{
    size_t least = strlen(word) / 3 + 2;
    best[0] = '\0';
    while (*list != '\0') {
        char own[YAML_KEY_SIZE];
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

bool yaml_reader_has_word(const char *word, const char *list)
{
    char best[YAML_KEY_SIZE];
    nearest_word(word, list, best, sizeof best);
    return strcmp(word, best) == 0;
}

equant_status yaml_reader_refuse(const yaml_reader *reader, const char *what, const char *word,
                                 const char *list)
{
    char best[YAML_KEY_SIZE];
    long line = yaml_reader_line(reader);
    nearest_word(word, list, best, sizeof best);
    if (best[0])
        return yaml_reader_fail(reader, line, "%s '%.60s': did you mean '%s'?", what, word, best);
    return yaml_reader_fail(reader, line, "%s '%.60s': there are %s", what, word, list);
}

/* ---- the parser ------------------------------------------------------------------------------ */

struct yaml_reader {
    FILE *input;
    const char *what, *text;
    yaml_kind kind;
    bool is_end; /* of the file */
    long line;
#ifdef EQUANT_HAVE_LIBYAML
    yaml_parser_t parser;
    yaml_event_t event;
    bool has_parser, has_event;
#endif
    char path[];
};

#ifdef EQUANT_HAVE_LIBYAML

static yaml_kind kind_of(yaml_event_type_t type)
{
    switch (type) {
    case YAML_SCALAR_EVENT:
        return YAML_READER_VALUE;
    case YAML_SEQUENCE_START_EVENT:
        return YAML_READER_LIST;
    case YAML_SEQUENCE_END_EVENT:
        return YAML_READER_LIST_END;
    case YAML_MAPPING_START_EVENT:
        return YAML_READER_MAPPING;
    case YAML_MAPPING_END_EVENT:
        return YAML_READER_MAPPING_END;
    default:
        return YAML_READER_OTHER;
    }
}

static void forget_event(yaml_reader *reader)
{
    if (reader->has_event)
        yaml_event_delete(&reader->event);
    reader->has_event = false;
}

equant_status yaml_reader_next(yaml_reader *reader)
{
    forget_event(reader);
    if (!yaml_parser_parse(&reader->parser, &reader->event)) {
        const char *problem = reader->parser.problem;
        if (reader->parser.error == YAML_MEMORY_ERROR)
            return status_out_of_memory();
        return yaml_reader_fail(reader, (long)reader->parser.problem_mark.line + 1,
                                "this is no YAML: %s", problem ? problem : "it cannot be read");
    }
    const yaml_event_t *event = &reader->event;
    reader->has_event = true;
    reader->kind = kind_of(event->type);
    reader->is_end = event->type == YAML_STREAM_END_EVENT;
    reader->line = (long)event->start_mark.line + 1;
    reader->text = event->type == YAML_SCALAR_EVENT ? (const char *)event->data.scalar.value : "";
    if (event->type == YAML_ALIAS_EVENT)
        return yaml_reader_fail(reader, reader->line,
                                "a %s has no anchors and aliases: write it out", reader->what);
    return EQUANT_SUCCESS;
}

static equant_status start_parser(yaml_reader *reader)
{
    reader->has_parser = yaml_parser_initialize(&reader->parser);
    if (!reader->has_parser)
        return status_out_of_memory();
    yaml_parser_set_input_file(&reader->parser, reader->input);
    return EQUANT_SUCCESS;
}

static void stop_parser(yaml_reader *reader)
{
    forget_event(reader);
    if (reader->has_parser)
        yaml_parser_delete(&reader->parser);
}

#else

equant_status yaml_reader_next(yaml_reader *reader)
{
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this library was built without libyaml and reads no %s", reader->path,
                       reader->what);
}

static equant_status start_parser(yaml_reader *reader)
{
    return yaml_reader_next(reader);
}

static void stop_parser(yaml_reader *reader)
{
    (void)reader;
}

#endif

/* ---- events ---------------------------------------------------------------------------------- */

equant_status yaml_reader_fail(const yaml_reader *reader, long line, const char *format, ...)
{
    char sentence[600];
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    return status_fail(EQUANT_ERROR_FORMAT, "%s:%ld: %s", reader->path, line, sentence);
}

long yaml_reader_line(const yaml_reader *reader)
{
    return reader->line;
}

const char *yaml_reader_text(const yaml_reader *reader)
{
    return reader->text;
}

yaml_kind yaml_reader_kind(const yaml_reader *reader)
{
    return reader->kind;
}

/* To the first event of the first document. */
static equant_status begin(yaml_reader *reader)
{
    equant_status status = yaml_reader_next(reader); /* the stream */
    if (status == EQUANT_SUCCESS)
        status = yaml_reader_next(reader);
    if (status == EQUANT_SUCCESS && reader->is_end)
        return yaml_reader_fail(reader, 1, "the %s is empty", reader->what);
    return status == EQUANT_SUCCESS ? yaml_reader_next(reader) : status;
}

equant_status yaml_reader_end(yaml_reader *reader)
{
    equant_status status = yaml_reader_next(reader); /* the end of the document */
    if (status == EQUANT_SUCCESS)
        status = yaml_reader_next(reader);
    if (status == EQUANT_SUCCESS && !reader->is_end)
        return yaml_reader_fail(reader, reader->line, "a %s has one document: another begins here",
                                reader->what);
    return status;
}

void yaml_reader_close(yaml_reader *reader)
{
    if (!reader)
        return;
    stop_parser(reader);
    if (reader->input)
        fclose(reader->input);
    free(reader);
}

equant_status yaml_reader_open(const char *path, const char *what, yaml_reader **made)
{
    size_t n = strlen(path) + 1;
    yaml_reader *reader = calloc(1, sizeof *reader + n);
    if (!reader)
        return status_out_of_memory();
    memcpy(reader->path, path, n);
    reader->what = what;
    reader->text = "";
    equant_status status = input_stream_open(path, &reader->input);
    if (status == EQUANT_SUCCESS)
        status = start_parser(reader);
    if (status == EQUANT_SUCCESS)
        status = begin(reader);
    if (status == EQUANT_SUCCESS)
        *made = reader;
    else
        yaml_reader_close(reader);
    return status;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static equant_status remember(const yaml_reader *reader, yaml_keys *seen, const char *key)
{
    for (size_t i = 0; i < seen->n; i++)
        if (strcmp(seen->keys[i].name, key) == 0)
            return yaml_reader_fail(reader, yaml_reader_line(reader),
                                    "'%s' is already there in line %ld", key, seen->keys[i].line);
    if (seen->n < YAML_KEYS_MOST) {
        snprintf(seen->keys[seen->n].name, YAML_KEY_SIZE, "%s", key);
        seen->keys[seen->n++].line = yaml_reader_line(reader);
    }
    return EQUANT_SUCCESS;
}

equant_status yaml_reader_next_key(yaml_reader *reader, yaml_keys *seen, char key[YAML_KEY_SIZE],
                                   bool *has_key)
{
    equant_status status = yaml_reader_next(reader);
    *has_key = status == EQUANT_SUCCESS && yaml_reader_kind(reader) != YAML_READER_MAPPING_END;
    if (!*has_key)
        return status;
    if (yaml_reader_kind(reader) != YAML_READER_VALUE)
        return yaml_reader_fail(reader, yaml_reader_line(reader), "a name is expected here");
    snprintf(key, YAML_KEY_SIZE, "%s", yaml_reader_text(reader));
    return remember(reader, seen, key);
}
