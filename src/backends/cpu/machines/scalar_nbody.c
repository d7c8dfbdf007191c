#include "lanes/scalar.h"

#define NBODY_KERNELS cpu_nbody_scalar
#include "backends/cpu/nbody/nbody_loop.h"
