/* The phases of a step of all walkers. Random numbers are addressed by step and row, so that
 * neither the number of threads nor who is evaluated beside whom changes them. */
#include "inference/sample/walkers/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/walkers/guide.h"
#include "parallel/parallel_for.h"

/* What phases take for one row. */
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

int ensemble_threads(const ensemble *walkers, double nanoseconds)
{
    return placement_threads_worth(walkers->n_threads, nanoseconds);
}

bool ensemble_is_drawn(const ensemble *walkers, const sampler_target *target, size_t temperature)
{
    return target->draw != NULL && ensemble_is_prior(walkers, temperature);
}

/* ---- memory ------------------------------------------------------------------ */

static void list_subsets(ensemble *walkers, const unsigned char *subset)
{
    for (size_t j = 0; j < walkers->shape.n_coordinates; j++) {
        unsigned char label = walkers->subset[j] = subset ? subset[j] : 0;
        size_t k = 0;
        while (k < walkers->n_subsets && walkers->labels[k] != label)
            k++;
        walkers->n_subsets += k == walkers->n_subsets;
        walkers->labels[k] = label;
        walkers->subset_sizes[k]++;
    }
}

static void *array(size_t n, size_t size, bool *complete)
{
    void *memory = calloc(n > 0 ? n : 1, size);
    *complete = *complete && memory != NULL;
    return memory;
}

static bool allocate(ensemble *walkers)
{
    const size_t d = walkers->shape.n_coordinates, n_rows = ensemble_n_rows(&walkers->shape);
    const size_t n_half_rows = ensemble_n_half_rows(&walkers->shape);
    const size_t n_groups = walkers->shape.n_temperatures * walkers->shape.n_populations;
    bool complete = true;
    walkers->is_angle = array(d, 1, &complete);
    walkers->subset = array(d, 1, &complete);
    walkers->labels = array(d, 1, &complete);
    walkers->subset_sizes = array(d, sizeof *walkers->subset_sizes, &complete);
    walkers->beta = array(walkers->shape.n_temperatures, sizeof(double), &complete);
    walkers->coordinates = array(n_rows, d * sizeof(double), &complete);
    walkers->log_prior = array(n_rows, sizeof(double), &complete);
    walkers->log_likelihood = array(n_rows, sizeof(double), &complete);
    walkers->leg = array(n_rows, 1, &complete);
    walkers->proposed = array(n_half_rows, d * sizeof(double), &complete);
    walkers->proposed_log_prior = array(n_half_rows, sizeof(double), &complete);
    walkers->log_factor = array(n_half_rows, sizeof(double), &complete);
    walkers->accepted = array(n_half_rows, 1, &complete);
    walkers->parameters =
        array(n_half_rows, walkers->shape.n_parameters * sizeof(double), &complete);
    walkers->place = array(n_half_rows, sizeof *walkers->place, &complete);
    walkers->proposed_log_likelihood = array(n_half_rows, sizeof(double), &complete);
    walkers->centres = array(n_groups, d * sizeof(double), &complete);
    walkers->factors = array(n_groups, d * (d + 1) / 2 * sizeof(double), &complete);
    walkers->scratch = array(n_groups, guide_scratch(d) * sizeof(double), &complete);
    walkers->has_guide = array(n_groups, 1, &complete);
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
    list_subsets(made, target->subset);
    return EQUANT_SUCCESS;
}

void ensemble_free(ensemble *walkers)
{
    void *const arrays[] = {walkers->is_angle,
                            walkers->subset,
                            walkers->labels,
                            walkers->subset_sizes,
                            walkers->beta,
                            walkers->coordinates,
                            walkers->log_prior,
                            walkers->log_likelihood,
                            walkers->leg,
                            walkers->proposed,
                            walkers->proposed_log_prior,
                            walkers->log_factor,
                            walkers->accepted,
                            walkers->parameters,
                            walkers->place,
                            walkers->proposed_log_likelihood,
                            walkers->centres,
                            walkers->factors,
                            walkers->scratch,
                            walkers->has_guide};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *walkers = (ensemble){0};
}

/* ---- proposals ------------------------------------------------------------------- */

/* One half of the walkers moves. */
typedef struct moving_half {
    ensemble *walkers;
    const sampler_target *target;
    const sampler_guide *guide; /* NULL: none */
    uint64_t step;
    size_t half;
    ensemble_move move;
    const double *start; /* where it is placed; NULL: draws of the target */
} moving_half;

static void guide_some(void *context, size_t first, size_t end, int thread)
{
    const moving_half *of = context;
    ensemble *walkers = of->walkers;
    const size_t d = walkers->shape.n_coordinates, n_half = walkers->shape.n_walkers / 2;
    (void)thread;
    for (size_t group = first; group < end; group++) {
        size_t others = ensemble_locate(walkers, of->half, group * n_half).others;
        walkers->has_guide[group] =
            guide_fit(d, walkers->is_angle, n_half, walkers->coordinates + others * d,
                      walkers->centres + group * d, walkers->factors + group * (d * (d + 1) / 2),
                      walkers->scratch + group * guide_scratch(d));
    }
}

void ensemble_guide(ensemble *walkers, size_t half)
{
    const size_t d = walkers->shape.n_coordinates, n_half = walkers->shape.n_walkers / 2;
    const size_t n_groups = walkers->shape.n_temperatures * walkers->shape.n_populations;
    const double cost = GUIDE_NANOSECONDS * (double)(n_groups * n_half * d * d);
    moving_half of = {.walkers = walkers, .half = half};
    parallel_for(ensemble_threads(walkers, cost), n_groups, 0, guide_some, &of);
}

/* Fills in prior and parameters of a proposal whose factor is known. */
static void prepare_row(ensemble *walkers, const sampler_target *target, size_t row)
{
    double log_prior = -INFINITY;
    if (walkers->log_factor[row] > -INFINITY)
        log_prior =
            target->prepare(target->context, walkers->proposed + row * walkers->shape.n_coordinates,
                            walkers->parameters + row * walkers->shape.n_parameters);
    walkers->proposed_log_prior[row] = isfinite(log_prior) ? log_prior : -INFINITY;
}

/* Whatever the walker is near to: a place that the guide draws. */
static double propose_by(const sampler_guide *guide, const ensemble *walkers, uint64_t step,
                         const ensemble_moving_row *at, double *proposed)
{
    random_stream stream = {walkers->seed, RANDOM_PURPOSE_MOVES, 1 + (uint32_t)at->walker};
    uint64_t first = step * ENSEMBLE_DRAWS_PER_STEP + ENSEMBLE_DRAWS_PER_STEP / 2;
    if (!guide->draw(guide->context, stream, first, proposed))
        return -INFINITY;
    const double *x = walkers->coordinates + at->walker * walkers->shape.n_coordinates;
    return guide->log_density(guide->context, x) - guide->log_density(guide->context, proposed);
}

static void propose_some(void *context, size_t first, size_t end, int thread)
{
    const moving_half *of = context;
    ensemble *walkers = of->walkers;
    const sampler_target *target = of->target;
    (void)thread;
    for (size_t row = first; row < end; row++) {
        ensemble_moving_row at = ensemble_locate(walkers, of->half, row);
        double *proposed = walkers->proposed + row * walkers->shape.n_coordinates;
        if (ensemble_is_drawn(walkers, target, at.temperature)) {
            target->draw(target->context, walkers->seed,
                         ensemble_draw_index(walkers, of->step, at.walker), proposed);
            walkers->log_factor[row] = INFINITY; /* a draw from the target itself */
        } else if (of->guide && at.temperature == 0) {
            walkers->log_factor[row] = propose_by(of->guide, walkers, of->step, &at, proposed);
        } else {
            walkers->log_factor[row] =
                ensemble_propose_row(walkers, of->step, &at, of->move, proposed);
        }
        prepare_row(walkers, target, row);
    }
}

void ensemble_propose(ensemble *walkers, const sampler_target *target, const sampler_guide *guide,
                      uint64_t step, size_t half, ensemble_move move)
{
    const size_t n_rows = ensemble_n_half_rows(&walkers->shape);
    const double cost =
        PROPOSAL_NANOSECONDS * (double)(n_rows * (walkers->shape.n_coordinates + 1));
    moving_half of = {walkers, target, guide, step, half, move, NULL};
    parallel_for(ensemble_threads(walkers, cost), n_rows, 0, propose_some, &of);
}

static void place_some(void *context, size_t first, size_t end, int thread)
{
    const moving_half *of = context;
    ensemble *walkers = of->walkers;
    const size_t d = walkers->shape.n_coordinates, n_walkers = walkers->shape.n_walkers,
                 n_populations = walkers->shape.n_populations;
    (void)thread;
    for (size_t row = first; row < end; row++) {
        ensemble_moving_row at = ensemble_locate(walkers, of->half, row);
        double *proposed = walkers->proposed + row * d;
        size_t of_caller =
            (at.group % n_populations * walkers->shape.n_temperatures + at.temperature) *
                n_walkers +
            at.walker % n_walkers;
        if (of->start == NULL)
            of->target->draw(of->target->context, walkers->seed, at.walker, proposed);
        else
            memcpy(proposed, of->start + of_caller * d, d * sizeof *proposed);
        for (size_t j = 0; j < d; j++)
            if (walkers->is_angle[j])
                proposed[j] = ensemble_moves_wrap(proposed[j]);
        walkers->log_factor[row] = 0.0;
        prepare_row(walkers, of->target, row);
    }
}

void ensemble_place(ensemble *walkers, const sampler_target *target, size_t half,
                    const double *start)
{
    const size_t d = walkers->shape.n_coordinates, n_rows = ensemble_n_half_rows(&walkers->shape);
    const double cost = PROPOSAL_NANOSECONDS * (double)(n_rows * (d + 1));
    moving_half of = {.walkers = walkers, .target = target, .half = half, .start = start};
    parallel_for(ensemble_threads(walkers, cost), n_rows, 0, place_some, &of);
}

/* ---- evaluation -------------------------------------------------------------------- */

size_t ensemble_gather(ensemble *walkers)
{
    const size_t n_rows = ensemble_n_half_rows(&walkers->shape),
                 width = walkers->shape.n_parameters;
    size_t n_sets = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (walkers->proposed_log_prior[row] == -INFINITY)
            continue;
        if (row > n_sets)
            memcpy(walkers->parameters + n_sets * width, walkers->parameters + row * width,
                   width * sizeof *walkers->parameters);
        walkers->place[row] = n_sets++;
    }
    return n_sets;
}

equant_status ensemble_evaluate(ensemble *walkers, const sampler_target *target, size_t n_sets)
{
    if (n_sets == 0)
        return EQUANT_SUCCESS;
    return target->evaluate(target->context, n_sets, walkers->parameters,
                            walkers->proposed_log_likelihood);
}

/* ---- acceptance --------------------------------------------------------------------- */

static void accept_some(void *context, size_t first, size_t end, int thread)
{
    const moving_half *of = context;
    ensemble *walkers = of->walkers;
    (void)thread;
    for (size_t row = first; row < end; row++) {
        ensemble_moving_row at = ensemble_locate(walkers, of->half, row);
        walkers->accepted[row] = (unsigned char)ensemble_accept_row(walkers, of->step, &at, row);
    }
}

void ensemble_accept(ensemble *walkers, uint64_t step, size_t half)
{
    const size_t n_rows = ensemble_n_half_rows(&walkers->shape);
    const double cost = DECISION_NANOSECONDS * (double)n_rows;
    moving_half of = {.walkers = walkers, .step = step, .half = half};
    parallel_for(ensemble_threads(walkers, cost), n_rows, 0, accept_some, &of);
}

void ensemble_settle(ensemble *walkers, size_t half)
{
    const size_t n_rows = ensemble_n_half_rows(&walkers->shape);
    for (size_t row = 0; row < n_rows; row++)
        ensemble_move_walker(walkers, row, ensemble_locate(walkers, half, row).walker,
                             ensemble_likelihood_of(walkers, row));
}
