/* Lays a run out in the groups of a NetCDF file (output/run_file.h says which). */
#ifndef EQUANT_OUTPUT_NETCDF_WRITER_H
#define EQUANT_OUTPUT_NETCDF_WRITER_H

#include "output/run_file.h"

/* The attribute by which a file of a run is known, and the layout that this code knows. */
#define NETCDF_LAYOUT_NAME "equant_layout"
enum { NETCDF_LAYOUT = 1 };

/* The file as bytes, for the caller to free. It is made in memory: when a disk is full HDF5
 * fails in ways that end the program later on. */
equant_status netcdf_writer_make(const run_file_contents *contents, void **bytes, size_t *n_bytes);

#endif
