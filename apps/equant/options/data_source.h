/* The observations that a command works on: files named on its command line,
 * or the embedded demonstration. */
#ifndef EQUANT_APP_OPTIONS_DATA_SOURCE_H
#define EQUANT_APP_OPTIONS_DATA_SOURCE_H

#include <stdbool.h>

#include "equant.h"
#include "options/instrument_filter.h"
#include "options/left_out_times.h"
#include "options/option_table.h"

struct data_source {
    equant_unit unit;
    double reference_time_days; /* NaN: near the middle of the data */
    bool skips_bad_rows;
    const char *columns; /* NULL: as they are recognised */
    bool is_demonstration;
    const char *only_star; /* rows of this star alone; NULL: a file has one star */
    struct instrument_filter leave_out;
    struct left_out_times left_out;
    const equant_states *states; /* that name planets with transits to leave out; NULL: none */
    const char *star_name;       /* as a star file has it; NULL: by the names of the files */
};

extern const struct option_row data_source_rows[];

/* The words for units of velocities. */
extern const struct option_choice data_source_units[];

struct data_source data_source_default(void);
void data_source_free(struct data_source *source);

/* Whether observations are to be left out by instrument or time. */
bool data_source_leaves_out(const struct data_source *source);

/* "m/s" or "km/s"; NULL for what the file says. */
const char *data_source_unit_name(equant_unit unit);

/* The first star file of a list, whose name ends in .yaml or .yml (star_options.h); or NULL. */
const char *data_source_star_file(const struct file_list *files);

/* Reads the files or the demonstration, without what is left out. The caller frees *dataset.
 * Returns an exit code, with a sentence on failure. */
int data_source_load(const char *command, const struct data_source *source,
                     const struct file_list *files, equant_dataset **dataset);

/* The same, and prints the reader's warnings to standard error. */
int data_source_load_and_warn(const char *command, const struct data_source *source,
                              const struct file_list *files, equant_dataset **dataset);

#endif
