#include "core/scan.h"

#include <stdlib.h>

#include "core/engine.h"
#include "core/status_fail.h"
#include "platform/system_threads.h"

struct scan_state {
    const backend_scan *scan; /* of the caller */
    placement place;
    void *laid_out; /* of the chosen backend; NULL: nothing */
};

static pthread_mutex_t gpu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gpu_has_room = PTHREAD_COND_INITIALIZER;
static int n_on_gpu;

static void begin_on_gpu(const placement *place)
{
    if (!place->chosen->device)
        return;
    pthread_mutex_lock(&gpu);
    while (n_on_gpu == SCAN_MOST_ON_GPU)
        pthread_cond_wait(&gpu_has_room, &gpu);
    n_on_gpu++;
    pthread_mutex_unlock(&gpu);
}

static void end_on_gpu(const placement *place)
{
    if (!place->chosen->device)
        return;
    pthread_mutex_lock(&gpu);
    n_on_gpu--;
    pthread_cond_signal(&gpu_has_room);
    pthread_mutex_unlock(&gpu);
}

static equant_status lay_out(scan_state *state)
{
    begin_on_gpu(&state->place);
    equant_status status =
        state->place.chosen->scans->create(&state->place.engine, state->scan, &state->laid_out);
    end_on_gpu(&state->place);
    if (status != EQUANT_SUCCESS)
        state->laid_out = NULL;
    return status;
}

static void drop(scan_state *state)
{
    if (state->laid_out) {
        begin_on_gpu(&state->place);
        state->place.chosen->scans->destroy(state->laid_out);
        end_on_gpu(&state->place);
    }
    state->laid_out = NULL;
}

/* Hands the scan to the processor, for good. */
static void fall_back(scan_state *state)
{
    drop(state);
    state->place.chosen = state->place.fallback;
    state->place.fallback = NULL;
}

equant_status scan_open(const placement_list *among, const equant_engine_options *options,
                        const backend_scan *scan, scan_state **made)
{
    scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_out_of_memory();
    state->scan = scan;
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    equant_status status = placement_find(among, options, &work, &state->place);
    if (status == EQUANT_SUCCESS) {
        status = lay_out(state);
        if (status != EQUANT_SUCCESS && state->place.fallback) {
            fall_back(state);
            status = lay_out(state);
        }
        status = engine_report(state->place.chosen, status);
    }
    if (status != EQUANT_SUCCESS) {
        scan_close(state);
        return status;
    }
    *made = state;
    return EQUANT_SUCCESS;
}

void scan_close(scan_state *state)
{
    if (!state)
        return;
    drop(state);
    free(state);
}

static equant_status run_piece(scan_state *state, size_t first_bin, size_t n_bins,
                               backend_scan_node *best, backend_scan_node *circular)
{
    equant_status status = state->laid_out ? EQUANT_SUCCESS : lay_out(state);
    if (status != EQUANT_SUCCESS)
        return status;
    begin_on_gpu(&state->place);
    status = state->place.chosen->scans->run(state->laid_out, first_bin, n_bins, best, circular);
    end_on_gpu(&state->place);
    return status;
}

equant_status scan_run(scan_state *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular)
{
    if (n_bins == 0)
        return EQUANT_SUCCESS;
    equant_status status = run_piece(state, first_bin, n_bins, best, circular);
    if (status != EQUANT_SUCCESS && state->place.fallback) {
        fall_back(state);
        status = run_piece(state, first_bin, n_bins, best, circular);
    }
    return engine_report(state->place.chosen, status);
}

equant_status scan_find_prospects(const placement_list *among, const equant_engine_options *options,
                                  const backend_scan *scan, const backend_scan_prospects *asked,
                                  float *most, bool *is_found)
{
    placement place;
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    *is_found = false;
    equant_status status = placement_find(among, options, &work, &place);
    if (status != EQUANT_SUCCESS || !place.chosen->scans->prospects)
        return status;
    begin_on_gpu(&place);
    status = place.chosen->scans->prospects(&place.engine, scan, asked, most);
    end_on_gpu(&place);
    *is_found = status == EQUANT_SUCCESS;
    /* Where a GPU was not asked for by name, the caller may do without. */
    return place.fallback ? EQUANT_SUCCESS : engine_report(place.chosen, status);
}
