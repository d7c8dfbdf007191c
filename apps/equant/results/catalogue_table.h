/* The table of `equant catalogue`: a row a source, written as they come, so that what is there can
 * be gone on with. */
#ifndef EQUANT_APP_RESULTS_CATALOGUE_TABLE_H
#define EQUANT_APP_RESULTS_CATALOGUE_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "equant.h"

struct catalogue_table {
    FILE *stream;
    const char *path;
    size_t n_done;   /* rows that were there */
    char (*ids)[24]; /* [n_done]: whose they are */
};

/* Opens a table, CSV or by its ending ECSV. With `goes_on` one that is there is kept, but for a
 * last line that is not whole; else one that is there is a failure. Returns an exit code, with a
 * sentence on failure; `path` must outlive it. */
int catalogue_table_open(struct catalogue_table *table, const char *path, bool goes_on);

/* False where row `number` of those that were there is not of this source. */
bool catalogue_table_has(const struct catalogue_table *table, size_t number,
                         const equant_astrometry *source);

/* Puts rows behind the last, on the disk when it returns. An exit code. */
int catalogue_table_add(struct catalogue_table *table, size_t n,
                        const equant_sky_catalogue_row *rows);

/* With an exit code, which it hands on unless closing fails. */
int catalogue_table_close(struct catalogue_table *table, int code);

#endif
