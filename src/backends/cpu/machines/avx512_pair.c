#include "lanes/avx512.h"
#include "lanes/pair.h"

#define KERNELS cpu_kernels_avx512_pair
#include "backends/cpu/instantiate.h"
