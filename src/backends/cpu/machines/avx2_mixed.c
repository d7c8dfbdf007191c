#include "lanes/avx2.h"
#include "lanes/mixed.h"

#define KERNELS cpu_kernels_avx2_mixed
#include "backends/cpu/instantiate.h"
