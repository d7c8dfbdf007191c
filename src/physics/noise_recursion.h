/* Correlated noise in lanes: one parameter set in each, all of the same plan, row after row.
 *
 *   S <- R S R',  f <- R f                      over the gap to the row
 *   s = S u,  D = k(0) + variance - u' s,  g = v - s,  z = y - u' f
 *   S <- S + g g' / D,  f <- f + g z / D        update by the row
 *   chi2 += z^2 / D,  ln |C| += ln D
 *
 * statistics/noise_process.h has the same recursion for one set, and where it comes from. Here each
 * block is scaled so that u begins with 1 and v = (a, 0, ..), and S is a triangle, row by row. What
 * a row does not see, of other nights or of other instruments, has u = v = 0, while S and f are
 * carried on. The numbers of blocks are constants wherever speed counts: the loops then unroll, and
 * small states stay in registers; so is whether a plan is masked, without which pairs and triples
 * are seen by all. */
#ifndef EQUANT_PHYSICS_NOISE_RECURSION_H
#define EQUANT_PHYSICS_NOISE_RECURSION_H

#include "physics/exponential.h"
#include "physics/mean_anomaly.h"
#include "physics/noise_plan.h"
#include "physics/sin_cos.h"

/* Loops over blocks: unrolled where their numbers are constants. Loops for any number define it as
 * nothing before: unrolled, they take a minute to compile and are no faster. */
#ifndef NOISE_UNROLL
#ifdef __CUDACC__
#define NOISE_UNROLL _Pragma("unroll")
#else
#define NOISE_UNROLL _Pragma("GCC unroll 16")
#endif
#endif

/* Words before those of the blocks. */
enum { NOISE_WORD_VARIANCE, NOISE_FIRST_BLOCK_WORD };

LANE_FUNCTION f64 noise_word(const double *words, int block, int which)
{
    return f64_load(words + (NOISE_FIRST_BLOCK_WORD + block * NOISE_N_WORDS + which) * F64_LANES);
}

/* Of one block: R is (x0 -x2; x1 x0) of a pair, (x0 0 0; x1 x0 0; x2 x1 x0) of a triple, x0 of a
 * single. */
typedef struct noise_turn {
    f64 x0, x1, x2;
} noise_turn;

/* ---- over a gap ---------------------------------------------------------- */

/* A pair whose q may have any sign: sines and their hyperbolic brothers, each where it belongs. Its
 * second state is not scaled. */
LANE_FUNCTION noise_turn noise_turn_any(const double *words, int block, f64 t)
{
    f64 c = noise_word(words, block, NOISE_WORD_C), q = noise_word(words, block, NOISE_WORD_Q);
    f64 w = lane_sqrt(lane_abs(q)), sine, cosine;
    f64_mask moves = lane_less(F64(0.0), w), swings = lane_less(F64(0.0), q);
    f64 divisor = lane_select(moves, w, F64(1.0));
    sin_cos(mean_anomaly_at_time_f64(t, w * F64(MEAN_ANOMALY_TURNS_PER_RADIAN), F64(0.0), F64(0.0)),
            &sine, &cosine);
    f64 decay = exponential_decay(c * t), slow = exponential_decay(lane_max(c - w, F64(0.0)) * t);
    f64 lost = exponential_lost((w + w) * t);
    noise_turn turn;
    turn.x0 = lane_select(swings, decay * cosine, slow * lane_fma(F64(-0.5), lost, F64(1.0)));
    turn.x1 = lane_select(swings, decay * sine, slow * (F64(0.5) * lost));
    turn.x1 = lane_select(moves, lane_divide(turn.x1, divisor), decay * t);
    turn.x2 = q * turn.x1;
    return turn;
}

/* Angles of pairs that swing or beat, undamped. */
typedef struct noise_angle {
    f64 sine, cosine;
} noise_angle;

LANE_FUNCTION noise_angle noise_angle_of(const noise_plan *plan, const double *words, int p,
                                         const noise_angle *angles, f64 t)
{
    noise_angle made;
    if (plan->motion[p] == NOISE_MOTION_SWING) {
        f64 turns = noise_word(words, p, NOISE_WORD_TURNS);
        sin_cos(mean_anomaly_at_time_f64(t, turns, F64(0.0), F64(0.0)), &made.sine, &made.cosine);
        return made;
    }
    noise_angle left = angles[0], right = angles[0];
    NOISE_UNROLL
    for (int other = 1; other < p; other++) { /* found by looking: numbers known beforehand */
        f64 s = angles[other].sine, c = angles[other].cosine;
        int is_left = plan->left[p] == other, is_right = plan->right[p] == other;
        left.sine = is_left ? s : left.sine;
        left.cosine = is_left ? c : left.cosine;
        right.sine = is_right ? s : right.sine;
        right.cosine = is_right ? c : right.cosine;
    }
    f64 sine = F64((double)plan->sign[p]) * right.sine;
    made.cosine = lane_fma(left.cosine, right.cosine, -(left.sine * sine));
    made.sine = lane_fma(left.sine, right.cosine, left.cosine * sine);
    return made;
}

LANE_FUNCTION void noise_turns(int n_pairs, int n_triples, int n_singles, const noise_plan *plan,
                               const double *words, f64 t, unsigned forgotten, noise_turn *turns)
{
    noise_angle angles[NOISE_PLAN_MOST_BLOCKS];
    f64 decays[NOISE_PLAN_MOST_BLOCKS];
    NOISE_UNROLL
    for (int b = 0; b < n_pairs + n_triples + n_singles; b++) {
        f64 x = noise_word(words, b, NOISE_WORD_C) * t;
        angles[b].sine = angles[b].cosine = decays[b] = F64(0.0);
        if (b < n_pairs && plan->motion[b] == NOISE_MOTION_ANY) {
            turns[b] = noise_turn_any(words, b, t);
            continue;
        }
        if (plan->night_place[b] >= 0)
            decays[b] = F64(forgotten >> b & 1 ? 0.0 : 1.0);
        else if (plan->decays_as[b] == NOISE_PLAN_ITSELF)
            decays[b] = exponential_decay(x);
        else {
            f64 shared = decays[0];
            NOISE_UNROLL
            for (int other = 1; other < b; other++) {
                f64 candidate = decays[other];
                shared = plan->decays_as[b] == other ? candidate : shared;
            }
            decays[b] = shared;
        }
        turns[b].x0 = turns[b].x1 = turns[b].x2 = decays[b];
        if (b < n_pairs && plan->motion[b] == NOISE_MOTION_CRITICAL) {
            turns[b].x1 = decays[b] * t;
            turns[b].x2 = F64(0.0);
        } else if (b < n_pairs) {
            angles[b] = noise_angle_of(plan, words, b, angles, t);
            turns[b].x0 = decays[b] * angles[b].cosine;
            turns[b].x1 = turns[b].x2 = decays[b] * angles[b].sine;
        } else if (b < n_pairs + n_triples) {
            turns[b].x1 = decays[b] * x;
            turns[b].x2 = turns[b].x1 * (F64(0.5) * x);
        }
    }
}

/* R of one block, of 1, 2 or 3 states, times a vector whose entries are a stride apart. */
LANE_FUNCTION void noise_turn_vector(int n, noise_turn turn, f64 *x, int stride)
{
    f64 first = x[0];
    x[0] = turn.x0 * first;
    if (n == 2) {
        f64 second = x[stride];
        x[0] = lane_fma(-turn.x2, second, x[0]);
        x[stride] = lane_fma(turn.x1, first, turn.x0 * second);
    } else if (n == 3) {
        f64 second = x[stride], third = x[2 * stride];
        x[stride] = lane_fma(turn.x1, first, turn.x0 * second);
        x[2 * stride] = lane_fma(turn.x2, first, lane_fma(turn.x1, second, turn.x0 * third));
    }
}

/* States of a block, and where they begin. */
LANE_FUNCTION int noise_block_size(int n_pairs, int n_triples, int b)
{
    return b < n_pairs ? 2 : b < n_pairs + n_triples ? 3 : 1;
}

LANE_FUNCTION int noise_block_first(int n_pairs, int n_triples, int b)
{
    return b < n_pairs               ? 2 * b
           : b < n_pairs + n_triples ? 2 * n_pairs + 3 * (b - n_pairs)
                                     : 2 * n_pairs + 3 * n_triples + (b - n_pairs - n_triples);
}

#define NOISE_TRIANGLE(i, j) ((i) * ((i) + 1) / 2 + (j))

/* R S R' of the states of two blocks, the second not behind the first. */
LANE_FUNCTION void noise_turn_block(int n, int first, noise_turn turn, int n_other, int first_other,
                                    noise_turn other, f64 *s)
{
    f64 x[3][3];
    NOISE_UNROLL
    for (int i = 0; i < 9; i++)
        x[i / 3][i % 3] = F64(0.0);
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        NOISE_UNROLL
    for (int j = 0; j < n_other; j++) {
        int row = first + i, column = first_other + j;
        x[i][j] = column <= row ? s[NOISE_TRIANGLE(row, column)] : s[NOISE_TRIANGLE(column, row)];
    }
    NOISE_UNROLL
    for (int j = 0; j < n_other; j++)
        noise_turn_vector(n, turn, &x[0][j], 3);
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        noise_turn_vector(n_other, other, x[i], 1);
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        NOISE_UNROLL
    for (int j = 0; j < n_other; j++)
        if (first_other + j <= first + i)
            s[NOISE_TRIANGLE(first + i, first_other + j)] = x[i][j];
}

LANE_FUNCTION void noise_turn_matrix(int n_pairs, int n_triples, int n_singles,
                                     const noise_turn *turns, f64 *s)
{
    NOISE_UNROLL
    for (int b = 0; b < n_pairs + n_triples + n_singles; b++)
        NOISE_UNROLL
    for (int other = 0; other <= b; other++)
        noise_turn_block(noise_block_size(n_pairs, n_triples, b),
                         noise_block_first(n_pairs, n_triples, b), turns[b],
                         noise_block_size(n_pairs, n_triples, other),
                         noise_block_first(n_pairs, n_triples, other), turns[other], s);
}

LANE_FUNCTION void noise_turn_state(int n_pairs, int n_triples, int n_singles,
                                    const noise_turn *turns, f64 *f)
{
    NOISE_UNROLL
    for (int b = 0; b < n_pairs + n_triples + n_singles; b++)
        noise_turn_vector(noise_block_size(n_pairs, n_triples, b), turns[b],
                          f + noise_block_first(n_pairs, n_triples, b), 1);
}

/* ---- a row --------------------------------------------------------------- */

/* Numbers of blocks, and whether pairs and triples may be hidden from rows. */
typedef struct noise_sizes {
    int n_pairs, n_triples, n_singles, is_masked;
} noise_sizes;

/* 1 for a block that a row sees, else 0. */
LANE_FUNCTION f64 noise_sees(unsigned seen, int b)
{
    return F64(seen >> b & 1 ? 1.0 : 0.0);
}

/* A part of u' x more, where the row sees its block. */
LANE_FUNCTION f64 noise_seen_more(noise_sizes sizes, unsigned seen, int b, f64 part, f64 sum)
{
    if (sizes.is_masked)
        return lane_fma(noise_sees(seen, b), part, sum);
    return sum + part;
}

/* u' x of a vector over all states. */
LANE_FUNCTION f64 noise_seen(noise_sizes sizes, const double *words, unsigned seen, const f64 *x)
{
    const int n_pairs = sizes.n_pairs, n_triples = sizes.n_triples;
    f64 sum = n_pairs > 0 ? lane_fma(noise_word(words, 0, NOISE_WORD_BETA), x[1], x[0]) : F64(0.0);
    if (n_pairs > 0 && sizes.is_masked)
        sum = noise_sees(seen, 0) * sum;
    NOISE_UNROLL
    for (int b = 1; b < n_pairs; b++)
        sum = noise_seen_more(
            sizes, seen, b, lane_fma(noise_word(words, b, NOISE_WORD_BETA), x[2 * b + 1], x[2 * b]),
            sum);
    NOISE_UNROLL
    for (int b = 0; b < n_triples; b++) {
        const f64 *own = x + 2 * n_pairs + 3 * b;
        sum = noise_seen_more(sizes, seen, n_pairs + b,
                              lane_fma(F64(2.0 / 3.0), own[2], own[0] + own[1]), sum);
    }
    NOISE_UNROLL
    for (int b = 0; b < sizes.n_singles; b++)
        sum = lane_fma(noise_sees(seen, n_pairs + n_triples + b),
                       x[2 * n_pairs + 3 * n_triples + b], sum);
    return sum;
}

/* The variance of a block, or 0 where the row does not see it. */
LANE_FUNCTION f64 noise_brings_block(noise_sizes sizes, const double *words, unsigned seen, int b)
{
    f64 variance = noise_word(words, b, NOISE_WORD_A);
    if (sizes.is_masked || b >= sizes.n_pairs + sizes.n_triples)
        return noise_sees(seen, b) * variance;
    return variance;
}

/* v of a state: the variance of its block where it is the first of it. */
LANE_FUNCTION f64 noise_brings(noise_sizes sizes, const double *words, unsigned seen, int i)
{
    const int n_pairs = sizes.n_pairs, n_triples = sizes.n_triples;
    int of_singles = 2 * n_pairs + 3 * n_triples;
    if (i < 2 * n_pairs)
        return i % 2 == 0 ? noise_brings_block(sizes, words, seen, i / 2) : F64(0.0);
    if (i < of_singles)
        return (i - 2 * n_pairs) % 3 == 0
                   ? noise_brings_block(sizes, words, seen, n_pairs + (i - 2 * n_pairs) / 3)
                   : F64(0.0);
    return noise_brings_block(sizes, words, seen, n_pairs + n_triples + i - of_singles);
}

/* k(0) of what a row sees: the same for all where no block is of one instrument. */
LANE_FUNCTION f64 noise_variance(noise_sizes sizes, const double *words, unsigned seen)
{
    f64 sum = f64_load(words + NOISE_WORD_VARIANCE * F64_LANES);
    if (sizes.is_masked) {
        sum = F64(0.0) * sum; /* what is no number stays none */
        NOISE_UNROLL
        for (int b = 0; b < sizes.n_pairs + sizes.n_triples + sizes.n_singles; b++)
            sum = sum + noise_brings_block(sizes, words, seen, b);
    }
    return sum;
}

/* What a row leaves: g / D for further columns, 1 / D and the innovation z. */
typedef struct noise_taken {
    f64 d, inverse, z;
} noise_taken;

/* One row: t days after the last, `variance` beside the process. gain [n_states] becomes g / D. */
LANE_FUNCTION noise_taken noise_take_row(noise_sizes sizes, const double *words, f64 variance,
                                         f64 y, unsigned seen, f64 *s, f64 *f, f64 *gain)
{
    const int n = 2 * sizes.n_pairs + 3 * sizes.n_triples + sizes.n_singles;
    f64 g[NOISE_PLAN_MOST_BLOCKS * 2];
    NOISE_UNROLL
    for (int i = 0; i < n; i++) {
        f64 row[NOISE_PLAN_MOST_BLOCKS * 2];
        NOISE_UNROLL
        for (int j = 0; j < n; j++)
            row[j] = j <= i ? s[NOISE_TRIANGLE(i, j)] : s[NOISE_TRIANGLE(j, i)];
        g[i] = noise_seen(sizes, words, seen, row);
    }
    noise_taken taken;
    taken.d = (noise_variance(sizes, words, seen) + variance) - noise_seen(sizes, words, seen, g);
    taken.z = y - noise_seen(sizes, words, seen, f);
    taken.inverse = lane_divide(F64(1.0), taken.d);
    NOISE_UNROLL
    for (int i = 0; i < n; i++) {
        g[i] = noise_brings(sizes, words, seen, i) - g[i];
        gain[i] = g[i] * taken.inverse;
        f[i] = lane_fma(gain[i], taken.z, f[i]);
    }
    NOISE_UNROLL
    for (int i = 0; i < n; i++)
        NOISE_UNROLL
    for (int j = 0; j <= i; j++)
        s[NOISE_TRIANGLE(i, j)] = lane_fma(g[i], gain[j], s[NOISE_TRIANGLE(i, j)]);
    return taken;
}

/* ---- sums ---------------------------------------------------------------- */

/* chi-square and ln |C| as they grow; `least` is the smallest D, which says whether there is such a
 * covariance at all. */
typedef struct noise_sums {
    f64 chi2, mantissa, exponent, least;
} noise_sums;

LANE_FUNCTION noise_sums noise_sums_zero(void)
{
    noise_sums sums;
    sums.chi2 = sums.exponent = F64(0.0);
    sums.mantissa = F64(1.0);
    sums.least = F64(1e300);
    return sums;
}

LANE_FUNCTION void noise_sums_add(noise_sums *sums, noise_taken taken)
{
    f64 product = sums->mantissa * taken.d;
    sums->chi2 = lane_fma(taken.z * taken.inverse, taken.z, sums->chi2);
    sums->least = lane_min(taken.d, sums->least);
    sums->exponent = sums->exponent + lane_exponent(product);
    sums->mantissa = lane_mantissa(product);
}

#endif
