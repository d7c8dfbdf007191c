/* Activity indicators as series of one process: spots that come into view and go out of it,
 *
 *   indicator = c G + d G' + offset + white noise,
 *
 * G a rotation (mep) of variance 1, c > 0, d of bisector spans alone; offsets are integrated over,
 * everything else is at the maximum of the likelihood. Velocities then follow what the indicators
 * say of G and of G' (Rajpaul et al. 2015; Aigrain et al. 2012). */
#include "inference/likelihood/activity/spots.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/likelihood/activity/descent.h"
#include "inference/likelihood/activity/noise_ranges.h"

/* Periods that are tried, and those that are followed. */
enum { N_SCALES = 24, N_FOLLOWED = 3 };
enum { FEW_ITERATIONS = 12, ITERATIONS = 60 };
#define TOLERANCE 0.02

/* Coordinates: ln period, ln turns of a decay, ln width, then of each series ln c, ln jitter and d
 * in units of a radian's time. */
enum { FIRST_SERIES = 3, OF_SERIES = 3 };

typedef struct spot_study {
    const equant_dataset *dataset;
    size_t n_series, n_rows;
    spot_series series[SPOTS_MOST_SERIES];
    equant_noise *process, *white;
    double *time, *values, *squares, *variances, *alpha, *beta; /* [n_rows] */
    size_t *of;                                                 /* the series of a row */
    double *columns; /* [n_series][n_rows]: 1 in the rows of a series */
    double lowest[DESCENT_MOST], highest[DESCENT_MOST];
    bool is_white; /* what is asked for: the indicators without the process */
    equant_progress progress;
    void *progress_context;
    equant_status wanted; /* an error once the caller has had enough */
} spot_study;

/* ---- rows --------------------------------------------------------------------------------------
 */

static void fill_rows(spot_study *spots)
{
    const equant_dataset *dataset = spots->dataset;
    const double *time = equant_dataset_times_days(dataset);
    size_t row = 0;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
        for (size_t s = 0; s < spots->n_series; s++) {
            const spot_series *series = &spots->series[s];
            double value = spot_series_value(dataset, series, k);
            double error = equant_dataset_indicator(dataset, series->indicator)->uncertainties[k] /
                           series->deviation;
            if (!isfinite(value))
                continue;
            spots->time[row] = time[k];
            spots->values[row] = (value - series->mean) / series->deviation;
            spots->squares[row] = isfinite(error) ? error * error : 0.0;
            spots->of[row] = s;
            spots->columns[s * spots->n_rows + row++] = 1.0;
        }
}

static equant_status make_rows(spot_study *spots)
{
    size_t n = spots->n_rows;
    double *memory = calloc(6 * n + spots->n_series * n, sizeof *memory);
    spots->time = memory;
    spots->of = calloc(n, sizeof *spots->of);
    if (!memory || !spots->of)
        return status_out_of_memory();
    spots->values = memory + n;
    spots->squares = memory + 2 * n;
    spots->variances = memory + 3 * n;
    spots->alpha = memory + 4 * n;
    spots->beta = memory + 5 * n;
    spots->columns = memory + 6 * n;
    fill_rows(spots);
    equant_status status =
        equant_noise_create("mep(amplitude=1,period=1,decay=1,width=1)", &spots->process);
    return status == EQUANT_SUCCESS ? equant_noise_create("white", &spots->white) : status;
}

static void spot_study_free(spot_study *spots)
{
    free(spots->time);
    free(spots->of);
    equant_noise_free(spots->process);
    equant_noise_free(spots->white);
    memset(spots, 0, sizeof *spots);
}

static equant_noise_rows rows_of(const spot_study *spots)
{
    return (equant_noise_rows){.struct_size = sizeof(equant_noise_rows),
                               .n = spots->n_rows,
                               .time_days = spots->time,
                               .values = spots->values,
                               .variances = spots->variances,
                               .alpha = spots->is_white ? NULL : spots->alpha,
                               .beta = spots->is_white ? NULL : spots->beta};
}

/* ---- likelihood --------------------------------------------------------------------------------
 */

static void read_process(const double *x, double parameters[4])
{
    parameters[0] = 1.0;
    parameters[1] = exp(x[0]);
    parameters[2] = exp(x[0] + x[1]);
    parameters[3] = exp(x[2]);
}

static void read_series(spot_study *spots, const double *x)
{
    double radian_days = exp(x[0]) / 6.283185307179586;
    for (size_t row = 0; row < spots->n_rows; row++) {
        size_t s = spots->of[row];
        const double *own = x + FIRST_SERIES + OF_SERIES * s;
        spots->alpha[row] = exp(own[0]);
        spots->beta[row] = spots->series[s].sees_rate ? own[2] * radian_days : 0.0;
        spots->variances[row] = spots->squares[row] + exp(2.0 * own[1]);
    }
}

/* Minus ln of the integral over offsets. */
static double objective(void *context, const double *x)
{
    spot_study *spots = context;
    double parameters[4], log_marginal;
    if (spots->wanted != EQUANT_SUCCESS)
        return INFINITY;
    read_process(x, parameters);
    read_series(spots, x);
    const equant_noise_rows rows = rows_of(spots);
    const equant_noise_columns columns = {
        .struct_size = sizeof columns, .n = spots->n_series, .columns = spots->columns};
    const equant_noise *noise = spots->is_white ? spots->white : spots->process;
    if (equant_noise_follow(noise, &rows, spots->is_white ? NULL : parameters, &columns, NULL, NULL,
                            &log_marginal) != EQUANT_SUCCESS)
        return INFINITY;
    return isfinite(log_marginal) ? -log_marginal : INFINITY;
}

static double improve(spot_study *spots, int iterations, double *x)
{
    const descent_problem problem = {.function = objective,
                                     .context = spots,
                                     .n = FIRST_SERIES + OF_SERIES * spots->n_series,
                                     .lowest = spots->lowest,
                                     .highest = spots->highest,
                                     .max_iterations = iterations,
                                     .tolerance = TOLERANCE};
    return descent_minimise(&problem, x);
}

/* ---- the search --------------------------------------------------------------------------------
 */

/* Ranges as those of a rotation in velocities. */
static equant_status set_ranges(spot_study *spots, double shortest, double longest)
{
    const noise_ranges ranges = noise_ranges_of(spots->dataset);
    double last = noise_ranges_longest_rotation(&ranges);
    shortest = shortest > 0.0 ? shortest : fmin(NOISE_RANGES_SHORTEST_ROTATION, 0.5 * last);
    longest = longest > 0.0 ? longest : last;
    if (!(shortest < longest && longest <= ranges.span_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "rotations of %g to %g days are not within data of %.6g days", shortest,
                           longest, ranges.span_days);
    const double low[FIRST_SERIES] = {log(shortest), 0.0, log(0.2)},
                 high[FIRST_SERIES] = {log(longest), log(4.0), log(2.0)},
                 low_own[OF_SERIES] = {log(0.01), log(1e-3), -3.0},
                 high_own[OF_SERIES] = {log(5.0), log(3.0), 3.0};
    memcpy(spots->lowest, low, sizeof low);
    memcpy(spots->highest, high, sizeof high);
    for (size_t s = 0; s < spots->n_series; s++) {
        memcpy(spots->lowest + FIRST_SERIES + OF_SERIES * s, low_own, sizeof low_own);
        memcpy(spots->highest + FIRST_SERIES + OF_SERIES * s, high_own, sizeof high_own);
    }
    return EQUANT_SUCCESS;
}

static void start_at(const spot_study *spots, double share, double *x)
{
    const double own[OF_SERIES] = {log(0.7), log(0.6), 0.0};
    x[0] = spots->lowest[0] + share * (spots->highest[0] - spots->lowest[0]);
    x[1] = log(2.0);
    x[2] = log(0.5);
    for (size_t s = 0; s < spots->n_series; s++)
        memcpy(x + FIRST_SERIES + OF_SERIES * s, own, sizeof own);
}

typedef struct spot_start {
    double value, x[DESCENT_MOST];
} spot_start;

static void offer(spot_start *best, const spot_start *found)
{
    for (size_t i = 0; i < N_FOLLOWED; i++)
        if (found->value < best[i].value) {
            for (size_t j = N_FOLLOWED - 1; j > i; j--)
                best[j] = best[j - 1];
            best[i] = *found;
            return;
        }
}

static void report(spot_study *spots, double done)
{
    if (spots->wanted == EQUANT_SUCCESS)
        spots->wanted = progress_report_tell(spots->progress, spots->progress_context,
                                             "learning spots from indicators", done);
}

/* The best of a few descents from periods all over the range. */
static spot_start find_best(spot_study *spots)
{
    spot_start best[N_FOLLOWED], found;
    for (size_t i = 0; i < N_FOLLOWED; i++)
        best[i].value = INFINITY;
    for (int i = 0; i < N_SCALES; i++) {
        report(spots, 0.3 * i / N_SCALES);
        start_at(spots, (i + 0.5) / N_SCALES, found.x);
        found.value = objective(spots, found.x);
        offer(best, &found);
    }
    size_t chosen = 0;
    for (size_t i = 0; i < N_FOLLOWED; i++) {
        report(spots, 0.3 + 0.15 * (double)i);
        if (isfinite(best[i].value))
            best[i].value = improve(spots, FEW_ITERATIONS, best[i].x);
        if (best[i].value < best[chosen].value)
            chosen = i;
    }
    report(spots, 0.75);
    best[chosen].value = improve(spots, ITERATIONS, best[chosen].x);
    return best[chosen];
}

/* ---- what was learnt ---------------------------------------------------------------------------
 */

/* Means of G and G' at the observations, [2][n_obs]. */
static equant_status predict_means(spot_study *spots, const double *x, double *means)
{
    size_t n = equant_dataset_n_obs(spots->dataset);
    double parameters[4], offsets[SPOTS_MOST_SERIES], *weights = calloc(2 * n, sizeof *weights);
    double *kept = malloc(spots->n_rows * sizeof *kept);
    equant_status status = weights && kept ? EQUANT_SUCCESS : status_out_of_memory();
    read_process(x, parameters);
    read_series(spots, x);
    equant_noise_rows rows = rows_of(spots);
    const equant_noise_columns columns = {
        .struct_size = sizeof columns, .n = spots->n_series, .columns = spots->columns};
    if (status == EQUANT_SUCCESS)
        status =
            equant_noise_follow(spots->process, &rows, parameters, &columns, offsets, NULL, NULL);
    for (size_t row = 0; row < spots->n_rows && status == EQUANT_SUCCESS; row++)
        kept[row] = spots->values[row] - offsets[spots->of[row]];
    rows.values = kept;
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++)
        weights[k] = 1.0;
    for (size_t i = 0; i < 2 && status == EQUANT_SUCCESS; i++) {
        const equant_noise_rows at = {.struct_size = sizeof at,
                                      .n = n,
                                      .time_days = equant_dataset_times_days(spots->dataset),
                                      .alpha = weights + (i == 0 ? 0 : n),
                                      .beta = weights + (i == 0 ? n : 0)};
        status = equant_noise_predict(spots->process, &rows, parameters, &at, means + i * n, NULL);
    }
    free(weights);
    free(kept);
    return status;
}

/* Parameters that the process has beside what white noise has: its own three, c of each series and
 * d where there is one. */
static double n_extra(const spot_study *spots)
{
    double n = FIRST_SERIES;
    for (size_t s = 0; s < spots->n_series; s++)
        n += spots->series[s].sees_rate ? 2.0 : 1.0;
    return n;
}

static void keep_found(const spot_study *spots, const double *x, double gain, spot_finding *found)
{
    double parameters[4];
    read_process(x, parameters);
    *found = (spot_finding){.n_series = spots->n_series,
                            .n_values = spots->n_rows,
                            .period_days = parameters[1],
                            .decay_days = parameters[2],
                            .width = parameters[3],
                            .gain = gain};
    for (size_t s = 0; s < spots->n_series; s++) {
        const double *own = x + FIRST_SERIES + OF_SERIES * s;
        found->series[s] = spots->series[s];
        found->series[s].scale = exp(own[0]);
        found->series[s].jitter = exp(own[1]);
        found->series[s].rate = spots->series[s].sees_rate ? own[2] : 0.0;
    }
}

static equant_status find(spot_study *spots, spot_finding *found, double *means)
{
    spot_start best = find_best(spots), white = best;
    spots->is_white = true;
    white.value = improve(spots, ITERATIONS, white.x);
    spots->is_white = false;
    if (spots->wanted != EQUANT_SUCCESS)
        return spots->wanted;
    double gain = white.value - best.value;
    if (!(gain > 0.5 * n_extra(spots) * log((double)spots->n_rows)))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the indicators show no rotation of the star: white noise explains them "
                           "as well, and there are no spots to follow");
    keep_found(spots, best.x, gain, found);
    return predict_means(spots, best.x, means);
}

equant_status spots_find(const equant_dataset *dataset, const equant_spots_options *options,
                         spot_finding *found, double *means)
{
#define OPTION(member) OPTION_OR_ZERO(options, equant_spots_options, member)
    spot_study *spots = calloc(1, sizeof *spots);
    if (!spots)
        return status_out_of_memory();
    spots->dataset = dataset;
    spots->progress = OPTION(progress);
    spots->progress_context = OPTION(progress_context);
    equant_status status =
        spot_series_choose(dataset, OPTION(indicators), &spots->n_series, spots->series);
    for (size_t s = 0; s < spots->n_series; s++)
        spots->n_rows += spots->series[s].n_values;
    if (status == EQUANT_SUCCESS)
        status = set_ranges(spots, OPTION(period_min_days), OPTION(period_max_days));
    if (status == EQUANT_SUCCESS)
        status = make_rows(spots);
    if (status == EQUANT_SUCCESS)
        status = find(spots, found, means);
    spot_study_free(spots);
    free(spots);
    return status;
}
