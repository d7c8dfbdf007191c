/* The values of one column are sorted once. From that order come the ranks, the quantiles and,
 * by a merge of the two sides of the median, the ranks of the distances from it. */
#include "inference/sample/draws/diagnostics.h"

#include <stdatomic.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/parallel_for.h"
#include "statistics/random_draw.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/draws/marked_series.h"

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

/* Autocovariances by lag, of numbers or of marks. */
typedef struct lagged {
    halves shape;
    const double *centred; /* NULL: of marks */
    marked_series *marks;
} lagged;

static double covariance_at(const lagged *series, size_t lag)
{
    return series->marks ? marked_series_autocovariance(series->marks, lag)
                         : autocovariance(series->shape, series->centred, lag);
}

/* The sum over autocorrelations of Geyer (1992), for one or two opinions on how far the means of
 * series differ: those are summed in pairs as long as pairs are positive, and no pair may exceed
 * the one before it. */
typedef struct geyer_sum {
    double all, within, even, odd, before, tau;
    bool has_ended;
} geyer_sum;

static geyer_sum geyer_begin(double within, double between, double at_zero, double at_one)
{
    geyer_sum sum = {.within = within, .before = INFINITY, .even = 1.0, .tau = -1.0};
    sum.all = at_zero + between;
    sum.odd = 1.0 - (within - at_one) / sum.all;
    return sum;
}

static void geyer_add(geyer_sum *sum, double next, double after)
{
    sum->has_ended = sum->has_ended || !(sum->even + sum->odd > 0.0);
    if (sum->has_ended)
        return;
    sum->before = fmin(sum->before, sum->even + sum->odd);
    sum->tau += 2.0 * sum->before;
    sum->even = 1.0 - (sum->within - next) / sum->all;
    sum->odd = 1.0 - (sum->within - after) / sum->all;
}

static double geyer_size(const geyer_sum *sum, double n_all)
{
    double tau = sum->tau + fmax(sum->even, 0.0);
    return n_all / fmax(tau, 1.0 / log10(n_all)); /* more than n_all where series alternate */
}

/* The effective size of all series together, whose means have these variances; that with the
 * first of them is the size, that with the second what it would be if groups had the same mean. */
static void effective_sizes(const lagged *series, const double between[2], double size[2])
{
    double n = (double)series->shape.n_half, n_all = (double)n_values(series->shape);
    double at_zero = covariance_at(series, 0), at_one = covariance_at(series, 1);
    geyer_sum sums[2];
    for (int i = 0; i < 2; i++)
        sums[i] = geyer_begin(at_zero * n / (n - 1.0), between[i], at_zero, at_one);
    for (size_t lag = 1; lag + 3 < series->shape.n_half; lag += 2) {
        if (!(sums[0].even + sums[0].odd > 0.0) && !(sums[1].even + sums[1].odd > 0.0))
            break;
        double next = covariance_at(series, lag + 1), after = covariance_at(series, lag + 2);
        for (int i = 0; i < 2; i++)
            geyer_add(&sums[i], next, after);
    }
    for (int i = 0; i < 2; i++)
        size[i] = geyer_size(&sums[i], n_all);
}

/* Of scores, which are centred in place. */
static equant_status effective_size(halves shape, double *scores, double *size)
{
    double *means = malloc(2 * shape.n_populations * shape.n_walkers * sizeof *means), sizes[2];
    if (means == NULL)
        return status_out_of_memory();
    double between = centre(shape, scores, means);
    free(means);
    const lagged series = {.shape = shape, .centred = scores};
    effective_sizes(&series, (double[2]){between, between}, sizes);
    *size = sizes[0];
    return EQUANT_SUCCESS;
}

/* ---- quantiles --------------------------------------------------------------------------------
 */

static const double probabilities[] = {0.01, 0.05, 0.5, 0.95, 0.99};
enum { N_PROBABILITIES = sizeof probabilities / sizeof *probabilities };

/* The variance of the shares of series: around their mean, and around those of their groups. */
static void spread_shares(const marked_series *marks, double between[2])
{
    size_t n_series = marks->n_groups * marks->n_walkers;
    double sum = 0.0, all = 0.0, inside = 0.0;
    for (size_t g = 0; g < marks->n_groups; g++)
        sum += marked_series_share_of_group(marks, g);
    double mean = sum / (double)marks->n_groups;
    for (size_t g = 0; g < marks->n_groups; g++) {
        double of_group = marked_series_share_of_group(marks, g);
        for (size_t w = 0; w < marks->n_walkers; w++) {
            double share = marked_series_share(marks, g, w);
            all += (share - mean) * (share - mean);
            inside += (share - of_group) * (share - of_group);
        }
    }
    between[0] = all / fmax((double)n_series - 1.0, 1.0);
    between[1] = inside / fmax((double)(n_series - marks->n_groups), 1.0);
}

/* Chi square of so many degrees as the deviate that is exceeded as often (Wilson & Hilferty 1931,
 * PNAS 17, 684). */
static double deviate_of_chi_square(double chi_square, double degrees)
{
    double width = 2.0 / (9.0 * degrees);
    return (cbrt(chi_square / degrees) - (1.0 - width)) / sqrt(width);
}

/* How far the shares below a quantile differ: between early and late halves, and between
 * populations, in standard errors. */
static void compare_shares(halves shape, const marked_series *marks, double size,
                           diagnostics *found)
{
    size_t n = shape.n_populations;
    double early = 0.0, late = 0.0, chi_square = 0.0;
    for (size_t p = 0; p < n; p++) {
        early += marked_series_share_of_group(marks, 2 * p) / (double)n;
        late += marked_series_share_of_group(marks, 2 * p + 1) / (double)n;
    }
    double share = 0.5 * (early + late), variance_of_all = share * (1.0 - share) / size;
    for (size_t p = 0; p < n; p++) {
        double own = 0.5 * (marked_series_share_of_group(marks, 2 * p) +
                            marked_series_share_of_group(marks, 2 * p + 1));
        chi_square += (own - share) * (own - share) / (variance_of_all * (double)n);
    }
    found->drift = fmax(found->drift, fabs(late - early) / sqrt(4.0 * variance_of_all));
    if (n > 1)
        found->discord = fmax(found->discord, deviate_of_chi_square(chi_square, (double)n - 1.0));
}

/* What draws below the quantile tell, or those above it, whichever are fewer. */
static void judge_quantile(halves shape, const ranked *sorted, double probability,
                           marked_series *marks, double *size, diagnostics *found)
{
    size_t n = n_values(shape), n_below = 0;
    double limit = quantile(n, sorted, probability), between[2], sizes[2];
    *size = (double)n; /* so many equal values that this quantile is one of them */
    for (size_t low = 0, high = n; low < high; n_below = low) { /* the first above the limit */
        size_t middle = low + (high - low) / 2;
        if (sorted[middle].value <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    if (n_below == 0 || n_below == n)
        return;
    bool marks_below = n_below <= n / 2;
    marked_series_clear(marks);
    for (size_t i = marks_below ? 0 : n_below; i < (marks_below ? n_below : n); i++)
        marked_series_mark(marks, sorted[i].place);
    marked_series_finish(marks);
    const lagged series = {.shape = shape, .marks = marks};
    spread_shares(marks, between);
    effective_sizes(&series, between, sizes);
    *size = sizes[0];
    compare_shares(shape, marks, sizes[1], found);
}

static equant_status judge_quantiles(halves shape, const ranked *sorted, diagnostics *found)
{
    marked_series marks;
    double size[N_PROBABILITIES];
    equant_status status =
        marked_series_create(2 * shape.n_populations, shape.n_half, shape.n_walkers, &marks);
    found->drift = 0.0;
    found->discord = shape.n_populations > 1 ? -INFINITY : NAN;
    double least = INFINITY;
    for (int i = 0; i < N_PROBABILITIES && status == EQUANT_SUCCESS; i++) {
        judge_quantile(shape, sorted, probabilities[i], &marks, &size[i], found);
        least = fmin(least, size[i]);
    }
    marked_series_free(&marks);
    if (status == EQUANT_SUCCESS) {
        found->ess_tail = fmin(size[1], size[3]);
        found->tail_turnover = least / (double)(shape.n_populations * shape.n_walkers);
    }
    return status;
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
    double rhat_bulk, rhat_folded;
    fold(n, sorted, quantile(n, sorted, 0.5), folded);
    score_ranks(n, folded, scores);
    equant_status status = split_rhat(shape, scores, &rhat_folded);
    score_ranks(n, sorted, scores);
    if (status == EQUANT_SUCCESS)
        status = split_rhat(shape, scores, &rhat_bulk);
    if (status == EQUANT_SUCCESS)
        status = effective_size(shape, scores, &found->ess_bulk);
    if (status == EQUANT_SUCCESS)
        status = judge_quantiles(shape, sorted, found);
    if (status == EQUANT_SUCCESS) {
        found->rhat = shape.n_populations > 1 ? fmax(rhat_bulk, rhat_folded) : NAN;
        found->turnover = found->ess_bulk / (double)(shape.n_populations * shape.n_walkers);
    }
    return status;
}

/* What holds 90 % of values in ascending order. */
static double width_of(size_t n, const ranked *sorted)
{
    return quantile(n, sorted, 0.95) - quantile(n, sorted, 0.05);
}

/* Compares the widths of starts and draws; sorted and room have places for both. */
static void compare_starts(const diagnostics_series *series, double (*transform)(double),
                           ranked *starts, ranked *room, double width, diagnostics *found)
{
    for (size_t i = 0; i < series->n_starts; i++) {
        double value = series->starts[i];
        starts[i] = (ranked){.value = transform == NULL ? value : transform(value), .place = i};
        if (!isfinite(starts[i].value))
            return;
    }
    sort_values(series->n_starts, starts, room);
    found->start_width = width > 0.0 ? width_of(series->n_starts, starts) / width : NAN;
}

/* Both halves of all populations; false when a value is not finite. */
static bool take_halves(const diagnostics_series *series, halves shape, double (*transform)(double),
                        double *scores)
{
    size_t half_size = shape.n_half * shape.n_walkers;
    bool finite = true;
    for (size_t b = 0; b < 2 * shape.n_populations; b++) {
        size_t first_step = b % 2 == 0 ? 0 : series->n_steps - shape.n_half;
        const double *from =
            series->values + (b / 2 * series->n_steps + first_step) * shape.n_walkers;
        for (size_t i = 0; i < half_size; i++) {
            scores[b * half_size + i] = transform == NULL ? from[i] : transform(from[i]);
            finite = finite && isfinite(scores[b * half_size + i]);
        }
    }
    return finite;
}

static equant_status diagnose(const diagnostics_series *series, double (*transform)(double),
                              diagnostics *found)
{
    *found = diagnostics_unknown();
    halves shape = {series->n_populations, series->n_steps / 2, series->n_walkers};
    if (series->n_steps < LEAST_STEPS)
        return EQUANT_SUCCESS;
    size_t n = n_values(shape), n_room = n > series->n_starts ? n : series->n_starts;
    double *scores = malloc(n * sizeof *scores);
    ranked *sorted = malloc(n_room * sizeof *sorted), *folded = malloc(n_room * sizeof *folded);
    equant_status status = scores && sorted && folded ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        found->has_gaps = !take_halves(series, shape, transform, scores);
    if (status == EQUANT_SUCCESS && !found->has_gaps) {
        status = diagnose_with(shape, sorted, folded, scores, found);
        if (status == EQUANT_SUCCESS && series->n_starts > 0 && !found->is_constant)
            compare_starts(series, transform, folded, sorted, width_of(n, sorted), found);
    }
    free(scores);
    free(sorted);
    free(folded);
    return status;
}

diagnostics diagnostics_unknown(void)
{
    return (diagnostics){.rhat = NAN,
                         .ess_bulk = NAN,
                         .ess_tail = NAN,
                         .tail_turnover = NAN,
                         .turnover = NAN,
                         .drift = NAN,
                         .discord = NAN,
                         .start_width = NAN};
}

equant_status diagnostics_compute(const diagnostics_series *series, diagnostics *found)
{
    if (!series->is_angle)
        return diagnose(series, NULL, found);
    diagnostics both[2];
    equant_status status = diagnose(series, cos, &both[0]);
    if (status == EQUANT_SUCCESS)
        status = diagnose(series, sin, &both[1]);
    if (status == EQUANT_SUCCESS)
        *found = diagnostics_worst(2, both);
    return status;
}

diagnostics_series diagnostics_series_of(const draws *kept, const draws *begin,
                                         const double *values)
{
    return (diagnostics_series){.n_populations = kept->shape.n_populations,
                                .n_steps = kept->n_steps,
                                .n_walkers = kept->shape.n_walkers,
                                .values = values,
                                .n_starts = begin ? draws_n(begin) : 0,
                                .starts = values + draws_n(kept)};
}

static equant_status diagnose_column(const draws *kept, const draws *begin, size_t column,
                                     bool is_angle, diagnostics *found)
{
    size_t n = draws_n(kept), n_starts = begin ? draws_n(begin) : 0;
    double *values = malloc((n + n_starts + 1) * sizeof *values);
    if (values == NULL)
        return status_out_of_memory();
    draws_column(kept, column, values);
    if (begin)
        draws_column(begin, column, values + n);
    diagnostics_series series = diagnostics_series_of(kept, begin, values);
    series.is_angle = is_angle;
    equant_status status = diagnostics_compute(&series, found);
    free(values);
    return status;
}

typedef struct diagnosis {
    const draws *kept, *begin;
    const bool *is_angle;
    diagnostics *found;
    atomic_int failed;
} diagnosis;

static void diagnose_some(void *context, size_t first, size_t end, int thread)
{
    diagnosis *of = context;
    (void)thread;
    for (size_t column = first; column < end; column++)
        parallel_keep_larger(&of->failed,
                             (int)diagnose_column(of->kept, of->begin, column, of->is_angle[column],
                                                  &of->found[column]));
}

equant_status diagnostics_of_draws(const draws *kept, const draws *begin, const bool *is_angle,
                                   int n_threads, diagnostics *found)
{
    diagnosis of = {.kept = kept, .begin = begin, .is_angle = is_angle, .found = found};
    parallel_for(placement_threads(n_threads), kept->shape.n_parameters, 1, diagnose_some, &of);
    /* The sentence stayed with the thread that failed, and memory is all that can run out. */
    return atomic_load(&of.failed) == EQUANT_SUCCESS ? EQUANT_SUCCESS : status_out_of_memory();
}

/* NaN wins. */
static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

diagnostics diagnostics_worst(size_t n, const diagnostics *each)
{
    diagnostics worst = diagnostics_unknown();
    worst.is_constant = true;
    for (size_t i = 0; i < n; i++) {
        if (each[i].is_constant)
            continue;
        if (worst.is_constant) {
            worst = each[i];
            continue;
        }
        worst.has_gaps = worst.has_gaps || each[i].has_gaps;
        worst.rhat = larger(worst.rhat, each[i].rhat);
        worst.ess_bulk = -larger(-worst.ess_bulk, -each[i].ess_bulk);
        worst.ess_tail = -larger(-worst.ess_tail, -each[i].ess_tail);
        worst.tail_turnover = -larger(-worst.tail_turnover, -each[i].tail_turnover);
        worst.turnover = -larger(-worst.turnover, -each[i].turnover);
        worst.drift = larger(worst.drift, each[i].drift);
        worst.discord = larger(worst.discord, each[i].discord);
        worst.start_width = -larger(-worst.start_width, -each[i].start_width);
    }
    return worst;
}
