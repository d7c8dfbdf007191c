#include "lanes/neon.h"
#include "lanes/pair.h"

#define KERNELS cpu_kernels_neon_pair
#include "backends/cpu/instantiate.h"
