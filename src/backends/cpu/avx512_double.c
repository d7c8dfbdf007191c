#include "lanes/avx512.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_avx512_double
#include "backends/cpu/instantiate.h"
