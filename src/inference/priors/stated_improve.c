/* Optimises a solution with states, and again from other scales of its noise and other periods. */
#include "inference/priors/stated_improve.h"

#include <math.h>
#include <string.h>

#include "inference/priors/stated_locate.h"
#include "inference/priors/stated_noise.h"

/* Steps of an optimisation whose end counts. */
enum { STEPS_TO_PUBLISH = 500 };
/* Scales of a term of noise from which it is tried again, how often that is done, and by how much
 * an end is to be higher. */
enum { N_SCALES = 6, MOST_TURNS = 3 };
#define LEAST_GAIN 1e-6

static double height_of(const stated_result *found)
{
    return found->log_likelihood + found->log_prior;
}

equant_status stated_improve_take(study *star, stated_star *own, solution *trial, solution *best)
{
    const stated_problem problem = stated_locate_problem(star, own, trial);
    stated_result found;
    equant_status status = stated_fit_optimise(&problem, STEPS_TO_PUBLISH, trial->set, &found);
    if (status == EQUANT_SUCCESS && height_of(&found) > height_of(&own->found) + LEAST_GAIN) {
        own->found = found;
        solution_copy(star, trial, best);
    }
    return status;
}

/* A term of noise with another scale, all else of it but the amplitude as where fits begin. */
static void set_scale(const study *star, const stated_star *own, size_t t, double share,
                      solution *trial)
{
    const noise_menu_term *term = &star->menu.terms[t];
    const noise_range *range = &term->parameters[1];
    const parameter_state *said = stated_noise_said(own->states, star, t, 1);
    double *values = trial->set +
                     study_first_correlated(star, trial->n_planets, trial->trend_order) +
                     term->first,
           amplitude = values[0];
    noise_menu_start(term, values);
    values[0] = noise_range_is_open(&term->parameters[0]) ? amplitude : values[0];
    values[1] = said ? prior_density_quantile(&said->density, share)
                     : range->lowest * pow(range->highest / range->lowest, share);
    values[1] = fmin(fmax(values[1], range->lowest), range->highest);
    for (size_t i = 2; i < term->kind->n_parameters; i++)
        if (term->parameters[i].per_period)
            values[i] = term->parameters[i].start * values[1];
}

/* Noise has many maxima: its scales are tried all along what is believed of them. */
static equant_status try_scales(study *star, stated_star *own, solution *trial, solution *best)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        const noise_menu_term *term = &star->menu.terms[t];
        bool has_scale = best->noise.terms >> t & 1 && term->kind->n_parameters > 1 &&
                         noise_range_is_open(&term->parameters[1]);
        for (int i = 0; i < N_SCALES && has_scale && status == EQUANT_SUCCESS; i++) {
            solution_copy(star, best, trial);
            set_scale(star, own, t, (i + 0.5) / N_SCALES, trial);
            status = stated_improve_take(star, own, trial, best);
        }
    }
    return status;
}

/* Where noise is not what a planet was located beside, it may be elsewhere. */
static equant_status locate_again(study *star, stated_star *own, size_t planet, solution *trial,
                                  solution *found, solution *best)
{
    char letters[STATE_LIST_MOST_PLANETS], letter = own->letters[planet];
    size_t last = best->n_planets - 1;
    solution current = {.set = NULL};
    equant_status status = solution_create(star, &current);
    if (status != EQUANT_SUCCESS)
        return status;
    memcpy(letters, own->letters, sizeof letters);
    solution_copy(star, best, &current);
    solution_remove_planet(star, &current, planet);
    memmove(own->letters + planet, own->letters + planet + 1, last - planet);
    status = stated_locate_planet(star, own, letter, &current, trial, found);
    memcpy(own->letters, letters, sizeof letters);
    if (status == EQUANT_SUCCESS) { /* it goes from the end to where it was */
        double elements[N_ELEMENTS], *at = current.set + N_ELEMENTS * planet;
        memcpy(elements, current.set + N_ELEMENTS * last, sizeof elements);
        memmove(at + N_ELEMENTS, at, N_ELEMENTS * (last - planet) * sizeof *at);
        memcpy(at, elements, sizeof elements);
        status = stated_improve_take(star, own, &current, best);
    }
    solution_free(&current);
    return status;
}

/* From other scales of the noise and, beside that and where it is wanted, from other periods, while
 * that helps. */
static equant_status improve(study *star, stated_star *own, bool relocates, solution *best)
{
    solution trial = {.set = NULL}, found = {.set = NULL};
    equant_status status = solution_create(star, &trial);
    if (status == EQUANT_SUCCESS)
        status = solution_create(star, &found);
    double before = -INFINITY;
    for (int turn = 0; turn < (relocates ? MOST_TURNS : 1) && status == EQUANT_SUCCESS &&
                       height_of(&own->found) > before;
         turn++) {
        before = height_of(&own->found);
        status = try_scales(star, own, &trial, best);
        for (size_t p = 0; p < own->n_located && relocates && status == EQUANT_SUCCESS; p++) {
            const parameter_state *said =
                state_list_of_planet(own->states, own->letters[p], "period_days");
            if (said->form == STATE_PRIOR &&
                !stated_locate_is_sharp(&said->density, star->span_days))
                status = locate_again(star, own, p, &trial, &found, best);
        }
    }
    solution_free(&trial);
    solution_free(&found);
    return status;
}

equant_status stated_improve_begin(study *star, stated_star *own, bool relocates, solution *best)
{
    const stated_problem problem = stated_locate_problem(star, own, best);
    equant_status status = stated_fit_optimise(&problem, STEPS_TO_PUBLISH, best->set, &own->found);
    return status == EQUANT_SUCCESS && best->noise.terms != 0 ? improve(star, own, relocates, best)
                                                              : status;
}
