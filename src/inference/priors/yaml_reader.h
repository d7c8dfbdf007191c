/* Reads YAML files event by event: values, lists and mappings, each with its line. What a file may
 * hold is the caller's to say. Anchors and aliases are refused. Without libyaml,
 * EQUANT_ERROR_UNAVAILABLE. */
#ifndef EQUANT_INFERENCE_PRIORS_YAML_READER_H
#define EQUANT_INFERENCE_PRIORS_YAML_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "equant.h"

typedef struct yaml_reader yaml_reader;

typedef enum yaml_kind {
    YAML_READER_VALUE,
    YAML_READER_LIST,
    YAML_READER_LIST_END,
    YAML_READER_MAPPING,
    YAML_READER_MAPPING_END,
    YAML_READER_OTHER /* the ends of documents and of the file */
} yaml_kind;

/* Opens a file and goes to its first event; `what` names its kind in sentences ("star file"). An
 * empty file is an error. */
equant_status yaml_reader_open(const char *path, const char *what, yaml_reader **made);
void yaml_reader_close(yaml_reader *reader);

/* The next event, and what it is. The text of a value holds until the next one. */
equant_status yaml_reader_next(yaml_reader *reader);
yaml_kind yaml_reader_kind(const yaml_reader *reader);
const char *yaml_reader_text(const yaml_reader *reader);
long yaml_reader_line(const yaml_reader *reader);

/* Keys of one mapping, with their lines. */
enum { YAML_KEY_SIZE = 64, YAML_KEYS_MOST = 64 };
typedef struct yaml_keys {
    size_t n;
    struct {
        char name[YAML_KEY_SIZE];
        long line;
    } keys[YAML_KEYS_MOST];
} yaml_keys;

/* The next key of the mapping that has begun, none where it ends (`has_key`). A key that is there
 * twice is an error. */
equant_status yaml_reader_next_key(yaml_reader *reader, yaml_keys *seen, char key[YAML_KEY_SIZE],
                                   bool *has_key);

/* After the last event of the document: nothing may follow. */
equant_status yaml_reader_end(yaml_reader *reader);

/* Refuses a word in favour of the nearest of `list`, words with a blank between; `what` begins the
 * sentence. */
equant_status yaml_reader_refuse(const yaml_reader *reader, const char *what, const char *word,
                                 const char *list);

/* Whether a word is in a list of words with a blank between. */
bool yaml_reader_has_word(const char *word, const char *list);

/* EQUANT_ERROR_FORMAT with "path:line: " before the sentence. */
__attribute__((format(printf, 3, 4))) equant_status
yaml_reader_fail(const yaml_reader *reader, long line, const char *format, ...);

#endif
