#include "inference/compare/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/search/aliases.h"
#include "model/period_resolution.h"

/* Below this a peak is not worth naming. */
#define LEAST_PROBABILITY 0.01
/* Two frequencies exclude each other where both have planets less often than so many times what
 * chance would make. */
#define EXCLUSION 0.5
enum { MOST_PEAKS = 64 };

double signals_absent(size_t n_tallies, const tally *const *tallies, size_t n_ranges,
                      const tally_range *ranges, double *err, double *spread)
{
    double sum = 0.0, square = 0.0, low = 1.0, high = 0.0;
    size_t n = 0;
    for (size_t i = 0; i < n_tallies; i++) {
        if (tallies[i]->n_moves == 0)
            continue;
        double own = tally_absent(tallies[i], n_ranges, ranges) / (double)tallies[i]->n_moves;
        sum += own;
        square += own * own;
        low = fmin(low, own);
        high = fmax(high, own);
        n++;
    }
    double mean = sum / (double)n, variance = square / (double)n - mean * mean;
    if (err)
        *err = n > 1 ? sqrt(fmax(variance, 0.0) / (double)(n - 1)) : NAN;
    if (spread)
        *spread = high - low;
    return mean;
}

/* ---- peaks ---------------------------------------------------------------- */

typedef struct histogram {
    const slot_grid *grid;
    double *expected; /* [n_bins]: planets, on average */
} histogram;

static void fill(size_t n_tallies, const tally *const *tallies, histogram *made)
{
    for (size_t t = 0; t < n_tallies; t++) {
        const tally *kept = tallies[t];
        double unit = 1.0 / ((double)n_tallies * (double)kept->n_moves);
        for (size_t i = 0; i < kept->n_places; i++)
            made->expected[slot_grid_bin(made->grid, kept->places[i].frequency)] +=
                unit * kept->places[i].weight;
        for (size_t i = 0; i < kept->n_others; i++)
            made->expected[slot_grid_bin(made->grid, kept->others[i])] += unit;
    }
}

/* The window with most planets; its middle by weight, and it is taken out. Returns how many. */
static double take_peak(histogram *from, double *frequency)
{
    size_t n = from->grid->n_bins, best = 0;
    double most = -1.0, sum = 0.0;
    for (size_t b = 0; b < n; b++) { /* bins b to b + 2 TALLY_REACH */
        sum += from->expected[b];
        if (b > 2 * TALLY_REACH)
            sum -= from->expected[b - 2 * TALLY_REACH - 1];
        if (sum > most) {
            most = sum;
            best = b;
        }
    }
    size_t first = best > 2 * TALLY_REACH ? best - 2 * TALLY_REACH : 0;
    double weights = 0.0, moment = 0.0;
    for (size_t b = first; b <= best; b++) {
        weights += from->expected[b];
        moment += from->expected[b] * slot_grid_middle(from->grid, b);
        from->expected[b] = 0.0;
    }
    *frequency = weights > 0.0 ? moment / weights : slot_grid_middle(from->grid, best);
    return weights;
}

/* Mean and deviation of the frequencies within a range, and the best likelihood. */
static void describe(size_t n_tallies, const tally *const *tallies, signal_member *member)
{
    double weights = 0.0, first = 0.0, second = 0.0, centre = member->frequency;
    member->log_likelihood = -INFINITY;
    for (size_t t = 0; t < n_tallies; t++)
        for (size_t i = 0; i < tallies[t]->n_places; i++) {
            const tally_place *place = &tallies[t]->places[i];
            double apart = place->frequency - centre;
            if (place->frequency < member->range.low || place->frequency > member->range.high)
                continue;
            weights += place->weight;
            first += place->weight * apart;
            second += place->weight * apart * apart;
            member->log_likelihood = fmax(member->log_likelihood, place->log_likelihood);
        }
    for (size_t t = 0; t < n_tallies; t++)
        for (size_t i = 0; i < tallies[t]->n_others; i++) {
            double other = tallies[t]->others[i], apart = other - centre;
            if (other < member->range.low || other > member->range.high)
                continue;
            weights += 1.0;
            first += apart;
            second += apart * apart;
        }
    if (weights > 0.0) {
        first /= weights;
        second /= weights;
    }
    member->frequency = centre + first;
    member->deviation = sqrt(fmax(second - first * first, 0.0));
}

/* What is claimed of a peak is a planet near the frequency that is said, and not one that a peak
 * before it has claimed: a planet whose frequency is not known to half a resolution is one. */
static tally_range range_beside(const slot_grid *grid, double frequency, size_t n_before,
                                const signal_member *before)
{
    double half = PERIOD_SAME / grid->star->span_days;
    tally_range range = {frequency - half, frequency + half};
    for (size_t i = 0; i < n_before; i++) {
        const tally_range *taken = &before[i].range;
        if (taken->high <= range.low || taken->low >= range.high)
            continue;
        if (before[i].frequency < frequency)
            range.low = fmin(nextafter(taken->high, INFINITY), range.high);
        else
            range.high = fmax(nextafter(taken->low, -INFINITY), range.low);
    }
    return range;
}

/* ---- families ------------------------------------------------------------- */

static bool is_alias(const slot_grid *grid, double frequency, double other)
{
    double resolution = PERIOD_ONE_PEAK / grid->star->span_days;
    if (fabs(frequency - other) < PERIOD_SIDE_LOBES / grid->star->span_days)
        return true;
    double family[ALIASES_FAMILY_MAX];
    size_t n = aliases_family(frequency, grid->first + (double)grid->n_bins * grid->step,
                              resolution, family);
    for (size_t i = 1; i < n; i++)
        if (fabs(family[i] - other) < resolution)
            return true;
    return false;
}

static bool exclude_each_other(size_t n_tallies, const tally *const *tallies,
                               const signal_member *one, const signal_member *other)
{
    double both = 0.0, n_moves = 0.0;
    for (size_t t = 0; t < n_tallies; t++) {
        both += tally_both(tallies[t], one->range, other->range);
        n_moves += (double)tallies[t]->n_moves;
    }
    return both / n_moves < EXCLUSION * one->probability * other->probability;
}

static void join(const slot_grid *grid, size_t n_tallies, const tally *const *tallies,
                 size_t n_peaks, const signal_member *peaks, signals *found)
{
    bool is_taken[MOST_PEAKS] = {false};
    for (size_t i = 0; i < n_peaks && found->n < SIGNALS_MOST; i++) {
        if (is_taken[i])
            continue;
        planet_signal *made = &found->list[found->n++];
        tally_range ranges[SIGNALS_MOST_MEMBERS];
        memset(made, 0, sizeof *made);
        made->members[made->n_members++] = peaks[i];
        for (size_t j = i + 1; j < n_peaks && made->n_members < SIGNALS_MOST_MEMBERS; j++)
            if (!is_taken[j] && is_alias(grid, peaks[i].frequency, peaks[j].frequency) &&
                exclude_each_other(n_tallies, tallies, &peaks[i], &peaks[j])) {
                made->members[made->n_members++] = peaks[j];
                is_taken[j] = true;
            }
        for (size_t j = 0; j < made->n_members; j++)
            ranges[j] = made->members[j].range;
        made->fip = signals_absent(n_tallies, tallies, made->n_members, ranges,
                                   &made->probability_err, &made->spread);
        made->probability = 1.0 - made->fip;
    }
}

static int by_probability(const void *a, const void *b)
{
    const signal_member *one = a, *other = b;
    return one->probability > other->probability ? -1 : one->probability < other->probability;
}

static int by_fip(const void *a, const void *b)
{
    const planet_signal *one = a, *other = b;
    return one->fip < other->fip ? -1 : one->fip > other->fip;
}

equant_status signals_find(const slot_grid *grid, size_t n_tallies, const tally *const *tallies,
                           signals *found)
{
    signal_member peaks[MOST_PEAKS];
    histogram of = {grid, calloc(grid->n_bins, sizeof *of.expected)};
    size_t n_peaks = 0;
    found->n = 0;
    if (!of.expected)
        return status_out_of_memory();
    fill(n_tallies, tallies, &of);
    while (n_peaks < MOST_PEAKS) {
        signal_member *peak = &peaks[n_peaks];
        if (take_peak(&of, &peak->frequency) < LEAST_PROBABILITY)
            break;
        peak->range = range_beside(grid, peak->frequency, n_peaks, peaks);
        describe(n_tallies, tallies, peak);
        peak->range = range_beside(grid, peak->frequency, n_peaks, peaks);
        peak->probability = 1.0 - signals_absent(n_tallies, tallies, 1, &peak->range, NULL, NULL);
        n_peaks += peak->probability >= LEAST_PROBABILITY;
    }
    free(of.expected);
    qsort(peaks, n_peaks, sizeof *peaks, by_probability);
    join(grid, n_tallies, tallies, n_peaks, peaks, found);
    qsort(found->list, found->n, sizeof *found->list, by_fip);
    return EQUANT_SUCCESS;
}
