#include "inference/compare/slot_proposal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"

/* Frequencies with cells of all shapes, at most; those that hold a smaller share of all are not
 * worth it. */
enum { MOST_DETAILED = 48 };
#define LEAST_SHARE 2e-3

equant_status slot_space_create(const count_star *star, const count_priors *priors,
                                slot_space *made)
{
    memset(made, 0, sizeof *made);
    made->star = star;
    made->priors = priors;
    equant_status status = slot_grid_create(star, priors, &made->grid);
    if (status == EQUANT_SUCCESS)
        status = slot_shapes_create(star, priors, &made->shapes);
    if (status != EQUANT_SUCCESS)
        slot_space_free(made);
    return status;
}

void slot_space_free(slot_space *space)
{
    slot_grid_free(&space->grid);
    slot_shapes_free(&space->shapes);
}

equant_status slot_proposal_create(const slot_space *space, slot_proposal *made)
{
    memset(made, 0, sizeof *made);
    made->space = space;
    size_t n = space->grid.n_bins;
    equant_status status = slot_sums_create(&space->grid, space->priors, &made->sums);
    if (status == EQUANT_SUCCESS && space->may_ask_gpu)
        status = slot_sums_ask_gpu(&made->sums, space->engine);
    if (status == EQUANT_SUCCESS)
        status = slot_shapes_room_create(space->star, &made->room);
    made->mass = malloc(n * sizeof *made->mass);
    made->below = malloc(n * sizeof *made->below);
    made->place = malloc(n * sizeof *made->place);
    made->order = malloc(n * sizeof *made->order);
    made->detailed = malloc(MOST_DETAILED * sizeof *made->detailed);
    made->nodes = malloc(MOST_DETAILED * space->shapes.n_nodes * sizeof *made->nodes);
    if (status == EQUANT_SUCCESS &&
        !(made->mass && made->below && made->place && made->order && made->detailed && made->nodes))
        status = status_out_of_memory();
    for (size_t b = 0; b < n && status == EQUANT_SUCCESS; b++)
        made->place[b] = -1;
    if (status != EQUANT_SUCCESS)
        slot_proposal_free(made);
    return status;
}

void slot_proposal_free(slot_proposal *proposal)
{
    slot_sums_free(&proposal->sums);
    slot_shapes_room_free(&proposal->room);
    free(proposal->mass);
    free(proposal->below);
    free(proposal->place);
    free(proposal->order);
    free(proposal->detailed);
    free(proposal->nodes);
    memset(proposal, 0, sizeof *proposal);
}

equant_status slot_proposal_take_noise(slot_proposal *proposal, const count_noise *noise)
{
    return slot_sums_take_noise(&proposal->sums, noise);
}

/* Masses of all bins, as circles. */
static void weigh_circles(slot_proposal *proposal)
{
    const slot_grid *grid = &proposal->space->grid;
    const slot_sums *sums = &proposal->sums;
    double largest = 0.0; /* by a comparison: on fmax here gcc 12 for ARM breaks down */
    for (size_t b = 0; b < grid->n_bins; b++)
        if (sums->exponent[b] > largest)
            largest = sums->exponent[b];
    proposal->reference = largest;
    for (size_t b = 0; b < grid->n_bins; b++)
        proposal->mass[b] =
            grid->share[b] * sums->factor[b] * exp(sums->exponent[b] - proposal->reference);
}

/* The largest masses first. */
static int by_mass(const void *a, const void *b)
{
    const slot_bin *one = a, *other = b;
    if (one->mass != other->mass)
        return one->mass > other->mass ? -1 : 1;
    return one->bin < other->bin ? -1 : one->bin > other->bin;
}

static void choose_detailed(slot_proposal *proposal)
{
    size_t n_bins = proposal->space->grid.n_bins, n = 0;
    double total = 0.0;
    for (size_t i = 0; i < proposal->n_detailed; i++)
        proposal->place[proposal->detailed[i]] = -1;
    for (size_t b = 0; b < n_bins; b++)
        total += proposal->mass[b];
    for (size_t b = 0; b < n_bins; b++)
        if (proposal->mass[b] > LEAST_SHARE * total)
            proposal->order[n++] = (slot_bin){proposal->mass[b], b};
    if (n > MOST_DETAILED) {
        qsort(proposal->order, n, sizeof *proposal->order, by_mass);
        n = MOST_DETAILED;
    }
    proposal->n_detailed = n;
    for (size_t i = 0; i < n; i++) {
        proposal->detailed[i] = proposal->order[i].bin;
        proposal->place[proposal->order[i].bin] = (int)i;
    }
}

/* Cells of all shapes for the chosen ones. They may hold more than the circle did. */
static void weigh_shapes(slot_proposal *proposal, const count_noise *noise, const background *rest)
{
    const slot_space *space = proposal->space;
    size_t n_nodes = space->shapes.n_nodes;
    for (size_t i = 0; i < proposal->n_detailed; i++) {
        size_t bin = proposal->detailed[i];
        double *nodes = proposal->nodes + i * n_nodes, sum = 0.0;
        slot_shapes_evaluate(&space->shapes, space->priors, noise, rest,
                             slot_grid_middle(&space->grid, bin), &proposal->room, nodes);
        for (size_t j = 0; j < n_nodes; j++)
            sum += slot_shapes_share(&space->shapes, j) * exp(nodes[j] - proposal->reference);
        proposal->mass[bin] = space->grid.share[bin] * sum;
    }
}

equant_status slot_proposal_make(slot_proposal *proposal, const count_noise *noise,
                                 const background *rest)
{
    equant_status status = slot_sums_run(&proposal->sums, noise, rest);
    if (status != EQUANT_SUCCESS)
        return status;
    weigh_circles(proposal);
    choose_detailed(proposal);
    if (proposal->space->shapes.n_nodes > 1)
        weigh_shapes(proposal, noise, rest);
    else
        for (size_t i = 0; i < proposal->n_detailed; i++)
            proposal->place[proposal->detailed[i]] = -1;
    double total = 0.0;
    for (size_t b = 0; b < proposal->space->grid.n_bins; b++) {
        proposal->below[b] = total;
        total += proposal->mass[b];
    }
    proposal->log_total = proposal->reference + log(total);
    return EQUANT_SUCCESS;
}

static size_t draw_bin(const slot_proposal *proposal, double uniform)
{
    size_t low = 0, high = proposal->space->grid.n_bins - 1;
    double sought = uniform * (proposal->below[high] + proposal->mass[high]);
    while (low < high) { /* the last that begins at or below it */
        size_t middle = low + (high - low + 1) / 2;
        if (proposal->below[middle] <= sought)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static size_t draw_node(const slot_proposal *proposal, size_t bin, double uniform)
{
    const slot_shapes *shapes = &proposal->space->shapes;
    const double *nodes = proposal->nodes + (size_t)proposal->place[bin] * shapes->n_nodes;
    double left = uniform * proposal->mass[bin] / proposal->space->grid.share[bin];
    size_t node = 0;
    for (; node + 1 < shapes->n_nodes; node++) {
        left -= slot_shapes_share(shapes, node) * exp(nodes[node] - proposal->reference);
        if (left < 0.0)
            break;
    }
    return node;
}

count_orbit slot_proposal_draw(const slot_proposal *proposal, number_source *numbers)
{
    const slot_space *space = proposal->space;
    size_t bin = draw_bin(proposal, number_source_uniform(numbers));
    double which = number_source_uniform(numbers), first = number_source_uniform(numbers),
           second = number_source_uniform(numbers), within = number_source_uniform(numbers);
    count_orbit drawn;
    double low = space->grid.first + (double)bin * space->grid.step;
    drawn.frequency = low * pow((low + space->grid.step) / low, within); /* uniform in ln f */
    if (proposal->place[bin] >= 0)
        slot_shapes_point(&space->shapes, space->priors, draw_node(proposal, bin, which), first,
                          second, &drawn.eccentricity, &drawn.m0);
    else {
        drawn.eccentricity = count_priors_eccentricity(space->priors, first);
        drawn.m0 = TWO_PI * second;
    }
    return drawn;
}

double slot_proposal_log_evidence(const slot_proposal *proposal, const count_orbit *orbit)
{
    const slot_space *space = proposal->space;
    size_t bin = slot_grid_bin(&space->grid, orbit->frequency);
    if (proposal->place[bin] < 0)
        return proposal->sums.exponent[bin] + log(proposal->sums.factor[bin]);
    return proposal->nodes[(size_t)proposal->place[bin] * space->shapes.n_nodes +
                           slot_shapes_node(&space->shapes, orbit->eccentricity, orbit->m0)];
}
