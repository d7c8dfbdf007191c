/* Any bytes as a table of many stars: each star has a name and a data set, or a sentence, and the
 * stream comes to an end. */
#include <math.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"
#include "scratch.h"

static void read_stars(const char *path, const equant_dataset_options *options, size_t n_bytes)
{
    equant_star_stream *stream = NULL;
    equant_status status = equant_star_stream_open(path, options, &stream);
    PROMISE((status == EQUANT_SUCCESS) == (stream != NULL));
    if (status != EQUANT_SUCCESS) {
        PROMISE(strlen(equant_last_error()) > 0);
        return;
    }
    for (size_t n_calls = 0;; n_calls++) {
        equant_dataset *dataset = NULL;
        PROMISE(n_calls <= n_bytes + 2);
        status = equant_star_stream_next(stream, &dataset);
        const char *name = equant_star_stream_name(stream);
        if (status != EQUANT_SUCCESS)
            PROMISE(dataset == NULL && strlen(equant_last_error()) > 0);
        if (status == EQUANT_SUCCESS && dataset != NULL)
            PROMISE(name != NULL && equant_dataset_n_obs(dataset) > 0);
        equant_dataset_free(dataset);
        if (name == NULL)
            break;
    }
    equant_star_stream_free(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const equant_dataset_options requests[] = {
        {.struct_size = sizeof *requests},
        {.struct_size = sizeof *requests, .velocity_unit = EQUANT_UNIT_KM_S, .skip_bad_rows = 1}};
    scratch_write("stars.csv", n_bytes, data);
    const char *path = scratch_path("stars.csv");
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        read_stars(path, &requests[i], n_bytes);
    return 0;
}
