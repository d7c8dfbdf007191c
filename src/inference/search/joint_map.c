/* Walks over all pairs of frequencies in bands and keeps the best. Bands are made in single
 * precision; what is reported is weighed again in double. */
#include "inference/search/joint_map.h"

#include <stdatomic.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/search/joint_bands.h"
#include "model/circle.h"
#include "parallel/parallel_for.h"

/* A column whose square falls below this share of itself under projection is gone. */
#define LOST 1e-10

enum { BANDS_OF_FIRST_SLAB = 32, BANDS_PER_SLAB = JOINT_BANDS_MOST };

/* A map under way. Rows i are taken in bands as wide as the resolution, bands in slabs, the
 * strongest first. Between slabs what was found is sifted, and the threshold rises. */
typedef struct joint_map {
    size_t n, width; /* frequencies; of the resolution, in steps of the grid */
    size_t n_kept;   /* at most; more than are wanted, for neighbours that a later slab outdoes */
    float threshold; /* below it no pair is kept any more */
    joint_bands *source;
    pair_list kept;
    pair_list bands[BANDS_PER_SLAB];
    backend_pair *sifted; /* room for what was kept */
    size_t n_bands;
    backend_pair *order; /* [n_bands]: the first row of each, and the largest power in it */
    int n_threads;
} joint_map;

static size_t distance(int32_t a, int32_t b)
{
    return (size_t)(a > b ? a - b : b - a);
}

/* Lists that each have their best first, as a heap: the list whose head is the best of all on top.
 */
typedef struct list_heap {
    size_t n;
    pair_list *lists; /* [n], of which what was taken is gone */
} list_heap;

static void heap_sink(list_heap *heap, size_t place)
{
    for (;;) {
        size_t best = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < heap->n; child++)
            if (joint_band_compare(heap->lists[child].pairs, heap->lists[best].pairs) < 0)
                best = child;
        if (best == place)
            return;
        pair_list kept = heap->lists[place];
        heap->lists[place] = heap->lists[best];
        heap->lists[best] = kept;
        place = best;
    }
}

static void heap_add(list_heap *heap, pair_list list)
{
    if (list.n > 0)
        heap->lists[heap->n++] = list;
}

static backend_pair heap_take(list_heap *heap)
{
    pair_list *top = &heap->lists[0];
    backend_pair best = *top->pairs++;
    if (--top->n == 0)
        *top = heap->lists[--heap->n];
    heap_sink(heap, 0);
    return best;
}

/* The best of everything found so far, no two within the resolution in both frequencies. What is
 * left over, most of it, is never put in order. */
static void sift(joint_map *map, size_t n_bands)
{
    pair_list lists[BANDS_PER_SLAB + 1];
    list_heap heap = {.lists = lists};
    memcpy(map->sifted, map->kept.pairs, map->kept.n * sizeof *map->sifted);
    heap_add(&heap, (pair_list){map->kept.n, map->sifted});
    for (size_t b = 0; b < n_bands; b++)
        heap_add(&heap, map->bands[b]);
    for (size_t place = heap.n / 2; place-- > 0;)
        heap_sink(&heap, place);
    map->kept.n = 0;
    while (heap.n > 0 && map->kept.n < map->n_kept) {
        backend_pair one = heap_take(&heap);
        bool distinct = true;
        for (size_t k = 0; k < map->kept.n && distinct; k++)
            distinct = distance(one.i, map->kept.pairs[k].i) >= map->width ||
                       distance(one.j, map->kept.pairs[k].j) >= map->width;
        if (distinct)
            map->kept.pairs[map->kept.n++] = one;
    }
    if (map->kept.n == map->n_kept)
        map->threshold = map->kept.pairs[map->n_kept - 1].improvement;
}

/* Bands with the strongest rows come first: then the threshold soon rules most others out. */
static void order_bands(joint_map *map)
{
    const float *power = joint_bands_power(map->source);
    for (size_t b = 0; b < map->n_bands; b++) {
        backend_pair *band = &map->order[b];
        *band = (backend_pair){.i = (int32_t)(b * map->width)};
        for (size_t i = b * map->width; i < (b + 1) * map->width && i < map->n; i++)
            band->improvement = fmaxf(band->improvement, power[i]);
    }
    qsort(map->order, map->n_bands, sizeof *map->order, joint_band_compare);
}

static equant_status map_slab(joint_map *map, size_t start, size_t n_bands)
{
    int32_t first_rows[BANDS_PER_SLAB];
    for (size_t b = 0; b < n_bands; b++)
        first_rows[b] = map->order[start + b].i;
    equant_status status =
        joint_bands_find(map->source, n_bands, first_rows, map->threshold, map->bands);
    if (status == EQUANT_SUCCESS)
        sift(map, n_bands);
    return status;
}

/* The first slab knows no threshold, and is small; those after it grow. */
static equant_status map_all(joint_map *map, const joint_map_options *options)
{
    size_t n_bands = BANDS_OF_FIRST_SLAB;
    order_bands(map);
    for (size_t start = 0; start < map->n_bands; start += n_bands) {
        equant_status status = progress_report_tell(options->progress, options->progress_context,
                                                    "mapping pairs of frequencies",
                                                    (double)start / (double)map->n_bands);
        if (status != EQUANT_SUCCESS)
            return status;
        if (start > 0 && n_bands < BANDS_PER_SLAB)
            n_bands *= 2;
        if (n_bands > map->n_bands - start)
            n_bands = map->n_bands - start;
        status = map_slab(map, start, n_bands);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* Takes from a column its parts along others, orthonormal, twice against rounding, and makes
 * what is left a unit vector; zero where nothing is. */
static void orthonormalise(size_t n_obs, size_t n_others, const double *others, double *column)
{
    double before = 0.0, after = 0.0;
    for (size_t k = 0; k < n_obs; k++)
        before += column[k] * column[k];
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t o = 0; o < n_others; o++) {
            const double *other = others + o * n_obs;
            double along = 0.0;
            for (size_t k = 0; k < n_obs; k++)
                along += other[k] * column[k];
            for (size_t k = 0; k < n_obs; k++)
                column[k] -= along * other[k];
        }
    for (size_t k = 0; k < n_obs; k++)
        after += column[k] * column[k];
    double scale = after > LOST * before ? 1.0 / sqrt(after) : 0.0;
    for (size_t k = 0; k < n_obs; k++)
        column[k] *= scale;
}

/* The improvement of a pair in double precision. columns has room for the base and four. */
static double exact_improvement(const backend_scan *data, const double frequency[2],
                                double *columns)
{
    size_t n_obs = data->n_obs;
    double improvement = 0.0;
    for (size_t c = 0; c < 4; c++) {
        double *column = columns + (data->n_base + c) * n_obs, amplitude = 0.0;
        for (size_t k = 0; k < n_obs; k++) {
            double phase = TWO_PI * frequency[c / 2] * data->time_days[k];
            column[k] = data->root_weight[k] * (c % 2 ? sin(phase) : cos(phase));
        }
        orthonormalise(n_obs, data->n_base + c, columns, column);
        for (size_t k = 0; k < n_obs; k++)
            amplitude += column[k] * data->residual[k];
        improvement += amplitude * amplitude;
    }
    return improvement;
}

static int compare_entries(const void *left, const void *right)
{
    const joint_map_entry *a = left, *b = right;
    if (a->improvement != b->improvement)
        return a->improvement < b->improvement ? 1 : -1;
    for (int f = 0; f < 2; f++)
        if (a->frequency_per_day[f] != b->frequency_per_day[f])
            return a->frequency_per_day[f] < b->frequency_per_day[f] ? -1 : 1;
    return 0;
}

typedef struct weighing {
    const joint_map *map;
    const backend_scan *data;
    const joint_map_options *options;
    joint_map_entry *entries;
    atomic_bool is_out_of_memory;
} weighing;

static void weigh_some(void *context, size_t first, size_t end, int thread)
{
    weighing *of = context;
    const backend_scan *data = of->data;
    double *columns = malloc((data->n_base + 4) * data->n_obs * sizeof *columns);
    (void)thread;
    if (!columns)
        atomic_store(&of->is_out_of_memory, true);
    else if (data->n_base > 0)
        memcpy(columns, data->base, data->n_base * data->n_obs * sizeof *columns);
    for (size_t c = first; c < end && columns; c++) {
        double *frequency = of->entries[c].frequency_per_day;
        backend_pair from = of->map->kept.pairs[c];
        frequency[0] = of->options->first_frequency_per_day + from.i * of->options->step_per_day;
        frequency[1] = of->options->first_frequency_per_day + from.j * of->options->step_per_day;
        of->entries[c].improvement = exact_improvement(data, frequency, columns);
    }
    free(columns);
}

/* What was kept, weighed again in double precision. */
static equant_status weigh_kept(const joint_map *map, const backend_scan *data,
                                const joint_map_options *options, joint_map_entry *entries)
{
    weighing of = {.map = map, .data = data, .options = options, .entries = entries};
    parallel_for(map->n_threads, map->kept.n, 0, weigh_some, &of);
    return atomic_load(&of.is_out_of_memory) ? status_out_of_memory() : EQUANT_SUCCESS;
}

/* Hands out what was kept. */
static equant_status report(const joint_map *map, const backend_scan *data,
                            const joint_map_options *options, size_t n_best, joint_map_entry *best,
                            size_t *n_found)
{
    size_t n = map->kept.n;
    joint_map_entry *entries = malloc((n + 1) * sizeof *entries);
    equant_status status =
        entries ? weigh_kept(map, data, options, entries) : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        qsort(entries, n, sizeof *entries, compare_entries);
        *n_found = n < n_best ? n : n_best;
        memcpy(best, entries, *n_found * sizeof *entries);
    }
    free(entries);
    return status;
}

static size_t resolution(const backend_scan *data, double step_per_day)
{
    double earliest = INFINITY, latest = -INFINITY;
    for (size_t k = 0; k < data->n_obs; k++) {
        earliest = fmin(earliest, data->time_days[k]);
        latest = fmax(latest, data->time_days[k]);
    }
    double width = ceil(1.0 / ((latest - earliest) * step_per_day) - 1e-9);
    return width < 1.0 ? 1 : width < INT32_MAX ? (size_t)width : INT32_MAX;
}

static equant_status allocate(joint_map *map)
{
    size_t n_lists = BANDS_PER_SLAB + 1;
    backend_pair *pairs = malloc(n_lists * map->n_kept * sizeof *pairs);
    map->kept.pairs = pairs;
    for (size_t b = 0; pairs && b < BANDS_PER_SLAB; b++)
        map->bands[b].pairs = pairs + (b + 1) * map->n_kept;
    map->sifted = malloc(map->n_kept * sizeof *map->sifted);
    map->n_bands = (map->n + map->width - 1) / map->width;
    map->order = malloc(map->n_bands * sizeof *map->order);
    return pairs && map->sifted && map->order ? EQUANT_SUCCESS : status_out_of_memory();
}

static void release(joint_map *map)
{
    free(map->kept.pairs);
    free(map->sifted);
    free(map->order);
    joint_bands_free(map->source);
}

equant_status joint_map_run(const backend_scan *data, const joint_map_options *options,
                            size_t n_best, joint_map_entry *best, size_t *n_found)
{
    *n_found = 0;
    joint_map map = {.n = options->n_frequencies,
                     .width = resolution(data, options->step_per_day),
                     .n_kept = 2 * n_best,
                     .n_threads =
                         placement_threads(options->engine ? options->engine->n_threads : 0)};
    if (n_best == 0 || map.n <= map.width)
        return EQUANT_SUCCESS;
    equant_status status = joint_bands_create(data, options, map.width, map.n_kept, &map.source);
    if (status == EQUANT_SUCCESS)
        status = allocate(&map);
    if (status == EQUANT_SUCCESS)
        status = map_all(&map, options);
    if (status == EQUANT_SUCCESS)
        status = report(&map, data, options, n_best, best, n_found);
    release(&map);
    return status;
}
