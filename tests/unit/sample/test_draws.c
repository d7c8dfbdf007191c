/* Draws as they are kept: growth, order of planets, thinning, the best of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/draws/draws.h"

enum { N_POPULATIONS = 2, N_WALKERS = 2, N_PARAMETERS = 12, N_PLANETS = 2 };

/* Every number tells where it came from. */
static double number(size_t step, size_t population, size_t walker, size_t column)
{
    return (double)(1000 * step + 100 * population + 20 * walker + column);
}

/* Walker 1 has its planets the wrong way round. */
static void fill_step(size_t step, double *parameters, double *log_likelihood, double *log_prior)
{
    for (size_t p = 0; p < N_POPULATIONS; p++)
        for (size_t w = 0; w < N_WALKERS; w++) {
            size_t row = p * N_WALKERS + w;
            for (size_t c = 0; c < N_PARAMETERS; c++) {
                size_t from = w == 1 && c < 10 ? (c + 5) % 10 : c;
                parameters[row * N_PARAMETERS + c] = number(step, p, w, from);
            }
            log_likelihood[row] = -(double)step - (double)row;
            log_prior[row] = step == 5 && row == 3 ? 100.0 : 0.5;
        }
}

static draws *kept_steps(size_t n_steps, size_t n_planets)
{
    const draws_shape shape = {N_POPULATIONS, N_WALKERS, N_PARAMETERS, n_planets};
    draws *kept;
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    for (size_t s = 0; s < n_steps; s++) {
        double parameters[N_POPULATIONS * N_WALKERS * N_PARAMETERS];
        double log_likelihood[N_POPULATIONS * N_WALKERS], log_prior[N_POPULATIONS * N_WALKERS];
        fill_step(s, parameters, log_likelihood, log_prior);
        assert_int_equal(draws_append(kept, 10 * s, parameters, log_likelihood, log_prior),
                         EQUANT_SUCCESS);
    }
    return kept;
}

static void draws_keep_their_places(void **state)
{
    (void)state;
    enum { N_STEPS = 100 };
    draws *kept = kept_steps(N_STEPS, N_PLANETS);
    assert_int_equal(draws_n(kept), N_POPULATIONS * N_STEPS * N_WALKERS);
    double column[N_POPULATIONS][N_STEPS][N_WALKERS];
    for (size_t c = 0; c < N_PARAMETERS; c++) {
        draws_column(kept, c, column[0][0]);
        for (size_t i = 0; i < N_POPULATIONS * N_STEPS * N_WALKERS; i++) {
            size_t p = i / N_WALKERS / N_STEPS, s = i / N_WALKERS % N_STEPS, w = i % N_WALKERS;
            assert_true(column[p][s][w] == number(s, p, w, c));
            assert_true(draws_at(kept, i).parameters[c] == column[p][s][w]);
            assert_true(draws_at(kept, i).log_likelihood ==
                        -(double)s - (double)(p * N_WALKERS + w));
        }
    }
    assert_int_equal(kept->step[37], 370);
    draws_free(kept);
}

static void planets_may_keep_their_order(void **state)
{
    (void)state;
    draws *kept = kept_steps(3, 0);
    assert_true(draws_at(kept, 1).parameters[0] == number(0, 0, 1, 5));
    draws_free(kept);
}

static void halving_keeps_every_other_step(void **state)
{
    (void)state;
    draws *kept = kept_steps(7, N_PLANETS);
    draws_halve(kept);
    assert_int_equal(kept->n_steps, 3);
    for (size_t s = 0; s < 3; s++) {
        assert_int_equal(kept->step[s], 10 * (2 * s + 1));
        for (size_t p = 0; p < N_POPULATIONS; p++) {
            draws_row row = draws_at(kept, (p * 3 + s) * N_WALKERS + 1);
            assert_true(row.parameters[11] == number(2 * s + 1, p, 1, 11));
            assert_true(row.log_likelihood == -(double)(2 * s + 1) - (double)(p * N_WALKERS + 1));
        }
    }
    draws_free(kept);
}

static void dropping_keeps_the_last_steps(void **state)
{
    (void)state;
    draws *kept = kept_steps(7, N_PLANETS);
    draws_drop(kept, 5);
    assert_int_equal(kept->n_steps, 2);
    for (size_t s = 0; s < 2; s++) {
        assert_int_equal(kept->step[s], 10 * (s + 5));
        for (size_t p = 0; p < N_POPULATIONS; p++)
            assert_true(draws_at(kept, (p * 2 + s) * N_WALKERS + 1).parameters[11] ==
                        number(s + 5, p, 1, 11));
    }
    draws_drop(kept, 3);
    assert_int_equal(kept->n_steps, 0);
    draws_free(kept);
}

static void the_best_has_the_highest_density(void **state)
{
    (void)state;
    draws *kept = kept_steps(9, N_PLANETS);
    size_t best = draws_best(kept);
    assert_int_equal(best, (1 * 9 + 5) * N_WALKERS + 1);
    assert_true(draws_at(kept, best).log_prior == 100.0);
    draws_free(kept);
    kept = kept_steps(0, N_PLANETS);
    assert_int_equal(draws_best(kept), 0);
    assert_int_equal(draws_n(kept), 0);
    draws_halve(kept);
    draws_free(kept);
}

static void shapes_must_make_sense(void **state)
{
    (void)state;
    const draws_shape wrong[] = {{0, 2, 5, 1}, {1, 0, 5, 1}, {1, 2, 0, 0}, {1, 2, 9, 2}};
    draws *kept = NULL;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(draws_create(&wrong[i], &kept), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(kept);
    assert_int_equal(draws_create(&(draws_shape){1, 1, 5, 1}, &kept), EQUANT_SUCCESS);
    assert_int_equal(draws_reserve(kept, SIZE_MAX / 4), EQUANT_ERROR_OUT_OF_MEMORY);
    draws_free(kept);
    draws_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_keep_their_places),
        cmocka_unit_test(planets_may_keep_their_order),
        cmocka_unit_test(halving_keeps_every_other_step),
        cmocka_unit_test(dropping_keeps_the_last_steps),
        cmocka_unit_test(the_best_has_the_highest_density),
        cmocka_unit_test(shapes_must_make_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
