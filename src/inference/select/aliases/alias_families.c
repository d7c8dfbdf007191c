#include "inference/select/aliases/alias_families.h"

#include <math.h>
#include <string.h>

#include "inference/select/orbits/circular_orbit.h"
#include "inference/likelihood/study_crew.h"

/* Of P: the same planet in two models. */
#define SAME_PERIOD 1e-3
/* In ln: members that weigh less than the first by more do not matter, and a change of what others
 * weigh by less does not either. */
#define NEGLIGIBLE 12.0
#define SMALL_CHANGE 0.1

/* Planets of one model, some of whose families are to be compared. */
typedef struct family_list {
    size_t n_fixed, first, n; /* planets */
    const solution *fitted;
    bool is_wanted[STUDY_MAX_PLANETS];
    solution best[STUDY_MAX_PLANETS]; /* models with the most probable members */
    alias_family *families;
} family_list;

/* ---- what a change touches ------------------------------------------------------------------ */

/* Whether the signal of a planet and one of another period, which is not its own, share something.
 * `absent` is a planet that has that period now; n_planets: none. */
static equant_status is_near(study *star, const family_list *list, size_t planet, size_t absent,
                             double period_days, bool *near)
{
    const alias_family *family = &list->families[planet];
    size_t last = planet > absent ? planet : absent, other = planet > absent ? absent : planet;
    base_columns base;
    solution spare = {.set = NULL};
    *near = false;
    equant_status status = solution_create(star, &spare);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, list->fitted, &spare);
    if (last < spare.n_planets)
        solution_remove_planet(star, &spare, last);
    solution_remove_planet(star, &spare, other);
    status = base_columns_create(star, &spare, list->n_fixed, NULL, &base);
    solution_free(&spare);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < family->n && !*near && status == EQUANT_SUCCESS; i++) {
        double overlap = 0.0;
        status = circular_orbit_overlap(star, &base, 1.0 / family->members[i].period_days,
                                        1.0 / period_days, &overlap);
        *near = overlap > ALIAS_FAMILY_OVERLAP;
    }
    base_columns_free(&base);
    return status;
}

/* A signal of this period has come or gone: families that it is near to are wanted again. */
static equant_status want_near(study *star, family_list *list, size_t from, size_t absent,
                               double period_days)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = from; p < list->n && status == EQUANT_SUCCESS; p++)
        if (p != absent && !list->is_wanted[p])
            status = is_near(star, list, p, absent, period_days, &list->is_wanted[p]);
    return status;
}

/* Whether noise that has grown or shrunk with the model since changes what its members weigh: all
 * differences of ln L go with the inverse of its square. */
static bool has_other_weights(const study *star, const solution *fitted, const alias_family *family)
{
    double change = 2.0 / (double)star->n_obs *
                    fabs(fitted->log_likelihood - family->members[0].log_likelihood);
    for (size_t i = 1; i < family->n; i++) {
        double less = family->members[0].log_weight - family->members[i].log_weight;
        if (less < NEGLIGIBLE && less * change > SMALL_CHANGE)
            return true;
    }
    return false;
}

/* The place of a planet's family among those of an earlier model; n_before: none. */
static size_t place_of(double period_days, size_t first, size_t n_before,
                       const alias_family *families)
{
    size_t p = first;
    while (p < n_before &&
           !(families[p].n > 0 &&
             fabs(families[p].members[0].period_days / period_days - 1.0) < SAME_PERIOD))
        p++;
    return p;
}

/* Families of an earlier model to the planets of this one; those that are none, or that planets
 * which came or went touch, are wanted. */
static equant_status carry_over(study *star, family_list *list, size_t n_before)
{
    alias_family before[STUDY_MAX_PLANETS];
    bool is_there[STUDY_MAX_PLANETS] = {false};
    equant_status status = EQUANT_SUCCESS;
    memcpy(before + list->first, list->families + list->first,
           (n_before - list->first) * sizeof *before);
    for (size_t p = list->first; p < list->n; p++) {
        size_t place = place_of(list->fitted->set[N_ELEMENTS * p], list->first, n_before, before);
        list->is_wanted[p] = place == n_before;
        if (place == n_before)
            continue;
        is_there[place] = true;
        list->families[p] = before[place];
        alias_family_settle(&list->families[p]);
        list->is_wanted[p] = !list->families[p].is_compared ||
                             has_other_weights(star, list->fitted, &list->families[p]);
    }
    for (size_t p = list->first; p < n_before && status == EQUANT_SUCCESS; p++)
        if (!is_there[p] && before[p].n > 0)
            status = want_near(star, list, list->first, list->n, before[p].members[0].period_days);
    for (size_t p = list->first; p < list->n && status == EQUANT_SUCCESS; p++) {
        double period = list->fitted->set[N_ELEMENTS * p];
        if (place_of(period, list->first, n_before, before) == n_before)
            status = want_near(star, list, list->first, p, period);
    }
    return status;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static equant_status resolve_one(study *star, void *context, size_t i)
{
    family_list *list = context;
    size_t planet = list->first + i;
    solution spare = {.set = NULL};
    if (!list->is_wanted[planet])
        return EQUANT_SUCCESS;
    equant_status status = solution_create(star, &spare);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &list->best[planet]);
    if (status == EQUANT_SUCCESS)
        status = alias_family_resolve(star, list->n_fixed, planet, list->fitted, &spare,
                                      &list->best[planet], &list->families[planet]);
    solution_free(&spare);
    return status;
}

static bool has_moved(const family_list *list, size_t planet)
{
    return list->is_wanted[planet] &&
           list->best[planet].set[N_ELEMENTS * planet] != list->fitted->set[N_ELEMENTS * planet];
}

/* The first planet that has another period becomes that one in `fitted`. Those behind it are wanted
 * again where they have another, too, or where it touches them. */
static equant_status move_first(study *star, family_list *list, solution *fitted, bool *has_changed)
{
    equant_status status = EQUANT_SUCCESS;
    size_t moved = list->first;
    while (moved < list->n && !has_moved(list, moved))
        moved++;
    for (size_t p = list->first; p < list->n; p++)
        list->is_wanted[p] = p > moved && has_moved(list, p);
    if (moved == list->n)
        return status;
    double before = fitted->set[N_ELEMENTS * moved];
    solution_copy(star, &list->best[moved], fitted);
    *has_changed = true;
    status = want_near(star, list, moved + 1, moved, before);
    return status == EQUANT_SUCCESS
               ? want_near(star, list, moved + 1, moved, fitted->set[N_ELEMENTS * moved])
               : status;
}

static bool is_any_wanted(const family_list *list)
{
    for (size_t p = list->first; p < list->n; p++)
        if (list->is_wanted[p])
            return true;
    return false;
}

/* The models of the families that were compared. */
static equant_status note(const study *star, const family_list *list, seen_models *seen)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = list->first; p < list->n && seen && status == EQUANT_SUCCESS; p++)
        if (list->is_wanted[p])
            status = seen_models_note(star, &list->best[p], seen);
    return status;
}

equant_status alias_families_resolve(study *star, size_t n_fixed, size_t first, size_t n_before,
                                     seen_models *seen, solution *fitted, alias_family *families,
                                     bool *has_changed)
{
    family_list list = {.n_fixed = n_fixed,
                        .first = first,
                        .n = fitted->n_planets,
                        .fitted = fitted,
                        .families = families};
    equant_status status = carry_over(star, &list, n_before);
    while (status == EQUANT_SUCCESS && is_any_wanted(&list)) {
        status = study_report(star, "comparing aliases", 0.0);
        if (status == EQUANT_SUCCESS)
            status = study_crew_share(star, list.n - first, resolve_one, &list);
        if (status == EQUANT_SUCCESS)
            status = note(star, &list, seen);
        if (status == EQUANT_SUCCESS)
            status = move_first(star, &list, fitted, has_changed);
        for (size_t p = first; p < list.n; p++)
            solution_free(&list.best[p]);
    }
    return status;
}

equant_status alias_family_find(study *star, size_t n_fixed, size_t planet, const solution *fitted,
                                solution *spare, size_t first, size_t n_before,
                                alias_family *families)
{
    size_t place = place_of(fitted->set[N_ELEMENTS * planet], first, n_before, families);
    if (place == n_before)
        return alias_family_alone(star, n_fixed, planet, fitted, spare, &families[planet]);
    families[planet] = families[place];
    return EQUANT_SUCCESS;
}
