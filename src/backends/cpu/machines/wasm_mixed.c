#include "lanes/wasm.h"
#include "lanes/mixed.h"

#define KERNELS cpu_kernels_wasm_mixed
#include "backends/cpu/instantiate.h"
