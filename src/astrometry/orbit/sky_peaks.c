/* The public equant_sky_search: gains of orbits at every frequency, and the peaks among them. */
#include <math.h>
#include <stdlib.h>

#include "astrometry/orbit/sky_fit_settings.h"
#include "astrometry/orbit/sky_ladder_scan.h"
#include "core/status_fail.h"

enum { USUAL_PEAKS = 10, MOST_PEAKS = 1000 };

struct equant_sky_search {
    size_t n, n_peaks;
    double *frequency, *gain, *eccentricity, *m0; /* [n] */
    equant_sky_peak *peaks;
};

static equant_sky_peak peak_of(const sky_ladder_peak *found)
{
    const sky_solution *own = &found->solution;
    const double *shape = own->value + sky_solution_shape(own, 0);
    sky_constants constants = sky_solution_constants(own, 0);
    return (equant_sky_peak){.period_days = exp(shape[0]),
                             .eccentricity = hypot(shape[1], shape[2]),
                             .m0_rad = sky_orbit_full_turn(atan2(shape[2], shape[1])),
                             .a0_mas = sky_elements_of(&constants).a0,
                             .gain = found->gain,
                             .chi_square = own->chi_square,
                             .false_alarm = found->false_alarm};
}

static equant_status fill(const sky_ladder_scan *scan, equant_sky_search *made)
{
    made->frequency = malloc(4 * scan->n_bins * sizeof *made->frequency);
    made->peaks = malloc((scan->n_peaks + 1) * sizeof *made->peaks);
    if (made->frequency == NULL || made->peaks == NULL)
        return status_out_of_memory();
    made->n = scan->n_bins;
    made->gain = made->frequency + made->n;
    made->eccentricity = made->gain + made->n;
    made->m0 = made->eccentricity + made->n;
    for (size_t i = 0; i < made->n; i++) {
        made->frequency[i] = scan->bins[i].frequency_per_day;
        made->gain[i] = 0.5 * scan->bins[i].gain;
        made->eccentricity[i] = scan->bins[i].eccentricity;
        made->m0[i] = scan->bins[i].m0_rad;
    }
    made->n_peaks = scan->n_peaks;
    for (size_t i = 0; i < scan->n_peaks; i++)
        made->peaks[i] = peak_of(scan->peaks + i);
    return EQUANT_SUCCESS;
}

equant_status equant_sky_search_create(const equant_astrometry *source,
                                       const equant_sky_fit_options *options, size_t n_peaks,
                                       equant_sky_search **found)
{
    sky_ladder_settings settings;
    sky_ladder_scan scan;
    if (source == NULL || found == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a source and a place for its periodogram are needed");
    if (n_peaks > MOST_PEAKS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu peaks; there may be %d", n_peaks,
                           MOST_PEAKS);
    equant_status status = sky_fit_settings(options, &settings);
    if (status != EQUANT_SUCCESS)
        return status;
    settings.as_ccds = false;
    status =
        sky_ladder_scan_source(source, OPTION_OR_ZERO(options, equant_sky_fit_options, velocities),
                               &settings, n_peaks > 0 ? n_peaks : USUAL_PEAKS, &scan);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_sky_search *made = calloc(1, sizeof *made);
    status = made != NULL ? fill(&scan, made) : status_out_of_memory();
    sky_ladder_scan_free(&scan);
    if (status != EQUANT_SUCCESS) {
        equant_sky_search_free(made);
        return status;
    }
    *found = made;
    return EQUANT_SUCCESS;
}

void equant_sky_search_free(equant_sky_search *found)
{
    if (found == NULL)
        return;
    free(found->frequency);
    free(found->peaks);
    free(found);
}

size_t equant_sky_search_n(const equant_sky_search *found)
{
    return found ? found->n : 0;
}

equant_status equant_sky_search_bins(const equant_sky_search *found,
                                     const double **frequency_per_day, const double **gain,
                                     const double **eccentricity, const double **m0_rad)
{
    if (!found)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky search");
    const double **const places[] = {frequency_per_day, gain, eccentricity, m0_rad};
    const double *const known[] = {found->frequency, found->gain, found->eccentricity, found->m0};
    for (int i = 0; i < 4; i++)
        if (places[i] != NULL)
            *places[i] = known[i];
    return EQUANT_SUCCESS;
}

size_t equant_sky_search_n_peaks(const equant_sky_search *found)
{
    return found ? found->n_peaks : 0;
}

equant_status equant_sky_search_peak(const equant_sky_search *found, size_t index,
                                     equant_sky_peak *peak)
{
    if (!found)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no sky search");
    equant_status status = OPTIONS_CHECK(peak);
    if (status != EQUANT_SUCCESS)
        return status;
    if (index >= found->n_peaks)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are %zu peaks, so none has index "
                           "%zu",
                           found->n_peaks, index);
    equant_sky_peak known = found->peaks[index];
    OPTIONS_FILL(known, peak);
    return EQUANT_SUCCESS;
}
