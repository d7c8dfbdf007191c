#include "lanes/avx2.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_avx2_double
#include "backends/cpu/instantiate.h"
