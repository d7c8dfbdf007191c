#include "astrometry/orbit/sky_ladder_scan.h"

#include <stdlib.h>

#include "astrometry/orbit/sky_search.h"
#include "astrometry/orbit/sky_verdict.h"
#include "astrometry/orbit/sky_workshop.h"
#include "core/status_fail.h"

/* The scan behind the first rung, its peaks and how often noise makes them. */
static equant_status scan_ladder(sky_ladder *ladder, const sky_ladder_settings *settings,
                                 sky_workshop *shop, size_t most_peaks, sky_ladder_scan *scan)
{
    const sky_solution *base = ladder->rungs + SKY_RUNG_5P;
    const sky_search_place place = {&shop->refiner, base};
    sky_solution *found = malloc(most_peaks * sizeof *found);
    scan->n_bins = ladder->grid.n_bins;
    scan->bins = malloc(scan->n_bins * sizeof *scan->bins);
    scan->peaks = malloc(most_peaks * sizeof *scan->peaks);
    equant_status status =
        found && scan->bins && scan->peaks ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = sky_search_scan(&place, &ladder->grid, settings->engine, scan->bins);
    if (status == EQUANT_SUCCESS)
        status =
            sky_search_peaks(&place, &ladder->grid, scan->bins, most_peaks, found, &scan->n_peaks);
    for (size_t i = 0; i < scan->n_peaks && status == EQUANT_SUCCESS; i++) {
        scan->peaks[i].solution = found[i];
        scan->peaks[i].false_alarm =
            sky_verdict_false_alarm(ladder, settings, found + i, base, &scan->peaks[i].gain);
    }
    free(found);
    return status;
}

equant_status sky_ladder_scan_source(const equant_astrometry *source,
                                     const equant_dataset *velocities,
                                     const sky_ladder_settings *settings, size_t most_peaks,
                                     sky_ladder_scan *scan)
{
    sky_ladder ladder;
    sky_ladder_settings filled;
    *scan = (sky_ladder_scan){0};
    equant_status status = sky_ladder_open(source, velocities, settings, &ladder, &filled);
    if (status == EQUANT_SUCCESS) {
        sky_workshop shop = {0};
        status = sky_ladder_begin(&ladder, &filled);
        if (status == EQUANT_SUCCESS)
            status = sky_workshop_open(&ladder.data, &ladder.rungs[SKY_RUNG_5P].model, &shop);
        if (status == EQUANT_SUCCESS)
            status = scan_ladder(&ladder, &filled, &shop, most_peaks, scan);
        sky_workshop_close(&shop);
    }
    sky_ladder_free(&ladder);
    if (status != EQUANT_SUCCESS)
        sky_ladder_scan_free(scan);
    return status;
}

void sky_ladder_scan_free(sky_ladder_scan *scan)
{
    free(scan->bins);
    free(scan->peaks);
    *scan = (sky_ladder_scan){0};
}
