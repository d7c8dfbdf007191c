#include "inference/predict/noise_forecast.h"

#include <math.h>
#include <string.h>

#include "statistics/noise_outlook.h"

static noise_row row_at(const noise_factor_rows *rows, size_t k)
{
    return (noise_row){.days_since_last = k > 0 ? rows->time_days[k] - rows->time_days[k - 1] : 0.0,
                       .alpha = 1.0,
                       .instrument = rows->instruments ? rows->instruments[k] : 0,
                       .begins_night = rows->begins_night ? rows->begins_night[k] : 0,
                       .owner = rows->owners ? rows->owners[k] : 0};
}

bool noise_forecast_make(const noise_factor_rows *rows, const double *values,
                         const double *variances, noise_forecast *made)
{
    const noise_process *process = &made->process;
    size_t n = (size_t)process->n_states;
    double state[NOISE_STATE_MOST_SIZE];
    noise_state_begin(process, state);
    for (size_t k = 0; k < rows->n; k++) {
        noise_row row = row_at(rows, k);
        row.value = values[k];
        row.variance = variances[k];
        if (!noise_state_take(process, &row, state))
            return false;
    }
    const noise_row nowhere = {.alpha = 1.0, .instrument = -1};
    noise_state_propagate(process, &nowhere, state); /* the last row is taken in, over no gap */
    memcpy(made->s, state, n * n * sizeof *made->s);
    memcpy(made->f, state + n * n, n * sizeof *made->f);
    made->end_days = rows->time_days[rows->n - 1];
    return true;
}

bool noise_forecast_is_same_night(const forecast_nights *nights, const noise_place *at)
{
    return at->instrument >= 0 && (size_t)at->instrument < nights->n_instruments &&
           nights->last[at->instrument] == at->night;
}

void noise_forecast_look(const noise_forecast *forecast, const forecast_nights *nights,
                         const noise_place *at, double *p)
{
    const noise_process *process = &forecast->process;
    const noise_row row = {.days_since_last = at->time_days - forecast->end_days,
                           .alpha = at->alpha,
                           .beta = at->beta,
                           .instrument = at->instrument,
                           .begins_night = !noise_forecast_is_same_night(nights, at),
                           .owner = at->owner};
    noise_outlook_look(process->n_blocks, process->block, &row, p);
}

double noise_forecast_mean(const noise_forecast *forecast, const double *p)
{
    return noise_outlook_mean(forecast->process.n_states, forecast->f, p);
}

double noise_forecast_known(const noise_forecast *forecast, const double *p, const double *q)
{
    return noise_outlook_known(forecast->process.n_states, forecast->s, p, q);
}
