/* Derivatives in every basis: the Jacobian against differences in quadruple precision,
 * everything else against what its definition makes of the Jacobian, and profiles against
 * differences of what the evaluator says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "conformance/derivative_output.h"
#include "conformance/engines.h"
#include "equant.h"
#include "oracle/quad_least_squares.h"
#include "oracle/quad_orbit.h"

/* Nuisance parameters given and solved for, alone and together. */
static const trial_shape shapes[] = {
    {.seed = 11,
     .n_obs = 23,
     .n_sets = 9,
     .n_instruments = 2,
     .first_time = 2450000,
     .model = {.n_planets = 2, .trend_order = 2, .with_jitter = true}},
    {.seed = 12,
     .n_obs = 71,
     .n_sets = 9,
     .n_instruments = 3,
     .model = {.n_planets = 3, .trend_order = 2, .offsets_solved = true, .trend_solved = true}},
    {.seed = 13,
     .n_obs = 300,
     .n_sets = 9,
     .n_instruments = 2,
     .first_time = 2450000,
     .model = {.n_planets = 1, .trend_order = 1, .offsets_solved = true, .with_jitter = true}},
    {.seed = 14,
     .n_obs = 40,
     .n_sets = 9,
     .n_instruments = 1,
     .model = {.n_planets = 1, .trend_order = 1, .trend_solved = true, .with_jitter = true}},
    {.seed = 15,
     .n_obs = 12,
     .n_sets = 9,
     .n_instruments = 1,
     .model = {.n_planets = 0, .trend_order = 1, .with_jitter = true}},
    /* so many observations that a GPU shares them out among blocks */
    {.seed = 16,
     .n_obs = 1100,
     .n_sets = 2,
     .n_instruments = 2,
     .model = {.n_planets = 1, .trend_order = 1, .offsets_solved = true, .with_jitter = true}},
};
enum { N_SHAPES = sizeof shapes / sizeof *shapes };

static const double eccentricities[] = {0, 1e-12, 1e-6, 0.01, 0.3, 0.7, 0.9, 0.99, 0.9};
enum { N_ECCENTRICITIES = sizeof eccentricities / sizeof *eccentricities };

static trial trials[N_SHAPES];
static equant_engine_options engine = {.struct_size = sizeof engine};

static int draw_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        trial *t = &trials[i];
        *t = trial_create(&shapes[i]);
        for (size_t s = 0; s < t->n_sets; s++)
            for (size_t p = 0; p < t->oracle.n_planets; p++)
                t->parameters[s * t->n_parameters + 5 * p + 2] =
                    eccentricities[(s + p) % N_ECCENTRICITIES];
    }
    return 0;
}

static int free_trials(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++)
        trial_free(&trials[i]);
    return 0;
}

static double time_of(const trial *t, size_t k)
{
    return t->data.time_days[k] - t->data.reference_time_days;
}

static double weight_of(const trial *t, const double *set, size_t k)
{
    double sigma = t->data.uncertainty_m_s[k], jitter = 0;
    if (t->oracle.with_jitter)
        jitter = set[t->n_parameters - t->data.n_instruments + (size_t)t->data.instrument[k]];
    return 1 / (sigma * sigma + jitter * jitter);
}

/* ---- the Jacobian ------------------------------------------------------- */

/* Rounding the mean anomaly moves the star by up to (1 - e)^-3/2 times as much, which a
 * column feels in units of its largest value. */
static double tolerance_at(double eccentricity)
{
    return 2e-14 * pow(1 - eccentricity, -1.5);
}

static void check_planet(const trial *t, equant_basis basis, const double *elements,
                         const double *jacobian)
{
    double largest[5] = {0}, error[5] = {0};
    for (size_t k = 0; k < t->n_obs; k++) {
        double expected[5];
        quad_orbit_differentiate((quad_orbit_basis)basis, elements, time_of(t, k), expected);
        for (int i = 0; i < 5; i++) {
            largest[i] = fmax(largest[i], fabs(expected[i]));
            error[i] = fmax(error[i], fabs(jacobian[(size_t)i * t->n_obs + k] - expected[i]));
        }
    }
    for (int i = 0; i < 5; i++) {
        /* Differences of a root's neighbourhood see the square, the derivative does not. */
        bool flat = basis == EQUANT_BASIS_ROOTS && elements[2] < 1e-10 && (i == 2 || i == 3);
        double allowed = flat ? 1e-8 * elements[1] : tolerance_at(elements[2]) * largest[i];
        if (!(error[i] <= allowed))
            fail_msg("basis %d, e = %g, coordinate %d: off by %.2e of %.2e", (int)basis,
                     elements[2], i, error[i], largest[i]);
    }
}

/* Offsets, trend and jitters, all of them given. */
static void check_other_columns(const trial *t, const double *jacobian)
{
    size_t n = t->n_obs, n_instruments = t->data.n_instruments;
    for (size_t k = 0; k < n; k++) {
        const double *column = jacobian + 5 * t->oracle.n_planets * n + k;
        for (size_t i = 0; i < n_instruments; i++, column += n)
            assert_true(*column == ((size_t)t->data.instrument[k] == i));
        for (int j = 0; j < t->oracle.trend_order; j++, column += n)
            assert_true(*column == (j == 0 ? 1 : time_of(t, k)) * time_of(t, k));
        for (size_t i = 0; t->oracle.with_jitter && i < n_instruments; i++, column += n)
            assert_true(*column == 0);
    }
}

static void jacobian_is_that_of_the_oracle(void **state)
{
    (void)state;
    const trial *t = &trials[0];
    derivative_output output = derivative_output_create(t);
    for (int basis = 0; basis < N_BASES; basis++) {
        derivative_output_run(t, &engine, (equant_basis)basis, t->n_sets, &output);
        for (size_t s = 0; s < t->n_sets; s++) {
            const double *jacobian =
                output.derivatives.jacobian + s * derivative_length(t, N_DERIVATIVE_MEMBERS - 1);
            for (size_t p = 0; p < t->oracle.n_planets; p++)
                check_planet(t, (equant_basis)basis, t->parameters + s * t->n_parameters + 5 * p,
                             jacobian + 5 * p * t->n_obs);
            check_other_columns(t, jacobian);
        }
    }
    derivative_output_free(&output);
}

/* ---- products ----------------------------------------------------------- */

/* Products of the returned columns among themselves and with the residuals. */
static void check_products(const trial *t, const equant_derivatives *d, size_t s,
                           const double *residuals)
{
    size_t p = t->n_parameters, n = t->n_obs, n_jitters = 0;
    if (t->oracle.with_jitter)
        n_jitters = t->data.n_instruments;
    const double *set = t->parameters + s * p, *jacobian = d->jacobian + s * p * n;
    for (size_t i = 0; i < p - n_jitters; i++) {
        long double product = 0, size = 0;
        for (size_t k = 0; k < n; k++) {
            long double term =
                jacobian[i * n + k] * (long double)weight_of(t, set, k) * residuals[s * n + k];
            product += term;
            size += fabsl(term);
        }
        double allowed = 1e-11 * (double)size;
        assert_true(fabs((double)(d->chi_square_gradient[s * p + i] + 2 * product)) <= 2 * allowed);
        assert_true(fabs((double)(d->log_likelihood_gradient[s * p + i] - product)) <= allowed);
        for (size_t j = 0; j < p; j++) {
            long double sum = 0;
            size = 0;
            for (size_t k = 0; k < n; k++) {
                long double term =
                    jacobian[i * n + k] * (long double)weight_of(t, set, k) * jacobian[j * n + k];
                sum += term;
                size += fabsl(term);
            }
            double *fisher = d->fisher + s * p * p;
            assert_true(fabs((double)(fisher[i * p + j] - sum)) <= 1e-11 * (double)size);
            assert_true(fisher[i * p + j] == fisher[j * p + i]);
        }
    }
}

static void check_jitters(const trial *t, const equant_derivatives *d, size_t s,
                          const double *residuals)
{
    size_t p = t->n_parameters, n = t->n_obs;
    const double *set = t->parameters + s * p;
    for (size_t i = 0; i < t->data.n_instruments; i++) {
        size_t column = p - t->data.n_instruments + i;
        long double w1 = 0, w2 = 0, w2_r2 = 0, jitter = set[column];
        for (size_t k = 0; k < n; k++) {
            long double w = weight_of(t, set, k), r = residuals[s * n + k];
            if ((size_t)t->data.instrument[k] != i)
                continue;
            w1 += w;
            w2 += w * w;
            w2_r2 += w * w * r * r;
        }
        double chi = (double)(-2 * jitter * w2_r2), like = (double)(jitter * (w2_r2 - w1));
        double size = (double)(jitter * (w2_r2 + w1)), square = (double)(2 * jitter * jitter * w2);
        assert_true(fabs(d->chi_square_gradient[s * p + column] - chi) <= -1e-12 * chi);
        assert_true(fabs(d->log_likelihood_gradient[s * p + column] - like) <= 1e-12 * size);
        for (size_t j = 0; j < p; j++) {
            double expected = j == column ? square : 0;
            assert_true(fabs(d->fisher[(s * p + column) * p + j] - expected) <= 1e-12 * expected);
            assert_true(fabs(d->fisher[(s * p + j) * p + column] - expected) <= 1e-12 * expected);
        }
    }
}

/* Where nuisance parameters are solved for, the columns are what is left beside them: their
 * products are those of the profile. */
static void gradients_and_fisher_follow_from_the_jacobian(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        derivative_output output = derivative_output_create(t);
        trial_output evaluated = trial_output_create(t, t->n_sets);
        trial_run(t, &engine, t->n_sets, &evaluated);
        for (int basis = 0; basis < N_BASES; basis++) {
            derivative_output_run(t, &engine, (equant_basis)basis, t->n_sets, &output);
            for (size_t s = 0; s < t->n_sets; s++) {
                check_products(t, &output.derivatives, s, evaluated.results.residuals);
                if (t->oracle.with_jitter)
                    check_jitters(t, &output.derivatives, s, evaluated.results.residuals);
            }
        }
        trial_output_free(&evaluated);
        derivative_output_free(&output);
    }
}

/* ---- nuisance parameters solved for ------------------------------------- */

/* The same star with nothing solved for, its nuisance parameters those found for t. */
static trial with_all_given(const trial *t, const trial_shape *shape, const double *linear)
{
    trial_shape given = *shape;
    given.model.offsets_solved = given.model.trend_solved = false;
    trial g = trial_create(&given);
    size_t n_front = 5 * t->oracle.n_planets;
    size_t n_jitters = t->oracle.with_jitter ? t->data.n_instruments : 0;
    for (size_t s = 0; s < t->n_sets; s++) {
        const double *from = t->parameters + s * t->n_parameters;
        double *to = g.parameters + s * g.n_parameters;
        memcpy(to, from, n_front * sizeof *to);
        memcpy(to + n_front, linear + s * t->n_linear, t->n_linear * sizeof *to);
        memcpy(to + n_front + t->n_linear, from + t->n_parameters - n_jitters,
               n_jitters * sizeof *to);
    }
    return g;
}

/* What weighted least squares in quadruple precision leaves of a column. */
static void project(const trial *t, const double *set, double *column)
{
    size_t n = t->n_obs, n_solved = 0;
    __float128 *memory = trial_allocate(n * (t->n_linear + 2), sizeof *memory);
    __float128 *weights = memory, *targets = memory + n, *design = memory + 2 * n;
    __float128 solution[QUAD_LEAST_SQUARES_MAX];
    double *inverse = trial_allocate(n * t->n_linear, sizeof *inverse), condition;
    for (size_t k = 0; k < n; k++) {
        weights[k] = weight_of(t, set, k);
        targets[k] = column[k];
    }
    for (size_t j = 0; j < t->n_linear; j++) {
        bool offset = j < t->data.n_instruments;
        if (!(offset ? t->oracle.offsets_solved : t->oracle.trend_solved))
            continue;
        for (size_t k = 0; k < n; k++)
            design[n_solved * n + k] = oracle_design(&t->data, j, k);
        n_solved++;
    }
    assert_true(quad_least_squares_solve(n, n_solved, design, weights, targets, solution, inverse,
                                         &condition));
    for (size_t k = 0; k < n; k++) {
        for (size_t j = 0; j < n_solved; j++)
            targets[k] -= solution[j] * design[j * n + k];
        column[k] = (double)targets[k];
    }
    free(memory);
    free(inverse);
}

static void check_projection(const trial *t, const double *set, const double *given,
                             const double *solved)
{
    size_t n = t->n_obs;
    double *column = trial_allocate(n, sizeof *column), largest = 0;
    memcpy(column, given, n * sizeof *column);
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(given[k]));
    project(t, set, column);
    for (size_t k = 0; k < n; k++)
        if (!(fabs(solved[k] - column[k]) <= 1e-12 * largest))
            fail_msg("off by %.2e of %.2e", solved[k] - column[k], largest);
    free(column);
}

static void solved_parameters_take_their_share_of_the_jacobian(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        trial_output evaluated = trial_output_create(t, t->n_sets);
        trial_run(t, &engine, t->n_sets, &evaluated);
        trial g = with_all_given(t, &shapes[i], evaluated.results.linear);
        derivative_output solved = derivative_output_create(t);
        derivative_output given = derivative_output_create(&g);
        derivative_output_run(t, &engine, EQUANT_BASIS_LINEAR, t->n_sets, &solved);
        derivative_output_run(&g, &engine, EQUANT_BASIS_LINEAR, g.n_sets, &given);
        for (size_t s = 0; s < t->n_sets; s++)
            for (size_t j = 0; j < 5 * t->oracle.n_planets; j++)
                check_projection(t, t->parameters + s * t->n_parameters,
                                 given.derivatives.jacobian + (s * g.n_parameters + j) * g.n_obs,
                                 solved.derivatives.jacobian +
                                     (s * t->n_parameters + j) * t->n_obs);
        derivative_output_free(&solved);
        derivative_output_free(&given);
        trial_output_free(&evaluated);
        trial_free(&g);
    }
}

/* ---- profiles ----------------------------------------------------------- */

/* A step in coordinate i that moves no velocity by more than about 1e-3 of its size. */
static double step_of(const trial *t, equant_basis basis, const double *elements, size_t i)
{
    double span = fmax(fabs(time_of(t, 0)), fabs(time_of(t, t->n_obs - 1)));
    double phase = elements[0] / (6.3 * span + elements[0]), k = elements[1];
    const double steps[N_BASES][5] = {{elements[0] * phase, k, 1, 1, 1},
                                      {phase, 1, 1, 1, 1},
                                      {phase, sqrt(k), 1, 1, 1},
                                      {phase, 1, 1, k, k}};
    return 5e-4 * steps[basis][i];
}

/* Chi-square and likelihood where one coordinate of one planet is moved. */
static void evaluate_moved(const trial *t, equant_evaluator *evaluator, equant_basis basis,
                           const double *set, size_t coordinate, double step, double value[2])
{
    double *moved = trial_allocate(t->n_parameters, sizeof *moved);
    double *planet = moved + coordinate / 5 * 5;
    memcpy(moved, set, t->n_parameters * sizeof *moved);
    trial_require(equant_basis_from_elements(basis, 1, planet, planet), "from_elements");
    moved[coordinate] += step;
    trial_require(equant_basis_to_elements(basis, 1, planet, planet), "to_elements");
    equant_results results = {
        .struct_size = sizeof results, .chi_square = &value[0], .log_likelihood = &value[1]};
    trial_require(equant_evaluator_evaluate(evaluator, 1, moved, &results), "evaluate");
    free(moved);
}

static void check_profile(const trial *t, equant_evaluator *evaluator, equant_basis basis,
                          const double *set, const equant_derivatives *d, size_t coordinate)
{
    double step = step_of(t, basis, set + coordinate / 5 * 5, coordinate % 5), side[2][2];
    for (int j = 0; j < 2; j++) {
        double above[2], below[2], distance = (j + 1) * step;
        evaluate_moved(t, evaluator, basis, set, coordinate, distance, above);
        evaluate_moved(t, evaluator, basis, set, coordinate, -distance, below);
        for (int q = 0; q < 2; q++)
            side[j][q] = above[q] - below[q];
    }
    size_t p = t->n_parameters;
    double size = sqrt(*d->chi_square * d->fisher[coordinate * p + coordinate]);
    double gradient[2] = {d->chi_square_gradient[coordinate],
                          d->log_likelihood_gradient[coordinate]};
    for (int q = 0; q < 2; q++) {
        double difference = (8 * side[0][q] - side[1][q]) / (12 * step);
        if (!(fabs(gradient[q] - difference) <= 1e-7 * size))
            fail_msg("basis %d, column %zu: gradient %.12g, differences say %.12g (scale %.3g)",
                     (int)basis, coordinate, gradient[q], difference, size);
    }
}

static void gradients_are_those_of_profiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SHAPES; i++) {
        const trial *t = &trials[i];
        size_t p = t->n_parameters;
        double *set = trial_allocate(p, sizeof *set), chi_square;
        double *memory = trial_allocate(p * (p + 2), sizeof *memory);
        equant_derivatives d = {.struct_size = sizeof d,
                                .chi_square = &chi_square,
                                .chi_square_gradient = memory,
                                .log_likelihood_gradient = memory + p,
                                .fisher = memory + 2 * p};
        memcpy(set, t->parameters, p * sizeof *set);
        for (size_t planet = 0; planet < t->oracle.n_planets; planet++)
            set[5 * planet + 2] = 0.1 + 0.1 * (double)planet;
        equant_evaluator *evaluator = NULL;
        trial_require(equant_evaluator_create(t->dataset, t->model, &engine, &evaluator), "create");
        for (int basis = 0; basis < N_BASES; basis++) {
            trial_require(
                equant_evaluator_differentiate(evaluator, (equant_basis)basis, 1, set, &d),
                "differentiate");
            for (size_t j = 0; j < 5 * t->oracle.n_planets; j++)
                check_profile(t, evaluator, (equant_basis)basis, set, &d, j);
        }
        equant_evaluator_free(evaluator);
        free(memory);
        free(set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jacobian_is_that_of_the_oracle),
        cmocka_unit_test(gradients_and_fisher_follow_from_the_jacobian),
        cmocka_unit_test(solved_parameters_take_their_share_of_the_jacobian),
        cmocka_unit_test(gradients_are_those_of_profiles),
    };
    const char *backends[ENGINES_MAX_BACKENDS];
    size_t n_backends = derivative_backends(backends);
    int failed = !engines_announce();
    for (size_t b = 0; b < n_backends; b++) {
        engine.backend = backends[b];
        failed += cmocka_run_group_tests_name(backends[b], tests, draw_trials, free_trials);
    }
    return failed;
}
