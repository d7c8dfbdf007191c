#include "lanes/cuda.h"
#include "lanes/double.h"

#define KERNELS cuda_kernels_double
#include "backends/cuda/evaluate/instantiate_kernels.cuh"
