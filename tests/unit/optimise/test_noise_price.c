/* What a term of noise costs is what an integral over its range says. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "inference/optimise/noise_fit.h"
#include "inference/optimise/noise_integral.h"
#include "unit/studied_star.h"

enum { NIGHTS = 60, N = 2 * NIGHTS };

/* Two exposures a night that share an offset, and have errors of 1 m/s. */
static equant_dataset *make_nights(double offset_m_s)
{
    double time[N], velocity[N], sigma[N];
    equant_dataset *dataset = NULL;
    for (int k = 0; k < N; k++) {
        int night = k / 2;
        time[k] = 3.0 * night + 0.05 * (k % 2) + 0.1 * sin(5.0 * night);
        velocity[k] = offset_m_s * M_SQRT2 * sin(2.7 * night * night) + sin(11.3 * k * k + 1.0);
        sigma[k] = 1.0;
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    return dataset;
}

static double log_likelihood_of(study *star, const study_shape *shape, const double *set)
{
    double log_likelihood;
    const set_likelihood_results results = {.log_likelihood = &log_likelihood};
    assert_int_equal(set_likelihood_evaluate(star, shape, set, &results), EQUANT_SUCCESS);
    return log_likelihood;
}

/* The prior density of the logarithm x of a parameter, not normalised. */
static double plain_density(const noise_range *range, double x)
{
    double sum = 0.0;
    if (!range->prior)
        return 1.0 / log(range->highest / range->lowest);
    for (size_t i = 0; i < range->prior->n; i++) {
        double z = (x - log(range->prior->median[i])) / range->prior->width[i];
        sum += range->prior->share[i] * exp(-0.5 * z * z) / range->prior->width[i];
    }
    return sum / sqrt(2.0 * M_PI);
}

/* By sums over many steps between two values. */
static double share_between(const noise_range *range, double low, double high)
{
    enum { STEPS = 20000 };
    double sum = 0.0, step = log(high / low) / STEPS;
    for (int i = 0; i < STEPS; i++)
        sum += plain_density(range, log(low) + (i + 0.5) * step) * step;
    return sum;
}

/* ln of the prior odds of a term that may be seen against none. */
static double log_odds(const noise_menu_term *term)
{
    const noise_range *amplitude = &term->parameters[0];
    double seen = share_between(amplitude, amplitude->lowest, 1e6 * amplitude->lowest);
    return log(term->share / (1.0 - term->share * seen));
}

/* ln of the best likelihood over the mean one under the prior of the amplitude, less the odds. */
static double price_by_integral(study *star, const study_shape *shape, double *set, double *best)
{
    const noise_range *range = &star->menu.terms[0].parameters[0];
    double *amplitude = set + study_first_correlated(star, 0, 0), sum = 0.0;
    enum { STEPS = 4000 };
    double values[STEPS], largest = -INFINITY;
    for (int i = 0; i < STEPS; i++) {
        *amplitude = range->lowest * pow(range->highest / range->lowest, (i + 0.5) / STEPS);
        values[i] = log_likelihood_of(star, shape, set);
        if (values[i] > largest) {
            largest = values[i];
            *best = *amplitude;
        }
    }
    for (int i = 0; i < STEPS; i++)
        sum += exp(values[i] - largest) / STEPS * log(range->highest / range->lowest) *
               plain_density(range, log(range->lowest) +
                                        (i + 0.5) / STEPS * log(range->highest / range->lowest));
    *amplitude = *best;
    return -log(sum) - log_odds(&star->menu.terms[0]);
}

static void the_price_is_the_share_of_the_range(void **state)
{
    (void)state;
    const double offsets[] = {1.0, 2.0, 0.0}; /* the last: at the end of the range */
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        equant_dataset *dataset = make_nights(offsets[i]);
        study star;
        double set[32] = {0.0}, best = 0.0, price;
        const study_options options = {.engine = &on_one_thread, .noise = "auto"};
        assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
        star.with_jitter = false;
        assert_string_equal(star.menu.terms[0].kind->name, "night");
        const study_shape shape = {.noise = {.terms = 1}};
        const bool is_free[32] = {false};
        const noise_fit_problem problem = {&shape, is_free, 0, 1e-3};
        double expected = price_by_integral(&star, &shape, set, &best);
        if (offsets[i] == 0.0)
            set[study_first_correlated(&star, 0, 0)] = star.menu.terms[0].parameters[0].lowest;
        assert_int_equal(noise_fit_price(&star, &problem, set, &price), EQUANT_SUCCESS);
        assert_true(fabs(price - expected) < (offsets[i] > 0.0 ? 0.1 : 1.0));
        assert_int_equal(noise_integral_price(&star, &problem, set, &price), EQUANT_SUCCESS);
        assert_true(fabs(price - expected) < 0.1);
        study_free(&star);
        equant_dataset_free(dataset);
    }
}

/* ln of the best likelihood of a rotation over its mean under its prior, by plain draws from its
 * ranges that are weighed, less the odds; the best of these in the set. */
static double price_by_draws(study *star, const study_shape *shape, size_t term, double *set)
{
    enum { DRAWS = 40000 };
    const noise_menu_term *rotation = &star->menu.terms[term];
    double *values = set + study_first_correlated(star, 0, 0) + rotation->first, best[8] = {0.0},
           largest = -INFINITY, *gains = malloc(DRAWS * sizeof *gains), sum = 0.0;
    double within[8] = {1.0, 1.0, 1.0, 1.0}, *weights = malloc(DRAWS * sizeof *weights);
    uint64_t state = 1;
    assert_non_null(gains);
    assert_non_null(weights);
    for (size_t i = 1; i < rotation->kind->n_parameters; i++)
        within[i] = share_between(&rotation->parameters[i], rotation->parameters[i].lowest,
                                  rotation->parameters[i].highest);
    for (int d = 0; d < DRAWS; d++) {
        weights[d] = 1.0;
        for (size_t i = 0; i < rotation->kind->n_parameters; i++) {
            const noise_range *range = &rotation->parameters[i];
            state = state * 6364136223846793005u + 1442695040888963407u;
            double share = (double)(state >> 11) / 9007199254740992.0;
            double log_range = log(range->highest / range->lowest);
            weights[d] *= log_range / within[i] *
                          plain_density(range, log(range->lowest) + share * log_range);
            values[i] = range->lowest * pow(range->highest / range->lowest, share) *
                        (range->per_period ? values[1] : 1.0);
        }
        gains[d] = log_likelihood_of(star, shape, set);
        if (gains[d] > largest) {
            largest = gains[d];
            memcpy(best, values, rotation->kind->n_parameters * sizeof *best);
        }
    }
    for (int d = 0; d < DRAWS; d++)
        sum += weights[d] * exp(gains[d] - largest) / DRAWS;
    free(weights);
    memcpy(values, best, rotation->kind->n_parameters * sizeof *best);
    free(gains);
    return -log(sum) - log_odds(rotation);
}

/* A rotation that nothing asks for has many periods that do as well as the best: its price is what
 * draws from all of its ranges say, about the best or about any other good place. */
static void the_price_of_many_peaks_is_that_of_their_sum(void **state)
{
    (void)state;
    equant_dataset *dataset = make_nights(0.5);
    study star;
    double set[64] = {0.0}, price;
    const study_options options = {.engine = &on_one_thread, .noise = "auto"};
    assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
    star.with_jitter = false;
    size_t term = 0;
    while (strcmp(star.menu.terms[term].kind->name, "mep") != 0)
        term++;
    const study_shape shape = {.noise = {.terms = 1u << term}};
    const bool is_free[64] = {false};
    const noise_fit_problem problem = {&shape, is_free, 0, 1e-3};
    double expected = price_by_draws(&star, &shape, term, set);
    assert_int_equal(noise_integral_price(&star, &problem, set, &price), EQUANT_SUCCESS);
    assert_true(fabs(price - expected) < 0.3);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* Solutions learn it where noise is chosen, and forget it with their values. */
static void solutions_know_their_price(void **state)
{
    (void)state;
    equant_dataset *dataset = make_nights(2.0);
    study star;
    solution made;
    const study_options options = {.engine = &on_one_thread, .noise = "auto"};
    assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    assert_int_equal(noise_choice_price(&star, 0, &made), EQUANT_SUCCESS);
    assert_true(isnan(made.noise_price)); /* it has no terms */
    assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_RANK, &made), EQUANT_SUCCESS);
    assert_int_equal(noise_choice_improve(&star, 0, &made), EQUANT_SUCCESS);
    assert_true(made.noise.terms != 0 && isnan(made.noise_price));
    double by_bic = solution_evidence(&star, &made);
    assert_true(fabs(made.log_likelihood - by_bic -
                     0.5 * log(N) * (double)noise_menu_n_chosen(&star.menu, made.noise)) < 1e-9);
    assert_int_equal(noise_choice_price(&star, 0, &made), EQUANT_SUCCESS);
    assert_true(made.noise_price > 0.0);
    assert_true(fabs(made.log_likelihood - solution_evidence(&star, &made) - made.noise_price) <
                1e-9);
    solution_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_price_is_the_share_of_the_range),
        cmocka_unit_test(the_price_of_many_peaks_is_that_of_their_sum),
        cmocka_unit_test(solutions_know_their_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
