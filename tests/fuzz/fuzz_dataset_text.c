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
    static const equant_unit units[] = {EQUANT_UNIT_FROM_FILE, EQUANT_UNIT_M_S, EQUANT_UNIT_KM_S};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        equant_dataset_options options = {.struct_size = sizeof options,
                                          .velocity_unit = units[i],
                                          .has_reference_time = units[i] == EQUANT_UNIT_M_S,
                                          .reference_time_days = 2450000};
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
        check_rest(dataset);
        equant_dataset_free(dataset);
    }
    return 0;
}
