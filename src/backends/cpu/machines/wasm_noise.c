#include "lanes/wasm.h"
#include "lanes/double.h"

#define NOISE_SPECIAL cpu_noise_special_wasm
#include "backends/cpu/noise_special.h"
