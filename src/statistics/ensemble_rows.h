/* Walkers of all temperatures and populations as arrays, and what one walker does in a step:
 * functions of the arrays and of the number of the step alone, which a loop of C or the threads
 * of a CUDA kernel call row by row. statistics/ensemble_moves.h has the moves themselves. */
#ifndef EQUANT_STATISTICS_ENSEMBLE_ROWS_H
#define EQUANT_STATISTICS_ENSEMBLE_ROWS_H

#include "statistics/random_draw.h"
#include "statistics/ensemble_moves.h"

/* The end of the ladder at which a walker has been last. */
enum ensemble_leg { ENSEMBLE_LEG_NONE, ENSEMBLE_LEG_COLD, ENSEMBLE_LEG_HOT };

typedef struct ensemble_shape {
    size_t n_temperatures, n_populations;
    size_t n_walkers; /* of one temperature of one population: a group; an even number */
    size_t n_coordinates, n_parameters;
} ensemble_shape;

typedef struct ensemble {
    ensemble_shape shape;
    uint64_t seed;
    int n_threads;                    /* of a processor */
    unsigned char *is_angle, *subset; /* [n_coordinates] */
    size_t n_subsets;
    unsigned char *labels; /* [n_subsets]: the different values of subset ... */
    size_t *subset_sizes;  /* ... and how many coordinates have each */

    /* Walkers, in rows [temperature][population][walker], the coldest temperature first. */
    double *beta;                       /* [n_temperatures], falling from 1 */
    double *coordinates;                /* [row][n_coordinates] */
    double *log_prior, *log_likelihood; /* [row] */
    unsigned char *leg;                 /* [row], an ensemble_leg */

    /* Proposals of one half of each group, in rows [temperature][population][n_walkers / 2]. */
    double *proposed;           /* [row][n_coordinates] */
    double *proposed_log_prior; /* [row]; -INFINITY: impossible, whatever its likelihood */
    double *log_factor;         /* [row]: what acceptance needs beside the target */
    unsigned char *accepted;    /* [row] */
    /* Parameter sets lie in the rows of their proposals, or where only those that are possible
     * are evaluated, at the front; place[row] says where, and NULL that no set has moved. */
    double *parameters; /* [row or place][n_parameters] */
    size_t *place;
    double *proposed_log_likelihood; /* [row or place] */

    /* What guided moves follow, by groups: see statistics/ensemble_guide.h. */
    double *centres, *factors, *scratch;
    unsigned char *has_guide;
} ensemble;

/* Random numbers of one row in one step, by index: who takes part, the decision, and what guided
 * moves need. */
enum {
    ENSEMBLE_DRAW_PARTNERS,
    ENSEMBLE_DRAW_DECISION,
    ENSEMBLE_DRAW_SPREAD,
    ENSEMBLE_DRAW_NORMALS = ENSEMBLE_DRAW_SPREAD + ENSEMBLE_MOVES_FREEDOM / 4,
    ENSEMBLE_DRAWS_PER_STEP = 1 << 14
};

/* ---- where a row of the proposals belongs --------------------------------------- */

typedef struct ensemble_moving_row {
    size_t group, temperature;
    size_t walker; /* its row among all walkers */
    size_t others; /* the first row of the half that stays */
} ensemble_moving_row;

LANE_FUNCTION ensemble_moving_row ensemble_locate(const ensemble *walkers, size_t half, size_t row)
{
    size_t n_half = walkers->shape.n_walkers / 2;
    ensemble_moving_row at;
    at.group = row / n_half;
    at.temperature = at.group / walkers->shape.n_populations;
    at.walker = at.group * walkers->shape.n_walkers + half * n_half + row % n_half;
    at.others = at.group * walkers->shape.n_walkers + (1 - half) * n_half;
    return at;
}

/* Whether walkers of a temperature sample the prior alone: they are drawn from it, where that is
 * possible, in place of moves. */
LANE_FUNCTION int ensemble_is_prior(const ensemble *walkers, size_t temperature)
{
    return walkers->beta[temperature] == 0.0;
}

/* ---- proposals ------------------------------------------------------------------- */

LANE_CALL random_uniforms ensemble_draw_uniforms(const ensemble *walkers, uint64_t step,
                                                 size_t walker, size_t index)
{
    random_stream stream = {walkers->seed, RANDOM_PURPOSE_MOVES, 1 + (uint32_t)walker};
    return random_uniforms_at(stream, step * ENSEMBLE_DRAWS_PER_STEP + index);
}

/* The number of a draw from the prior in place of a move; smaller ones are for beginnings. */
LANE_FUNCTION uint64_t ensemble_draw_index(const ensemble *walkers, uint64_t step, size_t walker)
{
    uint64_t n_rows =
        walkers->shape.n_temperatures * walkers->shape.n_populations * walkers->shape.n_walkers;
    return (step + 1) * n_rows + walker;
}

/* The length of a vector from Student's t in units of that of a Gaussian one: the root of nu
 * over a draw from the chi-square distribution of nu degrees. */
LANE_FUNCTION double ensemble_draw_spread(const ensemble *walkers, uint64_t step, size_t walker)
{
    double product = 1.0;
    for (size_t i = 0; i < ENSEMBLE_MOVES_FREEDOM / 4; i++) {
        random_uniforms u = ensemble_draw_uniforms(walkers, step, walker, ENSEMBLE_DRAW_SPREAD + i);
        product *= u.half[0] * u.half[1];
    }
    return sqrt(-0.5 * ENSEMBLE_MOVES_FREEDOM / log(product));
}

LANE_FUNCTION double ensemble_propose_guided(const ensemble *walkers, uint64_t step,
                                             const ensemble_moving_row *at, double *proposed)
{
    const size_t d = walkers->shape.n_coordinates;
    if (!walkers->has_guide[at->group])
        return -INFINITY;
    ensemble_moves_guide guide = {walkers->centres + at->group * d,
                                  walkers->factors + at->group * (d * (d + 1) / 2)};
    const double *x = walkers->coordinates + at->walker * d;
    double square = ensemble_moves_whiten(d, walkers->is_angle, &guide, x, proposed);
    double spread = ensemble_draw_spread(walkers, step, at->walker), proposed_square = 0.0;
    for (size_t j = 0; j < d; j += 2) {
        random_uniforms u =
            ensemble_draw_uniforms(walkers, step, at->walker, ENSEMBLE_DRAW_NORMALS + j / 2);
        for (size_t k = j; k < j + 2 && k < d; k++) {
            proposed[k] = spread * random_normal_quantile(u.half[k - j]);
            proposed_square += proposed[k] * proposed[k];
        }
    }
    return ensemble_moves_guided_factor(d, square, proposed_square) +
           ensemble_moves_colour(d, walkers->is_angle, &guide, proposed);
}

/* Writes where the walker may go, and returns what is to be its log_factor. */
LANE_FUNCTION double ensemble_propose_row(const ensemble *walkers, uint64_t step,
                                          const ensemble_moving_row *at, ensemble_move move,
                                          double *proposed)
{
    if (move == ENSEMBLE_MOVE_GUIDED)
        return ensemble_propose_guided(walkers, step, at, proposed);
    const size_t d = walkers->shape.n_coordinates;
    random_uniforms u = ensemble_draw_uniforms(walkers, step, at->walker, ENSEMBLE_DRAW_PARTNERS);
    ensemble_moves_partners who =
        ensemble_moves_choose(u.half[0], walkers->shape.n_walkers / 2,
                              move == ENSEMBLE_MOVE_SUBSET ? walkers->n_subsets : 1);
    const double *x = walkers->coordinates + at->walker * d,
                 *others = walkers->coordinates + at->others * d;
    const double *a = others + who.first * d, *b = others + who.second * d;
    const unsigned char *subset = NULL;
    double gamma = 0.0;
    switch (move) {
    case ENSEMBLE_MOVE_SNOOKER:
        return ensemble_moves_snooker(d, walkers->is_angle, u.half[1], x, others + who.third * d, a,
                                      b, proposed);
    case ENSEMBLE_MOVE_DIFFERENCE:
        gamma = ensemble_moves_step_length(d, u.half[1]);
        break;
    case ENSEMBLE_MOVE_SUBSET:
        subset = walkers->subset;
        gamma = ensemble_moves_step_length(walkers->subset_sizes[who.choice], u.half[1]);
        break;
    case ENSEMBLE_MOVE_JUMP:
        gamma = ensemble_moves_jump_length(u.half[1]);
        break;
    case ENSEMBLE_MOVE_GUIDED:
    case ENSEMBLE_N_MOVES:
        return -INFINITY; /* has been made, or is none */
    }
    return ensemble_moves_difference(d, walkers->is_angle, subset, walkers->labels[who.choice],
                                     gamma, x, a, b, proposed);
}

/* ---- acceptance --------------------------------------------------------------------- */

/* What is not a number, or infinite, is as unlikely as can be. */
LANE_FUNCTION double ensemble_likelihood_of(const ensemble *walkers, size_t row)
{
    double value = walkers->proposed_log_likelihood[walkers->place ? walkers->place[row] : row];
    return isfinite(value) ? value : -INFINITY;
}

LANE_FUNCTION void ensemble_move_walker(const ensemble *walkers, size_t row, size_t walker,
                                        double log_likelihood)
{
    const size_t d = walkers->shape.n_coordinates;
    for (size_t j = 0; j < d; j++)
        walkers->coordinates[walker * d + j] = walkers->proposed[row * d + j];
    walkers->log_prior[walker] = walkers->proposed_log_prior[row];
    walkers->log_likelihood[walker] = log_likelihood;
}

/* Whether a walker moves to where it may, and how likely that is. */
LANE_FUNCTION int ensemble_decide_row(const ensemble *walkers, uint64_t step,
                                      const ensemble_moving_row *at, size_t row,
                                      double *log_likelihood)
{
    if (walkers->proposed_log_prior[row] == -INFINITY)
        return 0;
    *log_likelihood = ensemble_likelihood_of(walkers, row);
    double log_ratio = ensemble_moves_log_ratio(
        walkers->beta[at->temperature], walkers->log_prior[at->walker],
        walkers->log_likelihood[at->walker], walkers->proposed_log_prior[row], *log_likelihood);
    double u = ensemble_draw_uniforms(walkers, step, at->walker, ENSEMBLE_DRAW_DECISION).half[0];
    return ensemble_moves_accepts(u, log_ratio + walkers->log_factor[row]);
}

/* Decides, moves the walker or not, and says which. */
LANE_FUNCTION int ensemble_accept_row(const ensemble *walkers, uint64_t step,
                                      const ensemble_moving_row *at, size_t row)
{
    double log_likelihood = -INFINITY;
    if (!ensemble_decide_row(walkers, step, at, row, &log_likelihood))
        return 0;
    ensemble_move_walker(walkers, row, at->walker, log_likelihood);
    return 1;
}

/* ---- swaps ---------------------------------------------------------------------------- */

LANE_FUNCTION void ensemble_exchange_doubles(size_t n, double *a, double *b)
{
    for (size_t j = 0; j < n; j++) {
        double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

LANE_FUNCTION void ensemble_exchange(const ensemble *walkers, size_t one, size_t other)
{
    const size_t d = walkers->shape.n_coordinates;
    ensemble_exchange_doubles(d, walkers->coordinates + one * d, walkers->coordinates + other * d);
    ensemble_exchange_doubles(1, walkers->log_prior + one, walkers->log_prior + other);
    ensemble_exchange_doubles(1, walkers->log_likelihood + one, walkers->log_likelihood + other);
    unsigned char kept = walkers->leg[one];
    walkers->leg[one] = walkers->leg[other];
    walkers->leg[other] = kept;
}

/* Walkers meet in a different order in each step, so that they do not travel in columns. */
LANE_FUNCTION size_t ensemble_draw_rotation(const ensemble *walkers, uint64_t step,
                                            size_t cold_group)
{
    random_stream stream = {walkers->seed, RANDOM_PURPOSE_SWAPS, 1 + (uint32_t)cold_group};
    double u = random_uniforms_at(stream, 2 * step + 1).half[0];
    return ensemble_moves_pick(&u, walkers->shape.n_walkers);
}

/* Walker i of a group meets one of the next higher temperature, and they change places or not.
 * Returns the probability that they do not. */
LANE_FUNCTION double ensemble_swap_row(const ensemble *walkers, uint64_t step, size_t cold_group,
                                       size_t rotation, size_t i)
{
    const size_t n = walkers->shape.n_walkers,
                 temperature = cold_group / walkers->shape.n_populations;
    size_t cold = cold_group * n + i;
    size_t hot = (cold_group + walkers->shape.n_populations) * n + (i + rotation) % n;
    double probability = ensemble_moves_swap_probability(
        walkers->beta[temperature], walkers->beta[temperature + 1], walkers->log_likelihood[cold],
        walkers->log_likelihood[hot]);
    random_stream stream = {walkers->seed, RANDOM_PURPOSE_SWAPS, 1 + (uint32_t)cold};
    if (random_uniforms_at(stream, 2 * step).half[0] < probability)
        ensemble_exchange(walkers, cold, hot);
    return 1.0 - probability;
}

/* Notes that walkers i of a population are at the ends of the ladder. Returns 1 where the one at
 * the cold end has come from the hot one. */
LANE_FUNCTION int ensemble_note_ends(const ensemble *walkers, size_t population, size_t i)
{
    const size_t n = walkers->shape.n_walkers, n_populations = walkers->shape.n_populations;
    unsigned char *cold = walkers->leg + population * n + i;
    unsigned char *hot =
        walkers->leg + ((walkers->shape.n_temperatures - 1) * n_populations + population) * n + i;
    int has_returned = *cold == ENSEMBLE_LEG_HOT;
    *cold = ENSEMBLE_LEG_COLD;
    if (*hot == ENSEMBLE_LEG_COLD)
        *hot = ENSEMBLE_LEG_HOT;
    return has_returned;
}

#endif
