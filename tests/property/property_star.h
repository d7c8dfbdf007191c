/* A small star for property tests: arrays that a test may change, and one call
 * that makes a data set of them, evaluates one model and forgets it. */
#ifndef PROPERTY_PROPERTY_STAR_H
#define PROPERTY_PROPERTY_STAR_H

#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"
#include "oracle/random_system.h"

enum { STAR_MAX_OBS = 64, STAR_MAX_LINEAR = 8 };

/* Observations whose times and velocities are multiples of 2^-10, so that tests
 * can shift them without rounding. */
typedef struct star {
    size_t n_obs, n_instruments;
    double reference_time;
    double time[STAR_MAX_OBS], velocity[STAR_MAX_OBS], sigma[STAR_MAX_OBS];
    int instrument[STAR_MAX_OBS];
} star;

typedef struct star_answer {
    double chi_square, log_likelihood;
    double linear[STAR_MAX_LINEAR], velocity[STAR_MAX_OBS], residual[STAR_MAX_OBS];
} star_answer;

static inline star star_draw(uint64_t seed, size_t n_obs, size_t n_instruments)
{
    random_system random = {seed};
    star s = {.n_obs = n_obs, .n_instruments = n_instruments, .reference_time = 2048};
    random_system_observations(&random, n_obs, n_instruments, 0, s.time, s.velocity, s.sigma,
                               s.instrument);
    for (size_t k = 0; k < n_obs; k++) {
        s.time[k] = rint(s.time[k] * 1024) / 1024;
        s.velocity[k] = rint(s.velocity[k] * 1024) / 1024;
    }
    return s;
}

static inline star_answer star_evaluate(const star *s, const equant_model_options *model_options,
                                        const equant_engine_options *engine,
                                        const double *parameters)
{
    equant_dataset_options options = {.struct_size = sizeof options,
                                      .has_reference_time = 1,
                                      .reference_time_days = s->reference_time};
    equant_dataset *dataset = NULL;
    equant_model *model = NULL;
    equant_evaluator *evaluator = NULL;
    trial_require(equant_dataset_from_arrays(s->n_obs, s->time, s->velocity, s->sigma,
                                             s->instrument, s->n_instruments, NULL, &options,
                                             &dataset),
                  "equant_dataset_from_arrays");
    trial_require(equant_model_create(model_options, &model), "equant_model_create");
    trial_require(equant_evaluator_create(dataset, model, engine, &evaluator),
                  "equant_evaluator_create");
    star_answer answer = {0};
    equant_results results = {.struct_size = sizeof results,
                              .chi_square = &answer.chi_square,
                              .log_likelihood = &answer.log_likelihood,
                              .linear = answer.linear,
                              .velocities = answer.velocity,
                              .residuals = answer.residual};
    trial_require(equant_evaluator_evaluate(evaluator, 1, parameters, &results),
                  "equant_evaluator_evaluate");
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
    return answer;
}

static inline equant_model_options star_model(const star *s, size_t n_planets,
                                              equant_nuisance offsets)
{
    return (equant_model_options){.struct_size = sizeof(equant_model_options),
                                  .n_planets = n_planets,
                                  .n_instruments = s->n_instruments,
                                  .offset_columns = offsets};
}

#endif
