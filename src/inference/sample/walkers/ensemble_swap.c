/* The swaps of a step: walkers of neighbouring temperatures change places. */
#include "inference/sample/walkers/ensemble.h"

#include "parallel/parallel_for.h"

#define SWAP_NANOSECONDS 50.0 /* of two walkers */

/* Swaps between a group and that of the next higher temperature; returns the sum of the
 * probabilities of staying. */
static double swap_groups(const ensemble *walkers, uint64_t step, size_t cold_group)
{
    size_t rotation = ensemble_draw_rotation(walkers, step, cold_group);
    double stayed = 0.0;
    for (size_t i = 0; i < walkers->shape.n_walkers; i++)
        stayed += ensemble_swap_row(walkers, step, cold_group, rotation, i);
    return stayed;
}

typedef struct swaps {
    const ensemble *walkers;
    uint64_t step;
    double *rejection;
} swaps;

/* Every other gap, which share no group. */
static void swap_some(void *context, size_t first, size_t end, int thread)
{
    const swaps *of = context;
    const size_t n_populations = of->walkers->shape.n_populations;
    (void)thread;
    for (size_t task = first; task < end; task++) {
        size_t temperature = of->step % 2 + 2 * (task / n_populations);
        size_t cold_group = temperature * n_populations + task % n_populations;
        of->rejection[cold_group] += swap_groups(of->walkers, of->step, cold_group);
    }
}

void ensemble_swap(ensemble *walkers, uint64_t step, double *rejection, uint64_t *round_trips)
{
    const size_t n_populations = walkers->shape.n_populations;
    const size_t first = step % 2, n_gaps = (walkers->shape.n_temperatures - first) / 2;
    if (walkers->shape.n_temperatures < 2)
        return;
    const double cost =
        SWAP_NANOSECONDS * (double)(n_gaps * n_populations * walkers->shape.n_walkers);
    swaps of = {walkers, step, rejection};
    parallel_for(ensemble_threads(walkers, cost), n_gaps * n_populations, 0, swap_some, &of);
    for (size_t population = 0; population < n_populations; population++)
        for (size_t i = 0; i < walkers->shape.n_walkers; i++)
            round_trips[population] += (uint64_t)ensemble_note_ends(walkers, population, i);
}
