#include "lanes/neon.h"
#include "lanes/mixed.h"

#define KERNELS cpu_kernels_neon_mixed
#include "backends/cpu/instantiate.h"
