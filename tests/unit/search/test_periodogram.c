/* The periodogram of simulated stars, through the public interface. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/engines.h"
#include "quick.h"
#include "unit/simulated_star.h"

static const double two_planets[10] = {47.0, 30.0, 0.3, 1.0, 2.0, 12.3, 8.0, 0.1, 4.0, 1.0};

static equant_search_options options_for(double period_min_days, double period_max_days)
{
    return (equant_search_options){.struct_size = sizeof(equant_search_options),
                                   .engine = &on_one_thread,
                                   .period_min_days = period_min_days,
                                   .period_max_days = period_max_days,
                                   .eccentricity_max = 0.6};
}

static equant_periodogram *search(const equant_dataset *dataset,
                                  const equant_search_options *options)
{
    equant_periodogram *made = NULL;
    assert_int_equal(equant_search(dataset, options, &made), EQUANT_SUCCESS);
    return made;
}

static equant_peak peak_of(const equant_periodogram *periodogram, size_t index)
{
    equant_peak peak = {.struct_size = sizeof peak};
    assert_int_equal(equant_periodogram_peak(periodogram, index, &peak), EQUANT_SUCCESS);
    return peak;
}

/* What every periodogram promises. */
static void assert_sound(const equant_periodogram *p)
{
    size_t n = equant_periodogram_n(p);
    const double *frequency = equant_periodogram_frequency_per_day(p);
    assert_true(n > 0 && equant_periodogram_n_nodes(p) >= (double)n);
    assert_true(equant_periodogram_seconds(p) >= 0.0);
    for (size_t b = 0; b < n; b++) {
        double power = equant_periodogram_power(p)[b], circular = equant_periodogram_circular(p)[b];
        double window = equant_periodogram_window(p)[b];
        assert_true(b == 0 || frequency[b] > frequency[b - 1]);
        assert_true(circular >= 0.0 && circular <= power && power <= 1.0 + 1e-6);
        assert_true(window >= 0.0 && window <= 1.0 + 1e-12);
        assert_true(equant_periodogram_eccentricity(p)[b] >= 0.0);
    }
    for (size_t i = 0; i < equant_periodogram_n_peaks(p); i++) {
        equant_peak peak = peak_of(p, i);
        assert_true(peak.power >= 0.0 && peak.power <= 1.0 + 1e-6);
        assert_true(peak.false_alarm >= 0.0 && peak.false_alarm <= 1.0);
        assert_true(peak.k_m_s > 0.0 && peak.eccentricity >= 0.0 && peak.eccentricity < 1.0);
        assert_non_null(peak.remark);
        for (size_t j = 0; j < i; j++)
            assert_true(peak.period_days != peak_of(p, j).period_days);
    }
    double before = 1.0;
    for (double level = 1e-6; level < 0.5; level *= 10.0) {
        double power = equant_periodogram_level(p, level);
        assert_true(power > 0.0 && power < before);
        before = power;
    }
}

static void finds_the_planet(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 400.0, 1, two_planets, 3.0);
    equant_search_options options = options_for(5.0, 500.0);
    equant_periodogram *made = search(dataset, &options);
    assert_sound(made);
    equant_peak best = peak_of(made, 0);
    assert_true(fabs(best.period_days / 47.0 - 1.0) < 0.005);
    assert_true(fabs(best.k_m_s / 30.0 - 1.0) < 0.1);
    assert_true(fabs(best.eccentricity - 0.3) < 0.1);
    assert_true(best.false_alarm < 1e-10 && best.log_likelihood_gain > 50.0);
    assert_true(best.power > equant_periodogram_level(made, 1e-6));
    assert_true(isnan(best.false_alarm_drawn));
    assert_string_equal(best.remark, "");
    assert_int_equal(equant_periodogram_n_peaks(made), 10);
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

/* Known planets are taken out, wherever exactly they are, and do not come back as peaks. */
static void looks_behind_known_planets(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(2, 60, 400.0, 2, two_planets, 2.0);
    equant_search_options options = options_for(5.0, 500.0);
    const double roughly[5] = {47.2, 10.0, 0.2, 0.0, 2.5};
    options.n_known = 1;
    options.known = roughly;
    options.n_peaks = 3;
    equant_periodogram *made = search(dataset, &options);
    assert_sound(made);
    assert_int_equal(equant_periodogram_n_peaks(made), 3);
    assert_true(fabs(peak_of(made, 0).period_days / 12.3 - 1.0) < 0.005);
    assert_true(peak_of(made, 0).false_alarm < 1e-6);
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

static void noise_has_no_significant_peak(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        equant_dataset *dataset = simulate_star(seed, 40, 300.0, 0, NULL, 3.0);
        equant_search_options options = options_for(5.0, 500.0);
        options.n_peaks = 1;
        equant_periodogram *made = search(dataset, &options);
        assert_sound(made);
        assert_true(peak_of(made, 0).false_alarm > 1e-3);
        equant_periodogram_free(made);
        equant_dataset_free(dataset);
    }
}

static void circles_alone(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 50, 400.0, 1, two_planets, 3.0);
    equant_search_options options = options_for(5.0, 500.0);
    options.circular_only = 1;
    equant_periodogram *made = search(dataset, &options);
    assert_sound(made);
    size_t n = equant_periodogram_n(made);
    assert_memory_equal(equant_periodogram_power(made), equant_periodogram_circular(made),
                        n * sizeof(double));
    for (size_t b = 0; b < n; b++)
        assert_true(equant_periodogram_eccentricity(made)[b] == 0.0);
    assert_true(equant_periodogram_n_nodes(made) == (double)n);
    assert_true(fabs(peak_of(made, 0).period_days / 47.0 - 1.0) < 0.01);
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

/* Peaks that are asked for come, ten and more of them. */
static void number_of_peaks(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(3, 40, 300.0, 0, NULL, 3.0);
    equant_search_options options = options_for(5.0, 500.0);
    options.n_peaks = 20;
    equant_periodogram *made = search(dataset, &options);
    assert_sound(made);
    assert_int_equal(equant_periodogram_n_peaks(made), 20);
    equant_peak peak = {.struct_size = sizeof peak};
    assert_int_equal(equant_periodogram_peak(made, 20, &peak), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_string_equal(equant_last_error(), "the periodogram has no peak 20");
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

/* Monte Carlo: never zero, small for the planet, large for what is behind it, and the same
 * for the same seed. */
static void drawn_false_alarms(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(4, 40, 300.0, 1, two_planets, 4.0);
    equant_search_options options = options_for(10.0, 300.0);
    options.eccentricity_max = 0.3;
    options.n_draws = 60;
    options.n_peaks = 2;
    options.seed = 5;
    equant_periodogram *one = search(dataset, &options), *same = search(dataset, &options);
    options.seed = 6;
    equant_periodogram *other = search(dataset, &options);
    assert_true(fabs(peak_of(one, 0).false_alarm_drawn - 1.0 / 61.0) < 1e-12);
    for (size_t i = 0; i < 2; i++) {
        double drawn = peak_of(one, i).false_alarm_drawn;
        assert_true(drawn > 0.0 && drawn <= 1.0);
        assert_true(drawn == peak_of(same, i).false_alarm_drawn);
        assert_true(fabs(drawn - peak_of(other, i).false_alarm_drawn) < 0.4);
    }
    equant_periodogram_free(one);
    equant_periodogram_free(same);
    equant_periodogram_free(other);
    equant_dataset_free(dataset);
}

/* The false-alarm probability that the analytic bound gives to a power. */
static double bound_of(const equant_periodogram *periodogram, double power)
{
    double low = 1e-12, high = 1.0;
    for (int step = 0; step < 60; step++) {
        double middle = sqrt(low * high);
        if (equant_periodogram_level(periodogram, middle) > power)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* A planet that noise could be: what the analytic bound says of its power is what draws say,
 * or a little more. */
static void analytic_bound_agrees_with_draws(void **state)
{
    (void)state;
    const size_t n_draws = quick_run() ? 30 : 300;
    const double weak[5] = {30.0, 2.2, 0.3, 1.0, 2.0};
    for (int circles = 0; circles <= 1; circles++) {
        equant_dataset *dataset = simulate_star(4, 50, 300.0, 1, weak, 3.0);
        equant_search_options options = options_for(10.0, 300.0);
        options.eccentricity_max = 0.3;
        options.circular_only = circles;
        options.n_peaks = 2;
        options.n_draws = n_draws;
        equant_periodogram *made = search(dataset, &options);
        for (size_t i = 0; i < 2; i++) {
            equant_peak peak = peak_of(made, i);
            double bound = bound_of(made, peak.power);
            double sigma = sqrt(bound * (1.0 - bound) / (double)n_draws) + 1.0 / (double)n_draws;
            assert_true(bound < 0.3);
            assert_true(peak.false_alarm_drawn < bound + 3.0 * sigma);
            assert_true(peak.false_alarm_drawn > 0.5 * bound - 3.0 * sigma);
        }
        equant_periodogram_free(made);
        equant_dataset_free(dataset);
    }
}

/* One observation a night: a planet has aliases, and they are named. */
static void remarks_name_aliases(void **state)
{
    (void)state;
    enum { N = 60 };
    double time[N], velocity[N], sigma[N], noise[N];
    equant_dataset *dataset = NULL;
    assert_int_equal(equant_random_normal(3, 0, 0, N, noise), EQUANT_SUCCESS);
    for (size_t k = 0; k < N; k++) {
        time[k] = 2455000.0 + (double)(k * 7 % 240) + 0.05 * fmod(0.618 * (double)k, 1.0);
        velocity[k] = 10.0 * cos(6.283185307179586 * time[k] / 3.7) + noise[k];
        sigma[k] = 1.0;
    }
    assert_int_equal(
        equant_dataset_from_arrays(N, time, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    equant_search_options options = options_for(1.05, 100.0);
    equant_periodogram *made = search(dataset, &options);
    assert_true(fabs(peak_of(made, 0).period_days / 3.7 - 1.0) < 1e-3);
    bool has_alias = false;
    for (size_t i = 1; i < equant_periodogram_n_peaks(made); i++)
        has_alias =
            has_alias || strncmp(peak_of(made, i).remark, "alias of 3.69919 days with ", 27) == 0;
    assert_true(has_alias);
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

static void assert_same(const equant_periodogram *a, const equant_periodogram *b)
{
    size_t n = equant_periodogram_n(a), size = n * sizeof(double);
    assert_int_equal(equant_periodogram_n(b), n);
    assert_memory_equal(equant_periodogram_power(a), equant_periodogram_power(b), size);
    assert_memory_equal(equant_periodogram_circular(a), equant_periodogram_circular(b), size);
    assert_memory_equal(equant_periodogram_eccentricity(a), equant_periodogram_eccentricity(b),
                        size);
    assert_memory_equal(equant_periodogram_window(a), equant_periodogram_window(b), size);
    assert_int_equal(equant_periodogram_n_peaks(a), equant_periodogram_n_peaks(b));
    for (size_t i = 0; i < equant_periodogram_n_peaks(a); i++) {
        equant_peak one = peak_of(a, i), other = peak_of(b, i);
        assert_string_equal(one.remark, other.remark);
        one.remark = other.remark = NULL;
        assert_memory_equal(&one, &other, sizeof one);
    }
}

static void bytes_and_back(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(6, 50, 300.0, 2, two_planets, 3.0);
    equant_search_options options = options_for(8.0, 300.0);
    equant_periodogram *one = search(dataset, &options), *other = NULL;
    size_t n = equant_periodogram_n_bytes(one);
    char *bytes = malloc(n + 1);
    assert_non_null(bytes);
    equant_periodogram_to_bytes(one, bytes);
    assert_int_equal(equant_periodogram_from_bytes(bytes, n, &other), EQUANT_SUCCESS);
    assert_same(one, other);
    assert_true(equant_periodogram_level(other, 1e-3) == equant_periodogram_level(one, 1e-3));
    assert_true(equant_periodogram_n_nodes(other) == equant_periodogram_n_nodes(one));
    equant_periodogram_free(other);
    other = NULL;
    const size_t wrong[] = {0, 10, n - 1, n + 1};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(equant_periodogram_from_bytes(bytes, wrong[i], &other),
                         EQUANT_ERROR_FORMAT);
    assert_int_equal(equant_periodogram_from_bytes(NULL, n, &other), EQUANT_ERROR_FORMAT);
    assert_null(other);
    free(bytes);
    equant_periodogram_free(one);
    equant_dataset_free(dataset);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(6, 50, 300.0, 2, two_planets, 3.0);
    equant_search_options options = options_for(8.0, 300.0);
    options.n_draws = 3;
    equant_periodogram *one = search(dataset, &options);
    for (int threads = 2; threads <= 3; threads++) {
        equant_engine_options engine = on_one_thread;
        engine.n_threads = threads;
        options.engine = &engine;
        equant_periodogram *other = search(dataset, &options);
        assert_same(one, other);
        equant_periodogram_free(other);
    }
    equant_periodogram_free(one);
    equant_dataset_free(dataset);
}

/* Mixed precision is the default, and nearly as good as double. */
static void precisions_agree(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(7, 50, 300.0, 1, two_planets, 3.0);
    equant_search_options options = options_for(8.0, 300.0);
    equant_periodogram *mixed = search(dataset, &options);
    options.exact_precision = 1;
    equant_periodogram *exact = search(dataset, &options);
    for (size_t b = 0; b < equant_periodogram_n(exact); b++)
        assert_true(fabs(equant_periodogram_power(mixed)[b] - equant_periodogram_power(exact)[b]) <
                    1e-4);
    equant_periodogram_free(mixed);
    equant_periodogram_free(exact);
    equant_dataset_free(dataset);
}

static void trends_are_taken_out(void **state)
{
    (void)state;
    simulated_star model = {.seed = 8,
                            .n_obs = 50,
                            .span_days = 400.0,
                            .n_planets = 1,
                            .elements = two_planets + 5,
                            .trend = {0.3, 4e-4},
                            .noise_m_s = 2.0,
                            .uncertainty_m_s = 2.0};
    equant_dataset *dataset = simulated_star_observe(&model);
    equant_search_options options = options_for(5.0, 800.0);
    options.trend = EQUANT_TREND_QUADRATIC;
    equant_periodogram *made = search(dataset, &options);
    assert_true(fabs(peak_of(made, 0).period_days / 12.3 - 1.0) < 0.005);
    double with = peak_of(made, 0).power;
    equant_periodogram_free(made);
    options.trend = EQUANT_TREND_NONE;
    made = search(dataset, &options);
    assert_true(with > 0.8 && peak_of(made, 0).period_days > 100.0);
    equant_periodogram_free(made);
    equant_dataset_free(dataset);
}

/* Programs that were compiled when the structs were shorter. */
static void shorter_structs_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    equant_dataset *dataset = simulate_star(1, 40, 200.0, 1, two_planets, 3.0);
    equant_search_options options = options_for(20.0, 100.0);
    options.n_peaks = 3; /* beyond the end that is stated */
    options.struct_size = offsetof(equant_search_options, n_peaks);
    equant_periodogram *made = search(dataset, &options);
    assert_true(equant_periodogram_n_peaks(made) > 3);
    assert_true(equant_periodogram_frequency_per_day(made)[0] == 0.01);
    equant_peak whole = peak_of(made, 0), part;
    memset(&part, 0x55, sizeof part);
    part.struct_size = offsetof(equant_peak, eccentricity);
    equant_peak untouched = part;
    assert_int_equal(equant_periodogram_peak(made, 0, &part), EQUANT_SUCCESS);
    assert_true(part.period_days == whole.period_days && part.k_m_s == whole.k_m_s);
    assert_memory_equal(&part.eccentricity, &untouched.eccentricity,
                        sizeof part - offsetof(equant_peak, eccentricity));
    assert_int_equal(part.struct_size, offsetof(equant_peak, eccentricity));
    equant_periodogram_free(made);
    made = NULL;
    options = (equant_search_options){0};
    assert_int_equal(equant_search(dataset, &options, &made), EQUANT_ERROR_INVALID_ARGUMENT);
    assert_null(made);
    equant_dataset_free(dataset);
}

/* Data that leave nothing to explain, and too few of them, are no reason to fail, nor to find
 * anything. */
static void meagre_data(void **state)
{
    (void)state;
    const double time[4] = {0.0, 10.0, 17.0, 30.0}, flat[4] = {5.0, 5.0, 5.0, 5.0};
    const double bumpy[4] = {5.0, -3.0, 2.0, 9.0}, sigma[4] = {1.0, 1.0, 1.0, 1.0};
    const int instrument[4] = {0, 1, 0, 1};
    for (size_t n = 2; n <= 4; n++)
        for (int bumps = 0; bumps <= 1; bumps++) {
            equant_dataset *dataset = NULL;
            equant_search_options options = options_for(3.0, 30.0);
            options.n_draws = 2;
            assert_int_equal(equant_dataset_from_arrays(n, time, bumps ? bumpy : flat, sigma,
                                                        instrument, 2, NULL, NULL, &dataset),
                             EQUANT_SUCCESS);
            equant_periodogram *made = search(dataset, &options);
            for (size_t b = 0; b < equant_periodogram_n(made); b++) {
                double power = equant_periodogram_power(made)[b];
                assert_true(power >= 0.0 && power <= 1.0 + 1e-6);
            }
            for (size_t i = 0; i < equant_periodogram_n_peaks(made); i++)
                assert_true(peak_of(made, i).false_alarm > 0.01);
            equant_periodogram_free(made);
            equant_dataset_free(dataset);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_planet),
        cmocka_unit_test(looks_behind_known_planets),
        cmocka_unit_test(noise_has_no_significant_peak),
        cmocka_unit_test(circles_alone),
        cmocka_unit_test(number_of_peaks),
        cmocka_unit_test(drawn_false_alarms),
        cmocka_unit_test(analytic_bound_agrees_with_draws),
        cmocka_unit_test(remarks_name_aliases),
        cmocka_unit_test(bytes_and_back),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(precisions_agree),
        cmocka_unit_test(trends_are_taken_out),
        cmocka_unit_test(shorter_structs_are_read_as_far_as_they_go),
        cmocka_unit_test(meagre_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
