/* The options that the rows of a catalogue depend on, in a file TABLE.options beside the table: a
 * line "name=value" for each. The table itself stays a plain one. */
#ifndef EQUANT_APP_RESULTS_CATALOGUE_OPTIONS_H
#define EQUANT_APP_RESULTS_CATALOGUE_OPTIONS_H

#include "terminal/text_list.h"

/* Writes them for a new table. Returns an exit code, with a sentence on failure. */
int catalogue_options_write(const char *table, const struct text_list *options);

/* Refuses to go on with a table that was made with other options, and names the first of them.
 * Returns an exit code, with a sentence on failure. */
int catalogue_options_compare(const char *table, const struct text_list *options);

#endif
