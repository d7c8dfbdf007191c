/* Mixtures of what draws predict, on a GPU: backend_forecasts, with sentences for its failures.
 */
#ifndef EQUANT_CORE_FORECASTS_DEVICE_FORECAST_H
#define EQUANT_CORE_FORECASTS_DEVICE_FORECAST_H

#include "core/placement.h"

typedef struct device_forecast device_forecast;

/* Where the options leave it to a processor, or no GPU gains, *made is NULL: no failure. */
equant_status device_forecast_create(const equant_engine_options *options, const equant_work *work,
                                     const backend_forecast *forecast, device_forecast **made);
void device_forecast_free(device_forecast *forecast);

/* The name of its backend, for those who put velocities into its memory. */
const char *device_forecast_backend(const device_forecast *forecast);

/* Whether the caller may go on without the GPU when it fails. */
bool device_forecast_may_leave(const device_forecast *forecast);

/* As backend_forecasts has it. */
equant_status device_forecast_run(device_forecast *forecast, const backend_forecast_times *times,
                                  backend_mixture *mixtures, size_t *stride,
                                  const double **densities);

#endif
