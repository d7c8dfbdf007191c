/* Sky scans in double. */
#include "lanes/cuda.h"
#include "lanes/double.h"

#include "backends/cuda/sky/sky_layout.cuh"

namespace
{
#include "backends/cuda/sky/sky_kernel.cuh"
} // namespace

const sky_kernels sky_kernels_double = {sizeof(real), 4 * SKY_RUN, sky_prepare, sky_launch,
                                        sky_shared_bytes};
