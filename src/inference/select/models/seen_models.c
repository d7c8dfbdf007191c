#include "inference/select/models/seen_models.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/likelihood/study_crew.h"
#include "inference/optimise/noise_choice.h"

/* In ln: models whose bounds are this near to the highest bound are scored with it. */
#define AT_ONCE 2.0
/* In ln L: fits that differ by less are the same fit. */
#define SAME_FIT 1e-3

/* ---- one model ---------------------------------------------------------------------------------
 */

static bool has_planet(const study *star, const solution *model, const bool *is_taken,
                       double frequency, size_t *planet)
{
    double nearest = 0.5 / star->span_days;
    *planet = model->n_planets;
    for (size_t p = 0; p < model->n_planets; p++) {
        double apart = fabs(1.0 / model->set[N_ELEMENTS * p] - frequency);
        if (!is_taken[p] && apart < nearest) {
            nearest = apart;
            *planet = p;
        }
    }
    return *planet < model->n_planets;
}

bool seen_models_are_same(const study *star, const solution *one, const solution *other)
{
    bool is_taken[STUDY_MAX_PLANETS] = {false};
    if (one->n_planets != other->n_planets || one->trend_order != other->trend_order ||
        !noise_choice_is_same(one->noise, other->noise))
        return false;
    for (size_t p = 0; p < one->n_planets; p++) {
        size_t planet;
        if (!has_planet(star, other, is_taken, 1.0 / one->set[N_ELEMENTS * p], &planet))
            return false;
        is_taken[planet] = true;
    }
    return true;
}

bool seen_models_has_period(const study *star, const solution *model, double period_days)
{
    const bool none_taken[STUDY_MAX_PLANETS] = {false};
    size_t planet;
    return has_planet(star, model, none_taken, 1.0 / period_days, &planet);
}

/* By this fits of the same model are compared. */
static double likelihood_of(const solution *fitted)
{
    return fitted->log_likelihood - outlier_set_price(fitted->noise.outliers);
}

/* ---- the list ----------------------------------------------------------------------------------
 */

static size_t place_of(const study *star, const solution *model, const seen_models *seen)
{
    size_t i = 0;
    while (i < seen->n && !seen_models_are_same(star, &seen->list[i].fitted, model))
        i++;
    return i;
}

/* A place for one more: that of the model that promises least, where there is no other. */
static equant_status make_place(const study *star, seen_models *seen, size_t *place)
{
    if (!seen->list)
        seen->list = calloc(SEEN_MODELS_MOST, sizeof *seen->list);
    if (!seen->list)
        return status_out_of_memory();
    *place = seen->n;
    if (seen->n < SEEN_MODELS_MOST) {
        equant_status status = solution_create(star, &seen->list[seen->n].fitted);
        seen->n += status == EQUANT_SUCCESS;
        return status;
    }
    *place = 0;
    for (size_t i = 1; i < seen->n; i++)
        if (likelihood_of(&seen->list[i].fitted) < likelihood_of(&seen->list[*place].fitted))
            *place = i;
    return EQUANT_SUCCESS;
}

equant_status seen_models_note(const study *star, const solution *fitted, seen_models *seen)
{
    size_t place = place_of(star, fitted, seen);
    bool is_wanted = fitted->n_planets >= seen->given.n_known &&
                     (seen->n_wanted == 0 || fitted->n_planets == seen->n_wanted);
    if (!is_wanted || !isfinite(fitted->log_likelihood))
        return EQUANT_SUCCESS;
    if (place < seen->n &&
        likelihood_of(fitted) < likelihood_of(&seen->list[place].fitted) + SAME_FIT)
        return EQUANT_SUCCESS;
    if (place == seen->n) {
        equant_status status = make_place(star, seen, &place);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    seen_model *kept = &seen->list[place];
    solution_copy(star, fitted, &kept->fitted);
    kept->bound = kept->score = NAN;
    kept->is_paid = false;
    kept->dismissed = NULL;
    return EQUANT_SUCCESS;
}

void seen_models_free(seen_models *seen)
{
    for (size_t i = 0; i < seen->n; i++)
        solution_free(&seen->list[i].fitted);
    free(seen->list);
    seen->list = NULL;
    seen->n = 0;
}

/* ---- scores ------------------------------------------------------------------------------------
 */

/* Pieces of work: the models of a list of which more is to be found out. */
typedef struct scoring {
    seen_models *seen;
    const seen_models_question *asked; /* NULL: those that were not dismissed */
    size_t n, chosen[SEEN_MODELS_MOST];
} scoring;

static bool is_meant(const study *star, const scoring *all, const seen_model *model)
{
    return all->asked ? all->asked->is_meant(star, &model->fitted, all->asked->context)
                      : !model->dismissed;
}

/* The best of those that are meant and have a score; NULL: none has. */
static const seen_model *best_meant(const study *star, const scoring *all)
{
    const seen_model *best = NULL;
    for (size_t i = 0; i < all->seen->n; i++) {
        const seen_model *model = &all->seen->list[i];
        if (!isnan(model->score) && is_meant(star, all, model) &&
            (!best || model->score > best->score))
            best = model;
    }
    return best;
}

/* Noise costs nothing where its price is not known yet. */
static equant_status find_bound(study *star, given_planets given, seen_model *model)
{
    solution unpaid = {.set = NULL};
    equant_status status = solution_create(star, &unpaid);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, &model->fitted, &unpaid);
    if (!model->is_paid)
        unpaid.noise_price = 0.0;
    status = model_score_bound(star, given, &unpaid, &model->bound);
    solution_free(&unpaid);
    return status;
}

/* One step: from nothing to a bound, to one with the noise paid for, to the score. */
static equant_status advance(study *star, void *context, size_t i)
{
    const scoring *all = context;
    const given_planets given = all->seen->given;
    seen_model *model = &all->seen->list[all->chosen[i]];
    equant_status status = EQUANT_SUCCESS;
    if (isnan(model->bound)) {
        model->is_paid = model->fitted.noise.terms == 0;
        status = find_bound(star, given, model);
    } else if (!model->is_paid) {
        model->is_paid = true;
        status = noise_choice_price_by_integral(star, given.n_fixed, &model->fitted);
        if (status == EQUANT_SUCCESS)
            status = find_bound(star, given, model);
    } else {
        status = model_score(star, given, &model->fitted, &model->score);
        model->bound = model->score = isnan(model->score) ? -INFINITY : model->score;
    }
    if (isnan(model->bound))
        model->bound = -INFINITY;
    return status;
}

/* Models without a score that may matter; of those that promise most first. */
static void choose(const study *star, double margin, scoring *all)
{
    const seen_model *best = best_meant(star, all);
    double limit = best ? best->score - margin : -INFINITY, highest = -INFINITY;
    all->n = 0;
    for (size_t i = 0; i < all->seen->n; i++)
        if (isnan(all->seen->list[i].score) && is_meant(star, all, &all->seen->list[i]))
            highest = fmax(highest, all->seen->list[i].bound);
    limit = fmax(limit, highest - AT_ONCE);
    for (size_t i = 0; i < all->seen->n; i++) {
        const seen_model *model = &all->seen->list[i];
        if (isnan(model->score) && (isnan(model->bound) || model->bound >= limit) &&
            is_meant(star, all, model))
            all->chosen[all->n++] = i;
    }
}

static equant_status score_meant(study *star, double margin, scoring *all)
{
    equant_status status = EQUANT_SUCCESS;
    choose(star, margin, all);
    while (status == EQUANT_SUCCESS && all->n > 0) {
        status = study_crew_share(star, all->n, advance, all);
        choose(star, margin, all);
    }
    return status;
}

equant_status seen_models_score(study *star, double margin, seen_models *seen)
{
    scoring all = {.seen = seen};
    return score_meant(star, margin, &all);
}

equant_status seen_models_best_of(study *star, const seen_models_question *asked, seen_models *seen,
                                  const seen_model **best)
{
    scoring all = {.seen = seen, .asked = asked};
    equant_status status = score_meant(star, 0.0, &all);
    *best = best_meant(star, &all);
    return status;
}

equant_status seen_models_score_of(study *star, const solution *model, seen_models *seen,
                                   double *score)
{
    scoring one = {.seen = seen, .n = 1, .chosen = {place_of(star, model, seen)}};
    equant_status status = EQUANT_SUCCESS;
    *score = NAN;
    if (one.chosen[0] == seen->n)
        return status;
    while (status == EQUANT_SUCCESS && isnan(seen->list[one.chosen[0]].score))
        status = advance(star, &one, 0);
    *score = seen->list[one.chosen[0]].score;
    return status;
}

void seen_models_dismiss(const seen_model *model, const char *because, seen_models *seen)
{
    seen->list[model - seen->list].dismissed = because;
}

const seen_model *seen_models_best(const seen_models *seen)
{
    const seen_model *best = NULL;
    for (size_t i = 0; i < seen->n; i++) {
        const seen_model *model = &seen->list[i];
        if (!isnan(model->score) && !model->dismissed && (!best || model->score > best->score))
            best = model;
    }
    return best;
}
