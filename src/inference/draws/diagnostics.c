/* The values of one column are sorted once. From that order come the ranks, the quantiles and,
 * by a merge of the two sides of the median, the ranks of the distances from it. */
#include "inference/draws/diagnostics.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/random.h"
#include "core/placement.h"
#include "core/status.h"

enum { LEAST_STEPS = 4, N_PARTIAL_SUMS = 8 };

/* Both halves of every population: values, scores [n_populations][2][n_half][n_walkers]. */
typedef struct halves {
    size_t n_populations, n_half, n_walkers;
} halves;

typedef struct ranked {
    double value;
    size_t place;
} ranked;

static size_t n_values(halves shape)
{
    return shape.n_populations * 2 * shape.n_half * shape.n_walkers;
}

/* ---- sorting: digit by digit, which a million values want several times faster than comparisons
 */

enum { DIGIT_BITS = 11, N_DIGITS = 6, DIGITS = 1 << DIGIT_BITS };

/* Numbers in the order of finite values; zeros of both signs are one. */
static uint64_t key_of(double value)
{
    const uint64_t sign = (uint64_t)1 << 63;
    double plain = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &plain, sizeof bits);
    return bits & sign ? ~bits : bits | sign;
}

static size_t digit_of(double value, int digit)
{
    return (size_t)(key_of(value) >> (DIGIT_BITS * digit)) & (DIGITS - 1);
}

/* Ascending, equal values in the order in which they came; `room` for as many is worked in. An even
 * number of turns ends where it began. */
static void sort_values(size_t n, ranked *values, ranked *room)
{
    ranked *from = values, *to = room;
    for (int digit = 0; digit < N_DIGITS; digit++) {
        size_t first[DIGITS] = {0}, sum = 0;
        for (size_t i = 0; i < n; i++)
            first[digit_of(from[i].value, digit)]++;
        for (size_t d = 0; d < DIGITS; d++) {
            size_t here = first[d];
            first[d] = sum;
            sum += here;
        }
        for (size_t i = 0; i < n; i++)
            to[first[digit_of(from[i].value, digit)]++] = from[i];
        ranked *kept = from;
        from = to;
        to = kept;
    }
}

static double variance(size_t n, const double *values)
{
    double mean = 0.0, sum = 0.0;
    for (size_t i = 0; i < n; i++)
        mean += values[i];
    mean /= (double)n;
    for (size_t i = 0; i < n; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum / ((double)n - 1.0);
}

/* Normal scores of ranks, those of equal values being the mean of their ranks. */
static void score_ranks(size_t n, const ranked *sorted, double *scores)
{
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && sorted[next].value == sorted[first].value;)
            next++;
        double rank = 0.5 * (double)(first + 1 + next);
        double score = random_normal_quantile((rank - 0.375) / ((double)n + 0.25));
        for (size_t i = first; i < next; i++)
            scores[sorted[i].place] = score;
    }
}

/* A quantile by linear interpolation between values (type 7 of Hyndman & Fan 1996). */
static double quantile(size_t n, const ranked *sorted, double probability)
{
    double place = probability * (double)(n - 1);
    size_t below = (size_t)place;
    double part = place - (double)below;
    if (below + 1 >= n)
        return sorted[n - 1].value;
    return (1.0 - part) * sorted[below].value + part * sorted[below + 1].value;
}

/* Distances from the median in ascending order: each side of it has them so already. */
static void fold(size_t n, const ranked *sorted, double median, ranked *folded)
{
    size_t right = 0;
    while (right < n && sorted[right].value < median)
        right++;
    for (size_t left = right, i = 0; i < n; i++) {
        double to_left = left > 0 ? median - sorted[left - 1].value : INFINITY;
        double to_right = right < n ? sorted[right].value - median : INFINITY;
        folded[i].value = fmin(to_left, to_right);
        folded[i].place = to_left <= to_right ? sorted[--left].place : sorted[right++].place;
    }
}

/* Split R-hat of scores: the halves of populations are its chains. */
static equant_status split_rhat(halves shape, const double *scores, double *rhat)
{
    size_t n_chains = 2 * shape.n_populations, n = shape.n_half * shape.n_walkers;
    double *means = malloc(n_chains * sizeof *means), within = 0.0;
    if (means == NULL)
        return status_out_of_memory();
    for (size_t c = 0; c < n_chains; c++) {
        means[c] = 0.0;
        for (size_t i = 0; i < n; i++)
            means[c] += scores[c * n + i];
        means[c] /= (double)n;
        within += variance(n, scores + c * n) / (double)n_chains;
    }
    *rhat = sqrt(((double)n - 1.0) / (double)n + variance(n_chains, means) / within);
    free(means);
    return EQUANT_SUCCESS;
}

/* Takes from every walker's half series its mean, and returns the variance of these means. */
static double centre(halves shape, double *scores, double *means)
{
    size_t n_walkers = shape.n_walkers, n_halves = 2 * shape.n_populations;
    for (size_t b = 0; b < n_halves; b++) {
        double *half = scores + b * shape.n_half * n_walkers, *mean = means + b * n_walkers;
        for (size_t w = 0; w < n_walkers; w++)
            mean[w] = 0.0;
        for (size_t s = 0; s < shape.n_half; s++)
            for (size_t w = 0; w < n_walkers; w++)
                mean[w] += half[s * n_walkers + w];
        for (size_t w = 0; w < n_walkers; w++)
            mean[w] /= (double)shape.n_half;
        for (size_t s = 0; s < shape.n_half; s++)
            for (size_t w = 0; w < n_walkers; w++)
                half[s * n_walkers + w] -= mean[w];
    }
    return variance(n_halves * n_walkers, means);
}

/* The mean over all series of their autocovariance. A half has the walkers of one step side by
 * side, so a lag is a shift of the whole half, and all its series make one long product. */
static double autocovariance(halves shape, const double *centred, size_t lag)
{
    size_t half_size = shape.n_half * shape.n_walkers, shift = lag * shape.n_walkers;
    double sums[N_PARTIAL_SUMS] = {0.0}, total = 0.0;
    for (size_t b = 0; b < 2 * shape.n_populations; b++) {
        const double *early = centred + b * half_size, *late = early + shift;
        size_t i = 0, n = half_size - shift;
        for (; i + N_PARTIAL_SUMS <= n; i += N_PARTIAL_SUMS)
            for (size_t k = 0; k < N_PARTIAL_SUMS; k++)
                sums[k] += early[i + k] * late[i + k];
        for (; i < n; i++)
            total += early[i] * late[i];
    }
    for (size_t k = 0; k < N_PARTIAL_SUMS; k++)
        total += sums[k];
    return total / (double)n_values(shape);
}

/* The effective size of all series together. Autocorrelations are summed in pairs as long as
 * pairs are positive, and no pair may exceed the one before it (Geyer 1992). The scores are
 * centred in place. */
static equant_status effective_size(halves shape, double *scores, double *size)
{
    double *means = malloc(2 * shape.n_populations * shape.n_walkers * sizeof *means);
    if (means == NULL)
        return status_out_of_memory();
    double between = centre(shape, scores, means);
    free(means);
    double n = (double)shape.n_half, at_zero = autocovariance(shape, scores, 0);
    double within = at_zero * n / (n - 1.0), all = at_zero + between;
    double even = 1.0, odd = 1.0 - (within - autocovariance(shape, scores, 1)) / all;
    double tau = -1.0, sum_before = INFINITY;
    size_t lag = 1;
    while (lag + 3 < shape.n_half && even + odd > 0.0) {
        sum_before = fmin(sum_before, even + odd);
        tau += 2.0 * sum_before;
        even = 1.0 - (within - autocovariance(shape, scores, lag + 1)) / all;
        odd = 1.0 - (within - autocovariance(shape, scores, lag + 2)) / all;
        lag += 2;
    }
    tau += fmax(even, 0.0);
    double n_all = (double)n_values(shape);
    *size = n_all / fmax(tau, 1.0 / log10(n_all)); /* more than n_all where series alternate */
    return EQUANT_SUCCESS;
}

/* The size for the share of values up to the quantile. */
static equant_status quantile_size(halves shape, const ranked *sorted, double probability,
                                   double *indicator, double *size)
{
    double limit = quantile(n_values(shape), sorted, probability);
    bool below = false, above = false;
    for (size_t i = 0; i < n_values(shape); i++) {
        bool is_below = sorted[i].value <= limit;
        indicator[sorted[i].place] = is_below;
        below |= is_below;
        above |= !is_below;
    }
    if (below && above)
        return effective_size(shape, indicator, size);
    *size = (double)n_values(shape); /* so many equal values that this quantile is one of them */
    return EQUANT_SUCCESS;
}

/* Works on sorted and folded, which have room for all values, and on scores, which has them
 * and loses them. */
static equant_status diagnose_with(halves shape, ranked *sorted, ranked *folded, double *scores,
                                   diagnostics *found)
{
    size_t n = n_values(shape);
    for (size_t i = 0; i < n; i++)
        sorted[i] = (ranked){.value = scores[i], .place = i};
    sort_values(n, sorted, folded);
    if (sorted[0].value == sorted[n - 1].value) {
        found->is_constant = true;
        return EQUANT_SUCCESS;
    }
    double rhat_bulk, rhat_folded, size_low, size_high;
    fold(n, sorted, quantile(n, sorted, 0.5), folded);
    score_ranks(n, folded, scores);
    equant_status status = split_rhat(shape, scores, &rhat_folded);
    score_ranks(n, sorted, scores);
    if (status == EQUANT_SUCCESS)
        status = split_rhat(shape, scores, &rhat_bulk);
    if (status == EQUANT_SUCCESS)
        status = effective_size(shape, scores, &found->ess_bulk);
    if (status == EQUANT_SUCCESS)
        status = quantile_size(shape, sorted, 0.05, scores, &size_low);
    if (status == EQUANT_SUCCESS)
        status = quantile_size(shape, sorted, 0.95, scores, &size_high);
    if (status == EQUANT_SUCCESS) {
        found->rhat = shape.n_populations > 1 ? fmax(rhat_bulk, rhat_folded) : NAN;
        found->ess_tail = fmin(size_low, size_high);
        found->turnover = found->ess_bulk / (double)(shape.n_populations * shape.n_walkers);
    }
    return status;
}

static equant_status diagnose(size_t n_populations, size_t n_steps, size_t n_walkers,
                              const double *values, double (*transform)(double), diagnostics *found)
{
    *found = (diagnostics){.rhat = NAN, .ess_bulk = NAN, .ess_tail = NAN, .turnover = NAN};
    halves shape = {n_populations, n_steps / 2, n_walkers};
    if (n_steps < LEAST_STEPS)
        return EQUANT_SUCCESS;
    size_t n = n_values(shape), half_size = shape.n_half * n_walkers;
    double *scores = malloc(n * sizeof *scores);
    ranked *sorted = malloc(n * sizeof *sorted), *folded = malloc(n * sizeof *folded);
    bool finite = true;
    equant_status status = scores && sorted && folded ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t b = 0; b < 2 * n_populations && status == EQUANT_SUCCESS; b++) {
        size_t first_step = b % 2 == 0 ? 0 : n_steps - shape.n_half;
        const double *from = values + (b / 2 * n_steps + first_step) * n_walkers;
        for (size_t i = 0; i < half_size; i++) {
            scores[b * half_size + i] = transform == NULL ? from[i] : transform(from[i]);
            finite = finite && isfinite(scores[b * half_size + i]);
        }
    }
    if (status == EQUANT_SUCCESS && finite)
        status = diagnose_with(shape, sorted, folded, scores, found);
    free(scores);
    free(sorted);
    free(folded);
    return status;
}

equant_status diagnostics_compute(size_t n_populations, size_t n_steps, size_t n_walkers,
                                  const double *values, bool is_angle, diagnostics *found)
{
    if (!is_angle)
        return diagnose(n_populations, n_steps, n_walkers, values, NULL, found);
    diagnostics both[2];
    equant_status status = diagnose(n_populations, n_steps, n_walkers, values, cos, &both[0]);
    if (status == EQUANT_SUCCESS)
        status = diagnose(n_populations, n_steps, n_walkers, values, sin, &both[1]);
    if (status == EQUANT_SUCCESS)
        *found = diagnostics_worst(2, both);
    return status;
}

static equant_status diagnose_column(const draws *kept, size_t column, bool is_angle,
                                     diagnostics *found)
{
    double *values = malloc((draws_n(kept) + 1) * sizeof *values);
    if (values == NULL)
        return status_out_of_memory();
    draws_column(kept, column, values);
    equant_status status = diagnostics_compute(kept->shape.n_populations, kept->n_steps,
                                               kept->shape.n_walkers, values, is_angle, found);
    free(values);
    return status;
}

equant_status diagnostics_of_draws(const draws *kept, const bool *is_angle, int n_threads,
                                   diagnostics *found)
{
    int failed = EQUANT_SUCCESS;
    n_threads = placement_threads(n_threads);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1) reduction(max : failed)
    for (size_t column = 0; column < kept->shape.n_parameters; column++) {
        int status = (int)diagnose_column(kept, column, is_angle[column], &found[column]);
        failed = status > failed ? status : failed;
    }
    /* The sentence stayed with the thread that failed, and memory is all that can run out. */
    return failed == EQUANT_SUCCESS ? EQUANT_SUCCESS : status_out_of_memory();
}

/* NaN wins. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

diagnostics diagnostics_worst(size_t n, const diagnostics *each)
{
    diagnostics worst = {
        .rhat = NAN, .ess_bulk = NAN, .ess_tail = NAN, .turnover = NAN, .is_constant = true};
    for (size_t i = 0; i < n; i++) {
        if (each[i].is_constant)
            continue;
        if (worst.is_constant) {
            worst = each[i];
            continue;
        }
        worst.rhat = larger(worst.rhat, each[i].rhat);
        worst.ess_bulk = -larger(-worst.ess_bulk, -each[i].ess_bulk);
        worst.ess_tail = -larger(-worst.ess_tail, -each[i].ess_tail);
        worst.turnover = -larger(-worst.turnover, -each[i].turnover);
    }
    return worst;
}
