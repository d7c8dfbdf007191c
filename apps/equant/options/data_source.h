/* The observations that a command works on: files named on its command line,
 * or the embedded demonstration. Shared by data, evaluate and montecarlo. */
#ifndef EQUANT_APP_OPTIONS_DATA_SOURCE_H
#define EQUANT_APP_OPTIONS_DATA_SOURCE_H

#include <getopt.h>
#include <stdbool.h>

#include "equant.h"

/* What getopt_long returns for its options: above any character. */
enum data_source_option {
    DATA_SOURCE_OPTION_UNIT = 2000,
    DATA_SOURCE_OPTION_REFERENCE_TIME,
    DATA_SOURCE_OPTION_DEMONSTRATION,
    DATA_SOURCE_OPTION_END
};

/* Entries for a command's table of long options. */
#define DATA_SOURCE_LONG                                                                           \
    {"unit", required_argument, NULL, DATA_SOURCE_OPTION_UNIT},                                    \
        {"t-ref", required_argument, NULL, DATA_SOURCE_OPTION_REFERENCE_TIME},                     \
    {                                                                                              \
        "demo", no_argument, NULL, DATA_SOURCE_OPTION_DEMONSTRATION                                \
    }

/* The lines of --help that describe them. */
extern const char data_source_help[];

struct data_source {
    equant_dataset_options options;
    bool is_demonstration;
};

struct data_source data_source_default(void);

/* Takes one option that getopt_long found. Returns EXIT_CODE_OK, or prints a
 * sentence and returns EXIT_CODE_USAGE. */
int data_source_take(const char *command, int option, const char *argument,
                     struct data_source *source);

/* Reads the files (paths[0] to paths[n_files - 1]) or the demonstration. The
 * caller frees *dataset. Returns an exit code, with a sentence on failure. */
int data_source_load(const char *command, const struct data_source *source, int n_files,
                     char *const *paths, equant_dataset **dataset);

/* Prints the reader's warnings to standard error. */
void data_source_warn(const equant_dataset *dataset);

#endif
