#include "lanes/cuda.h"
#include "lanes/mixed.h"

#define KERNELS cuda_kernels_mixed
#include "backends/cuda/evaluate/instantiate_kernels.cuh"
