#include "inference/search/planet_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/whole_number.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "core/wall_clock.h"
#include "inference/search/aliases.h"
#include "inference/search/scan_prospects.h"
#include "inference/likelihood/study_crew.h"
#include "model/orbit_elements.h"

/* A scan reports its progress, and may be stopped, between pieces: the first is as large as keeps
 * each thread at it for some tenths of a second, the others as large as keeps a person waiting for
 * less than this many seconds, on whatever does them. Where nobody listens it is one piece. A GPU
 * does some 10^12 products a second, and each piece takes memory and a way there and back. */
#define PRODUCTS_PER_FIRST_PIECE 4e8 /* of a thread */
#define PRODUCTS_PER_FIRST_PIECE_OF_GPU 1e11
#define SECONDS_PER_PIECE 0.15
/* What a thread does of a scan that is shared out, at least: some tenths of a millisecond. */
#define PRODUCTS_PER_STRETCH 4e6
/* Bins within one resolution 1/T of the data: a bin is 1/(2 pi T). */
enum { RESOLUTION_BINS = 7 };
/* By how much ellipses are expected to raise the last of the peaks: it costs time where it is
 * wrong, and changes nothing. */
#define FIRST_RISE 1.5
/* A GPU is done with all bins of more eccentric grids before most of their bins could be left out:
 * the spectrum says little of ellipses of dozens of harmonics. */
#define GPU_MOST_ECCENTRICITY 0.7

static size_t at_least_one(double bins)
{
    return bins < 1.0 ? 1 : (size_t)bins;
}

/* At each node the observations meet the residual, the two columns of the orbit and the base; a
 * state of the noise costs about as much as four columns. */
static double products_per_bin(const scan_grid *grid, const base_columns *base)
{
    double nodes_per_bin = scan_grid_n_nodes(grid) / (double)grid->n_bins;
    size_t n_states = base->factor ? base->factor->n_states : 0;
    return nodes_per_bin * (double)base->n_obs * (double)(3 + base->n + 4 * n_states);
}

/* The share of the bins that is wanted. */
static double share_of_wanted(const scan_grid *grid, const unsigned char *wanted)
{
    size_t n = 0;
    for (size_t b = 0; b < grid->n_bins && wanted; b++)
        n += wanted[b] != 0;
    return wanted ? (double)n / (double)grid->n_bins : 1.0;
}

static size_t first_piece(const study *star, const scan_grid *grid, double products, bool on_gpu)
{
    double most = on_gpu
                      ? PRODUCTS_PER_FIRST_PIECE_OF_GPU
                      : PRODUCTS_PER_FIRST_PIECE * placement_threads(star->scan_engine.n_threads);
    return at_least_one(fmin(most / fmax(products, 1.0), (double)grid->n_bins));
}

/* After a piece that took so long. */
static size_t next_piece(size_t piece, double seconds)
{
    double share = SECONDS_PER_PIECE / fmax(seconds, 1e-6);
    return at_least_one((double)piece * fmin(2.0, fmax(0.25, share)));
}

bool planet_scan_is_done_by_processor(const study *star)
{
    placement place;
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SCAN};
    return placement_find(NULL, &star->scan_engine, &work, &place) == EQUANT_SUCCESS &&
           !place.chosen->device;
}

/* The tables of a factor, as backends read them. */
static backend_scan_noise noise_of(const noise_factor *factor)
{
    return (backend_scan_noise){.n_blocks = factor->n_blocks,
                                .n_states = factor->n_states,
                                .propagator_size = factor->propagator_size,
                                .block_states = factor->block_states,
                                .propagators = factor->propagators,
                                .u = factor->u,
                                .w = factor->w,
                                .inverse_root = factor->root_weight};
}

/* What backends read of a base and a grid. */
static backend_scan scan_of(const base_columns *base, const backend_scan_noise *noise,
                            const double *residual, const scan_grid *grid)
{
    return (backend_scan){.n_obs = base->n_obs,
                          .time_days = base->time_days,
                          .root_weight = base->root_weight,
                          .noise = base->factor ? noise : NULL,
                          .residual = residual,
                          .n_base = base->n,
                          .base = base->basis,
                          .first_frequency_per_day = grid->first_frequency_per_day,
                          .bin_width_per_day = grid->bin_width_per_day,
                          .n_layers = grid->n_layers,
                          .layers = grid->layers};
}

/* Progress of a run, as it is told. */
typedef struct run_stage {
    const char *name;
    double done, done_after;
} run_stage;

/* A scan within a piece of other work, whose threads may be idle: stretches of its bins are shared
 * out to them. */
typedef struct shared_scan {
    const backend_scan *scan;
    size_t n_bins, n_stretches;
    backend_scan_node *best, *circular;
} shared_scan;

static size_t n_stretches_of(const study *star, const scan_grid *grid, double products)
{
    double n = products * (double)grid->n_bins / PRODUCTS_PER_STRETCH;
    return at_least_one(fmin(n, 4.0 * (double)study_crew_size(star)));
}

static size_t stretch_begin(const shared_scan *shared, size_t i)
{
    return shared->n_bins * i / shared->n_stretches;
}

static equant_status run_stretch(study *star, void *context, size_t i)
{
    const shared_scan *shared = context;
    size_t first = stretch_begin(shared, i), n = stretch_begin(shared, i + 1) - first;
    scan_state *state;
    equant_status status = scan_open(NULL, &star->scan_engine, shared->scan, &state);
    if (status != EQUANT_SUCCESS)
        return status;
    status = scan_run(state, first, n, shared->best + first,
                      shared->circular ? shared->circular + first : NULL);
    scan_close(state);
    return status;
}

/* Piece after piece, with reports between them. */
static equant_status run_pieces(study *star, const backend_scan *scan, const scan_grid *grid,
                                run_stage stage, size_t piece, backend_scan_node *best,
                                backend_scan_node *circular)
{
    size_t n;
    scan_state *state;
    equant_status status = scan_open(NULL, &star->scan_engine, scan, &state);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t first = 0; first < grid->n_bins && status == EQUANT_SUCCESS; first += n) {
        double share = (double)first / (double)grid->n_bins, began = wall_clock_s();
        n = grid->n_bins - first < piece ? grid->n_bins - first : piece;
        status =
            study_report(star, stage.name, stage.done + (stage.done_after - stage.done) * share);
        if (status == EQUANT_SUCCESS)
            status = scan_run(state, first, n, best + first, circular ? circular + first : NULL);
        piece = next_piece(piece, wall_clock_s() - began);
    }
    scan_close(state);
    return status;
}

/* The bins of `wanted`, or all where it is NULL. */
static equant_status run_wanted(study *star, const base_columns *base, const double *residual,
                                const scan_grid *grid, run_stage stage, const unsigned char *wanted,
                                backend_scan_node *best, backend_scan_node *circular)
{
    const backend_scan_noise noise =
        base->factor ? noise_of(base->factor) : (backend_scan_noise){.n_states = 0};
    backend_scan scan = scan_of(base, &noise, residual, grid);
    scan.wanted = wanted;
    bool on_gpu = !planet_scan_is_done_by_processor(star);
    double products = products_per_bin(grid, base) * share_of_wanted(grid, wanted);
    size_t piece = first_piece(star, grid, products, on_gpu);
    size_t n_stretches = n_stretches_of(star, grid, products);
    if (star->whole && !on_gpu && n_stretches > 1) {
        shared_scan shared = {&scan, grid->n_bins, n_stretches, best, circular};
        equant_status status = study_report(star, stage.name, stage.done);
        return status == EQUANT_SUCCESS
                   ? study_crew_share(star, shared.n_stretches, run_stretch, &shared)
                   : status;
    }
    return run_pieces(star, &scan, grid, stage, star->progress ? piece : grid->n_bins, best,
                      circular);
}

equant_status planet_scan_run(study *star, const base_columns *base, const double *residual,
                              const scan_grid *grid, const char *stage, double done,
                              double done_after, backend_scan_node *best,
                              backend_scan_node *circular)
{
    return run_wanted(star, base, residual, grid, (run_stage){stage, done, done_after}, NULL, best,
                      circular);
}

static bool has_ellipses(const scan_grid *grid)
{
    return grid->n_layers > 0 && grid->layers[grid->n_layers - 1].eccentricity > 0.0;
}

/* The base of a scan and room for its nodes, whose best circles are the best where there is nothing
 * else: a scan of circles alone takes a GPU less time than to fetch them and to clear their place.
 */
static equant_status prepare(study *star, const solution *background, size_t n_fixed,
                             const base_terms *terms, const scan_grid *grid, planet_scan *scan)
{
    memset(scan, 0, sizeof *scan);
    scan->grid = *grid;
    equant_status status = base_columns_create(star, background, n_fixed, terms, &scan->base);
    if (status != EQUANT_SUCCESS) {
        memset(scan, 0, sizeof *scan); /* nothing is left to be freed */
        return status;
    }
    scan->best = malloc(grid->n_bins * sizeof *scan->best);
    scan->circular =
        has_ellipses(grid) ? malloc(grid->n_bins * sizeof *scan->circular) : scan->best;
    if (!scan->best || !scan->circular)
        status = status_out_of_memory();
    return status;
}

equant_status planet_scan_create(study *star, const solution *background, size_t n_fixed,
                                 const base_terms *terms, const scan_grid *grid, const char *stage,
                                 planet_scan *scan)
{
    equant_status status = prepare(star, background, n_fixed, terms, grid, scan);
    if (status == EQUANT_SUCCESS)
        status = planet_scan_run(star, &scan->base, scan->base.residual, grid, stage, 0.0, 1.0,
                                 scan->best, has_ellipses(grid) ? scan->circular : NULL);
    if (status != EQUANT_SUCCESS)
        planet_scan_free(scan);
    return status;
}

/* ---- peaks alone ---------------------------------------------------------------------------- */

/* A scan of which the peaks are wanted, and what is known of its bins so far. */
typedef struct peak_search {
    study *star;
    planet_scan *scan;
    const char *stage;
    size_t n_peaks;
    float *most;            /* [n_bins]: what ellipses may improve by */
    unsigned char *is_done; /* [n_bins] */
    unsigned char *wanted;  /* [n_bins]: of the next run */
    backend_scan_node *best, *circular;
} peak_search;

/* Runs the bins that are wanted. */
static equant_status run_ellipses(peak_search *search)
{
    planet_scan *scan = search->scan;
    equant_status status = run_wanted(search->star, &scan->base, scan->base.residual, &scan->grid,
                                      (run_stage){search->stage, 0.2, 1.0}, search->wanted,
                                      search->best, search->circular);
    for (size_t b = 0; b < scan->grid.n_bins && status == EQUANT_SUCCESS; b++)
        if (search->wanted[b]) {
            scan->best[b] = search->best[b];
            scan->circular[b] = search->circular[b];
            search->is_done[b] = 1;
        }
    return status;
}

/* Wants the bins whose ellipses may reach a level; returns how many are new. */
static size_t want_from(peak_search *search, double level)
{
    size_t n = 0;
    for (size_t b = 0; b < search->scan->grid.n_bins; b++) {
        search->wanted[b] = !search->is_done[b] && search->most[b] >= level;
        n += search->wanted[b];
    }
    return n;
}

/* The height of the last of so many peaks; 0 where there are fewer. */
static double height_of_last(const planet_scan *scan, size_t n_peaks, size_t *bins)
{
    size_t n = planet_scan_peaks(scan, n_peaks, bins);
    return n == n_peaks && n > 0 ? scan->best[bins[n - 1]].improvement : 0.0;
}

/* Ellipses where they may make a peak that counts. The most promising bins come first: with their
 * ellipses the last of the peaks is higher than with circles alone, and fewer others may reach it.
 * Where ellipses have joined peaks it may be lower: what may reach it then follows. */
static equant_status run_until_sure(peak_search *search, size_t *bins)
{
    equant_status status = EQUANT_SUCCESS;
    double level =
        FIRST_RISE * height_of_last(search->scan, search->n_peaks + search->n_peaks / 2, bins);
    if (want_from(search, level) > 0)
        status = run_ellipses(search);
    while (status == EQUANT_SUCCESS) {
        level = height_of_last(search->scan, search->n_peaks, bins);
        if (want_from(search, level) == 0)
            break;
        status = run_ellipses(search);
    }
    return status;
}

/* The bins of the aliases of the highest peaks, which are looked up. */
static equant_status run_aliases(peak_search *search, size_t n_aliased, size_t *bins)
{
    const planet_scan *scan = search->scan;
    size_t n = planet_scan_peaks(scan, n_aliased, bins), n_new = 0;
    memset(search->wanted, 0, scan->grid.n_bins);
    for (size_t i = 0; i < n; i++) {
        double aliases[ALIASES_MAX];
        size_t n_aliases = aliases_of(scan->best[bins[i]].frequency_per_day, aliases);
        for (size_t a = 0; a < n_aliases; a++) {
            size_t bin = planet_scan_bin(&scan->grid, aliases[a]);
            n_new += search->wanted[bin] = !search->is_done[bin];
        }
    }
    return n_new > 0 ? run_ellipses(search) : EQUANT_SUCCESS;
}

static equant_status search_peaks(peak_search *search, size_t n_aliased)
{
    planet_scan *scan = search->scan;
    study *star = search->star;
    size_t *bins = malloc((2 * search->n_peaks + n_aliased + 1) * sizeof *bins);
    scan_grid circles = scan->grid;
    circles.n_layers = 1;
    equant_status status = bins ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = planet_scan_run(star, &scan->base, scan->base.residual, &circles, search->stage,
                                 0.0, 0.2, scan->best, scan->circular);
    const backend_scan whole = scan_of(&scan->base, NULL, scan->base.residual, &scan->grid);
    if (status == EQUANT_SUCCESS)
        status = scan_prospects_find(&star->scan_engine, &whole, scan->grid.n_bins, scan->circular,
                                     search->most);
    if (status == EQUANT_SUCCESS)
        status = run_until_sure(search, bins);
    if (status == EQUANT_SUCCESS)
        status = run_aliases(search, n_aliased, bins);
    free(bins);
    return status;
}

equant_status planet_scan_find_peaks(study *star, const solution *background, size_t n_fixed,
                                     const scan_grid *grid, const char *stage, size_t n_peaks,
                                     size_t n_aliased, planet_scan *scan)
{
    if (background->noise.terms != 0 || !has_ellipses(grid) ||
        (!planet_scan_is_done_by_processor(star) &&
         grid->layers[grid->n_layers - 1].eccentricity > GPU_MOST_ECCENTRICITY + 1e-9))
        return planet_scan_create(star, background, n_fixed, NULL, grid, stage, scan);
    size_t n = grid->n_bins;
    peak_search search = {.star = star, .scan = scan, .stage = stage, .n_peaks = n_peaks};
    equant_status status = prepare(star, background, n_fixed, NULL, grid, scan);
    search.most = malloc(n * sizeof *search.most);
    search.is_done = calloc(n, sizeof *search.is_done);
    search.wanted = calloc(n, sizeof *search.wanted);
    search.best = malloc(n * sizeof *search.best);
    search.circular = malloc(n * sizeof *search.circular);
    if (status == EQUANT_SUCCESS &&
        !(search.most && search.is_done && search.wanted && search.best && search.circular))
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = search_peaks(&search, n_aliased);
    free(search.most);
    free(search.is_done);
    free(search.wanted);
    free(search.best);
    free(search.circular);
    if (status != EQUANT_SUCCESS)
        planet_scan_free(scan);
    return status;
}

void planet_scan_free(planet_scan *scan)
{
    base_columns_free(&scan->base);
    if (scan->circular != scan->best)
        free(scan->circular);
    free(scan->best);
    memset(scan, 0, sizeof *scan);
}

/* True where a bin is the best of its neighbourhood; of equal ones the first. */
static bool is_peak(const planet_scan *scan, size_t bin)
{
    double here = scan->best[bin].improvement;
    size_t first = bin > RESOLUTION_BINS ? bin - RESOLUTION_BINS : 0;
    size_t last =
        bin + RESOLUTION_BINS < scan->grid.n_bins ? bin + RESOLUTION_BINS : scan->grid.n_bins - 1;
    for (size_t b = first; b <= last; b++) {
        double there = scan->best[b].improvement;
        if (there > here || (there == here && b < bin))
            return false;
    }
    return here > 0.0;
}

size_t planet_scan_peaks(const planet_scan *scan, size_t n_wanted, size_t *bins)
{
    size_t n = 0;
    for (size_t b = 0; b < scan->grid.n_bins && n_wanted > 0; b++) {
        double improvement = scan->best[b].improvement;
        if (n == n_wanted && improvement <= scan->best[bins[n - 1]].improvement)
            continue;
        if (!is_peak(scan, b))
            continue;
        size_t place = n < n_wanted ? n++ : n - 1;
        while (place > 0 && scan->best[bins[place - 1]].improvement < improvement) {
            bins[place] = bins[place - 1];
            place--;
        }
        bins[place] = b;
    }
    return n;
}

size_t planet_scan_bin(const scan_grid *grid, double frequency_per_day)
{
    double bin = (frequency_per_day - grid->first_frequency_per_day) / grid->bin_width_per_day;
    return whole_number_up_to(floor(bin + 0.5), grid->n_bins - 1);
}

void planet_scan_orbit(const backend_scan_node *node, double elements[N_ELEMENTS])
{
    elements[ELEMENT_PERIOD] = 1.0 / node->frequency_per_day;
    elements[ELEMENT_K] = 1.0;
    elements[ELEMENT_ECCENTRICITY] = node->eccentricity;
    elements[ELEMENT_OMEGA] = 0.0;
    elements[ELEMENT_M0] = node->m0_rad;
}
