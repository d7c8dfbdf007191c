/* The conditional of one planet over a grid, on a GPU against the processor: the same evidence of
 * circles in double to 1e-10, in white noise and in noise that remembers; and by the whole slot of
 * a comparison, the proposal that a chain draws from. Where there is no GPU, it says so and is
 * skipped. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/circles/device_circles.h"
#include "equant.h"
#include "statistics/circle_evidence.h"

enum {
    N_OBS = 401,
    N_FREQUENCIES = 30011,
    N_COLUMNS = 13,
    N_SCALES = 8,
    N_STATES = 5,
    N_BLOCKS = 3
};
enum { STRIDE = 1 + 2 * N_STATES + 1 + 4 + 4 };

static const equant_engine_options on_gpu = {.struct_size = sizeof on_gpu, .backend = "cuda"};
static double times[N_OBS], columns[N_COLUMNS * N_OBS], turned[N_COLUMNS * N_OBS],
    rows[N_OBS * STRIDE], precision[N_SCALES];
static double exponents[N_FREQUENCIES], factors[N_FREQUENCIES];

static double wave(size_t i)
{
    return sin(12.9898 * (double)i + 0.3);
}

static void fill(void)
{
    for (size_t k = 0; k < N_OBS; k++) {
        times[k] = 17.5 * (double)k + 5.0 * wave(k) - 3500.0;
        for (size_t j = 0; j < N_COLUMNS; j++)
            columns[j * N_OBS + k] = turned[k * N_COLUMNS + j] =
                (j == 0 ? 0.4 : 0.02) * wave(k * N_COLUMNS + j);
    }
    for (size_t i = 0; i < N_SCALES; i++)
        precision[i] = pow(0.3 * exp2((double)i), -2.0);
}

/* Blocks of one, two and two states, with numbers that fall off. */
static circle_noise make_noise(int has_states)
{
    static const int block_states[N_BLOCKS] = {1, 2, 2};
    circle_noise made = {.stride = 1, .rows = rows};
    if (has_states)
        made = (circle_noise){N_STATES, N_BLOCKS, STRIDE, block_states, rows};
    for (size_t i = 0; i < N_OBS * made.stride; i++)
        rows[i] = i % made.stride == 0 ? 0.5 + 0.1 * wave(i) : 0.3 * wave(i);
    return made;
}

static void compare(int has_states)
{
    const backend_circle_grid grid = {.n_obs = N_OBS,
                                      .time_days = times,
                                      .first_frequency_per_day = 1e-4,
                                      .step_per_day = 2.8e-5,
                                      .n_frequencies = N_FREQUENCIES,
                                      .most_columns = N_COLUMNS + 4,
                                      .n_scales = N_SCALES,
                                      .precision = precision};
    const circle_data data = {N_OBS, times, N_SCALES, precision};
    const circle_noise noise = make_noise(has_states);
    device_circles *gpu = NULL;
    if (device_circles_create(&on_gpu, &grid, &gpu) != EQUANT_SUCCESS || !gpu)
        fail_msg("%s", equant_last_error());
    assert_int_equal(device_circles_take_noise(gpu, &noise), EQUANT_SUCCESS);
    assert_int_equal(device_circles_run(gpu, N_COLUMNS, columns, exponents, factors),
                     EQUANT_SUCCESS);
    double worst = 0.0;
    for (size_t i = 0; i < N_FREQUENCIES; i += 13) {
        double frequency = 1e-4 + 2.8e-5 * (double)i, square[3], exponent, factor;
        circle_evidence_square(&data, &noise, frequency, square);
        circle_evidence_find(&data, frequency, N_COLUMNS, turned, square, &exponent, &factor);
        double here = exponent + log(factor), there = exponents[i] + log(factors[i]);
        worst = fmax(worst, fabs(there - here) / fmax(1.0, fabs(here)));
    }
    printf("largest difference %.1e\n", worst);
    assert_true(worst < 1e-10);
    device_circles_free(gpu);
}

static void white_noise(void **state)
{
    (void)state;
    compare(0);
}

static void noise_that_remembers(void **state)
{
    (void)state;
    compare(1);
}

static void too_much_is_refused(void **state)
{
    (void)state;
    const backend_circle_grid grid = {.n_obs = N_OBS,
                                      .time_days = times,
                                      .first_frequency_per_day = 1e-4,
                                      .step_per_day = 1e-5,
                                      .n_frequencies = 10,
                                      .most_columns = 2,
                                      .n_scales = N_SCALES,
                                      .precision = precision};
    device_circles *gpu = NULL;
    assert_int_equal(device_circles_create(&on_gpu, &grid, &gpu), EQUANT_SUCCESS);
    assert_false(device_circles_may_leave(gpu));
    assert_int_not_equal(device_circles_run(gpu, N_COLUMNS, columns, exponents, factors),
                         EQUANT_SUCCESS);
    device_circles_free(gpu);
}

/* Both run the same chains but for the last digits of what they propose: probabilities agree
 * within their errors. */
static void comparisons_agree(void **state)
{
    (void)state;
    double velocity[N_OBS], sigma[N_OBS], seen[2][4];
    equant_dataset *dataset = NULL;
    equant_fit *fit = NULL;
    for (size_t k = 0; k < N_OBS; k++) {
        sigma[k] = 1.0;
        velocity[k] = 1.5 * cos(6.283185307179586 * times[k] / 41.7) + 1.4 * wave(7 * k + 3);
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, times, velocity, sigma, NULL, 1, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    equant_fit_options wanted = {
        .struct_size = sizeof wanted, .noise = "white", .period_min_days = 5.0};
    assert_int_equal(equant_fit_star(dataset, &wanted, &fit), EQUANT_SUCCESS);
    for (int i = 0; i < 2; i++) {
        const equant_engine_options engine = {.struct_size = sizeof engine,
                                              .backend = i == 0 ? "cuda" : "cpu"};
        equant_compare_options options = {
            .struct_size = sizeof options, .max_planets = 3, .n_sweeps = 60, .engine = &engine};
        equant_comparison *found = NULL;
        if (equant_compare(dataset, fit, &options, &found) != EQUANT_SUCCESS)
            fail_msg("%s", equant_last_error());
        for (size_t n = 0; n <= 3; n++)
            seen[i][n] = equant_comparison_probability(found, n, NULL);
        equant_comparison_free(found);
    }
    for (size_t n = 0; n <= 3; n++)
        assert_true(fabs(seen[0][n] - seen[1][n]) < 0.1);
    equant_fit_free(fit);
    equant_dataset_free(dataset);
}

int main(void)
{
    equant_device_info info = {.struct_size = sizeof info};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_noise),
        cmocka_unit_test(noise_that_remembers),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(comparisons_agree),
    };
    const char *required = getenv("EQUANT_REQUIRE_BACKENDS");
    if (equant_device_describe("cuda", &info) != EQUANT_SUCCESS) {
        printf("SKIP: there is no GPU here\n");
        return required && strstr(required, "cuda") ? 1 : 0;
    }
    fill();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
