/* chi-square and ln |C| under correlated noise: a lane is a parameter set, and the rows come one
 * after the other in the order of time. In double whatever the precision of the orbits, for D is a
 * difference. */
#ifndef EQUANT_BACKENDS_CPU_NOISE_LOOP_H
#define EQUANT_BACKENDS_CPU_NOISE_LOOP_H

#include "backends/cpu/kernels.h"
#include "physics/noise_recursion.h"
#include "physics/chi_square.h"

#define NOISE_LOOP_MOST_STATES (2 * NOISE_PLAN_MOST_BLOCKS)

/* sigma^2 + jitter^2 of row k. */
LANE_FUNCTION f64 noise_loop_variance(const cpu_problem *problem, const double *jitters, size_t k)
{
    f64 variance = F64(problem->noise.variance[k]);
    if (!jitters)
        return variance;
    f64 jitter = f64_load(jitters + problem->instrument[k] * F64_LANES);
    return lane_fma(jitter, jitter, variance);
}

/* Rows whose turns are made together, before they are taken: sines and exponentials wait for
 * nothing, and the processor overlaps those of several rows. */
#define NOISE_LOOP_STRIP 8

LANE_FUNCTION size_t noise_loop_blocks(noise_sizes sizes)
{
    return (size_t)(sizes.n_pairs + sizes.n_triples + sizes.n_singles);
}

/* Turns of rows first ... first + n_rows - 1, one row behind the other. */
LANE_FUNCTION void noise_loop_turns(noise_sizes sizes, const noise_plan *plan,
                                    const cpu_problem *problem, const double *words, size_t first,
                                    size_t n_rows, noise_turn *turns)
{
    const cpu_noise *noise = &problem->noise;
    for (size_t k = first; k < first + n_rows; k++)
        noise_turns(sizes.n_pairs, sizes.n_triples, sizes.n_singles, plan, words,
                    F64(noise->gap[k]), noise->forgotten[k],
                    turns + (k - first) * noise_loop_blocks(sizes));
}

/* One row of S and f, by its turns; what it leaves goes to the caller. */
LANE_FUNCTION noise_taken noise_loop_row(noise_sizes sizes, const cpu_problem *problem,
                                         const double *words, f64 variance, f64 y, size_t k,
                                         const noise_turn *turns, f64 *s, f64 *f, f64 *gain)
{
    noise_turn_matrix(sizes.n_pairs, sizes.n_triples, sizes.n_singles, turns, s);
    noise_turn_state(sizes.n_pairs, sizes.n_triples, sizes.n_singles, turns, f);
    return noise_take_row(sizes, words, variance, y, problem->noise.seen[k], s, f, gain);
}

/* The state of one group of lanes. */
typedef struct noise_loop_state {
    f64 s[NOISE_TRIANGLE(NOISE_LOOP_MOST_STATES, 0)], f[NOISE_LOOP_MOST_STATES];
    noise_turn turns[NOISE_LOOP_STRIP * NOISE_PLAN_MOST_BLOCKS];
    noise_sums sums;
} noise_loop_state;

LANE_FUNCTION void noise_loop_begin(const int n, noise_loop_state *state)
{
    state->sums = noise_sums_zero();
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        state->f[i] = F64(0.0);
    NOISE_UNROLL
    for (int i = 0; i < NOISE_TRIANGLE(n, 0); i++)
        state->s[i] = F64(0.0);
}

static void noise_loop_end(const noise_loop_state *state, double *chi_square,
                           double *log_determinant)
{
    double mantissa[F64_LANES], exponent[F64_LANES], least[F64_LANES];
    f64_store(mantissa, state->sums.mantissa);
    f64_store(exponent, state->sums.exponent);
    f64_store(least, state->sums.least);
    f64_store(chi_square, state->sums.chi2);
    for (int i = 0; i < F64_LANES; i++) {
        log_determinant[i] = log_product_logarithm(mantissa[i], exponent[i]);
        if (!(least[i] > 0.0))
            chi_square[i] = NAN;
    }
}

/* Row k of one group. */
LANE_FUNCTION void noise_loop_step(noise_sizes sizes, const cpu_problem *problem,
                                   const double *words, const double *jitters,
                                   const double *residuals, size_t k, size_t place_in_strip,
                                   noise_loop_state *state)
{
    f64 gain[NOISE_LOOP_MOST_STATES];
    const noise_turn *turns = state->turns + place_in_strip * noise_loop_blocks(sizes);
    noise_sums_add(&state->sums,
                   noise_loop_row(sizes, problem, words, noise_loop_variance(problem, jitters, k),
                                  f64_load(residuals + k * F64_LANES), k, turns, state->s, state->f,
                                  gain));
}

/* Two groups take their rows in turns: each waits for its own row before, not for the other. */
LANE_FUNCTION void noise_loop_with(noise_sizes sizes, const noise_plan *plan,
                                   const cpu_problem *problem, size_t n_groups, const double *words,
                                   const double *jitters, const double *residuals,
                                   double *chi_square, double *log_determinant)
{
    const size_t words_apart = problem->noise.n_words * F64_LANES,
                 jitters_apart = jitters ? problem->n_segments * F64_LANES : 0,
                 residuals_apart = problem->n_obs * F64_LANES;
    noise_loop_state states[CPU_NOISE_GROUPS];
    for (size_t g = 0; g < n_groups; g++)
        noise_loop_begin(2 * sizes.n_pairs + 3 * sizes.n_triples + sizes.n_singles, &states[g]);
    for (size_t first = 0; first < problem->n_obs; first += NOISE_LOOP_STRIP) {
        size_t left = problem->n_obs - first;
        size_t n_rows = left < NOISE_LOOP_STRIP ? left : NOISE_LOOP_STRIP;
        for (size_t g = 0; g < n_groups; g++)
            noise_loop_turns(sizes, plan, problem, words + g * words_apart, first, n_rows,
                             states[g].turns);
        for (size_t k = 0; k < n_rows; k++)
            for (size_t g = 0; g < n_groups; g++)
                noise_loop_step(sizes, problem, words + g * words_apart,
                                jitters ? jitters + g * jitters_apart : NULL,
                                residuals + g * residuals_apart, first + k, k, &states[g]);
    }
    for (size_t g = 0; g < n_groups; g++)
        noise_loop_end(&states[g], chi_square + g * F64_LANES, log_determinant + g * F64_LANES);
}

#endif
