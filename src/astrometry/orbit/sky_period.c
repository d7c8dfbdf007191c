#include "astrometry/orbit/sky_period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/joint_sums.h"
#include "astrometry/orbit/sky_search.h"
#include "core/status_fail.h"

/* Below this error of ln P the most probable period is the best one within a fraction of the error:
 * probabilities of shapes change by some powers of the period, and so move it by a few times the
 * square of the error. */
#define UNCERTAIN 0.05

/* Steps of ln P, and of the logarithm of the scale of an orbit. */
#define PERIOD_STEP 0.025
#define SCALE_STEP 0.5

/* Periods below this part of the span are never uncertain by so much. */
#define SHORTEST_SPANS 0.2

/* Nodes that the best one leaves so far behind, in ln L, count for nothing. */
#define NEGLIGIBLE 30.0

/* Periods between two of those weighed first may be better than these, in ln L, by no more. */
#define NEAR_BEST 1.0

enum { N_ECCENTRICITIES = 16, N_SHIFTS = 3, STRIDE = 3 };

/* What is integrated at each period. */
typedef struct period_integral {
    const joint_rows *rows;
    joint_sums sums;
    double eccentricities[N_ECCENTRICITIES];
    double log_scale[2];
    double least_gain; /* twice ln L over the base           */
    double reference;  /* ln L over the base of the solution */
} period_integral;

typedef struct period_weight {
    double log_period, logarithm; /* of the integral, up to a constant */
    double eccentricity, m0_rad;  /* where it has its largest term     */
} period_weight;

/* The logarithm of exp(b'x - x'Fx/2) integrated over amplitudes x that are normal with this scale
 * before; `gain` becomes twice the maximum of what is integrated. -INFINITY where F is none. */
static double at_scale(const double f[4][4], const double b[4], double log_scale, double *gain)
{
    double factor[4][4], x[4], product = 1.0, more = exp(-2.0 * log_scale);
    *gain = 0.0;
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = f[i][j] + (i == j ? more : 0.0);
            for (int k = 0; k < j; k++)
                sum -= factor[i][k] * factor[j][k];
            if (i == j && !(sum > 0.0))
                return -INFINITY;
            factor[i][j] = i == j ? sqrt(sum) : sum / factor[j][j];
        }
        x[i] = b[i];
        for (int k = 0; k < i; k++)
            x[i] -= factor[i][k] * x[k];
        x[i] /= factor[i][i];
        product *= factor[i][i];
        *gain += x[i] * x[i];
    }
    return 0.5 * *gain - log(product) - 4.0 * log_scale;
}

/* The same integrated over all scales, the largest first: it has the highest gain. Above the
 * reference, and not in its logarithm. */
static double at_node(const period_integral *own, int phase)
{
    double f[4][4], b[4], whole[4], gain, sum = 0.0;
    joint_sums_sky(own->rows, &own->sums, phase, f, b, whole);
    for (double scale = own->log_scale[1]; scale >= own->log_scale[0]; scale -= SCALE_STEP) {
        double term = at_scale(f, b, scale, &gain);
        if (term > -INFINITY && gain < own->least_gain)
            break;
        sum += exp(term - own->reference);
    }
    return sum;
}

static period_weight at_period(period_integral *own, double log_period)
{
    period_weight found = {.log_period = log_period};
    double sum = 0.0, largest = 0.0;
    for (size_t i = 0; i < N_ECCENTRICITIES; i++)
        for (int shift = 0; shift < N_SHIFTS; shift++) {
            double turns = (double)shift / (N_SHIFTS * JOINT_PHASES);
            joint_sums_take(own->rows, i, exp(-log_period), turns, &own->sums);
            for (int phase = 0; phase < JOINT_PHASES; phase++) {
                double term = at_node(own, phase);
                sum += term;
                if (term > largest) {
                    largest = term;
                    found.eccentricity = own->eccentricities[i];
                    found.m0_rad = SKY_ORBIT_TWO_PI * ((double)phase / JOINT_PHASES + turns);
                }
            }
        }
    found.logarithm = log(sum);
    return found;
}

/* Every third of n periods from `low` on, and all that may be better than the best of these. */
static void weigh_periods(period_integral *own, double low, size_t n, period_weight *weights)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < n; i++)
        weights[i].logarithm = NAN;
    for (size_t i = 0; i < n; i += STRIDE) {
        weights[i] = at_period(own, low + (double)i * PERIOD_STEP);
        highest = fmax(highest, weights[i].logarithm);
    }
    for (size_t i = 0; i < n; i++) {
        size_t before = i - i % STRIDE, after = before + STRIDE < n ? before + STRIDE : before;
        if (i != before &&
            fmax(weights[before].logarithm, weights[after].logarithm) >= highest - NEAR_BEST)
            weights[i] = at_period(own, low + (double)i * PERIOD_STEP);
    }
}

/* The most probable of n periods, between its neighbours by a parabola. */
static period_weight most_probable(size_t n, const period_weight *weights)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (weights[i].logarithm > weights[best].logarithm)
            best = i;
    period_weight found = weights[best];
    if (best == 0 || best + 1 == n)
        return found;
    double left = weights[best - 1].logarithm, right = weights[best + 1].logarithm;
    double bend = 2.0 * found.logarithm - left - right;
    if (isfinite(bend) && bend > 0.0)
        found.log_period += 0.5 * PERIOD_STEP * (right - left) / bend;
    return found;
}

/* The best solution of a period, from the shape that it has and from that of the largest term. */
static equant_status refine_at(sky_refiner *refiner, const sky_grid *grid, bool has_jitter,
                               const period_weight *weight, sky_solution *solution)
{
    enum { N_STARTS = 2 };
    size_t shape = sky_solution_shape(solution, 0);
    sky_limits limits = sky_grid_limits(grid, exp(weight->log_period));
    limits.period_min_days = limits.period_max_days = exp(weight->log_period);
    sky_solution *starts = malloc((N_STARTS + 1) * sizeof *starts);
    if (starts == NULL)
        return status_out_of_memory();
    sky_solution *other = starts + 1, *best = starts + N_STARTS;
    *starts = *other = *solution;
    starts->value[shape] = other->value[shape] = weight->log_period;
    other->value[shape + 1] = weight->eccentricity * cos(weight->m0_rad);
    other->value[shape + 2] = weight->eccentricity * sin(weight->m0_rad);
    bool has_best = false;
    equant_status status = EQUANT_SUCCESS;
    for (int i = 0; i < N_STARTS && status == EQUANT_SUCCESS; i++)
        status = sky_refine_and_keep(refiner, &limits, has_jitter, starts + i, best, &has_best);
    if (status == EQUANT_SUCCESS && has_best)
        *solution = *best;
    free(starts);
    return status;
}

static bool is_uncertain(const sky_solution *solution)
{
    size_t n = sky_solution_n_parameters(solution), j = sky_solution_shape(solution, 0);
    return !(solution->covariance[j * n + j] < UNCERTAIN * UNCERTAIN);
}

/* The base behind the orbit into the refiner, with the weights of the solution. Returns chi-square
 * of it. */
static equant_status lay_base(sky_refiner *refiner, const sky_solution *solution,
                              double *chi_square)
{
    sky_solution *base = malloc(sizeof *base);
    if (base == NULL)
        return status_out_of_memory();
    *base = sky_solution_make(refiner->design->data, &solution->model, 0);
    memcpy(base->jitter, solution->jitter, sizeof base->jitter);
    sky_search_lay_base(refiner, base);
    free(base);
    *chi_square = 0.0;
    for (size_t k = 0; k < refiner->design->n_rows; k++)
        *chi_square += refiner->residual[k] * refiner->residual[k];
    return EQUANT_SUCCESS;
}

equant_status sky_period_settle(sky_refiner *refiner, const sky_grid *grid, bool has_jitter,
                                sky_solution *solution)
{
    const sky_data *data = refiner->design->data;
    double low = log(fmax(grid->limits.period_min_days, SHORTEST_SPANS * data->span_days));
    double high = log(grid->limits.period_max_days), chi_square = 0.0;
    double log_period = solution->value[sky_solution_shape(solution, 0)];
    if (!is_uncertain(solution) || !(log_period >= low) || !(high > low))
        return EQUANT_SUCCESS;
    joint_rows rows;
    period_integral own = {.rows = &rows};
    for (int i = 0; i < N_ECCENTRICITIES; i++)
        own.eccentricities[i] = grid->limits.eccentricity_max * (i + 0.5) / N_ECCENTRICITIES;
    equant_status status = lay_base(refiner, solution, &chi_square);
    if (status == EQUANT_SUCCESS)
        status = joint_rows_create(refiner, N_ECCENTRICITIES, own.eccentricities, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    own.reference = 0.5 * (chi_square - solution->chi_square);
    own.least_gain = 2.0 * (own.reference - NEGLIGIBLE);
    sky_data_log_scales(data, 0, data->n_sky, own.log_scale);
    size_t n = 1 + (size_t)((high - low) / PERIOD_STEP);
    period_weight found = {.logarithm = -INFINITY}, *weights = malloc(n * sizeof *weights);
    own.sums.shares = malloc(joint_rows_n_shares(&rows) * sizeof *own.sums.shares);
    if (own.sums.shares != NULL && weights != NULL) {
        weigh_periods(&own, low, n, weights);
        found = most_probable(n, weights);
    } else {
        status = status_out_of_memory();
    }
    free(own.sums.shares);
    free(weights);
    joint_rows_free(&rows);
    return status == EQUANT_SUCCESS && isfinite(found.logarithm)
               ? refine_at(refiner, grid, has_jitter, &found, solution)
               : status;
}
