#include "inference/select/planets/planet_rivals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Factors above this are not told as numbers. */
#define LARGE_FACTOR 1e4

/* Whether models that have a planet are asked for, or those that lack it. */
typedef struct asked_planet {
    double period_days;
    bool has_it;
} asked_planet;

static bool is_meant(const study *star, const solution *model, const void *context)
{
    const asked_planet *asked = context;
    return seen_models_has_period(star, model, asked->period_days) == asked->has_it;
}

/* ---- in words ----------------------------------------------------------------------------------
 */

/* "less probable by a factor of 720". */
static void say_odds(double delta_score, size_t n, char *text)
{
    double factor = exp(fabs(delta_score));
    const char *than = delta_score > 0.0 ? "more" : "less";
    if (factor > LARGE_FACTOR)
        snprintf(text, n, "%s probable by a factor of more than %.0f", than, LARGE_FACTOR);
    else
        snprintf(text, n,
                 factor < 10.0 ? "%s probable by a factor of %.1f"
                               : "%s probable by a factor of %.0f",
                 than, factor);
}

/* A period of the model, as it has it. */
static double own_period(const study *star, const solution *model, double period_days)
{
    double own = NAN, nearest = INFINITY;
    for (size_t p = 0; p < model->n_planets; p++) {
        double period = model->set[N_ELEMENTS * p + ELEMENT_PERIOD];
        double apart = fabs(1.0 / period - 1.0 / period_days) * star->span_days;
        if (apart < nearest) {
            nearest = apart;
            own = period;
        }
    }
    return own;
}

static void say(const study *star, const solution *reported, const seen_model *rival,
                planet_rival *made)
{
    char changes[MODEL_WORDS_SIZE], odds[96];
    const solution *fitted = &rival->fitted, *has_it = made->is_of_candidate ? fitted : reported;
    model_words_changes(star, reported, fitted, own_period(star, has_it, made->period_days),
                        changes);
    say_odds(made->delta_score, sizeof odds, odds);
    if (made->is_of_candidate)
        snprintf(made->sentence, sizeof made->sentence,
                 "The best model with the candidate of %.4g days has %s%s; it is %s",
                 made->period_days, changes,
                 strcmp(changes, "nothing") == 0 ? " else that is different" : " besides", odds);
    else
        snprintf(made->sentence, sizeof made->sentence,
                 "The best model without the planet of %.4g days has %s in its place; it is %s",
                 made->period_days, changes, odds);
    size_t n = strlen(made->sentence);
    snprintf(made->sentence + n, sizeof made->sentence - n, "%s%s.",
             rival->dismissed ? ", and no answer because " : "",
             rival->dismissed ? rival->dismissed : "");
}

/* ---- one of them -------------------------------------------------------------------------------
 */

static void keep_planets(const solution *model, planet_rival *made)
{
    made->n_planets = model->n_planets;
    for (size_t p = 0; p < model->n_planets; p++) {
        double period = model->set[N_ELEMENTS * p + ELEMENT_PERIOD];
        size_t place = p;
        for (; place > 0 && made->planets_days[place - 1] > period; place--)
            made->planets_days[place] = made->planets_days[place - 1];
        made->planets_days[place] = period;
    }
}

static equant_status find_one(study *star, const solution *reported, double score,
                              asked_planet asked, seen_models *seen, planet_rivals *made)
{
    const seen_models_question question = {is_meant, &asked};
    const seen_model *rival;
    equant_status status = seen_models_best_of(star, &question, seen, &rival);
    if (status != EQUANT_SUCCESS || !rival || !isfinite(rival->score))
        return status;
    const solution *fitted = &rival->fitted;
    planet_rival *own = &made->list[made->n++];
    *own = (planet_rival){.period_days = asked.period_days,
                          .is_of_candidate = asked.has_it,
                          .trend_order = fitted->trend_order,
                          .n_outliers = fitted->noise.outliers ? fitted->noise.outliers->n : 0,
                          .delta_lnl = fitted->log_likelihood - reported->log_likelihood,
                          .delta_score = rival->score - score};
    keep_planets(fitted, own);
    model_words_noise(star, fitted, own->noise);
    say(star, reported, rival, own);
    return status;
}

equant_status planet_rivals_find(study *star, const solution *reported, const solution *candidate,
                                 seen_models *seen, planet_rivals *made)
{
    double score;
    made->n = 0;
    equant_status status = seen_models_note(star, reported, seen);
    if (status == EQUANT_SUCCESS)
        status = seen_models_score_of(star, reported, seen, &score);
    if (status != EQUANT_SUCCESS || !isfinite(score))
        return status;
    for (size_t p = seen->given.n_known; p < reported->n_planets && status == EQUANT_SUCCESS; p++)
        status = find_one(star, reported, score,
                          (asked_planet){reported->set[N_ELEMENTS * p + ELEMENT_PERIOD], false},
                          seen, made);
    if (status != EQUANT_SUCCESS || !candidate || candidate->n_planets == 0)
        return status;
    double period = candidate->set[N_ELEMENTS * (candidate->n_planets - 1) + ELEMENT_PERIOD];
    return seen_models_has_period(star, reported, period)
               ? status
               : find_one(star, reported, score, (asked_planet){period, true}, seen, made);
}
