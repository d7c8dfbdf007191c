#include "lanes/neon.h"
#include "lanes/single.h"

#define KERNELS cpu_kernels_neon_single
#include "backends/cpu/instantiate.h"
