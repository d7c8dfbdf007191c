/* Reads back what netcdf_writer.c wrote. */
#ifndef EQUANT_OUTPUT_NETCDF_READER_H
#define EQUANT_OUTPUT_NETCDF_READER_H

#include "output/run_file.h"

/* As run_file_read, of a file that is known to be intact. */
equant_status netcdf_reader_read(const char *path, const equant_dataset *dataset, run_file **made);

#endif
