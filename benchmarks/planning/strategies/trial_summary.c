#include "strategies/trial_summary.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "strategies/trial_star.h"

enum { N_SAMPLES = 1000 };

static int by_size(const void *a, const void *b)
{
    const double *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* What a star has taken: one without an answer, all that it may have. */
static double taken_by(const trial_setting *setting, const strategy_trial *trial)
{
    return (double)(trial->is_answered ? trial->n_observations : setting->n_most);
}

/* Sums over stars, or over a sample of them. */
typedef struct trial_sums {
    double own, uniform;
} trial_sums;

/* Sample 0 is the stars themselves. Both strategies have the same stars in a sample. */
static trial_sums sum_up(const trial_setting *setting, const strategy_trial *trials,
                         const strategy_trial *uniform, size_t sample)
{
    trial_sums sums = {0.0, 0.0};
    number_source numbers = trial_star_numbers(setting, sample, TRIAL_USE_BOOTSTRAP);
    for (size_t i = 0; i < setting->n_stars; i++) {
        size_t star = sample == 0 ? i : number_source_below(&numbers, setting->n_stars);
        sums.own += taken_by(setting, &trials[star]);
        sums.uniform += taken_by(setting, &uniform[star]);
    }
    return sums;
}

static double saving_of(trial_sums sums, double first)
{
    return sums.uniform + first > 0.0 ? 1.0 - (sums.own + first) / (sums.uniform + first) : 0.0;
}

/* Mean and squares of something over samples. */
typedef struct sample_moments {
    double sum, squares;
} sample_moments;

static void add(sample_moments *moments, double value)
{
    moments->sum += value;
    moments->squares += value * value;
}

static double deviation_of(const sample_moments *moments)
{
    double mean = moments->sum / N_SAMPLES;
    return sqrt(fmax(moments->squares / N_SAMPLES - mean * mean, 0.0));
}

static double median_of(size_t n, double *values)
{
    qsort(values, n, sizeof *values, by_size);
    return 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

equant_status trial_summary_make(const trial_setting *setting, const strategy_trial *trials,
                                 const strategy_trial *uniform, strategy_summary *made)
{
    size_t n = setting->n_stars;
    double *counts = malloc(n * sizeof *counts), first = (double)(n * setting->n_first);
    if (!counts)
        return status_out_of_memory();
    trial_sums whole = sum_up(setting, trials, uniform, 0);
    *made = (strategy_summary){.mean_observations = whole.own / (double)n,
                               .saving = saving_of(whole, 0.0),
                               .saving_of_all = saving_of(whole, first)};
    for (size_t i = 0; i < n; i++) {
        counts[i] = taken_by(setting, &trials[i]);
        made->n_answered += trials[i].is_answered != 0;
        made->n_misled += trials[i].is_misled != 0;
        made->mean_days += trials[i].days / (double)n;
    }
    made->median_observations = median_of(n, counts);
    free(counts);
    sample_moments means = {0.0, 0.0}, savings = {0.0, 0.0}, savings_of_all = {0.0, 0.0};
    for (size_t sample = 1; sample <= N_SAMPLES; sample++) {
        trial_sums own = sum_up(setting, trials, uniform, sample);
        add(&means, own.own / (double)n);
        add(&savings, saving_of(own, 0.0));
        add(&savings_of_all, saving_of(own, first));
    }
    made->mean_error = deviation_of(&means);
    made->saving_error = deviation_of(&savings);
    made->saving_of_all_error = deviation_of(&savings_of_all);
    return EQUANT_SUCCESS;
}
