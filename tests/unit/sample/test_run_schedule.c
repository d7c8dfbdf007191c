/* The schedule of a run: rounds, kept steps, checks and windows, by the number of steps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "inference/sample/run/run_schedule.h"

static void rounds_double_and_end_the_burn_in(void **state)
{
    (void)state;
    const uint64_t ends[] = {25, 50, 100, 200, 400, 800};
    run_schedule schedule = run_schedule_begin(800, 4, 128);
    size_t n_ends = 0;
    for (uint64_t step = 1; step <= 2000; step++)
        if (run_schedule_ends_round(&schedule, step))
            assert_int_equal(step, ends[n_ends++]);
    assert_int_equal(n_ends, 6);
    assert_true(run_schedule_ends_burn_in(&schedule, 800));
    assert_false(run_schedule_ends_burn_in(&schedule, 400));
}

static void a_short_burn_in_has_fewer_rounds(void **state)
{
    (void)state;
    run_schedule schedule = run_schedule_begin(3, 1, 2);
    assert_false(run_schedule_ends_round(&schedule, 0));
    assert_true(run_schedule_ends_round(&schedule, 1));
    assert_false(run_schedule_ends_round(&schedule, 2));
    assert_true(run_schedule_ends_round(&schedule, 3));
}

/* Whatever was dropped, what is left lies in equal steps from the burn-in on. */
static void halving_leaves_a_regular_series(void **state)
{
    (void)state;
    run_schedule schedule = run_schedule_begin(100, 3, 15);
    uint64_t kept[16], n = 0;
    assert_int_equal(schedule.capacity, 16);
    for (uint64_t step = 1; step <= 5000; step++) {
        if (!run_schedule_keeps(&schedule, step))
            continue;
        kept[n++] = step;
        if (n == schedule.capacity) {
            for (uint64_t i = 0; i < n / 2; i++)
                kept[i] = kept[2 * i + 1]; /* as draws_halve does */
            n /= 2;
            run_schedule_halve(&schedule);
        }
    }
    assert_true(n >= 8);
    for (uint64_t i = 0; i < n; i++)
        assert_int_equal(kept[i], 100 + (i + 1) * schedule.thin);
}

static void checks_grow_further_apart(void **state)
{
    (void)state;
    run_schedule schedule = run_schedule_begin(400, 4, 128);
    uint64_t n_checks = 0, last = 400;
    for (uint64_t step = 401; step <= 100400; step++)
        if (run_schedule_checks(&schedule, step)) {
            assert_true(step - last >= 100);
            assert_true(step - last <= 100 + (step - 400) / 4);
            last = step;
            n_checks++;
        }
    assert_in_range(n_checks, 20, 40);
}

static void windows_move_when_they_are_twice_as_long_as_all_before(void **state)
{
    (void)state;
    run_schedule schedule = run_schedule_begin(400, 4, 128);
    assert_false(run_schedule_wants_later_window(&schedule, 1199));
    assert_true(run_schedule_wants_later_window(&schedule, 1200));
    schedule.window_start = 800;
    assert_false(run_schedule_wants_later_window(&schedule, 2399));
    assert_true(run_schedule_wants_later_window(&schedule, 2400));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_double_and_end_the_burn_in),
        cmocka_unit_test(a_short_burn_in_has_fewer_rounds),
        cmocka_unit_test(halving_leaves_a_regular_series),
        cmocka_unit_test(checks_grow_further_apart),
        cmocka_unit_test(windows_move_when_they_are_twice_as_long_as_all_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
