#include "inference/search/joint_bands.h"

#include <stdlib.h>

#include "core/pairs/device_pairs.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

struct joint_bands {
    const backend_scan *data;
    const joint_map_options *options;
    size_t width, n_most, n_tiles; /* of the longest band, and bands */
    int n_threads;
    /* On a GPU: */
    device_pairs *gpu;   /* NULL: on threads */
    float *power;        /* [n_frequencies] */
    backend_pair *peaks; /* [JOINT_BANDS_MOST][(n_tiles + 1) / 2], of all bands asked for */
    size_t *place;       /* [n_tiles]: by band, of those asked for */
    /* On threads: */
    joint_table table;
    band_scratch *scratch; /* [n_threads] */
};

/* ---- on threads ------------------------------------------------------------------------------ */

static equant_status prepare_threads(joint_bands *bands)
{
    equant_status status =
        joint_table_create(bands->data, bands->options, bands->n_threads, &bands->table);
    bands->scratch = calloc((size_t)bands->n_threads, sizeof *bands->scratch);
    if (status == EQUANT_SUCCESS && !bands->scratch)
        status = status_out_of_memory();
    for (int t = 0; t < bands->n_threads && status == EQUANT_SUCCESS; t++)
        status = band_scratch_create(bands->table.n, bands->n_tiles, &bands->scratch[t]);
    return status;
}

typedef struct found_bands {
    joint_bands *bands;
    const int32_t *first_rows;
    float threshold;
    pair_list *found;
} found_bands;

static void find_some(void *context, size_t first, size_t end, int thread)
{
    const found_bands *of = context;
    joint_bands *bands = of->bands;
    for (size_t b = first; b < end; b++)
        joint_band_find(&bands->table, (size_t)of->first_rows[b], bands->width, of->threshold,
                        bands->n_most, &bands->scratch[thread], &of->found[b]);
}

static void find_on_threads(joint_bands *bands, size_t n_bands, const int32_t *first_rows,
                            float threshold, pair_list *found)
{
    size_t share = n_bands / (16 * (size_t)bands->n_threads);
    found_bands of = {bands, first_rows, threshold, found};
    /* Most bands are soon ruled out. */
    parallel_for(bands->n_threads, n_bands, share > 1 ? share : 1, find_some, &of);
}

/* ---- on a GPU ------------------------------------------------------------------------------- */

static void leave_gpu(joint_bands *bands)
{
    device_pairs_free(bands->gpu);
    free(bands->power);
    free(bands->peaks);
    free(bands->place);
    bands->gpu = NULL;
    bands->power = NULL;
    bands->peaks = NULL;
    bands->place = NULL;
}

static equant_status open_gpu(joint_bands *bands)
{
    const joint_map_options *options = bands->options;
    const backend_pair_grid grid = {.data = bands->data,
                                    .first_frequency_per_day = options->first_frequency_per_day,
                                    .step_per_day = options->step_per_day,
                                    .n_frequencies = options->n_frequencies,
                                    .width = bands->width,
                                    .least_share_left = JOINT_TABLE_LEAST_SHARE_LEFT,
                                    .least_independence = JOINT_MAP_INDEPENDENCE};
    equant_status status = device_pairs_create(options->engine, &grid, &bands->gpu);
    if (status != EQUANT_SUCCESS || !bands->gpu)
        return status;
    size_t n_peaks = JOINT_BANDS_MOST * ((bands->n_tiles + 1) / 2);
    bands->power = malloc(options->n_frequencies * sizeof *bands->power);
    bands->peaks = malloc(n_peaks * sizeof *bands->peaks);
    bands->place = calloc(bands->n_tiles, sizeof *bands->place);
    if (!bands->power || !bands->peaks || !bands->place)
        return status_out_of_memory();
    return device_pairs_powers(bands->gpu, bands->power);
}

static equant_status find_on_gpu(joint_bands *bands, size_t n_bands, const int32_t *first_rows,
                                 float threshold, pair_list *found)
{
    size_t n_peaks = 0;
    for (size_t b = 0; b < n_bands; b++) {
        bands->place[(size_t)first_rows[b] / bands->width] = b;
        found[b].n = 0;
    }
    equant_status status =
        device_pairs_peaks(bands->gpu, n_bands, first_rows, threshold, bands->peaks, &n_peaks);
    for (size_t p = 0; p < n_peaks && status == EQUANT_SUCCESS; p++) {
        size_t band = bands->place[(size_t)bands->peaks[p].i / bands->width];
        pair_list_add(&found[band], bands->n_most, bands->peaks[p]);
    }
    return status;
}

/* After a failure of the GPU, which is the caller's where it was asked for by name. */
static equant_status go_on_without_gpu(joint_bands *bands, equant_status failure)
{
    if (!device_pairs_may_leave(bands->gpu))
        return failure;
    leave_gpu(bands);
    return prepare_threads(bands);
}

/* ---- either ---------------------------------------------------------------------------------- */

equant_status joint_bands_create(const backend_scan *data, const joint_map_options *options,
                                 size_t width, size_t n_most, joint_bands **made)
{
    joint_bands *bands = calloc(1, sizeof *bands);
    if (!bands)
        return status_out_of_memory();
    bands->data = data;
    bands->options = options;
    bands->width = width;
    bands->n_most = n_most;
    bands->n_tiles = (options->n_frequencies + width - 1) / width;
    bands->n_threads = placement_threads(options->engine ? options->engine->n_threads : 0);
    equant_status status = open_gpu(bands);
    if (status != EQUANT_SUCCESS && bands->gpu)
        status = go_on_without_gpu(bands, status);
    else if (status == EQUANT_SUCCESS && !bands->gpu)
        status = prepare_threads(bands);
    if (status == EQUANT_SUCCESS)
        *made = bands;
    else
        joint_bands_free(bands);
    return status;
}

void joint_bands_free(joint_bands *bands)
{
    if (!bands)
        return;
    leave_gpu(bands);
    for (int t = 0; bands->scratch && t < bands->n_threads; t++)
        band_scratch_free(&bands->scratch[t]);
    free(bands->scratch);
    joint_table_free(&bands->table);
    free(bands);
}

const float *joint_bands_power(const joint_bands *bands)
{
    return bands->gpu ? bands->power : bands->table.power;
}

equant_status joint_bands_find(joint_bands *bands, size_t n_bands, const int32_t *first_rows,
                               float threshold, pair_list *found)
{
    equant_status status = EQUANT_SUCCESS;
    if (bands->gpu) {
        status = find_on_gpu(bands, n_bands, first_rows, threshold, found);
        if (status == EQUANT_SUCCESS)
            return status;
        status = go_on_without_gpu(bands, status);
    }
    if (status == EQUANT_SUCCESS)
        find_on_threads(bands, n_bands, first_rows, threshold, found);
    return status;
}
