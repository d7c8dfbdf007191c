#include "lanes/neon.h"
#include "lanes/double.h"

#define NOISE_SPECIAL cpu_noise_special_neon
#include "backends/cpu/noise_special.h"
