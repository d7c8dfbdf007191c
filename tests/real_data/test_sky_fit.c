/* Orbits that others have found in the same tables, found without a start: Gaia BH3 and Gaia-4
 * on single CCDs with their stated errors, then by means of transits with a jitter; and Gaia BH3
 * with the velocities of Gaia's own spectrograph, as its paper has them and as a table of DR4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <unistd.h>

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
    assert_int_equal(equant_sky_fit_summarize(fit, summary), EQUANT_SUCCESS);
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

typedef struct bh3_velocities {
    size_t n;
    long long transit[64];
    double jd[64], velocity_km_s[64], error_km_s[64];
} bh3_velocities;

static bh3_velocities velocities_of_bh3(void)
{
    bh3_velocities found = {0};
    char line[512];
    FILE *file = sky_table_open("gaia/bh3/epochrv.dat");
    while (file != NULL && found.n < 64 && fgets(line, sizeof line, file))
        if (sscanf(line, "%lld %lf %lf %lf", &found.transit[found.n], &found.jd[found.n],
                   &found.velocity_km_s[found.n], &found.error_km_s[found.n]) == 4)
            found.n++;
    if (file != NULL)
        fclose(file);
    return found;
}

static equant_dataset *arrays_of_bh3(void)
{
    double velocity[64], error[64];
    equant_dataset *made = NULL;
    bh3_velocities own = velocities_of_bh3();
    for (size_t k = 0; k < own.n; k++) {
        velocity[k] = 1000.0 * own.velocity_km_s[k];
        error[k] = 1000.0 * own.error_km_s[k];
    }
    if (own.n > 0)
        assert_int_equal(
            equant_dataset_from_arrays(own.n, own.jd, velocity, error, NULL, 0, NULL, NULL, &made),
            EQUANT_SUCCESS);
    return made;
}

/* The same velocities with the columns of rvs_epoch_parameters_single, and beside them a transit
 * that is not valid and one without a velocity. */
static equant_dataset *gaia_table_of_bh3(void)
{
    char path[] = "/tmp/equant-bh3-XXXXXX";
    const char *const paths[] = {path};
    const long long source = 4318465066420528000;
    equant_dataset *made = NULL;
    bh3_velocities own = velocities_of_bh3();
    if (own.n == 0)
        return NULL;
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    assert_non_null(file);
    fprintf(file, "source_id,transit_id,obs_time_rv,radial_velocity,radial_velocity_error,"
                  "raw_radial_velocity_error,radial_velocity_mc_error,rad_vel_bary_corr,"
                  "radial_velocity_is_valid\n");
    for (size_t k = 0; k < own.n; k++)
        fprintf(file, "%lld,%lld,%.9f,%.2f,%.2f,%.2f,%.2f,0,true\n", source, own.transit[k],
                own.jd[k] - 2455197.5, own.velocity_km_s[k], own.error_km_s[k],
                0.7 * own.error_km_s[k], 0.8 * own.error_km_s[k]);
    fprintf(file, "%lld,1,2000.0,9000.0,0.5,0.5,0.5,0,false\n", source);
    fprintf(file, "%lld,2,2100.0,,,,,0,true\n", source);
    fclose(file);
    equant_status status = equant_dataset_from_files(1, paths, NULL, &made);
    unlink(path);
    assert_int_equal(status, EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_n_obs(made), own.n);
    return made;
}

/* ESA's joint solution. */
static equant_sky_companion joint_bh3(equant_dataset *velocities)
{
    if (velocities == NULL)
        skip();
    equant_sky_fit_options options = plain;
    options.velocities = velocities;
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(sky_table_bh3(), &options);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    equant_dataset_free(velocities);
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
    return c;
}

static void bh3_with_velocities(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    joint_bh3(arrays_of_bh3());
}

/* The archive's columns change nothing: times are TCB in both tables, which without them is not
 * said, and 20 seconds are nothing here; errors lose what single precision has not. */
static void bh3_with_the_table_of_dr4(void **state)
{
    (void)state;
    QUICK_RUN_LEAVES_THIS_OUT();
    equant_sky_companion plainly = joint_bh3(arrays_of_bh3()), c = joint_bh3(gaia_table_of_bh3());
    near(c.period_days, plainly.period_days, 1e-4 * c.period_days_err);
    near(c.eccentricity, plainly.eccentricity, 1e-4 * c.eccentricity_err);
    near(c.inclination_rad, plainly.inclination_rad, 1e-4 * c.inclination_rad_err);
    near(c.node_rad, plainly.node_rad, 1e-4 * c.node_rad_err);
    near(c.k_m_s, plainly.k_m_s, 1e-4 * c.k_m_s_err);
    near(c.a1_au, plainly.a1_au, 1e-4 * c.a1_au_err);
}

/* HD 4747 without any position of its companion: 66.1 +- 1.6 Jupiters by orvara with positions, of
 * the same row of the catalogue. */
static void hd4747_by_velocities_and_motions(void **state)
{
    (void)state;
    const char *velocity_path = shared_file("astrometry/hd4747/HD4747_RV.dat");
    char path[4096];
    if (velocity_path == NULL)
        skip();
    snprintf(path, sizeof path, "%s", velocity_path);
    const char *const paths[] = {path};
    equant_sky_motions motions = {.struct_size = sizeof motions};
    equant_astrometry *star = NULL;
    equant_dataset *velocities = NULL;
    equant_status status = equant_sky_motions_read(
        shared_file("astrometry/hd4747/HGCA_vDR3_FAKE_7p.fits"), 3850, &motions);
    if (status == EQUANT_ERROR_UNAVAILABLE)
        skip();
    assert_int_equal(status, EQUANT_SUCCESS);
    assert_int_equal(equant_dataset_from_files(1, paths, NULL, &velocities), EQUANT_SUCCESS);
    assert_int_equal(equant_astrometry_create_empty(3850, "HD 4747", &star), EQUANT_SUCCESS);
    const equant_sky_fit_options options = {.struct_size = sizeof options,
                                            .velocities = velocities,
                                            .motions = &motions,
                                            .star_mass = 0.82,
                                            .star_mass_err = 0.04};
    equant_sky_summary summary;
    equant_sky_fit *fit = fit_of(star, &options);
    equant_sky_companion c = only_companion(fit, &summary);
    equant_sky_fit_free(fit);
    equant_dataset_free(velocities);
    assert_int_equal(summary.n_motions, 6);
    near(c.mass_jupiter, 66.1, c.mass_jupiter_err);
    assert_true(c.mass_jupiter_err < 4.0);
    near(c.eccentricity, 0.7357, 0.0060);
    near(c.inclination_rad * DEGREES, 49.9, 2.0 * c.inclination_rad_err * DEGREES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bh3_blind),
        cmocka_unit_test(gaia4_blind),
        cmocka_unit_test(bh3_by_transits),
        cmocka_unit_test(bh3_with_velocities),
        cmocka_unit_test(bh3_with_the_table_of_dr4),
        cmocka_unit_test(hd4747_by_velocities_and_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
