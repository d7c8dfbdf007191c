/* Orbits that others have found in the same tables, found without a start: Gaia BH3 and Gaia-4
 * on single CCDs with their stated errors, then by means of transits with a jitter; and Gaia BH3
 * with the velocities of Gaia's own spectrograph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "quick.h"
#include "real_data/sky_tables.h"

#define DEGREES 57.29577951308232

static equant_sky_fit *fit_of(equant_astrometry *source, const equant_sky_fit_options *options)
{
    equant_sky_fit *fit = NULL;
    if (source == NULL)
        skip();
    equant_status status = equant_sky_fit_create(source, options, &fit);
    if (status != EQUANT_SUCCESS)
        print_message("%s\n", equant_last_error());
    assert_int_equal(status, EQUANT_SUCCESS);
    equant_astrometry_free(source);
    return fit;
}

static equant_sky_companion only_companion(equant_sky_fit *fit, equant_sky_summary *summary)
{
    equant_sky_companion companion = {.struct_size = sizeof companion};
    *summary = (equant_sky_summary){.struct_size = sizeof *summary};
    assert_int_equal(equant_sky_fit_summary(fit, summary), EQUANT_SUCCESS);
    print_message("%s [%s]\n", equant_sky_fit_words(fit), equant_sky_fit_flags(fit));
    assert_int_equal(summary->verdict, EQUANT_SKY_ORBIT);
    assert_int_equal(summary->n_companions, 1);
    assert_int_equal(equant_sky_fit_companion(fit, 0, &companion), EQUANT_SUCCESS);
    return companion;
}

static void near(double value, double expected, double bound)
{
    if (!(fabs(value - expected) <= bound))
        print_message("%.6f is not %.6f to %.2g\n", value, expected, bound);
    assert_true(fabs(value - expected) <= bound);
}

static const equant_sky_fit_options plain = {
    .struct_size = sizeof plain, .as_ccds = 1, .no_jitter = 1};

/* The solution of ESA's notebook for Panuzzo et al. 2024. */
static void bh3_blind(void **state)
{
    (void)state;
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(sky_table_bh3(), &plain);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    assert_true(summary.chi_square <= 538.85);
    near(c.period_days, 4236.0, 0.05 * c.period_days_err);
    near(c.period_days_err, 109.0, 1.0);
    near(c.eccentricity, 0.72823, 0.05 * c.eccentricity_err);
    near(c.m0_rad * DEGREES, 339.55, 0.05 * c.m0_rad_err * DEGREES);
    near(c.inclination_rad * DEGREES, 110.589, 0.05 * c.inclination_rad_err * DEGREES);
    near(c.omega_rad * DEGREES, 77.853, 0.05 * c.omega_rad_err * DEGREES);
    near(c.node_rad * DEGREES, 136.216, 0.05 * c.node_rad_err * DEGREES);
    static const double constants[4] = {2.3471, 10.752, 20.669, -17.011};
    for (int j = 0; j < 4; j++)
        near(c.thiele_innes_mas[j], constants[j], 0.05 * c.thiele_innes_mas_err[j]);
    near(summary.parallax_mas, 1.68081, 0.05 * summary.parallax_mas_err);
    assert_int_equal(c.node_is_known, 0);
}

static void gaia4_blind(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(sky_table_gaia4(), &plain);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    near(summary.chi_square, 1133.2, 0.1);
    near(c.period_days, 578.89, 0.1 * c.period_days_err);
    near(c.eccentricity, 0.4147, 0.1 * c.eccentricity_err);
    near(c.a0_mas, 0.2550, 0.1 * c.a0_mas_err);
    near(c.inclination_rad * DEGREES, 121.0, 0.1 * c.inclination_rad_err * DEGREES);
    near(summary.parallax_mas, 13.6236, 0.1 * summary.parallax_mas_err);
    near(c.period_days, 571.3, 3.0 * c.period_days_err);
}

/* Transits with a jitter: the paper's astrometric posterior, and the mass of 32.7 +- 0.8 suns. */
static void bh3_by_transits(void **state)
{
    (void)state;
    const equant_sky_fit_options options = {
        .struct_size = sizeof options, .star_mass = 0.76, .star_mass_err = 0.05};
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(sky_table_bh3(), &options);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    assert_int_equal(summary.n_rows, 71);
    assert_true(summary.jitter_mas > 0.01 && summary.jitter_mas < 0.1);
    assert_true(summary.false_alarm < 1e-50);
    near(c.period_days, 4194.7, 112.3);
    near(c.eccentricity, 0.7262, 0.0056);
    near(c.a0_mas, 27.07, 0.56);
    near(c.inclination_rad * DEGREES, 110.659, c.inclination_rad_err * DEGREES);
    near(c.mass_jupiter / 1047.5655, 32.7, 2.0);
    assert_true(c.mass_jupiter_err / 1047.5655 > 0.3 && c.mass_jupiter_err / 1047.5655 < 2.0);
}

static equant_dataset *velocities_of_bh3(void)
{
    static double time[64], velocity[64], error[64];
    equant_dataset *made = NULL;
    char line[512];
    size_t n = 0;
    long long transit;
    FILE *file = sky_table_open("gaia/bh3/epochrv.dat");
    while (file != NULL && n < 64 && fgets(line, sizeof line, file))
        if (sscanf(line, "%lld %lf %lf %lf", &transit, &time[n], &velocity[n], &error[n]) == 4) {
            velocity[n] *= 1000.0;
            error[n++] *= 1000.0;
        }
    if (file != NULL)
        fclose(file);
    if (n > 0)
        equant_dataset_from_arrays(n, time, velocity, error, NULL, 0, NULL, NULL, &made);
    return made;
}

/* ESA's joint solution. */
static void bh3_with_velocities(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    equant_sky_fit_options options = plain;
    options.velocities = velocities_of_bh3();
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(sky_table_bh3(), &options);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    equant_dataset_free((equant_dataset *)options.velocities);
    assert_int_equal(summary.is_tied, 1);
    assert_int_equal(c.node_is_known, 1);
    near(c.period_days, 4211.6, 0.1 * c.period_days_err);
    near(c.period_days_err, 86.1, 1.0);
    near(c.eccentricity, 0.72706, 0.1 * c.eccentricity_err);
    near(c.inclination_rad * DEGREES, 110.614, 0.1 * c.inclination_rad_err * DEGREES);
    near(c.omega_rad * DEGREES, 77.814, 0.1 * c.omega_rad_err * DEGREES);
    near(c.node_rad * DEGREES, 136.192, 0.1 * c.node_rad_err * DEGREES);
    near(summary.parallax_mas, 1.68364, 0.1 * summary.parallax_mas_err);
    near(c.a1_au * sin(c.inclination_rad), 15.108, 0.1 * c.a1_au_err);
    near(c.k_m_s, 56840.0, 0.1 * c.k_m_s_err + 10.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bh3_blind),
        cmocka_unit_test(gaia4_blind),
        cmocka_unit_test(bh3_by_transits),
        cmocka_unit_test(bh3_with_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
