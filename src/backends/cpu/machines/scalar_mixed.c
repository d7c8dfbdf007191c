#include "lanes/scalar.h"
#include "lanes/mixed.h"

#define KERNELS cpu_kernels_scalar_mixed
#include "backends/cpu/instantiate.h"
