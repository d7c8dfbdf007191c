#include "inference/priors/stated_optimiser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/stated_noise.h"
#include "inference/likelihood/set_likelihood.h"

/* Of logarithms: as near to an end as rounding lets them come. */
#define NOISE_END 1e-9

void stated_optimiser_free(stated_optimiser *c)
{
    free(c->orbits);
    free(c->unknowns);
    free(c->at);
    free(c->next);
    free(c->set);
    free(c->is_held);
    memset(c, 0, sizeof *c);
}

static const char *instrument_of(const stated_optimiser *c, parameter_term term, size_t column)
{
    size_t index = column - parameter_layout_first(&c->layout, term);
    return term == TERM_OFFSETS || term == TERM_JITTERS
               ? equant_dataset_instrument_name(c->problem->star->dataset, index)
               : NULL;
}

static const quantity_kind *kind_of_column(parameter_term term, size_t place)
{
    static const char *const trends[] = {"trend_m_s_day", "trend_m_s_day2"};
    return quantity_catalogue_find(term == TERM_OFFSETS   ? "offset_m_s"
                                   : term == TERM_JITTERS ? "jitter_m_s"
                                                          : trends[place]);
}

static void add_planets(stated_optimiser *c)
{
    for (size_t p = 0; p < c->n_planets; p++) {
        stated_orbit *own = &c->orbits[p];
        *own = stated_orbit_of(c->problem->states, c->problem->letters[p], c->reference_time_days);
        stated_orbit_take_basis(own, &c->problem->basis);
        for (size_t i = 0; i < N_STATED; i++)
            if (own->is_free[i])
                c->unknowns[c->n_unknowns++] =
                    (stated_unknown){.planet = p,
                                     .place = i,
                                     .column = parameter_layout_orbit(&c->layout, p),
                                     .lower = own->lower[i],
                                     .upper = own->upper[i]};
    }
}

/* Offsets, trend and jitters. */
static void add_columns(stated_optimiser *c, parameter_term term)
{
    const parameter_layout *layout = &c->layout;
    bool is_jitter = term == TERM_JITTERS, is_noise = is_jitter && !c->is_white;
    bool is_kept =
        is_jitter && (!c->problem->star->with_jitter || (is_noise && c->problem->keeps_noise));
    for (size_t i = parameter_layout_first(layout, term); i < parameter_layout_end(layout, term);
         i++) {
        const parameter_state *said = state_list_of_column(
            c->problem->states, kind_of_column(term, i - parameter_layout_first(layout, term)),
            instrument_of(c, term, i));
        if (said && said->form == STATE_FIXED)
            c->set[i] = said->density.first;
        if ((said && said->form == STATE_FIXED) || is_kept)
            continue;
        stated_unknown made = {.place = N_STATED,
                               .column = i,
                               .is_noise = is_noise,
                               .divisor = SIZE_MAX,
                               .lower = is_jitter ? 0.0 : -INFINITY,
                               .upper = INFINITY,
                               .said = said};
        if (said) {
            made.lower = fmax(made.lower, said->density.lower);
            made.upper = fmin(made.upper, said->density.upper);
        }
        c->set[i] = fmin(fmax(c->set[i], made.lower), made.upper);
        c->unknowns[c->n_unknowns++] = made;
    }
}

/* Factors of the indicators that the model follows. */
static void add_indicators(stated_optimiser *c)
{
    const study_shape *shape = &c->problem->shape;
    size_t first = study_first_indicator(c->problem->star, shape->n_planets, shape->trend_order);
    for (size_t i = 0; i < c->problem->star->menu.n_indicators; i++)
        if (shape->noise.indicators >> i & 1)
            c->unknowns[c->n_unknowns++] = (stated_unknown){.place = N_STATED,
                                                            .column = first + i,
                                                            .divisor = SIZE_MAX,
                                                            .lower = -INFINITY,
                                                            .upper = INFINITY};
}

double stated_optimiser_coordinate(const stated_unknown *own, const double *set)
{
    double value = set[own->column] / (own->divisor == SIZE_MAX ? 1.0 : set[own->divisor]);
    return own->is_logarithm ? log(value) : value;
}

void stated_optimiser_move(const stated_optimiser *c, size_t index, double x, double *set)
{
    const stated_unknown *own = &c->unknowns[index];
    double before = set[own->column], unit = own->divisor == SIZE_MAX ? 1.0 : set[own->divisor];
    set[own->column] = own->is_logarithm ? exp(x) * unit : fabs(x);
    if (own->said && x >= own->lower && x <= own->upper) /* whatever exp makes of an end */
        set[own->column] =
            fmin(fmax(set[own->column], own->said->density.lower), own->said->density.upper);
    for (size_t i = c->first_noise; i < c->n_unknowns; i++)
        if (c->unknowns[i].divisor == own->column)
            set[c->unknowns[i].column] *= set[own->column] / before;
}

/* Parameters of the terms that the model has, within their ranges. */
static void add_terms(stated_optimiser *c)
{
    stated_noise_place places[NOISE_MENU_MOST_PARAMETERS];
    size_t n = stated_noise_list(c->problem->states, c->problem->star, &c->problem->shape, places),
           first = c->n_unknowns;
    for (size_t i = 0; i < n && !c->problem->keeps_noise; i++)
        c->unknowns[c->n_unknowns++] = (stated_unknown){.place = N_STATED,
                                                        .column = places[i].column,
                                                        .is_noise = true,
                                                        .is_logarithm = true,
                                                        .divisor = places[i].divisor,
                                                        .lower = places[i].lower,
                                                        .upper = places[i].upper,
                                                        .said = places[i].said};
    for (size_t i = first; i < c->n_unknowns; i++) {
        const stated_unknown *own = &c->unknowns[i];
        double x = stated_optimiser_coordinate(own, c->set);
        if (own->said || !(x >= own->lower && x <= own->upper))
            stated_optimiser_move(c, i, fmin(fmax(x, own->lower), own->upper), c->set);
    }
}

static double typical_sigma(const study *star)
{
    const double *sigma = equant_dataset_uncertainties_m_s(star->dataset);
    double sum = 0.0;
    for (size_t k = 0; k < star->n_obs; k++)
        sum += log(sigma[k]);
    return exp(sum / (double)star->n_obs);
}

equant_status stated_optimiser_create(const stated_problem *problem, const double *set,
                                      stated_optimiser *c)
{
    const study *star = problem->star;
    *c = (stated_optimiser){
        .problem = problem,
        .layout = study_layout(star, problem->shape.n_planets, problem->shape.trend_order),
        .is_white = set_likelihood_is_white(star, &problem->shape),
        .n_planets = problem->shape.n_planets,
        .reference_time_days = equant_dataset_reference_time_days(star->dataset),
        .typical_sigma = typical_sigma(star)};
    c->n = c->layout.n_parameters;
    size_t n = c->n;
    c->orbits = calloc(c->n_planets + 1, sizeof *c->orbits);
    c->unknowns = calloc(n + 1, sizeof *c->unknowns);
    c->at = calloc(c->n_planets + 1, sizeof *c->at);
    c->next = calloc(c->n_planets + 1, sizeof *c->next);
    c->set = calloc(6 * n + 4 * n * n + 1, sizeof *c->set);
    c->is_held = calloc(n + 1, sizeof *c->is_held);
    if (!c->orbits || !c->unknowns || !c->at || !c->next || !c->set || !c->is_held) {
        stated_optimiser_free(c);
        return status_out_of_memory();
    }
    c->trial = c->set + n;
    c->gradient = c->trial + n;
    c->slope = c->gradient + n;
    c->step = c->slope + n;
    c->fisher = c->step + 2 * n;
    c->matrix = c->fisher + n * n;
    c->work = c->matrix + n * n;
    memcpy(c->set, set, n * sizeof *c->set);
    add_planets(c);
    add_columns(c, TERM_OFFSETS);
    add_columns(c, TERM_TREND);
    add_indicators(c);
    c->first_noise = c->n_unknowns;
    add_columns(c, TERM_JITTERS);
    add_terms(c);
    for (size_t p = 0; p < c->n_planets; p++) {
        const double *elements = set + parameter_layout_orbit(&c->layout, p);
        stated_orbit_coordinates(&c->orbits[p], elements, c->at[p]);
    }
    stated_optimiser_keep_apart(c, c->at);
    return EQUANT_SUCCESS;
}

void stated_optimiser_keep_apart(const stated_optimiser *c, double (*at)[N_STATED])
{
    enum { MOST_TIMES = 2000 };
    const double rounder = 0.99;
    double elements[STATE_LIST_MOST_PLANETS * N_ELEMENTS];
    bool is_kept = state_list_keeps_apart(c->problem->states);
    for (int i = 0; i < MOST_TIMES && is_kept; i++) {
        for (size_t p = 0; p < c->n_planets; p++)
            stated_orbit_elements(&c->orbits[p], at[p], elements + N_ELEMENTS * p);
        is_kept = stated_prior_log_apart(c->problem->states, c->n_planets, elements) < 0.0;
        for (size_t p = 0; p < c->n_planets && is_kept; p++) {
            const stated_orbit *own = &c->orbits[p];
            bool is_crossing = false;
            for (size_t q = 0; q < c->n_planets; q++)
                is_crossing =
                    is_crossing || (q != p && stated_prior_cross(elements + N_ELEMENTS * p,
                                                                 elements + N_ELEMENTS * q));
            if (!is_crossing)
                continue;
            at[p][STATED_SHAPE] *= own->is_free[STATED_SHAPE] ? rounder : 1.0;
            if (!own->is_polar)
                at[p][STATED_SHAPE_TOO] *= rounder;
            stated_orbit_bound(own, at[p]);
        }
    }
}

void stated_optimiser_fill(const stated_optimiser *c, double (*at)[N_STATED], double *set)
{
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_elements(&c->orbits[p], at[p], set + parameter_layout_orbit(&c->layout, p));
}

bool stated_optimiser_is_jitter(const stated_optimiser *c, const stated_unknown *own)
{
    return own->place == N_STATED &&
           own->column >= parameter_layout_first(&c->layout, TERM_JITTERS) &&
           own->column < parameter_layout_end(&c->layout, TERM_JITTERS);
}

stated_ends stated_optimiser_ends(const stated_optimiser *c, const stated_unknown *own)
{
    double value = own->place < N_STATED ? c->at[own->planet][own->place]
                                         : stated_optimiser_coordinate(own, c->set),
           near = own->is_logarithm ? NOISE_END : 0.0;
    return (stated_ends){value <= own->lower + near, value >= own->upper - near};
}

bool stated_optimiser_is_at_end(const stated_optimiser *c, const stated_unknown *own)
{
    stated_ends at = stated_optimiser_ends(c, own);
    return at.at_lower || at.at_upper;
}
