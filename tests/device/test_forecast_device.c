/* What draws predict, on a GPU against the processor: moments, intervals, entropies and
 * information in white noise and in noise that remembers, of two instruments. Where there is no
 * GPU, it says so and is skipped. */
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

enum { N_OBS = 60, N_TIMES = 2500, N_DRAWS = 700 };

static double wave(size_t i)
{
    return sin(12.9898 * (double)i + 0.3);
}

static equant_posterior *sample(const char *noise)
{
    static const double known[EQUANT_N_ELEMENTS] = {8.3, 6.0, 0.2, 1.0, 2.0};
    double times[N_OBS], velocity[N_OBS], sigma[N_OBS];
    int made_by[N_OBS];
    equant_dataset *dataset = NULL;
    equant_posterior *made = NULL;
    for (size_t k = 0; k < N_OBS; k++) {
        times[k] = 2.0 * (double)k + 0.4 * wave(k);
        velocity[k] = 6.0 * cos(6.283185307179586 * times[k] / 8.3) + 2.0 * wave(7 * k + 3);
        sigma[k] = 1.0 + 0.3 * wave(k + 5);
        made_by[k] = (int)(k / 7 % 2);
    }
    assert_int_equal(
        equant_dataset_from_arrays(N_OBS, times, velocity, sigma, made_by, 2, NULL, NULL, &dataset),
        EQUANT_SUCCESS);
    const equant_engine_options engine = {.struct_size = sizeof engine, .backend = "cpu"};
    const equant_sample_options options = {.struct_size = sizeof options,
                                           .engine = &engine,
                                           .n_planets = 1,
                                           .n_known = 1,
                                           .known = known,
                                           .noise = noise,
                                           .seed = 3,
                                           .n_walkers = 40,
                                           .n_burn_in = 100,
                                           .min_ess = 1e9,
                                           .max_steps = 140};
    if (equant_sample(dataset, &options, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    equant_dataset_free(dataset);
    return made;
}

static equant_prediction *predict(const equant_posterior *posterior, const char *backend_name)
{
    static double times[N_TIMES];
    const equant_engine_options engine = {.struct_size = sizeof engine, .backend = backend_name};
    const equant_predict_options options = {
        .struct_size = sizeof options, .engine = &engine, .max_draws = N_DRAWS, .instrument = 2};
    equant_prediction *made = NULL;
    /* Some lie among the data, where processors do them. */
    for (size_t i = 0; i < N_TIMES; i++)
        times[i] = 117.0 + 0.05 * (double)i;
    if (equant_predict(posterior, N_TIMES, times, &options, &made) != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
    return made;
}

static void compare(const char *noise)
{
    equant_posterior *posterior = sample(noise);
    equant_prediction *here = predict(posterior, "cpu"), *there = predict(posterior, "cuda");
    double worst = 0.0;
    for (size_t i = 0; i < N_TIMES; i++) {
        equant_predicted_time a = {.struct_size = sizeof a}, b = {.struct_size = sizeof b};
        assert_int_equal(equant_prediction_at(here, i, &a), EQUANT_SUCCESS);
        assert_int_equal(equant_prediction_at(there, i, &b), EQUANT_SUCCESS);
        assert_true(a.time_days == b.time_days);
        assert_int_equal(a.n_modes, b.n_modes);
        worst = fmax(worst, fabs(a.mean_m_s - b.mean_m_s));
        worst = fmax(worst, fabs(a.sd_m_s - b.sd_m_s));
        worst = fmax(worst, fabs(a.low_95_m_s - b.low_95_m_s));
        worst = fmax(worst, fabs(a.median_m_s - b.median_m_s));
        worst = fmax(worst, fabs(a.high_68_m_s - b.high_68_m_s));
        worst = fmax(worst, fabs(a.entropy - b.entropy));
        worst = fmax(worst, fabs(a.information - b.information));
    }
    printf("largest difference %.1e\n", worst);
    assert_true(worst < 1e-9);
    equant_prediction_free(here);
    equant_prediction_free(there);
    equant_posterior_free(posterior);
}

static void white_noise(void **state)
{
    (void)state;
    compare(NULL);
}

static void noise_that_remembers(void **state)
{
    (void)state;
    compare("rotation, night");
}

static void other_shapes(void **state)
{
    (void)state;
    compare("exponential, matern52");
}

int main(void)
{
    equant_device_info info = {.struct_size = sizeof info};
    const struct CMUnitTest tests[] = {cmocka_unit_test(white_noise),
                                       cmocka_unit_test(noise_that_remembers),
                                       cmocka_unit_test(other_shapes)};
    const char *required = getenv("EQUANT_REQUIRE_BACKENDS");
    if (equant_device_describe("cuda", &info) != EQUANT_SUCCESS) {
        printf("SKIP: there is no GPU here\n");
        return required && strstr(required, "cuda") ? 1 : 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
