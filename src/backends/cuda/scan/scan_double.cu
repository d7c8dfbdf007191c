/* Scans in double. Kepler's equation is solved at every node: a table fit for double would be
 * read more slowly than that. */
#include "lanes/cuda.h"
#include "lanes/double.h"

#include "backends/cuda/scan/scan_layout.cuh"

namespace
{
#include "backends/cuda/scan/scan_kernel.cuh"
} // namespace

const scan_kernels scan_kernels_double = {sizeof(real),      false,      true, SCAN_ITEM,
                                          scan_shared_bytes, scan_launch};
