/* Reads back what netcdf_writer.c wrote. */
#ifndef EQUANT_OUTPUT_NETCDF_READER_H
#define EQUANT_OUTPUT_NETCDF_READER_H

#include "output/run_file.h"

/* As run_file_read and run_file_read_dataset, of a file that is known to be intact. */
equant_status netcdf_reader_read(const char *path, const equant_dataset *dataset, run_file **made);
equant_status netcdf_reader_read_dataset(const char *path, equant_dataset **made);

#endif
