#include "lanes/scalar.h"
#include "lanes/pair.h"

#define KERNELS cpu_kernels_scalar_pair
#include "backends/cpu/instantiate.h"
