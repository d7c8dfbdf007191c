/* Seconds that C takes for what check-python asks of Python: log-likelihoods of random two-planet
 * systems against the demonstration's data, many in one call, and one in each of many calls.
 *
 *   batch_speed N_SETS N_CALLS N_THREADS
 *
 * prints both, the second for one call. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "equant.h"

enum { N_PLANETS = 2 };

static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "batch_speed: %s\n", equant_last_error());
        exit(1);
    }
}

static double clock_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static equant_evaluator *create_evaluator(int n_threads)
{
    equant_dataset *dataset;
    equant_model *model;
    equant_evaluator *evaluator;
    check(equant_dataset_demonstration(&dataset));
    equant_model_options shape = {.struct_size = sizeof shape,
                                  .n_planets = N_PLANETS,
                                  .n_instruments = equant_dataset_n_instruments(dataset)};
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = n_threads};
    check(equant_model_create(&shape, &model));
    check(equant_evaluator_create(dataset, model, &engine, &evaluator));
    equant_model_free(model);
    equant_dataset_free(dataset);
    return evaluator;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "batch_speed: N_SETS N_CALLS N_THREADS\n");
        return 2;
    }
    size_t n_sets = strtoul(argv[1], NULL, 10), n_calls = strtoul(argv[2], NULL, 10);
    equant_evaluator *evaluator = create_evaluator(atoi(argv[3]));
    double *sets = malloc(n_sets * N_PLANETS * 5 * sizeof *sets);
    double *log_likelihood = calloc(n_sets, sizeof *log_likelihood);
    if (!sets || !log_likelihood)
        return 1;
    check(equant_orbits_draw(NULL, 1, 0, n_sets, N_PLANETS, sets));
    equant_results results = {.struct_size = sizeof results, .log_likelihood = log_likelihood};

    double begin = clock_s();
    check(equant_evaluator_evaluate(evaluator, n_sets, sets, &results));
    double many_s = clock_s() - begin;
    begin = clock_s();
    for (size_t i = 0; i < n_calls; i++)
        check(equant_evaluator_evaluate(evaluator, 1, sets, &results));
    printf("%.9g %.9g\n", many_s, (clock_s() - begin) / (double)n_calls);
    free(sets);
    free(log_likelihood);
    equant_evaluator_free(evaluator);
    return 0;
}
