#include "lanes/avx2.h"
#include "lanes/single.h"

#define KERNELS cpu_kernels_avx2_single
#include "backends/cpu/instantiate.h"
