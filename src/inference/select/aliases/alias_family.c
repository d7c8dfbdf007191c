#include "inference/select/aliases/alias_family.h"

#include <math.h>
#include <string.h>

#include "inference/select/orbits/circular_orbit.h"
#include "inference/select/orbits/orbit_mass.h"
#include "inference/search/aliases.h"
#include "inference/optimise/maximum_likelihood.h"
#include "inference/likelihood/study_crew.h"

/* Circles that gain less than that of the planet by so much, in ln L, are no rivals; nor are models
 * that are so much worse than the best once they are fitted. */
#define NO_RIVAL 15.0
/* Around each alias, circles this share of a resolution apart. */
#define CIRCLES_APART 0.25
enum { CIRCLES_ASIDE = 4 };

/* A frequency that may take the place of the planet's. */
typedef struct rival {
    double elements[N_ELEMENTS], gain;
} rival;

/* The background of a planet: all but it. */
static equant_status background_of(study *star, size_t n_fixed, const solution *fitted,
                                   size_t planet, solution *spare, base_columns *base)
{
    solution_copy(star, fitted, spare);
    solution_remove_planet(star, spare, planet);
    return base_columns_create(star, spare, n_fixed, NULL, base);
}

/* The best circle near a frequency. */
static equant_status best_circle(const study *star, const base_columns *base, double frequency,
                                 rival *found)
{
    equant_status status = EQUANT_SUCCESS;
    found->gain = -INFINITY;
    for (int i = -CIRCLES_ASIDE; i <= CIRCLES_ASIDE && status == EQUANT_SUCCESS; i++) {
        rival circle;
        double there = frequency + i * CIRCLES_APART / star->span_days;
        if (!(there * star->period_max_days > 1.0 && there * star->period_min_days < 1.0))
            continue;
        status = circular_orbit_best(star, base, there, circle.elements, &circle.gain);
        if (status == EQUANT_SUCCESS && circle.gain > found->gain)
            *found = circle;
    }
    return status;
}

/* True where another planet of the solution has this frequency. */
static bool is_taken(const study *star, const solution *fitted, size_t planet, double frequency)
{
    for (size_t p = 0; p < fitted->n_planets; p++)
        if (p != planet &&
            fabs(frequency - 1.0 / fitted->set[N_ELEMENTS * p]) * star->span_days < 1.0)
            return true;
    return false;
}

/* Frequencies that the circles of a piece are near to. */
enum { CIRCLES_PER_PIECE = 8 };

/* The frequencies of a family, that of the planet first, and the best circle near each. */
typedef struct family_circles {
    const base_columns *base;
    const solution *fitted;
    size_t planet, n;
    double frequency[ALIASES_FAMILY_MAX];
    rival best[ALIASES_FAMILY_MAX]; /* no gain where another planet has the frequency */
} family_circles;

static equant_status circles_of_piece(study *star, void *context, size_t piece)
{
    family_circles *all = context;
    equant_status status = EQUANT_SUCCESS;
    size_t first = piece * CIRCLES_PER_PIECE;
    for (size_t i = first; i < first + CIRCLES_PER_PIECE && i < all->n; i++) {
        all->best[i].gain = -INFINITY;
        if (status == EQUANT_SUCCESS &&
            (i == 0 || !is_taken(star, all->fitted, all->planet, all->frequency[i])))
            status = best_circle(star, all->base, all->frequency[i], &all->best[i]);
    }
    return status;
}

/* The circles of the family that come near to that of the planet, the best first, without it. */
static equant_status find_rivals(study *star, const base_columns *base, const solution *fitted,
                                 size_t planet, size_t *n_rivals, rival rivals[ALIAS_FAMILY_MOST])
{
    family_circles all = {.base = base, .fitted = fitted, .planet = planet};
    double frequency = 1.0 / fitted->set[N_ELEMENTS * planet];
    all.n = aliases_family(frequency, 1.0 / star->period_min_days, 1.0 / star->span_days,
                           all.frequency);
    equant_status status = study_crew_share(
        star, (all.n + CIRCLES_PER_PIECE - 1) / CIRCLES_PER_PIECE, circles_of_piece, &all);
    *n_rivals = 0;
    for (size_t i = 1; i < all.n && status == EQUANT_SUCCESS; i++) {
        const rival *circle = &all.best[i];
        if (!(circle->gain > fmax(0.0, all.best[0].gain - NO_RIVAL)))
            continue;
        double overlap;
        status = circular_orbit_overlap(star, base, frequency,
                                        1.0 / circle->elements[ELEMENT_PERIOD], &overlap);
        if (status != EQUANT_SUCCESS || !(overlap > ALIAS_FAMILY_OVERLAP))
            continue;
        size_t place = *n_rivals;
        while (place > 0 && rivals[place - 1].gain < circle->gain)
            place--;
        if (place == ALIAS_FAMILY_MOST - 1)
            continue;
        size_t kept = *n_rivals < ALIAS_FAMILY_MOST - 1 ? *n_rivals : ALIAS_FAMILY_MOST - 2;
        memmove(rivals + place + 1, rivals + place, (kept - place) * sizeof *rivals);
        rivals[place] = *circle;
        *n_rivals = kept + 1;
    }
    return status;
}

/* True where a member has this period already. */
static bool is_member(const study *star, const alias_family *family, double period_days)
{
    for (size_t i = 0; i < family->n; i++)
        if (fabs(1.0 / family->members[i].period_days - 1.0 / period_days) * star->span_days < 1.0)
            return true;
    return false;
}

/* The planet of a fitted model as a member. */
static equant_status weigh_member(study *star, size_t n_fixed, const solution *fitted,
                                  size_t planet, solution *spare, alias_member *made)
{
    const double *elements = fitted->set + N_ELEMENTS * planet;
    base_columns base;
    double log_share;
    equant_status status = background_of(star, n_fixed, fitted, planet, spare, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = orbit_mass_near(star, &base, elements, &log_share);
    base_columns_free(&base);
    if (status == EQUANT_SUCCESS)
        *made = (alias_member){.period_days = elements[ELEMENT_PERIOD],
                               .log_likelihood = fitted->log_likelihood,
                               .log_weight = fitted->log_likelihood + log_share,
                               .probability = 1.0,
                               .overlap = 1.0};
    return status;
}

/* The model with a rival in the place of the planet, refitted; false where it has moved away. */
static equant_status take_place(study *star, size_t n_fixed, const solution *fitted, size_t planet,
                                const rival *other, solution *made, bool *stays)
{
    solution_copy(star, fitted, made);
    memcpy(made->set + N_ELEMENTS * planet, other->elements, sizeof other->elements);
    equant_status status = maximum_likelihood_solution(star, n_fixed, POLISH_TO_RANK, made);
    double moved = 1.0 / made->set[N_ELEMENTS * planet] - 1.0 / other->elements[ELEMENT_PERIOD];
    *stays = fabs(moved) * star->span_days < 1.5 && isfinite(made->log_likelihood) &&
             !is_taken(star, made, planet, 1.0 / made->set[N_ELEMENTS * planet]);
    return status;
}

void alias_family_settle(alias_family *family)
{
    double sum = 0.0;
    for (size_t i = 1; i < family->n; i++) {
        alias_member member = family->members[i];
        size_t place = i;
        for (; place > 0 && family->members[place - 1].log_weight < member.log_weight; place--)
            family->members[place] = family->members[place - 1];
        family->members[place] = member;
    }
    for (size_t i = 0; i < family->n; i++)
        sum += exp(family->members[i].log_weight - family->members[0].log_weight);
    family->log_share =
        family->members[0].log_weight - family->members[0].log_likelihood + log(sum);
    for (size_t i = 0; i < family->n; i++)
        family->members[i].probability =
            exp(family->members[i].log_weight - family->members[0].log_weight) / sum;
}

void alias_family_lead(double period_days, alias_family *family)
{
    size_t own = 0;
    for (size_t i = 1; i < family->n; i++)
        if (fabs(log(family->members[i].period_days / period_days)) <
            fabs(log(family->members[own].period_days / period_days)))
            own = i;
    alias_member member = family->members[own];
    family->log_share += family->members[0].log_likelihood - member.log_likelihood;
    memmove(family->members + 1, family->members, own * sizeof *family->members);
    family->members[0] = member;
}

static equant_status set_overlaps(study *star, const base_columns *base, alias_family *family)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 1; i < family->n && status == EQUANT_SUCCESS; i++)
        status = circular_orbit_overlap(star, base, 1.0 / family->members[0].period_days,
                                        1.0 / family->members[i].period_days,
                                        &family->members[i].overlap);
    return status;
}

/* A planet and its rivals, each fitted in its place: the planet itself comes first. */
typedef struct contest {
    const solution *fitted;
    size_t n_fixed, planet;
    const rival *rivals;
    solution models[ALIAS_FAMILY_MOST];
    alias_member members[ALIAS_FAMILY_MOST];
    bool stays[ALIAS_FAMILY_MOST];
} contest;

static equant_status fit_contestant(study *star, void *context, size_t i)
{
    contest *among = context;
    solution *model = &among->models[i];
    equant_status status = study_report(star, "comparing aliases", 0.0);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, model);
    among->stays[i] = true;
    if (status == EQUANT_SUCCESS && i == 0)
        solution_copy(star, among->fitted, model);
    else if (status == EQUANT_SUCCESS)
        status = take_place(star, among->n_fixed, among->fitted, among->planet,
                            &among->rivals[i - 1], model, &among->stays[i]);
    return status;
}

static equant_status weigh_contestant(study *star, void *context, size_t i)
{
    contest *among = context;
    solution spare = {.set = NULL};
    if (!among->stays[i])
        return EQUANT_SUCCESS;
    equant_status status = study_report(star, "comparing aliases", 0.0);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS)
        status = weigh_member(star, among->n_fixed, &among->models[i], among->planet, &spare,
                              &among->members[i]);
    solution_free(&spare);
    return status;
}

/* Those that turned out no rivals when they were fitted. The planet itself stays. */
static void send_away_hopeless(contest *among, size_t n)
{
    double best = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (among->stays[i])
            best = fmax(best, among->models[i].log_likelihood);
    for (size_t i = 1; i < n; i++)
        among->stays[i] = among->stays[i] && among->models[i].log_likelihood >= best - NO_RIVAL;
}

/* Fits the rivals and keeps the best model in `best`. */
static equant_status fit_rivals(study *star, size_t n_fixed, const solution *fitted, size_t planet,
                                size_t n_rivals, const rival *rivals, solution *best,
                                alias_family *family)
{
    contest among = {.fitted = fitted, .n_fixed = n_fixed, .planet = planet, .rivals = rivals};
    equant_status status = study_crew_share(star, n_rivals + 1, fit_contestant, &among);
    if (status == EQUANT_SUCCESS) {
        send_away_hopeless(&among, n_rivals + 1);
        status = study_crew_share(star, n_rivals + 1, weigh_contestant, &among);
    }
    double best_weight = -INFINITY;
    solution_copy(star, fitted, best);
    for (size_t i = 0; i <= n_rivals && status == EQUANT_SUCCESS; i++) {
        const alias_member *member = &among.members[i];
        if (!among.stays[i] || is_member(star, family, member->period_days))
            continue;
        family->members[family->n++] = *member;
        if (member->log_weight > best_weight) {
            best_weight = member->log_weight;
            solution_copy(star, &among.models[i], best);
        }
    }
    for (size_t i = 0; i <= n_rivals; i++)
        solution_free(&among.models[i]);
    return status;
}

equant_status alias_family_alone(study *star, size_t n_fixed, size_t planet, const solution *fitted,
                                 solution *spare, alias_family *family)
{
    family->n = 1;
    family->is_compared = false;
    equant_status status = weigh_member(star, n_fixed, fitted, planet, spare, &family->members[0]);
    if (status == EQUANT_SUCCESS)
        alias_family_settle(family);
    return status;
}

equant_status alias_family_resolve(study *star, size_t n_fixed, size_t planet,
                                   const solution *fitted, solution *spare, solution *best,
                                   alias_family *family)
{
    base_columns base;
    rival rivals[ALIAS_FAMILY_MOST];
    size_t n_rivals = 0;
    family->n = 0;
    family->is_compared = true;
    equant_status status = background_of(star, n_fixed, fitted, planet, spare, &base);
    if (status != EQUANT_SUCCESS)
        return status;
    status = find_rivals(star, &base, fitted, planet, &n_rivals, rivals);
    if (status == EQUANT_SUCCESS)
        status = fit_rivals(star, n_fixed, fitted, planet, n_rivals, rivals, best, family);
    if (status == EQUANT_SUCCESS) {
        alias_family_settle(family);
        status = set_overlaps(star, &base, family);
    }
    base_columns_free(&base);
    return status;
}
