/* Prediction of the correlated noise of one draw after the last observation, from the final state
 * of the recursion (statistics/noise_process.h), with mean f, covariance S and p = R' u:
 *
 *   E g(t) = p' f,   cov(g(t), g(t')) = k(t' - t) - p' S p'.
 *
 * A time costs J^2, however many observations there are. */
#ifndef EQUANT_INFERENCE_PREDICT_NOISE_FORECAST_H
#define EQUANT_INFERENCE_PREDICT_NOISE_FORECAST_H

#include "noise/noise_covariance.h"
#include "noise/noise_factor.h"

/* Nights in which instruments observed last: what they remember of a night is of that one. */
typedef struct forecast_nights {
    size_t n_instruments;
    const double *last; /* [n_instruments]; NaN: none */
} forecast_nights;

typedef struct noise_forecast {
    noise_process process;
    double end_days; /* time of the last observation */
    double *f, *s;   /* [n_states], [n_states][n_states] */
} noise_forecast;

/* Of values less a mean model, and of the variances of their white noise. False where rounding has
 * eaten the covariance. f and s are the caller's. */
bool noise_forecast_make(const noise_factor_rows *rows, const double *values,
                         const double *variances, noise_forecast *made);

/* Whether the instrument of a place has observed in its night. */
bool noise_forecast_is_same_night(const forecast_nights *nights, const noise_place *at);

/* p of a place after the end, [n_states]. */
void noise_forecast_look(const noise_forecast *forecast, const forecast_nights *nights,
                         const noise_place *at, double *p);

double noise_forecast_mean(const noise_forecast *forecast, const double *p);
/* What the data know of the covariance of two places: p' S q. */
double noise_forecast_known(const noise_forecast *forecast, const double *p, const double *q);

#endif
