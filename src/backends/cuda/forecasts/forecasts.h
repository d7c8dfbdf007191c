/* Mixtures of what draws predict, on a GPU: the slot `forecasts` of cuda_backend. */
#ifndef EQUANT_BACKENDS_CUDA_FORECASTS_FORECASTS_H
#define EQUANT_BACKENDS_CUDA_FORECASTS_FORECASTS_H

#include "backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const backend_forecasts forecasts_on_device;

#ifdef __cplusplus
}
#endif
#endif
