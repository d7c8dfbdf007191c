/* Scans in double behind correlated noise. */
#include "lanes/cuda.h"
#include "lanes/double.h"

#include "backends/cuda/scan/scan_layout.cuh"

#define SCAN_HAS_NOISE 1
namespace
{
#include "backends/cuda/scan/scan_kernel.cuh"
} // namespace

const scan_kernels scan_noise_kernels_double = {sizeof(real),      false,      false, SCAN_ITEM,
                                                scan_shared_bytes, scan_launch};
