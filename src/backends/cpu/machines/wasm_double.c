#include "lanes/wasm.h"
#include "lanes/double.h"

#define KERNELS cpu_kernels_wasm_double
#define NOISE_SPECIAL cpu_noise_special_wasm
#include "backends/cpu/instantiate.h"
