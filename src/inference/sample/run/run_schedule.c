#include "inference/sample/run/run_schedule.h"

enum { N_ROUNDS = 6, FIRST_CHECK = 100 };

run_schedule run_schedule_begin(uint64_t n_burn_in, uint64_t thinning, size_t capacity)
{
    return (run_schedule){.n_burn_in = n_burn_in,
                          .thinning = thinning,
                          .capacity = capacity + capacity % 2,
                          .window_start = n_burn_in,
                          .thin = thinning,
                          .next_check = n_burn_in + FIRST_CHECK};
}

/* Rounds end at 1/32, 1/16, 1/8 ... of the burn-in. */
bool run_schedule_ends_round(const run_schedule *schedule, uint64_t step)
{
    for (int i = 0; i < N_ROUNDS; i++)
        if (step == schedule->n_burn_in >> i)
            return step > 0;
    return false;
}

bool run_schedule_ends_burn_in(const run_schedule *schedule, uint64_t step)
{
    return step == schedule->n_burn_in;
}

bool run_schedule_keeps(const run_schedule *schedule, uint64_t step)
{
    return step > schedule->window_start && (step - schedule->window_start) % schedule->thin == 0;
}

void run_schedule_halve(run_schedule *schedule)
{
    schedule->thin *= 2;
}

bool run_schedule_checks(run_schedule *schedule, uint64_t step)
{
    if (step < schedule->next_check)
        return false;
    uint64_t growth = (step - schedule->window_start) / 4;
    schedule->next_check = step + (growth > FIRST_CHECK ? growth : FIRST_CHECK);
    return true;
}

bool run_schedule_wants_later_window(const run_schedule *schedule, uint64_t step)
{
    return step - schedule->window_start >= 2 * schedule->window_start;
}
