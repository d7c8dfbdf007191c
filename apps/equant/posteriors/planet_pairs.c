#include "posteriors/planet_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "stars/posterior_result.h"
#include "terminal/messages.h"

/* Periods that are the same to the fit: within three of its errors, and five per cent in any case;
 * of one at an end of its range also all beyond its bound. */
static void range_of(const struct star_planet *planet, double *low, double *high)
{
    const double near = 0.05, errors = 3.0;
    double period = planet->values[EQUANT_ELEMENT_PERIOD],
           half = fmax(near * period, errors * planet->errors[EQUANT_ELEMENT_PERIOD]);
    *low = period - half; /* fmax leaves out an error that is unknown */
    *high = period + half;
    if (planet->at_limit == EQUANT_LIMIT_LONGEST) {
        *low = fmin(*low, planet->period_days_bound);
        *high = INFINITY;
    } else if (planet->at_limit == EQUANT_LIMIT_SHORTEST) {
        *low = 0.0;
        *high = fmax(*high, planet->period_days_bound);
    }
}

static double share_within(size_t n, const double *draws, double low, double high)
{
    size_t n_within = 0;
    for (size_t i = 0; i < n; i++)
        n_within += draws[i] >= low && draws[i] <= high;
    return (double)n_within / (double)n;
}

/* shares[planet of the star][planet of the run] */
static int fill_shares(const struct star_result *star, const equant_posterior *posterior,
                       size_t n_draws, size_t n_sampled, double *draws, double *shares)
{
    for (size_t k = 0; k < equant_posterior_n_quantities(posterior); k++) {
        equant_sampled_quantity own = {.struct_size = sizeof own};
        equant_status status = equant_posterior_quantity(posterior, k, &own);
        bool is_period = own.kind == EQUANT_ELEMENT_PERIOD && own.planet > 0;
        if (status == EQUANT_SUCCESS && is_period)
            status = equant_posterior_values(posterior, k, draws);
        if (status != EQUANT_SUCCESS)
            return messages_status(status);
        for (size_t i = 0; i < star->n_planets && is_period; i++) {
            double low, high;
            range_of(&star->planets[i], &low, &high);
            shares[i * n_sampled + own.planet - 1] = share_within(n_draws, draws, low, high);
        }
    }
    return EXIT_CODE_OK;
}

/* The largest share first; whoever has a partner takes no other. */
static void pair(size_t n, size_t n_sampled, double *shares, size_t *numbers)
{
    const double least = 0.01;
    for (size_t i = 0; i < n; i++)
        numbers[i] = 0;
    while (n > 0 && n_sampled > 0) {
        size_t best = 0;
        for (size_t at = 1; at < n * n_sampled; at++)
            if (shares[at] > shares[best])
                best = at;
        if (!(shares[best] >= least))
            return;
        size_t planet = best / n_sampled, partner = best % n_sampled;
        numbers[planet] = partner + 1;
        for (size_t i = 0; i < n; i++)
            shares[i * n_sampled + partner] = -1.0;
        for (size_t j = 0; j < n_sampled; j++)
            shares[planet * n_sampled + j] = -1.0;
    }
}

int planet_pairs_find(const struct star_result *star, const equant_posterior *posterior,
                      size_t *numbers)
{
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = equant_posterior_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    size_t n_draws = facts.n_populations * facts.n_kept * facts.n_walkers;
    double *draws = calloc(n_draws + 1, sizeof *draws),
           *shares = calloc(star->n_planets * facts.n_planets + 1, sizeof *shares);
    int code = draws == NULL || shares == NULL
                   ? messages_out_of_memory()
                   : fill_shares(star, posterior, n_draws, facts.n_planets, draws, shares);
    if (code == EXIT_CODE_OK)
        pair(star->n_planets, facts.n_planets, shares, numbers);
    free(draws);
    free(shares);
    return code;
}
