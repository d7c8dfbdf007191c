/* Noise brings n planets by chance where the best orbits that it imitates gain together
 *
 *   z_1 + ... + z_n >= l_1 + ... + l_n + ln(1/p),
 *
 * l_i the gain that the best of all orbits like the i-th has by chance: the expected number of such
 * n-tuples is the product of what is expected of each, and that is exp(l_i - z_i). Only the sum is
 * asked for: planets of which each is significant beside the others may be one noise together, and
 * n times ln(1/p) would be too much. */
#include "inference/select/planets/rival.h"

#include <math.h>

/* In ln L: models that differ by less are the same but for where their fits stopped. */
#define LEAST_LEAD 0.1

bool rival_has_period(const study *star, const solution *model, double period_days)
{
    for (size_t p = 0; p < model->n_planets; p++)
        if (fabs(1.0 / model->set[N_ELEMENTS * p] - 1.0 / period_days) < 1.0 / star->span_days)
            return true;
    return false;
}

/* By chance, over all planets of a model that the other lacks; the largest difference between what
 * a planet needs and what chance gives it in `needed`. */
static double by_chance(const study *star, const significance *judge, const solution *model,
                        const solution *other, double probability, double *needed)
{
    double sum = 0.0;
    for (size_t p = 0; p < model->n_planets; p++) {
        if (rival_has_period(star, other, model->set[N_ELEMENTS * p]))
            continue;
        double usual = significance_level(star, judge, model, other, p, 1.0);
        double level = significance_level(star, judge, model, other, p, probability);
        sum += usual;
        *needed = fmax(*needed, level - usual);
    }
    return sum;
}

/* What the planets that a model has more than its rival must gain together. */
static double level_of(const study *star, const significance *judge, const solution *model,
                       const solution *rival, double probability)
{
    double needed = -log(probability), ignored = 0.0;
    double own = by_chance(star, judge, model, rival, probability, &needed);
    return own - by_chance(star, judge, rival, model, probability, &ignored) + needed;
}

bool rival_is_beaten(const study *star, const significance *judge, const solution *model,
                     const solution *rival, double probability)
{
    if (model->n_planets == rival->n_planets)
        return solution_evidence(star, model) > solution_evidence(star, rival) + LEAST_LEAD;
    if (model->n_planets < rival->n_planets)
        return !rival_is_beaten(star, judge, rival, model, probability);
    return solution_gain(star, model, rival) > level_of(star, judge, model, rival, probability);
}
