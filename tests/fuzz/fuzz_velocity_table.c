/* Any bytes as a file of velocities that is no text: VOTables, and Gaia's tables with arrays. What
 * is read has finite rows in the order of time, and what is refused is refused by a sentence.
 * Tables of FITS are not among the seeds: what cfitsio makes of broken ones is its own affair. */
#include <math.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"
#include "scratch.h"

static void check_dataset(const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset);
    const double *times = equant_dataset_times_days(dataset);
    PROMISE(n > 0);
    for (size_t k = 0; k < n; k++) {
        PROMISE(isfinite(times[k]) && (k == 0 || times[k - 1] <= times[k]));
        PROMISE(isfinite(equant_dataset_velocities_m_s(dataset)[k]));
        PROMISE(equant_dataset_uncertainties_m_s(dataset)[k] > 0);
    }
    PROMISE(strlen(equant_dataset_format(dataset)) > 0);
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        PROMISE(strlen(equant_dataset_warning(dataset, i)) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const equant_dataset_options requests[] = {
        {.struct_size = sizeof *requests},
        {.struct_size = sizeof *requests, .columns = "err=raw_radial_velocity_error"},
        {.struct_size = sizeof *requests, .star = "2", .skip_bad_rows = 1}};
    scratch_write("velocities", n_bytes, data);
    const char *path = scratch_path("velocities");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        equant_dataset *dataset = NULL;
        if (equant_dataset_from_files(1, &path, &requests[i], &dataset) == EQUANT_SUCCESS)
            check_dataset(dataset);
        else
            PROMISE(dataset == NULL && strlen(equant_last_error()) > 0);
        equant_dataset_free(dataset);
    }
    return 0;
}
