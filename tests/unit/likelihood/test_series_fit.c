/* Fits in which indicators are series of one process with the velocities: what they say of a star
 * whose spots move velocities by G and G', and that their likelihood is that of all series. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"
#include "unit/likelihood/spotted_star.h"

enum { N = 100, N_SERIES = 2, ROWS = (1 + N_SERIES) * N };
#define TWO_PI 6.283185307179586476925286766559
#define PERIOD 8.3

static double times[N], velocities[N], uncertainties[N], fwhm[N], bis[N], errors[N];
static equant_dataset *data;

static int make_star(void **state)
{
    (void)state;
    static double spots[N], rate[N];
    spotted_star_draw(N, times, spots, rate);
    for (int k = 0; k < N; k++) {
        uncertainties[k] = 1.0;
        errors[k] = 2.0;
        velocities[k] = 3.0 * spots[k] + 12.0 * rate[k] + spotted_star_scatter(k, 11.3) +
                        3.0 * cos(TWO_PI * (times[k] - times[0]) / PERIOD);
        fwhm[k] = 7000.0 + 20.0 * spots[k] + 3.0 * spotted_star_scatter(k, 7.7);
        bis[k] = 10.0 * spots[k] + 60.0 * rate[k] + 3.0 * spotted_star_scatter(k, 5.3);
    }
    const equant_indicator given[] = {{.struct_size = sizeof(equant_indicator),
                                       .name = "fwhm",
                                       .values = fwhm,
                                       .uncertainties = errors},
                                      {.name = "bis", .values = bis}};
    const equant_dataset_options options = {
        .struct_size = sizeof options, .n_indicators = N_SERIES, .indicators = given};
    assert_int_equal(equant_dataset_from_arrays(N, times, velocities, uncertainties, NULL, 1, NULL,
                                                &options, &data),
                     EQUANT_SUCCESS);
    return 0;
}

static int free_star(void **state)
{
    (void)state;
    equant_dataset_free(data);
    return 0;
}

static equant_fit *fit_of(int n_planets)
{
    equant_fit *fit;
    const equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .engine = &engine,
                                        .n_planets = n_planets,
                                        .max_planets = 2,
                                        .period_min_days = 4.0,
                                        .period_max_days = 40.0,
                                        .eccentricity_max = 0.3,
                                        .trend = EQUANT_TREND_NONE,
                                        .noise = "white",
                                        .indicators_as_series = 1};
    if (equant_fit_star(data, &options, &fit) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return fit;
}

static double noise_value(const equant_fit *fit, const char *name)
{
    for (size_t i = 0; i < equant_fit_n_noise_parameters(fit); i++) {
        equant_fitted_noise_parameter known = {.struct_size = sizeof known};
        assert_int_equal(equant_fit_noise_parameter(fit, i, &known), EQUANT_SUCCESS);
        if (strcmp(known.name, name) == 0)
            return known.value;
    }
    fail_msg("the noise has no %s", name);
    return NAN;
}

static double jitter_of(const equant_fit *fit)
{
    for (size_t i = 0; i < equant_fit_n_quantities(fit); i++) {
        equant_fitted_quantity known = {.struct_size = sizeof known};
        assert_int_equal(equant_fit_quantity(fit, i, &known), EQUANT_SUCCESS);
        if (strncmp(known.name, "jitter_m_s", strlen("jitter_m_s")) == 0)
            return known.value;
    }
    fail_msg("there is no jitter");
    return NAN;
}

static void standardise(const double *values, double *mean, double *deviation)
{
    double sum = 0.0, squares = 0.0;
    for (int k = 0; k < N; k++)
        sum += values[k] / N;
    for (int k = 0; k < N; k++)
        squares += (values[k] - sum) * (values[k] - sum) / N;
    *mean = sum;
    *deviation = sqrt(squares);
}

/* ln L of all series by the noise alone, from what the fit says of them. */
static double joint_likelihood(const equant_fit *fit)
{
    static double row_times[ROWS], values[ROWS], variances[ROWS], alpha[ROWS], beta[ROWS],
        offsets[N_SERIES][ROWS];
    double amplitude = noise_value(fit, "amplitude"), period = noise_value(fit, "period"),
           jitter = jitter_of(fit), log_likelihood;
    double lead = TWO_PI * equant_fit_lead_days(fit, NULL) / period, radian = period / TWO_PI;
    memset(offsets, 0, sizeof offsets);
    for (int i = 0; i < ROWS; i++) {
        int k = i / (1 + N_SERIES), s = i % (1 + N_SERIES) - 1;
        row_times[i] = times[k];
        if (s < 0) {
            values[i] = equant_fit_residuals_m_s(fit)[k];
            variances[i] = uncertainties[k] * uncertainties[k] + jitter * jitter;
            alpha[i] = amplitude * cos(lead);
            beta[i] = amplitude * sin(lead) * radian;
            continue;
        }
        equant_fitted_series own = {.struct_size = sizeof own};
        double mean, deviation, error = s == 0 ? errors[k] : 0.0;
        const double *measured = s == 0 ? fwhm : bis;
        standardise(measured, &mean, &deviation);
        assert_int_equal(equant_fit_series(fit, (size_t)s, &own), EQUANT_SUCCESS);
        assert_int_equal(own.indicator, s);
        values[i] = (measured[k] - mean) / deviation;
        variances[i] = (error * error + own.jitter * own.jitter) / (deviation * deviation);
        alpha[i] = own.scale / deviation;
        beta[i] = own.rate / deviation * radian;
        offsets[s][i] = 1.0;
    }
    char text[160];
    snprintf(text, sizeof text, "mep(amplitude=1, period=%.17g, decay=%.17g, width=%.17g)", period,
             noise_value(fit, "decay"), noise_value(fit, "width"));
    const equant_noise_rows rows = {.struct_size = sizeof rows,
                                    .n = ROWS,
                                    .time_days = row_times,
                                    .values = values,
                                    .variances = variances,
                                    .alpha = alpha,
                                    .beta = beta};
    const equant_noise_columns columns = {
        .struct_size = sizeof columns, .n = N_SERIES, .columns = &offsets[0][0]};
    equant_noise *noise;
    assert_int_equal(equant_noise_create(text, &noise), EQUANT_SUCCESS);
    assert_int_equal(equant_noise_follow(noise, &rows, NULL, &columns, NULL, &log_likelihood, NULL),
                     EQUANT_SUCCESS);
    equant_noise_free(noise);
    return log_likelihood;
}

static void spots_and_a_planet(void **state)
{
    (void)state;
    equant_fit *fit = fit_of(0), *without = fit_of(-1);
    equant_planet planet = {.struct_size = sizeof planet};
    equant_fit_summary with_it = {.struct_size = sizeof with_it},
                       without_it = {.struct_size = sizeof without_it};
    assert_int_equal(equant_fit_n_planets(fit), 1);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    if (!(fabs(planet.period_days - PERIOD) < 0.05 && fabs(planet.k_m_s - 3.0) < 0.6))
        fail_msg("a planet of %g days and %g m/s", planet.period_days, planet.k_m_s);
    /* v = 3 G + 12 G', so that the velocities are ahead. */
    double err, lead = equant_fit_lead_days(fit, &err),
                true_lead = atan2(12.0 * TWO_PI / SPOTTED_STAR_TURN_DAYS, 3.0) / TWO_PI *
                            SPOTTED_STAR_TURN_DAYS;
    if (!(err > 0.0 && fabs(lead - true_lead) < 4.0 * err && err < 1.0))
        fail_msg("ahead by %g +- %g days instead of %g", lead, err, true_lead);
    if (!(fabs(noise_value(fit, "period") - SPOTTED_STAR_TURN_DAYS) < 1.5))
        fail_msg("the star turns in %g days", noise_value(fit, "period"));
    assert_int_equal(equant_fit_n_series(fit), N_SERIES);
    /* The likelihood is that of all series, with and without the planet, everything refitted. */
    assert_int_equal(equant_fit_summarize(fit, &with_it), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_summarize(without, &without_it), EQUANT_SUCCESS);
    double wanted = joint_likelihood(fit);
    if (!(fabs(with_it.log_likelihood - wanted) < 1e-8 * fabs(wanted)))
        fail_msg("ln L %.10g instead of %.10g", with_it.log_likelihood, wanted);
    double gain = with_it.log_likelihood - without_it.log_likelihood;
    if (!(gain > 20.0 && fabs(planet.log_likelihood_gain - gain) < 0.2))
        fail_msg("the planet gains %g instead of %g", planet.log_likelihood_gain, gain);
    /* What the noise was is more than velocities show of it. */
    double rest = 0.0;
    for (int k = 0; k < N; k++)
        rest += pow(equant_fit_residuals_m_s(fit)[k] - equant_fit_noise_m_s(fit)[k], 2.0) / N;
    if (!(sqrt(rest) < 1.3))
        fail_msg("%g m/s are left after the noise", sqrt(rest));
    equant_fit_free(fit);
    equant_fit_free(without);
}

static void no_series_without_asking(void **state)
{
    (void)state;
    equant_fit *fit;
    double err;
    const equant_fit_options options = {.struct_size = sizeof options, .n_planets = -1};
    assert_int_equal(equant_fit_star(data, &options, &fit), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_n_series(fit), 0);
    assert_true(isnan(equant_fit_lead_days(fit, &err)) && isnan(err));
    equant_fit_free(fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spots_and_a_planet),
        cmocka_unit_test(no_series_without_asking),
    };
    return cmocka_run_group_tests(tests, make_star, free_star);
}
