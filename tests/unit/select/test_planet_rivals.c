/* Rivals of a fit: of each planet the best model that lacks it, of the candidate the best that has
 * it, and what they have and lack, in words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "inference/select/planets/planet_finder.h"
#include "inference/select/planets/planet_rivals.h"
#include "unit/studied_star.h"

static const double orbits[10] = {12.3, 15.0, 0.2, 1.0, 2.0, 47.0, 30.0, 0.3, 4.0, 1.0};

static equant_dataset *observed(void)
{
    const simulated_star star = {.seed = 3,
                                 .n_obs = 60,
                                 .first_day = 2455000.0,
                                 .span_days = 700.0,
                                 .n_planets = 2,
                                 .elements = orbits,
                                 .noise_m_s = 1.0,
                                 .uncertainty_m_s = 1.0};
    return simulated_star_observe(&star);
}

static void assert_says(const char *text, const char *what)
{
    if (strstr(text, what) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", what, text);
}

static bool has(const planet_rival *rival, double period_days)
{
    for (size_t p = 0; p < rival->n_planets; p++)
        if (fabs(rival->planets_days[p] / period_days - 1.0) < 0.01)
            return true;
    return false;
}

static void rivals_lack_what_they_are_asked_for(void **state)
{
    (void)state;
    planet_finder_options options = {.max_planets = 4,
                                     .false_alarm_max = 1e-3,
                                     .eccentricity_max = 0.5,
                                     .deadline_s = INFINITY,
                                     .end_s = INFINITY};
    planet_finder_result result;
    study star;
    equant_dataset *dataset = observed();
    study_star(&star, dataset, 8.0, 100.0);
    assert_int_equal(planet_finder_run(&star, &options, &result), EQUANT_SUCCESS);
    assert_int_equal(result.best.n_planets, 2);
    assert_int_equal(result.rivals.n, 2 + result.has_candidate);
    for (size_t i = 0; i < result.rivals.n; i++) {
        const planet_rival *own = &result.rivals.list[i];
        char said[64];
        assert_true(has(own, own->period_days) == own->is_of_candidate);
        assert_true(isfinite(own->delta_score) && own->delta_lnl < own->delta_score + 60.0);
        assert_true(own->is_of_candidate || own->delta_score < -10.0);
        snprintf(said, sizeof said, "%s of %.4g days has",
                 own->is_of_candidate ? "with the candidate" : "without the planet",
                 own->period_days);
        assert_says(own->sentence, said);
        assert_says(own->sentence, own->delta_score > 0.0 ? "more probable" : "less probable");
    }
    planet_finder_free(&result);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void a_given_number_has_no_rivals(void **state)
{
    (void)state;
    planet_finder_options options = {.n_planets = 2,
                                     .max_planets = 4,
                                     .false_alarm_max = 1e-3,
                                     .eccentricity_max = 0.5,
                                     .deadline_s = INFINITY,
                                     .end_s = INFINITY};
    planet_finder_result result;
    study star;
    equant_dataset *dataset = observed();
    study_star(&star, dataset, 8.0, 100.0);
    assert_int_equal(planet_finder_run(&star, &options, &result), EQUANT_SUCCESS);
    assert_int_equal(result.rivals.n, 0);
    planet_finder_free(&result);
    study_free(&star);
    equant_dataset_free(dataset);
}

static void differences_are_told(void **state)
{
    (void)state;
    char text[MODEL_WORDS_SIZE], noise[MODEL_WORDS_NOISE_SIZE];
    const double other_orbit[N_ELEMENTS] = {24.6, 5.0, 0.0, 0.0, 0.0};
    study star;
    solution model, other;
    equant_dataset *dataset = observed();
    study_options options = {.engine = &on_one_thread, .noise = "auto"};
    assert_int_equal(study_create(&star, dataset, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &model), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &other), EQUANT_SUCCESS);
    solution_add_planet(&star, &model, orbits);
    solution_add_planet(&star, &model, orbits + N_ELEMENTS);
    solution_copy(&star, &model, &other);
    model_words_changes(&star, &model, &other, NAN, text);
    assert_string_equal(text, "nothing");
    solution_remove_planet(&star, &other, 0);
    model_words_changes(&star, &model, &other, orbits[0], text);
    assert_string_equal(text, "nothing");
    model_words_changes(&star, &model, &other, NAN, text);
    assert_string_equal(text, "no planet of 12.3 days");
    solution_add_planet(&star, &other, other_orbit);
    solution_set_trend(&star, &other, 1);
    model_words_changes(&star, &model, &other, orbits[0], text);
    assert_string_equal(text, "a planet of 24.6 days and a linear trend");
    model_words_changes(&star, &model, &other, NAN, text);
    assert_string_equal(text, "a planet of 24.6 days, no planet of 12.3 days and a linear trend");
    model_words_noise(&star, &other, noise);
    assert_string_equal(noise, "white");
    assert_true(star.menu.n_terms > 0);
    other.noise.terms = 1;
    model_words_noise(&star, &other, noise);
    assert_string_equal(noise, star.menu.terms[0].name);
    model_words_changes(&star, &model, &other, NAN, text);
    assert_says(text, star.menu.terms[0].name);
    solution_free(&model);
    solution_free(&other);
    study_free(&star);
    equant_dataset_free(dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rivals_lack_what_they_are_asked_for),
        cmocka_unit_test(a_given_number_has_no_rivals),
        cmocka_unit_test(differences_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
