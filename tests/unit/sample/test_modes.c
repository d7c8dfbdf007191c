/* Modes of the periods: aliases apart, one broad mode whole, stragglers, and their weights. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/draws/modes.h"

enum { N_POPULATIONS = 4, N_STEPS = 50, N_WALKERS = 10, N_COLUMNS = 11 };
#define SPAN 1000.0 /* days */

static double normal(size_t index)
{
    double drawn;
    assert_int_equal(equant_random_normal(7, 1, index, 1, &drawn), EQUANT_SUCCESS);
    return drawn;
}

/* Fills the periods of two planets for draw i of population p. */
typedef void period_maker(size_t p, size_t i, double periods[2]);

static draws *made_draws(period_maker *make)
{
    const draws_shape shape = {N_POPULATIONS, N_WALKERS, N_COLUMNS, 2};
    draws *kept;
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    for (size_t s = 0; s < N_STEPS; s++) {
        double parameters[N_POPULATIONS * N_WALKERS][N_COLUMNS] = {{0.0}};
        double log_likelihood[N_POPULATIONS * N_WALKERS];
        const double log_prior[N_POPULATIONS * N_WALKERS] = {0.0};
        for (size_t row = 0; row < N_POPULATIONS * N_WALKERS; row++) {
            double periods[2];
            make(row / N_WALKERS, s * N_WALKERS + row % N_WALKERS, periods);
            parameters[row][0] = periods[0];
            parameters[row][5] = periods[1];
            log_likelihood[row] = -fabs(periods[0] - 10.0) - fabs(periods[1] - 300.0);
        }
        assert_int_equal(draws_append(kept, s, parameters[0], log_likelihood, log_prior),
                         EQUANT_SUCCESS);
    }
    return kept;
}

static modes *found_modes(const draws *kept, double least_weight)
{
    modes *found;
    assert_int_equal(modes_find(kept, 2, SPAN, least_weight, &found), EQUANT_SUCCESS);
    return found;
}

static double around(double period, double sigma, size_t p, size_t i)
{
    return 1.0 / (1.0 / period + sigma / SPAN * normal(p * 1000 + i));
}

/* A planet at 300 days beside one at 10, or at its alias with the year in some of the draws: a
 * tenth in population 0, two in population 1 and so on. */
static void with_alias(size_t p, size_t i, double periods[2])
{
    double alias = 1.0 / (1.0 / 10.0 + 1.0 / 365.25);
    periods[0] = around(300.0, 0.05, p, i + 500);
    periods[1] = around(i % 10 <= p ? alias : 10.0, 0.02, p, i);
}

static void aliases_are_modes(void **state)
{
    (void)state;
    draws *kept = made_draws(with_alias);
    modes *found = found_modes(kept, 0.01);
    assert_int_equal(found->n, 2);
    assert_float_equal(found->mode[0].weight, 0.75, 1e-12);
    assert_float_equal(found->mode[1].weight, 0.25, 1e-12);
    /* Shares 0.1, 0.2, 0.3, 0.4: their standard deviation over two. */
    double error = sqrt((0.15 * 0.15 + 0.05 * 0.05) * 2.0 / 3.0) / 2.0;
    assert_float_equal(found->mode[0].weight_err, error, 1e-12);
    assert_float_equal(found->mode[1].weight_err, error, 1e-12);
    assert_float_equal(found->rest, 0.0, 1e-12);
    assert_float_equal(found->mode[0].period_days[0], 10.0, 1e-3);
    assert_float_equal(found->mode[0].period_days[1], 300.0, 2.0);
    assert_float_equal(found->mode[1].period_days[0], 9.733510, 1e-3);
    for (size_t i = 0; i < draws_n(kept); i++) {
        double period = draws_at(kept, i).parameters[0];
        assert_int_equal(found->of_draw[i], period < 9.9 ? 1 : 0);
    }
    modes_free(found);
    draws_free(kept);
}

/* Longer than the data: frequencies differ by less than the data can tell. */
static void broad_and_long(size_t p, size_t i, double periods[2])
{
    periods[0] = around(10.0, 0.1, p, i);
    periods[1] = 900.0 * exp(fabs(normal(p * 1000 + i + 500)));
}

static void long_periods_are_one_mode(void **state)
{
    (void)state;
    draws *kept = made_draws(broad_and_long);
    modes *found = found_modes(kept, 0.01);
    assert_int_equal(found->n, 1);
    assert_float_equal(found->mode[0].weight, 1.0, 1e-12);
    assert_float_equal(found->mode[0].weight_err, 0.0, 1e-12);
    modes_free(found);
    draws_free(kept);
}

/* One draw in a hundred half a resolution away, another one anywhere. */
static void with_stragglers(size_t p, size_t i, double periods[2])
{
    periods[1] = 300.0;
    periods[0] = around(10.0, 0.02, p, i);
    if (i % 100 == 0)
        periods[0] = 1.0 / (1.0 / 10.0 + 0.5 / SPAN);
    if (i % 100 == 1)
        periods[0] = 1.0 / (0.2 + 1e-3 * (double)i + 0.05 * (double)p);
}

static void stragglers_go_to_their_mode_or_to_the_rest(void **state)
{
    (void)state;
    draws *kept = made_draws(with_stragglers);
    modes *found = found_modes(kept, 0.02);
    assert_int_equal(found->n, 1);
    assert_float_equal(found->mode[0].weight, 0.99, 1e-12);
    assert_float_equal(found->rest, 0.01, 1e-12);
    modes_free(found);
    draws_free(kept);
}

static void no_span_and_no_planets_are_one_mode(void **state)
{
    (void)state;
    draws *kept = made_draws(with_alias);
    for (size_t n_planets = 0; n_planets <= 2; n_planets += 2) {
        modes *found;
        assert_int_equal(modes_find(kept, n_planets, 0.0, 0.01, &found), EQUANT_SUCCESS);
        assert_int_equal(found->n, 1);
        modes_free(found);
    }
    modes *none = NULL;
    assert_int_equal(modes_find(kept, 3, SPAN, 0.01, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    draws_free(kept);
    const draws_shape shape = {1, 1, 5, 1};
    assert_int_equal(draws_create(&shape, &kept), EQUANT_SUCCESS);
    assert_int_equal(modes_find(kept, 1, SPAN, 0.01, &none), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(none);
    modes_free(none);
    draws_free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_are_modes),
        cmocka_unit_test(long_periods_are_one_mode),
        cmocka_unit_test(stragglers_go_to_their_mode_or_to_the_rest),
        cmocka_unit_test(no_span_and_no_planets_are_one_mode),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
