/* The public equant_sb2_fit: the orbit of a double-lined binary, from its epochs alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "binaries/sb2_refine.h"
#include "binaries/sb2_scan.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "model/period_resolution.h"
#include "parallel/parallel_for.h"

#define TWO_PI 6.28318530717958647693
#define SECONDS_PER_DAY 86400.0
#define GM_SUN_M3_S2 1.3271244e20 /* nominal, IAU 2015 resolution B3 */
#define AU_M 149597870700.0
#define USUAL_PERIOD_MIN_DAYS 0.5
#define USUAL_ECCENTRICITY_MAX 0.95

enum { LEAST_ROWS = 5, N_WEIGHED = 8 };

/* Numbers that follow from the elements, in the order of their places. */
enum { PERIOD, ECCENTRICITY, OMEGA, PERICENTRE, RATIO, MASS_1, MASS_2, AXIS_1, AXIS_2, N_DERIVED };

/* ---- the search --------------------------------------------------------------------------------
 */

static int compare(const void *left, const void *right)
{
    const sb2_solution *a = left, *b = right;
    return (a->log_likelihood < b->log_likelihood) - (a->log_likelihood > b->log_likelihood);
}

static double period_of(const sb2_solution *solution)
{
    return TWO_PI / solution->elements[SB2_MOTION];
}

/* Keeps the best solution of each period, of those that are sorted. */
static size_t keep_periods(const sb2_epochs *epochs, size_t n, sb2_solution *solutions)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_new = solutions[i].log_likelihood > -INFINITY;
        for (size_t j = 0; j < kept && is_new; j++)
            is_new = !period_resolution_is_same(period_of(&solutions[j]), period_of(&solutions[i]),
                                                epochs->span_days);
        if (is_new)
            solutions[kept++] = solutions[i];
    }
    return kept;
}

/* What threads share. */
typedef struct optimisation {
    const sb2_epochs *epochs;
    double eccentricity_max;
    const sb2_start *starts;
    sb2_solution *solutions;
} optimisation;

static void optimise_some(void *context, size_t first, size_t end, int thread)
{
    const optimisation *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        sb2_solution *solution = &of->solutions[i];
        *solution = (sb2_solution){0};
        memcpy(solution->elements, of->starts[i].elements, sizeof solution->elements);
        sb2_refine_optimise(of->epochs, of->eccentricity_max, solution);
    }
}

typedef struct weighing {
    optimisation of;
    bool has_no_jitter;
} weighing;

static void weigh_some(void *context, size_t first, size_t end, int thread)
{
    const weighing *own = context;
    const optimisation *of = &own->of;
    (void)thread;
    for (size_t i = first; i < end; i++) {
        sb2_refine_polish(of->epochs, of->eccentricity_max, &of->solutions[i]);
        if (!own->has_no_jitter)
            sb2_refine_with_jitter(of->epochs, of->eccentricity_max, &of->solutions[i]);
    }
}

/* The solutions from all starts, from the best; the first few are polished and
 * have their jitter. */
static size_t refine(const sb2_epochs *epochs, const equant_sb2_options *options,
                     const sb2_scan_range *range, size_t n, const sb2_start *starts,
                     sb2_solution *solutions)
{
    double e_max = range->eccentricity_max;
    optimisation of = {epochs, e_max, starts, solutions};
    parallel_for(range->n_threads, n, 1, optimise_some, &of);
    qsort(solutions, n, sizeof *solutions, compare);
    n = keep_periods(epochs, n, solutions);
    n = n > N_WEIGHED ? N_WEIGHED : n;
    weighing weigh = {of, options->no_jitter != 0};
    parallel_for(range->n_threads, n, 1, weigh_some, &weigh);
    qsort(solutions, n, sizeof *solutions, compare);
    return keep_periods(epochs, n, solutions);
}

/* ---- elements ----------------------------------------------------------------------------------
 */

/* Star 1 is the more massive one, where no row says which it is. */
static void order_stars(const sb2_epochs *epochs, sb2_solution *solution)
{
    double *own = solution->elements, first = own[SB2_K1];
    bool is_told = epochs->keeps_roles;
    for (size_t k = 0; k < epochs->n; k++)
        is_told |= epochs->rows[k].is_ordered;
    if (!is_told && first > own[SB2_K2]) {
        own[SB2_K1] = own[SB2_K2];
        own[SB2_K2] = first;
        own[SB2_COSINE] = -own[SB2_COSINE];
        own[SB2_SINE] = -own[SB2_SINE];
        own[SB2_LONGITUDE] += 0.5 * TWO_PI;
    }
}

/* omega and the mean anomaly are those next to given ones. */
static void derive(const double own[SB2_N], const double near[2], double derived[N_DERIVED])
{
    double k = own[SB2_COSINE], h = own[SB2_SINE], e = hypot(k, h), n = own[SB2_MOTION];
    double omega = atan2(h, k), sum = own[SB2_K1] + own[SB2_K2], root = sqrt((1.0 - e) * (1.0 + e));
    omega = near[0] + remainder(omega - near[0], TWO_PI);
    double M = near[1] + remainder(own[SB2_LONGITUDE] - omega - near[1], TWO_PI);
    double per_second = n / SECONDS_PER_DAY;
    derived[PERIOD] = TWO_PI / n;
    derived[ECCENTRICITY] = e;
    derived[OMEGA] = omega;
    derived[PERICENTRE] = -M / n;
    derived[RATIO] = own[SB2_K1] / own[SB2_K2];
    for (int star = 0; star < 2; star++) {
        derived[MASS_1 + star] =
            root * root * root * sum * sum * own[SB2_K2 - star] / (per_second * GM_SUN_M3_S2);
        derived[AXIS_1 + star] = root * own[SB2_K1 + star] / (per_second * AU_M);
    }
}

static double propagate(const double slope[SB2_N], const double covariance[SB2_N * SB2_N])
{
    double variance = 0.0;
    for (int i = 0; i < SB2_N; i++)
        for (int j = 0; j < SB2_N; j++)
            variance += slope[i] * covariance[i * SB2_N + j] * slope[j];
    return sqrt(variance);
}

static void derive_errors(const double own[SB2_N], const double covariance[SB2_N * SB2_N],
                          const double derived[N_DERIVED], double errors[N_DERIVED])
{
    double slopes[N_DERIVED][SB2_N];
    const double near[2] = {derived[OMEGA], -derived[PERICENTRE] * own[SB2_MOTION]};
    for (int j = 0; j < SB2_N; j++) {
        double step = 1e-4 * sqrt(covariance[j * SB2_N + j]), moved[SB2_N], side[2][N_DERIVED];
        for (int s = 0; s < 2; s++) {
            memcpy(moved, own, sizeof moved);
            moved[j] += s ? step : -step;
            derive(moved, near, side[s]);
        }
        for (int i = 0; i < N_DERIVED; i++)
            slopes[i][j] = (side[1][i] - side[0][i]) / (2.0 * step);
    }
    for (int i = 0; i < N_DERIVED; i++)
        errors[i] = propagate(slopes[i], covariance);
}

static void fill_covariance(const double own[SB2_N], const double from[SB2_N * SB2_N],
                            equant_sb2_orbit *orbit)
{
    static const int order[SB2_N] = {SB2_MOTION, SB2_COSINE, SB2_SINE, SB2_LONGITUDE,
                                     SB2_GAMMA,  SB2_K1,     SB2_K2};
    double by[SB2_N] = {-TWO_PI / (own[SB2_MOTION] * own[SB2_MOTION]), 1, 1, 1, 1, 1, 1};
    for (int i = 0; i < SB2_N; i++)
        for (int j = 0; j < SB2_N; j++)
            orbit->covariance[i * SB2_N + j] = by[i] * by[j] * from[order[i] * SB2_N + order[j]];
}

static void fill_elements(const sb2_epochs *epochs, const sb2_solution *best,
                          equant_sb2_orbit *orbit)
{
    const double *own = best->elements;
    double derived[N_DERIVED], errors[N_DERIVED], covariance[SB2_N * SB2_N];
    double omega = atan2(own[SB2_SINE], own[SB2_COSINE]);
    const double near[2] = {omega < 0.0 ? omega + TWO_PI : omega, 0.0};
    derive(own, near, derived);
    bool is_known = sb2_refine_covariance(epochs, best, covariance);
    if (is_known) {
        derive_errors(own, covariance, derived, errors);
        fill_covariance(own, covariance, orbit);
    }
    for (int i = 0; i < N_DERIVED && !is_known; i++)
        errors[i] = NAN;
    orbit->period_days = derived[PERIOD];
    orbit->period_days_err = errors[PERIOD];
    orbit->eccentricity = derived[ECCENTRICITY];
    orbit->eccentricity_err = errors[ECCENTRICITY];
    orbit->omega_rad = derived[OMEGA];
    orbit->omega_rad_err = errors[OMEGA];
    orbit->t_peri_days = epochs->reference_days + derived[PERICENTRE];
    orbit->t_peri_days_err = errors[PERICENTRE];
    orbit->gamma_m_s = own[SB2_GAMMA];
    orbit->gamma_m_s_err = is_known ? sqrt(covariance[SB2_GAMMA * (SB2_N + 1)]) : NAN;
    orbit->mass_ratio = derived[RATIO];
    orbit->mass_ratio_err = errors[RATIO];
    for (int i = 0; i < 2; i++) {
        orbit->k_m_s[i] = own[SB2_K1 + i];
        orbit->k_m_s_err[i] = is_known ? sqrt(covariance[(SB2_K1 + i) * (SB2_N + 1)]) : NAN;
        orbit->mass_sin3_sun[i] = derived[MASS_1 + i];
        orbit->mass_sin3_sun_err[i] = errors[MASS_1 + i];
        orbit->a_sin_i_au[i] = derived[AXIS_1 + i];
        orbit->a_sin_i_au_err[i] = errors[AXIS_1 + i];
    }
}

/* ---- the fit -----------------------------------------------------------------------------------
 */

static void count(const sb2_epochs *epochs, const double *swapped, equant_sb2_orbit *orbit)
{
    orbit->n_rows = epochs->n;
    for (size_t k = 0; k < epochs->n; k++) {
        for (int i = 0; i < 2; i++)
            orbit->n_velocities += !isnan(epochs->rows[k].velocity[i]);
        orbit->n_swapped += swapped[k] > 0.5;
    }
}

static void describe(const sb2_epochs *epochs, const equant_sb2_options *options, size_t n,
                     sb2_solution *solutions, double n_frequencies, double *swapped,
                     equant_sb2_orbit *orbit)
{
    sb2_solution *best = &solutions[0];
    order_stars(epochs, best);
    fill_elements(epochs, best, orbit);
    sb2_model_likelihood(epochs, best->elements, best->jitter_m_s, NULL, swapped);
    count(epochs, swapped, orbit);
    orbit->jitter_m_s = best->jitter_m_s;
    orbit->log_likelihood = best->log_likelihood;
    orbit->chi_square = sb2_model_chi_square(epochs, best->elements, best->jitter_m_s);
    orbit->gain = best->log_likelihood - sb2_model_constant(epochs, !options->no_jitter);
    orbit->log_odds = orbit->gain - 0.5 * (SB2_N - 2) * log((double)orbit->n_velocities) -
                      log(fmax(1.0, n_frequencies));
    orbit->next_period_days = n > 1 ? period_of(&solutions[1]) : NAN;
    orbit->next_log_ratio = n > 1 ? solutions[1].log_likelihood - best->log_likelihood : NAN;
}

static equant_status look_for(const sb2_epochs *epochs, const equant_sb2_options *options,
                              double *swapped, equant_sb2_orbit *orbit)
{
    sb2_start starts[SB2_MOST_STARTS];
    sb2_solution solutions[SB2_MOST_STARTS];
    size_t n = 0;
    double n_frequencies = 0.0;
    double e_max =
        options->eccentricity_max > 0.0 ? options->eccentricity_max : USUAL_ECCENTRICITY_MAX;
    const sb2_scan_range range = {
        .period_min_days =
            options->period_min_days > 0.0 ? options->period_min_days : USUAL_PERIOD_MIN_DAYS,
        .period_max_days =
            options->period_max_days > 0.0 ? options->period_max_days : 2.0 * epochs->span_days,
        .eccentricity_max = e_max,
        .n_threads =
            placement_threads(OPTION_OR_ZERO(options->engine, equant_engine_options, n_threads))};
    if (!(e_max < 1.0) || !(range.period_min_days < range.period_max_days))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods from %g to %g days with eccentricities up to %g are no range; "
                           "the epochs span %g days",
                           range.period_min_days, range.period_max_days, e_max, epochs->span_days);
    equant_status status = sb2_scan_run(epochs, &range, &n, starts, &n_frequencies);
    if (status != EQUANT_SUCCESS)
        return status;
    n = refine(epochs, options, &range, n, starts, solutions);
    if (n == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no orbit of two stars explains these velocities");
    describe(epochs, options, n, solutions, n_frequencies, swapped, orbit);
    return EQUANT_SUCCESS;
}

static equant_status check(const equant_sb2 *data, sb2_epochs *epochs)
{
    double first = INFINITY, last = -INFINITY, sum = 0.0;
    size_t n_both = 0;
    for (size_t k = 0; k < data->n; k++) {
        const sb2_row *row = &data->rows[k];
        n_both += !isnan(row->velocity[0]) && !isnan(row->velocity[1]);
        first = fmin(first, row->time_days);
        last = fmax(last, row->time_days);
        sum += row->time_days;
    }
    if (n_both < LEAST_ROWS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "%zu epochs with two velocities; an orbit of two stars needs %d", n_both,
                           LEAST_ROWS);
    if (!(last > first))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "all epochs are of the same time");
    epochs->reference_days = sum / (double)data->n;
    epochs->span_days = last - first;
    return EQUANT_SUCCESS;
}

equant_status equant_sb2_fit(const equant_sb2 *data, const equant_sb2_options *options,
                             equant_sb2_orbit *orbit, double *swapped)
{
    if (data == NULL || orbit == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "an orbit of two stars needs epochs and a place for it");
    equant_sb2_options own;
    equant_sb2_orbit found = {0};
    equant_status status = OPTIONS_CHECK(options);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(orbit);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(own, options);
    sb2_epochs epochs = {
        .n = data->n, .rows = data->rows, .keeps_roles = own.keep_roles != 0, .left_out = SB2_ALL};
    status = check(data, &epochs);
    if (status != EQUANT_SUCCESS)
        return status;
    double *second = malloc(data->n * sizeof *second);
    if (second == NULL)
        return status_out_of_memory();
    status = look_for(&epochs, &own, second, &found);
    if (status == EQUANT_SUCCESS && swapped != NULL)
        memcpy(swapped, second, data->n * sizeof *second);
    free(second);
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(found, orbit);
    return status;
}

equant_status equant_sb2_velocities(const equant_sb2_orbit *orbit, size_t n,
                                    const double *time_days, double *velocity_1_m_s,
                                    double *velocity_2_m_s)
{
    equant_sb2_orbit own;
    equant_status status = OPTIONS_CHECK(orbit);
    if (status != EQUANT_SUCCESS)
        return status;
    OPTIONS_TAKE(own, orbit);
    if (orbit == NULL || (n > 0 && time_days == NULL) || !(own.period_days > 0.0) ||
        !(own.eccentricity >= 0.0 && own.eccentricity < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "velocities need an orbit and times");
    const double elements[SB2_N] = {[SB2_MOTION] = TWO_PI / own.period_days,
                                    [SB2_LONGITUDE] = own.omega_rad,
                                    [SB2_COSINE] = own.eccentricity * cos(own.omega_rad),
                                    [SB2_SINE] = own.eccentricity * sin(own.omega_rad)};
    for (size_t k = 0; k < n; k++) {
        double x = sb2_model_shape(elements, time_days[k] - own.t_peri_days, NULL);
        if (velocity_1_m_s != NULL)
            velocity_1_m_s[k] = own.gamma_m_s + own.k_m_s[0] * x;
        if (velocity_2_m_s != NULL)
            velocity_2_m_s[k] = own.gamma_m_s - own.k_m_s[1] * x;
    }
    return EQUANT_SUCCESS;
}
