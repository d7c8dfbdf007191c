#include "lanes/scalar.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_scalar_double
#include "backends/cpu/instantiate.h"
