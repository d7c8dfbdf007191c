/* Terms of noise that a planet has left far from their best values find them again. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "inference/optimise/maximum_likelihood.h"
#include "inference/optimise/noise_choice.h"
#include "unit/studied_star.h"

enum { N = 120 };

/* A star that turns in 19 days. */
static equant_dataset *make_spots(void)
{
    double time[N], velocity[N] = {0.0}, sigma[N], variances[N], drawn[N];
    equant_noise *noise;
    equant_dataset *dataset = NULL;
    for (int k = 0; k < N; k++) {
        time[k] = 2.3 * k + 0.3 * sin(5.0 * k);
        sigma[k] = 0.8;
        variances[k] = sigma[k] * sigma[k];
    }
    const equant_noise_rows rows = {.struct_size = sizeof rows,
                                    .n = N,
                                    .time_days = time,
                                    .values = velocity,
                                    .variances = variances};
    assert_int_equal(
        equant_noise_create("mep(amplitude=4, period=19, decay=60, width=0.5)", &noise),
        EQUANT_SUCCESS);
    assert_int_equal(equant_noise_draw(noise, &rows, NULL, 3, 0, 1, drawn), EQUANT_SUCCESS);
    equant_noise_free(noise);
    assert_int_equal(
        equant_dataset_from_arrays(N, time, drawn, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    return dataset;
}

static size_t term_called(const study *star, const char *name)
{
    size_t t = 0;
    while (t < star->menu.n_terms && strcmp(star->menu.terms[t].kind->name, name) != 0)
        t++;
    assert_true(t < star->menu.n_terms);
    return t;
}

static void terms_begin_again(void **state)
{
    (void)state;
    equant_dataset *dataset = make_spots();
    study star;
    solution made;
    const study_options options = {.engine = &on_one_thread, .noise = "auto"};
    assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &made), EQUANT_SUCCESS);
    size_t rotation = term_called(&star, "mep");
    double *values =
        made.set + study_first_correlated(&star, 0, 0) + star.menu.terms[rotation].first;
    made.noise.terms = 1u << rotation;
    memcpy(values, (const double[]){3.0, 70.0, 280.0, 0.5}, 4 * sizeof *values);
    assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_RANK, &made), EQUANT_SUCCESS);
    double stuck = made.log_likelihood;
    assert_true(fabs(values[1] - 19.0) > 10.0); /* what it is for */
    assert_int_equal(noise_choice_restart(&star, 0, &made), EQUANT_SUCCESS);
    assert_true(made.log_likelihood > stuck + 5.0);
    assert_true(fabs(values[1] - 19.0) < 2.0);
    double best = made.log_likelihood;
    assert_int_equal(noise_choice_restart(&star, 0, &made), EQUANT_SUCCESS);
    assert_true(made.log_likelihood >= best && made.log_likelihood < best + 1.0);
    solution_free(&made);
    study_free(&star);
    equant_dataset_free(dataset);
}

/* What is optimised only to be ranked is as good as what is optimised to be published, but for what
 * ranking allows; from good and from bad values. */
static void ranks_are_near_the_best(void **state)
{
    (void)state;
    equant_dataset *dataset = make_spots();
    study star;
    solution ranked, published;
    const study_options options = {.engine = &on_one_thread, .noise = "auto"};
    assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &ranked), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &published), EQUANT_SUCCESS);
    size_t rotation = term_called(&star, "mep");
    double *values =
        ranked.set + study_first_correlated(&star, 0, 0) + star.menu.terms[rotation].first;
    static const double starts[][4] = {
        {4.0, 19.0, 60.0, 0.5}, {1.0, 18.0, 30.0, 1.5}, {9.0, 20.5, 80.0, 0.3}};
    ranked.noise.terms = 1u << rotation;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        memcpy(values, starts[i], sizeof starts[i]);
        assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_RANK, &ranked),
                         EQUANT_SUCCESS);
        solution_copy(&star, &ranked, &published);
        assert_int_equal(maximum_likelihood_solution(&star, 0, POLISH_TO_PUBLISH, &published),
                         EQUANT_SUCCESS);
        assert_true(published.log_likelihood >= ranked.log_likelihood);
        assert_true(published.log_likelihood < ranked.log_likelihood + 10.0 * POLISH_TO_RANK);
    }
    solution_free(&ranked);
    solution_free(&published);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_begin_again),
                                       cmocka_unit_test(ranks_are_near_the_best)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
