/* Whether a file may be written where --out says: no command overwrites a file that it reads, or
 * one that is not of the kind that it writes there. Commands ask before anything is computed, and
 * output_file.h and row_file.h, which open every output, ask again.
 *
 * Each function returns EXIT_CODE_OK, or another exit code with a sentence. A path that is NULL is
 * none. `command` is for the line about help; NULL: there is none, and the code is
 * EXIT_CODE_FAILED. */
#ifndef EQUANT_APP_FILES_OUTPUT_CHECK_H
#define EQUANT_APP_FILES_OUTPUT_CHECK_H

#include <stdbool.h>

/* What the files of a kind begin with, blanks and line ends left out, in any letters. */
struct output_kind {
    const char *what; /* "a page of `equant report`" */
    const char *beginning;
    const char *other;  /* another beginning; NULL: there is none */
    bool is_maintained; /* the command itself reads it, and writes it anew */
};

#define OUTPUT_KIND(words, start)                                                                  \
    {                                                                                              \
        .what = (words), .beginning = (start)                                                      \
    }

/* A file that a command writes into its folder. */
struct output_member {
    const char *name;
    struct output_kind kind;
};

/* Tables that the command writes, known by their first column; one of two where two commands, or
 * two kinds of data, have a table of the same name. */
#define OUTPUT_TABLE_BEGINNING(first) "#%ECSV1.0#---#delimiter:','#datatype:#-{name:" first ","
#define OUTPUT_KIND_TABLE(first)                                                                   \
    {                                                                                              \
        .what = "an ECSV table that equant wrote", .beginning = OUTPUT_TABLE_BEGINNING(first)      \
    }
#define OUTPUT_KIND_TABLES(first, second)                                                          \
    {                                                                                              \
        .what = "an ECSV table that equant wrote", .beginning = OUTPUT_TABLE_BEGINNING(first),     \
        .other = OUTPUT_TABLE_BEGINNING(second)                                                    \
    }

/* Where a person has said --force. */
extern const struct output_kind output_kind_any;

/* Refuses a file that was read, one that is there, is not empty and is of another kind, and one
 * that could not be written. What is no file, such as a pipe, is anybody's. */
int output_check_file(const char *command, const char *output, const struct output_kind *kind);

/* The same for the members of a folder, which end with one without a name; the folder need not be
 * there. */
int output_check_folder(const char *command, const char *folder,
                        const struct output_member *members);

/* The kind of the member of a name. NULL, with a sentence, where there is none: nobody has said
 * what may be overwritten. */
const struct output_kind *output_check_kind(const struct output_member *members, const char *name);

#endif
