/* How much planets must gain together to be preferred to a model without them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/select/planets/rival.h"
#include "unit/studied_star.h"

#define ALARM 1e-3

static const double first[5] = {10.0, 5.0, 0.1, 1.0, 2.0};
static const double second[5] = {100.0, 7.0, 0.2, 3.0, 4.0};

/* Models without a planet, with one, and with two. */
typedef struct models {
    equant_dataset *dataset;
    study star;
    significance judge;
    solution none, one, two;
} models;

static void models_create(models *made)
{
    made->dataset = simulate_star(1, 80, 500.0, 0, NULL, 2.0);
    study_star(&made->star, made->dataset, 0.0, 0.0);
    scan_grid grid = scan_grid_make(made->star.span_days, 0.5, 1000.0, 0.9);
    assert_int_equal(solution_create(&made->star, &made->none), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&made->star, &made->one), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&made->star, &made->two), EQUANT_SUCCESS);
    assert_int_equal(significance_create(&made->star, &grid, &made->none, NULL, &made->judge),
                     EQUANT_SUCCESS);
    solution_add_planet(&made->star, &made->one, first);
    solution_add_planet(&made->star, &made->two, first);
    solution_add_planet(&made->star, &made->two, second);
}

static void models_free(models *made)
{
    solution_free(&made->none);
    solution_free(&made->one);
    solution_free(&made->two);
    study_free(&made->star);
    equant_dataset_free(made->dataset);
}

static double level(const models *m, const solution *with, const solution *without, size_t planet,
                    double probability)
{
    return significance_level(&m->star, &m->judge, with, without, planet, probability);
}

/* At its level a planet has the probability of a false alarm that was asked for. */
static void levels_are_where_probabilities_are(void **state)
{
    (void)state;
    models m;
    models_create(&m);
    for (double alarm = 0.5; alarm > 1e-12; alarm *= 0.1) {
        m.one.log_likelihood = m.none.log_likelihood + level(&m, &m.one, &m.none, 0, alarm);
        double found =
            significance_of_planet(&m.star, &m.judge, &m.one, &m.none, first[0], first[2]);
        assert_true(fabs(log(found / alarm)) < 1e-3);
    }
    assert_true(level(&m, &m.two, &m.none, 1, ALARM) < level(&m, &m.two, &m.none, 0, ALARM));
    models_free(&m);
}

static bool is_beaten(const models *m, const solution *model, const solution *rival)
{
    return rival_is_beaten(&m->star, &m->judge, model, rival, ALARM);
}

/* The gain from which on a model is preferred. */
static double joint(models *m, solution *model, const solution *rival)
{
    double low = 0.0, high = 200.0, kept = model->log_likelihood;
    while (high - low > 1e-6) {
        double middle = 0.5 * (low + high);
        model->log_likelihood = rival->log_likelihood + middle;
        if (is_beaten(m, model, rival))
            high = middle;
        else
            low = middle;
    }
    model->log_likelihood = kept;
    return high;
}

/* One planet needs what it always needs; of several, only one needs it. */
static void several_share_the_risk(void **state)
{
    (void)state;
    models m;
    models_create(&m);
    assert_true(fabs(joint(&m, &m.one, &m.none) - level(&m, &m.one, &m.none, 0, ALARM)) < 1e-3);
    assert_true(fabs(joint(&m, &m.two, &m.one) - level(&m, &m.two, &m.one, 1, ALARM)) < 1e-3);
    double by_chance[2], alone[2];
    for (size_t p = 0; p < 2; p++) {
        by_chance[p] = level(&m, &m.two, &m.none, p, 1.0);
        alone[p] = level(&m, &m.two, &m.none, p, ALARM);
    }
    double both = joint(&m, &m.two, &m.none);
    assert_true(both < alone[0] + alone[1] - 3.0);
    assert_true(both > alone[0] && both > alone[1]);
    assert_true(both >= by_chance[0] + by_chance[1] - log(ALARM));
    models_free(&m);
}

/* The model with fewer planets has the benefit of the doubt. */
static void planets_have_to_be_shown(void **state)
{
    (void)state;
    models m;
    models_create(&m);
    double needed = joint(&m, &m.two, &m.none);
    m.two.log_likelihood = m.none.log_likelihood + needed + 0.1;
    assert_true(is_beaten(&m, &m.two, &m.none) && !is_beaten(&m, &m.none, &m.two));
    m.two.log_likelihood = m.none.log_likelihood + needed - 0.1;
    assert_true(!is_beaten(&m, &m.two, &m.none) && is_beaten(&m, &m.none, &m.two));
    solution other;
    assert_int_equal(solution_create(&m.star, &other), EQUANT_SUCCESS);
    solution_add_planet(&m.star, &other, second);
    m.one.log_likelihood = other.log_likelihood + 0.2; /* as many: the better */
    assert_true(is_beaten(&m, &m.one, &other) && !is_beaten(&m, &other, &m.one));
    solution_free(&other);
    models_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_are_where_probabilities_are),
        cmocka_unit_test(several_share_the_risk),
        cmocka_unit_test(planets_have_to_be_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
