#include "core/scan.h"

#include "core/engine.h"

equant_status scan_run(const equant_engine_options *options, const backend_scan *scan,
                       size_t first_bin, size_t n_bins, backend_scan_node *best,
                       backend_scan_node *circular)
{
    backend_engine engine;
    const backend *chosen;
    equant_status status = engine_choose(options, &engine, &chosen);
    if (status != EQUANT_SUCCESS || n_bins == 0)
        return status;
    if (!chosen->scan)
        chosen = engine_best_backend();
    return engine_report(chosen, chosen->scan(&engine, scan, first_bin, n_bins, best, circular));
}
