#include "lanes/avx512.h"

#define NBODY_KERNELS cpu_nbody_avx512
#include "backends/cpu/nbody/nbody_loop.h"
