/* Simulation-based calibration (Talts et al. 2018): a planet from the prior, its star as an
 * observer would see it, and draws of what he would believe. Whatever the prior and the data,
 * the rank of the truth among independent draws of the posterior is uniform; a prior, a
 * Jacobian, a likelihood or a move that is wrong shows as a slope or a bend of the ranks.
 *
 * Truth and observations are made here, without the library's priors and orbits. Takes the
 * number of stars as an argument: a few find gross errors, the 200 of the nightly run finer
 * ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inference/sample/target/posterior_density.h"
#include "inference/sample/walkers/sampler.h"
#include "oracle/plain_orbit.h"
#include "quick.h"
#include "unit/distribution_checks.h"
#include "unit/tuned_ladder.h"

#define TWO_PI 6.28318530717958647693

enum {
    FEW_STARS = 30,
    MAX_STARS = 10000,
    N_OBS = 24,
    N_DRAWS = 63, /* of each posterior */
    N_WALKERS = 64,
    N_TEMPERATURES = 12,
    STEPS_BETWEEN_DRAWS = 10,
    N_PARAMETERS = 7
};

static size_t n_stars = FEW_STARS;

/* What ranks are taken of: angles have no order, their cosines and sines do. */
static const char *const quantity_names[] = {
    "period",    "K",         "eccentricity", "cos omega", "sin omega",
    "cos of M0", "sin of M0", "offset",       "jitter",    "ln likelihood"};

enum { N_QUANTITIES = sizeof quantity_names / sizeof *quantity_names };

/* ---- the prior, once for the library and once for the simulation -------------------- */

static const char *const prior_texts[][2] = {{"period_days", "log-uniform(10, 180)"},
                                             {"k_m_s", "ford-gregory(1, 50, 10)"},
                                             {"eccentricity", "uniform(0, 1)"},
                                             {"offset_m_s", "uniform(-50, 50)"},
                                             {"jitter_m_s", "modified-log-uniform(1, 20)"}};

/* Period, K, eccentricity, omega, M0, offset, jitter. */
static void draw_truth(const double uniform[N_PARAMETERS], double truth[N_PARAMETERS])
{
    truth[0] = 10.0 * pow(18.0, uniform[0]); /* to three times the span of the data */
    truth[2] = uniform[2];
    double largest = 50.0 * cbrt(10.0 / truth[0]) / sqrt(1.0 - truth[2] * truth[2]);
    truth[1] = pow(1.0 + largest, uniform[1]) - 1.0;
    truth[3] = TWO_PI * uniform[3];
    truth[4] = TWO_PI * uniform[4];
    truth[5] = 100.0 * uniform[5] - 50.0;
    truth[6] = pow(21.0, uniform[6]) - 1.0;
}

/* ---- the star -------------------------------------------------------------------------- */

/* Draws of the simulation have their own streams, one for each purpose. */
static bool draw_numbers(size_t star, uint64_t stream, size_t n, double *uniform)
{
    return equant_random_uniform(1000 + star, stream, 0, n, uniform) == EQUANT_SUCCESS;
}

static bool observe(size_t star, const double *truth, equant_dataset **made)
{
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS], noise[N_OBS];
    if (!draw_numbers(star, 2, N_OBS, time) || !draw_numbers(star, 3, N_OBS, sigma) ||
        equant_random_normal(1000 + star, 4, 0, N_OBS, noise) != EQUANT_SUCCESS)
        return false;
    for (size_t k = 0; k < N_OBS; k++) {
        time[k] = 60.0 * time[k];
        sigma[k] = 1.0 + 3.0 * sigma[k];
        velocity[k] =
            plain_velocity(truth, time[k] - 30.0) + truth[5] + hypot(sigma[k], truth[6]) * noise[k];
    }
    equant_dataset_options options = {
        .struct_size = sizeof options, .has_reference_time = 1, .reference_time_days = 30.0};
    return equant_dataset_from_arrays(N_OBS, time, velocity, sigma, NULL, 1, NULL, &options,
                                      made) == EQUANT_SUCCESS;
}

/* ---- the posterior ----------------------------------------------------------------------- */

static bool create_posterior(const equant_dataset *dataset, priors **set, posterior_density **made)
{
    priors_options wanted = {.dataset = dataset, .n_planets = 1};
    if (priors_create(&wanted, set) != EQUANT_SUCCESS)
        return false;
    for (size_t i = 0; i < sizeof prior_texts / sizeof *prior_texts; i++)
        if (priors_change(*set, prior_texts[i][0], prior_texts[i][1]) != EQUANT_SUCCESS)
            return false;
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    posterior_density_options options = {
        .dataset = dataset, .n_planets = 1, .priors = *set, .engine = &engine};
    return posterior_density_create(&options, made) == EQUANT_SUCCESS &&
           posterior_density_n_parameters(*made) == N_PARAMETERS;
}

static double prepare(const void *context, const double *coordinates, double *parameters)
{
    return posterior_density_prepare(context, coordinates, parameters);
}

static equant_status evaluate(void *context, size_t n_sets, const double *parameters,
                              double *log_likelihood)
{
    return posterior_density_log_likelihood(context, n_sets, parameters, log_likelihood);
}

static void draw(const void *context, uint64_t seed, uint64_t index, double *coordinates)
{
    posterior_density_draw(context, seed, index, coordinates);
}

static bool create_sampler(posterior_density *density, size_t star, sampler **made)
{
    sampler_target target = {.n_coordinates = posterior_density_n_coordinates(density),
                             .n_parameters = N_PARAMETERS,
                             .is_angle = posterior_density_is_angle(density),
                             .subset = posterior_density_subset(density),
                             .context = density,
                             .prepare = prepare,
                             .evaluate = evaluate,
                             .draw = draw};
    sampler_options options = {.seed = 1 + star,
                               .n_populations = 1,
                               .n_temperatures = N_TEMPERATURES,
                               .n_walkers = N_WALKERS,
                               .n_threads = 1};
    if (sampler_create(&target, &options, NULL, made) != EQUANT_SUCCESS ||
        tune_ladder(*made, 4, 25) != EQUANT_SUCCESS)
        return false;
    sampler_freeze(*made);
    return true;
}

/* ---- ranks ---------------------------------------------------------------------------------- */

static void quantities_of(const double *parameters, double log_likelihood,
                          double quantities[N_QUANTITIES])
{
    memcpy(quantities, parameters, 3 * sizeof *quantities);
    for (int i = 0; i < 2; i++) {
        quantities[3 + 2 * i] = cos(parameters[3 + i]);
        quantities[4 + 2 * i] = sin(parameters[3 + i]);
    }
    quantities[7] = parameters[5];
    quantities[8] = parameters[6];
    quantities[9] = log_likelihood;
}

/* Draws are those of one walker after the other, with steps between them: nearly independent. */
static bool rank_truth(sampler *s, const double truth[N_QUANTITIES], double rank[N_QUANTITIES])
{
    for (size_t i = 0; i < N_DRAWS; i++) {
        if (sampler_advance(s, STEPS_BETWEEN_DRAWS) != EQUANT_SUCCESS)
            return false;
        double drawn[N_QUANTITIES];
        quantities_of(sampler_cold_parameters(s) + i * N_PARAMETERS,
                      sampler_cold_log_likelihood(s)[i], drawn);
        for (size_t q = 0; q < N_QUANTITIES; q++)
            rank[q] += drawn[q] < truth[q];
    }
    return true;
}

/* One star: rank[] becomes where in (0, 1) the truth lies among the draws, at random between
 * two of them. */
static bool calibrate(size_t star, double rank[N_QUANTITIES])
{
    equant_dataset *dataset = NULL;
    priors *set = NULL;
    posterior_density *density = NULL;
    sampler *s = NULL;
    double uniform[N_PARAMETERS], between[N_QUANTITIES];
    double truth[N_PARAMETERS], log_likelihood, quantities[N_QUANTITIES];
    bool is_well = draw_numbers(star, 1, N_PARAMETERS, uniform) &&
                   draw_numbers(star, 5, N_QUANTITIES, between);
    if (is_well)
        draw_truth(uniform, truth);
    is_well =
        is_well && observe(star, truth, &dataset) && create_posterior(dataset, &set, &density) &&
        posterior_density_log_likelihood(density, 1, truth, &log_likelihood) == EQUANT_SUCCESS &&
        create_sampler(density, star, &s);
    if (is_well) {
        quantities_of(truth, log_likelihood, quantities);
        is_well = rank_truth(s, quantities, rank);
        for (size_t q = 0; q < N_QUANTITIES; q++)
            rank[q] = (rank[q] + between[q]) / (N_DRAWS + 1);
    }
    sampler_free(s);
    posterior_density_free(density);
    priors_free(set);
    equant_dataset_free(dataset);
    return is_well;
}

/* ---- tests ------------------------------------------------------------------------------------
 */

/* A slope of the ranks is a bias; a bend is a posterior that is too wide or too narrow, and
 * shows as a slope once the distribution is folded at its middle. */
static bool is_uniform(const char *name, double *sample)
{
    double as_is = kolmogorov_distance(n_stars, sample);
    for (size_t i = 0; i < n_stars; i++)
        sample[i] = fabs(2.0 * sample[i] - 1.0);
    double folded = kolmogorov_distance(n_stars, sample);
    print_message("%-14s %.2f, folded %.2f (limit %.2f)\n", name, as_is, folded, KOLMOGOROV_LIMIT);
    return as_is < KOLMOGOROV_LIMIT && folded < KOLMOGOROV_LIMIT;
}

static void ranks_of_the_truth_are_uniform(void **state)
{
    (void)state;
    double(*rank)[N_QUANTITIES] = calloc(n_stars, sizeof *rank);
    double *sample = malloc(n_stars * sizeof *sample);
    assert_true(rank && sample);
    size_t n_failed = 0, n_uneven = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : n_failed)
    for (size_t star = 0; star < n_stars; star++)
        n_failed += !calibrate(star, rank[star]);
    assert_int_equal(n_failed, 0);
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        for (size_t star = 0; star < n_stars; star++)
            sample[star] = rank[star][q];
        n_uneven += !is_uniform(quantity_names[q], sample);
    }
    free(rank);
    free(sample);
    assert_int_equal(n_uneven, 0);
}

int main(int n_arguments, char **arguments)
{
    if (quick_run()) {
        puts("SKIP: a calibration has no quick form");
        return 77;
    }
    if (n_arguments > 1)
        n_stars = strtoul(arguments[1], NULL, 10);
    if (n_stars < FEW_STARS || n_stars > MAX_STARS)
        return EXIT_FAILURE;
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_of_the_truth_are_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
