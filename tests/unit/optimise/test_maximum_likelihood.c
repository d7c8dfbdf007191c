/* Maximum likelihood: the jitter of each instrument from residuals alone, and orbits and
 * jitters together. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/jitter.h"
#include "inference/optimise/maximum_likelihood.h"
#include "oracle/random_system.h"
#include "unit/studied_star.h"

enum { N_OBS = 60, N_COLUMNS = 5 + 2 + 2 };

static const double planet[5] = {41.0, 20.0, 0.3, 2.0, 4.0};

/* Two instruments with uncertainties between 1 and 3 m/s. */
static equant_dataset *make_dataset(uint64_t seed)
{
    random_system random = {seed};
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    int instrument[N_OBS];
    equant_dataset *dataset = NULL;
    for (size_t k = 0; k < N_OBS; k++) {
        time[k] = (double)k;
        velocity[k] = 0.0;
        sigma[k] = random_system_between(&random, 1.0, 3.0);
        instrument[k] = (int)(k % 2);
    }
    assert_int_equal(equant_dataset_from_arrays(N_OBS, time, velocity, sigma, instrument, 2, NULL,
                                                NULL, &dataset),
                     EQUANT_SUCCESS);
    return dataset;
}

/* ln L of the residuals of one instrument, up to a constant. */
static double log_likelihood(const study *star, int instrument, const double *residuals,
                             double jitter)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        if (equant_dataset_instruments(star->dataset)[k] == instrument) {
            double variance = sigma[k] * sigma[k] + jitter * jitter;
            sum -= 0.5 * (residuals[k] * residuals[k] / variance + log(variance));
        }
    return sum;
}

/* Against a fine grid, for scatters from well below to far above the uncertainties. */
static void jitters_make_residuals_most_likely(void **state)
{
    (void)state;
    const double scatters[] = {0.5, 2.0, 4.0, 50.0, 1e6};
    for (size_t i = 0; i < sizeof scatters / sizeof *scatters; i++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            equant_dataset *dataset = make_dataset(seed);
            study star;
            study_star(&star, dataset, 0.0, 0.0);
            double residuals[N_OBS], jitters[2];
            assert_int_equal(equant_random_normal(seed, 0, 0, N_OBS, residuals), EQUANT_SUCCESS);
            for (size_t k = 0; k < N_OBS; k++)
                residuals[k] *= k % 2 ? scatters[i] : 1.5;
            noise_fit_jitters(&star, (noise_choice){.terms = 0}, residuals, jitters);
            for (int instrument = 0; instrument < 2; instrument++) {
                double found = log_likelihood(&star, instrument, residuals, jitters[instrument]);
                assert_true(found >= log_likelihood(&star, instrument, residuals, 0.0));
                for (double jitter = 1e-3; jitter < 1e7; jitter *= 1.05)
                    assert_true(found >=
                                log_likelihood(&star, instrument, residuals, jitter) - 1e-9);
            }
            study_free(&star);
            equant_dataset_free(dataset);
        }
}

/* With equal uncertainties the answer is known: the mean square, less sigma^2. */
static void equal_uncertainties_have_a_formula(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, N_OBS, 500.0, 0, NULL, 2.0);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    const int *instrument = equant_dataset_instruments(dataset);
    double residuals[N_OBS], jitters[2], roots[N_OBS];
    for (size_t k = 0; k < N_OBS; k++)
        residuals[k] = (instrument[k] ? 5.0 : 1.9) * (k / 2 % 2 ? 1.0 : -1.0);
    noise_fit_jitters(&star, (noise_choice){.terms = 0}, residuals, jitters);
    assert_true(jitters[0] == 0.0);
    assert_true(fabs(jitters[1] - sqrt(5.0 * 5.0 - 2.0 * 2.0)) < 1e-12);
    noise_root_weights(&star, (noise_choice){.terms = 0}, jitters, roots);
    for (size_t k = 0; k < N_OBS; k++)
        assert_true(fabs(roots[k] - (instrument[k] ? 0.2 : 0.5)) < 1e-13);
    star.with_jitter = false;
    noise_fit_jitters(&star, (noise_choice){.terms = 0}, residuals, jitters);
    assert_true(jitters[0] == 0.0 && jitters[1] == 0.0);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Residuals of zero, and instruments that made no observation, have no jitter. */
static void silence_has_no_jitter(void **state)
{
    (void)state;
    const double time[3] = {0.0, 1.0, 2.0}, velocity[3] = {0.0}, sigma[3] = {1.0, 2.0, 3.0};
    const double residuals[3] = {0.0};
    const int instrument[3] = {0, 0, 0};
    double jitters[2] = {7.0, 7.0};
    equant_dataset *dataset = NULL;
    study star;
    assert_int_equal(
        equant_dataset_from_arrays(3, time, velocity, sigma, instrument, 2, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    study_star(&star, dataset, 0.0, 0.0);
    noise_fit_jitters(&star, (noise_choice){.terms = 0}, residuals, jitters);
    assert_true(jitters[0] == 0.0 && jitters[1] == 0.0);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* An orbit near the right one and no idea of the noise. */
static void start_near(const study *star, const double elements[5], double *set)
{
    set_planets(star, 1, 0, elements, set);
    set[0] *= 1.003;
    set[2] += 0.05;
}

static double optimise(study *star, double *set, double *log_likelihood_found)
{
    least_squares_problem problem = {.n_planets = 1, .max_iterations = 100};
    double chi_square, evaluated;
    assert_int_equal(
        maximum_likelihood_sets(star, &problem, 1, POLISH_TO_PUBLISH, set, log_likelihood_found),
        EQUANT_SUCCESS);
    evaluate_set(star, 1, 0, set, &chi_square, &evaluated, NULL);
    assert_true(evaluated == *log_likelihood_found);
    return chi_square;
}

/* Twice the noise that is stated: no neighbour is more likely, and chi-square is the number
 * of observations, since each instrument's uncertainties are all alike. */
static void optimisation_reaches_the_maximum(void **state)
{
    (void)state;
    simulated_star model = {.seed = 5,
                            .n_obs = N_OBS,
                            .span_days = 600.0,
                            .n_planets = 1,
                            .elements = planet,
                            .noise_m_s = 4.0,
                            .uncertainty_m_s = 2.0};
    equant_dataset *dataset = simulated_star_observe(&model);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    double set[N_COLUMNS], best, neighbour, unused;
    start_near(&star, planet, set);
    double chi_square = optimise(&star, set, &best);
    assert_true(fabs(chi_square / N_OBS - 1.0) < 1e-4);
    for (size_t i = 0; i < N_COLUMNS; i++)
        for (int side = -1; side <= 1; side += 2) {
            double kept = set[i];
            set[i] += side * 1e-3 * fmax(fabs(kept), 0.01);
            evaluate_set(&star, 1, 0, set, &unused, &neighbour, NULL);
            assert_true(neighbour < best);
            set[i] = kept;
        }
    for (size_t i = 0; i < 2; i++) {
        double jitter = set[study_layout(&star, 1, 0).columns[TERM_JITTERS].first + i];
        assert_true(jitter > 1.0 && jitter < 5.0); /* sqrt(12), less what the orbit takes */
    }
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Where the uncertainties explain the scatter there is nothing to add. */
static void ample_uncertainties_need_no_jitter(void **state)
{
    (void)state;
    simulated_star model = {.seed = 6,
                            .n_obs = N_OBS,
                            .span_days = 600.0,
                            .n_planets = 1,
                            .elements = planet,
                            .noise_m_s = 2.0,
                            .uncertainty_m_s = 3.0};
    equant_dataset *dataset = simulated_star_observe(&model);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    double set[N_COLUMNS], unused;
    start_near(&star, planet, set);
    optimise(&star, set, &unused);
    const double *jitters = set + study_layout(&star, 1, 0).columns[TERM_JITTERS].first;
    assert_true(jitters[0] == 0.0 && jitters[1] == 0.0);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void sets_are_optimised_alone(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(7, N_OBS, 600.0, 1, planet, 2.0);
    study star;
    study_star(&star, dataset, 0.0, 0.0);
    least_squares_problem problem = {.n_planets = 1, .max_iterations = 100};
    double sets[3 * N_COLUMNS], alone[N_COLUMNS], found[3], found_alone;
    for (size_t s = 0; s < 3; s++)
        start_near(&star, planet, sets + s * N_COLUMNS);
    sets[N_COLUMNS] = -1.0; /* a period that is none */
    start_near(&star, planet, alone);
    assert_int_equal(maximum_likelihood_sets(&star, &problem, 3, POLISH_TO_RANK, sets, found),
                     EQUANT_SUCCESS);
    assert_int_equal(
        maximum_likelihood_sets(&star, &problem, 1, POLISH_TO_RANK, alone, &found_alone),
        EQUANT_SUCCESS);
    assert_true(isinf(found[1]) && found[1] < 0.0);
    assert_memory_equal(sets, sets + 2 * N_COLUMNS, sizeof alone);
    assert_memory_equal(sets, alone, sizeof alone);
    assert_memory_equal(&found[0], &found_alone, sizeof found_alone);
    assert_int_equal(maximum_likelihood_sets(&star, &problem, 0, POLISH_TO_RANK, sets, found),
                     EQUANT_SUCCESS);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jitters_make_residuals_most_likely),
        cmocka_unit_test(equal_uncertainties_have_a_formula),
        cmocka_unit_test(silence_has_no_jitter),
        cmocka_unit_test(optimisation_reaches_the_maximum),
        cmocka_unit_test(ample_uncertainties_need_no_jitter),
        cmocka_unit_test(sets_are_optimised_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
