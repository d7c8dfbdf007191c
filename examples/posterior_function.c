/* The posterior as a function, for a sampler of one's own: here differential evolution (ter Braak
 * 2006) in a page. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

enum { N_WALKERS = 100, N_STEPS = 2000, N_BURN_IN = 500, N_DIMENSIONS = 8, N_PARAMETERS = 8 };

static const double known[N_PARAMETERS] = {1200, 7, 0.1, 2.5, 3.5, 3, 3, 2};

static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", equant_status_name(status), equant_last_error());
        exit(EXIT_FAILURE);
    }
}

static equant_target *create_target(void)
{
    equant_dataset *dataset;
    check(equant_dataset_demonstration(&dataset));
    equant_engine_options engine = {.struct_size = sizeof engine, .n_threads = 1};
    equant_target_options options = {.struct_size = sizeof options,
                                     .engine = &engine, /* fifty points are soon done by one */
                                     .n_planets = 1,
                                     .marginalise_offsets = 1};
    equant_target *target;
    check(equant_target_create(dataset, &options, &target));
    equant_dataset_free(dataset);
    return target;
}

/* Walkers begin about a known orbit. */
static void begin(equant_target *target, double points[N_WALKERS][N_DIMENSIONS])
{
    double centre[N_DIMENSIONS];
    check(equant_target_from_parameters(target, 1, known, centre));
    check(equant_random_normal(/*seed*/ 1, /*purpose*/ 0, 0, N_WALKERS * N_DIMENSIONS, points[0]));
    for (size_t i = 0; i < N_WALKERS; i++)
        for (size_t k = 0; k < N_DIMENSIONS; k++)
            points[i][k] = centre[k] + 0.01 * points[i][k];
}

/* Half of the walkers step along differences of the other half. */
static void step(equant_target *target, uint64_t number, double points[N_WALKERS][N_DIMENSIONS],
                 double log_probability[N_WALKERS])
{
    enum { HALF = N_WALKERS / 2 };
    double uniform[HALF][3], proposed[HALF][N_DIMENSIONS], value[HALF];
    size_t own = number % 2 * HALF, others = HALF - own;
    check(
        equant_random_uniform(/*seed*/ 1, /*purpose*/ 1, number * HALF * 3, HALF * 3, uniform[0]));
    for (size_t i = 0; i < HALF; i++) {
        const double *a = points[others + (size_t)(uniform[i][0] * HALF)];
        const double *b = points[others + (size_t)(uniform[i][1] * HALF)];
        for (size_t k = 0; k < N_DIMENSIONS; k++)
            proposed[i][k] = points[own + i][k] + 0.6 * (a[k] - b[k]);
    }
    check(equant_target_log_probability(target, HALF, proposed[0], value));
    for (size_t i = 0; i < HALF; i++)
        if (log(uniform[i][2]) < value[i] - log_probability[own + i]) {
            log_probability[own + i] = value[i];
            for (size_t k = 0; k < N_DIMENSIONS; k++)
                points[own + i][k] = proposed[i][k];
        }
}

int main(void)
{
    equant_target *target = create_target();
    double points[N_WALKERS][N_DIMENSIONS], parameters[N_WALKERS][N_PARAMETERS];
    double log_probability[N_WALKERS], sum[N_PARAMETERS] = {0}, squares[N_PARAMETERS] = {0};
    begin(target, points);
    check(equant_target_log_probability(target, N_WALKERS, points[0], log_probability));
    for (uint64_t number = 0; number < 2 * N_STEPS; number++) {
        step(target, number, points, log_probability);
        check(equant_target_to_parameters(target, N_WALKERS, points[0], parameters[0]));
        for (size_t i = 0; number >= 2 * N_BURN_IN && i < N_WALKERS; i++)
            for (size_t k = 0; k < N_PARAMETERS; k++) {
                sum[k] += parameters[i][k] - known[k];
                squares[k] += pow(parameters[i][k] - known[k], 2);
            }
    }
    const double n = 2.0 * (N_STEPS - N_BURN_IN) * N_WALKERS;
    for (size_t k = 0; k < N_PARAMETERS; k++)
        printf("%-16s %10.3f +- %.3f\n", equant_target_parameter_name(target, k),
               known[k] + sum[k] / n, sqrt(squares[k] / n - pow(sum[k] / n, 2)));
    equant_target_free(target);
    return EXIT_SUCCESS;
}
