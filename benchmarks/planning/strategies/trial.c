#include "strategies/trial.h"

#include <math.h>

#include "strategies/next_time.h"

/* How probable the right answer is, and the most probable of the wrong ones. */
typedef struct trial_answer {
    double right, wrong;
} trial_answer;

static trial_answer answer_of(const trial_setting *setting, const trial_star *star,
                              const period_belief *belief)
{
    double width = setting->question == QUESTION_PERIOD ? time_gain_mode_width(belief) : 0.0;
    trial_answer made = {period_belief_near(belief, star->per_day, width), 0.0};
    size_t best = period_belief_best(belief);
    if (fabs(belief->per_day[best] - star->per_day) > 2.0 * width)
        made.wrong = period_belief_near(belief, belief->per_day[best], width);
    return made;
}

static equant_status observe(const trial_setting *setting, const trial_star *star,
                             observing_strategy strategy, period_belief *belief,
                             number_source *numbers, time_gain_room *room,
                             trial_is_wanted *is_wanted, void *context, strategy_trial *result)
{
    size_t last = star->first_observations[setting->n_first - 1];
    double begin = setting->time_days[last];
    equant_status status = EQUANT_SUCCESS;
    for (size_t n = 0;; n++) {
        trial_answer answer = answer_of(setting, star, belief);
        result->is_answered = answer.right >= setting->probability;
        result->is_misled |= answer.wrong >= setting->probability;
        result->probability = answer.right;
        result->n_observations = n;
        result->days = setting->time_days[last] - begin;
        if (result->is_answered || n == setting->n_most || !is_wanted(context))
            return status;
        size_t next = star->last_time;
        status = next_time_find(setting, star, strategy, belief, last, numbers, room, &next);
        if (status != EQUANT_SUCCESS || next >= star->last_time)
            return status;
        period_belief_take(belief, setting->time_days[next],
                           star->velocities[next - star->first_time], 1.0);
        last = next;
    }
}

equant_status trial_run(const trial_setting *setting, size_t number, observing_strategy strategy,
                        trial_is_wanted *is_wanted, void *context, strategy_trial *result)
{
    trial_star star;
    period_belief belief = {.n = 0};
    time_gain_room room = {.n = 0};
    number_source numbers = trial_star_numbers(setting, number, TRIAL_USE_NIGHTS);
    equant_status status = trial_star_create(setting, number, &star);
    if (status == EQUANT_SUCCESS)
        status = trial_star_begin(setting, &star, &belief);
    if (status == EQUANT_SUCCESS)
        status = time_gain_room_create(belief.n, &room);
    *result = (strategy_trial){.period_days = 1.0 / star.per_day};
    if (status == EQUANT_SUCCESS)
        status =
            observe(setting, &star, strategy, &belief, &numbers, &room, is_wanted, context, result);
    time_gain_room_free(&room);
    period_belief_free(&belief);
    trial_star_free(&star);
    return status;
}
