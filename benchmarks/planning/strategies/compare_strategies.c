/* How many observations ways to choose the next one need, on simulated stars, and how much that is
 * less than for uniform nights: decision 0043, docs/plan.md.
 *
 *   compare_strategies [NAME=VALUE...]
 *
 * question=period (or alias) stars=200 k=1 rotation=0.5 period_min=5 period_max=300 first=20
 * most=150 cadence=5 ahead=15 span=1500 probability=0.95 seed=1 threads=1; the nights of site="La
 * Palma" ra=18:02:30.9 dec=26:18:47 from start=2026-01-01, every step=90 minutes; trials=FILE takes
 * a line for each star and strategy. From the root of the repository:
 *
 *   cc -O2 -std=gnu11 -ffp-contract=off -Isrc -Iinclude -Ibenchmarks/planning
 *     -isystem third_party benchmarks/planning/strategies/[a-z]*.c build/libequant.a LIBRARIES -lm
 *
 * with the libraries that `ninja -C build -t commands equant` ends with. */
#include <math.h>
#include <string.h>

#include "../../trial_run.h"
#include "strategies/strategies.h"
#include "strategies/trial_summary.h"

/* Stars begin in different seasons of a year. */
#define YEAR_DAYS 367.0

static const char *text_of(int argc, char **argv, const char *name, const char *usual)
{
    size_t n = strlen(name);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], name, n) == 0 && argv[i][n] == '=')
            return argv[i] + n + 1;
    return usual;
}

static double number_of(int argc, char **argv, const char *name, double usual)
{
    const char *text = text_of(argc, argv, name, NULL);
    return text ? strtod(text, NULL) : usual;
}

static double *find_times(int argc, char **argv, double length_days, size_t *n)
{
    equant_site site = {.struct_size = sizeof site};
    equant_star_position star = {.struct_size = sizeof star};
    equant_nights *nights = NULL;
    double start;
    must(equant_site_find(text_of(argc, argv, "site", "La Palma"), &site));
    must(equant_star_position_read(text_of(argc, argv, "ra", "18:02:30.9"),
                                   text_of(argc, argv, "dec", "26:18:47"), &star));
    must(equant_utc_read(text_of(argc, argv, "start", "2026-01-01"), &start));
    must(equant_nights_create(1, &site, &star, start, start + length_days, NULL, &nights));
    must(equant_nights_find_times(nights, number_of(argc, argv, "step", 90.0), 0.0));
    *n = equant_nights_n_times(nights);
    double *times = allocate(*n + 1, sizeof *times);
    for (size_t i = 0; i < *n; i++) {
        equant_sky_conditions sky = {.struct_size = sizeof sky};
        must(equant_nights_time(nights, i, NULL, &sky));
        times[i] = sky.bjd_tdb;
    }
    equant_nights_free(nights);
    return times;
}

static trial_setting setting_of(int argc, char **argv)
{
    trial_setting made = {.question =
                              strcmp(text_of(argc, argv, "question", "period"), "alias") == 0
                                  ? QUESTION_ALIAS
                                  : QUESTION_PERIOD,
                          .n_stars = (size_t)number_of(argc, argv, "stars", 200.0),
                          .n_first = (size_t)number_of(argc, argv, "first", 20.0),
                          .n_most = (size_t)number_of(argc, argv, "most", 150.0),
                          .amplitude = number_of(argc, argv, "k", 1.0),
                          .rotation = number_of(argc, argv, "rotation", 0.5),
                          .per_day_min = 1.0 / number_of(argc, argv, "period_max", 300.0),
                          .per_day_max = 1.0 / number_of(argc, argv, "period_min", 5.0),
                          .probability = number_of(argc, argv, "probability", 0.95),
                          .cadence_days = number_of(argc, argv, "cadence", 5.0),
                          .ahead_days = number_of(argc, argv, "ahead", 15.0),
                          .span_days = number_of(argc, argv, "span", 1500.0),
                          .seed = (uint64_t)number_of(argc, argv, "seed", 1.0)};
    double *times = find_times(argc, argv, made.span_days + YEAR_DAYS, &made.n_times);
    size_t *ends = allocate(made.n_times + 1, sizeof *ends);
    made.n_nights = strategies_find_nights(made.n_times, times, ends);
    made.time_days = times;
    made.night_ends = ends;
    return made;
}

static void print_summaries(const trial_setting *setting, const strategy_trial *trials)
{
    printf("%-11s answered misled   observations    median        fewer of all, fewer  days\n",
           "strategy");
    for (int k = 0; k < N_STRATEGIES; k++) {
        strategy_summary own;
        must(trial_summary_make(setting, trials + (size_t)k * setting->n_stars,
                                trials + (size_t)STRATEGY_UNIFORM * setting->n_stars, &own));
        printf("%-11s %8zu %6zu %6.1f +- %5.1f %9.0f %4.0f +- %2.0f %% %6.0f +- %2.0f %% %5.0f\n",
               strategy_name((observing_strategy)k), own.n_answered, own.n_misled,
               own.mean_observations, own.mean_error, own.median_observations, 100.0 * own.saving,
               100.0 * own.saving_error, 100.0 * own.saving_of_all, 100.0 * own.saving_of_all_error,
               own.mean_days);
    }
}

static void write_trials(const char *path, const trial_setting *setting,
                         const strategy_trial *trials)
{
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "star,period,strategy,answered,misled,observations,days,probability\n");
    for (size_t star = 0; star < setting->n_stars; star++)
        for (int k = 0; k < N_STRATEGIES; k++) {
            const strategy_trial *own = &trials[(size_t)k * setting->n_stars + star];
            fprintf(file, "%zu,%.17g,%s,%d,%d,%zu,%.17g,%.17g\n", star + 1, own->period_days,
                    strategy_name((observing_strategy)k), own->is_answered, own->is_misled,
                    own->n_observations, own->days, own->probability);
        }
    fclose(file);
}

int main(int argc, char **argv)
{
    trial_setting setting = setting_of(argc, argv);
    strategy_trial *trials = allocate(N_STRATEGIES * setting.n_stars, sizeof *trials);
    must(strategies_run(&setting, (int)number_of(argc, argv, "threads", 1.0), trials));
    print_summaries(&setting, trials);
    write_trials(text_of(argc, argv, "trials", NULL), &setting, trials);
    free(trials);
    free((void *)setting.time_days);
    free((void *)setting.night_ends);
    return 0;
}
