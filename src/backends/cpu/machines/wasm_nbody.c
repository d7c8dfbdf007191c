#include "lanes/wasm.h"

#define NBODY_KERNELS cpu_nbody_wasm
#include "backends/cpu/nbody/nbody_loop.h"
