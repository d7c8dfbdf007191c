/* False-alarm probabilities: the published formula for circles, limits, the inverse, and
 * a periodogram of noise for everything else. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "equant.h"
#include "inference/search/false_alarm.h"

#define PI 3.14159265358979323846

static void assert_close(double value, double expected, double relative)
{
    assert_true(fabs(value - expected) <= relative * fabs(expected));
}

static false_alarm_search search_of(const false_alarm_band *band, size_t n_obs)
{
    return (false_alarm_search){.effective_span_days = 1000.0,
                                .n_bands = 1,
                                .bands = band,
                                .n_obs = n_obs,
                                .n_base = n_obs > 0 ? 3 : 0};
}

static void effective_span_is_that_of_weighted_times(void **state)
{
    (void)state;
    const double times[] = {0.0, 5.0, 10.0}, weights[] = {2.0, 0.0, 2.0};
    assert_close(false_alarm_effective_span(3, times, weights), sqrt(4.0 * PI) * 5.0, 1e-14);
}

static void circles_follow_the_published_formula(void **state)
{
    (void)state;
    const false_alarm_band band = {.width_per_day = 2.0, .eccentricity_max = 0.0};
    false_alarm_search known = search_of(&band, 0), unknown = search_of(&band, 30);
    for (double z = 12.0; z < 600.0; z *= 1.5) {
        double expected = (2000.0 * sqrt(z) + 1.0) * exp(-z);
        assert_close(false_alarm_probability(&known, z), expected, 1e-12);
        double share = 1.0 - exp(-2.0 * z / 30.0), left = exp(-2.0 * z / 30.0);
        double gamma = sqrt(2.0 / 27.0) * tgamma(13.5) / tgamma(13.0);
        expected = pow(left, 12.5) + gamma * 2000.0 * pow(left, 12.0) * sqrt(27.0 * share / 2.0);
        assert_close(false_alarm_probability(&unknown, z), fmin(1.0, expected), 1e-11);
    }
}

static void small_eccentricities_are_a_flat_disc(void **state)
{
    (void)state;
    const double e = 1e-3, z = 20.0;
    const false_alarm_band band = {.width_per_day = 2.0, .eccentricity_max = e};
    false_alarm_search search = search_of(&band, 0);
    double flat = e * e * z + sqrt(PI) * e * sqrt(z) + 1.0; /* beside a circle's 1 */
    assert_close(false_alarm_probability(&search, z), flat * (2000.0 * sqrt(z) + 1.0) * exp(-z),
                 1e-4);
}

static void bands_add_up(void **state)
{
    (void)state;
    const false_alarm_band one = {.width_per_day = 2.0, .eccentricity_max = 0.7};
    const false_alarm_band parts[] = {{0.5, 0.7, 0.0}, {1.5, 0.7, 0.0}};
    const false_alarm_band less[] = {{0.5, 0.7, 0.0}, {1.5, 0.2, 0.0}};
    false_alarm_search whole = search_of(&one, 50), split = whole, lower = whole;
    split.n_bands = lower.n_bands = 2;
    split.bands = parts;
    lower.bands = less;
    assert_close(false_alarm_probability(&split, 30.0), false_alarm_probability(&whole, 30.0),
                 1e-12);
    double ratio = false_alarm_probability(&lower, 30.0) / false_alarm_probability(&whole, 30.0);
    assert_true(ratio > 0.25 && ratio < 0.35);
}

static void extremes_stay_probabilities(void **state)
{
    (void)state;
    const false_alarm_band band = {.width_per_day = 2.0, .eccentricity_max = 0.9};
    const size_t n_obs[] = {0, 5, 8, 9, 20, 100000};
    for (size_t i = 0; i < sizeof n_obs / sizeof *n_obs; i++) {
        false_alarm_search search = search_of(&band, n_obs[i]);
        double before = 1.0;
        for (double z = 1e-8; z < 1e6; z *= 1.1) {
            double probability = false_alarm_probability(&search, z);
            assert_true(probability >= 0.0 && probability <= before);
            before = probability;
        }
        int hopeless = n_obs[i] == 5 || n_obs[i] == 8; /* at most five left beside the base */
        assert_true(before == (hopeless ? 1.0 : 0.0));
        assert_true(false_alarm_probability(&search, INFINITY) == before);
        assert_true(false_alarm_probability(&search, 0.0) == 1.0);
        assert_true(false_alarm_probability(&search, -3.0) == 1.0);
        assert_true(isinf(false_alarm_level(&search, 0.01)) == hopeless);
    }
}

static void level_is_the_inverse(void **state)
{
    (void)state;
    const false_alarm_band band = {.width_per_day = 2.0, .eccentricity_max = 0.8};
    const size_t n_obs[] = {0, 15, 300};
    for (size_t i = 0; i < 3; i++) {
        false_alarm_search search = search_of(&band, n_obs[i]);
        for (double probability = 0.5; probability > 1e-300; probability *= 1e-7) {
            double level = false_alarm_level(&search, probability);
            assert_close(false_alarm_probability(&search, level), probability, 1e-8);
        }
    }
}

/* A Keplerian periodogram by brute force, of many noises at once. */
enum { N_OBS = 40, N_NOISES = 1500 };
#define SEARCHED_ECCENTRICITY 0.5
#define SEARCHED_CYCLES 6.0

static double noises[N_OBS][N_NOISES], largest[N_NOISES], total[N_NOISES];

static void draw_noises(void)
{
    assert_int_equal(equant_random_normal(5, 0, 0, N_OBS * N_NOISES, noises[0]), EQUANT_SUCCESS);
    for (size_t d = 0; d < N_NOISES; d++) {
        double mean = 0.0;
        for (size_t k = 0; k < N_OBS; k++)
            mean += noises[k][d] / N_OBS;
        total[d] = largest[d] = 0.0;
        for (size_t k = 0; k < N_OBS; k++) {
            noises[k][d] -= mean;
            total[d] += noises[k][d] * noises[k][d];
        }
    }
}

/* Orthonormal columns, mean taken out, of the orbit with the given mean anomalies. */
static void make_columns(const double *mean_anomaly, double eccentricity, double column[2][N_OBS])
{
    double e[N_OBS], sine[N_OBS], cosine[N_OBS];
    for (size_t k = 0; k < N_OBS; k++)
        e[k] = eccentricity;
    assert_int_equal(equant_kepler_solve(N_OBS, mean_anomaly, e, NULL, NULL, sine, cosine),
                     EQUANT_SUCCESS);
    for (size_t k = 0; k < N_OBS; k++) {
        column[0][k] = cosine[k] / (1.0 - eccentricity * cosine[k]);
        column[1][k] = sine[k] / (1.0 - eccentricity * cosine[k]);
    }
    for (int c = 0; c < 2; c++) {
        double mean = 0.0, along = 0.0, norm = 0.0;
        for (size_t k = 0; k < N_OBS; k++)
            mean += column[c][k] / N_OBS;
        for (size_t k = 0; k < N_OBS; k++)
            column[c][k] -= mean;
        for (size_t k = 0; c == 1 && k < N_OBS; k++)
            along += column[0][k] * column[1][k];
        for (size_t k = 0; k < N_OBS; k++) {
            column[c][k] -= c == 1 ? along * column[0][k] : 0.0;
            norm += column[c][k] * column[c][k];
        }
        for (size_t k = 0; k < N_OBS; k++)
            column[c][k] /= sqrt(norm);
    }
}

static void raise_largest(double column[2][N_OBS])
{
    static double first[N_NOISES], second[N_NOISES];
    for (size_t d = 0; d < N_NOISES; d++)
        first[d] = second[d] = 0.0;
    for (size_t k = 0; k < N_OBS; k++)
        for (size_t d = 0; d < N_NOISES; d++) {
            first[d] += column[0][k] * noises[k][d];
            second[d] += column[1][k] * noises[k][d];
        }
    for (size_t d = 0; d < N_NOISES; d++)
        largest[d] = fmax(largest[d], first[d] * first[d] + second[d] * second[d]);
}

static void scan_noises(const double *times, double first_frequency, double width)
{
    const double fine = 0.4; /* cells in units of the width of a pericentre */
    for (double e = 0.0; e <= SEARCHED_ECCENTRICITY; e += 0.125) {
        double sharp = sqrt(1.0 + e) / pow(1.0 - e, 1.5);
        int n_frequencies = (int)(width * 100.0 * PI * sharp / fine) + 1;
        int n_phases = e > 0.0 ? (int)(2.0 * PI * sharp / fine) + 1 : 1;
        for (int cell = 0; cell < n_frequencies * n_phases; cell++) {
            double frequency = first_frequency + width * (cell / n_phases + 0.5) / n_frequencies;
            double anomaly[N_OBS], column[2][N_OBS];
            for (size_t k = 0; k < N_OBS; k++)
                anomaly[k] =
                    2.0 * PI * (frequency * times[k] + (double)(cell % n_phases) / n_phases);
            make_columns(anomaly, e, column);
            raise_largest(column);
        }
    }
}

/* How many of the noises reach a level that a share of them should. */
static double share_above(const false_alarm_search *search, double probability)
{
    double level = false_alarm_level(search, probability);
    size_t above = 0;
    for (size_t d = 0; d < N_NOISES; d++) {
        double gain =
            search->n_obs == 0 ? 0.5 * largest[d] : -0.5 * N_OBS * log1p(-largest[d] / total[d]);
        above += gain >= level;
    }
    return (double)above / N_NOISES;
}

static void noise_keeps_to_the_bound(void **state)
{
    (void)state;
    double times[N_OBS], weights[N_OBS];
    assert_int_equal(equant_random_uniform(6, 0, 0, N_OBS, times), EQUANT_SUCCESS);
    for (size_t k = 0; k < N_OBS; k++) {
        times[k] *= 100.0;
        weights[k] = 1.0;
    }
    false_alarm_band band = {.eccentricity_max = SEARCHED_ECCENTRICITY};
    false_alarm_search known = {.n_bands = 1, .bands = &band};
    known.effective_span_days = false_alarm_effective_span(N_OBS, times, weights);
    band.width_per_day = SEARCHED_CYCLES / known.effective_span_days;
    false_alarm_search unknown = known;
    unknown.n_obs = N_OBS;
    unknown.n_base = 1;

    draw_noises();
    scan_noises(times, 0.5, band.width_per_day);
    /* The bound counts every maximum: at 0.3 noises have more than one now and then. */
    assert_true(share_above(&known, 0.3) > 0.15 && share_above(&known, 0.3) < 0.3);
    assert_true(share_above(&known, 0.05) > 0.03 && share_above(&known, 0.05) < 0.06);
    assert_true(share_above(&unknown, 0.3) > 0.15 && share_above(&unknown, 0.3) < 0.3);
    assert_true(share_above(&unknown, 0.05) > 0.03 && share_above(&unknown, 0.05) < 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effective_span_is_that_of_weighted_times),
        cmocka_unit_test(circles_follow_the_published_formula),
        cmocka_unit_test(small_eccentricities_are_a_flat_disc),
        cmocka_unit_test(bands_add_up),
        cmocka_unit_test(extremes_stay_probabilities),
        cmocka_unit_test(level_is_the_inverse),
        cmocka_unit_test(noise_keeps_to_the_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
