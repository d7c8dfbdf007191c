/* A random system, its observations and its parameter sets, as the library and
 * as the oracle want them; and the results of one run. Memory that runs short
 * ends the test program. */
#ifndef CONFORMANCE_BACKEND_TRIAL_H
#define CONFORMANCE_BACKEND_TRIAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"
#include "oracle/oracle.h"
#include "oracle/random_system.h"

/* What to draw. */
typedef struct trial_shape {
    uint64_t seed;
    size_t n_obs, n_sets, n_instruments;
    oracle_model model;
    double first_time; /* e.g. 0, or a Julian date */
} trial_shape;

typedef struct trial {
    size_t n_obs, n_sets, n_parameters, n_linear;
    equant_dataset *dataset;
    equant_model *model;
    oracle_data data; /* views into the data set */
    oracle_model oracle;
    double *parameters; /* [n_sets][n_parameters] */
} trial;

/* Memory for all results of n_sets sets. */
typedef struct trial_output {
    size_t n_doubles;
    double *memory;
    equant_results results;
} trial_output;

static inline void *trial_allocate(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size);
    if (!memory) {
        fprintf(stderr, "not enough memory for this test\n");
        exit(1);
    }
    return memory;
}

/* The test ends with the library's own sentence where a call must succeed. */
static inline void trial_require(equant_status status, const char *call)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "%s: %s: %s\n", call, equant_status_name(status), equant_last_error());
        exit(1);
    }
}

static inline void trial_draw_parameters(trial *t, random_system *random)
{
    for (size_t s = 0; s < t->n_sets; s++) {
        double *column = t->parameters + s * t->n_parameters;
        for (size_t p = 0; p < t->oracle.n_planets; p++, column += 5)
            random_system_planet(random, column);
        for (size_t i = 0; !t->oracle.offsets_solved && i < t->data.n_instruments; i++)
            *column++ = random_system_between(random, -200, 200);
        for (int j = 0; !t->oracle.trend_solved && j < t->oracle.trend_order; j++)
            *column++ = random_system_between(random, -0.05, 0.05) * (j == 0 ? 1 : 1e-3);
        for (size_t i = 0; t->oracle.with_jitter && i < t->data.n_instruments; i++)
            *column++ = random_system_between(random, 0, 5);
    }
}

static inline void trial_draw_dataset(trial *t, const trial_shape *shape, random_system *random)
{
    double *memory = trial_allocate(3 * shape->n_obs, sizeof(double));
    int *instrument = trial_allocate(shape->n_obs, sizeof(int));
    double *time = memory, *velocity = time + shape->n_obs, *sigma = velocity + shape->n_obs;
    random_system_observations(random, shape->n_obs, shape->n_instruments, shape->first_time, time,
                               velocity, sigma, instrument);
    trial_require(equant_dataset_from_arrays(shape->n_obs, time, velocity, sigma, instrument,
                                             shape->n_instruments, NULL, NULL, &t->dataset),
                  "equant_dataset_from_arrays");
    free(memory);
    free(instrument);
    t->data = (oracle_data){
        .n_obs = shape->n_obs,
        .time_days = equant_dataset_times_days(t->dataset),
        .velocity_m_s = equant_dataset_velocities_m_s(t->dataset),
        .uncertainty_m_s = equant_dataset_uncertainties_m_s(t->dataset),
        .instrument = equant_dataset_instruments(t->dataset),
        .n_instruments = shape->n_instruments,
        .reference_time_days = equant_dataset_reference_time_days(t->dataset),
    };
}

static inline trial trial_create(const trial_shape *shape)
{
    random_system random = {shape->seed};
    trial t = {.n_obs = shape->n_obs, .n_sets = shape->n_sets, .oracle = shape->model};
    trial_draw_dataset(&t, shape, &random);
    equant_model_options options = {
        .struct_size = sizeof options,
        .n_planets = shape->model.n_planets,
        .n_instruments = shape->n_instruments,
        .trend = (equant_trend)(EQUANT_TREND_NONE + shape->model.trend_order),
        .offset_columns =
            shape->model.offsets_solved ? EQUANT_NUISANCE_SOLVED : EQUANT_NUISANCE_GIVEN,
        .trend_columns = shape->model.trend_solved ? EQUANT_NUISANCE_SOLVED : EQUANT_NUISANCE_GIVEN,
        .with_jitter = shape->model.with_jitter,
    };
    trial_require(equant_model_create(&options, &t.model), "equant_model_create");
    t.n_parameters = equant_model_n_parameters(t.model);
    t.n_linear = equant_model_n_linear(t.model);
    t.parameters = trial_allocate(t.n_sets * t.n_parameters, sizeof(double));
    trial_draw_parameters(&t, &random);
    return t;
}

static inline void trial_free(trial *t)
{
    equant_dataset_free(t->dataset);
    equant_model_free(t->model);
    free(t->parameters);
}

static inline trial_output trial_output_create(const trial *t, size_t n_sets)
{
    trial_output output = {.n_doubles = n_sets * (2 + t->n_linear + 2 * t->n_obs)};
    double *memory = output.memory = trial_allocate(output.n_doubles, sizeof(double));
    output.results = (equant_results){
        .struct_size = sizeof(equant_results),
        .chi_square = memory,
        .log_likelihood = memory + n_sets,
        .linear = memory + 2 * n_sets,
        .velocities = memory + (2 + t->n_linear) * n_sets,
        .residuals = memory + (2 + t->n_linear + t->n_obs) * n_sets,
    };
    return output;
}

static inline void trial_output_free(trial_output *output)
{
    free(output->memory);
}

/* Results that start at set `first`, for runs in several batches. */
static inline equant_results trial_output_from(const trial *t, const trial_output *output,
                                               size_t first)
{
    equant_results results = output->results;
    results.chi_square += first;
    results.log_likelihood += first;
    results.linear += first * t->n_linear;
    results.velocities += first * t->n_obs;
    results.residuals += first * t->n_obs;
    return results;
}

/* Evaluates all sets, at most `batch` per call. */
static inline void trial_run(const trial *t, const equant_engine_options *options, size_t batch,
                             trial_output *output)
{
    equant_evaluator *evaluator = NULL;
    trial_require(equant_evaluator_create(t->dataset, t->model, options, &evaluator),
                  "equant_evaluator_create");
    for (size_t first = 0; first == 0 || first < t->n_sets; first += batch) {
        size_t n = t->n_sets - first < batch ? t->n_sets - first : batch;
        equant_results results = trial_output_from(t, output, first);
        trial_require(equant_evaluator_evaluate(evaluator, n,
                                                t->parameters + first * t->n_parameters, &results),
                      "equant_evaluator_evaluate");
    }
    equant_evaluator_free(evaluator);
}

/* FNV-1a over the bits of n doubles; every NaN counts as the same one. */
static inline uint64_t trial_hash(uint64_t hash, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        double value = isnan(values[k]) ? (double)NAN : values[k];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        for (int byte = 0; byte < 8; byte++)
            hash = (hash ^ (bits >> 8 * byte & 0xff)) * 0x100000001b3u;
    }
    return hash;
}

#define TRIAL_HASH_START 0xcbf29ce484222325u

#endif
