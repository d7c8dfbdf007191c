/* ln L of correlated noise and its derivatives against a dense covariance that is written down here
 * and factored in long double: sums of several terms, carried by states and as whole matrices. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "noise/noise_slopes.h"

enum { N = 40, MOST_BLOCKS = 4 };

static double times[N], variances[N], values[N], alpha[N], beta[N];
static int instruments[N];
static bool begins_night[N];

/* Pairs of exposures, by two instruments in turn. */
static int make_rows(void **state)
{
    (void)state;
    for (int k = 0; k < N; k++) {
        instruments[k] = k / 2 % 2;
        begins_night[k] = k % 2 == 0;
        times[k] = 1.9 * (k / 2) + 0.05 * (k % 2) + 0.3 * sin(0.7 * (k / 2));
        variances[k] = 1.0 + 0.3 * cos(0.9 * k);
        values[k] = 3.0 * sin(0.31 * times[k]) + cos(1.7 * k);
        alpha[k] = 1.0 + 0.2 * sin(1.1 * k);
    }
    return 0;
}

static noise_factor_rows rows(void)
{
    return (noise_factor_rows){.n = N,
                               .time_days = times,
                               .instruments = instruments,
                               .begins_night = begins_night,
                               .owners = instruments};
}

/* ---- the oracle --------------------------------------------------------------------------------
 */

static long double kernel(const noise_block *block, int i, int j)
{
    long double tau = fabsl((long double)times[i] - times[j]), a = block->a, b = block->b,
                c = block->c, q = block->q, x = c * tau, sine = sinl(b * tau);
    if (block->owner > 0 &&
        (instruments[i] + 1 != block->owner || instruments[j] != instruments[i]))
        return 0.0L;
    switch (block->kind) {
    case NOISE_BLOCK_DAMPED:
        return q > 0.0L
                   ? expl(-x) * (a * cosl(sqrtl(q) * tau) + b * sinl(sqrtl(q) * tau) / sqrtl(q))
                   : expl(-x) *
                         (a * coshl(sqrtl(-q) * tau) + b * sinhl(sqrtl(-q) * tau) / sqrtl(-q));
    case NOISE_BLOCK_MATERN52:
        return a * (1.0L + x + x * x / 3.0L) * expl(-x);
    case NOISE_BLOCK_EXPONENTIAL:
        return a * expl(-x);
    case NOISE_BLOCK_NIGHT:
        return i / 2 == j / 2 && instruments[i] == block->instrument ? a : 0.0L;
    default:
        return a * expl(-0.5L * (q * q * sine * sine + x * x));
    }
}

typedef struct dense {
    long double lower[N][N], inverse[N][N], solved[N], log_likelihood;
} dense;

/* Cholesky, and C^-1 by its columns. */
static void solve(const dense *of, long double *x)
{
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= of->lower[i][k] * x[k];
        x[i] /= of->lower[i][i];
    }
    for (int i = N; i-- > 0;) {
        for (int k = i + 1; k < N; k++)
            x[i] -= of->lower[k][i] * x[k];
        x[i] /= of->lower[i][i];
    }
}

static void make_dense(const noise_process *process, bool is_weighed, bool with_inverse,
                       dense *made)
{
    long double sum = 0.0L;
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            long double c = i == j ? variances[i] : 0.0L;
            for (int b = 0; b < process->n_blocks; b++)
                c += kernel(&process->block[b], i, j) *
                     (is_weighed ? (long double)alpha[i] * alpha[j] : 1.0L);
            for (int k = 0; k < j; k++)
                c -= made->lower[i][k] * made->lower[j][k];
            made->lower[i][j] = i == j ? sqrtl(c) : c / made->lower[j][j];
        }
    for (int i = 0; i < N; i++)
        made->solved[i] = values[i];
    solve(made, made->solved);
    for (int i = 0; i < N; i++)
        sum += values[i] * made->solved[i] + 2.0L * logl(made->lower[i][i]);
    made->log_likelihood = -0.5L * (sum + N * logl(2.0L * acosl(-1.0L)));
    for (int j = 0; j < N && with_inverse; j++) {
        for (int i = 0; i < N; i++)
            made->inverse[j][i] = i == j;
        solve(made, made->inverse[j]);
    }
}

/* ---- what is compared --------------------------------------------------------------------------
 */

static void assert_near(double is, long double should_be, double tolerance, const char *what,
                        int at)
{
    if (!(fabsl(is - should_be) <= tolerance * (1.0L + fabsl(should_be))))
        fail_msg("%s %d: %.17g is not %.17Lg", what, at, is, should_be);
}

static void compare_values(const noise_process *process, const noise_factor_rows *over,
                           bool is_whole, const dense *oracle, noise_factor *factor)
{
    double whitened[N], state[2 * (NOISE_PROCESS_MOST_STATES + 1)];
    assert_true(noise_factor_make(factor, process, over, variances));
    assert_true(factor->is_whole == is_whole);
    memcpy(whitened, values, sizeof whitened);
    double chi_square = noise_factor_square(factor, whitened, state);
    assert_near(noise_factor_log_likelihood(factor, chi_square), oracle->log_likelihood, 1e-12,
                "ln L", 0);
    memcpy(whitened, values, sizeof whitened);
    noise_factor_solve(factor, whitened, state);
    for (int k = 0; k < N; k++)
        assert_near(whitened[k], oracle->solved[k], 1e-11, "C^-1 y, row", k);
}

static double *number_of(noise_block *block, int which)
{
    return which == 0 ? &block->a : which == 1 ? &block->b : which == 2 ? &block->c : &block->q;
}

/* By central differences of the oracle, extrapolated. */
static long double slope_of(const noise_process *process, bool is_weighed, int b, int which)
{
    static dense oracle;
    long double slopes[2];
    for (int pass = 0; pass < 2; pass++) {
        long double sides[2];
        noise_process moved = *process;
        double *x = number_of(&moved.block[b], which), here = *x,
               step = (pass ? 1e-3 : 2e-3) * (here != 0.0 ? fabs(here) : 1.0);
        for (int side = 0; side < 2; side++) {
            *x = side ? here + step : here - step;
            make_dense(&moved, is_weighed, false, &oracle);
            sides[side] = oracle.log_likelihood;
        }
        slopes[pass] = (sides[1] - sides[0]) / ((here + step) - (here - step));
    }
    return (4.0L * slopes[1] - slopes[0]) / 3.0L;
}

/* b of a damped block moves its slope, of a quasi-periodic one its frequency; others have none. */
static bool has_number(noise_block_kind kind, int which)
{
    bool has_all = kind == NOISE_BLOCK_DAMPED || kind == NOISE_BLOCK_QUASI_PERIODIC;
    return which == 0 || has_all || (which == 2 && kind != NOISE_BLOCK_NIGHT);
}

static void compare_slopes(const noise_process *process, const noise_factor_rows *over,
                           bool is_weighed, const dense *oracle, noise_factor *factor)
{
    noise_slopes slopes;
    bool is_whole = noise_slopes_need_whole(process, over);
    assert_int_equal(noise_slopes_create(N, (size_t)process->n_states, is_whole, &slopes),
                     EQUANT_SUCCESS);
    double found = noise_slopes_find(process, over, values, variances, factor, &slopes);
    assert_near(found, oracle->log_likelihood, 1e-12, "ln L beside slopes", 0);
    for (int k = 0; k < N; k++) {
        assert_near(slopes.solved[k], oracle->solved[k], 1e-11, "by value, row", k);
        assert_near(slopes.by_variance[k],
                    0.5L * (oracle->solved[k] * oracle->solved[k] - oracle->inverse[k][k]), 1e-11,
                    "by variance, row", k);
    }
    for (int b = 0; b < process->n_blocks; b++) {
        const noise_adjoint_block *of = &slopes.by_block[b];
        const double by[4] = {of->a, of->b, of->c, of->q};
        for (int which = 0; which < 4; which++)
            if (has_number(process->block[b].kind, which))
                assert_near(by[which], slope_of(process, is_weighed, b, which), 1e-7,
                            "by number of block", 10 * b + which);
    }
    noise_slopes_free(&slopes);
}

static noise_process process_of(int n, const noise_block *blocks)
{
    noise_process made = {.n_blocks = n};
    for (int b = 0; b < n; b++) {
        made.block[b] = blocks[b];
        made.n_states += noise_block_states(blocks[b].kind);
    }
    return made;
}

/* One factor for all: it propagates anew when rates change, and keeps what depends on them alone.
 */
static void as_a_dense_covariance(void **state)
{
    (void)state;
    static dense oracle;
    const noise_block swing = {NOISE_BLOCK_DAMPED, 0, 0, 9.0, 1.1, 0.12, 0.2},
                      creep = {NOISE_BLOCK_DAMPED, 0, 0, 4.0, 0.9, 0.3, -0.05},
                      smooth = {NOISE_BLOCK_MATERN52, 0, 0, 4.0, 0.0, 0.06, 0.0},
                      decay = {NOISE_BLOCK_EXPONENTIAL, 0, 2, 1.44, 0.0, 0.33, 0.0},
                      night = {NOISE_BLOCK_NIGHT, 0, 0, 2.25, 0.0, 0.0, 0.0},
                      other_night = {NOISE_BLOCK_NIGHT, 1, 0, 1.25, 0.0, 0.0, 0.0},
                      quasi = {NOISE_BLOCK_QUASI_PERIODIC, 0, 0, 6.0, 0.23, 0.04, 1.4};
    noise_block louder = swing;
    louder.a = 12.0;
    const struct {
        int n;
        noise_block blocks[MOST_BLOCKS];
    } sums[] = {
        {1, {decay}},
        {2, {night, other_night}},
        {4, {swing, smooth, decay, night}},
        {4, {louder, smooth, decay, night}}, /* the same rates */
        {3, {creep, smooth, other_night}},
        {3, {quasi, night, decay}},
        {4, {swing, smooth, decay, night}},
    };
    noise_factor factor;
    assert_int_equal(noise_factor_create(N, NOISE_PROCESS_MOST_STATES, true, &factor),
                     EQUANT_SUCCESS);
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        const noise_process process = process_of(sums[i].n, sums[i].blocks);
        const noise_factor_rows over = rows();
        make_dense(&process, false, true, &oracle);
        compare_values(&process, &over, noise_covariance_is_whole(&process), &oracle, &factor);
        compare_slopes(&process, &over, false, &oracle, &factor);
    }
    noise_factor_free(&factor);
}

/* Rows that see a multiple of the process: states carry ln L, matrices its derivatives. */
static void rows_that_see_a_multiple(void **state)
{
    (void)state;
    static dense oracle;
    const noise_process process =
        process_of(2, (noise_block[]){{NOISE_BLOCK_DAMPED, 0, 0, 9.0, 1.1, 0.12, 0.2},
                                      {NOISE_BLOCK_MATERN52, 0, 0, 4.0, 0.0, 0.06, 0.0}});
    noise_factor_rows over = rows();
    over.alpha = alpha;
    over.beta = beta;
    noise_factor factor;
    assert_int_equal(noise_factor_create(N, NOISE_PROCESS_MOST_STATES, true, &factor),
                     EQUANT_SUCCESS);
    make_dense(&process, true, true, &oracle);
    compare_values(&process, &over, false, &oracle, &factor);
    compare_slopes(&process, &over, true, &oracle, &factor);
    noise_factor_free(&factor);
}

/* What is no covariance has no likelihood. */
static void no_covariance(void **state)
{
    (void)state;
    const noise_process process =
        process_of(1, (noise_block[]){{NOISE_BLOCK_EXPONENTIAL, 0, 0, 1.44, 0.0, 0.33, 0.0}});
    const noise_factor_rows over = rows();
    noise_slopes slopes;
    double none[N];
    for (int k = 0; k < N; k++)
        none[k] = -20.0;
    assert_int_equal(noise_slopes_create(N, 1, false, &slopes), EQUANT_SUCCESS);
    assert_true(noise_slopes_find(&process, &over, values, none, NULL, &slopes) == -INFINITY);
    noise_slopes_free(&slopes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_dense_covariance),
        cmocka_unit_test(rows_that_see_a_multiple),
        cmocka_unit_test(no_covariance),
    };
    return cmocka_run_group_tests_name("noise slopes", tests, make_rows, NULL);
}
