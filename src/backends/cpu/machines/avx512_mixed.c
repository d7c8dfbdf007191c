#include "lanes/avx512.h"
#include "lanes/mixed.h"

#define KERNELS cpu_kernels_avx512_mixed
#include "backends/cpu/instantiate.h"
