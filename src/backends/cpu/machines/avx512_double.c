#include "lanes/avx512.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_avx512_double
#define NOISE_SPECIAL cpu_noise_special_avx512
#include "backends/cpu/instantiate.h"
