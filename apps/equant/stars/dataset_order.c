#include "stars/dataset_order.h"

#include <stdlib.h>
#include <string.h>

#include "inputs/indicator_rows.h"

static size_t find(const char *name, size_t n, const char *const *names)
{
    size_t i = 0;
    while (i < n && strcmp(names[i], name) != 0)
        i++;
    return i;
}

equant_status dataset_order_copy(const equant_dataset *from, size_t n_instruments,
                                 const char *const *names, double reference_time_days,
                                 equant_dataset **made)
{
    size_t n_obs = equant_dataset_n_obs(from);
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .velocity_unit = EQUANT_UNIT_M_S,
                                      .has_reference_time = 1,
                                      .reference_time_days = reference_time_days,
                                      .time_name = equant_dataset_time_name(from)};
    struct indicator_rows indicators;
    int *instrument = calloc(n_obs, sizeof *instrument);
    if (!indicator_rows_take(from, n_obs, NULL, &indicators) || instrument == NULL) {
        indicator_rows_free(&indicators);
        free(instrument);
        return EQUANT_ERROR_OUT_OF_MEMORY;
    }
    options.n_indicators = indicators.n;
    options.indicators = indicators.indicators;
    equant_status status = EQUANT_SUCCESS;
    for (size_t k = 0; k < n_obs && status == EQUANT_SUCCESS; k++) {
        size_t old = (size_t)equant_dataset_instruments(from)[k];
        size_t i = find(equant_dataset_instrument_name(from, old), n_instruments, names);
        instrument[k] = (int)i;
        if (i == n_instruments)
            status = EQUANT_ERROR_INVALID_ARGUMENT;
    }
    if (status == EQUANT_SUCCESS)
        status = equant_dataset_from_arrays(n_obs, equant_dataset_times_days(from),
                                            equant_dataset_velocities_m_s(from),
                                            equant_dataset_uncertainties_m_s(from), instrument,
                                            n_instruments, names, &options, made);
    indicator_rows_free(&indicators);
    free(instrument);
    return status;
}
