#include "lanes/neon.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_neon_double
#define NOISE_SPECIAL cpu_noise_special_neon
#include "backends/cpu/instantiate.h"
