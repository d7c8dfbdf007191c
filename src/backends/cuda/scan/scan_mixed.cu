/* Scans in single, with phases in double: they are found once for all M0 of a frequency, and
 * cost so little that no precision does with less. */
#include "lanes/cuda.h"
#include "lanes/mixed.h"

#include "backends/cuda/scan/scan_layout.cuh"

namespace
{
#include "backends/cuda/scan/scan_kernel.cuh"
} // namespace

const scan_kernels scan_kernels_mixed = {sizeof(real),      true,       true, SCAN_ITEM,
                                         scan_shared_bytes, scan_launch};
