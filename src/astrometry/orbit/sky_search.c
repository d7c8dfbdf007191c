#include "astrometry/orbit/sky_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/joint_scan.h"
#include "core/status_fail.h"
#include "model/period_resolution.h"

/* Peaks whose shapes are refined, and of these the ones that get jitters of their own. The lowest
 * bins hold whole decades of periods: they are refined whether or not they are peaks. */
enum { N_PEAKS = 24, N_FINALISTS = 6, N_LOWEST = 4 };

/* Of chi-square: a candidate with the period of a better one that comes as near to it became the
 * same orbit. */
#define SAME_CHI_SQUARE 1e-3

/* A fall of chi-square that ends a first refinement, by which the promising ones are known. */
#define ROUGH_FALL 0.01

static bool is_peak(const sky_scan_node *peaks, size_t n, size_t i)
{
    if (i < N_LOWEST)
        return true;
    return peaks[i].gain >= peaks[i - 1].gain && (i + 1 == n || peaks[i].gain > peaks[i + 1].gain);
}

/* The n best peaks, the best first; returns how many there are. */
static size_t best_peaks(const sky_scan_node *peaks, size_t n_bins, size_t n, sky_scan_node *best)
{
    size_t kept = 0;
    for (size_t i = 0; i < n_bins; i++) {
        if (!is_peak(peaks, n_bins, i) || (kept == n && peaks[i].gain <= best[n - 1].gain))
            continue;
        size_t place = kept < n ? kept++ : n - 1;
        for (; place > 0 && best[place - 1].gain < peaks[i].gain; place--)
            best[place] = best[place - 1];
        best[place] = peaks[i];
    }
    return kept;
}

/* `base` with one orbit more, of the shape of a peak. */
static void start_from(const sky_solution *base, const sky_data *data, const sky_scan_node *peak,
                       sky_solution *start)
{
    *start = sky_solution_make(data, &base->model, base->n_orbits + 1);
    memcpy(start->jitter, base->jitter, sizeof start->jitter);
    for (size_t p = 0; p < base->n_orbits; p++)
        memcpy(start->value + sky_solution_shape(start, p),
               base->value + sky_solution_shape(base, p), 3 * sizeof *start->value);
    double *shape = start->value + sky_solution_shape(start, base->n_orbits);
    double e = fmax(peak->eccentricity, 0.01);
    shape[0] = -log(peak->frequency_per_day);
    shape[1] = e * cos(peak->m0_rad);
    shape[2] = e * sin(peak->m0_rad);
}

void sky_search_lay_base(sky_refiner *refiner, const sky_solution *base)
{
    size_t n = sky_solution_n_parameters(base), n_rows = refiner->design->n_rows;
    sky_design_weigh(refiner->design, base->jitter, refiner->root_weight);
    sky_design_fill(refiner->design, base, n, refiner->columns, refiner->residual);
    sky_system_clear(&refiner->system);
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n_rows; k++)
            refiner->scratch[k] = refiner->columns[j * n_rows + k] * refiner->root_weight[k];
        sky_system_add(&refiner->system, refiner->scratch);
    }
    for (size_t k = 0; k < n_rows; k++)
        refiner->residual[k] *= refiner->root_weight[k];
    sky_system_project(&refiner->system, refiner->residual, refiner->work);
}

static bool is_known(double span_days, const sky_solution *solution, size_t n,
                     const sky_solution *others)
{
    double own = solution->value[sky_solution_shape(solution, solution->n_orbits - 1)];
    for (size_t i = 0; i < n; i++) {
        double other = others[i].value[sky_solution_shape(others + i, others[i].n_orbits - 1)];
        if (period_resolution_is_same(exp(own), exp(other), span_days) &&
            fabs(solution->chi_square - others[i].chi_square) < SAME_CHI_SQUARE)
            return true;
    }
    return false;
}

/* Puts a solution in its place among the best `most`, if it has one. */
static void insert(const sky_solution *solution, size_t most, sky_solution *best, size_t *n_best)
{
    size_t place = *n_best;
    if (place == most && solution->chi_square >= best[place - 1].chi_square)
        return;
    if (place == most)
        place--;
    else
        ++*n_best;
    for (; place > 0 && best[place - 1].chi_square > solution->chi_square; place--)
        best[place] = best[place - 1];
    best[place] = *solution;
}

/* Roughly refined peaks in the order of their chi-squares: the n best of `n_peaks` nodes. */
static equant_status refine_roughly(sky_refiner *refiner, const sky_solution *base,
                                    const sky_grid *grid, size_t n_peaks,
                                    const sky_scan_node *peaks, size_t most, sky_solution *rough,
                                    size_t *n_rough)
{
    sky_solution *trial = rough + most;
    *n_rough = 0;
    for (size_t i = 0; i < n_peaks; i++) {
        sky_limits limits = sky_grid_limits(grid, 1.0 / peaks[i].frequency_per_day);
        start_from(base, refiner->design->data, peaks + i, trial);
        equant_status status = sky_refine_roughly(refiner, &limits, ROUGH_FALL, trial);
        if (status == EQUANT_SUCCESS)
            insert(trial, most, rough, n_rough);
        else if (!sky_refine_has_none(status))
            return status;
    }
    return EQUANT_SUCCESS;
}

/* Refines the shapes of all peaks, the promising ones to the end, and keeps the best `most`, the
 * best first. */
static equant_status refine_peaks(sky_refiner *refiner, const sky_solution *base,
                                  const sky_grid *grid, size_t n_peaks, const sky_scan_node *peaks,
                                  size_t most, sky_solution *finalists, size_t *n_finalists)
{
    size_t n_rough, last = base->n_orbits;
    sky_solution *rough = malloc((2 * most + 1) * sizeof *rough);
    *n_finalists = 0;
    if (rough == NULL)
        return status_out_of_memory();
    equant_status status =
        refine_roughly(refiner, base, grid, n_peaks, peaks, 2 * most, rough, &n_rough);
    for (size_t i = 0; i < n_rough && status == EQUANT_SUCCESS; i++) {
        sky_solution *own = rough + i;
        sky_limits limits = sky_grid_limits(grid, exp(own->value[sky_solution_shape(own, last)]));
        status = sky_refine_shapes(refiner, &limits, own);
        if (status == EQUANT_SUCCESS &&
            !is_known(refiner->design->data->span_days, own, *n_finalists, finalists))
            insert(own, most, finalists, n_finalists);
        else if (sky_refine_has_none(status))
            status = EQUANT_SUCCESS;
    }
    free(rough);
    return status;
}

/* From the jitters that a finalist was found with to those of the base, halfway first: many precise
 * velocities have a best orbit next to each orbit that hardly explains them. */
static equant_status settle(const sky_search_place *place, const sky_limits *limits,
                            sky_solution *own)
{
    const double share_left = 0.15;
    bool is_looser = false;
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (own->jitter[group] > place->base->jitter[group]) {
            own->jitter[group] = fmax(share_left * own->jitter[group], place->base->jitter[group]);
            is_looser = true;
        }
    equant_status status =
        is_looser ? sky_refine_shapes(place->refiner, limits, own) : EQUANT_SUCCESS;
    memcpy(own->jitter, place->base->jitter, sizeof own->jitter);
    return status == EQUANT_SUCCESS ? sky_refine_shapes(place->refiner, limits, own) : status;
}

/* The best of the finalists with jitters of their own, in all rows. */
static equant_status refine_finalists(const sky_search_place *place, const sky_grid *grid,
                                      bool has_jitter, size_t n, sky_solution *finalists,
                                      sky_solution *best)
{
    bool has_any = false;
    size_t last = place->base->n_orbits;
    for (size_t i = 0; i < n; i++) {
        sky_solution *own = finalists + i;
        sky_limits limits = sky_grid_limits(grid, exp(own->value[sky_solution_shape(own, last)]));
        equant_status status = settle(place, &limits, own);
        own->chi_square_before = own->chi_square;
        if (status == EQUANT_SUCCESS)
            status = sky_refine_and_keep(place->refiner, &limits, has_jitter, own, best, &has_any);
        if (status != EQUANT_SUCCESS && !sky_refine_has_none(status))
            return status;
    }
    if (has_any)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "%zu measurements are too few for an orbit",
                       place->refiner->design->data->n_rows);
}

static equant_status refine_best(const sky_search_place *place, const sky_search_place *coarse,
                                 const sky_grid *grid, bool has_jitter, const sky_scan_node *bins,
                                 sky_solution *best)
{
    sky_scan_node found[N_PEAKS];
    size_t n_peaks = best_peaks(bins, grid->n_bins, N_PEAKS, found), n_finalists;
    sky_solution *finalists = malloc(N_FINALISTS * sizeof *finalists);
    if (finalists == NULL)
        return status_out_of_memory();
    equant_status status = refine_peaks(coarse->refiner, coarse->base, grid, n_peaks, found,
                                        N_FINALISTS, finalists, &n_finalists);
    if (status == EQUANT_SUCCESS)
        status = refine_finalists(place, grid, has_jitter, n_finalists, finalists, best);
    free(finalists);
    return status;
}

/* Rows of the star alone, on whichever backend is asked for. */
static equant_status scan_star(const sky_refiner *refiner, const sky_grid *grid,
                               const equant_engine_options *engine, sky_scan_node *best)
{
    const sky_design *design = refiner->design;
    size_t n = design->n_rows;
    sky_scan_state *scan = NULL;
    double *directions = malloc(3 * n * sizeof *directions);
    if (directions == NULL)
        return status_out_of_memory();
    double *time = directions + 2 * n;
    for (size_t k = 0; k < n; k++) { /* the row of a prior has no direction */
        directions[k] = design->sine[k] * refiner->root_weight[k];
        directions[n + k] = design->cosine[k] * refiner->root_weight[k];
        time[k] = k < design->data->n_rows ? design->data->time_days[k] : 0.0;
    }
    const sky_scan_source source = {.n_rows = n,
                                    .time_days = time,
                                    .sine = directions,
                                    .cosine = directions + n,
                                    .residual = refiner->residual,
                                    .n_base = refiner->system.n_columns,
                                    .base = refiner->system.q,
                                    .first_frequency_per_day = grid->first_frequency_per_day,
                                    .bin_width_per_day = grid->step_per_day,
                                    .n_bins = grid->n_bins};
    equant_status status = sky_scan_open(NULL, engine, grid->n_layers, grid->layers, &scan);
    if (status == EQUANT_SUCCESS)
        status = sky_scan_bins(scan, 1, &source, best);
    sky_scan_close(scan);
    free(directions);
    return status;
}

equant_status sky_search_scan(const sky_search_place *place, const sky_grid *grid,
                              const equant_engine_options *engine, sky_scan_node *bins)
{
    const sky_data *data = place->refiner->design->data;
    int n_threads = placement_threads(OPTION_OR_ZERO(engine, equant_engine_options, n_threads));
    sky_search_lay_base(place->refiner, place->base);
    return data->n_velocities > 0 || data->has_companion_rows
               ? joint_scan_run(place->refiner, grid, n_threads, bins)
               : scan_star(place->refiner, grid, engine, bins);
}

equant_status sky_search_peaks(const sky_search_place *place, const sky_grid *grid,
                               const sky_scan_node *bins, size_t most, sky_solution *peaks,
                               size_t *n_peaks)
{
    size_t n_tried = 3 * most;
    sky_scan_node *found = malloc(n_tried * sizeof *found);
    if (found == NULL)
        return status_out_of_memory();
    equant_status status =
        refine_peaks(place->refiner, place->base, grid,
                     best_peaks(bins, grid->n_bins, n_tried, found), found, most, peaks, n_peaks);
    free(found);
    return status;
}

/* Jitters of velocities as large as what the base leaves of them, as a fit of jitters finds them:
 * with smaller ones an orbit between the nodes of a scan has no gain at all. */
static void loosen(sky_refiner *refiner, const sky_solution *base, sky_solution *loosened)
{
    const sky_data *data = refiner->design->data;
    double sum[SKY_DATA_MAX_GROUPS] = {0.0};
    size_t n[SKY_DATA_MAX_GROUPS] = {0};
    *loosened = *base;
    sky_search_lay_base(refiner, base);
    for (size_t k = data->n_sky; k < data->n_sky + data->n_velocities; k++) {
        double left = refiner->residual[k] / refiner->root_weight[k];
        sum[data->group[k]] += left * left;
        n[data->group[k]]++;
    }
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (n[group] > 0)
            loosened->jitter[group] =
                fmax(base->jitter[group], sqrt(sum[group] / (double)n[group]));
}

equant_status sky_search_orbit(const sky_search_place *place, const sky_search_place *coarse,
                               const sky_grid *grid, bool has_jitter,
                               const equant_engine_options *engine, sky_solution *best)
{
    sky_search_place scanned = coarse ? *coarse : *place;
    sky_scan_node *bins = malloc(grid->n_bins * sizeof *bins);
    sky_solution *loosened = malloc(sizeof *loosened);
    equant_status status = bins && loosened ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS && !has_jitter &&
        scanned.refiner->design->data->n_velocities > 0) {
        loosen(scanned.refiner, scanned.base, loosened);
        scanned.base = loosened;
    }
    if (status == EQUANT_SUCCESS)
        status = sky_search_scan(&scanned, grid, engine, bins);
    if (status == EQUANT_SUCCESS)
        status = refine_best(place, &scanned, grid, has_jitter, bins, best);
    free(loosened);
    free(bins);
    return status;
}
