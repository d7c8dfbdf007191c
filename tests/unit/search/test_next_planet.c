/* One planet more, or two in one step: the right periods come first, each once. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/search/aliases.h"
#include "inference/search/next_planet.h"
#include "inference/optimise/maximum_likelihood.h"
#include "unit/studied_star.h"

enum { MOST_FOUND = 16 };

typedef struct candidates {
    solution background, found[MOST_FOUND];
    size_t n;
} candidates;

/* A optimised background of the given planets, and room for what is found behind it. */
static void candidates_create(candidates *made, study *star, size_t n_planets,
                              const double *elements)
{
    assert_int_equal(solution_create(star, &made->background), EQUANT_SUCCESS);
    for (size_t p = 0; p < n_planets; p++)
        solution_add_planet(star, &made->background, elements + 5 * p);
    assert_int_equal(maximum_likelihood_solution(star, 0, POLISH_TO_RANK, &made->background),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < MOST_FOUND; i++)
        assert_int_equal(solution_create(star, &made->found[i]), EQUANT_SUCCESS);
}

static void candidates_free(candidates *made)
{
    solution_free(&made->background);
    for (size_t i = 0; i < MOST_FOUND; i++)
        solution_free(&made->found[i]);
}

static void refine(study *star, candidates *made, size_t n_peaks, bool without_drifts,
                   size_t n_wanted)
{
    planet_scan scan;
    scan_grid grid =
        scan_grid_make(star->span_days, star->period_min_days, star->period_max_days, 0.5);
    assert_int_equal(planet_scan_create(star, &made->background, 0, NULL, &grid, "scanning", &scan),
                     EQUANT_SUCCESS);
    assert_int_equal(next_planet_refine(star, &scan, &made->background, 0, n_peaks, without_drifts,
                                        n_wanted, made->found, &made->n),
                     EQUANT_SUCCESS);
    planet_scan_free(&scan);
}

/* What every list of candidates promises. */
static void assert_sorted_and_distinct(const study *star, const candidates *made)
{
    size_t n_planets = made->n > 0 ? made->found[0].n_planets : 0;
    for (size_t i = 0; i < made->n; i++) {
        const solution *one = &made->found[i];
        assert_int_equal(one->n_planets, n_planets);
        assert_true(next_planet_same(star, one, one));
        if (i > 0)
            assert_true(solution_score(star, one) <= solution_score(star, one - 1));
        for (size_t j = 0; j < i; j++)
            assert_false(next_planet_same(star, one, &made->found[j]));
    }
}

static void finds_one_more_behind_another(void **state)
{
    (void)state;
    const double planets[10] = {47.0, 30.0, 0.3, 1.0, 2.0, 12.3, 8.0, 0.2, 4.0, 1.0};
    equant_dataset *dataset = simulate_star(1, 70, 400.0, 2, planets, 2.0);
    study star;
    candidates made;
    study_star(&star, dataset, 5.0, 800.0);
    candidates_create(&made, &star, 1, planets);
    refine(&star, &made, 20, true, 3);
    assert_int_equal(made.n, 3);
    assert_sorted_and_distinct(&star, &made);
    const solution *best = &made.found[0];
    assert_int_equal(best->n_planets, 2);
    assert_true(best->measured);
    assert_true(fabs(best->set[5] / 12.3 - 1.0) < 0.005);
    assert_true(fabs(best->set[0] / 47.0 - 1.0) < 0.005);
    assert_true(best->log_likelihood > made.background.log_likelihood + 20.0);
    candidates_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* As many as are asked for, where the grid has as many peaks. */
static void gives_as_many_as_are_wanted(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 50, 400.0, 0, NULL, 2.0);
    study star;
    candidates made;
    study_star(&star, dataset, 5.0, 800.0);
    candidates_create(&made, &star, 0, NULL);
    refine(&star, &made, 40, true, MOST_FOUND);
    assert_int_equal(made.n, MOST_FOUND);
    assert_sorted_and_distinct(&star, &made);
    refine(&star, &made, 40, true, 0);
    assert_int_equal(made.n, 0);
    candidates_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* One observation a night: the planet's alias with the day is among the candidates, and both
 * are told apart by name. */
static equant_dataset *observe_nightly(double period, double k_m_s, double slope)
{
    enum { N = 60 };
    double time[N], velocity[N], sigma[N], noise[N];
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_random_normal(3, 0, 0, N, noise), EQUANT_SUCCESS);
    for (size_t k = 0; k < N; k++) {
        time[k] = 2455000.0 + (double)(k * 7 % 240) + 0.05 * fmod(0.618 * (double)k, 1.0);
        velocity[k] = k_m_s * cos(6.283185307179586 * (time[k] - 2455000.0) / period) + noise[k] +
                      slope * (time[k] - 2455000.0);
        sigma[k] = 1.0;
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    return dataset;
}

static void aliases_are_candidates(void **state)
{
    (void)state;
    equant_dataset *dataset = observe_nightly(3.7, 10.0, 0.0);
    study star;
    candidates made;
    study_star(&star, dataset, 1.05, 300.0);
    candidates_create(&made, &star, 0, NULL);
    refine(&star, &made, 10, true, 5);
    assert_sorted_and_distinct(&star, &made);
    assert_true(fabs(made.found[0].set[0] / 3.7 - 1.0) < 1e-3);
    bool has_alias = false;
    for (size_t i = 1; i < made.n; i++)
        has_alias =
            has_alias || aliases_name(1.0 / made.found[i].set[0], 1.0 / 3.7, 1.0 / star.span_days);
    assert_true(has_alias);
    candidates_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* A slope seen once a night looks like a planet of one day, unless such are left out. */
static void drifts_can_be_left_out(void **state)
{
    (void)state;
    equant_dataset *dataset = observe_nightly(1e6, 0.0, 0.2);
    study star;
    candidates made;
    study_star(&star, dataset, 0.9, 1.1);
    candidates_create(&made, &star, 0, NULL);
    refine(&star, &made, 10, false, 5);
    assert_true(made.n > 0 && aliases_is_drift(1.0 / made.found[0].set[0], star.span_days));
    double with = made.found[0].log_likelihood;
    refine(&star, &made, 10, true, 5);
    assert_true(made.n == 0 || made.found[0].log_likelihood < with);
    candidates_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Two circles, one of twice the other's period: an eccentric orbit explains most of them, and
 * the pair explains all. */
static void a_pair_is_found_in_one_step(void **state)
{
    (void)state;
    const double pair[10] = {40.0, 10.0, 0.0, 0.0, 1.0, 20.1, 5.0, 0.0, 0.0, 3.0};
    equant_dataset *dataset = simulate_star(4, 80, 400.0, 2, pair, 1.0);
    study star;
    candidates made;
    study_star(&star, dataset, 5.0, 800.0);
    candidates_create(&made, &star, 0, NULL);
    refine(&star, &made, 20, true, 1);
    double alone = made.found[0].log_likelihood;
    assert_int_equal(next_planet_joint(&star, &made.background, 0, 12, 3, made.found, &made.n),
                     EQUANT_SUCCESS);
    assert_true(made.n > 0);
    assert_sorted_and_distinct(&star, &made);
    const solution *best = &made.found[0];
    assert_int_equal(best->n_planets, 2);
    size_t longer = best->set[0] > best->set[5] ? 0 : 5;
    assert_true(fabs(best->set[longer] / 40.0 - 1.0) < 0.005);
    assert_true(fabs(best->set[5 - longer] / 20.1 - 1.0) < 0.005);
    assert_true(best->log_likelihood > alone + 30.0);
    candidates_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

static bool same(const study *star, size_t n_a, const double *a, size_t n_b, const double *b)
{
    double set_a[15] = {0.0}, set_b[15] = {0.0};
    for (size_t p = 0; p < n_a; p++)
        set_a[5 * p] = a[p];
    for (size_t p = 0; p < n_b; p++)
        set_b[5 * p] = b[p];
    solution one = {.n_planets = n_a, .set = set_a}, other = {.n_planets = n_b, .set = set_b};
    bool answer = next_planet_same(star, &one, &other);
    assert_int_equal(next_planet_same(star, &other, &one), answer);
    return answer;
}

static void sameness_is_of_periods_and_mutual(void **state)
{
    (void)state;
    const study star = {.span_days = 1000.0};
    const double a[3] = {10.0, 20.0, 300.0}, swapped[3] = {300.0, 10.0, 20.0};
    const double near[3] = {10.01, 20.1, 310.0}, other[3] = {10.01, 20.5, 310.0};
    const double twins[2] = {10.0, 10.01}, apart[2] = {10.0, 50.0};
    assert_true(same(&star, 3, a, 3, swapped));
    assert_true(same(&star, 3, a, 3, near));
    assert_false(same(&star, 3, a, 3, other));
    assert_false(same(&star, 3, a, 2, a));
    assert_false(same(&star, 2, twins, 2, apart));
    assert_true(same(&star, 0, NULL, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_more_behind_another),
        cmocka_unit_test(gives_as_many_as_are_wanted),
        cmocka_unit_test(aliases_are_candidates),
        cmocka_unit_test(drifts_can_be_left_out),
        cmocka_unit_test(a_pair_is_found_in_one_step),
        cmocka_unit_test(sameness_is_of_periods_and_mutual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
