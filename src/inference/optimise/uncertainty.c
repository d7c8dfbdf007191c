#include "inference/optimise/uncertainty.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/noise_fit.h"
#include "inference/optimise/jitter.h"
#include "inference/likelihood/small_matrix.h"
#include "model/circle.h"
#include "model/period_resolution.h"

/* Columns of EQUANT_BASIS_REGULAR. */
enum { LN_PERIOD, LN_K, E_COS_OMEGA, E_SIN_OMEGA, LAMBDA };

void uncertainty_free(uncertainty *made)
{
    free(made->regular);
    free(made->elements);
    memset(made, 0, sizeof *made);
}

double uncertainty_scale(const study *star, const solution *fitted, size_t n_fitted)
{
    double freedom = (double)star->n_obs - (double)n_fitted;
    double chi_square = isfinite(fitted->chi_square) ? fitted->chi_square : (double)star->n_obs;
    return freedom > 0.0 ? fmax(1.0, chi_square / freedom) : NAN;
}

/* Whether errors of jitters come with those of correlated noise: an evaluator gives them else. */
static bool has_own_noise(const solution *fitted)
{
    return fitted->noise.terms != 0 || fitted->noise.indicators != 0 || fitted->noise.outliers;
}

/* Columns that were not fitted, and those of correlated noise, whose errors come otherwise. */
static bool is_held(const study *star, const solution *fitted, const parameter_layout *layout,
                    const bool *is_fixed, size_t column)
{
    size_t first = study_first_indicator(star, fitted->n_planets, fitted->trend_order);
    if (column < layout->columns[TERM_OFFSETS].first)
        return is_fixed[column / N_ELEMENTS];
    if (column < first)
        return false;
    if (column < parameter_layout_first_noise(layout))
        return !(fitted->noise.indicators >> (column - first) & 1);
    return has_own_noise(fitted) || column >= parameter_layout_end(layout, TERM_JITTERS) ||
           fitted->set[column] == 0.0;
}

/* Inverts the Fisher matrix of the columns that are free. */
static equant_status invert_free(const study *star, const solution *fitted, const bool *is_fixed,
                                 const double *fisher, uncertainty *made)
{
    size_t n = made->n, n_free = 0;
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    size_t *free_columns = malloc((n + 1) * sizeof *free_columns);
    double *matrix = malloc((2 * n * n + 1) * sizeof *matrix);
    if (!free_columns || !matrix) {
        free(free_columns);
        free(matrix);
        return status_out_of_memory();
    }
    for (size_t i = 0; i < n; i++) {
        bool held = is_held(star, fitted, &layout, is_fixed, i);
        if (!held)
            free_columns[n_free++] = i;
    }
    double *inverse = matrix + n_free * n_free;
    for (size_t i = 0; i < n_free; i++)
        for (size_t j = 0; j < n_free; j++)
            matrix[i * n_free + j] = fisher[free_columns[i] * n + free_columns[j]];
    small_matrix_factor(n_free, matrix);
    small_matrix_invert(n_free, matrix, inverse);
    double scale = uncertainty_scale(star, fitted, n_free);
    for (size_t i = 0; i < n_free; i++)
        for (size_t j = 0; j < n_free; j++)
            made->regular[free_columns[i] * n + free_columns[j]] = scale * inverse[i * n_free + j];
    free(free_columns);
    free(matrix);
    return EQUANT_SUCCESS;
}

/* The derivatives of the elements P, K, e, omega, M0 by the regular coordinates. */
static void elements_by_regular(const double elements[N_ELEMENTS],
                                double derivative[N_ELEMENTS][N_ELEMENTS])
{
    double e = fmax(elements[ELEMENT_ECCENTRICITY], 1e-12); /* omega means nothing on a circle */
    double cosine = cos(elements[ELEMENT_OMEGA]), sine = sin(elements[ELEMENT_OMEGA]);
    memset(derivative, 0, 25 * sizeof(double));
    derivative[0][LN_PERIOD] = elements[ELEMENT_PERIOD];
    derivative[1][LN_K] = elements[ELEMENT_K];
    derivative[2][E_COS_OMEGA] = cosine;
    derivative[2][E_SIN_OMEGA] = sine;
    derivative[3][E_COS_OMEGA] = -sine / e;
    derivative[3][E_SIN_OMEGA] = cosine / e;
    derivative[4][E_COS_OMEGA] = sine / e;
    derivative[4][E_SIN_OMEGA] = -cosine / e;
    derivative[4][LAMBDA] = 1.0;
}

/* Rows of a matrix [n][n] that belong to planets, turned into elements; applied to rows and,
 * by symmetry, to columns. */
static void turn_rows(const solution *fitted, size_t n, const double *from, double *to)
{
    memcpy(to, from, n * n * sizeof *to);
    for (size_t p = 0; p < fitted->n_planets; p++) {
        double derivative[N_ELEMENTS][N_ELEMENTS];
        elements_by_regular(fitted->set + N_ELEMENTS * p, derivative);
        for (size_t i = 0; i < N_ELEMENTS; i++)
            for (size_t column = 0; column < n; column++) {
                double sum = 0.0;
                for (size_t j = 0; j < N_ELEMENTS; j++)
                    if (derivative[i][j] != 0.0)
                        sum += derivative[i][j] * from[(N_ELEMENTS * p + j) * n + column];
                to[(N_ELEMENTS * p + i) * n + column] = sum;
            }
    }
}

static void transpose(size_t n, double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double kept = matrix[i * n + j];
            matrix[i * n + j] = matrix[j * n + i];
            matrix[j * n + i] = kept;
        }
}

/* Noise that is correlated, with the jitters beside it. */
static equant_status add_noise(study *star, const solution *fitted, const bool *is_fixed,
                               uncertainty *made)
{
    const study_shape shape = solution_shape(fitted);
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    size_t first = parameter_layout_first_noise(&layout), n = made->n - first;
    if (!has_own_noise(fitted))
        return EQUANT_SUCCESS;
    bool *is_free = malloc((first + 1) * sizeof *is_free);
    double *covariance = malloc((n * n + 1) * sizeof *covariance);
    equant_status status = is_free && covariance ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < first && status == EQUANT_SUCCESS; i++)
        is_free[i] = !is_held(star, fitted, &layout, is_fixed, i);
    const noise_fit_problem problem = {.shape = &shape, .is_free = is_free};
    if (status == EQUANT_SUCCESS)
        status = noise_fit_covariance(star, &problem, fitted->set, covariance);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        memcpy(made->regular + (first + i) * made->n + first, covariance + i * n,
               n * sizeof *covariance);
    free(is_free);
    free(covariance);
    return status;
}

equant_status uncertainty_create(study *star, const solution *fitted, const bool *is_fixed,
                                 uncertainty *made)
{
    const study_shape shape = solution_shape(fitted);
    size_t n = study_layout(star, fitted->n_planets, fitted->trend_order).n_parameters;
    made->n = n;
    made->regular = calloc(n * n, sizeof *made->regular);
    made->elements = calloc(n * n, sizeof *made->elements);
    double *fisher = malloc(n * n * sizeof *fisher);
    equant_status status = EQUANT_SUCCESS;
    if (!made->regular || !made->elements || !fisher)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_differentiate(star, &shape, EQUANT_BASIS_REGULAR, fitted->set, NULL,
                                              NULL, fisher);
    if (status == EQUANT_SUCCESS)
        status = invert_free(star, fitted, is_fixed, fisher, made);
    if (status == EQUANT_SUCCESS)
        status = add_noise(star, fitted, is_fixed, made);
    if (status == EQUANT_SUCCESS) {
        turn_rows(fitted, n, made->regular, fisher);
        transpose(n, fisher);
        turn_rows(fitted, n, fisher, made->elements);
    }
    free(fisher);
    if (status != EQUANT_SUCCESS)
        uncertainty_free(made);
    return status;
}

equant_status uncertainty_take(const solution *fitted, size_t n, const double *regular,
                               uncertainty *made)
{
    made->n = n;
    made->regular = malloc(n * n * sizeof *made->regular);
    made->elements = malloc(n * n * sizeof *made->elements);
    double *turned = malloc(n * n * sizeof *turned);
    if (!made->regular || !made->elements || !turned) {
        uncertainty_free(made);
        free(turned);
        return status_out_of_memory();
    }
    memcpy(made->regular, regular, n * n * sizeof *regular);
    turn_rows(fitted, n, made->regular, turned);
    transpose(n, turned);
    turn_rows(fitted, n, turned, made->elements);
    free(turned);
    return EQUANT_SUCCESS;
}

/* K over its standard error, at least, where few observations share in the signal. */
#define MEASURED_RATIO 3.0

/* How many observations share in the signal of a planet: (sum c)^2 / sum c^2 of what each
 * contributes to its chi-square, as many as there are when all contribute alike. */
static equant_status n_sharing(study *star, noise_choice noise, const double elements[N_ELEMENTS],
                               const double *jitters, double *n)
{
    const study_shape shape = {.n_planets = 1};
    size_t n_obs = star->n_obs;
    double *set = calloc(study_layout(star, 1, 0).n_parameters, sizeof *set),
           *v = malloc(2 * n_obs * sizeof *v);
    set_likelihood_results results = {.velocities = v};
    equant_status status = set && v ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        memcpy(set, elements, N_ELEMENTS * sizeof *set);
        status = set_likelihood_evaluate(star, &shape, set, &results);
    }
    if (status == EQUANT_SUCCESS) {
        double *root_weight = v + n_obs, weights = 0.0, mean = 0.0, sum = 0.0, squares = 0.0;
        noise_root_weights(star, noise, jitters, root_weight);
        for (size_t k = 0; k < n_obs; k++) {
            double w = root_weight[k] * root_weight[k];
            weights += w;
            mean += w * v[k];
        }
        mean /= weights;
        for (size_t k = 0; k < n_obs; k++) {
            double share = root_weight[k] * (v[k] - mean);
            sum += share * share;
            squares += share * share * share * share;
        }
        *n = squares > 0.0 ? sum * sum / squares : 0.0;
    }
    free(set);
    free(v);
    return status;
}

/* Whether a planet is known to be probable, however few observations share in it. */
static bool is_trusted(const study *star, double period_days)
{
    for (size_t i = 0; i < star->n_trusted; i++)
        if (period_resolution_apart(period_days, star->trusted_days[i], star->span_days) <
            PERIOD_ONE_PEAK)
            return true;
    return false;
}

equant_status uncertainty_measure(study *star, const solution *fitted, size_t n_fixed,
                                  measurement *made)
{
    bool is_fixed[STUDY_MAX_PLANETS] = {false};
    for (size_t p = 0; p < n_fixed; p++)
        is_fixed[p] = true;
    uncertainty known;
    equant_status status = uncertainty_create(star, fitted, is_fixed, &known);
    if (status != EQUANT_SUCCESS)
        return status;
    const double *jitters = solution_values(star, fitted, TERM_JITTERS);
    *made = (measurement){.is_one = true};
    for (size_t p = n_fixed; p < fitted->n_planets && made->is_one && status == EQUANT_SUCCESS;
         p++) {
        size_t column = N_ELEMENTS * p + LN_K;
        double sigma = sqrt(known.regular[column * known.n + column]), n = NAN;
        if (sigma * MEASURED_RATIO < 1.0 || is_trusted(star, fitted->set[N_ELEMENTS * p]))
            continue;
        if (!isnan(sigma))
            status = n_sharing(star, fitted->noise, fitted->set + N_ELEMENTS * p, jitters, &n);
        if (!(n >= MEASUREMENT_SHARERS))
            *made = (measurement){.is_one = false, .planet = p, .n_sharing = n};
    }
    uncertainty_free(&known);
    return status;
}

equant_status uncertainty_n_sharing(study *star, const solution *fitted, size_t planet, double *n)
{
    return n_sharing(star, fitted->noise, fitted->set + N_ELEMENTS * planet,
                     solution_values(star, fitted, TERM_JITTERS), n);
}

equant_status uncertainty_open_amplitude(study *star, const solution *fitted, size_t n_fixed,
                                         size_t *planet)
{
    bool is_fixed[STUDY_MAX_PLANETS] = {false};
    for (size_t p = 0; p < n_fixed; p++)
        is_fixed[p] = true;
    uncertainty known;
    equant_status status = uncertainty_create(star, fitted, is_fixed, &known);
    *planet = fitted->n_planets;
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t p = fitted->n_planets; p-- > n_fixed;) {
        size_t column = N_ELEMENTS * p + LN_K;
        if (!(known.regular[column * known.n + column] < 1.0))
            *planet = p;
    }
    uncertainty_free(&known);
    return EQUANT_SUCCESS;
}

equant_status uncertainty_measured(study *star, const solution *fitted, size_t n_fixed,
                                   bool *measured)
{
    measurement made;
    equant_status status = uncertainty_measure(star, fitted, n_fixed, &made);
    if (status == EQUANT_SUCCESS)
        *measured = made.is_one;
    return status;
}

/* One column becomes itself plus a multiple of another one. */
static void add_column(size_t n, double *covariance, size_t to, size_t from, double factor)
{
    for (size_t j = 0; j < n; j++)
        covariance[to * n + j] += factor * covariance[from * n + j];
    for (size_t i = 0; i < n; i++)
        covariance[i * n + to] += factor * covariance[i * n + from];
}

/* The drift until the reference time is part of the offsets there, its curvature of the slope. */
static void drift_to_reference(const parameter_layout *layout, double days, double *set,
                               uncertainty *known)
{
    size_t slope = layout->columns[TERM_TREND].first, curvature = slope + 1;
    parameter_columns offsets = layout->columns[TERM_OFFSETS];
    double *matrices[] = {known->regular, known->elements};
    for (size_t i = offsets.first; i < offsets.first + offsets.n; i++) {
        double power = days;
        for (int order = 0; order < layout->trend_order; order++, power *= days) {
            set[i] += power * set[slope + (size_t)order];
            for (size_t m = 0; m < 2; m++)
                add_column(known->n, matrices[m], i, slope + (size_t)order, power);
        }
    }
    if (layout->trend_order < 2)
        return;
    set[slope] += 2.0 * days * set[curvature];
    for (size_t m = 0; m < 2; m++)
        add_column(known->n, matrices[m], slope, curvature, 2.0 * days);
}

void uncertainty_to_reference(const study *star, solution *fitted, uncertainty *known)
{
    double days = study_days_to_reference(star);
    if (days == 0.0)
        return;
    parameter_layout layout = study_layout(star, fitted->n_planets, fitted->trend_order);
    study_orbits_to_reference(star, fitted->n_planets, fitted->set);
    for (size_t p = 0; p < fitted->n_planets; p++) {
        size_t first = N_ELEMENTS * p;
        double per_ln_period = -TWO_PI * days / fitted->set[first + ELEMENT_PERIOD];
        add_column(known->n, known->regular, first + LAMBDA, first + LN_PERIOD, per_ln_period);
        add_column(known->n, known->elements, first + ELEMENT_M0, first + ELEMENT_PERIOD,
                   per_ln_period / fitted->set[first + ELEMENT_PERIOD]);
    }
    drift_to_reference(&layout, days, fitted->set, known);
}

/* The elements of a planet from its regular coordinates. */
static void elements_of(const double regular[N_ELEMENTS], double elements[N_ELEMENTS])
{
    double omega = atan2(regular[E_SIN_OMEGA], regular[E_COS_OMEGA]);
    elements[ELEMENT_PERIOD] = exp(regular[LN_PERIOD]);
    elements[ELEMENT_K] = exp(regular[LN_K]);
    elements[ELEMENT_ECCENTRICITY] =
        fmin(hypot(regular[E_COS_OMEGA], regular[E_SIN_OMEGA]), 1.0 - 1e-12);
    elements[ELEMENT_OMEGA] = omega;
    elements[ELEMENT_M0] = orbit_nearest_turn(regular[LAMBDA] - omega);
}

/* A derived quantity of a planet in regular coordinates; times count from the reference time. */
static double derive(const quantity_kind *kind, const double regular[N_ELEMENTS], star_values host)
{
    double elements[N_ELEMENTS];
    elements_of(regular, elements);
    keplerian_orbit own = quantities_orbit(elements, host);
    return kind->info.needs_star_mass && isnan(own.M_star) ? NAN : kind->formula(&own);
}

/* What the errors of the star add to the variance of a derived quantity, to first order. */
static double variance_by_host(const quantity_kind *kind, const double regular[N_ELEMENTS],
                               const host_star *host)
{
    double variance = 0.0;
    for (size_t i = 0; i < N_STAR_PROPERTIES && kind->info.needs_star_mass; i++) {
        const double step = 1e-3;
        double deviates[N_STAR_PROPERTIES] = {0.0};
        if (!(host->error[i] > 0.0))
            continue;
        deviates[i] = step;
        double high = derive(kind, regular, host_star_at(host, deviates));
        deviates[i] = -step;
        double low = derive(kind, regular, host_star_at(host, deviates));
        double slope = (high - low) / (2.0 * step);
        variance += slope * slope;
    }
    return variance;
}

/* Differences of what is derived from the elements, times and angles by the shorter way. */
static double difference(const quantity_kind *kind, double period, double high, double low)
{
    double change = high - low, turn = kind->is_event ? period : TWO_PI;
    return kind->is_event || kind->info.is_angle ? change - turn * floor(change / turn + 0.5)
                                                 : change;
}

/* The derivatives of a derived quantity by the regular coordinates: there is no formula, and the
 * steps are well inside the uncertainty and well inside the scale on which the orbit changes.
 * Times count from the reference time: a Julian date would swallow the differences. */
static void derived_slope(const quantity_kind *kind, const double elements[N_ELEMENTS],
                          const double regular[N_ELEMENTS], const double *covariance, size_t n,
                          star_values host, double slope[N_ELEMENTS])
{
    for (size_t j = 0; j < N_ELEMENTS; j++) {
        double sigma = sqrt(covariance[j * n + j]);
        double step = fmin(1e-3 * sigma, 1e-5), moved[N_ELEMENTS];
        step = step > 0.0 ? step : 1e-8;
        memcpy(moved, regular, sizeof moved);
        moved[j] = regular[j] + step;
        double high = derive(kind, moved, host);
        moved[j] = regular[j] - step;
        double low = derive(kind, moved, host);
        slope[j] = difference(kind, elements[ELEMENT_PERIOD], high, low) / (2.0 * step);
    }
}

/* Standard error by first-order propagation. A quantity that is held fixed is a combination of
 * coordinates that vary: their terms cancel but for the rounding of the slopes, which may leave
 * less than nothing. */
static double propagated(const double slope[N_ELEMENTS], const double *covariance, size_t n)
{
    const double rounding = 1e-12; /* of a variance */
    double variance = 0.0, terms = 0.0;
    for (size_t i = 0; i < N_ELEMENTS; i++)
        for (size_t j = 0; j < N_ELEMENTS; j++) {
            double term = slope[i] * covariance[i * n + j] * slope[j];
            variance += term;
            terms += fabs(term);
        }
    return fabs(variance) < rounding * terms ? 0.0 : sqrt(variance);
}

void uncertainty_planet(const study *star, const solution *fitted, const uncertainty *known,
                        size_t planet, const host_star *host,
                        quantity_estimate estimates[QUANTITIES_MOST])
{
    const double *elements = fitted->set + N_ELEMENTS * planet;
    const double *covariance = known->regular + N_ELEMENTS * planet * (known->n + 1);
    double regular[N_ELEMENTS], own[N_ELEMENTS], slope[N_ELEMENTS][N_ELEMENTS],
        t_ref = star->reference_time_days;
    star_values exact = host_star_at(host, NULL);
    equant_basis_from_elements(EQUANT_BASIS_REGULAR, 1, elements, regular);
    elements_of(regular, own);
    elements_by_regular(elements, slope);
    for (size_t i = 0; i < quantity_catalogue_n(); i++) {
        const quantity_kind *kind = quantity_catalogue_at(i);
        quantity_estimate *made = &estimates[i];
        double derived[N_ELEMENTS];
        if (kind->info.role == EQUANT_QUANTITY_ELEMENT) {
            *made = (quantity_estimate){own[i], propagated(slope[i], covariance, known->n)};
        } else if (kind->formula != NULL) {
            derived_slope(kind, elements, regular, covariance, known->n, exact, derived);
            *made = (quantity_estimate){derive(kind, regular, exact),
                                        hypot(propagated(derived, covariance, known->n),
                                              sqrt(variance_by_host(kind, regular, host)))};
        } else {
            *made = (quantity_estimate){NAN, NAN};
        }
        if (kind->info.is_angle && made->value < 0.0)
            made->value += TWO_PI;
        /* On a circle the angle is unknown, and so it stays whatever the formula says. */
        if (kind->is_lost_on_circle)
            made->error = fmin(made->error, kind->is_event ? 0.5 * own[ELEMENT_PERIOD] : PI);
        if (kind->is_event)
            made->value = t_ref + made->value;
    }
}
