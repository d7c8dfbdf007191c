/* Reads the rows of one table into a builder, and settles their unit. */
#ifndef EQUANT_DATA_TABLE_READER_H
#define EQUANT_DATA_TABLE_READER_H

#include "core/dataset.h"
#include "data/reading_request.h"

/* `name` is the file's. Rows are added in m/s; *has_instrument_column tells
 * whether the instruments' names were in the rows or belong to the file. */
equant_status table_reader_read(const char *text, size_t n_bytes, const char *name,
                                const reading_request *request, dataset_builder *builder,
                                bool *has_instrument_column);

/* The file's name without folder and ending: "14Her_1_KECK". */
void table_reader_stem(const char *name, char *stem, size_t n_stem);

#endif
