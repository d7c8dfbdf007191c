/* Whether planets attract each other so much that Keplerian orbits are wrong: the pair of GJ 876
 * does, a hot Jupiter and a planet far outside do not. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "inference/interaction/interaction_doubt.h"
#include "inference/interaction/interaction_remark.h"
#include "inference/interaction/interaction_start.h"

enum { N_OBS = 90 };

/* The doubt about two orbits, of data with errors of 2 m/s over eight years, and its remark. */
static interaction_doubt doubt_about(const double orbits[2][N_ELEMENTS], double star_mass,
                                     char *remark)
{
    double times[N_OBS], velocities[N_OBS], errors[N_OBS];
    for (int k = 0; k < N_OBS; k++) {
        times[k] = 2452000.0 + 2900.0 * k / N_OBS + 11.0 * sin(3.7 * k);
        velocities[k] = 30.0 * sin(5.1 * k);
        errors[k] = 2.0;
    }
    equant_dataset *data;
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, times, velocities, errors, NULL, 1, NULL, NULL, &data),
        EQUANT_SUCCESS);
    study star;
    solution found;
    interaction_doubt doubt;
    const double exact[] = {0.0, 0.0};
    const study_options options = {.no_jitter = true};
    assert_int_equal(study_create(&star, data, &options), EQUANT_SUCCESS);
    assert_int_equal(solution_create(&star, &found), EQUANT_SUCCESS);
    for (int p = 0; p < 2; p++)
        solution_add_planet(&star, &found, orbits[p]);
    assert_int_equal(interaction_doubt_find(&star, &found, star_mass, &doubt), EQUANT_SUCCESS);
    assert_int_equal(interaction_remark(&star, &found, star_mass, exact, &star.menu.remarks),
                     EQUANT_SUCCESS);
    strcpy(remark, star.menu.remarks.n > 0 ? star.menu.remarks.texts[0] : "");
    solution_free(&found);
    study_free(&star);
    equant_dataset_free(data);
    return doubt;
}

static void test_resonant_planets_are_doubted(void **state)
{
    (void)state;
    const double orbits[2][N_ELEMENTS] = {{30.23, 88.8, 0.012, 2.6, 1.0},
                                          {61.04, 211.9, 0.003, 2.5, 4.0}};
    char remark[REMARKS_SIZE];
    interaction_doubt doubt = doubt_about(orbits, 0.37, remark);
    printf("chi-square %.3g, %.2f mutual Hill radii: %s\n", doubt.chi_square, doubt.pair.hill_radii,
           remark);
    assert_true(doubt.matters);
    assert_true(doubt.is_unstable || doubt.chi_square > 1e3);
    assert_int_equal(doubt.pair.resonance[0], 2);
    assert_int_equal(doubt.pair.resonance[1], 1);
    /* By hand: m sin i of 0.75 and 2.26 Jupiters of 0.37 suns; axes in the ratio 2.019^(2/3). */
    assert_true(fabs(doubt.pair.hill_radii - 3.4) < 0.15);
    assert_non_null(strstr(remark, "30.23 and 61.04 d"));
    assert_non_null(strstr(remark, "near 2:1"));
}

static void test_distant_planets_are_not(void **state)
{
    (void)state;
    const double orbits[2][N_ELEMENTS] = {{4.23, 60.0, 0.02, 1.0, 2.0},
                                          {1500.0, 40.0, 0.3, 1.0, 2.0}};
    char remark[REMARKS_SIZE];
    interaction_doubt doubt = doubt_about(orbits, 1.0, remark);
    printf("chi-square %.3g, %.2f mutual Hill radii\n", doubt.chi_square, doubt.pair.hill_radii);
    assert_false(doubt.matters);
    assert_true(doubt.chi_square < 0.1);
    assert_string_equal(remark, "");
}

/* Semi-amplitudes and masses belong to each other. */
static void test_masses_give_the_amplitudes_back(void **state)
{
    (void)state;
    const double orbits[2][N_ELEMENTS] = {{30.23, 88.8, 0.2, 2.6, 1.0},
                                          {61.04, 211.9, 0.5, 2.5, 4.0}};
    double elements[2 * NBODY_N_ELEMENTS];
    interaction_start(0.37, 2, orbits[0], 0.8, elements);
    for (size_t p = 0; p < 2; p++)
        assert_true(fabs(interaction_semi_amplitude(0.37, elements, p) / orbits[p][ELEMENT_K] -
                         1.0) < 1e-12);
    /* A Jupiter around the Sun in a year: 28.43 m/s (Lovis & Fischer 2010). */
    const double jupiter[N_ELEMENTS] = {365.25, 28.4329, 0.0, 0.0, 0.0};
    interaction_start(1.0, 1, jupiter, 1.57079632679489661923, elements);
    assert_true(fabs(elements[NBODY_MASS] * 1047.5655 - 1.0) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_resonant_planets_are_doubted),
                                       cmocka_unit_test(test_distant_planets_are_not),
                                       cmocka_unit_test(test_masses_give_the_amplitudes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
