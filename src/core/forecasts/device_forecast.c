#include "core/forecasts/device_forecast.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/engine.h"
#include "core/status_fail.h"

struct device_forecast {
    placement place;
    char name[32]; /* "cuda:1" */
    void *state;   /* of the chosen backend */
};

equant_status device_forecast_create(const equant_engine_options *options, const equant_work *work,
                                     const backend_forecast *forecast, device_forecast **made)
{
    placement place;
    *made = NULL;
    equant_status status = placement_find(NULL, options, work, &place);
    if (status != EQUANT_SUCCESS || !place.chosen->forecasts)
        return status;
    device_forecast *opened = calloc(1, sizeof *opened);
    if (!opened)
        return status_out_of_memory();
    opened->place = place;
    snprintf(opened->name, sizeof opened->name, "%s:%d", place.chosen->name, place.engine.device);
    status = place.chosen->forecasts->create(&place.engine, forecast, &opened->state);
    if (status == EQUANT_SUCCESS) {
        *made = opened;
        return EQUANT_SUCCESS;
    }
    free(opened);
    return place.fallback ? EQUANT_SUCCESS : engine_report(place.chosen, status);
}

void device_forecast_free(device_forecast *forecast)
{
    if (!forecast)
        return;
    forecast->place.chosen->forecasts->destroy(forecast->state);
    free(forecast);
}

const char *device_forecast_backend(const device_forecast *forecast)
{
    return forecast->name;
}

bool device_forecast_may_leave(const device_forecast *forecast)
{
    return forecast->place.fallback != NULL;
}

equant_status device_forecast_run(device_forecast *forecast, const backend_forecast_times *times,
                                  backend_mixture *mixtures, size_t *stride,
                                  const double **densities)
{
    const backend *chosen = forecast->place.chosen;
    return engine_report(
        chosen, chosen->forecasts->run(forecast->state, times, mixtures, stride, densities));
}
