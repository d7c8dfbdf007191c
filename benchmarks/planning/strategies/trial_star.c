#include "strategies/trial_star.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "noise/noise_factor.h"
#include "statistics/noise_terms.h"

#define TWO_PI 6.283185307179586476925286766559
/* Sidereal days are the cycle of a night's hours. */
#define SIDEREAL_PER_DAY 1.00273790935
#define DAYS_OF_A_YEAR 365.25

/* Stars turn in 10 to 40 days, log-uniform; spots live for a turn or two. */
static const double rotation_min_days = 10.0, rotation_ratio = 4.0;
static const double rotation_quality = 2.0, rotation_extra = 0.5, rotation_mix = 0.5;

/* The nights of the first observations are drawn from so many times their number. */
enum { NIGHTS_PER_FIRST = 3 };

number_source trial_star_numbers(const trial_setting *setting, size_t number, trial_use use)
{
    return (number_source){{setting->seed, RANDOM_PURPOSE_TRIALS, 1 + (uint32_t)use},
                           (uint64_t)number << 24};
}

void trial_star_free(trial_star *star)
{
    free(star->velocities);
    free(star->first_observations);
    memset(star, 0, sizeof *star);
}

static double log_uniform(number_source *numbers, double low, double high)
{
    return low * pow(high / low, number_source_uniform(numbers));
}

/* Correlated noise at all times, by colouring white numbers. */
static equant_status add_process(const trial_star *star, size_t n, const double *time_days,
                                 number_source *numbers, double *velocities)
{
    noise_factor factor = {.n_rows = 0};
    const noise_factor_rows rows = {.n = n, .time_days = time_days};
    double *room = malloc((2 * n + NOISE_PROCESS_MOST_STATES + 1) * sizeof *room);
    equant_status status =
        room ? noise_factor_create(n, (size_t)star->process.n_states, false, &factor)
             : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        for (size_t k = 0; k < n; k++) {
            room[k] = number_source_normal(numbers);
            room[n + k] = 1.0; /* the error of an observation is part of the covariance */
        }
        if (noise_factor_make(&factor, &star->process, &rows, room + n))
            noise_factor_colour(&factor, 1, room, room + 2 * n);
        else
            status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                                 "no noise is so much larger than the error of an observation");
        for (size_t k = 0; k < n; k++)
            velocities[k] += room[k];
    }
    noise_factor_free(&factor);
    free(room);
    return status;
}

static void draw_planet(const trial_setting *setting, number_source *numbers, trial_star *made)
{
    double rotation_days =
        log_uniform(numbers, rotation_min_days, rotation_min_days * rotation_ratio);
    made->per_day = log_uniform(numbers, setting->per_day_min, setting->per_day_max);
    made->alias_per_day = number_source_uniform(numbers) < 0.5 ? SIDEREAL_PER_DAY - made->per_day
                                                               : SIDEREAL_PER_DAY + made->per_day;
    const double values[] = {setting->rotation, rotation_days, rotation_quality, rotation_extra,
                             rotation_mix};
    if (setting->rotation > 0.0)
        noise_terms_add(&made->process, NOISE_ROTATION, values, 1);
}

/* Seasons differ: a star begins at some night of the first year. */
static equant_status choose_times(const trial_setting *setting, number_source *numbers,
                                  trial_star *made)
{
    const double *times = setting->time_days;
    double begin = times[0] + DAYS_OF_A_YEAR * number_source_uniform(numbers);
    while (made->first_time < setting->n_times && times[made->first_time] < begin)
        made->first_time++;
    made->last_time = made->first_time;
    while (made->last_time < setting->n_times &&
           times[made->last_time] < begin + setting->span_days)
        made->last_time++;
    if (made->last_time == made->first_time ||
        trial_setting_night(setting, made->last_time - 1) <
            trial_setting_night(setting, made->first_time) + NIGHTS_PER_FIRST * setting->n_first)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "there are too few nights: they reach over a year more than the %g days "
                           "in which a star is observed",
                           setting->span_days);
    return EQUANT_SUCCESS;
}

/* Nights without repetition, in their order, and any time of each. */
static void choose_first(const trial_setting *setting, number_source *numbers, trial_star *made)
{
    size_t night = trial_setting_night(setting, made->first_time) + 1,
           n_left = NIGHTS_PER_FIRST * setting->n_first - 1, n_taken = 0;
    for (; n_taken < setting->n_first; night++, n_left--) {
        size_t wanted = setting->n_first - n_taken;
        if (number_source_uniform(numbers) * (double)n_left >= (double)wanted)
            continue;
        size_t begin = trial_setting_night_begin(setting, night);
        made->first_observations[n_taken++] =
            begin + number_source_below(numbers, setting->night_ends[night] - begin);
    }
}

equant_status trial_star_create(const trial_setting *setting, size_t number, trial_star *made)
{
    memset(made, 0, sizeof *made);
    number_source numbers = trial_star_numbers(setting, number, TRIAL_USE_STAR),
                  noise = trial_star_numbers(setting, number, TRIAL_USE_NOISE);
    draw_planet(setting, &numbers, made);
    double phase = TWO_PI * number_source_uniform(&numbers);
    equant_status status = choose_times(setting, &numbers, made);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n = made->last_time - made->first_time;
    const double *times = setting->time_days + made->first_time;
    made->velocities = malloc(n * sizeof *made->velocities);
    made->first_observations = malloc(setting->n_first * sizeof *made->first_observations);
    status = made->velocities && made->first_observations ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        choose_first(setting, &numbers, made);
        for (size_t k = 0; k < n; k++)
            made->velocities[k] =
                setting->amplitude * cos(TWO_PI * made->per_day * (times[k] - times[0]) + phase);
        status = add_process(made, n, times, &noise, made->velocities);
    }
    if (status != EQUANT_SUCCESS)
        trial_star_free(made);
    return status;
}

/* ---- what is believed -------------------------------------------------------------------------
 */

/* Steps of the grid in units of 1 / span: the phase at either end of the data errs by 0.24 rad at
 * most. */
#define STEP_OF_GRID 0.15

/* All periods between the limits, log-uniform, and no planet as probable as one. */
static equant_status make_grid(const trial_setting *setting, period_prior *prior, double **arrays)
{
    double step = STEP_OF_GRID / setting->span_days;
    size_t n = (size_t)((setting->per_day_max - setting->per_day_min) / step) + 2;
    double *made = malloc(2 * (n + 1) * sizeof *made), sum = 0.0;
    if (!made)
        return status_out_of_memory();
    step = (setting->per_day_max - setting->per_day_min) / (double)(n - 1);
    for (size_t i = 0; i < n; i++) {
        made[i + 1] = setting->per_day_min + step * (double)i;
        made[n + 1 + i + 1] = 1.0 / made[i + 1];
        sum += 1.0 / made[i + 1];
    }
    made[0] = 0.0;
    made[n + 1] = sum;
    prior->n = n + 1;
    prior->per_day = made;
    prior->probabilities = made + n + 1;
    *arrays = made;
    return EQUANT_SUCCESS;
}

equant_status trial_star_begin(const trial_setting *setting, const trial_star *star,
                               period_belief *belief)
{
    const double pair[] = {star->per_day, star->alias_per_day}, equal[] = {1.0, 1.0};
    /* The offset is unknown; amplitudes are those of planets that one looks for. */
    period_prior prior = {
        .n = 2, .per_day = pair, .probabilities = equal, .offset_m_s = 10.0, .amplitude_m_s = 1.0};
    double *arrays = NULL;
    equant_status status =
        setting->question == QUESTION_PERIOD ? make_grid(setting, &prior, &arrays) : EQUANT_SUCCESS;
    if (status == EQUANT_SUCCESS)
        status = period_belief_create(&prior, &star->process, belief);
    free(arrays);
    for (size_t i = 0; i < setting->n_first && status == EQUANT_SUCCESS; i++) {
        size_t time = star->first_observations[i];
        period_belief_take(belief, setting->time_days[time],
                           star->velocities[time - star->first_time], 1.0);
    }
    return status;
}
