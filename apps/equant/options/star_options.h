/* A star file on the command line: its data, options and states take their places in the request of
 * a command, as if they had been typed before everything else. */
#ifndef EQUANT_APP_OPTIONS_STAR_OPTIONS_H
#define EQUANT_APP_OPTIONS_STAR_OPTIONS_H

#include "options/data_source.h"
#include "options/states_request.h"

/* Whether one of the files is a star file: its name ends in .yaml or .yml. */
bool star_options_is_meant(const struct file_list *files);

/* Takes the star file among `files` into a request that has its defaults, `command` being "fit" or
 * "sample"; states and source are parts of it. Afterwards `files` are the data. Returns an exit
 * code, with a sentence that begins with file and line. */
int star_options_take(const struct option_table *table, const char *command, void *request,
                      struct states_request *states, struct data_source *source,
                      struct file_list *files);

#endif
