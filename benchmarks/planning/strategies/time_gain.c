#include "strategies/time_gain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* Frequencies that are less probable than this share of the whole are not asked. */
#define LEAST_PROBABILITY 1e-6
#define ENTROPY_OF_UNIT 1.4189385332046727418 /* of a standard normal distribution */

void time_gain_room_free(time_gain_room *room)
{
    mixture_grid_free(&room->grid);
    free(room->means);
    free(room->order);
    memset(room, 0, sizeof *room);
}

equant_status time_gain_room_create(size_t n, time_gain_room *made)
{
    memset(made, 0, sizeof *made);
    made->n = n;
    made->means = malloc(5 * n * sizeof *made->means);
    made->order = malloc(2 * n * sizeof *made->order);
    if (!made->means || !made->order) {
        time_gain_room_free(made);
        return status_out_of_memory();
    }
    made->variances = made->means + n;
    made->sorted = made->variances + n;
    made->ends = made->order + n;
    return EQUANT_SUCCESS;
}

double time_gain_mode_width(const period_belief *belief)
{
    return 1.0 / (belief->last_days - belief->first_days);
}

/* ---- groups -----------------------------------------------------------------------------------
 */

static void group_candidate(const period_belief *belief, time_gain_room *room)
{
    size_t best = period_belief_best(belief);
    double width = time_gain_mode_width(belief);
    for (int others = 0; others < 2; others++) {
        for (size_t i = 0; i < belief->n; i++) {
            bool is_near = belief->per_day[i] > 0.0 &&
                           fabs(belief->per_day[i] - belief->per_day[best]) <= width;
            if (is_near == (others == 0) && belief->probability[i] >= LEAST_PROBABILITY)
                room->order[room->n_asked++] = i;
        }
        room->ends[room->n_groups++] = room->n_asked;
    }
}

/* Neighbours within the width of a mode share one; frequencies are in their order, "no planet" is
 * the first. */
static void group_modes(const period_belief *belief, time_gain_room *room)
{
    double width = time_gain_mode_width(belief), from = -INFINITY;
    for (size_t i = 0; i < belief->n; i++) {
        if (belief->probability[i] < LEAST_PROBABILITY)
            continue;
        bool is_new = belief->per_day[i] - from > width || from == 0.0;
        if (is_new) {
            from = belief->per_day[i];
            room->n_groups++;
        }
        room->order[room->n_asked++] = i;
        room->ends[room->n_groups - 1] = room->n_asked;
    }
}

void time_gain_group(observing_strategy strategy, const period_belief *belief, time_gain_room *room)
{
    room->n_asked = room->n_groups = 0;
    room->strategy = strategy;
    if (strategy == STRATEGY_CANDIDATE)
        group_candidate(belief, room);
    else
        group_modes(belief, room);
    if (strategy == STRATEGY_EVERYTHING) { /* groups do not matter */
        room->n_groups = 1;
        room->ends[0] = room->n_asked;
    }
}

/* ---- gains ------------------------------------------------------------------------------------
 */

equant_status time_gain_at(period_belief *belief, double time_days, time_gain_room *room,
                           double *gain)
{
    size_t n = room->n_asked;
    double *means = room->sorted, *variances = means + n, *weights = variances + n;
    double noise = period_belief_predict(belief, time_days, 1.0, room->means, room->variances);
    for (size_t i = 0; i < n; i++) {
        means[i] = room->means[room->order[i]];
        variances[i] = room->variances[room->order[i]];
        weights[i] = belief->probability[room->order[i]];
    }
    const mixture of = {.n = n,
                        .means = means,
                        .variances = variances,
                        .weights = weights,
                        .n_groups = room->n_groups,
                        .ends = room->ends};
    mixture_facts facts;
    equant_status status = mixture_describe(&of, &room->grid, &facts);
    if (status != EQUANT_SUCCESS)
        return mixture_fail(status);
    *gain =
        facts.entropy - (room->strategy == STRATEGY_EVERYTHING ? ENTROPY_OF_UNIT + 0.5 * log(noise)
                                                               : facts.within_groups);
    return EQUANT_SUCCESS;
}
