#include "inference/likelihood/activity/spot_series.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"

double spot_series_value(const equant_dataset *dataset, const spot_series *series, size_t k)
{
    bool is_own = (size_t)equant_dataset_instruments(dataset)[k] == series->instrument;
    return is_own ? equant_dataset_indicator(dataset, series->indicator)->values[k] : NAN;
}

/* False where an instrument has too few values of it, or one value. */
static bool measure(const equant_dataset *dataset, spot_series *series)
{
    const double *uncertainties =
        equant_dataset_indicator(dataset, series->indicator)->uncertainties;
    double squares = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++) {
        double value = spot_series_value(dataset, series, k);
        if (!isfinite(value))
            continue;
        double before = value - series->mean;
        series->mean += before / (double)++series->n_values;
        squares += before * (value - series->mean);
        series->n_uncertainties += isfinite(uncertainties[k]);
    }
    series->deviation = sqrt(squares / (double)(series->n_values > 0 ? series->n_values : 1));
    return series->n_values >= SPOTS_LEAST_VALUES && series->deviation > 1e-12 * fabs(series->mean);
}

bool spot_series_is_named(const char *names, const char *name)
{
    if (!names || strcmp(names, "auto") == 0)
        return strcmp(name, EQUANT_SPOTS) != 0 && strcmp(name, EQUANT_SPOTS_RATE) != 0;
    size_t n = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ", ");
        if (length == n && memcmp(at, name, n) == 0)
            return true;
    }
    return false;
}

static equant_status check_names(const equant_dataset *dataset, const char *names)
{
    bool is_open = names && strcmp(names, "auto") != 0;
    for (const char *at = names; is_open && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        at += strspn(at, " ");
        size_t length = strcspn(at, ", "), i = 0;
        while (i < equant_dataset_n_indicators(dataset) &&
               !(strlen(equant_dataset_indicator(dataset, i)->name) == length &&
                 memcmp(equant_dataset_indicator(dataset, i)->name, at, length) == 0))
            i++;
        if (i == equant_dataset_n_indicators(dataset))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the data have no indicator '%.*s'",
                               (int)(length < 40 ? length : 40), at);
    }
    return EQUANT_SUCCESS;
}

equant_status spot_series_choose(const equant_dataset *dataset, const char *names, size_t *n_series,
                                 spot_series series[SPOTS_MOST_SERIES])
{
    *n_series = 0;
    equant_status status = check_names(dataset, names);
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset) && status == EQUANT_SUCCESS; i++) {
        const char *name = equant_dataset_indicator(dataset, i)->name;
        for (size_t m = 0; m < equant_dataset_n_instruments(dataset); m++) {
            spot_series own = {
                .indicator = i, .instrument = m, .sees_rate = strcmp(name, "bis") == 0};
            if (spot_series_is_named(names, name) && *n_series < SPOTS_MOST_SERIES &&
                measure(dataset, &own))
                series[(*n_series)++] = own;
        }
    }
    if (status == EQUANT_SUCCESS && *n_series == 0)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "no indicator has %d values of an instrument that are not all the "
                             "same: there are no series to learn from",
                             SPOTS_LEAST_VALUES);
    return status;
}
