#include "lanes/avx2.h"

#define NBODY_KERNELS cpu_nbody_avx2
#include "backends/cpu/nbody/nbody_loop.h"
