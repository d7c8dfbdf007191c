/* Walks over all pairs of frequencies in bands and keeps the best. Inner products come from
 * a joint_table, in single precision; what is reported is weighed again in double. */
#include "inference/scan/joint_map.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status.h"
#include "inference/scan/joint_table.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* A column whose square falls below this share of itself under projection is gone. */
#define LOST 1e-10

enum { CHUNK = JOINT_TABLE_CHUNK, BANDS_OF_FIRST_SLAB = 32, BANDS_PER_SLAB = 256 };

/* A pair on the grid, i < j. */
typedef struct candidate {
    float improvement;
    int32_t i, j;
} candidate;

typedef struct candidate_list {
    size_t n;
    candidate *entries;
} candidate_list;

/* What a thread works on: over columns j the best of a band of rows, and which row it was;
 * then the peaks along the band. */
typedef struct band_scratch {
    int32_t *best; /* as bits */
    int32_t *row;
    candidate *peaks;
} band_scratch;

/* A map under way. Rows i are taken in bands as wide as the resolution, bands in slabs, the
 * strongest first. A slab is shared by threads; between slabs what they found is sifted, and
 * the threshold rises. */
typedef struct joint_map {
    joint_table table;
    size_t width;    /* of the resolution, in steps of the grid */
    size_t n_kept;   /* at most; more than are wanted, for neighbours that a later slab outdoes */
    float threshold; /* below it no pair is kept any more */
    candidate_list kept;
    candidate_list bands[BANDS_PER_SLAB];
    candidate *sifted; /* room for what was kept */
    size_t n_bands;
    candidate *order; /* [n_bands]: the first row of each, and the largest power in it */
    int n_threads;
    band_scratch *scratch; /* [n_threads] */
} joint_map;

/* Inner products g[r][s][m] = <u_i r, u_(j+m) s> of orthonormal columns. */
static inline void cross_products(const joint_table *table, size_t i, size_t j,
                                  float g[2][2][CHUNK])
{
    const float *difference_cos = table->difference_cos + (j - i);
    const float *difference_sin = table->difference_sin + (j - i);
    const float *sum_cos = table->sum_cos + (j + i), *sum_sin = table->sum_sin + (j + i);
    for (int r = 0; r < 2; r++) {
        float along_cos = table->to_orthonormal[r][0][i],
              along_sin = table->to_orthonormal[r][1][i];
        const float *t00 = table->to_orthonormal[0][0] + j, *t01 = table->to_orthonormal[0][1] + j;
        const float *t10 = table->to_orthonormal[1][0] + j, *t11 = table->to_orthonormal[1][1] + j;
        for (int m = 0; m < CHUNK; m++) {
            float with_cos = along_cos * (difference_cos[m] + sum_cos[m]) +
                             along_sin * (sum_sin[m] - difference_sin[m]);
            float with_sin = along_cos * (sum_sin[m] + difference_sin[m]) +
                             along_sin * (difference_cos[m] - sum_cos[m]);
            g[r][0][m] = t00[m] * with_cos + t01[m] * with_sin;
            g[r][1][m] = t10[m] * with_cos + t11[m] * with_sin;
        }
        for (size_t b = 0; b < table->n_base; b++) {
            float on_base = table->on_base[r][b * table->stride + i];
            const float *other_0 = table->on_base[0] + b * table->stride + j;
            const float *other_1 = table->on_base[1] + b * table->stride + j;
            for (int m = 0; m < CHUNK; m++) {
                g[r][0][m] -= on_base * other_0[m];
                g[r][1][m] -= on_base * other_1[m];
            }
        }
    }
}

static int32_t bits_of(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Improvements of the pairs (i, j ... j + CHUNK - 1): that of i alone, and that of what the
 * columns of j have besides, whose inner products are S = 1 - G' G. Zero where S has an
 * eigenvalue below JOINT_MAP_INDEPENDENCE.
 *
 * As bits, which for floats >= 0 are in the order of their values: integers are compared and
 * masked without branches, so that compilers make vector code of these loops. */
MACHINE_CLONES static void improve_chunk(const joint_table *table, size_t i, size_t j,
                                         int32_t *improvement)
{
    float g[2][2][CHUNK];
    cross_products(table, i, j, g);
    const float least = (float)JOINT_MAP_INDEPENDENCE;
    const float a0 = table->amplitude[0][i], a1 = table->amplitude[1][i];
    const float alone = a0 * a0 + a1 * a1;
    const float *b0 = table->amplitude[0] + j, *b1 = table->amplitude[1] + j;
    for (int m = 0; m < CHUNK; m++) {
        float g00 = g[0][0][m], g01 = g[0][1][m], g10 = g[1][0][m], g11 = g[1][1][m];
        float left0 = b0[m] - (g00 * a0 + g10 * a1), left1 = b1[m] - (g01 * a0 + g11 * a1);
        float s00 = 1.0f - (g00 * g00 + g10 * g10), s11 = 1.0f - (g01 * g01 + g11 * g11);
        float s01 = -(g00 * g01 + g10 * g11), cross = s01 * s01;
        float besides = (s11 * left0 * left0 - 2.0f * s01 * left0 * left1 + s00 * left1 * left1) /
                        (s00 * s11 - cross);
        /* Determinant and trace of S - least: both eigenvalues positive where both are. */
        float determinant = (s00 - least) * (s11 - least) - cross, trace = s00 + s11 - 2.0f * least;
        int32_t dependent = (bits_of(determinant) | bits_of(trace)) >> 31; /* sign: all ones */
        improvement[m] = bits_of(alone + besides) & ~dependent;
    }
}

/* The best of the rows first ... first + width - 1 for every column at least the resolution
 * away, or zero where nothing reaches the threshold. */
static void map_band(const joint_map *map, size_t first, band_scratch *scratch)
{
    size_t n = map->table.n, end = first + map->width < n ? first + map->width : n;
    memset(scratch->best, 0, n * sizeof *scratch->best);
    for (size_t i = first; i < end; i++)
        for (size_t j = i + map->width; j < n; j += CHUNK) {
            if (joint_table_bound(&map->table, i, j) <= map->threshold)
                continue;
            int32_t improvement[CHUNK], *best = scratch->best + j, *row = scratch->row + j;
            improve_chunk(&map->table, i, j, improvement);
            size_t length = n - j < CHUNK ? n - j : CHUNK;
            for (size_t m = 0; m < length; m++) {
                int32_t better = -(improvement[m] > best[m]); /* all ones or zero */
                best[m] = (improvement[m] & better) | (best[m] & ~better);
                row[m] = ((int32_t)i & better) | (row[m] & ~better);
            }
        }
}

/* Best first; ties in the order of the grid, so that the order is one on all machines. */
static int compare_candidates(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->improvement != b->improvement)
        return a->improvement < b->improvement ? 1 : -1;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

/* Columns are cut into tiles as wide as the resolution; a tile that is better than its
 * neighbours holds a peak. */
static void find_peaks(const joint_map *map, size_t first, band_scratch *scratch,
                       candidate_list *found)
{
    size_t n = map->table.n, n_tiles = 0, n_peaks = 0;
    candidate *tiles = scratch->peaks;
    for (size_t start = first; start < n; start += map->width) {
        candidate top = {0};
        for (size_t j = start; j < start + map->width && j < n; j++)
            if (float_of(scratch->best[j]) > top.improvement)
                top = (candidate){float_of(scratch->best[j]), scratch->row[j], (int32_t)j};
        tiles[n_tiles++] = top;
    }
    float before = 0.0f;
    for (size_t t = 0; t < n_tiles; t++) {
        float after = t + 1 < n_tiles ? tiles[t + 1].improvement : 0.0f;
        float here = tiles[t].improvement;
        if (here > map->threshold && here > before && here >= after)
            tiles[n_peaks++] = tiles[t];
        before = here;
    }
    qsort(tiles, n_peaks, sizeof *tiles, compare_candidates);
    found->n = n_peaks < map->n_kept ? n_peaks : map->n_kept;
    memcpy(found->entries, tiles, found->n * sizeof *tiles);
}

static size_t distance(int32_t a, int32_t b)
{
    return (size_t)(a > b ? a - b : b - a);
}

/* Lists that each have their best first, as a heap: the list whose head is the best of all on top.
 */
typedef struct list_heap {
    size_t n;
    candidate_list *lists; /* [n], of which what was taken is gone */
} list_heap;

static void heap_sink(list_heap *heap, size_t place)
{
    for (;;) {
        size_t best = place;
        for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < heap->n; child++)
            if (compare_candidates(heap->lists[child].entries, heap->lists[best].entries) < 0)
                best = child;
        if (best == place)
            return;
        candidate_list kept = heap->lists[place];
        heap->lists[place] = heap->lists[best];
        heap->lists[best] = kept;
        place = best;
    }
}

static void heap_add(list_heap *heap, candidate_list list)
{
    if (list.n > 0)
        heap->lists[heap->n++] = list;
}

static candidate heap_take(list_heap *heap)
{
    candidate_list *top = &heap->lists[0];
    candidate best = *top->entries++;
    if (--top->n == 0)
        *top = heap->lists[--heap->n];
    heap_sink(heap, 0);
    return best;
}

/* The best of everything found so far, no two within the resolution in both frequencies. What is
 * left over, most of it, is never put in order. */
static void sift(joint_map *map, size_t n_bands)
{
    candidate_list lists[BANDS_PER_SLAB + 1];
    list_heap heap = {.lists = lists};
    memcpy(map->sifted, map->kept.entries, map->kept.n * sizeof *map->sifted);
    heap_add(&heap, (candidate_list){map->kept.n, map->sifted});
    for (size_t b = 0; b < n_bands; b++)
        heap_add(&heap, map->bands[b]);
    for (size_t place = heap.n / 2; place-- > 0;)
        heap_sink(&heap, place);
    map->kept.n = 0;
    while (heap.n > 0 && map->kept.n < map->n_kept) {
        candidate one = heap_take(&heap);
        bool distinct = true;
        for (size_t k = 0; k < map->kept.n && distinct; k++)
            distinct = distance(one.i, map->kept.entries[k].i) >= map->width ||
                       distance(one.j, map->kept.entries[k].j) >= map->width;
        if (distinct)
            map->kept.entries[map->kept.n++] = one;
    }
    if (map->kept.n == map->n_kept)
        map->threshold = map->kept.entries[map->n_kept - 1].improvement;
}

/* Bands with the strongest rows come first: then the threshold soon rules most others out. */
static void order_bands(joint_map *map)
{
    for (size_t b = 0; b < map->n_bands; b++) {
        candidate *band = &map->order[b];
        *band = (candidate){.i = (int32_t)(b * map->width)};
        for (size_t i = b * map->width; i < (b + 1) * map->width && i < map->table.n; i++)
            band->improvement = fmaxf(band->improvement, map->table.power[i]);
    }
    qsort(map->order, map->n_bands, sizeof *map->order, compare_candidates);
}

static void map_slab(joint_map *map, size_t start, size_t n_bands)
{
#pragma omp parallel for num_threads(map->n_threads) schedule(dynamic, 1)
    for (size_t b = 0; b < n_bands; b++) {
        size_t first = (size_t)map->order[start + b].i;
        band_scratch *scratch = &map->scratch[omp_get_thread_num()];
        map_band(map, first, scratch);
        find_peaks(map, first, scratch, &map->bands[b]);
    }
    sift(map, n_bands);
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
        map_slab(map, start, n_bands);
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

/* What was kept, weighed again in double precision. */
static equant_status weigh_kept(const joint_map *map, const backend_scan *data,
                                const joint_map_options *options, joint_map_entry *entries)
{
    equant_status status = EQUANT_SUCCESS;
#pragma omp parallel num_threads(map->n_threads)
    {
        double *columns = malloc((data->n_base + 4) * data->n_obs * sizeof *columns);
        if (!columns) {
#pragma omp atomic write
            status = EQUANT_ERROR_OUT_OF_MEMORY;
        } else if (data->n_base > 0) {
            memcpy(columns, data->base, data->n_base * data->n_obs * sizeof *columns);
        }
#pragma omp for schedule(static)
        for (size_t c = 0; c < map->kept.n; c++) {
            double *frequency = entries[c].frequency_per_day;
            candidate from = map->kept.entries[c];
            frequency[0] = options->first_frequency_per_day + from.i * options->step_per_day;
            frequency[1] = options->first_frequency_per_day + from.j * options->step_per_day;
            if (columns)
                entries[c].improvement = exact_improvement(data, frequency, columns);
        }
        free(columns);
    }
    return status == EQUANT_SUCCESS ? status : status_out_of_memory();
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
    size_t n = map->table.n;
    map->n_bands = (n + map->width - 1) / map->width;
    bool complete = (map->scratch = calloc((size_t)map->n_threads, sizeof *map->scratch)) != NULL;
    for (int t = 0; complete && t < map->n_threads; t++) {
        band_scratch *scratch = &map->scratch[t];
        scratch->best = malloc(n * sizeof *scratch->best);
        scratch->row = calloc(n, sizeof *scratch->row);
        scratch->peaks = malloc(map->n_bands * sizeof *scratch->peaks);
        complete = scratch->best && scratch->row && scratch->peaks;
    }
    size_t n_lists = BANDS_PER_SLAB + 1;
    candidate *entries = malloc(n_lists * map->n_kept * sizeof *entries);
    map->kept.entries = entries;
    for (size_t b = 0; entries && b < BANDS_PER_SLAB; b++)
        map->bands[b].entries = entries + (b + 1) * map->n_kept;
    map->sifted = malloc(map->n_kept * sizeof *map->sifted);
    map->order = malloc(map->n_bands * sizeof *map->order);
    return complete && entries && map->sifted && map->order ? EQUANT_SUCCESS
                                                            : status_out_of_memory();
}

static void release(joint_map *map)
{
    for (int t = 0; map->scratch && t < map->n_threads; t++) {
        free(map->scratch[t].best);
        free(map->scratch[t].row);
        free(map->scratch[t].peaks);
    }
    free(map->scratch);
    free(map->kept.entries);
    free(map->sifted);
    free(map->order);
    joint_table_free(&map->table);
}

equant_status joint_map_run(const backend_scan *data, const joint_map_options *options,
                            size_t n_best, joint_map_entry *best, size_t *n_found)
{
    *n_found = 0;
    joint_map map = {.width = resolution(data, options->step_per_day),
                     .n_kept = 2 * n_best,
                     .n_threads = placement_threads(options->n_threads)};
    if (n_best == 0 || options->n_frequencies <= map.width)
        return EQUANT_SUCCESS;
    equant_status status = joint_table_create(data, options, map.n_threads, &map.table);
    if (status == EQUANT_SUCCESS)
        status = allocate(&map);
    if (status == EQUANT_SUCCESS)
        status = map_all(&map, options);
    if (status == EQUANT_SUCCESS)
        status = report(&map, data, options, n_best, best, n_found);
    release(&map);
    return status;
}
