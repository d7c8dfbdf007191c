/* How well the planets of a star are known: draws from the posterior, with priors of our own. */
#include <stdio.h>
#include <stdlib.h>

#include <equant.h>

static void check(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "%s: %s\n", equant_status_name(status), equant_last_error());
        exit(EXIT_FAILURE);
    }
}

static void print_quantities(const equant_posterior *posterior)
{
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        check(equant_posterior_quantity(posterior, i, &quantity));
        printf("%-20s %12.5g  from %.5g to %.5g %s\n", quantity.name, quantity.median, quantity.low,
               quantity.high, quantity.unit);
    }
}

int main(void)
{
    equant_dataset *dataset;
    check(equant_dataset_demonstration(&dataset));

    equant_priors_options wanted = {
        .struct_size = sizeof wanted, .n_planets = 1, .prior_set = "kipping"};
    equant_priors *priors;
    check(equant_priors_create(dataset, &wanted, &priors));
    check(equant_priors_change(priors, "period_days_1", "log-uniform(1000, 1500)"));

    const double known[5] = {1200.0, 7.0, 0.1, 2.5, 3.5}; /* P, K, e, omega, M0 */
    equant_sample_options options = {.struct_size = sizeof options,
                                     .n_planets = 1,
                                     .priors = priors,
                                     .n_known = 1,
                                     .known = known,
                                     .n_walkers = 48,
                                     .seed = 1,
                                     .max_seconds = 60.0};
    equant_posterior *posterior;
    check(equant_sample(dataset, &options, &posterior));
    print_quantities(posterior);

    equant_posterior_summary summary = {.struct_size = sizeof summary};
    check(equant_posterior_summarize(posterior, &summary));
    printf("R-hat %.4f, effective draws %.0f\n", summary.rhat, summary.ess_bulk);

    equant_posterior_free(posterior);
    equant_priors_free(priors);
    equant_dataset_free(dataset);
    return EXIT_SUCCESS;
}
