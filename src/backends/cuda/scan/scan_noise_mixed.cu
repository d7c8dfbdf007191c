/* Scans in single, with phases in double, behind correlated noise. */
#include "lanes/cuda.h"
#include "lanes/mixed.h"

#include "backends/cuda/scan/scan_layout.cuh"

#define SCAN_HAS_NOISE 1
namespace
{
#include "backends/cuda/scan/scan_kernel.cuh"
} // namespace

const scan_kernels scan_noise_kernels_mixed = {sizeof(real),      true,       false, SCAN_ITEM,
                                               scan_shared_bytes, scan_launch};
