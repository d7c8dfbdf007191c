/* Moves return the way they came, and what they answer makes detailed balance hold. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "statistics/ensemble_moves.h"

enum { D = 4 };

static const unsigned char angles[D] = {0, 1, 0, 1};
static const unsigned char subsets[D] = {7, 7, 9, 9};
static const double x[D] = {0.3, 3.1, -20.0, -1.0};
static const double a[D] = {0.9, -3.0, -22.0, 0.4};
static const double b[D] = {-0.2, 2.9, -19.5, -0.3};
static const double z[D] = {0.1, -2.9, -21.0, -0.9};

static void assert_close(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g is not within %g of %.17g", found, tolerance, expected);
}

static void assert_same_place(const double *found, const double *expected)
{
    for (size_t j = 0; j < D; j++)
        assert_close(ensemble_moves_between(angles[j], expected[j], found[j]), 0.0, 1e-12);
}

static void angles_wrap(void **state)
{
    (void)state;
    assert_true(ensemble_moves_wrap(PI) == PI && ensemble_moves_wrap(-3.0) == -3.0);
    assert_close(ensemble_moves_wrap(-PI), PI, 0.0);
    for (int turns = -5; turns <= 5; turns++)
        for (double angle = -3.1; angle < 3.1; angle += 0.31)
            assert_close(ensemble_moves_wrap(angle + 2.0 * PI * turns), angle, 1e-14);
    assert_close(ensemble_moves_between(1, 3.0, -3.0), 2.0 * PI - 6.0, 1e-15);
    assert_close(ensemble_moves_between(0, 3.0, -3.0), -6.0, 0.0);
}

/* All ordered choices of three among five come equally often, and so do things beside. */
static void partners_differ(void **state)
{
    (void)state;
    enum { N = 5, N_CHOICES = 2, N_ALL = N_CHOICES * 5 * 4 * 3 };
    int count[N_CHOICES][N][N][N] = {{{{0}}}};
    for (int i = 0; i < 10 * N_ALL; i++) {
        double u = (i + 0.5) / (10 * N_ALL);
        ensemble_moves_partners who = ensemble_moves_choose(u, N, N_CHOICES);
        assert_true(who.first != who.second && who.first != who.third && who.second != who.third);
        count[who.choice][who.first][who.second][who.third]++;
    }
    int n_seen = 0;
    for (int *entry = &count[0][0][0][0]; entry < &count[0][0][0][0] + N_CHOICES * N * N * N;
         entry++) {
        assert_true(*entry == 0 || *entry == 10);
        n_seen += *entry > 0;
    }
    assert_int_equal(n_seen, N_ALL);
    size_t last = ensemble_moves_choose(1.0 - 0x1p-53, 1 << 20, 1).first;
    assert_int_equal(last, (1 << 20) - 1);
}

static void differences_return(void **state)
{
    (void)state;
    double there[D], back[D];
    for (double gamma = 0.1; gamma < 2.5; gamma += 0.3) {
        assert_true(ensemble_moves_difference(D, angles, NULL, 0, gamma, x, a, b, there) == 0.0);
        ensemble_moves_difference(D, angles, NULL, 0, gamma, there, b, a, back);
        assert_same_place(back, x);
        assert_close(there[0], x[0] + gamma * (a[0] - b[0]), 1e-15);
        assert_true(there[1] > -PI && there[1] <= PI);
        assert_close(there[1], ensemble_moves_wrap(3.1 + gamma * (2.0 * PI - 5.9)), 1e-14);
        ensemble_moves_difference(D, angles, subsets, 9, gamma, x, a, b, back);
        assert_true(back[0] == x[0] && back[1] == x[1]);
        assert_true(back[2] == there[2] && back[3] == there[3]);
    }
}

/* The step of another walker's length, so that a mode's width fits: 2.38 / sqrt(2 d). */
static void lengths_suit(void **state)
{
    (void)state;
    assert_close(ensemble_moves_step_length(2, 0.5), 1.19, 1e-15);
    assert_close(ensemble_moves_jump_length(0.5), 1.0, 0.0);
    assert_true(fabs(ensemble_moves_jump_length(0.01) - 1.0) < 1e-3);
}

static void snooker_returns(void **state)
{
    (void)state;
    double there[D], back[D];
    int n_made = 0;
    for (double u = 0.05; u < 1.0; u += 0.1) {
        double factor = ensemble_moves_snooker(D, angles, u, x, z, a, b, there);
        if (factor == -INFINITY)
            continue;
        n_made++;
        double factor_back = ensemble_moves_snooker(D, angles, u, there, z, b, a, back);
        assert_same_place(back, x);
        assert_close(factor + factor_back, 0.0, 1e-11);
        double stretch = (there[0] - z[0]) / (x[0] - z[0]);
        assert_close(factor, (D - 1) * log(fabs(stretch)), 1e-11);
    }
    assert_true(n_made > 3);
    /* From another walker itself there is no line. */
    assert_true(ensemble_moves_snooker(D, angles, 0.5, z, z, a, b, there) == -INFINITY);
    /* Further than half a turn from z is not a place to return from. */
    const double far[D] = {-300.0, 2.9, 1.0, -0.3};
    assert_true(ensemble_moves_snooker(D, angles, 0.5, x, z, far, b, there) == -INFINITY);
}

static void guides_whiten_and_colour(void **state)
{
    (void)state;
    const double factor[D * (D + 1) / 2] = {2.0, 0.5, 0.3, -1.0, 0.2, 4.0, 0.1, 0.1, -0.2, 0.4};
    ensemble_moves_guide guide = {z, factor};
    double y[D], square = ensemble_moves_whiten(D, angles, &guide, x, y), sum = 0.0;
    for (size_t j = 0; j < D; j++)
        sum += y[j] * y[j];
    assert_close(square, sum, 1e-12);
    assert_close(y[0], (x[0] - z[0]) / 2.0, 1e-15);
    assert_true(ensemble_moves_colour(D, angles, &guide, y) == 0.0);
    assert_same_place(y, x);
    const double wide[D] = {0.0, 100.0, 0.0, 0.0};
    memcpy(y, wide, sizeof y);
    assert_true(ensemble_moves_colour(D, angles, &guide, y) == -INFINITY);
}

/* t(y) / t(y*), the other way round is the inverse. */
static void guided_factors(void **state)
{
    (void)state;
    const double nu = ENSEMBLE_MOVES_FREEDOM;
    double there = ensemble_moves_guided_factor(3, 2.0, 9.0);
    assert_close(there, 0.5 * (3.0 + nu) * (log1p(9.0 / nu) - log1p(2.0 / nu)), 1e-14);
    assert_close(there + ensemble_moves_guided_factor(3, 9.0, 2.0), 0.0, 1e-14);
}

static void acceptance(void **state)
{
    (void)state;
    assert_close(ensemble_moves_log_ratio(0.5, -1.0, -10.0, -2.0, -4.0), 2.0, 1e-15);
    assert_true(ensemble_moves_log_ratio(0.0, -1.0, -INFINITY, -2.0, -INFINITY) == -1.0);
    assert_true(ensemble_moves_log_ratio(0.5, -1.0, -INFINITY, -2.0, -4.0) == INFINITY);
    assert_true(ensemble_moves_accepts(0.999999, 0.0));
    assert_true(ensemble_moves_accepts(0.36, -1.0) && !ensemble_moves_accepts(0.37, -1.0));
    assert_false(ensemble_moves_accepts(1e-300, -INFINITY));
    assert_false(ensemble_moves_accepts(1e-300, NAN));
}

static void swaps(void **state)
{
    (void)state;
    assert_close(ensemble_moves_swap_probability(1.0, 0.5, -10.0, -12.0), exp(-1.0), 1e-15);
    assert_true(ensemble_moves_swap_probability(1.0, 0.5, -12.0, -10.0) == 1.0);
    assert_true(ensemble_moves_swap_probability(1.0, 0.0, -10.0, -INFINITY) == 0.0);
    assert_true(ensemble_moves_swap_probability(1.0, 0.0, -INFINITY, -10.0) == 1.0);
    assert_true(ensemble_moves_swap_probability(1.0, 0.0, -INFINITY, -INFINITY) == 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angles_wrap),
        cmocka_unit_test(partners_differ),
        cmocka_unit_test(differences_return),
        cmocka_unit_test(lengths_suit),
        cmocka_unit_test(snooker_returns),
        cmocka_unit_test(guides_whiten_and_colour),
        cmocka_unit_test(guided_factors),
        cmocka_unit_test(acceptance),
        cmocka_unit_test(swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
