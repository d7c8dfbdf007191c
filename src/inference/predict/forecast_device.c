#include "inference/predict/forecast_device.h"

#include <stdlib.h>

#include "core/status_fail.h"

struct forecast_device {
    const forecast *of;
    device_forecast *gpu;
    void *orbits, *velocities; /* on the GPU */
    int *begins_night;         /* [FORECAST_DEVICE_MOST_TIMES] */
    backend_mixture *mixtures; /* likewise */
    size_t stride;
    const double *densities; /* of the last run */
};

void forecast_device_free(forecast_device *device)
{
    if (!device)
        return;
    if (device->gpu) {
        equant_device_free(device_forecast_backend(device->gpu), device->orbits);
        equant_device_free(device_forecast_backend(device->gpu), device->velocities);
    }
    device_forecast_free(device->gpu);
    free(device->begins_night);
    free(device->mixtures);
    free(device);
}

/* Orbits travel once; velocities have room for the times of a run. */
static equant_status make_room(forecast_device *made)
{
    const draw_sets *sets = forecast_sets(made->of);
    const char *name = device_forecast_backend(made->gpu);
    size_t n_bytes = sets->n * sets->n_columns * sizeof *sets->orbits;
    made->begins_night = malloc(FORECAST_DEVICE_MOST_TIMES * sizeof *made->begins_night);
    made->mixtures = malloc(FORECAST_DEVICE_MOST_TIMES * sizeof *made->mixtures);
    if (!made->begins_night || !made->mixtures)
        return status_out_of_memory();
    equant_status status = equant_device_allocate(name, n_bytes, &made->orbits);
    if (status == EQUANT_SUCCESS)
        status = equant_device_allocate(name, sets->n * FORECAST_DEVICE_MOST_TIMES * sizeof(double),
                                        &made->velocities);
    return status == EQUANT_SUCCESS ? equant_device_copy(name, n_bytes, sets->orbits, made->orbits)
                                    : status;
}

equant_status forecast_device_create(const forecast *of, const equant_engine_options *engine,
                                     size_t n_times, forecast_device **out)
{
    const draw_sets *sets = forecast_sets(of);
    const equant_work work = {.struct_size = sizeof work,
                              .kind = EQUANT_WORK_FORECAST,
                              .n_sets = sets->n,
                              .n_planets = sets->layout->n_planets,
                              .n_obs = n_times};
    backend_forecast lent;
    noise_block *blocks = NULL;
    *out = NULL;
    if (!forecast_has_state(of))
        return EQUANT_SUCCESS;
    forecast_device *made = calloc(1, sizeof *made);
    equant_status status = made ? forecast_lend(of, &lent, &blocks) : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        made->of = of;
        status = device_forecast_create(engine, &work, &lent, &made->gpu);
    }
    free(blocks);
    if (status == EQUANT_SUCCESS && made->gpu) {
        status = make_room(made);
        if (status == EQUANT_SUCCESS) {
            *out = made;
            return EQUANT_SUCCESS;
        }
        if (device_forecast_may_leave(made->gpu))
            status = EQUANT_SUCCESS;
    }
    forecast_device_free(made);
    return status;
}

static equant_status find_velocities(forecast_device *device, const forecast_times *times)
{
    const char *name = device_forecast_backend(device->gpu);
    equant_evaluator *evaluator = NULL;
    equant_status status = draw_sets_evaluator(forecast_sets(device->of), times->n,
                                               times->time_days, name, &evaluator);
    const equant_results results = {.struct_size = sizeof results,
                                    .velocities = device->velocities};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate_on_device(evaluator, forecast_sets(device->of)->n,
                                                     device->orbits, &results, NULL);
    if (status == EQUANT_SUCCESS)
        status = equant_device_wait(name);
    equant_evaluator_free(evaluator);
    return status;
}

bool forecast_device_run(forecast_device *device, const forecast_times *times,
                         const double *variances, equant_status *status)
{
    equant_status own = forecast_begins_night(device->of, times, device->begins_night);
    if (own == EQUANT_SUCCESS)
        own = find_velocities(device, times);
    const backend_forecast_times given = {.n = times->n,
                                          .time_days = times->time_days,
                                          .variances = variances,
                                          .instruments = times->instruments,
                                          .begins_night = device->begins_night,
                                          .velocities = device->velocities};
    if (own == EQUANT_SUCCESS)
        own = device_forecast_run(device->gpu, &given, device->mixtures, &device->stride,
                                  &device->densities);
    if (own != EQUANT_SUCCESS && device_forecast_may_leave(device->gpu))
        return false;
    *status = own;
    return own != EQUANT_SUCCESS || device->stride > 0;
}

mixture_facts forecast_device_facts(const forecast_device *device, size_t time, mixture_grid *grid)
{
    const backend_mixture *own = &device->mixtures[time];
    *grid = (mixture_grid){.first = own->first,
                           .step = own->step,
                           .n = own->n,
                           .density = (double *)device->densities + time * device->stride};
    return (mixture_facts){.mean = own->mean,
                           .deviation = own->deviation,
                           .entropy = own->entropy,
                           .within_draws = own->within_draws,
                           .within_groups = own->entropy,
                           .bias_of_draws = own->bias};
}
