/* Kept draws begin when the slowest quantity that is told, derived ones included, has had its
 * burn-in. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/run/sampler_run.h"
#include "unit/toy_target.h"

#define SLOW_STEPS 300.0 /* the autocorrelation time of what is told */

enum { D = 2, N_POPULATIONS = 4, N_WALKERS = 16 };

/* A derived quantity that forgets far more slowly than the parameters do. */
static equant_status judge_slow(void *context, const draws *kept, const draws *begin,
                                const convergence_goals *goals, convergence_verdict *verdict)
{
    (void)context, (void)kept, (void)begin;
    const diagnostics slow = {.rhat = 1.0,
                              .ess_bulk = 1e6,
                              .ess_tail = 1e6,
                              .turnover = goals->n_steps / SLOW_STEPS,
                              .tail_turnover = goals->n_steps / SLOW_STEPS,
                              .start_width = 2.0};
    convergence_add(goals, 0, &slow, verdict);
    return EQUANT_SUCCESS;
}

static void a_slow_derived_quantity_lengthens_the_burn_in(void **state)
{
    (void)state;
    toy_target toy = {.n_coordinates = D,
                      .log_prior = toy_normal_prior,
                      .log_likelihood = toy_linear,
                      .quantile = toy_normal_quantile};
    const sampler_target target = toy_sampler_target(&toy);
    const sampler_run_options options = {.sampler = {.seed = 3,
                                                     .n_populations = N_POPULATIONS,
                                                     .n_walkers = N_WALKERS,
                                                     .n_threads = 1},
                                         .n_burn_in = 100,
                                         .thinning = 4,
                                         .max_draws = 100000};
    const sampler_run_goals goals = {.max_rhat = 1.01, .min_ess = 1000.0, .max_steps = 20000};
    const sampler_run_audience nobody = {.checkpoint_seconds = 1e9};
    equant_sample_end end = EQUANT_END_NONE;
    sampler_run *run = NULL;
    assert_int_equal(sampler_run_create_on(&options, &target, NULL, &run), EQUANT_SUCCESS);
    run->judge_told = judge_slow;
    assert_int_equal(sampler_run_to_end(run, &goals, &nobody, &end), EQUANT_SUCCESS);
    double n_burn_in = (double)run->state.schedule.window_start;
    double n_steps = (double)sampler_n_steps(run->walkers);
    print_message("%g steps, %g of them burn-in\n", n_steps, n_burn_in);
    assert_int_equal(end, EQUANT_END_CONVERGED);
    assert_true(n_burn_in >= 8.0 * SLOW_STEPS && n_burn_in < 12.0 * SLOW_STEPS);
    assert_true(n_steps - n_burn_in >= CONVERGENCE_TURNOVER * SLOW_STEPS);
    sampler_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_derived_quantity_lengthens_the_burn_in),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
