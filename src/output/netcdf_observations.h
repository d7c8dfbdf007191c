/* The observations of a run, from its file. */
#ifndef EQUANT_OUTPUT_NETCDF_OBSERVATIONS_H
#define EQUANT_OUTPUT_NETCDF_OBSERVATIONS_H

#include "equant.h"
#include "output/netcdf_group.h"

/* The data set, to the bit; NULL, with the error of the group set, where the file has none that
 * makes sense. */
equant_dataset *netcdf_observations_read(netcdf_group root, double reference_time_days);

#endif
