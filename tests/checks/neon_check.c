/* Prints one hash of results per way of computing, over inputs that every
 * machine draws alike, so that a run on ARM and in WebAssembly can be compared
 * with one on x86. No test library: this must link for a machine that has none. Fails where the
 * backends of one machine disagree. */
#include "conformance/engines.h"
#include "conformance/backend_trial.h"
#include "equant.h"
#include "oracle/random_system.h"

enum { N_PAIRS = 4099 };

static const trial_shape shapes[] = {
    {.seed = 51,
     .n_obs = 37,
     .n_sets = 19,
     .n_instruments = 2,
     .model = {.n_planets = 3, .trend_order = 2, .with_jitter = true}},
    {.seed = 52,
     .n_obs = 101,
     .n_sets = 9,
     .n_instruments = 3,
     .first_time = 2450000,
     .model = {.n_planets = 2, .trend_order = 1, .offsets_solved = true, .trend_solved = true}},
};

/* Results of the model, but for the likelihood: its logarithms come from the C
 * library, which may round differently on another machine. */
static uint64_t hash_models(uint64_t hash, const equant_engine_options *options)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        trial t = trial_create(&shapes[i]);
        trial_output output = trial_output_create(&t, t.n_sets);
        trial_run(&t, options, t.n_sets, &output);
        hash = trial_hash(hash, output.results.chi_square, t.n_sets);
        hash = trial_hash(hash, output.results.linear, t.n_sets * t.n_linear);
        hash = trial_hash(hash, output.results.velocities, t.n_sets * t.n_obs);
        hash = trial_hash(hash, output.results.residuals, t.n_sets * t.n_obs);
        trial_output_free(&output);
        trial_free(&t);
    }
    return hash;
}

/* Angles below 1e14: larger ones are reduced by the C library (model/huge_angle.h). */
static uint64_t hash_solver(uint64_t hash, const equant_engine_options *options)
{
    static double mean[N_PAIRS], e[N_PAIRS], result[3][N_PAIRS];
    random_system random = {53};
    for (size_t k = 0; k < N_PAIRS; k++) {
        mean[k] = k % 5 ? random_system_between(&random, -20, 20)
                        : random_system_log_between(&random, 1e-300, 1e13);
        e[k] = k % 7 ? random_system_uniform(&random)
                     : 1 - random_system_log_between(&random, 1e-16, 1);
    }
    trial_require(equant_kepler_solve(N_PAIRS, mean, e, options, result[0], result[1], result[2]),
                  "equant_kepler_solve");
    for (int i = 0; i < 3; i++)
        hash = trial_hash(hash, result[i], N_PAIRS);
    return hash;
}

int main(void)
{
    bool same = true;
    for (size_t b = 0; b < engines_n_backends(); b++)
        fprintf(stderr, "%s ", engines_backend(b));
    for (size_t way = 0; way < ENGINES_N_WAYS; way++) {
        uint64_t first[2] = {0, 0};
        for (size_t b = 0; b < engines_n_backends(); b++) {
            equant_engine_options options = engines_way(engines_backend(b), way);
            uint64_t hash[2] = {hash_solver(TRIAL_HASH_START, &options),
                                hash_models(TRIAL_HASH_START, &options)};
            if (b == 0) {
                memcpy(first, hash, sizeof first);
                printf("%-26s solver %016llx model %016llx\n", engines_way_name(&options),
                       (unsigned long long)hash[0], (unsigned long long)hash[1]);
            } else if (memcmp(first, hash, sizeof first) != 0) {
                fprintf(stderr, "\n%s disagrees with %s\n", engines_name(&options),
                        engines_backend(0));
                same = false;
            }
        }
    }
    return same ? 0 : 1;
}
