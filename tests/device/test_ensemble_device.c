/* Walkers on a GPU against walkers on a processor: the same steps but for rounding, the same
 * posterior in the long run, and on the GPU the same bits from run to run, however steps are
 * divided between calls, and after an interruption. Where there is no GPU, it says so and is
 * skipped. With the argument "short" it makes few steps, for tools that look at every access. */
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

#include "inference/sample/walkers/density_target.h"
#include "inference/sample/walkers/sampler.h"
#include "unit/tuned_ladder.h"

enum {
    N_OBS = 60,
    N_INSTRUMENTS = 2,
    N_COLUMNS = 5 + 2 * N_INSTRUMENTS,
    N_POPULATIONS = 4,
    N_WALKERS = 70, /* no multiple of a warp, and more than a slice of the guide in each half */
    MANY_WALKERS = 2500
};

static bool is_short;
static equant_dataset *dataset;
static priors *prior;

static void require(equant_status status)
{
    if (status != EQUANT_SUCCESS)
        fail_msg("%s", equant_last_error());
}

/* ---- a star ---------------------------------------------------------------------- */

static const double truth[N_COLUMNS] = {20.0, 30.0, 0.1, 1.0, 2.0, 5.0, -15.0, 1.0, 2.0};

/* A planet that anyone would see, nearly on a circle, and two instruments. */
static void observe(void)
{
    static const char *const names[N_INSTRUMENTS] = {"first", "second"};
    double time[N_OBS], velocity[N_OBS], sigma[N_OBS], noise[N_OBS];
    int instrument[N_OBS];
    require(equant_random_uniform(11, 1, 0, N_OBS, time));
    require(equant_random_normal(11, 2, 0, N_OBS, noise));
    for (int k = 0; k < N_OBS; k++) {
        time[k] *= 200.0;
        instrument[k] = k % 3 == 0;
        sigma[k] = 1.5 + 0.5 * (k % 2);
        velocity[k] = truth[5 + instrument[k]] + 30.0 * cos(0.1 * acos(-1.0) * time[k] + 3.0) +
                      hypot(sigma[k], truth[7 + instrument[k]]) * noise[k];
    }
    equant_dataset_options options = {
        .struct_size = sizeof options, .has_reference_time = 1, .reference_time_days = 0.0};
    require(equant_dataset_from_arrays(N_OBS, time, velocity, sigma, instrument, N_INSTRUMENTS,
                                       names, &options, &dataset));
    priors_options wanted = {.dataset = dataset, .n_planets = 1};
    require(priors_create(&wanted, &prior));
}

static bool has_gpu(void)
{
    equant_device_info info = {.struct_size = sizeof info};
    return equant_device_describe("cuda", &info) == EQUANT_SUCCESS;
}

static int begin(void **state)
{
    (void)state;
    if (has_gpu())
        observe();
    return 0;
}

static int end(void **state)
{
    (void)state;
    equant_dataset_free(dataset);
    priors_free(prior);
    return 0;
}

static void skip_without_gpu(void)
{
    const char *required = getenv("EQUANT_REQUIRE_BACKENDS");
    if (has_gpu())
        return;
    if (required && strstr(required, "cuda"))
        fail_msg("there is no GPU: %s", equant_last_error());
    print_message("SKIP: there is no GPU here\n");
    skip();
}

/* ---- a sampler on a posterior ------------------------------------------------------ */

typedef struct walk {
    posterior_density *density;
    sampler *walkers;
} walk;

/* Walkers begin around the truth where that is asked for, else anywhere in the prior. */
static walk start(const char *backend, const sampler_options *options, bool is_near)
{
    equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = backend, .precision = EQUANT_PRECISION_DOUBLE};
    posterior_density_options wanted = {
        .dataset = dataset, .n_planets = 1, .priors = prior, .engine = &engine};
    walk made;
    require(posterior_density_create(&wanted, &made.density));
    sampler_target target = density_target(made.density);
    const size_t n = options->n_populations * options->n_temperatures * options->n_walkers;
    double centre[N_COLUMNS], *places = NULL;
    if (is_near) {
        places = malloc(n * N_COLUMNS * sizeof *places);
        assert_non_null(places);
        posterior_density_coordinates_of(made.density, truth, centre);
        require(equant_random_normal(options->seed, 3, 0, n * N_COLUMNS, places));
        for (size_t i = 0; i < n * N_COLUMNS; i++)
            places[i] = centre[i % N_COLUMNS] + (i % N_COLUMNS == 0 ? 1e-4 : 0.03) * places[i];
    }
    require(sampler_create(&target, options, places, &made.walkers));
    free(places);
    return made;
}

static void finish(walk *run)
{
    sampler_free(run->walkers);
    posterior_density_free(run->density);
}

static sampler_options tempered(uint64_t seed)
{
    return (sampler_options){
        .seed = seed, .n_populations = N_POPULATIONS, .n_temperatures = 5, .n_walkers = N_WALKERS};
}

/* ---- the same steps ------------------------------------------------------------------ */

static void assert_close(double expected, double found, double tolerance)
{
    if (expected == found || (isnan(expected) && isnan(found)))
        return;
    if (!(fabs(expected - found) <= tolerance * (1.0 + fabs(expected))))
        fail_msg("%.17g on the processor, %.17g on the GPU", expected, found);
}

static void assert_close_arrays(size_t n, const double *expected, const double *found,
                                double tolerance)
{
    for (size_t i = 0; i < n; i++)
        assert_close(expected[i], found[i], tolerance);
}

static void assert_same_figures(const walk *here, const walk *there)
{
    const size_t n_temperatures = sampler_n_temperatures(here->walkers);
    for (size_t t = 0; t < n_temperatures; t++)
        for (int move = 0; move < ENSEMBLE_N_MOVES; move++)
            assert_close(sampler_acceptance(here->walkers, t, (ensemble_move)move),
                         sampler_acceptance(there->walkers, t, (ensemble_move)move), 0.0);
    for (size_t gap = 0; gap + 1 < n_temperatures; gap++)
        assert_close(sampler_swap_rejection(here->walkers, gap),
                     sampler_swap_rejection(there->walkers, gap), 1e-7);
    assert_int_equal(sampler_round_trips(here->walkers), sampler_round_trips(there->walkers));
}

static void assert_same_cold_rung(const walk *here, const walk *there)
{
    const size_t n = N_POPULATIONS * sampler_n_walkers(here->walkers);
    assert_close_arrays(n * N_COLUMNS, sampler_cold_parameters(here->walkers),
                        sampler_cold_parameters(there->walkers), 1e-8);
    assert_close_arrays(n, sampler_cold_log_prior(here->walkers),
                        sampler_cold_log_prior(there->walkers), 1e-7);
    assert_close_arrays(n, sampler_cold_log_likelihood(here->walkers),
                        sampler_cold_log_likelihood(there->walkers), 1e-7);
}

static void assert_same_steps(const sampler_options *options, bool is_near, size_t n_steps)
{
    walk here = start("cpu/scalar", options, is_near), there = start("cuda", options, is_near);
    for (size_t i = 0; i < n_steps; i++) {
        require(sampler_advance(here.walkers, 1));
        require(sampler_advance(there.walkers, 1));
        assert_same_cold_rung(&here, &there);
    }
    assert_same_figures(&here, &there);
    finish(&here);
    finish(&there);
}

static void moves_are_the_same(void **state)
{
    (void)state;
    skip_without_gpu();
    for (int move = 0; move < ENSEMBLE_N_MOVES; move++) {
        sampler_options options = tempered(21 + (uint64_t)move);
        options.shares[move] = 1.0;
        assert_same_steps(&options, false, is_short ? 2 : 8);
    }
}

static void steps_are_the_same(void **state)
{
    (void)state;
    skip_without_gpu();
    sampler_options scattered = tempered(31), near = tempered(32);
    near.n_temperatures = 1;
    near.n_walkers = is_short ? N_WALKERS : MANY_WALKERS;
    assert_same_steps(&scattered, false, is_short ? 2 : 30);
    assert_same_steps(&near, true, is_short ? 2 : 10);
}

/* Rounds end where figures say, and those differ by roundings. */
static void ladders_are_the_same(void **state)
{
    (void)state;
    skip_without_gpu();
    sampler_options options = tempered(33);
    walk here = start("cpu/scalar", &options, false), there = start("cuda", &options, false);
    require(tune_ladder(here.walkers, 2, is_short ? 2 : 4));
    require(tune_ladder(there.walkers, 2, is_short ? 2 : 4));
    assert_close_arrays(options.n_temperatures, sampler_beta(here.walkers),
                        sampler_beta(there.walkers), 1e-7);
    sampler_freeze(here.walkers);
    sampler_freeze(there.walkers);
    require(sampler_advance(here.walkers, 2));
    require(sampler_advance(there.walkers, 2));
    assert_same_cold_rung(&here, &there);
    assert_same_figures(&here, &there);
    finish(&here);
    finish(&there);
}

/* ---- the same bits --------------------------------------------------------------------- */

static void *save(const walk *run)
{
    void *blob = malloc(sampler_state_bytes(run->walkers));
    assert_non_null(blob);
    require(sampler_save(run->walkers, blob));
    return blob;
}

static void assert_same_bits(const walk *one, const walk *other)
{
    void *a = save(one), *b = save(other);
    assert_memory_equal(a, b, sampler_state_bytes(one->walkers));
    free(a);
    free(b);
}

/* Steps with a ladder that is adapted on the way. */
static void advance(walk *run, size_t first, size_t n_steps, size_t at_once)
{
    for (size_t i = first; i < first + n_steps; i += at_once) {
        require(sampler_advance(run->walkers, at_once));
        if (i + at_once == 8)
            require(sampler_adapt_ladder(run->walkers));
        if (i + at_once == 12)
            sampler_freeze(run->walkers);
    }
}

static void bits_repeat(void **state)
{
    (void)state;
    skip_without_gpu();
    sampler_options options = tempered(41);
    walk whole = start("cuda", &options, false), divided = start("cuda", &options, false);
    advance(&whole, 0, 24, 4);
    advance(&divided, 0, 24, 1);
    assert_same_bits(&whole, &divided);
    finish(&divided);

    walk interrupted = start("cuda", &options, false), resumed = start("cuda", &options, false);
    advance(&interrupted, 0, 10, 2);
    void *blob = save(&interrupted);
    require(sampler_restore(resumed.walkers, blob, sampler_state_bytes(resumed.walkers)));
    assert_memory_equal(sampler_cold_parameters(interrupted.walkers),
                        sampler_cold_parameters(resumed.walkers),
                        N_POPULATIONS * N_WALKERS * N_COLUMNS * sizeof(double));
    free(blob);
    advance(&resumed, 10, 14, 1);
    assert_same_bits(&whole, &resumed);
    finish(&whole);
    finish(&interrupted);
    finish(&resumed);
}

/* ---- the same posterior ------------------------------------------------------------------ */

/* Means and variances of all coordinates by populations, over the later steps. */
typedef struct moments {
    double mean[N_POPULATIONS][N_COLUMNS], square[N_POPULATIONS][N_COLUMNS];
} moments;

static void add_to_moments(const walk *run, size_t n_terms, moments *to)
{
    const double *sets = sampler_cold_parameters(run->walkers);
    const size_t n = sampler_n_walkers(run->walkers);
    double centre[N_COLUMNS], x[N_COLUMNS];
    posterior_density_coordinates_of(run->density, truth, centre);
    for (size_t i = 0; i < N_POPULATIONS * n; i++) {
        posterior_density_coordinates_of(run->density, sets + i * N_COLUMNS, x);
        for (size_t j = 0; j < N_COLUMNS; j++) {
            double away = x[j] - centre[j];
            to->mean[i / n][j] += away / (double)n_terms;
            to->square[i / n][j] += away * away / (double)n_terms;
        }
    }
}

static moments sample_moments(const char *backend, uint64_t seed)
{
    const size_t n_kept = 200, thinning = 5;
    sampler_options options = {
        .seed = seed, .n_populations = N_POPULATIONS, .n_temperatures = 1, .n_walkers = N_WALKERS};
    walk run = start(backend, &options, true);
    moments found;
    memset(&found, 0, sizeof found);
    require(sampler_advance(run.walkers, 500));
    for (size_t i = 0; i < n_kept; i++) {
        require(sampler_advance(run.walkers, thinning));
        add_to_moments(&run, n_kept * N_WALKERS, &found);
    }
    finish(&run);
    return found;
}

/* The difference between two sets of populations, in units of its error. */
static double deviation(const double (*a)[N_COLUMNS], const double (*b)[N_COLUMNS], size_t column)
{
    const double n = N_POPULATIONS;
    double mean[2] = {0.0, 0.0}, variance = 0.0;
    for (size_t p = 0; p < N_POPULATIONS; p++) {
        mean[0] += a[p][column] / n;
        mean[1] += b[p][column] / n;
    }
    for (size_t p = 0; p < N_POPULATIONS; p++)
        variance += ((a[p][column] - mean[0]) * (a[p][column] - mean[0]) +
                     (b[p][column] - mean[1]) * (b[p][column] - mean[1])) /
                    (n * (n - 1.0));
    return fabs(mean[0] - mean[1]) / sqrt(variance);
}

/* With other random numbers, so that only the posterior is shared. Student's t with six degrees
 * of freedom is beyond 8 once in five thousand times. */
static void posteriors_are_the_same(void **state)
{
    (void)state;
    skip_without_gpu();
    if (is_short)
        skip();
    moments here = sample_moments("cpu/scalar", 51), there = sample_moments("cuda", 52);
    for (size_t j = 0; j < N_COLUMNS; j++) {
        double mean = deviation(here.mean, there.mean, j);
        double square = deviation(here.square, there.square, j);
        if (!(mean < 8.0 && square < 8.0))
            fail_msg("coordinate %zu: means differ by %.1f and squares by %.1f errors", j, mean,
                     square);
    }
}

int main(int argc, char **argv)
{
    is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_the_same),      cmocka_unit_test(steps_are_the_same),
        cmocka_unit_test(ladders_are_the_same),    cmocka_unit_test(bits_repeat),
        cmocka_unit_test(posteriors_are_the_same),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
