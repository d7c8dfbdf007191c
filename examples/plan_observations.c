/* What will be seen of a star, and which of the coming nights would teach most. */
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

enum { N_NIGHTS = 60 };

static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", equant_status_name(status), equant_last_error());
        exit(EXIT_FAILURE);
    }
}

static void print_prediction(const equant_posterior *posterior, const double *nights)
{
    equant_prediction *prediction;
    check(equant_predict(posterior, N_NIGHTS, nights, NULL, &prediction));
    equant_predicted_time first = {.struct_size = sizeof first};
    check(equant_prediction_at(prediction, 0, &first));
    printf("%.3f: %.1f m/s, from %.1f to %.1f\n", first.time_days, first.median_m_s,
           first.low_68_m_s, first.high_68_m_s);
    equant_prediction_free(prediction);
}

static void print_plan(const equant_posterior *posterior, const double *nights)
{
    const equant_candidates candidates = {
        .struct_size = sizeof candidates, .n = N_NIGHTS, .time_days = nights};
    const equant_plan_options options = {.struct_size = sizeof options, .n_observations = 3};
    equant_plan *plan;
    check(equant_plan_create(1, &posterior, &candidates, &options, &plan));
    for (size_t i = 0; i < equant_plan_n_chosen(plan); i++) {
        equant_planned one = {.struct_size = sizeof one};
        check(equant_plan_chosen(plan, i, &one));
        printf("%.3f: %.3f nats, %s\n", one.time_days, one.gain, one.reason);
    }
    equant_plan_free(plan);
}

int main(void)
{
    equant_dataset *dataset;
    check(equant_dataset_demonstration(&dataset));
    const double known[5] = {1200.0, 7.0, 0.1, 2.5, 3.5}; /* P, K, e, omega, M0 */
    equant_sample_options options = {.struct_size = sizeof options,
                                     .n_planets = 1,
                                     .n_known = 1,
                                     .known = known,
                                     .n_walkers = 48,
                                     .seed = 1,
                                     .max_steps = 1000};
    equant_posterior *posterior;
    check(equant_sample(dataset, &options, &posterior));

    double nights[N_NIGHTS];
    double last = equant_dataset_times_days(dataset)[equant_dataset_n_obs(dataset) - 1];
    for (size_t i = 0; i < N_NIGHTS; i++)
        nights[i] = last + 1.0 + 7.0 * (double)i;
    print_prediction(posterior, nights);
    print_plan(posterior, nights);

    equant_posterior_free(posterior);
    equant_dataset_free(dataset);
    return EXIT_SUCCESS;
}
