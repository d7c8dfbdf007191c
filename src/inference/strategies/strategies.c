/* equant_strategies: all stars under all strategies, and what that comes to. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/strategies/trial.h"
#include "inference/strategies/trial_summary.h"
#include "parallel/task_pool.h"

/* Times that are nearer to each other are of one night. */
#define NIGHT_PAUSE_DAYS 0.3

struct equant_strategies {
    trial_setting setting;
    equant_strategy_trial *trials; /* [EQUANT_N_STRATEGIES][n_stars] */
};

static const char *const names[EQUANT_N_STRATEGIES] = {"random", "uniform", "everything", "modes",
                                                       "candidate"};

const char *equant_strategy_name(equant_strategy strategy)
{
    return (unsigned)strategy < EQUANT_N_STRATEGIES ? names[strategy] : NULL;
}

/* ---- options ----------------------------------------------------------------------------------
 */

static double number_or(double given, double usual)
{
    return given == 0.0 ? usual : given;
}

static size_t count_or(size_t given, size_t usual)
{
    return given == 0 ? usual : given;
}

#define GIVEN(member) OPTION_OR_ZERO(options, equant_strategies_options, member)

static trial_setting setting_of(const equant_strategies_options *options)
{
    double rotation = number_or(GIVEN(rotation), 0.5);
    return (trial_setting){.n_times = GIVEN(n_times),
                           .time_days = GIVEN(time_days),
                           .question = GIVEN(question),
                           .n_stars = count_or(GIVEN(n_stars), 200),
                           .n_first = count_or(GIVEN(n_first), 20),
                           .n_most = count_or(GIVEN(n_most), 150),
                           .amplitude = number_or(GIVEN(amplitude), 1.0),
                           .rotation = rotation > 0.0 ? rotation : 0.0,
                           .per_day_min = 1.0 / number_or(GIVEN(period_max_days), 300.0),
                           .per_day_max = 1.0 / number_or(GIVEN(period_min_days), 5.0),
                           .probability = number_or(GIVEN(probability), 0.95),
                           .cadence_days = number_or(GIVEN(cadence_days), 5.0),
                           .ahead_days = number_or(GIVEN(ahead_days), 15.0),
                           .span_days = number_or(GIVEN(span_days), 1500.0),
                           .seed = GIVEN(seed)};
}

static equant_status check_times(const trial_setting *setting)
{
    if (setting->n_times == 0 || !setting->time_days)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "strategies need times at which a star can be observed");
    for (size_t k = 0; k < setting->n_times; k++)
        if (!isfinite(setting->time_days[k]) ||
            (k > 0 && !(setting->time_days[k] > setting->time_days[k - 1])))
            return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                               "times of observations are numbers in their order; that at place "
                               "%zu is not",
                               k + 1);
    return EQUANT_SUCCESS;
}

static bool is_positive(double number)
{
    return number > 0.0 && isfinite(number);
}

static equant_status check(const trial_setting *setting)
{
    if (!is_positive(setting->amplitude) || !isfinite(setting->rotation) ||
        setting->rotation > 100.0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "amplitudes of planet and rotation are in units of the error, positive "
                           "and up to 100");
    if (!is_positive(setting->per_day_min) || !(setting->per_day_max > setting->per_day_min) ||
        setting->per_day_max > 0.5)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods go from 2 days or more to a longer one");
    if (!(setting->probability > 0.5 && setting->probability < 1.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the probability of an answer is above one half and below one");
    if (!is_positive(setting->cadence_days) || !is_positive(setting->ahead_days) ||
        !is_positive(setting->span_days) || setting->span_days > 1e5)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the cadence, the days to look ahead and those in which a star is "
                           "observed are above zero, the last below 100,000");
    if ((unsigned)setting->question > EQUANT_QUESTION_ALIAS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no such question");
    if (setting->n_stars > 1000000 || setting->n_first < 3 || setting->n_first > 10000 ||
        setting->n_most > 100000)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "up to a million stars, 3 to 10,000 first observations, up to 100,000 "
                           "further ones");
    return check_times(setting);
}

static equant_status own_times(trial_setting *setting)
{
    size_t n = setting->n_times;
    double *times = malloc(n * sizeof *times);
    size_t *ends = malloc(n * sizeof *ends);
    if (!times || !ends) {
        free(times);
        free(ends);
        setting->time_days = NULL;
        return status_out_of_memory();
    }
    memcpy(times, setting->time_days, n * sizeof *times);
    for (size_t k = 1; k <= n; k++)
        if (k == n || times[k] - times[k - 1] >= NIGHT_PAUSE_DAYS)
            ends[setting->n_nights++] = k;
    setting->time_days = times;
    setting->night_ends = ends;
    return EQUANT_SUCCESS;
}

/* ---- all trials -------------------------------------------------------------------------------
 */

typedef struct all_trials {
    equant_strategies *study;
    equant_progress progress;
    void *progress_context;
    size_t n_done;        /* by all threads             */
    int is_over;          /* nobody goes on             */
    equant_status status; /* of the first that failed   */
    char sentence[256];
} all_trials;

/* What a thread of them works at. */
typedef struct trial_piece {
    all_trials *all;
    int worker;
} trial_piece;

static void fail(all_trials *all, equant_status status)
{
    if (__atomic_exchange_n(&all->is_over, 1, __ATOMIC_SEQ_CST) != 0)
        return;
    strncpy(all->sentence, equant_last_error(), sizeof all->sentence - 1);
    all->status = status;
}

static void tell(void *context)
{
    all_trials *all = context;
    size_t n = EQUANT_N_STRATEGIES * all->study->setting.n_stars,
           done = __atomic_load_n(&all->n_done, __ATOMIC_SEQ_CST);
    equant_status status = progress_report_tell(all->progress, all->progress_context, "observing",
                                                (double)done / (double)n);
    if (status != EQUANT_SUCCESS)
        fail(all, status);
}

/* The first worker is the caller's own thread, which may tell him. */
static bool is_wanted(void *context)
{
    const trial_piece *piece = context;
    if (piece->worker == 0)
        tell(piece->all);
    return !__atomic_load_n(&piece->all->is_over, __ATOMIC_SEQ_CST);
}

static void run_piece(void *context, size_t index, int worker)
{
    trial_piece piece = {context, worker};
    const trial_setting *setting = &piece.all->study->setting;
    equant_strategy strategy = (equant_strategy)(index % EQUANT_N_STRATEGIES);
    size_t star = index / EQUANT_N_STRATEGIES;
    if (!is_wanted(&piece))
        return;
    equant_status status =
        trial_run(setting, star, strategy, is_wanted, &piece,
                  &piece.all->study->trials[(size_t)strategy * setting->n_stars + star]);
    if (status != EQUANT_SUCCESS)
        fail(piece.all, status);
    __atomic_add_fetch(&piece.all->n_done, 1, __ATOMIC_SEQ_CST);
}

static equant_status run_all(equant_strategies *study, const equant_strategies_options *options)
{
    const equant_work work = {.struct_size = sizeof work, .kind = EQUANT_WORK_SMALL_BATCHES};
    equant_placement_info place = {.struct_size = sizeof place};
    all_trials all = {
        .study = study, .progress = GIVEN(progress), .progress_context = GIVEN(progress_context)};
    equant_status status = equant_placement(GIVEN(engine), &work, &place);
    if (status != EQUANT_SUCCESS)
        return status;
    task_pool *pool = task_pool_create(place.n_threads);
    if (!pool)
        return status_out_of_memory();
    task_pool_run(pool, 0, EQUANT_N_STRATEGIES * study->setting.n_stars, run_piece, &all, tell);
    task_pool_free(pool);
    return all.status == EQUANT_SUCCESS ? EQUANT_SUCCESS
                                        : status_fail(all.status, "%s", all.sentence);
}

equant_status equant_strategies_compare(const equant_strategies_options *options,
                                        equant_strategies **out)
{
    if (!options || !out)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a comparison of strategies needs options and a place to put it");
    equant_status status = OPTIONS_CHECK(options);
    trial_setting setting = {.n_times = 0};
    if (status == EQUANT_SUCCESS) {
        setting = setting_of(options);
        status = check(&setting);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    equant_strategies *made = calloc(1, sizeof *made);
    if (!made)
        return status_out_of_memory();
    made->setting = setting;
    status = own_times(&made->setting);
    if (status == EQUANT_SUCCESS) {
        made->trials = calloc(setting.n_stars, EQUANT_N_STRATEGIES * sizeof *made->trials);
        status = made->trials ? run_all(made, options) : status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS)
        *out = made;
    else
        equant_strategies_free(made);
    return status;
}

void equant_strategies_free(equant_strategies *study)
{
    if (!study)
        return;
    free((void *)study->setting.time_days);
    free((void *)study->setting.night_ends);
    free(study->trials);
    free(study);
}

/* ---- what came out ----------------------------------------------------------------------------
 */

size_t equant_strategies_n_stars(const equant_strategies *study)
{
    return study ? study->setting.n_stars : 0;
}

static equant_status check_strategy(equant_strategy strategy)
{
    return equant_strategy_name(strategy)
               ? EQUANT_SUCCESS
               : status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are %d strategies, from 0",
                             EQUANT_N_STRATEGIES);
}

equant_status equant_strategies_trial(const equant_strategies *study, equant_strategy strategy,
                                      size_t star, equant_strategy_trial *out)
{
    if (!study)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no strategies");
    equant_status status = check_strategy(strategy);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    if (star >= study->setting.n_stars)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are %zu stars, and none has index %zu", study->setting.n_stars,
                           star);
    equant_strategy_trial known = study->trials[(size_t)strategy * study->setting.n_stars + star];
    OPTIONS_FILL(known, out);
    return EQUANT_SUCCESS;
}

equant_status equant_strategies_summarize(const equant_strategies *study, equant_strategy strategy,
                                          equant_strategy_summary *out)
{
    if (!study)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no strategies");
    equant_status status = check_strategy(strategy);
    if (status == EQUANT_SUCCESS)
        status = OPTIONS_CHECK(out);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = study->setting.n_stars;
    equant_strategy_summary known;
    status = trial_summary_make(&study->setting, study->trials + (size_t)strategy * n,
                                study->trials + (size_t)EQUANT_STRATEGY_UNIFORM * n, &known);
    if (status == EQUANT_SUCCESS)
        OPTIONS_FILL(known, out);
    return status;
}
