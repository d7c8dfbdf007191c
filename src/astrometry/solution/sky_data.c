#include "astrometry/solution/sky_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/epochs/sky_source.h"
#include "core/status_fail.h"
#include "core/numbers/tcb_clock.h"

static equant_status take_rows(const equant_astrometry *source, bool as_ccds, sky_data *data)
{
    equant_status status = EQUANT_SUCCESS;
    data->rows.struct_size = sizeof data->rows;
    if (!as_ccds)
        status = equant_astrometry_transits(source, &data->means);
    if (status == EQUANT_SUCCESS)
        status = equant_astrometry_rows(data->means ? data->means : source, &data->rows);
    data->n_sky = data->rows.n_rows;
    data->n_transits = equant_astrometry_n_transits(source);
    data->has_colour = data->rows.colour_factor != NULL;
    data->lacks_parallax = source->lacks_parallax;
    return status;
}

double sky_data_velocity_jd(const equant_dataset *velocities, double time_days)
{
    if (strcmp(equant_dataset_time_name(velocities), "MJD") == 0 && time_days < 1e5)
        return time_days + 2400000.5;
    if (time_days > 4e4 && time_days < 1e5)
        return time_days + 2400000.0;
    if (time_days > 0.0 && time_days < 2e4)
        return time_days + 2450000.0;
    return time_days;
}

double sky_data_velocity_days(double jd, double reference_jd)
{
    return jd - reference_jd + tcb_clock_ahead_days(jd);
}

static equant_status velocity_time(const equant_dataset *velocities, size_t k, double reference_jd,
                                   double *time_days)
{
    double given = equant_dataset_times_days(velocities)[k],
           jd = sky_data_velocity_jd(velocities, given);
    if (!(jd > 2.4e6 && jd < 2.5e6))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "velocities at a time of %g days cannot be placed beside astrometry: "
                           "their times must be Julian dates",
                           given);
    *time_days = sky_data_velocity_days(jd, reference_jd);
    return EQUANT_SUCCESS;
}

static equant_status fill_velocities(const equant_dataset *velocities, double reference_jd,
                                     sky_data *data)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < data->n_velocities && status == EQUANT_SUCCESS; k++) {
        size_t row = data->n_sky + k;
        status = velocity_time(velocities, k, reference_jd, &data->time_days[row]);
        data->value[row] = equant_dataset_velocities_m_s(velocities)[k];
        data->uncertainty[row] = equant_dataset_uncertainties_m_s(velocities)[k];
        data->instrument[row] = equant_dataset_instruments(velocities)[k];
        data->group[row] = 1 + data->instrument[row];
    }
    return status;
}

static equant_status check_rows(const equant_sky_rows *rows)
{
    for (size_t k = 0; k < rows->n_rows && rows->kind != NULL; k++)
        if (rows->kind[k] == EQUANT_SKY_SCAN)
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "these are scans that were planned, without measurements: there is "
                               "nothing to fit");
    return EQUANT_SUCCESS;
}

static void fill_sky(sky_data *data)
{
    const equant_sky_rows *rows = &data->rows;
    for (size_t k = 0; k < data->n_sky; k++) {
        bool is_star = rows->kind == NULL || rows->kind[k] == EQUANT_SKY_STAR;
        data->time_days[k] = rows->time_days[k];
        data->value[k] = rows->abscissa_mas[k];
        data->uncertainty[k] = rows->uncertainty_mas[k];
        data->instrument[k] = -1;
        bool is_second = rows->frame != NULL && rows->frame[k] != 0;
        data->group[k] = !is_star    ? SKY_DATA_NO_GROUP
                         : is_second ? 1 + (int)data->n_instruments
                                     : 0;
        data->has_second_frame |= is_second;
        data->n_star += is_star;
        data->has_companion_rows |= !is_star;
        data->has_parallax |=
            is_star && rows->parallax_factor != NULL && rows->parallax_factor[k] != 0.0;
    }
}

/* Of the first n rows; 0 where there are none. */
static double span_of(const sky_data *data, size_t n)
{
    double first = INFINITY, last = -INFINITY;
    for (size_t k = 0; k < n; k++) {
        first = fmin(first, data->time_days[k]);
        last = fmax(last, data->time_days[k]);
    }
    return n > 0 ? last - first : 0.0;
}

bool sky_data_has_star(const sky_data *data)
{
    return data->n_star > 0 || (data->n_sky == 0 && data->n_motions > 0);
}

static equant_status check_amount(const sky_data *data)
{
    if (data->n_rows > data->n_sky || data->n_sky > 0)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "a source without rows has nothing to fit; with the motions of a catalogue "
                       "it needs velocities");
}

equant_status sky_data_create(const equant_astrometry *source, bool as_ccds,
                              const equant_dataset *velocities, sky_data *data)
{
    *data = (sky_data){0};
    equant_status status = take_rows(source, as_ccds, data);
    if (status == EQUANT_SUCCESS)
        status = check_rows(&data->rows);
    if (status != EQUANT_SUCCESS) {
        sky_data_free(data);
        return status;
    }
    data->n_velocities = velocities ? equant_dataset_n_obs(velocities) : 0;
    data->n_instruments = velocities ? equant_dataset_n_instruments(velocities) : 0;
    data->n_rows = data->n_sky + data->n_velocities;
    data->time_days = malloc((3 * data->n_rows + 1) * sizeof *data->time_days);
    data->group = malloc((2 * data->n_rows + 1) * sizeof *data->group);
    if (data->time_days == NULL || data->group == NULL) {
        sky_data_free(data);
        return status_out_of_memory();
    }
    data->value = data->time_days + data->n_rows;
    data->uncertainty = data->value + data->n_rows;
    data->instrument = data->group + data->n_rows;
    fill_sky(data);
    if (data->n_instruments > SKY_DATA_MAX_INSTRUMENTS)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "%zu instruments of velocities; beside astrometry there may be %d",
                             data->n_instruments, SKY_DATA_MAX_INSTRUMENTS);
    if (status == EQUANT_SUCCESS)
        status = fill_velocities(velocities, equant_astrometry_reference_jd(source), data);
    if (status == EQUANT_SUCCESS)
        status = check_amount(data);
    data->sky_span_days = span_of(data, data->n_sky);
    data->span_days = span_of(data, data->n_rows);
    if (status != EQUANT_SUCCESS)
        sky_data_free(data);
    return status;
}

void sky_data_log_scales(const sky_data *data, size_t first, size_t end, double log_scale[2])
{
    const double below = 1e-2, above = 1e2;
    double least = INFINITY, low = INFINITY, high = -INFINITY;
    for (size_t k = first; k < end; k++) {
        least = fmin(least, data->uncertainty[k]);
        low = fmin(low, data->value[k]);
        high = fmax(high, data->value[k]);
    }
    log_scale[0] = log(below * least);
    log_scale[1] = log(above * (high - low + least));
}

void sky_data_log_scales_of_sky(const sky_data *data, double log_scale[2])
{
    const double days_per_year = 365.25;
    if (data->n_sky > 0) {
        sky_data_log_scales(data, 0, data->n_sky, log_scale);
        return;
    }
    size_t first = data->n_velocities, parallax = data->n_rows - 1;
    sky_data_log_scales(data, first, parallax, log_scale);
    log_scale[1] += log(fmax(data->span_days / days_per_year, 1.0));
}

equant_status sky_data_add_motions(sky_data *data, sky_motion_rows *motions)
{
    size_t n = data->n_rows, n_all = n + SKY_MOTION_ROWS;
    double *numbers = malloc(3 * n_all * sizeof *numbers);
    int *words = malloc(2 * n_all * sizeof *words);
    data->motions = *motions;
    *motions = (sky_motion_rows){0};
    if (numbers == NULL || words == NULL) {
        free(numbers);
        free(words);
        return status_out_of_memory();
    }
    double *const arrays[3] = {data->time_days, data->value, data->uncertainty};
    const double *const more[3] = {data->motions.time_days, data->motions.value,
                                   data->motions.uncertainty};
    for (int i = 0; i < 3; i++) {
        memcpy(numbers + (size_t)i * n_all, arrays[i], n * sizeof *numbers);
        memcpy(numbers + (size_t)i * n_all + n, more[i], SKY_MOTION_ROWS * sizeof *numbers);
    }
    memcpy(words, data->group, n * sizeof *words);
    memcpy(words + n_all, data->instrument, n * sizeof *words);
    for (size_t k = n; k < n_all; k++) {
        words[k] = SKY_DATA_NO_GROUP;
        words[n_all + k] = -1;
    }
    free(data->time_days);
    free(data->group);
    data->time_days = numbers;
    data->value = numbers + n_all;
    data->uncertainty = numbers + 2 * n_all;
    data->group = words;
    data->instrument = words + n_all;
    data->n_motions = SKY_MOTION_ROWS;
    data->n_rows = n_all;
    if (data->n_sky == 0) {
        data->has_parallax = true;
        data->span_days = span_of(data, n_all);
    }
    return EQUANT_SUCCESS;
}

void sky_data_free(sky_data *data)
{
    sky_motion_rows_free(&data->motions);
    equant_astrometry_free(data->means);
    free(data->time_days);
    free(data->group);
    *data = (sky_data){0};
}
