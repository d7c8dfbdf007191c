/* The table of a batch, FOLDER/summary.ecsv: a row for each star as it is finished, and
 * from them, when the batch is started again, what is done already. */
#ifndef EQUANT_APP_RESULTS_BATCH_SUMMARY_H
#define EQUANT_APP_RESULTS_BATCH_SUMMARY_H

#include <stdbool.h>

#include "inputs/batch_list.h"
#include "files/ecsv_writer.h"
#include "stars/star_result.h"

struct batch_summary {
    char *path;
    FILE *stream;
    struct ecsv_writer writer;
};

/* Opens the table, with the rows of an earlier run that are still good, and sets done[i]
 * for the stars of the list that need not be fitted again: their row says ok and their
 * folder is complete. `options` is the line of fit_request_describe; a table that was
 * written with another one is refused. Returns an exit code, with a sentence on failure;
 * close it in any case. */
int batch_summary_open(struct batch_summary *summary, const char *folder, const char *options,
                       const struct batch_list *list, bool *done);

/* Adds the row of a star, with star NULL and its sentence where it failed. Returns an exit
 * code, with a sentence on failure. */
int batch_summary_add(struct batch_summary *summary, const char *name,
                      const struct star_result *star, double seconds, const char *sentence);

void batch_summary_close(struct batch_summary *summary);

#endif
