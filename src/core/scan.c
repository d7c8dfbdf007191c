#include "core/scan.h"

#include <stdlib.h>

#include "core/automatic.h"
#include "core/engine.h"
#include "core/status.h"

struct scan_state {
    const backend_scan *scan; /* of the caller */
    backend_engine engine;
    const backend *chosen;
    const backend *fallback; /* when the chosen one fails; NULL: its failure is the caller's */
    void *laid_out;          /* of the chosen backend; NULL: nothing */
};

/* Scans are large enough for a GPU, always: so whether one does it depends on the machine
 * alone. */
static void choose(scan_state *state, bool is_automatic)
{
    const backend *processor = engine_best_backend(), *accelerator = NULL;
    if (is_automatic)
        accelerator = automatic_accelerator(backend_list, backend_list_length);
    if (accelerator && accelerator->scans) {
        state->chosen = accelerator;
        state->fallback = processor;
    } else if (!state->chosen->scans) {
        state->chosen = processor;
    }
}

static equant_status lay_out(scan_state *state)
{
    equant_status status =
        state->chosen->scans->create(&state->engine, state->scan, &state->laid_out);
    if (status != EQUANT_SUCCESS)
        state->laid_out = NULL;
    return status;
}

static void drop(scan_state *state)
{
    if (state->laid_out)
        state->chosen->scans->destroy(state->laid_out);
    state->laid_out = NULL;
}

/* Hands the scan to the processor, for good. */
static void fall_back(scan_state *state)
{
    drop(state);
    state->chosen = state->fallback;
    state->fallback = NULL;
}

equant_status scan_open(const equant_engine_options *options, const backend_scan *scan,
                        scan_state **made)
{
    scan_state *state = calloc(1, sizeof *state);
    if (!state)
        return status_out_of_memory();
    state->scan = scan;
    equant_status status = engine_choose(options, &state->engine, &state->chosen);
    if (status == EQUANT_SUCCESS) {
        choose(state, engine_is_automatic(options));
        status = lay_out(state);
        if (status != EQUANT_SUCCESS && state->fallback) {
            fall_back(state);
            status = lay_out(state);
        }
        status = engine_report(state->chosen, status);
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
    return status == EQUANT_SUCCESS
               ? state->chosen->scans->run(state->laid_out, first_bin, n_bins, best, circular)
               : status;
}

equant_status scan_run(scan_state *state, size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular)
{
    if (n_bins == 0)
        return EQUANT_SUCCESS;
    equant_status status = run_piece(state, first_bin, n_bins, best, circular);
    if (status != EQUANT_SUCCESS && state->fallback) {
        fall_back(state);
        status = run_piece(state, first_bin, n_bins, best, circular);
    }
    return engine_report(state->chosen, status);
}
