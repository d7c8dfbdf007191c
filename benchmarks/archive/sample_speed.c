/* Posteriors of many short series: all stars side by side, and one after the other. Prints steps of
 * stars a second, and how many stars have other draws than alone.
 *
 * Usage: sample_speed STARS STEPS BACKEND [ALONE]; of the first ALONE stars (default 8) the draws
 * are made alone as well, on the same backend. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "equant.h"

enum { N_OBS = 100 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(equant_status status)
{
    if (status == EQUANT_SUCCESS)
        return;
    fprintf(stderr, "sample_speed: %s\n", equant_last_error());
    exit(1);
}

static double uniform(unsigned long long *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) * 0x1p-53;
}

static equant_dataset *star(unsigned long long number)
{
    double t[N_OBS], v[N_OBS], error[N_OBS];
    unsigned long long state = 1000003ull * number + 17;
    double period = exp(1.0 + 4.0 * uniform(&state)), phase = 6.28 * uniform(&state);
    for (int k = 0; k < N_OBS; k++) {
        t[k] = 15.0 * ((double)k + 0.8 * uniform(&state));
        v[k] = 20.0 * sin(6.283185307179586 * t[k] / period + phase);
        for (int i = 0; i < 12; i++)
            v[k] += 2.0 * (uniform(&state) - 0.5);
        error[k] = 2.0;
    }
    equant_dataset *made = NULL;
    must(equant_dataset_from_arrays(N_OBS, t, v, error, NULL, 0, NULL, NULL, &made));
    return made;
}

/* The sum of ln L over draws: other draws have another. */
static double signature(const equant_posterior *posterior)
{
    equant_posterior_summary summary = {.struct_size = sizeof summary};
    must(equant_posterior_summarize(posterior, &summary));
    size_t n = summary.n_populations * summary.n_walkers * summary.n_kept;
    double *values = malloc(n * sizeof *values), sum = 0.0;
    must(equant_posterior_log_likelihoods(posterior, values));
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    free(values);
    return sum;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "sample_speed STARS STEPS BACKEND [ALONE]\n");
        return 2;
    }
    size_t n = strtoull(argv[1], NULL, 10), n_alone = argc > 4 ? strtoull(argv[4], NULL, 10) : 8;
    n_alone = n_alone < n ? n_alone : n;
    const equant_engine_options engine = {.struct_size = sizeof engine, .backend = argv[3]};
    const equant_sample_options options = {.struct_size = sizeof options,
                                           .engine = &engine,
                                           .n_planets = 1,
                                           .start = EQUANT_START_PRIOR,
                                           .seed = 1,
                                           .n_burn_in = 100,
                                           .max_steps = strtoull(argv[2], NULL, 10)};
    equant_dataset **stars = calloc(n, sizeof *stars);
    equant_posterior **found = calloc(n, sizeof *found);
    equant_status *statuses = calloc(n, sizeof *statuses);
    for (size_t i = 0; i < n; i++)
        stars[i] = star(i);
    double began = now();
    must(equant_sample_stars(n, (const equant_dataset *const *)stars, &options, found, statuses));
    double together = now() - began, steps = 0.0, alone_steps = 0.0;
    size_t n_walkers = 0, n_others = 0, n_failed = 0;
    for (size_t i = 0; i < n; i++) {
        equant_posterior_summary summary = {.struct_size = sizeof summary};
        n_failed += found[i] == NULL;
        if (found[i])
            must(equant_posterior_summarize(found[i], &summary));
        steps += (double)summary.n_steps;
        n_walkers = summary.n_walkers * summary.n_populations;
    }
    began = now();
    for (size_t i = 0; i < n_alone; i++) {
        equant_posterior *alone = NULL;
        equant_posterior_summary summary = {.struct_size = sizeof summary};
        must(equant_sample(stars[i], &options, &alone));
        must(equant_posterior_summarize(alone, &summary));
        alone_steps += (double)summary.n_steps;
        n_others += !found[i] || signature(alone) != signature(found[i]);
        equant_posterior_free(alone);
    }
    double apart = now() - began;
    printf("%s: %zu stars of %d velocities, %zu walkers each: %.2f s together, %.3g steps of "
           "stars/s, %.3g sets/s, "
           "%zu failed\n",
           argv[3], n, N_OBS, n_walkers, together, steps / together,
           steps * (double)n_walkers / together, n_failed);
    printf("%zu of them alone: %.2f s, %.3g steps/s: %.2f times; other draws: %zu\n", n_alone,
           apart, alone_steps / apart, steps / together / (alone_steps / apart), n_others);
    return 0;
}
