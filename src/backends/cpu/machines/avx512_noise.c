#include "lanes/avx512.h"
#include "lanes/double.h"

#define NOISE_SPECIAL cpu_noise_special_avx512
#include "backends/cpu/noise_special.h"
