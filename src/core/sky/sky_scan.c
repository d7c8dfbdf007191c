#include "core/sky/sky_scan.h"

#include <stdlib.h>

#include "core/engine.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"
#include "platform/system_threads.h"

struct sky_scan_state {
    placement place;
    void *laid_out; /* of the chosen backend; NULL: nothing */
    size_t n_layers;
    sky_scan_layer *layers;
    sky_scan_node *bins; /* grown by sky_scan_peaks */
    size_t n_bins;
};

/* Bins of sources that are scanned in one call, at most: memory for them, not results. */
#define MOST_BINS ((size_t)1 << 21)

/* Catalogues on several threads scan at the same time; a GPU does one call after the other. */
static pthread_mutex_t gpu = PTHREAD_MUTEX_INITIALIZER;

bool sky_scan_is_on_gpu(const sky_scan_state *state)
{
    return state->place.chosen->device != NULL;
}

static void begin_on_gpu(const sky_scan_state *state)
{
    if (sky_scan_is_on_gpu(state))
        pthread_mutex_lock(&gpu);
}

static void end_on_gpu(const sky_scan_state *state)
{
    if (sky_scan_is_on_gpu(state))
        pthread_mutex_unlock(&gpu);
}

static equant_status lay_out(sky_scan_state *state)
{
    begin_on_gpu(state);
    equant_status status = state->place.chosen->sky_scans->create(
        &state->place.engine, state->n_layers, state->layers, &state->laid_out);
    end_on_gpu(state);
    if (status != EQUANT_SUCCESS)
        state->laid_out = NULL;
    return status;
}

static void drop(sky_scan_state *state)
{
    if (state->laid_out) {
        begin_on_gpu(state);
        state->place.chosen->sky_scans->destroy(state->laid_out);
        end_on_gpu(state);
    }
    state->laid_out = NULL;
}

/* Hands everything to the processor, for good. */
static equant_status fall_back(sky_scan_state *state)
{
    drop(state);
    state->place.chosen = state->place.fallback;
    state->place.fallback = NULL;
    return lay_out(state);
}

equant_status sky_scan_open(const placement_list *among, const equant_engine_options *options,
                            size_t n_layers, const sky_scan_layer *layers, sky_scan_state **made)
{
    sky_scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_out_of_memory();
    state->n_layers = n_layers;
    state->layers = calloc(n_layers + 1, sizeof *layers);
    for (size_t i = 0; state->layers && i < n_layers; i++)
        state->layers[i] = layers[i];
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    equant_status status = state->layers ? placement_find(among, options, &work, &state->place)
                                         : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        if (!state->place.chosen->sky_scans) {
            state->place.chosen = placement_processor(among);
            state->place.fallback = NULL;
        }
        status = lay_out(state);
        if (status != EQUANT_SUCCESS && state->place.fallback)
            status = fall_back(state);
        status = engine_report(state->place.chosen, status);
    }
    if (status != EQUANT_SUCCESS) {
        sky_scan_close(state);
        return status;
    }
    *made = state;
    return EQUANT_SUCCESS;
}

void sky_scan_close(sky_scan_state *state)
{
    if (!state)
        return;
    drop(state);
    free(state->layers);
    free(state->bins);
    free(state);
}

static equant_status run(sky_scan_state *state, size_t n_sources, const sky_scan_source *sources,
                         sky_scan_node *best)
{
    begin_on_gpu(state);
    equant_status status =
        state->place.chosen->sky_scans->bins(state->laid_out, n_sources, sources, best);
    end_on_gpu(state);
    return status;
}

equant_status sky_scan_bins(sky_scan_state *state, size_t n_sources, const sky_scan_source *sources,
                            sky_scan_node *best)
{
    if (n_sources == 0)
        return EQUANT_SUCCESS;
    equant_status status = run(state, n_sources, sources, best);
    if (status != EQUANT_SUCCESS && state->place.fallback) {
        status = fall_back(state);
        if (status == EQUANT_SUCCESS)
            status = run(state, n_sources, sources, best);
    }
    return engine_report(state->place.chosen, status);
}

/* ---- peaks ----------------------------------------------------------------- */

static bool is_peak(size_t n_bins, const sky_scan_node *best, size_t bin)
{
    return best[bin].gain > 0.0 && (bin == 0 || best[bin].gain > best[bin - 1].gain) &&
           (bin + 1 == n_bins || best[bin].gain >= best[bin + 1].gain);
}

/* The highest peak that is apart from the first n; SIZE_MAX: none. */
static size_t next_peak(size_t n_bins, const sky_scan_node *best, size_t n, const size_t *taken,
                        size_t separation)
{
    size_t found = SIZE_MAX;
    for (size_t bin = 0; bin < n_bins; bin++) {
        if (found != SIZE_MAX && !(best[bin].gain > best[found].gain))
            continue;
        bool is_free = is_peak(n_bins, best, bin);
        for (size_t i = 0; is_free && i < n; i++) {
            size_t distance = taken[i] < bin ? bin - taken[i] : taken[i] - bin;
            is_free = distance > separation;
        }
        found = is_free ? bin : found;
    }
    return found;
}

/* The peaks of one source, from the best nodes of its bins. */
static void choose_peaks(size_t n_bins, const sky_scan_node *best, size_t n_peaks,
                         size_t separation, sky_scan_node *peaks)
{
    size_t taken[SKY_SCAN_MOST_PEAKS], n = 0;
    for (size_t bin = 0; n < n_peaks && bin != SIZE_MAX; n += bin != SIZE_MAX) {
        bin = next_peak(n_bins, best, n, taken, separation);
        if (bin != SIZE_MAX) {
            peaks[n] = best[bin];
            taken[n] = bin;
        }
    }
    for (; n < n_peaks; n++)
        peaks[n] = (sky_scan_node){.gain = 0.0};
}

typedef struct peak_request {
    const sky_scan_state *state;
    const sky_scan_source *sources;
    size_t n_peaks, separation;
    sky_scan_node *peaks;
} peak_request;

static void choose_some(void *context, size_t first, size_t end, int thread)
{
    const peak_request *of = context;
    const sky_scan_node *best = of->state->bins;
    (void)thread;
    for (size_t i = 0; i < first; i++)
        best += of->sources[i].n_bins;
    for (size_t i = first; i < end; i++) {
        choose_peaks(of->sources[i].n_bins, best, of->n_peaks, of->separation,
                     of->peaks + i * of->n_peaks);
        best += of->sources[i].n_bins;
    }
}

static void choose_all_peaks(const sky_scan_state *state, size_t n_sources,
                             const sky_scan_source *sources, size_t n_peaks, size_t separation,
                             sky_scan_node *peaks)
{
    peak_request of = {state, sources, n_peaks, separation, peaks};
    parallel_for(n_sources > 64 ? state->place.engine.n_threads : 1, n_sources, 0, choose_some,
                 &of);
}

static equant_status require_bins(sky_scan_state *state, size_t n_bins)
{
    if (n_bins <= state->n_bins)
        return EQUANT_SUCCESS;
    free(state->bins);
    state->bins = malloc(n_bins * sizeof *state->bins);
    state->n_bins = state->bins ? n_bins : 0;
    return state->bins ? EQUANT_SUCCESS : status_out_of_memory();
}

equant_status sky_scan_peaks(sky_scan_state *state, size_t n_sources,
                             const sky_scan_source *sources, size_t n_peaks, size_t separation,
                             sky_scan_node *peaks)
{
    equant_status status = EQUANT_SUCCESS;
    if (n_peaks > SKY_SCAN_MOST_PEAKS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "at most %d peaks of a source are kept",
                           SKY_SCAN_MOST_PEAKS);
    for (size_t first = 0, end; status == EQUANT_SUCCESS && first < n_sources; first = end) {
        size_t n_bins = sources[first].n_bins;
        for (end = first + 1; end < n_sources && n_bins + sources[end].n_bins <= MOST_BINS; end++)
            n_bins += sources[end].n_bins;
        status = require_bins(state, n_bins);
        if (status == EQUANT_SUCCESS)
            status = sky_scan_bins(state, end - first, sources + first, state->bins);
        if (status == EQUANT_SUCCESS)
            choose_all_peaks(state, end - first, sources + first, n_peaks, separation,
                             peaks + first * n_peaks);
    }
    return status;
}
