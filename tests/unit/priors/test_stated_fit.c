/* Fits of which something is known, against least squares of circles that share no code with them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

enum { N_OBS = 60, N_COLUMNS = 4 };

static const double two_pi = 6.283185307179586477, half_pi = 1.570796326794896619;
static const double period = 20.885258, conjunction = 2072.79438, amplitude = 4.7;
static const char *const instrument_names[] = {"HIRES"};

typedef struct star {
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS];
    int instrument[N_OBS];
    equant_dataset *dataset;
} star;

/* A planet on a circle, which is at inferior conjunction at one time, a drift, and noise that a
 * simple generator makes. */
static void make_star(star *own)
{
    unsigned seed = 12345;
    for (int k = 0; k < N_OBS; k++) {
        double noise = -6.0;
        for (int i = 0; i < 12; i++) {
            seed = seed * 1664525u + 1013904223u;
            noise += (double)(seed >> 8) / 16777216.0;
        }
        own->time[k] = 2364.8 + 1.7 * k + 0.3 * sin(3.0 * k);
        own->sigma[k] = 1.5 + 0.2 * (k % 3);
        own->instrument[k] = 0;
        own->velocity[k] =
            amplitude * cos(two_pi * (own->time[k] - conjunction) / period + half_pi) +
            0.02 * (own->time[k] - 2400.0) + 2.5 * noise;
    }
    own->dataset = NULL;
    assert_int_equal(equant_dataset_from_arrays(N_OBS, own->time, own->velocity, own->sigma,
                                                own->instrument, 1, instrument_names, NULL,
                                                &own->dataset),
                     EQUANT_SUCCESS);
}

static equant_fit *fit_with(const equant_dataset *dataset, size_t n, const char *const *sentences)
{
    equant_states *states = NULL;
    equant_fit *fit = NULL;
    assert_int_equal(equant_states_create(&states), EQUANT_SUCCESS);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(equant_states_set(states, sentences[i], NULL), EQUANT_SUCCESS);
    equant_fit_options options = {.struct_size = sizeof options, .states = states};
    equant_status status = equant_fit_star(dataset, &options, &fit);
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_states_free(states);
    return fit;
}

/* ln L at its best over K, offset and two terms of a trend, at a jitter: the phase is known. */
static double best_at_jitter(const star *own, double jitter, double solution[N_COLUMNS])
{
    double matrix[N_COLUMNS][N_COLUMNS + 1] = {{0.0}}, log_likelihood = 0.0;
    double columns[N_OBS][N_COLUMNS];
    for (int k = 0; k < N_OBS; k++) {
        double t = own->time[k] - 2414.0,
               w = 1.0 / (own->sigma[k] * own->sigma[k] + jitter * jitter);
        const double row[N_COLUMNS] = {-sin(two_pi * (own->time[k] - conjunction) / period), 1.0, t,
                                       t * t};
        memcpy(columns[k], row, sizeof row);
        for (int i = 0; i < N_COLUMNS; i++) {
            for (int j = 0; j < N_COLUMNS; j++)
                matrix[i][j] += w * row[i] * row[j];
            matrix[i][N_COLUMNS] += w * row[i] * own->velocity[k];
        }
    }
    for (int i = 0; i < N_COLUMNS; i++)
        for (int r = 0; r < N_COLUMNS; r++) {
            double factor = matrix[r][i] / matrix[i][i];
            for (int j = i; j <= N_COLUMNS && r != i; j++)
                matrix[r][j] -= factor * matrix[i][j];
        }
    for (int i = 0; i < N_COLUMNS; i++)
        solution[i] = matrix[i][N_COLUMNS] / matrix[i][i];
    for (int k = 0; k < N_OBS; k++) {
        double variance = own->sigma[k] * own->sigma[k] + jitter * jitter, r = own->velocity[k];
        for (int i = 0; i < N_COLUMNS; i++)
            r -= columns[k][i] * solution[i];
        log_likelihood -= 0.5 * (r * r / variance + log(two_pi * variance));
    }
    return log_likelihood;
}

static void circles_are_linear_least_squares(void **state)
{
    (void)state;
    static const char *const known[] = {"b.period_days=20.885258", "b.t_conj=2072.79438",
                                        "b.eccentricity=0", "trend=quadratic"};
    star own;
    make_star(&own);
    equant_fit *fit = fit_with(own.dataset, 4, known);
    double low = 0.0, high = 10.0, solution[N_COLUMNS];
    for (int i = 0; i < 200; i++) {
        double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
        if (best_at_jitter(&own, a, solution) > best_at_jitter(&own, b, solution))
            high = b;
        else
            low = a;
    }
    double expected = best_at_jitter(&own, 0.5 * (low + high), solution);
    equant_fit_summary summary = {.struct_size = sizeof summary};
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_summarize(fit, &summary), EQUANT_SUCCESS);
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(summary.log_likelihood - expected) < 1e-7);
    assert_int_equal(summary.n_fitted, 5);
    assert_true(fabs(planet.k_m_s - solution[0]) < 1e-4);
    assert_true(planet.period_days == 20.885258 || fabs(planet.period_days - 20.885258) < 1e-12);
    assert_true(planet.eccentricity == 0.0 && planet.t_conj_err == 0.0);
    double turns = (planet.t_conj - conjunction) / period;
    assert_true(fabs(turns - floor(turns + 0.5)) < 1e-9);
    assert_int_equal(equant_fit_letter(fit, 0), 'b');
    equant_fit_free(fit);
    equant_dataset_free(own.dataset);
}

/* A conjunction that is known much better than the data do comes out as it went in, and the next
 * transits are predicted from it. */
static void priors_are_rows(void **state)
{
    (void)state;
    static const char *const known[] = {"b.period_days=normal(20.885258, 0.0003)",
                                        "b.t_conj=normal(2072.79438, 0.0012)",
                                        "b.eccentricity=0:0.3", "jitter[HIRES]=2"};
    star own;
    make_star(&own);
    equant_fit *fit = fit_with(own.dataset, 4, known);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - period) < 1e-5);
    assert_true(fabs(planet.period_days_err - 0.0003) < 1e-6);
    double turns = floor((planet.t_conj - conjunction) / period + 0.5), time, err;
    assert_true(fabs(planet.t_conj - turns * planet.period_days - conjunction) < 1e-4);
    assert_true(fabs(planet.t_conj_err - hypot(0.0012, turns * 0.0003)) < 1e-4);
    assert_int_equal(equant_fit_predict(fit, 0, "t_conj", -(int64_t)turns, &time, &err),
                     EQUANT_SUCCESS);
    assert_true(fabs(time - conjunction) < 1e-4 && fabs(err - 0.0012) < 1e-5);
    assert_int_equal(equant_fit_predict(fit, 0, "t_conj", 50, &time, &err), EQUANT_SUCCESS);
    assert_true(fabs(err - hypot(0.0012, (50.0 + turns) * 0.0003)) < 1e-4);
    assert_int_equal(equant_fit_predict(fit, 0, "period_days", 0, &time, &err),
                     EQUANT_ERROR_INVALID_ARGUMENT);
    /* The jitter is the fourth column from the start of the rest: orbits, offset, jitter. */
    assert_true(equant_fit_parameters(fit)[6] == 2.0);
    assert_true(equant_fit_covariance(fit)[6 * 7 + 6] == 0.0);
    equant_fit_free(fit);
    equant_dataset_free(own.dataset);
}

/* Several transits are a line: their least squares are the period and its error. */
static void transits_are_an_ephemeris(void **state)
{
    (void)state;
    static const char *const known[] = {"b.period_days=normal(20.88, 0.05)",
                                        "b.transit=normal(2072.7950, 0.001)",
                                        "b.transit=normal(2093.6790, 0.002)",
                                        "b.transit=normal(2386.0735, 0.001)",
                                        "b.eccentricity=0",
                                        "b.k_m_s=1e-3"};
    static const double number[] = {0, 1, 15}, when[] = {2072.7950, 2093.6790, 2386.0735},
                        error[] = {0.001, 0.002, 0.001};
    double w = 1.0 / (0.05 * 0.05), s[5] = {0.0, 0.0, w, 0.0, 20.88 * w};
    star own;
    make_star(&own);
    for (int i = 0; i < 3; i++) {
        w = 1.0 / (error[i] * error[i]);
        s[0] += w;
        s[1] += w * number[i];
        s[2] += w * number[i] * number[i];
        s[3] += w * (when[i] - 2072.0);
        s[4] += w * number[i] * (when[i] - 2072.0);
    }
    double determinant = s[0] * s[2] - s[1] * s[1],
           expected = (s[0] * s[4] - s[1] * s[3]) / determinant;
    equant_fit *fit = fit_with(own.dataset, 6, known);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - expected) < 1e-7);
    assert_true(fabs(planet.period_days_err - sqrt(s[0] / determinant)) < 1e-7);
    equant_fit_free(fit);
    equant_dataset_free(own.dataset);
}

/* A planet that nothing is said of is found beside one that is known, and gets the letter left. */
static void letters_follow_periods(void **state)
{
    (void)state;
    static const char *const known[] = {"c.period_days=20.885258", "c.eccentricity=0"};
    star own;
    make_star(&own);
    for (int k = 0; k < N_OBS; k++)
        own.velocity[k] += 30.0 * sin(two_pi * own.time[k] / 7.3);
    equant_dataset_free(own.dataset);
    assert_int_equal(equant_dataset_from_arrays(N_OBS, own.time, own.velocity, own.sigma,
                                                own.instrument, 1, instrument_names, NULL,
                                                &own.dataset),
                     EQUANT_SUCCESS);
    equant_fit *fit = fit_with(own.dataset, 2, known);
    equant_planet planet = {.struct_size = sizeof planet};
    assert_int_equal(equant_fit_n_planets(fit), 2);
    assert_int_equal(equant_fit_letter(fit, 0), 'b');
    assert_int_equal(equant_fit_letter(fit, 1), 'c');
    assert_int_equal(equant_fit_planet(fit, 0, &planet), EQUANT_SUCCESS);
    assert_true(fabs(planet.period_days - 7.3) < 0.05);
    equant_fit_free(fit);
    equant_dataset_free(own.dataset);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(circles_are_linear_least_squares),
        cmocka_unit_test(priors_are_rows),
        cmocka_unit_test(transits_are_an_ephemeris),
        cmocka_unit_test(letters_follow_periods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
