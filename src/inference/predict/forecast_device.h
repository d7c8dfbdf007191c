/* A forecast whose mixtures a GPU makes, where it gains: times after the data alone. */
#ifndef EQUANT_INFERENCE_PREDICT_FORECAST_DEVICE_H
#define EQUANT_INFERENCE_PREDICT_FORECAST_DEVICE_H

#include "core/forecasts/device_forecast.h"
#include "inference/predict/forecast.h"
#include "inference/predict/mixture.h"

typedef struct forecast_device forecast_device;

enum { FORECAST_DEVICE_MOST_TIMES = 2048 };

/* For so many times in all; *made is NULL where processors do it. The forecast must outlive it. */
equant_status forecast_device_create(const forecast *of, const equant_engine_options *engine,
                                     size_t n_times, forecast_device **made);
void forecast_device_free(forecast_device *device);

/* Up to FORECAST_DEVICE_MOST_TIMES times, with the variances of their observations without jitter.
 * False, and *status as it is, where a processor has to do these times. */
bool forecast_device_run(forecast_device *device, const forecast_times *times,
                         const double *variances, equant_status *status);

/* What came of one of them; the grid lives until the next run, and is not to be freed. */
mixture_facts forecast_device_facts(const forecast_device *device, size_t time, mixture_grid *grid);

#endif
