#include "bench_problem.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "messages.h"
#include "reference_libm.h"
#include "reference_quad.h"

#define TWO_PI 6.28318530717958647693

/* One seed for the whole problem; each kind of number has a purpose of its own. */
static const uint64_t seed = 2008;
enum { PURPOSE_NIGHT = 1, PURPOSE_HOUR, PURPOSE_SIGMA, PURPOSE_NOISE, PURPOSE_M, PURPOSE_E };

/* The star's own planets are drawn from another seed than the orbits under trial. */
static const uint64_t star_seed = 1995;

/* Ten years of a star that can be seen for seven months of each, at night. */
static const double first_night_jd = 2454000.5, years = 10.0, year_days = 365.25;
static const double season_share = 7.0 / 12.0, night_share = 0.35;

/* Turns two uniform draws into the time of an observation. */
static double time_of(double night_draw, double hour_draw)
{
    double observable_years = night_draw * years;
    double year = floor(observable_years);
    double day = floor((year + season_share * (observable_years - year)) * year_days);
    return first_night_jd + day + night_share * hour_draw;
}

/* Predicted velocities of the star's own orbit, and noise of one sigma. */
static void observe(const double *time_days, const double *sigma_m_s, double *velocity_m_s)
{
    double star[BENCH_N_COLUMNS] = {0.0}, noise[BENCH_N_OBS];
    reference_observations times = {
        .n_obs = BENCH_N_OBS, .time_days = time_days, .reference_time_days = first_night_jd};
    reference_libm_limits converged = {.tolerance = 1e-14, .max_iterations = 20};
    equant_orbits_draw(NULL, star_seed, 0, 1, BENCH_N_PLANETS, star);
    equant_random_normal(seed, PURPOSE_NOISE, 0, BENCH_N_OBS, noise);
    reference_libm_velocities(&times, BENCH_N_PLANETS, star, converged, velocity_m_s);
    for (size_t k = 0; k < BENCH_N_OBS; k++)
        velocity_m_s[k] += sigma_m_s[k] * noise[k];
}

static equant_status create_dataset(equant_dataset **dataset)
{
    double time_days[BENCH_N_OBS], velocity_m_s[BENCH_N_OBS], sigma_m_s[BENCH_N_OBS];
    double hour_draws[BENCH_N_OBS];
    equant_random_uniform(seed, PURPOSE_NIGHT, 0, BENCH_N_OBS, time_days);
    equant_random_uniform(seed, PURPOSE_HOUR, 0, BENCH_N_OBS, hour_draws);
    equant_random_uniform(seed, PURPOSE_SIGMA, 0, BENCH_N_OBS, sigma_m_s);
    for (size_t k = 0; k < BENCH_N_OBS; k++) {
        time_days[k] = time_of(time_days[k], hour_draws[k]);
        sigma_m_s[k] = 1.0 + 4.0 * sigma_m_s[k];
    }
    observe(time_days, sigma_m_s, velocity_m_s);
    return equant_dataset_from_arrays(BENCH_N_OBS, time_days, velocity_m_s, sigma_m_s, NULL, 1,
                                      NULL, NULL, dataset);
}

/* Orbits from the paper's distributions, with a column for the offset behind each. */
static equant_status draw_orbits(bench_problem *problem)
{
    for (size_t set = 0; set < problem->n_sets; set++) {
        double *row = problem->parameters + set * BENCH_N_COLUMNS;
        equant_status status = equant_orbits_draw(NULL, seed, set, 1, BENCH_N_PLANETS, row);
        if (status != EQUANT_SUCCESS)
            return status;
        row[BENCH_N_COLUMNS - 1] = 0.0;
    }
    return EQUANT_SUCCESS;
}

static equant_status draw_pairs(bench_problem *problem)
{
    equant_status status =
        equant_random_uniform(seed, PURPOSE_M, 0, problem->n_pairs, problem->mean_anomaly_rad);
    if (status == EQUANT_SUCCESS)
        status = equant_random_uniform(seed, PURPOSE_E, 0, problem->n_pairs, problem->eccentricity);
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
                                    .offsets = EQUANT_NUISANCE_GIVEN};
    equant_status status = create_dataset(&problem->dataset);
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

void bench_problem_set_truth(bench_problem *problem, int n_threads)
{
    reference_quad_chi_square(&problem->observations, BENCH_N_PLANETS, problem->n_sets,
                              problem->parameters, n_threads, problem->reference_chi_square);
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
