#include "lanes/wasm.h"
#include "lanes/single.h"

#define KERNELS cpu_kernels_wasm_single
#include "backends/cpu/instantiate.h"
