#include "lanes/avx512.h"
#include "lanes/single.h"

#define KERNELS cpu_kernels_avx512_single
#include "backends/cpu/instantiate.h"
