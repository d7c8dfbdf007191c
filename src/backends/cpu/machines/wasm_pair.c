#include "lanes/wasm.h"
#include "lanes/pair.h"

#define KERNELS cpu_kernels_wasm_pair
#include "backends/cpu/instantiate.h"
