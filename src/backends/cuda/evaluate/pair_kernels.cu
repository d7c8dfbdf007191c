#include "lanes/cuda.h"
#include "lanes/pair.h"

#define KERNELS cuda_kernels_pair
#include "backends/cuda/evaluate/instantiate_kernels.cuh"
