/* Velocities of a known system, for tests of what finds planets: two instruments with
 * offsets of their own, times scattered over two seasons a year, Gaussian noise. */
#ifndef EQUANT_TESTS_SIMULATED_STAR_H
#define EQUANT_TESTS_SIMULATED_STAR_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "equant.h"

static const double simulated_offset_m_s[2] = {12.0, -7.0};

/* Tasks this small are quicker alone than with threads that wait for each other. */
static const equant_engine_options on_one_thread = {.struct_size = sizeof(equant_engine_options),
                                                    .n_threads = 1};

typedef struct simulated_star {
    uint64_t seed;
    size_t n_obs;
    double first_day, span_days; /* the reference time is in the middle */
    size_t n_planets;
    const double *elements; /* [n_planets][5] */
    double trend[2];        /* m/s/day, m/s/day^2 */
    double noise_m_s;       /* that there is */
    double uncertainty_m_s; /* that the observer states */
} simulated_star;

/* Predicted velocities for the times of `sky`, in its order. */
static inline void simulated_star_predict(const simulated_star *star, const equant_dataset *sky,
                                          double *velocity)
{
    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = star->n_planets,
                                    .n_instruments = 2,
                                    .trend = EQUANT_TREND_QUADRATIC,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN,
                                    .trend_columns = EQUANT_NUISANCE_GIVEN};
    equant_results results = {.struct_size = sizeof results, .velocities = velocity};
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    size_t n_elements = 5 * star->n_planets;
    double *set = malloc((n_elements + 4) * sizeof *set);
    assert_non_null(set);
    if (n_elements > 0)
        memcpy(set, star->elements, n_elements * sizeof *set);
    memcpy(set + n_elements, simulated_offset_m_s, sizeof simulated_offset_m_s);
    memcpy(set + n_elements + 2, star->trend, sizeof star->trend);
    assert_int_equal(equant_model_create(&options, &model), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_create(sky, model, NULL, &evaluator), EQUANT_SUCCESS);
    assert_int_equal(equant_evaluator_evaluate(evaluator, 1, set, &results), EQUANT_SUCCESS);
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    free(set);
}

/* The caller frees the data set. */
static inline equant_dataset *simulated_star_observe(const simulated_star *star)
{
    size_t n_obs = star->n_obs;
    double *numbers = malloc(4 * n_obs * sizeof *numbers);
    int *instrument = malloc(n_obs * sizeof *instrument);
    assert_true(numbers && instrument);
    double *time = numbers, *velocity = time + n_obs, *sigma = velocity + n_obs;
    double *noise = sigma + n_obs;
    assert_int_equal(equant_random_uniform(star->seed, 1, 0, n_obs, time), EQUANT_SUCCESS);
    assert_int_equal(equant_random_normal(star->seed, 2, 0, n_obs, noise), EQUANT_SUCCESS);
    for (size_t k = 0; k < n_obs; k++) {
        double days = star->span_days * time[k];
        time[k] = star->first_day + days - 0.4 * fmod(days, 182.6);
        velocity[k] = 0.0;
        sigma[k] = star->uncertainty_m_s;
        instrument[k] = (int)(k % 2);
    }
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .has_reference_time = 1,
                                      .reference_time_days =
                                          star->first_day + 0.5 * star->span_days};
    equant_dataset *sky = NULL, *made = NULL;
    assert_int_equal(equant_dataset_from_arrays(n_obs, time, velocity, sigma, instrument, 2, NULL,
                                                &options, &sky),
                     EQUANT_SUCCESS);
    simulated_star_predict(star, sky, velocity);
    for (size_t k = 0; k < n_obs; k++)
        velocity[k] += star->noise_m_s * noise[k];
    assert_int_equal(equant_dataset_from_arrays(n_obs, equant_dataset_times_days(sky), velocity,
                                                sigma, equant_dataset_instruments(sky), 2, NULL,
                                                &options, &made),
                     EQUANT_SUCCESS);
    equant_dataset_free(sky);
    free(numbers);
    free(instrument);
    return made;
}

/* Without trend, and with noise as stated. */
static inline equant_dataset *simulate_star(uint64_t seed, size_t n_obs, double span_days,
                                            size_t n_planets, const double *elements,
                                            double noise_m_s)
{
    return simulated_star_observe(&(simulated_star){.seed = seed,
                                                    .n_obs = n_obs,
                                                    .span_days = span_days,
                                                    .n_planets = n_planets,
                                                    .elements = elements,
                                                    .noise_m_s = noise_m_s,
                                                    .uncertainty_m_s = noise_m_s});
}

#endif
