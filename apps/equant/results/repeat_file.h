/* A star file that repeats a run: its data, what was known, and the options that counted, those of
 * a star file and those that were typed behind it. Kept in the folder of its results. */
#ifndef EQUANT_APP_RESULTS_REPEAT_FILE_H
#define EQUANT_APP_RESULTS_REPEAT_FILE_H

#include "files/output_check.h"
#include "options/option_table.h"
#include "options/states_request.h"

#define REPEAT_FILE_NAME "repeat.yaml"
/* For output_check_folder. */
#define REPEAT_FILE_MEMBER                                                                         \
    {                                                                                              \
        REPEAT_FILE_NAME, OUTPUT_KIND("a star file that repeats a run", "#Repeatsarun:")           \
    }

struct repeat_file {
    const struct option_table *table;
    const char *command; /* "fit" or "sample" */
    int argc;
    char **argv; /* as it was typed, in any order */
    const struct file_list *files;
    const struct states_request *states;
    const char *star_name;
};

/* Whether there is something to keep: a star file or states, and data in files. */
bool repeat_file_is_meant(const struct repeat_file *own);

/* Writes it into a folder. Returns an exit code, with a sentence on failure. */
int repeat_file_write(const struct repeat_file *own, const char *folder);

#endif
