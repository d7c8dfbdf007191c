/* The phases of a step of all walkers. Random numbers are addressed by step and row, so that
 * neither the number of threads nor who is evaluated beside whom changes them. */
#include "inference/sampler/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/sampler/guide.h"

/* What waking threads and waiting for them costs several times over, and what phases take for
 * one row. */
#define LEAST_PARALLEL_NANOSECONDS 50e3
#define DECISION_NANOSECONDS 50.0
#define PROPOSAL_NANOSECONDS 50.0 /* and as much for each coordinate */
#define GUIDE_NANOSECONDS 0.3     /* for each pair of coordinates */

size_t ensemble_n_rows(const ensemble_shape *shape)
{
    return shape->n_temperatures * shape->n_populations * shape->n_walkers;
}

size_t ensemble_n_half_rows(const ensemble_shape *shape)
{
    return ensemble_n_rows(shape) / 2;
}

int ensemble_threads(const ensemble *of, double nanoseconds)
{
    return nanoseconds < LEAST_PARALLEL_NANOSECONDS ? 1 : of->n_threads;
}

bool ensemble_is_drawn(const ensemble *of, const sampler_target *target, size_t temperature)
{
    return target->draw != NULL && ensemble_is_prior(of, temperature);
}

/* ---- memory ------------------------------------------------------------------ */

static void list_blocks(ensemble *of, const unsigned char *block)
{
    for (size_t j = 0; j < of->shape.n_coordinates; j++) {
        unsigned char label = of->block[j] = block ? block[j] : 0;
        size_t k = 0;
        while (k < of->n_blocks && of->labels[k] != label)
            k++;
        of->n_blocks += k == of->n_blocks;
        of->labels[k] = label;
        of->block_sizes[k]++;
    }
}

static void *array(size_t n, size_t size, bool *complete)
{
    void *memory = calloc(n > 0 ? n : 1, size);
    *complete = *complete && memory != NULL;
    return memory;
}

static bool allocate(ensemble *of)
{
    const size_t d = of->shape.n_coordinates, n_rows = ensemble_n_rows(&of->shape);
    const size_t n_half_rows = ensemble_n_half_rows(&of->shape);
    const size_t n_groups = of->shape.n_temperatures * of->shape.n_populations;
    bool complete = true;
    of->is_angle = array(d, 1, &complete);
    of->block = array(d, 1, &complete);
    of->labels = array(d, 1, &complete);
    of->block_sizes = array(d, sizeof *of->block_sizes, &complete);
    of->beta = array(of->shape.n_temperatures, sizeof(double), &complete);
    of->coordinates = array(n_rows, d * sizeof(double), &complete);
    of->log_prior = array(n_rows, sizeof(double), &complete);
    of->log_likelihood = array(n_rows, sizeof(double), &complete);
    of->leg = array(n_rows, 1, &complete);
    of->proposed = array(n_half_rows, d * sizeof(double), &complete);
    of->proposed_log_prior = array(n_half_rows, sizeof(double), &complete);
    of->log_factor = array(n_half_rows, sizeof(double), &complete);
    of->accepted = array(n_half_rows, 1, &complete);
    of->parameters = array(n_half_rows, of->shape.n_parameters * sizeof(double), &complete);
    of->place = array(n_half_rows, sizeof *of->place, &complete);
    of->proposed_log_likelihood = array(n_half_rows, sizeof(double), &complete);
    of->centres = array(n_groups, d * sizeof(double), &complete);
    of->factors = array(n_groups, d * (d + 1) / 2 * sizeof(double), &complete);
    of->scratch = array(n_groups, guide_scratch(d) * sizeof(double), &complete);
    of->has_guide = array(n_groups, 1, &complete);
    return complete;
}

equant_status ensemble_create(ensemble *made, const ensemble_shape *shape,
                              const sampler_target *target, uint64_t seed, int n_threads)
{
    *made = (ensemble){.shape = *shape, .seed = seed, .n_threads = n_threads};
    if (!allocate(made))
        return status_out_of_memory();
    if (target->is_angle)
        memcpy(made->is_angle, target->is_angle, shape->n_coordinates);
    list_blocks(made, target->block);
    return EQUANT_SUCCESS;
}

void ensemble_free(ensemble *of)
{
    void *const arrays[] = {of->is_angle,
                            of->block,
                            of->labels,
                            of->block_sizes,
                            of->beta,
                            of->coordinates,
                            of->log_prior,
                            of->log_likelihood,
                            of->leg,
                            of->proposed,
                            of->proposed_log_prior,
                            of->log_factor,
                            of->accepted,
                            of->parameters,
                            of->place,
                            of->proposed_log_likelihood,
                            of->centres,
                            of->factors,
                            of->scratch,
                            of->has_guide};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *of = (ensemble){0};
}

/* ---- proposals ------------------------------------------------------------------- */

void ensemble_guide(ensemble *of, size_t half)
{
    const size_t d = of->shape.n_coordinates, n_half = of->shape.n_walkers / 2;
    const size_t n_groups = of->shape.n_temperatures * of->shape.n_populations;
    const double cost = GUIDE_NANOSECONDS * (double)(n_groups * n_half * d * d);
#pragma omp parallel for num_threads(ensemble_threads(of, cost)) schedule(static)
    for (size_t group = 0; group < n_groups; group++) {
        size_t others = ensemble_locate(of, half, group * n_half).others;
        of->has_guide[group] = guide_fit(
            d, of->is_angle, n_half, of->coordinates + others * d, of->centres + group * d,
            of->factors + group * (d * (d + 1) / 2), of->scratch + group * guide_scratch(d));
    }
}

/* Fills in prior and parameters of a proposal whose factor is known. */
static void prepare_row(ensemble *of, const sampler_target *target, size_t row)
{
    double log_prior = -INFINITY;
    if (of->log_factor[row] > -INFINITY)
        log_prior = target->prepare(target->context, of->proposed + row * of->shape.n_coordinates,
                                    of->parameters + row * of->shape.n_parameters);
    of->proposed_log_prior[row] = isfinite(log_prior) ? log_prior : -INFINITY;
}

void ensemble_propose(ensemble *of, const sampler_target *target, uint64_t step, size_t half,
                      ensemble_move move)
{
    const size_t n_rows = ensemble_n_half_rows(&of->shape);
    const double cost = PROPOSAL_NANOSECONDS * (double)(n_rows * (of->shape.n_coordinates + 1));
#pragma omp parallel for num_threads(ensemble_threads(of, cost)) schedule(static)
    for (size_t row = 0; row < n_rows; row++) {
        ensemble_moving_row at = ensemble_locate(of, half, row);
        double *proposed = of->proposed + row * of->shape.n_coordinates;
        if (ensemble_is_drawn(of, target, at.temperature)) {
            target->draw(target->context, of->seed, ensemble_draw_index(of, step, at.walker),
                         proposed);
            of->log_factor[row] = INFINITY; /* a draw from the target itself */
        } else {
            of->log_factor[row] = ensemble_propose_row(of, step, &at, move, proposed);
        }
        prepare_row(of, target, row);
    }
}

void ensemble_place(ensemble *of, const sampler_target *target, size_t half, const double *start)
{
    const size_t d = of->shape.n_coordinates, n_rows = ensemble_n_half_rows(&of->shape);
    const size_t n_walkers = of->shape.n_walkers, n_populations = of->shape.n_populations;
    const double cost = PROPOSAL_NANOSECONDS * (double)(n_rows * (d + 1));
#pragma omp parallel for num_threads(ensemble_threads(of, cost)) schedule(static)
    for (size_t row = 0; row < n_rows; row++) {
        ensemble_moving_row at = ensemble_locate(of, half, row);
        double *proposed = of->proposed + row * d;
        size_t of_caller =
            (at.group % n_populations * of->shape.n_temperatures + at.temperature) * n_walkers +
            at.walker % n_walkers;
        if (start == NULL)
            target->draw(target->context, of->seed, at.walker, proposed);
        else
            memcpy(proposed, start + of_caller * d, d * sizeof *proposed);
        for (size_t j = 0; j < d; j++)
            if (of->is_angle[j])
                proposed[j] = ensemble_moves_wrap(proposed[j]);
        of->log_factor[row] = 0.0;
        prepare_row(of, target, row);
    }
}

/* ---- evaluation -------------------------------------------------------------------- */

size_t ensemble_gather(ensemble *of)
{
    const size_t n_rows = ensemble_n_half_rows(&of->shape), width = of->shape.n_parameters;
    size_t n_sets = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (of->proposed_log_prior[row] == -INFINITY)
            continue;
        if (row > n_sets)
            memcpy(of->parameters + n_sets * width, of->parameters + row * width,
                   width * sizeof *of->parameters);
        of->place[row] = n_sets++;
    }
    return n_sets;
}

equant_status ensemble_evaluate(ensemble *of, const sampler_target *target, size_t n_sets)
{
    if (n_sets == 0)
        return EQUANT_SUCCESS;
    return target->evaluate(target->context, n_sets, of->parameters, of->proposed_log_likelihood);
}

/* ---- acceptance --------------------------------------------------------------------- */

void ensemble_accept(ensemble *of, uint64_t step, size_t half)
{
    const size_t n_rows = ensemble_n_half_rows(&of->shape);
    const double cost = DECISION_NANOSECONDS * (double)n_rows;
#pragma omp parallel for num_threads(ensemble_threads(of, cost)) schedule(static)
    for (size_t row = 0; row < n_rows; row++) {
        ensemble_moving_row at = ensemble_locate(of, half, row);
        of->accepted[row] = (unsigned char)ensemble_accept_row(of, step, &at, row);
    }
}

void ensemble_settle(ensemble *of, size_t half)
{
    const size_t n_rows = ensemble_n_half_rows(&of->shape);
    for (size_t row = 0; row < n_rows; row++)
        ensemble_move_walker(of, row, ensemble_locate(of, half, row).walker,
                             ensemble_likelihood_of(of, row));
}
