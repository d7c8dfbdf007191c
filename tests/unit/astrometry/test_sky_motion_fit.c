/* Velocities beside the proper motions of Hipparcos and Gaia, without any position: inclination and
 * size of the star's orbit, from motions that are made here by straight lines through its places.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "oracle/plain_orbit.h"

#define TWO_PI 6.283185307179586
#define AU_M 149597870700.0
#define J2000 2451545.0

enum { N_VELOCITIES = 60, N_PLACES = 400 };

typedef struct truth {
    double period_days, e, m0, a0_mas, inclination, omega, node, parallax_mas;
} truth;

/* Coordinates in the plane of the orbit, in units of its axis. */
static void place_of(const truth *own, double jd, double place[2])
{
    double mean = TWO_PI * (jd - EQUANT_SKY_GAIA_JD) / own->period_days + own->m0;
    double eccentric = plain_eccentric_anomaly(mean, own->e);
    place[0] = cos(eccentric) - own->e;
    place[1] = sqrt(1.0 - own->e * own->e) * sin(eccentric);
}

/* Towards East, North and away from us, mas. */
static void offset_of(const truth *own, double jd, double offset[3])
{
    double xy[2], sw = sin(own->omega), cw = cos(own->omega), so = sin(own->node),
                  co = cos(own->node), ci = cos(own->inclination), si = sin(own->inclination);
    place_of(own, jd, xy);
    double along = own->a0_mas * (xy[0] * cw - xy[1] * sw),
           across = own->a0_mas * (xy[0] * sw + xy[1] * cw);
    offset[0] = along * so + across * co * ci;
    offset[1] = along * co - across * so * ci;
    offset[2] = across * si;
}

static double velocity_m_s(const truth *own, double jd)
{
    const double step = 0.05; /* days */
    double before[3], after[3];
    offset_of(own, jd - step, before);
    offset_of(own, jd + step, after);
    return (after[2] - before[2]) / own->parallax_mas * AU_M / (2.0 * step * 86400.0);
}

/* A straight line through places at equal steps between two dates: where it stands at an epoch
 * (a Julian year), and its slope in mas per year. */
static void line_of(const truth *own, double begin_jd, double end_jd, double epoch_yr,
                    double place[2], double slope[2])
{
    double centre = J2000 + 365.25 * (epoch_yr - 2000.0), sum_t = 0.0, sum_tt = 0.0;
    double sum[2] = {0.0}, product[2] = {0.0};
    for (int k = 0; k < N_PLACES; k++) {
        double jd = begin_jd + (end_jd - begin_jd) * (k + 0.5) / N_PLACES, offset[3];
        double t = (jd - centre) / 365.25;
        offset_of(own, jd, offset);
        sum_t += t;
        sum_tt += t * t;
        for (int i = 0; i < 2; i++) {
            sum[i] += offset[i];
            product[i] += t * offset[i];
        }
    }
    double determinant = N_PLACES * sum_tt - sum_t * sum_t;
    for (int i = 0; i < 2; i++) {
        slope[i] = (N_PLACES * product[i] - sum_t * sum[i]) / determinant;
        place[i] = (sum[i] * sum_tt - sum_t * product[i]) / determinant;
    }
}

static equant_sky_motions motions_of(const truth *own, const double noise[6])
{
    equant_sky_motions made = {.struct_size = sizeof made,
                               .hip_id = 42,
                               .parallax_mas = own->parallax_mas,
                               .parallax_err_mas = 0.03,
                               .hipparcos_epoch_yr = {1991.25, 1991.25},
                               .gaia_epoch_yr = {2016.0, 2016.0}};
    const double barycentre[2] = {120.0, -35.0}, error[3] = {0.5, 0.02, 0.03};
    double then[2], now[2], slope[2][2];
    line_of(own, 2447859.5, 2449063.5, 1991.25, then, slope[0]);
    line_of(own, 2456863.5, 2457902.0, 2016.0, now, slope[1]);
    for (int i = 0; i < 2; i++) {
        made.hipparcos_err_mas_yr[i] = error[0];
        made.long_err_mas_yr[i] = error[1];
        made.gaia_err_mas_yr[i] = error[2];
        made.hipparcos_mas_yr[i] = barycentre[i] + slope[0][i] + error[0] * noise[i];
        made.long_mas_yr[i] =
            barycentre[i] + (now[i] - then[i]) / (2016.0 - 1991.25) + error[1] * noise[2 + i];
        made.gaia_mas_yr[i] = barycentre[i] + slope[1][i] + error[2] * noise[4 + i];
    }
    return made;
}

static equant_dataset *velocities_of(const truth *own, const double *noise)
{
    double time[N_VELOCITIES], velocity[N_VELOCITIES], error[N_VELOCITIES];
    equant_dataset *made = NULL;
    for (int k = 0; k < N_VELOCITIES; k++) {
        time[k] = 2450300.0 + 120.0 * k + 40.0 * sin(3.0 * k);
        error[k] = 3.0;
        velocity[k] = 250.0 + velocity_m_s(own, time[k]) + error[k] * noise[k];
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_VELOCITIES, time, velocity, error, NULL, 0, NULL, NULL, &made),
        EQUANT_SUCCESS);
    return made;
}

static void normals(uint64_t seed, size_t n, double *drawn)
{
    double u[2 * (N_VELOCITIES + 6)];
    assert_int_equal(equant_random_uniform(seed, 3, 0, 2 * n, u), EQUANT_SUCCESS);
    for (size_t k = 0; k < n; k++)
        drawn[k] = sqrt(-2.0 * log(1.0 - u[2 * k])) * cos(TWO_PI * u[2 * k + 1]);
}

static equant_sky_companion fit_of(const truth *own, uint64_t seed, equant_sky_summary *summary)
{
    double noise[N_VELOCITIES + 6];
    equant_astrometry *source = NULL;
    equant_sky_fit *fit = NULL;
    equant_sky_companion companion = {.struct_size = sizeof companion};
    normals(seed, N_VELOCITIES + 6, noise);
    equant_sky_motions motions = motions_of(own, noise + N_VELOCITIES);
    equant_dataset *velocities = velocities_of(own, noise);
    const equant_sky_fit_options options = {
        .struct_size = sizeof options, .motions = &motions, .velocities = velocities};
    *summary = (equant_sky_summary){.struct_size = sizeof *summary};
    assert_int_equal(equant_astrometry_create_empty(42, "star", &source), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_create(source, &options, &fit), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_summarize(fit, summary), EQUANT_SUCCESS);
    assert_int_equal(equant_sky_fit_companion(fit, 0, &companion), EQUANT_SUCCESS);
    equant_sky_fit_free(fit);
    equant_dataset_free(velocities);
    equant_astrometry_free(source);
    return companion;
}

static void inclination_and_size_without_a_position(void **state)
{
    (void)state;
    const double radians = TWO_PI / 360.0, inclinations[] = {25.0, 52.0, 88.0, 118.0, 150.0};
    double squares = 0.0;
    for (size_t k = 0; k < sizeof inclinations / sizeof *inclinations; k++) {
        const truth own = {
            9000.0 + 700.0 * (double)k, 0.15 + 0.12 * (double)k, 2.0 + (double)k,       25.0,
            inclinations[k] * radians,  1.0 + 1.3 * (double)k,   0.4 + 1.1 * (double)k, 50.0};
        equant_sky_summary summary;
        equant_sky_companion c = fit_of(&own, 7 + k, &summary);
        double a1 = own.a0_mas / own.parallax_mas;
        print_message("i %.0f: %.1f +- %.1f, a1 %.4f: %.4f +- %.4f, P %.0f: %.0f +- %.0f\n",
                      inclinations[k], c.inclination_rad / radians, c.inclination_rad_err / radians,
                      a1, c.a1_au, c.a1_au_err, own.period_days, c.period_days, c.period_days_err);
        assert_int_equal(summary.verdict, EQUANT_SKY_ORBIT);
        assert_int_equal(summary.is_tied, 1);
        assert_int_equal(summary.n_motions, 6);
        assert_int_equal(summary.n_transits, 0);
        assert_true(fabs(c.period_days - own.period_days) < 4.0 * c.period_days_err);
        assert_true(fabs(c.inclination_rad - own.inclination) < 4.0 * c.inclination_rad_err);
        assert_true(fabs(c.a1_au - a1) < 4.0 * c.a1_au_err);
        squares += pow((c.inclination_rad - own.inclination) / c.inclination_rad_err, 2.0);
    }
    assert_true(squares < 20.5); /* of five, with a probability of 0.1 per cent */
}

/* Nothing on the sky, and nothing in its place. */
static void what_is_missing_is_said(void **state)
{
    (void)state;
    const truth own = {9000.0, 0.3, 2.0, 25.0, 1.0, 1.0, 1.0, 50.0};
    double noise[N_VELOCITIES + 6];
    normals(1, N_VELOCITIES + 6, noise);
    equant_sky_motions motions = motions_of(&own, noise + N_VELOCITIES);
    equant_dataset *velocities = velocities_of(&own, noise);
    equant_astrometry *source = NULL;
    equant_sky_fit *fit = NULL;
    equant_sky_solution *solution = NULL;
    assert_int_equal(equant_astrometry_create_empty(42, NULL, &source), EQUANT_SUCCESS);
    equant_sky_fit_options options = {.struct_size = sizeof options, .velocities = velocities};
    assert_int_equal(equant_sky_fit_create(source, &options, &fit), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "motions"));
    options.velocities = NULL;
    options.motions = &motions;
    assert_int_equal(equant_sky_fit_create(source, &options, &fit), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(equant_last_error(), "velocities"));
    assert_int_equal(equant_sky_solve(source, NULL, &solution), EQUANT_ERROR_INVALID_ARGUMENT);
    equant_dataset_free(velocities);
    equant_astrometry_free(source);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inclination_and_size_without_a_position),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
