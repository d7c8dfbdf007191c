/* Sky scans in single, with phases in double. */
#include "lanes/cuda.h"
#include "lanes/mixed.h"

#include "backends/cuda/sky/sky_layout.cuh"

namespace
{
#include "backends/cuda/sky/sky_kernel.cuh"
} // namespace

const sky_kernels sky_kernels_mixed = {sizeof(real), SKY_RUN, sky_prepare, sky_launch,
                                       sky_shared_bytes};
