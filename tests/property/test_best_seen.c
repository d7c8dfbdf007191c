/* The model that a search reports is the best that it has seen: on a star with 29 observations of
 * an eccentric planet, one that turns, one with bad nights and one with four planets. Models are
 * the same whatever the order of their planets, and their score does not depend on it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/select/models/seen_models.h"
#include "inference/select/planets/planet_finder.h"
#include "oracle/random_system.h"
#include "unit/studied_star.h"

enum { N_MOST = 80 };
#define TWO_PI 6.283185307179586476925286766559
/* In ln: models that differ by less are the same but for where their fits stopped. */
#define LEAST_LEAD 0.1

typedef struct made_star {
    size_t n;
    double span_days, error_m_s;
    size_t n_planets;
    double orbits[5][4]; /* period, K, e, phase */
    double rotation_m_s;
    size_t n_bad;
} made_star;

static const made_star stars[] = {
    {.n = 29,
     .span_days = 2500.0,
     .error_m_s = 3.0,
     .n_planets = 1,
     .orbits = {{1400.0, 25.0, 0.7, 1.0}}},
    {.n = 50, .span_days = 150.0, .error_m_s = 1.0, .rotation_m_s = 5.0},
    {.n = 45,
     .span_days = 200.0,
     .error_m_s = 2.0,
     .n_planets = 1,
     .orbits = {{23.0, 8.0, 0.1, 2.0}},
     .n_bad = 3},
    {.n = 80,
     .span_days = 3000.0,
     .error_m_s = 3.0,
     .n_planets = 4,
     .orbits = {{2.8, 6.0, 0.0, 0.3},
                {14.65, 72.0, 0.0, 1.3},
                {44.4, 10.0, 0.0, 2.3},
                {2600.0, 45.0, 0.0, 4.0}}},
};
enum { N_STARS = sizeof stars / sizeof *stars };

/* K (cos(nu + omega) + e cos omega), Kepler's equation by halving. */
static double velocity_of(const double orbit[4], double time)
{
    double mean = fmod(TWO_PI * time / orbit[0] + orbit[3], TWO_PI), e = orbit[2], low = 0.0,
           high = TWO_PI;
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        *(middle - e * sin(middle) < mean ? &low : &high) = middle;
    }
    double nu = 2.0 * atan2(sqrt(1.0 + e) * sin(0.5 * low), sqrt(1.0 - e) * cos(0.5 * low));
    return orbit[1] * (cos(nu + 0.7) + e * cos(0.7));
}

static double normal(random_system *random)
{
    double sum = -6.0;
    for (int i = 0; i < 12; i++)
        sum += random_system_between(random, 0.0, 1.0);
    return sum;
}

static equant_dataset *make_star(const made_star *wanted, uint64_t seed)
{
    random_system random = {seed + 17};
    double times[N_MOST], velocities[N_MOST], sigmas[N_MOST];
    equant_dataset *made = NULL;
    for (size_t k = 0; k < wanted->n; k++) {
        double step = wanted->span_days / (double)wanted->n;
        double t = step * ((double)k + random_system_between(&random, 0.0, 0.9));
        times[k] = 2455000.0 + t;
        sigmas[k] = wanted->error_m_s;
        velocities[k] = wanted->error_m_s * normal(&random);
        for (size_t p = 0; p < wanted->n_planets; p++)
            velocities[k] += velocity_of(wanted->orbits[p], t);
        velocities[k] += wanted->rotation_m_s * (sin(TWO_PI * t / 21.0 + 1.5 * sin(t / 40.0)) +
                                                 0.5 * sin(2.0 * TWO_PI * t / 21.0 + t / 60.0));
        if (k % 17 == 5 && k / 17 < wanted->n_bad)
            velocities[k] += 12.0 * wanted->error_m_s;
    }
    assert_int_equal(equant_dataset_from_arrays(wanted->n, times, velocities, sigmas, NULL, 1, NULL,
                                                NULL, &made),
                     EQUANT_SUCCESS);
    return made;
}

static void study_made(study *star, const equant_dataset *dataset)
{
    study_options options = {
        .engine = &on_one_thread, .period_min_days = 2.5, .noise = "auto", .outliers = "auto"};
    assert_int_equal(study_create(star, dataset, &options), EQUANT_SUCCESS);
}

static void the_best_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_STARS; i++) {
        study star;
        planet_finder_options options = {.max_planets = 6,
                                         .false_alarm_max = 1e-3,
                                         .eccentricity_max = 0.8,
                                         .deadline_s = INFINITY,
                                         .end_s = INFINITY};
        planet_finder_result result;
        equant_dataset *dataset = make_star(&stars[i], i);
        study_made(&star, dataset);
        assert_int_equal(planet_finder_run(&star, &options, &result), EQUANT_SUCCESS);
        if (!(result.score >= result.best_score - LEAST_LEAD))
            fail_msg("star %zu: a model of %.3f was seen, and one of %.3f is reported", i,
                     result.best_score, result.score);
        assert_int_equal(result.best.n_planets, stars[i].n_planets);
        planet_finder_free(&result);
        study_free(&star);
        equant_dataset_free(dataset);
    }
}

/* Three planets in both orders: one model, one score. */
static void order_does_not_matter(void **state)
{
    (void)state;
    const double orbits[3][N_ELEMENTS] = {
        {2.8, 6.0, 0.05, 1.0, 0.3}, {44.4, 10.0, 0.02, 1.0, 2.3}, {2600.0, 45.0, 0.1, 2.0, 4.0}};
    study star;
    solution one, other;
    seen_models seen = {.n = 0};
    double score, other_score;
    equant_dataset *dataset = make_star(&stars[3], 3);
    study_made(&star, dataset);
    assert_int_equal(solution_create(&star, &one), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &other), EQUANT_SUCCESS);
    for (int p = 0; p < 3; p++) {
        solution_add_planet(&star, &one, orbits[p]);
        solution_add_planet(&star, &other, orbits[2 - p]);
    }
    one.log_likelihood = -400.0;
    other.log_likelihood = -399.0;
    assert_true(seen_models_are_same(&star, &one, &other));
    assert_int_equal(model_score(&star, seen.given, &one, &score), EQUANT_SUCCESS);
    assert_int_equal(model_score(&star, seen.given, &other, &other_score), EQUANT_SUCCESS);
    assert_true(fabs(other_score - score - 1.0) < 1e-9);
    assert_int_equal(seen_models_note(&star, &one, &seen), EQUANT_SUCCESS);
    assert_int_equal(seen_models_note(&star, &other, &seen), EQUANT_SUCCESS);
    assert_int_equal(seen.n, 1);
    assert_true(seen.list[0].fitted.log_likelihood == -399.0);
    other.set[N_ELEMENTS] *= 1.1;
    assert_false(seen_models_are_same(&star, &one, &other));
    assert_int_equal(seen_models_note(&star, &other, &seen), EQUANT_SUCCESS);
    assert_int_equal(seen.n, 2);
    seen_models_free(&seen);
    solution_free(&one);
    solution_free(&other);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_is_reported),
        cmocka_unit_test(order_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
