#include "core/scan.h"

#include "core/automatic.h"
#include "core/engine.h"

/* Scans are large enough for a GPU, always: so whether one does it depends on the machine
 * alone. False: the processor has to. */
static bool scan_elsewhere(const backend_engine *engine, const backend_scan *scan, size_t first_bin,
                           size_t n_bins, backend_scan_node *best, backend_scan_node *circular)
{
    const backend *accelerator = automatic_accelerator(backend_list, backend_list_length);
    return accelerator && accelerator->scan &&
           accelerator->scan(engine, scan, first_bin, n_bins, best, circular) == EQUANT_SUCCESS;
}

equant_status scan_run(const equant_engine_options *options, const backend_scan *scan,
                       size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular)
{
    backend_engine engine;
    const backend *chosen;
    equant_status status = engine_choose(options, &engine, &chosen);
    if (status != EQUANT_SUCCESS || n_bins == 0)
        return status;
    if (engine_is_automatic(options) &&
        scan_elsewhere(&engine, scan, first_bin, n_bins, best, circular))
        return EQUANT_SUCCESS;
    if (!chosen->scan)
        chosen = engine_best_backend();
    return engine_report(chosen, chosen->scan(&engine, scan, first_bin, n_bins, best, circular));
}
