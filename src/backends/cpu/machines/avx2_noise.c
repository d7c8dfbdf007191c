#include "lanes/avx2.h"
#include "lanes/double.h"

#define NOISE_SPECIAL cpu_noise_special_avx2
#include "backends/cpu/noise_special.h"
