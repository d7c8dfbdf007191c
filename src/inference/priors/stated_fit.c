#include <math.h>
#include <string.h>

#include "inference/priors/stated_optimiser.h"
#include "inference/likelihood/small_matrix.h"

/* Levenberg and Marquardt: dampings that are tried in one step, and gains in ln L that are worth
 * no further one. */
enum { N_DAMPINGS = 14, N_IDLE = 3 };
#define SMALL_GAIN 1e-10
/* The longest step in the logarithm of a noise parameter. */
#define NOISE_LONGEST 1.0

/* What stands at an end of its range and would leave it stays. */
static void hold(stated_optimiser *c)
{
    for (size_t i = 0; i < c->n_unknowns; i++) {
        stated_ends own = stated_optimiser_ends(c, &c->unknowns[i]);
        c->is_held[i] = (own.at_lower && c->slope[i] <= 0.0) ||
                        (own.at_upper && c->slope[i] >= 0.0) || !isfinite(c->slope[i]);
    }
}

static bool find_step(stated_optimiser *c, double damping)
{
    size_t m = c->n_unknowns;
    memcpy(c->work, c->matrix, m * m * sizeof *c->work);
    for (size_t i = 0; i < m; i++) {
        c->step[i] = c->is_held[i] ? 0.0 : c->slope[i];
        double own = fabs(c->matrix[i * m + i]);
        c->work[i * m + i] += damping * (own > 0.0 ? own : 1.0);
        for (size_t j = 0; j < m && c->is_held[i]; j++)
            c->work[i * m + j] = c->work[j * m + i] = 0.0;
        if (c->is_held[i])
            c->work[i * m + i] = 1.0;
    }
    if (small_matrix_factor(m, c->work) < m)
        return false;
    small_matrix_solve(m, c->work, c->step);
    return true;
}

static void take_step(stated_optimiser *c)
{
    memcpy(c->next, c->at, c->n_planets * sizeof *c->next);
    memcpy(c->trial, c->set, c->n * sizeof *c->trial);
    for (size_t i = 0; i < c->n_unknowns; i++) {
        const stated_unknown *own = &c->unknowns[i];
        double longest = own->place < N_STATED
                             ? stated_orbit_long_step(&c->orbits[own->planet], c->at[own->planet],
                                                      own->place, c->problem->star->span_days)
                         : own->is_logarithm ? NOISE_LONGEST
                                             : INFINITY;
        double step = fmin(fmax(c->step[i], -longest), longest);
        if (own->place < N_STATED)
            c->next[own->planet][own->place] += step;
        else if (own->is_logarithm)
            stated_optimiser_move(
                c, i,
                fmin(fmax(stated_optimiser_coordinate(own, c->set) + step, own->lower), own->upper),
                c->trial);
        else
            c->trial[own->column] =
                fmin(fmax(c->trial[own->column] + step, own->lower), own->upper);
    }
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_bound(&c->orbits[p], c->next[p]);
    stated_optimiser_keep_apart(c, c->next);
    stated_optimiser_fill(c, c->next, c->trial);
}

static equant_status iterate(stated_optimiser *c, double *damping, double *gain)
{
    equant_status status = study_still_wanted(c->problem->star);
    if (status == EQUANT_SUCCESS)
        status = stated_optimiser_differentiate(c, 1.0);
    *gain = 0.0;
    hold(c);
    for (int i = 0; i < N_DAMPINGS && status == EQUANT_SUCCESS; i++, *damping *= 8.0) {
        double height;
        if (!find_step(c, *damping))
            continue;
        take_step(c);
        status = stated_optimiser_objective(c, c->trial, &height, NULL);
        if (status != EQUANT_SUCCESS || !(height > c->height))
            continue;
        *gain = height - c->height;
        c->height = height;
        memcpy(c->set, c->trial, c->n * sizeof *c->set);
        memcpy(c->at, c->next, c->n_planets * sizeof *c->at);
        *damping = fmax(*damping / 16.0, 1e-9);
        break;
    }
    *damping = fmin(*damping, 1e6);
    return status;
}

/* ln L depends on the square of a jitter, so that its slope vanishes at zero, and no step leaves
 * that. Each jitter that stands there is tried at a small value, all else as it is. */
static equant_status leave_zero(stated_optimiser *c, double *gain)
{
    const double share = 0.1; /* of a typical uncertainty */
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < c->n_unknowns && status == EQUANT_SUCCESS; i++) {
        const stated_unknown *own = &c->unknowns[i];
        double height, small = share * c->typical_sigma;
        if (!stated_optimiser_is_jitter(c, own) || !(c->set[own->column] < small) ||
            !(own->upper > small))
            continue;
        memcpy(c->trial, c->set, c->n * sizeof *c->trial);
        c->trial[own->column] = fmax(small, own->lower);
        status = stated_optimiser_objective(c, c->trial, &height, NULL);
        if (status != EQUANT_SUCCESS || !(height > c->height))
            continue;
        *gain += height - c->height;
        c->height = height;
        memcpy(c->set, c->trial, c->n * sizeof *c->set);
    }
    return status;
}

equant_status stated_fit_optimise(const stated_problem *problem, int most, double *set,
                                  stated_result *found)
{
    stated_optimiser c;
    equant_status status = stated_optimiser_create(problem, set, &c);
    if (status != EQUANT_SUCCESS)
        return status;
    stated_optimiser_fill(&c, c.at, c.set);
    status = stated_optimiser_objective(&c, c.set, &c.height, NULL);
    double damping = 1e-3;
    int idle = 0;
    for (int i = 0; i < most && idle < N_IDLE && status == EQUANT_SUCCESS && c.n_unknowns > 0;
         i++) {
        double gain;
        status = iterate(&c, &damping, &gain);
        if (status == EQUANT_SUCCESS && gain <= SMALL_GAIN)
            status = leave_zero(&c, &gain);
        if (gain > SMALL_GAIN) {
            idle = 0;
        } else {
            idle++;
            damping = 1e-3;
        }
    }
    if (status == EQUANT_SUCCESS)
        status = stated_optimiser_objective(&c, c.set, &c.height, found);
    memcpy(set, c.set, c.n * sizeof *set);
    stated_optimiser_free(&c);
    return status;
}
