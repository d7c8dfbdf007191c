/* Noise on scanning laws that Gaia had, those of BH3 and of Gaia-4: how often an orbit is claimed,
 * and whether false-alarm probabilities are as often true. Then terms of the scan angle, which must
 * never become an orbit, and orbits, which must. The first argument is how many of each to draw. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "oracle/random_system.h"
#include "quick.h"
#include "real_data/sky_tables.h"

enum { MOST_ROWS = 256 };

static int n_draws = 10;

static double normal(random_system *random)
{
    double u = 1.0 - random_system_uniform(random), v = random_system_uniform(random);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * v);
}

/* The transits of one of the two. */
static equant_astrometry *law(int which)
{
    equant_astrometry *ccds = which ? sky_table_gaia4() : sky_table_bh3(), *means = NULL;
    if (ccds == NULL) {
        print_message("skipped: the tables of Gaia are not here\n");
        skip();
    }
    assert_int_equal(equant_astrometry_transits(ccds, &means), EQUANT_SUCCESS);
    equant_astrometry_free(ccds);
    return means;
}

/* The same rows with other abscissae. */
static equant_astrometry *with_values(const equant_astrometry *means, const double *value)
{
    equant_sky_rows rows = {.struct_size = sizeof rows};
    equant_astrometry *made = NULL;
    equant_astrometry_rows(means, &rows);
    rows.abscissa_mas = value;
    assert_int_equal(equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, NULL, &made), 0);
    return made;
}

static equant_sky_summary fit_of(equant_astrometry *source, equant_sky_companion *companion)
{
    const equant_sky_fit_options options = {.struct_size = sizeof options, .period_min_days = 10.0};
    equant_sky_summary summary = {.struct_size = sizeof summary};
    equant_sky_fit *fit = NULL;
    assert_int_equal(equant_sky_fit_create(source, &options, &fit), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    if (companion != NULL && summary.n_companions > 0)
        equant_sky_fit_companion(fit, 0, companion);
    equant_sky_fit_free(fit);
    equant_astrometry_free(source);
    return summary;
}

static void noise_is_no_orbit(void **state)
{
    (void)state;
    random_system random = {2026};
    int n_orbits = 0, n_others = 0, n_tenth = 0, n_hundredth = 0, n = 2 * n_draws;
    for (int turn = 0; turn < n; turn++) {
        double value[MOST_ROWS];
        equant_sky_rows rows = {.struct_size = sizeof rows};
        equant_astrometry *means = law(turn % 2);
        equant_astrometry_rows(means, &rows);
        for (size_t k = 0; k < rows.n_rows; k++)
            value[k] = hypot(rows.uncertainty_mas[k], 0.05) * normal(&random);
        equant_sky_summary summary = fit_of(with_values(means, value), NULL);
        equant_astrometry_free(means);
        n_orbits += summary.verdict == EQUANT_SKY_ORBIT;
        n_others += summary.verdict != EQUANT_SKY_ORBIT && summary.verdict != EQUANT_SKY_5P;
        n_tenth += summary.false_alarm_plain < 0.1;
        n_hundredth += summary.false_alarm_plain < 0.01;
    }
    print_message("%d draws of noise: %d orbits, %d other claims; false alarm below 0.1: %d, below "
                  "0.01: %d\n",
                  n, n_orbits, n_others, n_tenth, n_hundredth);
    /* Three standard deviations above what is promised. */
    assert_true(n_orbits <= 1.5e-3 * n + 3.0 * sqrt(1e-3 * n));
    assert_true(n_others <= 3e-3 * n + 3.0 * sqrt(3e-3 * n));
    assert_true(n_tenth <= 0.1 * n + 3.0 * sqrt(0.1 * n));
}

static void scan_angles_are_no_orbit(void **state)
{
    (void)state;
    random_system random = {8};
    int n_found = 0;
    for (int turn = 0; turn < n_draws; turn++) {
        double value[MOST_ROWS], term[4];
        equant_sky_rows rows = {.struct_size = sizeof rows};
        equant_astrometry *means = law(turn % 2);
        double size = random_system_log_between(&random, 0.1, 10.0);
        equant_astrometry_rows(means, &rows);
        for (int j = 0; j < 4; j++)
            term[j] = size * normal(&random);
        for (size_t k = 0; k < rows.n_rows; k++)
            value[k] =
                hypot(rows.uncertainty_mas[k], 0.05) * normal(&random) +
                term[0] * cos(3.0 * rows.angle_rad[k]) + term[1] * sin(3.0 * rows.angle_rad[k]) +
                term[2] * cos(5.0 * rows.angle_rad[k]) + term[3] * sin(5.0 * rows.angle_rad[k]);
        equant_sky_summary summary = fit_of(with_values(means, value), NULL);
        equant_astrometry_free(means);
        assert_int_not_equal(summary.verdict, EQUANT_SKY_ORBIT);
        n_found += summary.verdict == EQUANT_SKY_SCAN_ANGLE;
    }
    print_message("%d of %d sources with terms of the scan angle are told as such\n", n_found,
                  n_draws);
    assert_true(n_found >= 0.7 * n_draws);
}

/* Circles and ellipses of five times the noise, periods up to the span: found with their period. */
static void orbits_are_orbits(void **state)
{
    (void)state;
    random_system random = {15};
    int n_found = 0;
    for (int turn = 0; turn < n_draws; turn++) {
        double value[MOST_ROWS], period = random_system_log_between(&random, 30.0, 1500.0);
        double east = normal(&random), north = normal(&random), phase = 6.28 * turn / n_draws;
        equant_sky_companion companion = {.struct_size = sizeof companion};
        equant_sky_rows rows = {.struct_size = sizeof rows};
        equant_astrometry *means = law(turn % 2);
        equant_astrometry_rows(means, &rows);
        for (size_t k = 0; k < rows.n_rows; k++) {
            double angle = 6.283185307179586 * rows.time_days[k] / period + phase;
            value[k] = 0.1 * normal(&random) +
                       0.5 * (cos(angle) + 0.3 * east * cos(2.0 * angle)) * sin(rows.angle_rad[k]) +
                       0.5 * (sin(angle) + 0.3 * north * sin(2.0 * angle)) * cos(rows.angle_rad[k]);
        }
        equant_sky_summary summary = fit_of(with_values(means, value), &companion);
        equant_astrometry_free(means);
        n_found +=
            summary.verdict == EQUANT_SKY_ORBIT && fabs(companion.period_days / period - 1.0) < 0.1;
    }
    print_message("%d of %d orbits found with their period\n", n_found, n_draws);
    assert_true(n_found >= 0.9 * n_draws);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_no_orbit),
        cmocka_unit_test(scan_angles_are_no_orbit),
        cmocka_unit_test(orbits_are_orbits),
    };
    if (quick_run()) /* under sanitizers */
        n_draws = 1;
    if (argc > 1)
        n_draws = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
