/* Any bytes as a file of astrometry: what is read has finite rows in the order of time, and what is
 * refused is refused by a sentence. Tables of FITS are not among the seeds: what cfitsio makes of
 * broken ones is its own affair. */
#include <math.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"
#include "scratch.h"

static void check_source(const equant_astrometry *source)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    PROMISE(equant_astrometry_rows(source, &rows) == EQUANT_SUCCESS && rows.n_rows > 0);
    for (size_t k = 0; k < rows.n_rows; k++) {
        PROMISE(isfinite(rows.time_days[k]) && isfinite(rows.abscissa_mas[k]));
        PROMISE(isfinite(rows.uncertainty_mas[k]) && rows.uncertainty_mas[k] > 0);
        PROMISE(isfinite(rows.angle_rad[k]) && isfinite(rows.parallax_factor[k]));
        PROMISE(rows.colour_factor == NULL || isfinite(rows.colour_factor[k]));
        PROMISE(k == 0 || rows.time_days[k - 1] <= rows.time_days[k]);
    }
    PROMISE(equant_astrometry_n_transits(source) <= rows.n_rows);
    PROMISE(strlen(equant_astrometry_format(source)) > 0);
    for (size_t i = 0; i < equant_astrometry_n_remarks(source); i++)
        PROMISE(strlen(equant_astrometry_remark(source, i)) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    scratch_write("epochs", n_bytes, data);
    const char *path = scratch_path("epochs");
    for (int keeps = 0; keeps < 2; keeps++) {
        equant_sky_reading options = {.struct_size = sizeof options, .keep_rejected = keeps};
        equant_astrometry **sources = NULL;
        size_t n = 0;
        equant_status status = equant_astrometry_read(path, &options, &sources, &n);
        if (status != EQUANT_SUCCESS)
            PROMISE(sources == NULL && strlen(equant_last_error()) > 0);
        else
            PROMISE(n > 0);
        for (size_t i = 0; i < n; i++)
            check_source(sources[i]);
        equant_astrometry_free_all(sources, n);
    }
    return 0;
}
