#include "inference/optimise/bounded_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

/* An orbit may not move by more than this share of a turn over the data in one step. */
#define TURNS_PER_STEP 0.2
/* Of ln P: what rounding may do to a period at the end of its range. */
#define AT_THE_END 1e-12
/* Of the eccentricity: what is so near to the edge is there. */
#define AT_THE_EDGE 1e-9
/* What is held may lead others out: so often at most. */
enum { MOST_PASSES = 3 };

equant_status bounded_step_create(const study *star, size_t n, size_t first, size_t n_apart,
                                  bounded_step *made)
{
    size_t together = n - n_apart, size = arrow_matrix_size(n, n_apart);
    *made = (bounded_step){.star = star, .n = n};
    made->is_wanted = calloc(n + 1, sizeof *made->is_wanted);
    made->storage = calloc(3 * n + size + together * (together + 2) + 1, sizeof *made->storage);
    if (!made->is_wanted || !made->storage) {
        bounded_step_free(made);
        return status_out_of_memory();
    }
    made->step = made->storage;
    made->right = made->step + n;
    made->known = made->right + n;
    made->equations = made->known + n;
    made->turned = arrow_matrix_in(made->equations + together * (together + 2), n, first, n_apart);
    return EQUANT_SUCCESS;
}

void bounded_step_free(bounded_step *work)
{
    free(work->is_wanted);
    free(work->storage);
    work->is_wanted = NULL;
    work->storage = NULL;
}

/* ---- how far an orbit may go ---------------------------------------------------------------- */

static double eccentricity_of(const double *orbit)
{
    return hypot(orbit[E_COS_M0], orbit[E_SIN_M0]);
}

static double largest_of(const double *orbit)
{
    return study_largest_eccentricity(exp(orbit[LN_PERIOD]));
}

/* ln P after a step from `here`. A planet that a caller started from outside the range is not
 * pulled into it, nor followed to where its orbit is a parabola; one at its end is inside, whatever
 * the logarithm was rounded to. */
static double period_after(const study *star, double here, double step)
{
    double most = TURNS_PER_STEP / fmax(1.0, star->span_days / exp(here));
    double lowest = log(star->period_min_days), highest = log(star->period_max_days);
    if (here < lowest - AT_THE_END || here > highest + AT_THE_END) {
        lowest = -INFINITY;
        highest = fmax(here, log(study_longest_period(star)));
    }
    return fmin(highest, fmax(lowest, here + fmax(-most, fmin(most, step))));
}

static void set_eccentricity(double e, double *orbit)
{
    double by = e / eccentricity_of(orbit);
    orbit[E_COS_M0] *= by;
    orbit[E_SIN_M0] *= by;
}

/* An orbit after a step: that which may be nearest to what was asked for. */
static void orbit_after(const study *star, const double *here, const double *step, double *after)
{
    after[LN_PERIOD] = period_after(star, here[LN_PERIOD], step[LN_PERIOD]);
    after[E_COS_M0] = here[E_COS_M0] + step[E_COS_M0];
    after[E_SIN_M0] = here[E_SIN_M0] + step[E_SIN_M0];
    double largest = largest_of(after);
    if (eccentricity_of(after) > largest)
        set_eccentricity(largest, after);
}

/* ---- what is held --------------------------------------------------------------------------- */

/* Of one orbit: its period, or its eccentricity, makes a step that is known; or its eccentricity is
 * at its largest and stays there, while its direction is free. */
typedef struct orbit_hold {
    bool period, shape, edge;
    double known[E_SIN_M0 + 1];
    double cosine, sine; /* of the direction */
} orbit_hold;

/* What a step asks of an orbit beyond its bounds is held from now on; true where that is new. */
static bool hold_orbit(const bounded_step *work, const double *here, const double *step,
                       orbit_hold *hold)
{
    double after[E_SIN_M0 + 1], e = eccentricity_of(here);
    orbit_after(work->star, here, step, after);
    bool is_new = false;
    if (!hold->period && after[LN_PERIOD] != here[LN_PERIOD] + step[LN_PERIOD]) {
        hold->period = is_new = true;
        hold->known[LN_PERIOD] = after[LN_PERIOD] - here[LN_PERIOD];
    }
    bool leads_out = after[E_COS_M0] != here[E_COS_M0] + step[E_COS_M0] ||
                     after[E_SIN_M0] != here[E_SIN_M0] + step[E_SIN_M0];
    if (hold->shape || hold->edge || !leads_out)
        return is_new;
    if (e > 0.0 && e >= (1.0 - AT_THE_EDGE) * largest_of(here)) {
        hold->edge = true;
        hold->cosine = here[E_COS_M0] / e;
        hold->sine = here[E_SIN_M0] / e;
    } else {
        hold->shape = true;
        for (size_t i = E_COS_M0; i <= E_SIN_M0; i++)
            hold->known[i] = after[i] - here[i];
    }
    return true;
}

static bool hold_orbits(const bounded_step *work, const double *here, orbit_hold *holds)
{
    bool is_new = false;
    for (size_t p = work->n_fixed; p < work->n_planets; p++) {
        size_t first = N_ELEMENTS * p;
        is_new |= hold_orbit(work, here + first, work->step + first, &holds[p]);
    }
    return is_new;
}

/* Two unknowns become the parts along a direction and across it. */
static void turn(double cosine, double sine, double *two)
{
    double along = cosine * two[0] + sine * two[1], across = cosine * two[1] - sine * two[0];
    two[0] = along;
    two[1] = across;
}

/* Takes what is held out of the equations. */
static void settle_orbit(const bounded_step *work, const orbit_hold *hold, size_t first)
{
    arrow_matrix turned = work->turned;
    size_t shape = first + E_COS_M0;
    for (size_t i = LN_PERIOD; i <= E_SIN_M0; i++)
        if (i == LN_PERIOD ? hold->period : hold->shape) {
            work->is_wanted[first + i] = false;
            work->known[first + i] = hold->known[i];
        }
    if (hold->edge) {
        arrow_matrix_turn(&turned, shape, hold->cosine, hold->sine);
        turn(hold->cosine, hold->sine, work->right + shape);
        work->is_wanted[shape] = false;
    }
}

/* The best step beside what is held. */
static void step_beside(const bounded_step *work, const arrow_matrix *square, const double *descent,
                        double damping, const orbit_hold *holds)
{
    size_t n = work->n;
    memcpy(work->turned.together, square->together,
           arrow_matrix_size(n, square->n_apart) * sizeof *square->together);
    memcpy(work->right, descent, n * sizeof *descent);
    memcpy(work->is_wanted, work->is_free, n * sizeof *work->is_wanted);
    memset(work->known, 0, n * sizeof *work->known);
    for (size_t p = work->n_fixed; p < work->n_planets; p++)
        settle_orbit(work, &holds[p], N_ELEMENTS * p);
    arrow_matrix_take_off(&work->turned, work->known, work->right);
    arrow_matrix_solve(&work->turned, work->is_wanted, work->is_damped, damping, work->right,
                       work->step, work->equations);
    for (size_t i = 0; i < n; i++)
        work->step[i] += work->known[i];
    for (size_t p = work->n_fixed; p < work->n_planets; p++)
        if (holds[p].edge)
            turn(holds[p].cosine, -holds[p].sine, work->step + N_ELEMENTS * p + E_COS_M0);
}

void bounded_step_take(const bounded_step *work, const arrow_matrix *square, const double *descent,
                       double damping, const double *here, double *trial)
{
    orbit_hold holds[STUDY_MAX_PLANETS] = {{.period = false}};
    arrow_matrix_solve(square, work->is_free, work->is_damped, damping, descent, work->step,
                       work->equations);
    for (int pass = 0; pass < MOST_PASSES && hold_orbits(work, here, holds); pass++)
        step_beside(work, square, descent, damping, holds);
    for (size_t i = 0; i < work->n; i++)
        trial[i] = here[i] + work->step[i];
    for (size_t p = work->n_fixed; p < work->n_planets; p++) {
        double *orbit = trial + N_ELEMENTS * p;
        orbit_after(work->star, here + N_ELEMENTS * p, work->step + N_ELEMENTS * p, orbit);
        if (holds[p].edge) /* which moves with the period */
            set_eccentricity(largest_of(orbit), orbit);
    }
}
