/* The swaps of a step: walkers of neighbouring temperatures change places. */
#include "inference/ensemble.h"

#include "core/random.h"

#define SWAP_NANOSECONDS 50.0 /* of one pair of walkers */

static void exchange_doubles(size_t n, double *a, double *b)
{
    for (size_t j = 0; j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

static void exchange(ensemble *of, size_t one, size_t other)
{
    const size_t d = of->shape.n_coordinates;
    exchange_doubles(d, of->coordinates + one * d, of->coordinates + other * d);
    exchange_doubles(1, of->log_prior + one, of->log_prior + other);
    exchange_doubles(1, of->log_likelihood + one, of->log_likelihood + other);
    unsigned char kept = of->leg[one];
    of->leg[one] = of->leg[other];
    of->leg[other] = kept;
}

/* Walkers meet in a different order in each step, so that they do not travel in columns. */
static size_t draw_rotation(const ensemble *of, uint64_t step, size_t cold_group)
{
    random_stream stream = {of->seed, RANDOM_PURPOSE_SWAPS, 1 + (uint32_t)cold_group};
    double u = random_uniform_pair(stream, 2 * step + 1).half[0];
    return ensemble_moves_pick(&u, of->shape.n_walkers);
}

/* Swaps between a group and that of the next higher temperature; returns the sum of the
 * probabilities of staying. */
static double swap_groups(ensemble *of, uint64_t step, size_t temperature, size_t population)
{
    const size_t n = of->shape.n_walkers;
    size_t cold_group = temperature * of->shape.n_populations + population;
    size_t hot_group = cold_group + of->shape.n_populations;
    size_t rotation = draw_rotation(of, step, cold_group);
    double stayed = 0.0;
    for (size_t i = 0; i < n; i++) {
        size_t cold = cold_group * n + i, hot = hot_group * n + (i + rotation) % n;
        double probability =
            ensemble_moves_swap_probability(of->beta[temperature], of->beta[temperature + 1],
                                            of->log_likelihood[cold], of->log_likelihood[hot]);
        stayed += 1.0 - probability;
        random_stream stream = {of->seed, RANDOM_PURPOSE_SWAPS, 1 + (uint32_t)cold};
        if (random_uniform_pair(stream, 2 * step).half[0] < probability)
            exchange(of, cold, hot);
    }
    return stayed;
}

static uint64_t note_ends(ensemble *of, size_t population)
{
    const size_t n = of->shape.n_walkers, n_populations = of->shape.n_populations;
    size_t cold = population * n;
    size_t hot = ((of->shape.n_temperatures - 1) * n_populations + population) * n;
    uint64_t n_returned = 0;
    for (size_t i = 0; i < n; i++) {
        n_returned += of->leg[cold + i] == ENSEMBLE_LEG_HOT;
        of->leg[cold + i] = ENSEMBLE_LEG_COLD;
        if (of->leg[hot + i] == ENSEMBLE_LEG_COLD)
            of->leg[hot + i] = ENSEMBLE_LEG_HOT;
    }
    return n_returned;
}

void ensemble_swap(ensemble *of, uint64_t step, double *rejection, uint64_t *round_trips)
{
    const size_t n_populations = of->shape.n_populations;
    const size_t first = step % 2, n_pairs = (of->shape.n_temperatures - first) / 2;
    if (of->shape.n_temperatures < 2)
        return;
    const double cost = SWAP_NANOSECONDS * (double)(n_pairs * n_populations * of->shape.n_walkers);
#pragma omp parallel for num_threads(ensemble_threads(of, cost)) schedule(static)
    for (size_t task = 0; task < n_pairs * n_populations; task++) {
        size_t temperature = first + 2 * (task / n_populations), population = task % n_populations;
        rejection[temperature * n_populations + population] +=
            swap_groups(of, step, temperature, population);
    }
    for (size_t population = 0; population < n_populations; population++)
        round_trips[population] += note_ends(of, population);
}
