/* Speed of a sampler whose walkers live on a GPU, beside one on a few cores: two planets of the
 * demonstration star, offsets and jitters free. Built and run by scripts/gpu-check.
 *
 * Usage: gpu_sample [WALKERS [THREADS [BACKEND]]], of which 10000, 2 and both are the usual.
 * Walker-steps count steps of single walkers; effective samples are those of the slowest
 * parameter, by the time that sampling and keeping draws took. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "inference/sample/draws/diagnostics.h"
#include "inference/sample/draws/draws.h"
#include "inference/sample/walkers/density_target.h"
#include "inference/sample/walkers/sampler.h"
#include "inference/sample/run/start_points.h"
#include "trial_run.h"

/* Draws are kept as seldom as `equant sample` would keep those of so many walkers. */
enum { N_PLANETS = 2, N_POPULATIONS = 4, N_BURN_IN = 400, N_TIMED = 400, N_KEPT = 40, THIN = 20 };

/* HD 164922 b and c (Fulton et al. 2016), near enough for a fit to begin with. */
static const double known[N_PLANETS][5] = {{1201.0, 7.1, 0.1, 2.0, 1.0},
                                           {75.8, 2.2, 0.2, 1.0, 1.0}};

/* ---- the star ------------------------------------------------------------------------ */

typedef struct problem {
    equant_dataset *dataset;
    priors *priors;
    start_modes modes;
    size_t n_walkers; /* of one population */
    int n_threads;
} problem;

static problem make_problem(size_t n_walkers, int n_threads)
{
    problem made = {.n_walkers = n_walkers / N_POPULATIONS / 2 * 2, .n_threads = n_threads};
    must(equant_dataset_demonstration(&made.dataset));
    priors_options wanted = {.dataset = made.dataset, .n_planets = N_PLANETS};
    must(priors_create(&wanted, &made.priors));
    start_modes_request request = {.dataset = made.dataset,
                                   .n_planets = N_PLANETS,
                                   .priors = made.priors,
                                   .n_known = N_PLANETS,
                                   .known = known[0],
                                   .seed = 1};
    must(start_modes_find(&request, &made.modes));
    return made;
}

static void free_problem(problem *given)
{
    start_modes_free(&given->modes);
    priors_free(given->priors);
    equant_dataset_free(given->dataset);
}

static sampler *make_sampler(const problem *given, posterior_density *density)
{
    const sampler_options options = {.seed = 1,
                                     .n_populations = N_POPULATIONS,
                                     .n_walkers = given->n_walkers,
                                     .n_threads = given->n_threads};
    const start_points_shape shape = {N_POPULATIONS, 1, given->n_walkers};
    const size_t n_places = N_POPULATIONS * given->n_walkers;
    double *start = allocate(n_places * posterior_density_n_coordinates(density), sizeof *start);
    must(start_points_fill(density, given->priors, &given->modes, &shape, 1, start));
    sampler_target target = density_target(density);
    sampler *made;
    must(sampler_create(&target, &options, start, &made));
    free(start);
    return made;
}

/* ---- the run --------------------------------------------------------------------------- */

typedef struct speed {
    double steps_per_s, acceptance, ess, ess_per_s, rhat;
} speed;

/* Steps that nobody looks at. A look waits for all steps before it, of which a device may still
 * have many to make. */
static double time_steps(sampler *walkers)
{
    (void)sampler_cold_log_likelihood(walkers);
    double begun = seconds();
    must(sampler_advance(walkers, N_TIMED));
    (void)sampler_cold_log_likelihood(walkers);
    return N_TIMED / (seconds() - begun);
}

static diagnostics worst_of(const draws *kept, int n_threads)
{
    const size_t n = kept->shape.n_parameters;
    bool *is_angle = allocate(n, sizeof *is_angle);
    diagnostics *each = allocate(n, sizeof *each);
    for (size_t i = 0; i < 5 * N_PLANETS; i++)
        is_angle[i] = i % 5 >= 3;
    must(diagnostics_of_draws(kept, is_angle, n_threads, each));
    diagnostics worst = diagnostics_worst(n, each);
    free(is_angle);
    free(each);
    return worst;
}

static speed measure(const problem *given, const char *backend)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = backend, .n_threads = given->n_threads};
    const posterior_density_options options = {.dataset = given->dataset,
                                               .n_planets = N_PLANETS,
                                               .priors = given->priors,
                                               .engine = &engine};
    posterior_density *density;
    must(posterior_density_create(&options, &density));
    sampler *walkers = make_sampler(given, density);
    const draws_shape shape = {.n_populations = N_POPULATIONS,
                               .n_walkers = given->n_walkers,
                               .n_parameters = posterior_density_n_parameters(density)};
    draws *kept;
    must(draws_create(&shape, &kept));
    must(draws_reserve(kept, N_KEPT));
    must(sampler_advance(walkers, N_BURN_IN));
    sampler_freeze(walkers);
    speed found = {.steps_per_s = time_steps(walkers)};
    double begun = seconds();
    for (int i = 0; i < N_KEPT; i++) {
        must(sampler_advance(walkers, THIN));
        must(draws_append(kept, sampler_n_steps(walkers), sampler_cold_parameters(walkers),
                          sampler_cold_log_likelihood(walkers), sampler_cold_log_prior(walkers)));
    }
    double elapsed = seconds() - begun;
    diagnostics worst = worst_of(kept, 0);
    found.acceptance = sampler_acceptance_of_all(walkers, 0);
    found.ess = fmin(worst.ess_bulk, worst.ess_tail);
    found.ess_per_s = found.ess / elapsed;
    found.rhat = worst.rhat;
    draws_free(kept);
    sampler_free(walkers);
    posterior_density_free(density);
    return found;
}

static speed report(const problem *given, const char *backend, const char *name)
{
    speed found = measure(given, backend);
    printf("%-16s %10.1f steps/s  %.3e walker-steps/s  acceptance %.2f  R-hat %.4f\n"
           "%-16s %10.0f effective samples in %d steps, %.3e per second\n",
           name, found.steps_per_s, found.steps_per_s * N_POPULATIONS * (double)given->n_walkers,
           found.acceptance, found.rhat, "", found.ess, N_KEPT * THIN, found.ess_per_s);
    fflush(stdout);
    return found;
}

int main(int argc, char **argv)
{
    const size_t n_walkers = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    const int n_threads = argc > 2 ? atoi(argv[2]) : 2;
    const char *only = argc > 3 ? argv[3] : NULL;
    problem given = make_problem(n_walkers, n_threads);
    printf("HD 164922, %d planets, %d populations of %zu walkers\n", N_PLANETS, N_POPULATIONS,
           given.n_walkers);
    char name[32];
    snprintf(name, sizeof name, "cpu, %d threads", n_threads);
    speed gpu = {0}, cpu = {0};
    if (!only || strcmp(only, "cuda") == 0)
        gpu = report(&given, "cuda", "cuda");
    if (!only || strcmp(only, "cpu") == 0)
        cpu = report(&given, "cpu", name);
    if (!only)
        printf("the GPU makes %.0f times the steps and %.0f times the effective samples\n",
               gpu.steps_per_s / cpu.steps_per_s, gpu.ess_per_s / cpu.ess_per_s);
    free_problem(&given);
    return 0;
}
