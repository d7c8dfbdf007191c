/* Any bytes as a table, under every option that changes the reading: a data set
 * that keeps its promises comes out, or a sentence. */
#include <math.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"

static void check_rows(const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset), n_counted = 0;
    const double *times = equant_dataset_times_days(dataset);
    PROMISE(n > 0);
    for (size_t k = 0; k < n; k++) {
        int instrument = equant_dataset_instruments(dataset)[k];
        PROMISE(isfinite(times[k]) && (k == 0 || times[k - 1] <= times[k]));
        PROMISE(isfinite(equant_dataset_velocities_m_s(dataset)[k]));
        PROMISE(isfinite(equant_dataset_uncertainties_m_s(dataset)[k]));
        PROMISE(equant_dataset_uncertainties_m_s(dataset)[k] > 0);
        PROMISE(instrument >= 0 && (size_t)instrument < equant_dataset_n_instruments(dataset));
    }
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++) {
        PROMISE(strlen(equant_dataset_instrument_name(dataset, i)) > 0);
        PROMISE(equant_dataset_instrument_n_obs(dataset, i) > 0);
        n_counted += equant_dataset_instrument_n_obs(dataset, i);
    }
    PROMISE(n_counted == n);
}

static void check_indicators(const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset);
    for (size_t i = 0; i < equant_dataset_n_indicators(dataset); i++) {
        const equant_indicator *indicator = equant_dataset_indicator(dataset, i);
        size_t n_values = 0;
        PROMISE(strlen(indicator->name) > 0 && strlen(indicator->label) > 0);
        PROMISE(indicator->unit != NULL);
        for (size_t k = 0; k < n; k++) {
            double value = indicator->values[k], uncertainty = indicator->uncertainties[k];
            PROMISE(isnan(value) || isfinite(value));
            PROMISE(isnan(uncertainty) || (isfinite(uncertainty) && uncertainty > 0));
            PROMISE(!isnan(value) || isnan(uncertainty));
            n_values += !isnan(value);
        }
        PROMISE(n_values > 0);
    }
    for (size_t i = 0; i < equant_dataset_n_ignored_columns(dataset); i++)
        PROMISE(strlen(equant_dataset_ignored_column(dataset, i)) > 0);
}

static void check_rest(const equant_dataset *dataset)
{
    equant_unit unit = equant_dataset_unit(dataset);
    PROMISE(isfinite(equant_dataset_reference_time_days(dataset)));
    PROMISE(unit == EQUANT_UNIT_M_S || unit == EQUANT_UNIT_KM_S);
    PROMISE(strlen(equant_dataset_format(dataset)) > 0);
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        PROMISE(strlen(equant_dataset_warning(dataset, i)) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static const equant_dataset_options requests[] = {
        {.velocity_unit = EQUANT_UNIT_FROM_FILE},
        {.velocity_unit = EQUANT_UNIT_M_S, .has_reference_time = 1, .reference_time_days = 2450000},
        {.velocity_unit = EQUANT_UNIT_KM_S},
        {.skip_bad_rows = 1},
        {.skip_bad_rows = 1, .columns = "rv=2,err=3,time=1,bis=4,bis_err=5"},
        {.columns = "rv=RV,s_index=4"},
    };
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        equant_dataset_options options = requests[i];
        options.struct_size = sizeof options;
        equant_dataset *dataset = NULL;
        equant_status status = equant_dataset_from_text((const char *)data, n_bytes,
                                                        "folder/night.dat", &options, &dataset);
        PROMISE((status == EQUANT_SUCCESS) == (dataset != NULL));
        if (status != EQUANT_SUCCESS) {
            PROMISE(status == EQUANT_ERROR_FORMAT);
            PROMISE(strncmp(equant_last_error(), "folder/night.dat:", 17) == 0);
            continue;
        }
        check_rows(dataset);
        check_indicators(dataset);
        check_rest(dataset);
        equant_dataset_free(dataset);
    }
    return 0;
}
