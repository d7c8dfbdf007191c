/* Whether runs that are called converged have converged: simulated stars with an inner planet and
 * one whose period is 0.7 to 3 times the span of the observations, each sampled until the library
 * calls the run converged, and once more, from another seed and ten times as long. Of every
 * quantity that is no angle, the share of the short run's draws below the long run's 1, 5, 50, 95
 * and 99 % quantiles is compared with 1, 5, 50, 95 and 99 %, in units of the standard error of both
 * runs.
 *
 * The standard error comes from the scatter of the walkers' own means, each taken over all steps of
 * a run: no autocorrelation is estimated, and nothing of the library's diagnostics is used. A first
 * table has the errors that each run gives itself. Where few draws lie below a quantile, a share
 * that is too small has an error that is too small as well, so that large ratios are more frequent
 * than in a normal distribution. A second table has both errors from the scatter of the long run,
 * which forgets ten times as often.
 *
 * Usage: convergence [STARS [SECONDS [THREADS [MOST_STEPS [SEED]]]]], of which 200, no limit, all
 * that the machine has, 20000 and 1 are the usual. After SECONDS no star is begun. Links with
 * libequant alone; prints a table, and a line for each star to the standard error. */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"
#include "oracle/plain_orbit.h"

#define TWO_PI 6.28318530717958647693

enum { N_OBS = 30, N_PLANETS = 2, N_POPULATIONS = 4, N_WALKERS = 48, LONGER = 10 };
enum { N_PROBABILITIES = 5 };
enum { ERROR_OF_EACH, ERROR_OF_LONGER, N_ERRORS };

static const double probability[N_PROBABILITIES] = {0.01, 0.05, 0.5, 0.95, 0.99};
static const double span_days = 3000.0;

/* What a star adds to the table. */
typedef struct tally {
    size_t n[N_PROBABILITIES], n_beyond[N_PROBABILITIES][3];
    double sum[N_PROBABILITIES], squares[N_PROBABILITIES], largest[N_PROBABILITIES];
    double scatter; /* of populations around the whole, chi square */
    size_t n_scatter;
} tally;

typedef struct star_outcome {
    bool is_begun, is_called_converged, has_failed;
    double periods;   /* of the outer planet, in spans */
    uint64_t n_steps; /* of the short run */
    tally of_star[N_ERRORS];
} star_outcome;

/* ---- stars ----------------------------------------------------------------------------------- */

/* Period, K, e, omega, M0 of both, and the observations. */
static bool simulate(uint64_t star, double planets[N_PLANETS][EQUANT_N_ELEMENTS],
                     equant_dataset **made)
{
    double u[16], time[N_OBS], noise[N_OBS], velocity[N_OBS], sigma[N_OBS];
    if (equant_random_uniform(star, 1, 0, 16, u) != EQUANT_SUCCESS ||
        equant_random_uniform(star, 2, 0, N_OBS, time) != EQUANT_SUCCESS ||
        equant_random_normal(star, 3, 0, N_OBS, noise) != EQUANT_SUCCESS)
        return false;
    const double inner[] = {3.0 * pow(10.0, u[0]), 30.0 + 30.0 * u[1], 0.3 * u[2], TWO_PI * u[3],
                            TWO_PI * u[4]};
    const double outer[] = {span_days * 0.7 * pow(3.0 / 0.7, u[5]), 20.0 + 40.0 * u[6], 0.6 * u[7],
                            TWO_PI * u[8], TWO_PI * u[9]};
    memcpy(planets[0], inner, sizeof inner);
    memcpy(planets[1], outer, sizeof outer);
    for (int i = 0; i < N_OBS; i++) {
        time[i] = span_days * (i + time[i]) / N_OBS;
        sigma[i] = 3.0;
        velocity[i] = sigma[i] * noise[i];
        for (int p = 0; p < N_PLANETS; p++)
            velocity[i] += plain_velocity(planets[p], time[i] - 0.5 * span_days);
    }
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .has_reference_time = 1,
                                            .reference_time_days = 0.5 * span_days};
    return equant_dataset_from_arrays(N_OBS, time, velocity, sigma, NULL, 1, NULL, &options,
                                      made) == EQUANT_SUCCESS;
}

/* A run that ends when it has converged; with steps, one of so many after a burn-in. */
static equant_posterior *sample(const equant_dataset *dataset, const double *planets, uint64_t seed,
                                uint64_t n_burn_in, uint64_t n_steps, bool to_the_end)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    const equant_sample_options options = {.struct_size = sizeof options,
                                           .engine = &engine,
                                           .n_planets = N_PLANETS,
                                           .n_known = N_PLANETS,
                                           .known = planets,
                                           .star_mass = 1.0,
                                           .seed = seed,
                                           .n_populations = N_POPULATIONS,
                                           .n_walkers = N_WALKERS,
                                           .n_burn_in = n_burn_in,
                                           .min_ess = to_the_end ? 1e12 : 0.0,
                                           .max_steps = n_steps};
    equant_posterior *made = NULL;
    if (equant_sample(dataset, &options, &made) == EQUANT_SUCCESS)
        return made;
    fprintf(stderr, "%s\n", equant_last_error());
    return NULL;
}

/* ---- comparison ------------------------------------------------------------------------------ */

typedef struct side {
    size_t n_steps, n;
    double *values; /* [population][step][walker] */
} side;

static bool take(const equant_posterior *posterior, size_t quantity, side *made)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    if (equant_posterior_summarize(posterior, &facts) != EQUANT_SUCCESS)
        return false;
    made->n_steps = facts.n_kept;
    made->n = facts.n_kept * N_POPULATIONS * N_WALKERS;
    made->values = malloc(made->n * sizeof *made->values);
    return made->values &&
           equant_posterior_values(posterior, quantity, made->values) == EQUANT_SUCCESS;
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The share of draws up to a limit, the variance of that share by the scatter of walkers, and the
 * scatter of populations, chi square of N_POPULATIONS - 1 degrees by the same variance. */
static double share_below(const side *from, double limit, double *variance, double *scatter)
{
    double mean[N_POPULATIONS][N_WALKERS], share = 0.0, squares = 0.0;
    const double n_series = N_POPULATIONS * N_WALKERS;
    *scatter = 0.0;
    for (size_t p = 0; p < N_POPULATIONS; p++)
        for (size_t w = 0; w < N_WALKERS; w++) {
            size_t n = 0;
            for (size_t s = 0; s < from->n_steps; s++)
                n += from->values[(p * from->n_steps + s) * N_WALKERS + w] <= limit;
            mean[p][w] = (double)n / (double)from->n_steps;
            share += mean[p][w] / n_series;
        }
    for (size_t p = 0; p < N_POPULATIONS; p++) {
        double of_population = 0.0;
        for (size_t w = 0; w < N_WALKERS; w++)
            of_population += mean[p][w] / N_WALKERS;
        for (size_t w = 0; w < N_WALKERS; w++)
            squares += (mean[p][w] - of_population) * (mean[p][w] - of_population);
        *scatter += (of_population - share) * (of_population - share);
    }
    *variance = squares / (n_series - N_POPULATIONS) / n_series;
    *scatter /= *variance * N_POPULATIONS;
    return share;
}

static void count(double z, int i, double scatter, tally *found)
{
    if (!isfinite(z))
        return;
    found->n[i]++;
    found->sum[i] += z;
    found->squares[i] += z * z;
    found->largest[i] = fmax(found->largest[i], fabs(z));
    for (int k = 0; k < 3; k++)
        found->n_beyond[i][k] += fabs(z) > k + 1.0;
    found->scatter += isfinite(scatter) ? scatter : 0.0;
    found->n_scatter += isfinite(scatter) != 0;
}

static void compare(const side *brief, const side *lengthy, tally found[N_ERRORS])
{
    double *sorted = malloc(lengthy->n * sizeof *sorted);
    if (!sorted)
        return;
    memcpy(sorted, lengthy->values, lengthy->n * sizeof *sorted);
    qsort(sorted, lengthy->n, sizeof *sorted, by_number);
    for (int i = 0; i < N_PROBABILITIES; i++) {
        double limit = sorted[(size_t)(probability[i] * (double)lengthy->n)];
        double ours, theirs, scatter, ignored;
        double low = share_below(brief, limit, &ours, &scatter);
        double difference = low - share_below(lengthy, limit, &theirs, &ignored);
        count(difference / sqrt(ours + theirs), i, scatter, &found[ERROR_OF_EACH]);
        count(difference / sqrt((1.0 + LONGER) * theirs), i, scatter, &found[ERROR_OF_LONGER]);
    }
    free(sorted);
}

static void compare_runs(const equant_posterior *brief, const equant_posterior *lengthy,
                         tally found[N_ERRORS])
{
    for (size_t q = 0; q < equant_posterior_n_quantities(brief); q++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        side sides[2] = {{.values = NULL}, {.values = NULL}};
        if (equant_posterior_quantity(brief, q, &quantity) == EQUANT_SUCCESS &&
            !quantity.is_angle && strncmp(quantity.name, "t_", 2) != 0 && !isnan(quantity.rhat) &&
            take(brief, q, &sides[0]) && take(lengthy, q, &sides[1]))
            compare(&sides[0], &sides[1], found);
        free(sides[0].values);
        free(sides[1].values);
    }
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void try_star(uint64_t star, uint64_t most_steps, star_outcome *outcome)
{
    double planets[N_PLANETS][EQUANT_N_ELEMENTS];
    equant_dataset *dataset = NULL;
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    outcome->is_begun = true;
    outcome->has_failed = true;
    if (!simulate(star, planets, &dataset))
        return;
    outcome->periods = planets[1][0] / span_days;
    equant_posterior *brief = sample(dataset, planets[0], star, 0, most_steps, false);
    if (brief && equant_posterior_summarize(brief, &facts) == EQUANT_SUCCESS) {
        outcome->has_failed = false;
        outcome->n_steps = facts.n_steps;
        outcome->is_called_converged = facts.end == EQUANT_END_CONVERGED;
    }
    if (outcome->is_called_converged) {
        uint64_t n_burn_in = facts.n_steps, n_kept = LONGER * (facts.n_steps - facts.n_burn_in);
        equant_posterior *lengthy =
            sample(dataset, planets[0], star + 1000003, n_burn_in, n_burn_in + n_kept, true);
        if (lengthy)
            compare_runs(brief, lengthy, outcome->of_star);
        else
            outcome->has_failed = true;
        equant_posterior_free(lengthy);
    }
    equant_posterior_free(brief);
    equant_dataset_free(dataset);
    double worst = 0.0;
    for (int i = 0; i < N_PROBABILITIES; i++)
        worst = fmax(worst, outcome->of_star[ERROR_OF_LONGER].largest[i]);
    fprintf(stderr, "star %3llu: P %.2f spans, %s after %llu steps, worst %.1f\n",
            (unsigned long long)star, outcome->periods,
            outcome->has_failed            ? "failed"
            : outcome->is_called_converged ? "converged"
                                           : "not converged",
            (unsigned long long)outcome->n_steps, worst);
}

static tally sum_of(size_t n_stars, const star_outcome *outcomes, int kind)
{
    tally all = {.n_scatter = 0};
    for (size_t s = 0; s < n_stars; s++) {
        const tally *own = &outcomes[s].of_star[kind];
        all.scatter += own->scatter;
        all.n_scatter += own->n_scatter;
        for (int i = 0; i < N_PROBABILITIES; i++) {
            all.n[i] += own->n[i];
            all.sum[i] += own->sum[i];
            all.squares[i] += own->squares[i];
            all.largest[i] = fmax(all.largest[i], own->largest[i]);
            for (int k = 0; k < 3; k++)
                all.n_beyond[i][k] += own->n_beyond[i][k];
        }
    }
    return all;
}

static void print_table(const char *title, const tally *all)
{
    printf("%s\n  quantile  numbers    mean  rms  beyond 1  beyond 2  beyond 3  largest\n", title);
    for (int i = 0; i < N_PROBABILITIES; i++) {
        double n = (double)all->n[i];
        printf("  %5.0f %%  %8zu  %6.2f  %4.2f  %6.1f %%  %6.1f %%  %6.2f %%  %7.1f\n",
               100.0 * probability[i], all->n[i], all->sum[i] / n, sqrt(all->squares[i] / n),
               100.0 * (double)all->n_beyond[i][0] / n, 100.0 * (double)all->n_beyond[i][1] / n,
               100.0 * (double)all->n_beyond[i][2] / n, all->largest[i]);
    }
    printf("  normal                0.00  1.00    31.7 %%     4.6 %%    0.27 %%\n");
}

static void print(size_t n_stars, const star_outcome *outcomes)
{
    size_t n_begun = 0, n_converged = 0, n_failed = 0;
    double steps = 0.0;
    for (size_t s = 0; s < n_stars; s++) {
        n_begun += outcomes[s].is_begun;
        n_converged += outcomes[s].is_called_converged;
        n_failed += outcomes[s].has_failed;
        steps += outcomes[s].is_called_converged ? (double)outcomes[s].n_steps : 0.0;
    }
    printf("%zu of %zu stars are called converged, after %.0f steps in the mean; %zu failed\n"
           "(short run - long run) / error, of quantities that are no angles and no times\n",
           n_converged, n_begun, steps / (double)n_converged, n_failed);
    tally of_each = sum_of(n_stars, outcomes, ERROR_OF_EACH);
    tally of_longer = sum_of(n_stars, outcomes, ERROR_OF_LONGER);
    print_table("errors that each run gives itself:", &of_each);
    print_table("errors by the scatter of the long run:", &of_longer);
    printf("populations differ by %.2f of the errors of their walkers\n",
           sqrt(of_each.scatter / (double)of_each.n_scatter / (N_POPULATIONS - 1.0)));
}

static double argument(int argc, char **argv, int index, double usual)
{
    return argc > index ? atof(argv[index]) : usual;
}

int main(int argc, char **argv)
{
    size_t n_stars = (size_t)argument(argc, argv, 1, 200.0);
    double seconds = argument(argc, argv, 2, 0.0), begun = omp_get_wtime();
    int n_threads = (int)argument(argc, argv, 3, 0.0);
    uint64_t most_steps = (uint64_t)argument(argc, argv, 4, 20000.0);
    uint64_t seed = (uint64_t)argument(argc, argv, 5, 1.0);
    star_outcome *outcomes = calloc(n_stars + 1, sizeof *outcomes);
    if (!outcomes)
        return 1;
#pragma omp parallel for num_threads(n_threads > 0 ? n_threads : omp_get_num_procs())              \
    schedule(dynamic, 1)
    for (size_t s = 0; s < n_stars; s++)
        if (seconds <= 0.0 || omp_get_wtime() - begun < seconds)
            try_star(1000 * seed + s, most_steps, &outcomes[s]);
    print(n_stars, outcomes);
    free(outcomes);
    return 0;
}
