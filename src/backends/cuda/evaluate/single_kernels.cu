#include "lanes/cuda.h"
#include "lanes/single.h"

#define KERNELS cuda_kernels_single
#include "backends/cuda/evaluate/instantiate_kernels.cuh"
