/* A scan behind correlated noise: the tables that a backend reads, by the library, and the dense
 * covariance with its triangular root, by formulas and loops of the test's own in long double. */
#ifndef CONFORMANCE_NOISE_TRIAL_H
#define CONFORMANCE_NOISE_TRIAL_H

#include "backends/scan_noise.h"
#include "conformance/scan_oracle.h"
#include "noise/noise_factor.h"

typedef struct noise_trial {
    scan_trial trial;
    noise_factor factor;
    backend_scan_noise noise;
    int *block_states;  /* those of the factor, where they stay when the trial is copied */
    long double *lower; /* [n_obs][n_obs] */
} noise_trial;

/* The covariance of a block over a gap; nights are whole days. */
static inline long double noise_trial_block(const noise_block *block, double from, double to)
{
    long double tau = fabsl((long double)to - from), a = block->a, b = block->b, c = block->c,
                q = block->q, x = c * tau;
    switch (block->kind) {
    case NOISE_BLOCK_NIGHT:
        return floor(from) == floor(to) ? a : 0;
    case NOISE_BLOCK_EXPONENTIAL:
        return a * expl(-x);
    case NOISE_BLOCK_MATERN52:
        return a * (1 + x + x * x / 3) * expl(-x);
    default:
        break;
    }
    long double w = sqrtl(fabsl(q));
    if (q > 0)
        return expl(-x) * (a * cosl(w * tau) + b * sinl(w * tau) / w);
    if (q < 0)
        return expl(-x) * (a * coshl(w * tau) + b * sinhl(w * tau) / w);
    return expl(-x) * (a + b * tau);
}

static inline void noise_trial_decompose(size_t n, const noise_process *process, const double *time,
                                         const double *variance, long double *lower)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            long double sum = i == j ? variance[i] : 0;
            for (int b = 0; b < process->n_blocks; b++)
                sum += noise_trial_block(&process->block[b], time[i], time[j]);
            for (size_t k = 0; k < j; k++)
                sum -= lower[i * n + k] * lower[j * n + k];
            lower[i * n + j] = i == j ? sqrtl(sum) : sum / lower[j * n + j];
        }
}

static inline int noise_trial_compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* A column by the dense root, in place. */
static inline void noise_trial_whiten(const noise_trial *t, double *column)
{
    size_t n = t->trial.scan.n_obs;
    long double *wide = scan_oracle_allocate(n, sizeof *wide);
    for (size_t k = 0; k < n; k++)
        wide[k] = column[k];
    scan_oracle_whiten(n, t->lower, wide);
    for (size_t k = 0; k < n; k++)
        column[k] = (double)wide[k];
    free(wide);
}

/* What the library makes of a process over these rows. */
static inline void noise_trial_factor(noise_trial *t, const noise_process *process,
                                      const double *variance)
{
    size_t n = t->trial.scan.n_obs;
    bool *begins_night = scan_oracle_allocate(n, sizeof *begins_night);
    for (size_t k = 0; k < n; k++)
        begins_night[k] = k == 0 || floor(t->trial.time[k]) != floor(t->trial.time[k - 1]);
    noise_factor_rows rows = {.n = n, .time_days = t->trial.time, .begins_night = begins_night};
    if (noise_factor_create(n, NOISE_PROCESS_MOST_STATES, false, &t->factor) != EQUANT_SUCCESS)
        exit(1);
    if (!noise_factor_make(&t->factor, process, &rows, variance)) {
        fprintf(stderr, "the covariance of this test is none\n");
        exit(1);
    }
    free(begins_night);
    t->block_states = scan_oracle_allocate(t->factor.n_blocks, sizeof *t->block_states);
    memcpy(t->block_states, t->factor.block_states, t->factor.n_blocks * sizeof *t->block_states);
    t->noise = (backend_scan_noise){.n_blocks = t->factor.n_blocks,
                                    .n_states = t->factor.n_states,
                                    .propagator_size = t->factor.propagator_size,
                                    .block_states = t->block_states,
                                    .propagators = t->factor.propagators,
                                    .u = t->factor.u,
                                    .w = t->factor.w,
                                    .inverse_root = t->factor.root_weight};
}

/* As scan_trial_create, with this process beneath the white noise, whose errors are 0.5 to 4. */
static inline noise_trial noise_trial_create(uint64_t seed, size_t n_obs, size_t n_base,
                                             double span, const noise_process *process)
{
    noise_trial t = {.trial = scan_trial_create(seed, n_obs, n_base, span),
                     .lower = scan_oracle_allocate(n_obs * n_obs, sizeof(long double))};
    double *variance = scan_oracle_allocate(n_obs, sizeof(double));
    qsort(t.trial.time, n_obs, sizeof(double), noise_trial_compare);
    for (size_t k = 0; k < n_obs; k++)
        variance[k] = 1.0 / (t.trial.root_weight[k] * t.trial.root_weight[k]);
    noise_trial_decompose(n_obs, process, t.trial.time, variance, t.lower);
    noise_trial_factor(&t, process, variance);
    random_system random = {seed + 1};
    for (size_t k = 0; k < n_obs; k++) {
        double angle = 0.75 * t.trial.time[k] + 1.0;
        double noise = random_system_between(&random, -2.0, 2.0);
        t.trial.residual[k] = 5.0 * cos(angle + 0.4 * sin(angle)) + noise;
        t.trial.root_weight[k] = t.factor.root_weight[k];
    }
    for (size_t j = 0; j < n_base; j++) {
        double *column = t.trial.base + j * n_obs;
        for (size_t k = 0; k < n_obs; k++)
            column[k] = scan_oracle_base_value(j, n_base, k, t.trial.time[k]);
        noise_trial_whiten(&t, column);
        scan_oracle_project(n_obs, j, t.trial.base, column);
        double length = sqrt((double)scan_oracle_square(n_obs, column));
        for (size_t k = 0; k < n_obs; k++)
            column[k] /= length;
    }
    noise_trial_whiten(&t, t.trial.residual);
    scan_oracle_project(n_obs, n_base, t.trial.base, t.trial.residual);
    free(variance);
    return t;
}

static inline void noise_trial_free(noise_trial *t)
{
    scan_trial_free(&t->trial);
    noise_factor_free(&t->factor);
    free(t->block_states);
    free(t->lower);
}

#endif
