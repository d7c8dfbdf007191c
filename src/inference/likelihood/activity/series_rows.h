/* Velocities and activity indicators as series of one process G, the spots of a star that turns:
 *
 *   velocity  = a (cos x G + sin x H),   H = G' in units of a radian of the rotation
 *   indicator = c G + d H + offset + white noise
 *
 * in one order of time. G has the variance of the velocities' term, a^2, so that indicators see it
 * with c / a. Offsets of indicators are columns that every model has. */
#ifndef EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SERIES_ROWS_H
#define EQUANT_INFERENCE_LIKELIHOOD_ACTIVITY_SERIES_ROWS_H

#include "inference/likelihood/activity/noise_ranges.h"
#include "inference/likelihood/activity/spots.h"
#include "noise/noise_factor.h"

/* Values of the series behind those of terms: x, then c, jitter and d of each. */
enum { SERIES_LEAD = 0, SERIES_SCALE = 1, SERIES_JITTER = 2, SERIES_RATE = 3, SERIES_VALUES = 3 };

typedef struct series_rows {
    spot_finding found; /* of the indicators alone: where fits begin */
    double lead;
    size_t n_obs, n;     /* velocities, and all rows */
    double *time_days;   /* [n] */
    double *values;      /* [n] of indicators, brought to mean 0 and deviation 1; 0 of velocities */
    double *squares;     /* [n] of their uncertainties */
    size_t *observation; /* [n] of the data set */
    int *series;         /* [n] of indicators; negative: a velocity */
    size_t *row;         /* [n_obs]: where a velocity is */
    /* As noise takes them. */
    int *owners, *night_state;
    bool *begins_night;
} series_rows;

/* Finds the process of the indicators that are named, as equant_spots_learn does. Nights are those
 * of the velocities, [n_obs]. Free it in any case. */
equant_status series_rows_create(const equant_dataset *dataset, const equant_spots_options *options,
                                 const bool *begins_night, const int *night_state,
                                 series_rows *made);
void series_rows_free(series_rows *rows);

/* How many values the series have in a parameter set, and where a fit of them begins. */
size_t series_rows_n_values(const series_rows *rows);
void series_rows_start(const series_rows *rows, double *values);

/* The range of a value, and whether a fit takes its logarithm; closed where it is no parameter. */
noise_range series_rows_range(const series_rows *rows, size_t index, bool *is_logarithm);

/* How rows see G and G', [n] each, with the amplitude and the period of the velocities' term. */
void series_rows_weigh(const series_rows *rows, const double *values, double amplitude,
                       double period_days, double *alpha, double *beta);

/* Of indicators the squares of their errors, into [n], where those of velocities are left alone. */
void series_rows_variances(const series_rows *rows, const double *values, double *variances);

/* Columns of velocities, [n_obs][width], the residual last, as columns of all rows,
 * [n][n_series + width]: offsets of the indicators come first. */
void series_rows_spread(const series_rows *rows, size_t width, const double *columns,
                        double *spread);

#endif
