/* chi-square and ln |C| under correlated noise: a lane is a parameter set, and the rows come one
 * after the other in the order of time. In double whatever the precision of the orbits, for D is a
 * difference. */
#ifndef EQUANT_BACKENDS_CPU_NOISE_LOOP_H
#define EQUANT_BACKENDS_CPU_NOISE_LOOP_H

#include "backends/cpu/kernels.h"
#include "physics/noise_recursion.h"

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

/* One row of S and f; what it leaves goes to the caller. */
LANE_FUNCTION noise_taken noise_loop_row(const int n_pairs, const int n_triples,
                                         const int n_singles, const cpu_problem *problem,
                                         const double *words, f64 variance, f64 y, size_t k,
                                         noise_turn *turns, f64 *s, f64 *f, f64 *gain)
{
    const cpu_noise *noise = &problem->noise;
    int place = noise->place[k];
    noise_turns(n_pairs, n_triples, n_singles, &noise->plan, words, F64(noise->gap[k]), place,
                noise->begins_night[k], turns);
    noise_turn_matrix(n_pairs, n_triples, n_singles, turns, s);
    noise_turn_state(n_pairs, n_triples, n_singles, turns, f);
    return noise_take_row(n_pairs, n_triples, n_singles, &noise->plan, words, variance, y, place, s,
                          f, gain);
}

LANE_FUNCTION void noise_loop_with(const int n_pairs, const int n_triples, const int n_singles,
                                   const cpu_problem *problem, const double *words,
                                   const double *jitters, const double *residuals,
                                   double *chi_square, double *log_determinant)
{
    const int n = 2 * n_pairs + 3 * n_triples + n_singles;
    f64 s[NOISE_TRIANGLE(NOISE_LOOP_MOST_STATES, 0)], f[NOISE_LOOP_MOST_STATES],
        gain[NOISE_LOOP_MOST_STATES];
    noise_turn turns[NOISE_PLAN_MOST_BLOCKS];
    noise_sums sums = noise_sums_zero();
    NOISE_UNROLL
    for (int i = 0; i < n; i++) {
        f[i] = F64(0.0);
        NOISE_UNROLL
        for (int j = 0; j <= i; j++)
            s[NOISE_TRIANGLE(i, j)] = F64(0.0);
    }
    for (size_t k = 0; k < problem->n_obs; k++)
        noise_sums_add(&sums,
                       noise_loop_row(n_pairs, n_triples, n_singles, problem, words,
                                      noise_loop_variance(problem, jitters, k),
                                      f64_load(residuals + k * F64_LANES), k, turns, s, f, gain));
    double mantissa[F64_LANES], exponent[F64_LANES], least[F64_LANES];
    f64_store(mantissa, sums.mantissa);
    f64_store(exponent, sums.exponent);
    f64_store(least, sums.least);
    f64_store(chi_square, sums.chi2);
    for (int i = 0; i < F64_LANES; i++) {
        log_determinant[i] = log_product_logarithm(mantissa[i], exponent[i]);
        if (!(least[i] > 0.0))
            chi_square[i] = NAN;
    }
}

/* Small numbers of blocks have a loop of their own, in which they are constants. */
#define NOISE_LOOP(pairs, singles)                                                                 \
    static void noise_loop_##pairs##_##singles(const cpu_problem *problem, const double *words,    \
                                               const double *jitters, const double *residuals,     \
                                               double *chi_square, double *log_determinant)        \
    {                                                                                              \
        noise_loop_with(pairs, 0, singles, problem, words, jitters, residuals, chi_square,         \
                        log_determinant);                                                          \
    }

NOISE_LOOP(0, 1)
NOISE_LOOP(0, 2)
NOISE_LOOP(1, 0)
NOISE_LOOP(1, 1)
NOISE_LOOP(2, 0)
NOISE_LOOP(2, 1)
NOISE_LOOP(3, 0)
NOISE_LOOP(3, 1)
NOISE_LOOP(4, 0)
NOISE_LOOP(4, 1)

static void noise_loop_any(const cpu_problem *problem, const double *words, const double *jitters,
                           const double *residuals, double *chi_square, double *log_determinant)
{
    const noise_plan *plan = &problem->noise.plan;
    noise_loop_with(plan->n_pairs, plan->n_triples, plan->n_singles, problem, words, jitters,
                    residuals, chi_square, log_determinant);
}

static void noise_loop(const cpu_problem *problem, const double *words, const double *jitters,
                       const double *residuals, double *chi_square, double *log_determinant)
{
    static void (*const loops[5][3])(const cpu_problem *, const double *, const double *,
                                     const double *, double *, double *) = {
        {NULL, noise_loop_0_1, noise_loop_0_2}, {noise_loop_1_0, noise_loop_1_1, NULL},
        {noise_loop_2_0, noise_loop_2_1, NULL}, {noise_loop_3_0, noise_loop_3_1, NULL},
        {noise_loop_4_0, noise_loop_4_1, NULL},
    };
    const noise_plan *plan = &problem->noise.plan;
    bool is_small = plan->n_pairs < 5 && plan->n_singles < 3 && plan->n_triples == 0 &&
                    loops[plan->n_pairs][plan->n_singles];
    (is_small ? loops[plan->n_pairs][plan->n_singles]
              : noise_loop_any)(problem, words, jitters, residuals, chi_square, log_determinant);
}

/* ---- linear terms -------------------------------------------------------- */

/* Column m of the linear terms at row k: 1 for the offset of its instrument, or a power of the
 * scaled time. */
static double noise_loop_column(const cpu_problem *problem, size_t m, size_t k)
{
    if (m < problem->n_segments)
        return problem->instrument[k] == m ? 1.0 : 0.0;
    double tau = problem->noise.tau[k];
    return m == problem->n_segments ? tau : tau * tau;
}

/* The best values of the linear terms that are not given: L^-1 of their columns beside that of the
 * residuals, and the normal equations of these. `normal` [n][n + 1][lanes] is for them, `states`
 * [n][n_states][lanes] for the columns. */
static void noise_loop_normal(const cpu_problem *problem, const double *words,
                              const double *jitters, const double *residuals, double *states,
                              double *normal)
{
    const noise_plan *plan = &problem->noise.plan;
    const int n_pairs = plan->n_pairs, n_triples = plan->n_triples, n_singles = plan->n_singles,
              n = 2 * n_pairs + 3 * n_triples + n_singles;
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
        noise_taken taken = noise_loop_row(
            n_pairs, n_triples, n_singles, problem, words, noise_loop_variance(problem, jitters, k),
            f64_load(residuals + k * F64_LANES), k, turns, s, f, gain);
        for (size_t m = 0; m < n_columns; m++) {
            f64 own[NOISE_LOOP_MOST_STATES];
            double *kept = states + m * (size_t)n * F64_LANES;
            for (int i = 0; i < n; i++)
                own[i] = f64_load(kept + i * F64_LANES);
            noise_turn_state(n_pairs, n_triples, n_singles, turns, own);
            z[m] = F64(noise_loop_column(problem, problem->noise.solved[m], k)) -
                   noise_seen(n_pairs, n_triples, n_singles, plan, words, problem->noise.place[k],
                              own);
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
