#include "lanes/scalar.h"
#include "lanes/single.h"

#define KERNELS cpu_kernels_scalar_single
#include "backends/cpu/instantiate.h"
