/* Reading what a person typed: numbers that are numbers to their last
 * character, and a sentence for what is not. */
#ifndef EQUANT_APP_OPTIONS_COMMAND_LINE_H
#define EQUANT_APP_OPTIONS_COMMAND_LINE_H

#include <stdint.h>

/* The command line that a shell would take for these arguments: "equant fit 'my star.csv'". In
 * new memory that the caller frees; NULL when there is none. Ask before option_table_parse has put
 * the arguments into its own order. */
char *command_line_typed(int argc, char **argv);

/* A word for a value of an option; a list of them ends without a name. */
struct option_choice {
    const char *name;
    int value;
};

/* The value of an option. Each returns EXIT_CODE_OK, or prints a sentence and
 * returns EXIT_CODE_USAGE. `option` is its name without dashes: "threads". */
int command_line_number(const char *command, const char *option, const char *text, double *value);
int command_line_positive(const char *command, const char *option, const char *text, double *value);
int command_line_count(const char *command, const char *option, const char *text, uint64_t minimum,
                       uint64_t maximum, uint64_t *value);
int command_line_choice(const char *command, const char *option, const char *text,
                        const struct option_choice *choices, int *value);

/* The name of a value; NULL where it has none. */
const char *command_line_choice_name(const struct option_choice *choices, int value);

/* Of n names the one that `text` was probably meant to be; NULL when none is
 * near. */
const char *command_line_nearest(const char *text, const char *const *names, int n);

#endif
