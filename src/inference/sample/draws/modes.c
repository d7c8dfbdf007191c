#include "inference/sample/draws/modes.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/orbit_elements.h"

/* In units of 1/span, the distance of independent frequencies: a gap that ends a mode, well
 * below that of neighbouring side lobes, and how far a straggler may be from its mode. */
#define GAP 0.25
#define STRAGGLER_REACH 0.75

/* A draw while modes are sought. */
typedef struct member {
    size_t draw, group;
    double frequency; /* of the planet being looked at */
} member;

static int by_group_and_frequency(const void *a, const void *b)
{
    const member *first = a, *second = b;
    if (first->group != second->group)
        return first->group < second->group ? -1 : 1;
    return (first->frequency > second->frequency) - (first->frequency < second->frequency);
}

static double frequency_of(const draws *kept, size_t draw, size_t planet)
{
    return 1.0 / draws_at(kept, draw).parameters[N_ELEMENTS * planet];
}

/* Cuts the groups that there are wherever the frequencies of one planet leave a gap. Members
 * come out by group and frequency. */
static void cut_groups(const draws *kept, size_t planet, double gap, size_t n, member *members)
{
    for (size_t i = 0; i < n; i++)
        members[i].frequency = frequency_of(kept, members[i].draw, planet);
    qsort(members, n, sizeof *members, by_group_and_frequency);
    size_t group_before = n > 0 ? members[0].group : 0, group = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && (members[i].group != group_before ||
                      members[i].frequency - members[i - 1].frequency > gap))
            group++;
        group_before = members[i].group;
        members[i].group = group;
    }
}

static int by_number(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* The median period of a planet over some members; `room` is for as many numbers. */
static double median_period(const draws *kept, size_t planet, size_t n, const member *members,
                            double *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = draws_at(kept, members[i].draw).parameters[N_ELEMENTS * planet];
    qsort(room, n, sizeof *room, by_number);
    return 0.5 * (room[(n - 1) / 2] + room[n / 2]);
}

/* Calls groups of enough members modes, with their medians; other members have none yet. */
static void name_modes(const draws *kept, size_t n, const member *members, double least,
                       double *room, modes *found)
{
    double *periods = found->periods;
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first + 1; next < n && members[next].group == members[first].group;)
            next++;
        bool is_mode = (double)(next - first) >= least;
        for (size_t i = first; i < next; i++)
            found->of_draw[members[i].draw] = is_mode ? (uint32_t)found->n : MODES_NONE;
        if (!is_mode)
            continue;
        found->mode[found->n++] = (mode){.period_days = periods};
        for (size_t p = 0; p < found->n_planets; p++)
            *periods++ = median_period(kept, p, next - first, members + first, room);
    }
}

/* The mode next to a draw: the nearest within reach in all its frequencies. */
static uint32_t nearest_mode(const draws *kept, size_t draw, const modes *found, double reach)
{
    uint32_t nearest = MODES_NONE;
    double smallest = reach;
    for (size_t m = 0; m < found->n; m++) {
        double distance = 0.0;
        for (size_t p = 0; p < found->n_planets; p++)
            distance = fmax(
                distance, fabs(frequency_of(kept, draw, p) - 1.0 / found->mode[m].period_days[p]));
        if (distance < smallest) {
            smallest = distance;
            nearest = (uint32_t)m;
        }
    }
    return nearest;
}

/* Weights and their errors; n_in has room for a number for each mode. */
static void weigh(const draws *kept, double *n_in, modes *found)
{
    size_t n_populations = kept->shape.n_populations, n_each = draws_n(kept) / n_populations;
    for (size_t p = 0; p < n_populations; p++) {
        for (size_t m = 0; m < found->n; m++)
            n_in[m] = 0.0;
        for (size_t i = p * n_each; i < (p + 1) * n_each; i++) {
            if (found->of_draw[i] != MODES_NONE)
                n_in[found->of_draw[i]] += 1.0;
        }
        for (size_t m = 0; m < found->n; m++) {
            double share = n_in[m] / (double)n_each;
            found->mode[m].weight += share / (double)n_populations;
            found->mode[m].weight_err += share * share / (double)n_populations;
        }
    }
    found->rest = 1.0;
    for (size_t m = 0; m < found->n; m++) {
        mode *own = &found->mode[m];
        double scatter = fmax(own->weight_err - own->weight * own->weight, 0.0);
        own->weight_err = n_populations > 1 ? sqrt(scatter / ((double)n_populations - 1.0)) : NAN;
        found->rest = fmax(found->rest - own->weight, 0.0);
    }
}

/* Puts the heaviest first, by insertion; place and order have room for one number each mode. */
static void sort_modes(size_t n_draws, uint32_t *place, uint32_t *order, modes *found)
{
    for (uint32_t m = 0; m < found->n; m++) {
        mode moved = found->mode[m];
        uint32_t to = m;
        for (; to > 0 && found->mode[to - 1].weight < moved.weight; to--) {
            found->mode[to] = found->mode[to - 1];
            order[to] = order[to - 1];
        }
        found->mode[to] = moved;
        order[to] = m;
    }
    for (uint32_t m = 0; m < found->n; m++)
        place[order[m]] = m;
    for (size_t i = 0; i < n_draws; i++)
        if (found->of_draw[i] != MODES_NONE)
            found->of_draw[i] = place[found->of_draw[i]];
}

static equant_status allocate(size_t n, size_t n_planets, double least, modes **made)
{
    size_t n_most = least > 1.0 ? (size_t)((double)n / least) + 1 : n + 1;
    modes *found = calloc(1, sizeof *found);
    if (found == NULL)
        return status_out_of_memory();
    found->n_planets = n_planets;
    found->mode = calloc(n_most, sizeof *found->mode);
    found->periods = calloc(n_most, (n_planets + 1) * sizeof *found->periods);
    found->of_draw = calloc(n + 1, sizeof *found->of_draw);
    if (found->mode == NULL || found->periods == NULL || found->of_draw == NULL) {
        modes_free(found);
        return status_out_of_memory();
    }
    *made = found;
    return EQUANT_SUCCESS;
}

/* Members by number of draw, all in one group; without draws there is no mode. */
static void find(const draws *kept, double unit, double least, member *members, double *room,
                 modes *found)
{
    size_t n = draws_n(kept);
    for (size_t i = 0; i < n; i++)
        members[i] = (member){.draw = i};
    for (size_t p = 0; p < found->n_planets; p++)
        cut_groups(kept, p, GAP * unit, n, members);
    name_modes(kept, n, members, least, room, found);
    for (size_t i = 0; i < n; i++)
        if (found->of_draw[i] == MODES_NONE)
            found->of_draw[i] = nearest_mode(kept, i, found, STRAGGLER_REACH * unit);
}

equant_status modes_find(const draws *kept, size_t n_planets, double span_days, double least_weight,
                         modes **out)
{
    size_t n = draws_n(kept);
    if (n == 0 || n_planets > kept->shape.n_parameters / N_ELEMENTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "modes of %zu planets need draws, and %zu parameters in each", n_planets,
                           N_ELEMENTS * n_planets);
    double unit = span_days > 0.0 ? 1.0 / span_days : INFINITY;
    double least = fmax(least_weight * (double)n, 1.0);
    modes *found = NULL;
    member *members = malloc(n * sizeof *members);
    double *room = malloc(n * sizeof *room);
    uint32_t *place = malloc(n * sizeof *place), *order = malloc(n * sizeof *order);
    equant_status status =
        members && room && place && order ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = allocate(n, n_planets, least, &found);
    if (status == EQUANT_SUCCESS) {
        find(kept, unit, least, members, room, found);
        weigh(kept, room, found);
        sort_modes(n, place, order, found);
        *out = found;
    }
    free(members);
    free(room);
    free(place);
    free(order);
    return status;
}

void modes_free(modes *found)
{
    if (found == NULL)
        return;
    free(found->mode);
    free(found->periods);
    free(found->of_draw);
    free(found);
}
