#include "lanes/avx2.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_avx2_double
#define NOISE_SPECIAL cpu_noise_special_avx2
#include "backends/cpu/instantiate.h"
