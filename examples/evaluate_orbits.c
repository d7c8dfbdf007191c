/* Evaluates a batch of orbits against velocities held in arrays and prints
 * the best one. The velocities are made up here, from an orbit that we know,
 * so that the answer can be checked. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

enum { N_OBS = 40, N_PERIODS = 400, N_PHASES = 64, N_ORBITS = N_PERIODS * N_PHASES };

static const double TWO_PI = 6.283185307179586;
static const double TRUE_PERIOD_DAYS = 4.2308;
static const double TRUE_K_M_S = 55.9;

/* Ends the program with the library's sentence when a call has failed. */
static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "evaluate_orbits: %s\n", equant_last_error());
        exit(1);
    }
}

/* A circular orbit seen at 40 irregular times, with 5 m/s of noise. */
static equant_dataset *make_dataset(void)
{
    double time_days[N_OBS], velocity_m_s[N_OBS], uncertainty_m_s[N_OBS], noise[N_OBS];
    check(equant_random_normal(/*seed*/ 51, /*purpose*/ 0, /*first*/ 0, N_OBS, noise));
    for (int k = 0; k < N_OBS; k++) {
        time_days[k] = 50000.0 + 0.9 * k + 0.3 * noise[k];
        uncertainty_m_s[k] = 5.0;
        velocity_m_s[k] = TRUE_K_M_S * cos(TWO_PI * time_days[k] / TRUE_PERIOD_DAYS) +
                          uncertainty_m_s[k] * noise[N_OBS - 1 - k];
    }
    equant_dataset *dataset;
    check(equant_dataset_from_arrays(N_OBS, time_days, velocity_m_s, uncertainty_m_s, NULL, 1, NULL,
                                     NULL, &dataset));
    return dataset;
}

/* One row per orbit: period, K, eccentricity, omega, M0. */
static void fill_grid(double (*orbits)[5])
{
    for (int i = 0; i < N_ORBITS; i++) {
        orbits[i][0] = 4.0 + 0.00125 * (i / N_PHASES);
        orbits[i][1] = TRUE_K_M_S;
        orbits[i][2] = 0.0;
        orbits[i][3] = 0.0;
        orbits[i][4] = TWO_PI * (i % N_PHASES) / N_PHASES;
    }
}

int main(void)
{
    equant_dataset *dataset = make_dataset();

    /* One planet; the offset of the instrument is solved for each orbit, so
     * it is no column of the grid. */
    equant_model_options model_options = {.struct_size = sizeof model_options, .n_planets = 1};
    equant_model *model;
    check(equant_model_create(&model_options, &model));

    equant_evaluator *evaluator;
    check(equant_evaluator_create(dataset, model, NULL, &evaluator));

    static double orbits[N_ORBITS][5];
    static double chi_square[N_ORBITS], offset_m_s[N_ORBITS];
    fill_grid(orbits);
    equant_results results = {
        .struct_size = sizeof results, .chi_square = chi_square, .linear = offset_m_s};
    check(equant_evaluator_evaluate(evaluator, N_ORBITS, &orbits[0][0], &results));

    int best = 0;
    for (int i = 1; i < N_ORBITS; i++)
        if (chi_square[i] < chi_square[best])
            best = i;
    printf("best of %d orbits: period %.4f days, M0 %.3f rad, offset %.2f m/s, chi-square %.1f\n",
           N_ORBITS, orbits[best][0], orbits[best][4], offset_m_s[best], chi_square[best]);

    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);
    return fabs(orbits[best][0] - TRUE_PERIOD_DAYS) < 0.02 ? 0 : 1;
}
