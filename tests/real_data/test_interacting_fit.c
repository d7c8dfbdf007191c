/* GJ 876: the two planets near 2:1, from the orbits that a Keplerian fit to Keck's velocities gives
 * them, as planets that attract each other. Compared with Nelson et al. (2016), who had more data.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "equant.h"
#include "shared_data.h"

static const double epoch = 2452017.0, degree = 0.017453292519943295;
static const double keplerian[2][EQUANT_N_ELEMENTS] = {{30.22696, 88.78, 0.01195, 2.569, 2.212},
                                                       {61.03721, 211.87, 0.00332, 2.526, 5.186}};

static void test_gj_876(void **state)
{
    (void)state;
    const char *path = shared_file("dynamics/gj876/GJ876_2_KECK.vels");
    if (path == NULL)
        skip();
    const equant_dataset_options shape = {
        .struct_size = sizeof shape, .has_reference_time = 1, .reference_time_days = epoch};
    const equant_interacting_options options = {
        .struct_size = sizeof options, .star_mass = 0.37, .keeps_planets = 1};
    equant_dataset *data;
    equant_interacting_fit *fit;
    assert_int_equal(equant_dataset_from_files(1, &path, &shape, &data), EQUANT_SUCCESS);
    assert_int_equal(equant_interacting_fit_create(data, 2, keplerian[0], &options, &fit),
                     EQUANT_SUCCESS);
    equant_interacting_summary summary = {.struct_size = sizeof summary};
    equant_interacting_planet planets[2] = {{.struct_size = sizeof planets[0]},
                                            {.struct_size = sizeof planets[0]}};
    assert_int_equal(equant_interacting_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    for (size_t p = 0; p < 2; p++)
        assert_int_equal(equant_interacting_fit_planet(fit, p, &planets[p]), EQUANT_SUCCESS);
    printf("ln L %.2f, rms %.3f m/s, i %.1f +- %.1f deg, e_c %.4f +- %.4f, masses %.3f %.3f\n",
           summary.log_likelihood, summary.rms_m_s, summary.inclination_rad / degree,
           summary.inclination_rad_err / degree, planets[0].eccentricity,
           planets[0].eccentricity_err, planets[0].mass_jupiter, planets[1].mass_jupiter);
    /* The Keplerian fit has 0.012. */
    assert_true(fabs(planets[0].eccentricity - 0.26) < 0.02);
    assert_true(summary.rms_m_s < 6.5);
    /* Their inclinations of c and b are 53 and 52 degrees, those of d and e uncertain; two planets
     * leave 6 m/s unexplained. */
    assert_true(fabs(summary.inclination_rad / degree - 50.0) < 10.0);
    assert_true(fabs(planets[1].period_days / planets[0].period_days - 2.0) < 0.03);
    assert_true(equant_interacting_fit_n_planets(fit) == 2);
    equant_interacting_fit_free(fit);
    equant_dataset_free(data);
}

static void test_what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    equant_dataset *data;
    equant_interacting_fit *fit = NULL;
    const double broken[2][EQUANT_N_ELEMENTS] = {{30.0, 80.0, 1.2, 0.0, 0.0},
                                                 {61.0, 200.0, 0.0, 0.0, 0.0}};
    /* Two heavy planets on crossing orbits: no integration lasts. */
    const double crossing[2][EQUANT_N_ELEMENTS] = {{1000.0, 900.0, 0.6, 0.0, 0.0},
                                                   {1100.0, 900.0, 0.6, 2.0, 1.0}};
    assert_int_equal(equant_dataset_demonstration(&data), EQUANT_SUCCESS);
    assert_int_equal(equant_interacting_fit_create(data, 2, broken[0], NULL, &fit),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    const equant_interacting_options options = {.struct_size = sizeof options, .keeps_planets = 1};
    equant_status status = equant_interacting_fit_create(data, 2, crossing[0], &options, &fit);
    assert_true(status == EQUANT_SUCCESS || status == EQUANT_ERROR_INVALID_ARGUMENT);
    if (status == EQUANT_SUCCESS) {
        equant_interacting_summary summary = {.struct_size = sizeof summary};
        assert_int_equal(equant_interacting_fit_summarize(fit, &summary), EQUANT_SUCCESS);
        assert_true(isfinite(summary.log_likelihood));
    }
    equant_interacting_fit_free(fit);
    assert_int_equal(equant_interacting_fit_n_planets(NULL), 0);
    equant_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gj_876),
                                       cmocka_unit_test(test_what_makes_no_sense_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
