#include "inference/sample/draws/marked_series.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

enum { WORD_BITS = 64 };

static const uint64_t *row_of(const marked_series *series, size_t group, size_t step)
{
    return series->bits + (group * series->n_steps + step) * series->n_words;
}

equant_status marked_series_create(size_t n_groups, size_t n_steps, size_t n_walkers,
                                   marked_series *made)
{
    *made = (marked_series){.n_groups = n_groups,
                            .n_steps = n_steps,
                            .n_walkers = n_walkers,
                            .n_words = (n_walkers + WORD_BITS - 1) / WORD_BITS};
    made->bits = calloc(n_groups * n_steps * made->n_words + 1, sizeof *made->bits);
    made->count = calloc(n_groups * n_walkers + 1, sizeof *made->count);
    return made->bits && made->count ? EQUANT_SUCCESS : status_out_of_memory();
}

void marked_series_free(marked_series *series)
{
    free(series->bits);
    free(series->count);
}

void marked_series_clear(marked_series *series)
{
    memset(series->bits, 0,
           series->n_groups * series->n_steps * series->n_words * sizeof *series->bits);
    memset(series->count, 0, series->n_groups * series->n_walkers * sizeof *series->count);
}

void marked_series_mark(marked_series *series, size_t place)
{
    size_t row = place / series->n_walkers, walker = place % series->n_walkers;
    series->bits[row * series->n_words + walker / WORD_BITS] |= (uint64_t)1 << walker % WORD_BITS;
    series->count[row / series->n_steps * series->n_walkers + walker]++;
}

double marked_series_share(const marked_series *series, size_t group, size_t walker)
{
    return (double)series->count[group * series->n_walkers + walker] / (double)series->n_steps;
}

double marked_series_share_of_group(const marked_series *series, size_t group)
{
    double sum = 0.0;
    for (size_t w = 0; w < series->n_walkers; w++)
        sum += marked_series_share(series, group, w);
    return sum / (double)series->n_walkers;
}

void marked_series_finish(marked_series *series)
{
    series->cross = series->squares = 0.0;
    series->next_lag = 0;
    for (size_t g = 0; g < series->n_groups; g++)
        for (size_t w = 0; w < series->n_walkers; w++) {
            double share = marked_series_share(series, g, w);
            series->squares += share * share;
        }
    series->cross = 2.0 * (double)series->n_steps * series->squares;
}

/* The sum of the shares of the series that are marked at this step. */
static double sum_of_row(const marked_series *series, size_t group, size_t step)
{
    const uint64_t *row = row_of(series, group, step);
    double sum = 0.0;
    for (size_t i = 0; i < series->n_words; i++)
        for (uint64_t left = row[i]; left != 0; left &= left - 1)
            sum +=
                marked_series_share(series, group, i * WORD_BITS + (size_t)__builtin_ctzll(left));
    return sum;
}

static uint64_t count_pairs(const marked_series *series, size_t group, size_t lag)
{
    const uint64_t *early = row_of(series, group, 0), *late = row_of(series, group, lag);
    size_t n = (series->n_steps - lag) * series->n_words;
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (uint64_t)__builtin_popcountll(early[i] & late[i]);
    return sum;
}

/* With share m of a series, the sum over its steps of (x_t - m) (x_{t+lag} - m) is that of
 * x_t x_{t+lag}, less m times the marks among the first and among the last n - lag steps, plus
 * (n - lag) m^2. Marks among fewer steps are those among more, less those of one step. */
double marked_series_autocovariance(marked_series *series, size_t lag)
{
    uint64_t n_pairs = 0;
    for (; series->next_lag < lag; series->next_lag++)
        for (size_t g = 0; g < series->n_groups; g++)
            series->cross -= sum_of_row(series, g, series->next_lag) +
                             sum_of_row(series, g, series->n_steps - 1 - series->next_lag);
    for (size_t g = 0; g < series->n_groups; g++)
        n_pairs += count_pairs(series, g, lag);
    double sum =
        (double)n_pairs - series->cross + (double)(series->n_steps - lag) * series->squares;
    return sum / (double)(series->n_groups * series->n_steps * series->n_walkers);
}
