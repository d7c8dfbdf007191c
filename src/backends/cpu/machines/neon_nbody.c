#include "lanes/neon.h"

#define NBODY_KERNELS cpu_nbody_neon
#include "backends/cpu/nbody/nbody_loop.h"
