/* What several files hold, one builder each, and how they become one data set:
 * who shares an instrument, and what the instruments are called. */
#ifndef EQUANT_DATA_FILE_OBSERVATIONS_H
#define EQUANT_DATA_FILE_OBSERVATIONS_H

#include "core/dataset.h"
#include "data/reading_request.h"

typedef struct file_observations {
    char *name;
    dataset_builder rows;
    bool has_instrument_column;
} file_observations;

/* Zero-initialise. */
typedef struct file_list {
    size_t n_files;
    file_observations *files;
} file_list;

/* Reads one table and appends it; `text` is not kept. */
equant_status file_observations_append(file_list *list, const char *text, size_t n_bytes,
                                       const char *name, const reading_request *request);

/* Empties the list into one builder.
 *
 * Names from an instrument column are the instrument's own: equal names in
 * several files are one instrument. A file without such a column is always an
 * instrument of its own, and so are numbers used as names: where a name is
 * taken already, the file's is put behind it, "HIRES (14Her_1_KECK)". */
equant_status file_observations_merge(file_list *list, dataset_builder *merged);

void file_observations_free(file_list *list);

#endif
