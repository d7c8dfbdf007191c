/* Sets of a star under study have the likelihood and the derivatives that an evaluator gives them,
 * with and without correlated noise; an indicator is a column of the mean. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/likelihood/set_likelihood.h"
#include "unit/simulated_star.h"

enum { N_OBS = 90, N_PLANETS = 2, MOST = 40 };

static const double elements[N_PLANETS * 5] = {12.0, 6.0, 0.1, 1.0, 2.0, 170.0, 9.0, 0.3, 0.4, 5.0};

typedef struct fixture {
    equant_dataset *dataset;
    study star;
    parameter_layout layout;
    double set[MOST];
} fixture;

static void set_up(fixture *f)
{
    const simulated_star sky = {.seed = 4,
                                .n_obs = N_OBS,
                                .first_day = 2455000.0,
                                .span_days = 900.0,
                                .n_planets = N_PLANETS,
                                .elements = elements,
                                .noise_m_s = 2.0,
                                .uncertainty_m_s = 1.5};
    const study_options options = {.engine = &on_one_thread, .noise = "auto"};
    f->dataset = simulated_star_observe(&sky);
    assert_int_equal(study_create(&f->star, f->dataset, &options), EQUANT_SUCCESS);
    f->layout = study_layout(&f->star, N_PLANETS, 1);
    assert_true(f->layout.n_parameters <= MOST);
    memset(f->set, 0, sizeof f->set);
    memcpy(f->set, elements, sizeof elements);
    f->set[10] = 11.0;
    f->set[11] = -6.0;
    f->set[12] = 0.003;
    f->set[f->layout.columns[TERM_JITTERS].first] = 0.7;
    f->set[f->layout.columns[TERM_JITTERS].first + 1] = 1.1;
    double *values = f->set + study_first_correlated(&f->star, N_PLANETS, 1);
    for (size_t t = 0; t < f->star.menu.n_terms; t++)
        noise_menu_start(&f->star.menu.terms[t], values + f->star.menu.terms[t].first);
}

static void tear_down(fixture *f)
{
    study_free(&f->star);
    equant_dataset_free(f->dataset);
}

/* The names of the terms of the menu, "mep,slow". */
static void name_terms(const fixture *f, char text[80])
{
    text[0] = '\0';
    for (size_t t = 0; t < f->star.menu.n_terms; t++) {
        strcat(text, t > 0 ? "," : "");
        strcat(text, f->star.menu.terms[t].kind->name);
    }
}

static void as_an_evaluator(void **state)
{
    (void)state;
    fixture f;
    char terms[80];
    set_up(&f);
    name_terms(&f, terms);
    assert_true(f.star.menu.n_terms >= 2);
    const study_shape shape = {N_PLANETS, 1, {.terms = (1u << f.star.menu.n_terms) - 1}};
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = N_PLANETS,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_LINEAR,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN,
                                    .with_jitter = 1,
                                    .noise = terms};
    equant_model *model;
    equant_evaluator *evaluator;
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(f.star.dataset, model, &on_one_thread, &evaluator),
                     EQUANT_SUCCESS);
    size_t n = equant_model_n_parameters(model);
    assert_int_equal(n, f.layout.n_parameters); /* no indicators: the same columns */
    double chi[2], likelihood[2], gradient[2][MOST], fisher[2][MOST * MOST];
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .chi_square = &chi[0],
                                      .log_likelihood = &likelihood[0],
                                      .chi_square_gradient = gradient[0],
                                      .fisher = fisher[0]};
    assert_int_equal(
        equant_evaluator_differentiate(evaluator, EQUANT_BASIS_LINEAR, 1, f.set, &derivatives),
        EQUANT_SUCCESS);
    assert_int_equal(set_likelihood_differentiate(&f.star, &shape, EQUANT_BASIS_LINEAR, f.set,
                                                  &chi[1], gradient[1], fisher[1]),
                     EQUANT_SUCCESS);
    set_likelihood_results results = {.log_likelihood = &likelihood[1]};
    assert_int_equal(set_likelihood_evaluate(&f.star, &shape, f.set, &results), EQUANT_SUCCESS);
    assert_true(fabs(chi[1] / chi[0] - 1.0) < 1e-10);
    assert_true(fabs(likelihood[1] / likelihood[0] - 1.0) < 1e-11);
    size_t n_mean = parameter_layout_first_noise(&f.layout);
    for (size_t i = 0; i < n_mean; i++) {
        double size = sqrt(fisher[0][i * n + i] * chi[0]);
        assert_true(fabs(gradient[1][i] - gradient[0][i]) < 1e-9 * size);
        for (size_t j = 0; j < n_mean; j++)
            assert_true(fabs(fisher[1][i * n + j] - fisher[0][i * n + j]) <
                        1e-9 * sqrt(fisher[0][i * n + i] * fisher[0][j * n + j]));
    }
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    tear_down(&f);
}

/* Without terms the very numbers of an evaluator that has never heard of any. */
static void white_as_ever(void **state)
{
    (void)state;
    fixture f;
    set_up(&f);
    const study_shape shape = {N_PLANETS, 1, {.terms = 0, .indicators = 0}};
    equant_evaluator *evaluator;
    double inner[MOST], likelihood[2];
    memcpy(inner, f.set, sizeof inner);
    assert_int_equal(study_evaluator(&f.star, N_PLANETS, 1, &evaluator), EQUANT_SUCCESS);
    equant_results asked = {.struct_size = sizeof asked, .log_likelihood = &likelihood[0]};
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, inner, &asked), EQUANT_SUCCESS);
    set_likelihood_results results = {.log_likelihood = &likelihood[1]};
    assert_int_equal(set_likelihood_evaluate(&f.star, &shape, f.set, &results), EQUANT_SUCCESS);
    assert_true(likelihood[0] == likelihood[1]);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_an_evaluator),
        cmocka_unit_test(white_as_ever),
    };
    return cmocka_run_group_tests_name("likelihood of sets", tests, NULL, NULL);
}
