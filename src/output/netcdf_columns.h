/* Reads back what column_file_write wrote. */
#ifndef EQUANT_OUTPUT_NETCDF_COLUMNS_H
#define EQUANT_OUTPUT_NETCDF_COLUMNS_H

#include "output/column_file.h"

/* As column_file_read, of a file that is known to be intact; `file` is empty, and the caller's to
 * free in any case. */
equant_status netcdf_columns_read(const char *path, column_file *file);
bool netcdf_columns_recognise(const char *path);

#endif
