#include "bench/bench_problem.h"

#include <stdbool.h>
#include <stdlib.h>

#include "bench/bench_dataset.h"
#include "terminal/messages.h"
#include "bench/reference_quad.h"
#include "terminal/interrupt.h"

#define TWO_PI 6.28318530717958647693

enum { PURPOSE_M = 5, PURPOSE_E }; /* behind those of the data set */

/* Orbits from the paper's distributions, with a column for the offset behind each. */
static equant_status draw_orbits(bench_problem *problem)
{
    for (size_t set = 0; set < problem->n_sets; set++) {
        double *row = problem->parameters + set * BENCH_N_COLUMNS;
        equant_status status =
            equant_orbits_draw(NULL, bench_dataset_seed, set, 1, BENCH_N_PLANETS, row);
        if (status != EQUANT_SUCCESS)
            return status;
        row[BENCH_N_COLUMNS - 1] = 0.0;
    }
    return EQUANT_SUCCESS;
}

static equant_status draw_pairs(bench_problem *problem)
{
    equant_status status = equant_random_uniform(bench_dataset_seed, PURPOSE_M, 0, problem->n_pairs,
                                                 problem->mean_anomaly_rad);
    if (status == EQUANT_SUCCESS)
        status = equant_random_uniform(bench_dataset_seed, PURPOSE_E, 0, problem->n_pairs,
                                       problem->eccentricity);
    for (size_t i = 0; status == EQUANT_SUCCESS && i < problem->n_pairs; i++) {
        problem->mean_anomaly_rad[i] *= TWO_PI;
        problem->eccentricity[i] *= 0.99;
    }
    return status;
}

static reference_observations views_of(const equant_dataset *dataset)
{
    return (reference_observations){
        .n_obs = equant_dataset_n_obs(dataset),
        .time_days = equant_dataset_times_days(dataset),
        .velocity_m_s = equant_dataset_velocities_m_s(dataset),
        .uncertainty_m_s = equant_dataset_uncertainties_m_s(dataset),
        .reference_time_days = equant_dataset_reference_time_days(dataset),
    };
}

static bool allocate(bench_problem *problem)
{
    problem->parameters = calloc(problem->n_sets, BENCH_N_COLUMNS * sizeof(double));
    problem->reference_chi_square = calloc(problem->n_sets, sizeof(double));
    problem->chi_square = calloc(problem->n_sets, sizeof(double));
    problem->mean_anomaly_rad = calloc(problem->n_pairs, sizeof(double));
    problem->eccentricity = calloc(problem->n_pairs, sizeof(double));
    bool complete = problem->parameters != NULL && problem->reference_chi_square != NULL &&
                    problem->chi_square != NULL && problem->mean_anomaly_rad != NULL &&
                    problem->eccentricity != NULL;
    for (int which = 0; which < 3; which++) {
        problem->anomaly[which] = calloc(problem->n_pairs, sizeof(double));
        complete = complete && problem->anomaly[which] != NULL;
    }
    return complete;
}

int bench_problem_create(size_t n_sets, int n_threads, bench_problem *problem)
{
    *problem = (bench_problem){.n_sets = n_sets, .n_pairs = BENCH_N_PAIRS * (size_t)n_threads};
    if (!allocate(problem))
        return messages_out_of_memory();

    equant_model_options options = {.struct_size = sizeof options,
                                    .n_planets = BENCH_N_PLANETS,
                                    .offset_columns = EQUANT_NUISANCE_GIVEN};
    equant_status status = bench_dataset_create(BENCH_N_OBS, &problem->dataset);
    if (status == EQUANT_SUCCESS)
        status = equant_model_create(&options, &problem->model);
    if (status == EQUANT_SUCCESS)
        status = draw_orbits(problem);
    if (status == EQUANT_SUCCESS)
        status = draw_pairs(problem);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    problem->observations = views_of(problem->dataset);
    return EXIT_CODE_OK;
}

/* In pieces of a fraction of a second: after Ctrl-C nobody asks for the rest. */
void bench_problem_set_truth(bench_problem *problem, int n_threads)
{
    const size_t n_columns = BENCH_N_PLANETS * REFERENCE_ELEMENTS + 1, piece = 64;
    for (size_t first = 0; first < problem->n_sets && !interrupt_requested(); first += piece) {
        size_t left = problem->n_sets - first;
        reference_quad_chi_square(&problem->observations, BENCH_N_PLANETS,
                                  left < piece ? left : piece,
                                  problem->parameters + first * n_columns, n_threads,
                                  problem->reference_chi_square + first);
    }
}

void bench_problem_free(bench_problem *problem)
{
    equant_dataset_free(problem->dataset);
    equant_model_free(problem->model);
    free(problem->parameters);
    free(problem->reference_chi_square);
    free(problem->mean_anomaly_rad);
    free(problem->eccentricity);
    free(problem->chi_square);
    for (int which = 0; which < 3; which++)
        free(problem->anomaly[which]);
    *problem = (bench_problem){0};
}
