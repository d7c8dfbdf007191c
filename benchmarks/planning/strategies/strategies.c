#include "strategies/strategies.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "core/status_fail.h"
#include "parallel/parallel_for.h"
#include "strategies/trial.h"

/* Times that are nearer to each other are of one night. */
#define NIGHT_PAUSE_DAYS 0.3

const char *strategy_name(observing_strategy strategy)
{
    static const char *const names[N_STRATEGIES] = {"random", "uniform", "everything", "modes",
                                                    "candidate"};
    return names[strategy];
}

size_t strategies_find_nights(size_t n_times, const double *time_days, size_t *ends)
{
    size_t n = 0;
    for (size_t k = 1; k <= n_times; k++)
        if (k == n_times || time_days[k] - time_days[k - 1] >= NIGHT_PAUSE_DAYS)
            ends[n++] = k;
    return n;
}

/* ---- all trials -------------------------------------------------------------------------------
 */

typedef struct all_trials {
    const trial_setting *setting;
    strategy_trial *trials;
    atomic_int status; /* the largest of those that failed */
} all_trials;

static bool is_wanted(void *context)
{
    const all_trials *all = context;
    return atomic_load(&all->status) == EQUANT_SUCCESS;
}

static void run_some(void *context, size_t first, size_t end, int thread)
{
    all_trials *all = context;
    (void)thread;
    for (size_t i = first; i < end && is_wanted(all); i++) {
        observing_strategy strategy = (observing_strategy)(i % N_STRATEGIES);
        size_t star = i / N_STRATEGIES;
        equant_status status =
            trial_run(all->setting, star, strategy, is_wanted, all,
                      &all->trials[(size_t)strategy * all->setting->n_stars + star]);
        if (status != EQUANT_SUCCESS)
            parallel_keep_larger(&all->status, (int)status);
    }
}

equant_status strategies_run(const trial_setting *setting, int n_threads, strategy_trial *trials)
{
    all_trials all = {.setting = setting, .trials = trials};
    if (setting->n_nights == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "strategies need times at which a star can be observed");
    parallel_for(n_threads, N_STRATEGIES * setting->n_stars, 1, run_some, &all);
    equant_status status = (equant_status)atomic_load(&all.status);
    return status == EQUANT_SUCCESS
               ? EQUANT_SUCCESS
               : status_fail(status, "too few nights for the first observations of a star, or too "
                                     "little memory");
}
