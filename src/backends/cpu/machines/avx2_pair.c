#include "lanes/avx2.h"
#include "lanes/pair.h"

#define KERNELS cpu_kernels_avx2_pair
#include "backends/cpu/instantiate.h"
