/* The loops of correlated noise for any number of blocks, and its linear terms. */
#ifndef EQUANT_BACKENDS_CPU_NOISE_GENERAL_H
#define EQUANT_BACKENDS_CPU_NOISE_GENERAL_H

#define NOISE_UNROLL
#include "backends/cpu/noise_loop.h"

static void noise_general_loop(const cpu_problem *problem, size_t n_groups, const double *words,
                               const double *jitters, const double *residuals, double *chi_square,
                               double *log_determinant)
{
    const noise_plan *plan = &problem->noise.plan;
    noise_sizes sizes = {plan->n_pairs, plan->n_triples, plan->n_singles, 0};
    noise_loop_with(sizes, plan, problem, n_groups, words, jitters, residuals, chi_square,
                    log_determinant);
}

static void noise_general_masked(const cpu_problem *problem, size_t n_groups, const double *words,
                                 const double *jitters, const double *residuals, double *chi_square,
                                 double *log_determinant)
{
    const noise_plan *plan = &problem->noise.plan;
    noise_sizes sizes = {plan->n_pairs, plan->n_triples, plan->n_singles, 1};
    noise_loop_with(sizes, plan, problem, n_groups, words, jitters, residuals, chi_square,
                    log_determinant);
}

static cpu_noise_loop *noise_general(const noise_plan *plan)
{
    return plan->is_masked ? noise_general_masked : noise_general_loop;
}

/* ---- linear terms -------------------------------------------------------- */

/* Column m of the linear terms at row k: 1 for the offset of its instrument, or a power of the
 * scaled time. */
static double noise_general_column(const cpu_problem *problem, size_t m, size_t k)
{
    if (m < problem->n_segments)
        return problem->instrument[k] == m ? 1.0 : 0.0;
    double tau = problem->noise.tau[k];
    return m == problem->n_segments ? tau : tau * tau;
}

/* The best values of the linear terms that are not given: L^-1 of their columns beside that of the
 * residuals, and the normal equations of these. `normal` [n][n + 1][lanes] is for them, `states`
 * [n][n_states][lanes] for the columns. */
static void noise_general_normal(const cpu_problem *problem, const double *words,
                                 const double *jitters, const double *residuals, double *states,
                                 double *normal)
{
    const noise_plan *plan = &problem->noise.plan;
    const noise_sizes sizes = {plan->n_pairs, plan->n_triples, plan->n_singles, plan->is_masked};
    const int n = 2 * sizes.n_pairs + 3 * sizes.n_triples + sizes.n_singles;
    const size_t n_columns = problem->noise.n_solved;
    f64 s[NOISE_TRIANGLE(NOISE_LOOP_MOST_STATES, 0)], f[NOISE_LOOP_MOST_STATES],
        gain[NOISE_LOOP_MOST_STATES], z[CPU_NOISE_MOST_SOLVED];
    noise_turn turns[NOISE_PLAN_MOST_BLOCKS];
    for (int i = 0; i < n; i++) {
        f[i] = F64(0.0);
        for (int j = 0; j <= i; j++)
            s[NOISE_TRIANGLE(i, j)] = F64(0.0);
    }
    memset(states, 0, n_columns * (size_t)n * F64_LANES * sizeof *states);
    memset(normal, 0, n_columns * (n_columns + 1) * F64_LANES * sizeof *normal);
    for (size_t k = 0; k < problem->n_obs; k++) {
        noise_loop_turns(sizes, plan, problem, words, k, 1, turns);
        noise_taken taken =
            noise_loop_row(sizes, problem, words, noise_loop_variance(problem, jitters, k),
                           f64_load(residuals + k * F64_LANES), k, turns, s, f, gain);
        for (size_t m = 0; m < n_columns; m++) {
            f64 own[NOISE_LOOP_MOST_STATES];
            double *kept = states + m * (size_t)n * F64_LANES;
            for (int i = 0; i < n; i++)
                own[i] = f64_load(kept + i * F64_LANES);
            noise_turn_state(sizes.n_pairs, sizes.n_triples, sizes.n_singles, turns, own);
            z[m] = F64(noise_general_column(problem, problem->noise.solved[m], k)) -
                   noise_seen(sizes, words, problem->noise.seen[k], own);
            for (int i = 0; i < n; i++)
                f64_store(kept + i * F64_LANES, lane_fma(gain[i], z[m], own[i]));
        }
        for (size_t m = 0; m < n_columns; m++) {
            f64 weighted = z[m] * taken.inverse;
            double *row = normal + m * (n_columns + 1) * F64_LANES;
            for (size_t j = 0; j <= n_columns; j++) {
                double *entry = row + j * F64_LANES;
                f64_store(entry,
                          lane_fma(weighted, j < n_columns ? z[j] : taken.z, f64_load(entry)));
            }
        }
    }
}

#endif
