/* The options of a command in one table, from which its command line is read and its --help is
 * printed. A table is made of sections, and a section of rows; rows that several commands share
 * (data_source.h, engine_options.h, search_range.h, picture_options.h) are a section of each.
 *
 * On the command line stand, as with any getopt_long: --name VALUE or --name=VALUE, a name cut
 * short where only one begins so, files between options, and "--" after which all are files.
 * Of an option that is given twice the last counts, unless it makes a list. --help and -h are
 * heeded before anything else, and only in full. */
#ifndef EQUANT_APP_OPTIONS_OPTION_TABLE_H
#define EQUANT_APP_OPTIONS_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options/command_line.h"
#include "terminal/text_list.h"

enum option_kind {
    OPTION_KIND_HELP,     /* heeded by option_table_helps               */
    OPTION_KIND_FLAG,     /* bool: becomes true                         */
    OPTION_KIND_VALUE,    /* int or enum: becomes a certain value       */
    OPTION_KIND_TEXT,     /* const char *                               */
    OPTION_KIND_FILE,     /* const char *: a file that is read    */
    OPTION_KIND_LIST,     /* struct text_list: may be given repeatedly  */
    OPTION_KIND_NUMBER,   /* double: any that is finite                 */
    OPTION_KIND_POSITIVE, /* double: above zero                         */
    OPTION_KIND_COUNT,    /* int, size_t or uint64_t: from .. to        */
    OPTION_KIND_CHOICE,   /* int or enum: the value of a name           */
    OPTION_KIND_CALL      /* whatever a function makes of it            */
};

/* Takes an argument, which outlives the command, into the struct that the section describes.
 * Returns an exit code, with a sentence where it is not EXIT_CODE_OK. */
typedef int option_call(const char *command, char *argument, void *into);

/* Where a value goes: which member of that struct, and what may become of it. */
struct option_target {
    enum option_kind kind;
    size_t offset, size;
    uint64_t least, most;
    int value;
    const struct option_choice *choices;
    option_call *call;
};

struct option_row {
    const char *name;     /* without dashes; NULL: the rows end here */
    const char *argument; /* what --help shows behind it; NULL: it takes none. Several options
                             that share one help are named here: "P, --period-max P"           */
    struct option_target target;
    const char *help; /* a line or more; NULL: another row speaks for it */
};

/* The kinds with their targets, for rows. OPTIONS_OF is the struct that has the members: each
 * file defines it before its rows. A member of the wrong type does not compile. */
#define OPTION_FLAG(member) OPTION_TARGET(FLAG, OPTION_MEMBER(member, bool : 0))
#define OPTION_VALUE(member, constant)                                                             \
    OPTION_TARGET(VALUE, OPTION_MEMBER(member, int : 0, unsigned : 0), .value = (constant))
#define OPTION_TEXT(member) OPTION_TARGET(TEXT, OPTION_MEMBER(member, const char * : 0))
#define OPTION_FILE(member) OPTION_TARGET(FILE, OPTION_MEMBER(member, const char * : 0))
#define OPTION_LIST(member) OPTION_TARGET(LIST, OPTION_MEMBER(member, struct text_list : 0))
#define OPTION_NUMBER(member) OPTION_TARGET(NUMBER, OPTION_MEMBER(member, double : 0))
#define OPTION_POSITIVE(member) OPTION_TARGET(POSITIVE, OPTION_MEMBER(member, double : 0))
#define OPTION_COUNT(member, from, to)                                                             \
    OPTION_TARGET(COUNT,                                                                           \
                  OPTION_MEMBER(member, int : 0, unsigned long : 0, unsigned long long : 0),       \
                  .least = (from), .most = (to))
#define OPTION_CHOICE(member, names)                                                               \
    OPTION_TARGET(CHOICE, OPTION_MEMBER(member, int : 0, unsigned : 0), .choices = (names))
#define OPTION_CALL(function) OPTION_TARGET(CALL, .call = (function))
#define OPTION_HELP OPTION_TARGET(HELP, .offset = 0)

#define OPTION_TARGET(which, ...)                                                                  \
    {                                                                                              \
        .kind = OPTION_KIND_##which, __VA_ARGS__                                                   \
    }
/* Where a member is, if it has one of the types. */
#define OPTION_MEMBER(member, ...)                                                                 \
    .size = sizeof(((OPTIONS_OF *)0)->member),                                                     \
    .offset = offsetof(OPTIONS_OF, member) + _Generic(((OPTIONS_OF *)0)->member, __VA_ARGS__)

struct option_section {
    const char *title;             /* NULL: the section before goes on; "": a paragraph without */
    const struct option_row *rows; /* up to one without a name */
    size_t offset;                 /* of their struct in the request of the command */
};

/* Every command has this row, most of them as a section of its own. */
#define OPTION_HELP_ROW                                                                            \
    {                                                                                              \
        "help", NULL, OPTION_HELP, "this text"                                                     \
    }
extern const struct option_row option_table_help_rows[];

enum { OPTION_TABLE_USAGES = 5, OPTION_TABLE_SECTIONS = 16 };

struct option_table {
    const char *usage[OPTION_TABLE_USAGES + 1]; /* what stands behind "equant COMMAND"     */
    const char *about;                          /* what the command does, in a few lines   */
    struct option_section sections[OPTION_TABLE_SECTIONS + 1];
    const char *example;                               /* lines to be typed             */
    void (*notice)(const char *option, void *request); /* is told what was given; or NULL */
};

/* What is left of a command line when its options are gone. */
struct file_list {
    int n;
    const char *const *paths; /* [n] */
};

/* Has option_table_helps show tables so, in place of printing help; NULL: as ever. */
typedef void option_table_shower(const struct option_table *table, const char *command);
void option_table_show_by(option_table_shower *show);

/* Prints the help of a command, argv[0], when --help or -h stands before a "--", and says
 * whether it does. */
bool option_table_helps(const struct option_table *table, int argc, char **argv);

/* Takes the options of argv, which is put into another order, into the request, and notes the files
 * that are named as those that are read (files/input_file.h). Returns EXIT_CODE_OK, or another exit
 * code with a sentence. */
int option_table_parse(const struct option_table *table, int argc, char **argv, void *request,
                       struct file_list *files);

/* Adds the options of a command line that was parsed to a list, "name=value" each, names in full.
 */
int option_table_list(const struct option_table *table, int argc, char **argv,
                      struct text_list *list);

/* The row of a name; NULL: there is none. */
const struct option_row *option_table_row(const struct option_table *table, const char *name);

#endif
