/* A star file on the command line: its data, options and states take their places in the request of
 * a command, as if they had been typed before everything else. */
#ifndef EQUANT_APP_OPTIONS_STAR_OPTIONS_H
#define EQUANT_APP_OPTIONS_STAR_OPTIONS_H

#include "options/data_source.h"
#include "options/states_request.h"

/* Whether one of the files is a star file: its name ends in .yaml or .yml. */
bool star_options_is_meant(const struct file_list *files);

/* Where they go. */
struct star_options {
    const struct option_table *table;
    const char *section; /* of the star file: "fit" or "sample"; others have none there */
    void *request;       /* which has its defaults; states and source are parts of it */
    struct states_request *states;
    struct data_source *source;
};

/* Takes the star file among `files`, then the command line, which has the last word. Afterwards
 * `files` are the data. Returns an exit code, with a sentence that begins with file and line. */
int star_options_parse(const struct star_options *into, int argc, char **argv,
                       struct file_list *files);

#endif
