/* Inner products come from a joint_table, in single precision. */
#include "inference/search/joint_band.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/machine_clones.h"
#include "statistics/frequency_pair.h"

enum { CHUNK = JOINT_TABLE_CHUNK };

equant_status band_scratch_create(size_t n_frequencies, size_t n_tiles, band_scratch *scratch)
{
    scratch->best = malloc(n_frequencies * sizeof *scratch->best);
    scratch->row = calloc(n_frequencies, sizeof *scratch->row);
    scratch->tiles = malloc(n_tiles * sizeof *scratch->tiles);
    return scratch->best && scratch->row && scratch->tiles ? EQUANT_SUCCESS
                                                           : status_out_of_memory();
}

void band_scratch_free(band_scratch *scratch)
{
    free(scratch->best);
    free(scratch->row);
    free(scratch->tiles);
}

/* Inner products g[r][s][m] = <u_i r, u_(j+m) s> of orthonormal columns. */
static inline void cross_products(const joint_table *table, size_t i, size_t j,
                                  float g[2][2][CHUNK])
{
    const float *difference_cos = table->difference_cos + (j - i);
    const float *difference_sin = table->difference_sin + (j - i);
    const float *sum_cos = table->sum_cos + (j + i), *sum_sin = table->sum_sin + (j + i);
    const float *t00 = table->to_orthonormal[0][0] + j, *t01 = table->to_orthonormal[0][1] + j;
    const float *t10 = table->to_orthonormal[1][0] + j, *t11 = table->to_orthonormal[1][1] + j;
    for (int r = 0; r < 2; r++) {
        const float row[2] = {table->to_orthonormal[r][0][i], table->to_orthonormal[r][1][i]};
        for (int m = 0; m < CHUNK; m++) {
            float products[2];
            frequency_pair_products(row, (const float[2][2]){{t00[m], t01[m]}, {t10[m], t11[m]}},
                                    (const float[2]){difference_cos[m], difference_sin[m]},
                                    (const float[2]){sum_cos[m], sum_sin[m]}, products);
            g[r][0][m] = products[0];
            g[r][1][m] = products[1];
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

/* Improvements of the pairs (i, j ... j + CHUNK - 1), as bits. */
MACHINE_CLONES static void improve_chunk(const joint_table *table, size_t i, size_t j,
                                         int32_t *improvement)
{
    float g[2][2][CHUNK];
    cross_products(table, i, j, g);
    const float least = (float)JOINT_MAP_INDEPENDENCE;
    const float a0 = table->amplitude[0][i], a1 = table->amplitude[1][i];
    const float *b0 = table->amplitude[0] + j, *b1 = table->amplitude[1] + j;
    for (int m = 0; m < CHUNK; m++)
        improvement[m] = frequency_pair_improvement((const float[2]){g[0][0][m], g[0][1][m]},
                                                    (const float[2]){g[1][0][m], g[1][1][m]}, a0,
                                                    a1, b0[m], b1[m], least);
}

/* The best of the rows first ... first + width - 1 for every column at least the resolution
 * away, or zero where nothing reaches the threshold. */
static void map_band(const joint_table *table, size_t first, size_t width, float threshold,
                     band_scratch *scratch)
{
    size_t n = table->n, end = first + width < n ? first + width : n;
    memset(scratch->best, 0, n * sizeof *scratch->best);
    for (size_t i = first; i < end; i++)
        for (size_t j = i + width; j < n; j += CHUNK) {
            if (joint_table_bound(table, i, j) <= threshold)
                continue;
            int32_t improvement[CHUNK], *best = scratch->best + j, *row = scratch->row + j;
            improve_chunk(table, i, j, improvement);
            size_t length = n - j < CHUNK ? n - j : CHUNK;
            for (size_t m = 0; m < length; m++) {
                int32_t better = -(improvement[m] > best[m]); /* all ones or zero */
                best[m] = (improvement[m] & better) | (best[m] & ~better);
                row[m] = ((int32_t)i & better) | (row[m] & ~better);
            }
        }
}

int joint_band_compare(const void *left, const void *right)
{
    const backend_pair *a = left, *b = right;
    if (a->improvement != b->improvement)
        return a->improvement < b->improvement ? 1 : -1;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

/* Of a thousand pairs one in five is ever put on a list of fifty: sorting would take longer. */
void pair_list_add(pair_list *list, size_t n_most, backend_pair pair)
{
    if (list->n == n_most && joint_band_compare(&list->pairs[n_most - 1], &pair) < 0)
        return;
    size_t place = list->n < n_most ? list->n++ : n_most - 1;
    for (; place > 0 && joint_band_compare(&pair, &list->pairs[place - 1]) < 0; place--)
        list->pairs[place] = list->pairs[place - 1];
    list->pairs[place] = pair;
}

static float float_of(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Columns are cut into tiles as wide as the resolution; returns how many. */
static size_t best_of_tiles(size_t n, size_t first, size_t width, band_scratch *scratch)
{
    size_t n_tiles = 0;
    for (size_t start = first; start < n; start += width) {
        backend_pair top = {0};
        for (size_t j = start; j < start + width && j < n; j++)
            if (float_of(scratch->best[j]) > top.improvement)
                top = (backend_pair){float_of(scratch->best[j]), scratch->row[j], (int32_t)j};
        scratch->tiles[n_tiles++] = top;
    }
    return n_tiles;
}

void joint_band_find(const joint_table *table, size_t first, size_t width, float threshold,
                     size_t n_most, band_scratch *scratch, pair_list *found)
{
    map_band(table, first, width, threshold, scratch);
    /* A tile that is better than its neighbours holds a peak. */
    size_t n_tiles = best_of_tiles(table->n, first, width, scratch);
    const backend_pair *tiles = scratch->tiles;
    found->n = 0;
    float before = 0.0f;
    for (size_t t = 0; t < n_tiles; t++) {
        float after = t + 1 < n_tiles ? tiles[t + 1].improvement : 0.0f;
        float here = tiles[t].improvement;
        if (here > threshold && here > before && here >= after)
            pair_list_add(found, n_most, tiles[t]);
        before = here;
    }
}
