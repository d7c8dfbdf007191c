#include "inference/likelihood/activity/series_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"

void series_rows_free(series_rows *rows)
{
    free(rows->time_days);
    free(rows->values);
    free(rows->squares);
    free(rows->observation);
    free(rows->series);
    free(rows->row);
    free(rows->owners);
    free(rows->night_state);
    free(rows->begins_night);
    memset(rows, 0, sizeof *rows);
}

static equant_status allocate(series_rows *made)
{
    size_t n = made->n;
    made->time_days = malloc(n * sizeof *made->time_days);
    made->values = calloc(n, sizeof *made->values);
    made->squares = calloc(n, sizeof *made->squares);
    made->observation = malloc(n * sizeof *made->observation);
    made->series = malloc(n * sizeof *made->series);
    made->row = malloc(made->n_obs * sizeof *made->row);
    made->owners = malloc(n * sizeof *made->owners);
    made->night_state = calloc(n, sizeof *made->night_state);
    made->begins_night = calloc(n, sizeof *made->begins_night);
    return made->time_days && made->values && made->squares && made->observation && made->series &&
                   made->row && made->owners && made->night_state && made->begins_night
               ? EQUANT_SUCCESS
               : status_out_of_memory();
}

/* A velocity, then the indicators of its observation: observations are in the order of time. */
static void fill(const equant_dataset *dataset, const bool *begins_night, const int *night_state,
                 series_rows *made)
{
    size_t row = 0;
    for (size_t k = 0; k < made->n_obs; k++) {
        size_t first = row;
        made->row[k] = row;
        made->series[row] = -1;
        made->owners[row] = equant_dataset_instruments(dataset)[k];
        made->night_state[row] = night_state[k];
        made->begins_night[row++] = begins_night[k];
        for (size_t s = 0; s < made->found.n_series; s++) {
            const spot_series *own = &made->found.series[s];
            double value = spot_series_value(dataset, own, k);
            double error = equant_dataset_indicator(dataset, own->indicator)->uncertainties[k] /
                           own->deviation;
            if (!isfinite(value))
                continue;
            made->series[row] = (int)s;
            made->owners[row] = -1;
            made->values[row] = (value - own->mean) / own->deviation;
            made->squares[row++] = isfinite(error) ? error * error : 0.0;
        }
        for (size_t i = first; i < row; i++) {
            made->time_days[i] = equant_dataset_times_days(dataset)[k];
            made->observation[i] = k;
        }
    }
}

/* By how much velocities are ahead, as they follow what the indicators alone say of G and G'. */
static equant_status find_lead(const equant_dataset *dataset, double *means, series_rows *made)
{
    size_t n = made->n_obs, n_instruments = equant_dataset_n_instruments(dataset),
           n_columns = n_instruments + 2;
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    double radian_days = made->found.period_days / TWO_PI;
    double *columns = calloc(n_columns * n, sizeof *columns),
           *variances = malloc(n * sizeof *variances), *found = malloc(n_columns * sizeof *found);
    equant_noise *white = NULL;
    equant_status status = columns && variances && found ? equant_noise_create("white", &white)
                                                         : status_out_of_memory();
    made->lead = 0.0;
    if (status == EQUANT_SUCCESS) {
        for (size_t k = 0; k < n; k++) {
            columns[(size_t)equant_dataset_instruments(dataset)[k] * n + k] = 1.0;
            columns[n_instruments * n + k] = means[k];
            columns[(n_instruments + 1) * n + k] = means[n + k] * radian_days;
            variances[k] = sigma[k] * sigma[k];
        }
        const equant_noise_rows rows = {.struct_size = sizeof rows,
                                        .n = n,
                                        .time_days = equant_dataset_times_days(dataset),
                                        .values = equant_dataset_velocities_m_s(dataset),
                                        .variances = variances};
        const equant_noise_columns given = {
            .struct_size = sizeof given, .n = n_columns, .columns = columns};
        /* Columns that are not independent leave velocities in step. */
        if (equant_noise_follow(white, &rows, NULL, &given, found, NULL, NULL) == EQUANT_SUCCESS)
            made->lead = atan2(found[n_instruments + 1], found[n_instruments]);
    }
    equant_noise_free(white);
    free(columns);
    free(variances);
    free(found);
    return status;
}

equant_status series_rows_create(const equant_dataset *dataset, const equant_spots_options *options,
                                 const bool *begins_night, const int *night_state,
                                 series_rows *made)
{
    memset(made, 0, sizeof *made);
    made->n_obs = equant_dataset_n_obs(dataset);
    double *means = malloc(2 * made->n_obs * sizeof *means);
    equant_status status =
        means ? spots_find(dataset, options, &made->found, means) : status_out_of_memory();
    made->n = made->n_obs + made->found.n_values;
    if (status == EQUANT_SUCCESS)
        status = allocate(made);
    if (status == EQUANT_SUCCESS) {
        fill(dataset, begins_night, night_state, made);
        status = find_lead(dataset, means, made);
    }
    free(means);
    return status;
}

/* ---- values ------------------------------------------------------------------------------------
 */

size_t series_rows_n_values(const series_rows *rows)
{
    return 1 + SERIES_VALUES * rows->found.n_series;
}

void series_rows_start(const series_rows *rows, double *values)
{
    values[SERIES_LEAD] = rows->lead;
    for (size_t s = 0; s < rows->found.n_series; s++, values += SERIES_VALUES) {
        values[SERIES_SCALE] = rows->found.series[s].scale;
        values[SERIES_JITTER] = rows->found.series[s].jitter;
        values[SERIES_RATE] = rows->found.series[s].rate;
    }
}

noise_range series_rows_range(const series_rows *rows, size_t index, bool *is_logarithm)
{
    size_t s = index > 0 ? (index - 1) / SERIES_VALUES : 0,
           which = index > 0 ? (index - 1) % SERIES_VALUES + 1 : SERIES_LEAD;
    *is_logarithm = which == SERIES_SCALE || which == SERIES_JITTER;
    if (which == SERIES_LEAD) /* one and a half turns either way: no end is in the way */
        return (noise_range){-1.5 * TWO_PI, 1.5 * TWO_PI, rows->lead, false, NULL};
    const spot_series *own = &rows->found.series[s];
    if (which == SERIES_SCALE)
        return (noise_range){0.01, 5.0, own->scale, false, NULL};
    if (which == SERIES_JITTER)
        return (noise_range){1e-3, 3.0, own->jitter, false, NULL};
    double most = own->sees_rate ? 3.0 : 0.0;
    return (noise_range){-most, most, own->rate, false, NULL};
}

void series_rows_weigh(const series_rows *rows, const double *values, double amplitude,
                       double period_days, double *alpha, double *beta)
{
    double radian_days = period_days / TWO_PI;
    for (size_t i = 0; i < rows->n; i++) {
        bool is_velocity = rows->series[i] < 0;
        const double *own = values + (is_velocity ? 0 : SERIES_VALUES * rows->series[i]);
        alpha[i] = is_velocity ? cos(values[SERIES_LEAD]) : own[SERIES_SCALE] / amplitude;
        beta[i] =
            radian_days * (is_velocity ? sin(values[SERIES_LEAD]) : own[SERIES_RATE] / amplitude);
    }
}

void series_rows_variances(const series_rows *rows, const double *values, double *variances)
{
    for (size_t i = 0; i < rows->n; i++)
        if (rows->series[i] >= 0) {
            double jitter = values[SERIES_VALUES * rows->series[i] + SERIES_JITTER];
            variances[i] = rows->squares[i] + jitter * jitter;
        }
}

void series_rows_spread(const series_rows *rows, size_t width, const double *columns,
                        double *spread)
{
    size_t n_series = rows->found.n_series, all = n_series + width;
    memset(spread, 0, rows->n * all * sizeof *spread);
    for (size_t i = 0; i < rows->n; i++) {
        double *own = spread + i * all;
        if (rows->series[i] < 0) {
            memcpy(own + n_series, columns + rows->observation[i] * width, width * sizeof *own);
        } else {
            own[rows->series[i]] = 1.0;
            own[all - 1] = rows->values[i];
        }
    }
}
