/* Speed of predictions: what draws of four planets beside a rotation predict at many times after
 * the demonstration star's data, with intervals and information, on one backend after the other;
 * and by how much they differ from the first.
 *
 * Usage: forecast_speed [TIMES [DRAWS [THREADS [BACKEND...]]]], of which 10000, 10000, all that the
 * machine has, and cpu are the usual. Links with libequant alone. */
#include <math.h>
#include <string.h>

#include "../trial_run.h"

enum { N_PLANETS = 4, N_WALKERS = 128, N_POPULATIONS = 4, N_BURN_IN = 60, THINNING = 2 };

/* HD 164922 (Rosenthal et al. 2021), near enough for a fit to begin with. */
static const double known[N_PLANETS][EQUANT_N_ELEMENTS] = {{1201.0, 7.1, 0.1, 2.0, 1.0},
                                                           {75.8, 2.2, 0.2, 1.0, 1.0},
                                                           {41.76, 1.4, 0.1, 1.0, 1.0},
                                                           {12.46, 1.3, 0.1, 1.0, 1.0}};

static equant_posterior *sample(const equant_dataset *dataset, size_t n_draws, int n_threads)
{
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = n_threads};
    const uint64_t n_kept = n_draws / (N_WALKERS * N_POPULATIONS) + 1;
    const equant_sample_options options = {.struct_size = sizeof options,
                                           .engine = &engine,
                                           .n_planets = N_PLANETS,
                                           .n_known = N_PLANETS,
                                           .known = known[0],
                                           .noise = "rotation",
                                           .seed = 1,
                                           .n_populations = N_POPULATIONS,
                                           .n_walkers = N_WALKERS,
                                           .n_burn_in = N_BURN_IN,
                                           .thinning = THINNING,
                                           .min_ess = 1e9,
                                           .max_steps = N_BURN_IN + THINNING * n_kept};
    equant_posterior *made = NULL;
    must(equant_sample(dataset, &options, &made));
    return made;
}

static double apart(const equant_predicted_time *a, const equant_predicted_time *b)
{
    double worst = fabs(a->median_m_s - b->median_m_s);
    worst = fmax(worst, fabs(a->low_95_m_s - b->low_95_m_s));
    worst = fmax(worst, fabs(a->mean_m_s - b->mean_m_s));
    worst = fmax(worst, fabs(a->entropy - b->entropy));
    return fmax(worst, fabs(a->information - b->information));
}

static double largest_difference(const equant_prediction *a, const equant_prediction *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < equant_prediction_n(a); i++) {
        equant_predicted_time one = {.struct_size = sizeof one},
                              other = {.struct_size = sizeof other};
        must(equant_prediction_at(a, i, &one));
        must(equant_prediction_at(b, i, &other));
        worst = fmax(worst, apart(&one, &other));
    }
    return worst;
}

int main(int argc, char **argv)
{
    const size_t n_times = argc > 1 ? (size_t)atol(argv[1]) : 10000,
                 n_draws = argc > 2 ? (size_t)atol(argv[2]) : 10000;
    const int n_threads = argc > 3 ? atoi(argv[3]) : 0;
    static char usual[] = "cpu";
    char *only[] = {usual};
    char **names = argc > 4 ? argv + 4 : only;
    equant_dataset *dataset = NULL;
    equant_prediction *first = NULL;
    must(equant_dataset_demonstration(&dataset));
    equant_posterior *posterior = sample(dataset, n_draws, n_threads);
    double *times = allocate(n_times, sizeof *times);
    const double last = equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1];
    for (size_t i = 0; i < n_times; i++)
        times[i] = last + 0.02 * (double)(i + 1);
    for (int k = 0; k < (argc > 4 ? argc - 4 : 1); k++)
        for (int round = 0; round < (strcmp(names[k], "cpu") == 0 ? 1 : 3); round++) {
            const equant_engine_options engine = {
                .struct_size = sizeof engine, .backend = names[k], .n_threads = n_threads};
            const equant_predict_options options = {
                .struct_size = sizeof options, .engine = &engine, .max_draws = n_draws};
            equant_prediction *made = NULL;
            double begun = seconds();
            must(equant_predict(posterior, n_times, times, &options, &made));
            printf("%s, round %d: %zu times, %zu draws: %.3f s", names[k], round + 1, n_times,
                   equant_prediction_n_draws(made), seconds() - begun);
            if (first == NULL) {
                printf("\n");
                first = made;
                continue;
            }
            printf(", largest difference from the first %.1e m/s or nats\n",
                   largest_difference(first, made));
            equant_prediction_free(made);
        }
    equant_prediction_free(first);
    equant_posterior_free(posterior);
    equant_dataset_free(dataset);
    free(times);
    return 0;
}
