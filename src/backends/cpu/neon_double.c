#include "lanes/neon.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_neon_double
#include "backends/cpu/instantiate.h"
