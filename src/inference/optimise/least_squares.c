#include "inference/optimise/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/bounded_step.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/study_crew.h"

/* Marquardt's damping: where it starts, the least that it falls to, and where more is pointless. It
 * follows how much of what the linearised model foresaw a step has brought (Nielsen 1999): a step
 * that helps, but less than foreseen, has gone too far, and without more damping the next ones
 * swing to and fro around the best. */
#define DAMPING_START 1e-3
#define DAMPING_LEAST 1e-5
#define DAMPING_MOST 1e8
#define DAMPING_FALL (1.0 / 3.0)
#define DAMPING_GROWTH 2.0
/* Of what is enough: a step that is damped and foresees less than this is not worth a try. */
#define NOT_WORTH_A_TRY 0.1
/* Done when chi-square falls by less than this, absolutely and relative to itself. */
#define GAIN_ENOUGH 1e-8

typedef struct start_state {
    double *here;        /* [n] coordinates of the best point so far */
    double *trial;       /* [n] coordinates being tried */
    arrow_matrix fisher; /* at `here` */
    double *descent;     /* [n] J' W r at `here` */
    double *linear;      /* [n] what solving for the linear parameters alone adds to `here` */
    double merit;        /* chi-square at `here` with linear parameters at their best */
    double foreseen;     /* by how much the trial should lower it */
    double damping, growth;
    bool linear_known, done;
} start_state;

/* Everything about a start and its columns. */
typedef struct workspace {
    const least_squares_problem *problem;
    const study *star;
    size_t n_columns; /* of a parameter set */
    size_t n;         /* of these, without jitters */
    /* Which columns are fitted, which of those are solved for alone at a trial, and which are
     * damped on the way there. */
    bool *is_free, *is_linear, *is_curved;
    double *equations, *vector; /* of the equations being solved */
    arrow_matrix square;        /* of the trial being judged, and what it points into */
    double *square_storage, *descent;
    double *storage; /* what the state points into */
    start_state state;
    bounded_step step;
    double *set, *gradient, *fisher; /* of the trial being differentiated */
} workspace;

study_shape least_squares_shape(const least_squares_problem *problem)
{
    return (study_shape){problem->n_planets, problem->trend_order, problem->noise};
}

void least_squares_free_columns(const study *star, const least_squares_problem *problem,
                                bool *is_free)
{
    parameter_layout layout = study_layout(star, problem->n_planets, problem->trend_order);
    size_t first_indicator = study_first_indicator(star, problem->n_planets, problem->trend_order);
    for (size_t i = 0; i < parameter_layout_first_noise(&layout); i++) {
        bool of_planet = i < layout.columns[TERM_OFFSETS].first;
        bool shape = i % N_ELEMENTS == E_COS_M0 || i % N_ELEMENTS == E_SIN_M0;
        bool round =
            of_planet && shape && i / N_ELEMENTS + problem->n_circular >= problem->n_planets;
        is_free[i] = i >= first_indicator
                         ? problem->noise.indicators >> (i - first_indicator) & 1
                         : !of_planet || (i / N_ELEMENTS >= problem->n_fixed && !round);
    }
}

static void workspace_free(workspace *work)
{
    free(work->is_free);
    free(work->is_linear);
    free(work->is_curved);
    free(work->equations);
    free(work->vector);
    free(work->square_storage);
    free(work->descent);
    free(work->storage);
    bounded_step_free(&work->step);
    free(work->set);
    free(work->gradient);
    free(work->fisher);
    memset(work, 0, sizeof *work);
}

static equant_status workspace_create(workspace *work, const study *star,
                                      const least_squares_problem *problem)
{
    parameter_layout layout = study_layout(star, problem->n_planets, problem->trend_order);
    size_t n = parameter_layout_first_noise(&layout), all = layout.n_parameters,
           first = layout.columns[TERM_OFFSETS].first,
           /* Correlated noise lets the offsets of instruments meet. */
        n_apart = problem->noise.terms == 0 ? layout.columns[TERM_OFFSETS].n : 0,
           together = n - n_apart;
    *work = (workspace){.problem = problem, .star = star, .n_columns = all, .n = n};
    work->is_free = calloc(n + 1, sizeof *work->is_free);
    work->is_linear = calloc(n + 1, sizeof *work->is_linear);
    work->is_curved = calloc(n + 1, sizeof *work->is_curved);
    work->equations = calloc(together * (together + 2) + 1, sizeof *work->equations);
    work->vector = calloc(n + 1, sizeof *work->vector);
    work->square_storage = calloc(arrow_matrix_size(n, n_apart) + 1, sizeof *work->square_storage);
    work->descent = calloc(n + 1, sizeof *work->descent);
    work->storage = calloc(4 * n + arrow_matrix_size(n, n_apart) + 1, sizeof *work->storage);
    work->set = calloc(all + 1, sizeof *work->set);
    work->gradient = calloc(all + 1, sizeof *work->gradient);
    work->fisher = calloc(all * all + 1, sizeof *work->fisher);
    equant_status status = bounded_step_create(star, n, first, n_apart, &work->step);
    if (!work->is_free || !work->is_linear || !work->is_curved || !work->equations ||
        !work->vector || !work->square_storage || !work->descent || !work->storage || !work->set ||
        !work->gradient || !work->fisher)
        status = status_out_of_memory();
    if (status != EQUANT_SUCCESS) {
        workspace_free(work);
        return status;
    }
    work->step.n_fixed = problem->n_fixed;
    work->step.n_planets = problem->n_planets;
    work->step.is_free = work->is_free;
    work->step.is_damped = work->is_curved;
    least_squares_free_columns(star, problem, work->is_free);
    for (size_t i = 0; i < n; i++) {
        bool of_planet = i < layout.columns[TERM_OFFSETS].first;
        bool linear = !of_planet || i % N_ELEMENTS >= AMPLITUDE_A;
        work->is_linear[i] = work->is_free[i] && linear;
        work->is_curved[i] = work->is_free[i] && !linear;
    }
    work->square = arrow_matrix_in(work->square_storage, n, first, n_apart);
    work->state = (start_state){.here = work->storage,
                                .trial = work->storage + n,
                                .descent = work->storage + 2 * n,
                                .linear = work->storage + 3 * n,
                                .fisher = arrow_matrix_in(work->storage + 4 * n, n, first, n_apart),
                                .merit = INFINITY,
                                .damping = DAMPING_START,
                                .growth = DAMPING_GROWTH};
    return EQUANT_SUCCESS;
}

/* The next trial, and what it should bring: chi-square at `here` is above the merit by what the
 * linear parameters would gain. */
static void foresee_trial(const workspace *work, start_state *state)
{
    double *step = work->vector, gained = 0.0, to_gain = 0.0;
    bounded_step_take(&work->step, &state->fisher, state->descent, state->damping, state->here,
                      state->trial);
    for (size_t i = 0; i < work->n; i++) {
        step[i] = state->trial[i] - state->here[i];
        gained += 2.0 * step[i] * state->descent[i];
        to_gain += state->linear[i] * state->descent[i];
    }
    state->foreseen = gained - arrow_matrix_square(&state->fisher, step) - to_gain;
}

static void raise_damping(start_state *state)
{
    state->damping *= state->growth;
    state->growth *= 2.0;
}

/* The next trial that should bring something: bounds may leave a step that does not. */
static void make_trial(const workspace *work, start_state *state)
{
    foresee_trial(work, state);
    while (!(state->foreseen > 0.0) && state->damping < DAMPING_MOST) {
        raise_damping(state);
        foresee_trial(work, state);
    }
}

/* After a step that gained so much of what was foreseen. */
static void lower_damping(start_state *state, double gain)
{
    double missing = 2.0 * fmin(1.0, gain / fmax(state->foreseen, gain)) - 1.0;
    double by = fmax(DAMPING_FALL, 1.0 - missing * missing * missing);
    state->damping = fmax(DAMPING_LEAST, state->damping * by);
    state->growth = DAMPING_GROWTH;
}

/* Whether a start is done that gained so much in its last step, with the damping of that step. One
 * that was damped may be short far from the best, too: then the next one is asked. */
static bool is_done(const workspace *work, const start_state *state, double gain, double damping)
{
    double enough = work->problem->gain_enough;
    return gain < GAIN_ENOUGH * (1.0 + state->merit) || state->damping > DAMPING_MOST ||
           (gain < enough && (damping <= DAMPING_START || state->foreseen < enough)) ||
           state->foreseen < (state->damping <= DAMPING_START ? work->problem->foreseen_enough
                                                              : NOT_WORTH_A_TRY * enough);
}

/* Weighs what the derivatives at a trial say, and makes the next one. */
static void judge(workspace *work, start_state *state, double chi_square, const double *gradient,
                  const double *fisher)
{
    size_t n = work->n, all = work->n_columns;
    double merit = INFINITY, *linear = work->vector;
    if (isfinite(chi_square)) {
        for (size_t i = 0; i < n; i++)
            work->descent[i] = -0.5 * gradient[i];
        arrow_matrix_load(&work->square, fisher, all);
        arrow_matrix_solve(&work->square, work->is_linear, work->is_curved, 0.0, work->descent,
                           linear, work->equations);
        merit = chi_square;
        for (size_t i = 0; i < n; i++)
            merit -= work->descent[i] * linear[i];
    }
    if (!state->linear_known) {
        /* Derivatives by period and eccentricity need the amplitudes: come back with them. */
        state->linear_known = true;
        for (size_t i = 0; i < n && isfinite(merit); i++)
            state->trial[i] += linear[i];
        state->done = !isfinite(merit);
        return;
    }
    double gain = INFINITY, damping = state->damping; /* of a step that did not help: unknown */
    if (merit < state->merit) {
        gain = state->merit - merit;
        memcpy(state->here, state->trial, n * sizeof *state->here);
        memcpy(state->fisher.together, work->square_storage,
               arrow_matrix_size(n, work->square.n_apart) * sizeof *work->square_storage);
        memcpy(state->descent, work->descent, n * sizeof *state->descent);
        memcpy(state->linear, linear, n * sizeof *state->linear);
        state->merit = merit;
        lower_damping(state, gain);
    } else
        raise_damping(state);
    state->done = !isfinite(state->merit);
    if (state->done)
        return;
    make_trial(work, state);
    state->done = is_done(work, state, gain, damping);
}

/* Coordinates of a trial into the parameter set that the evaluator takes. */
static equant_status load_trial(const workspace *work, const double *jitters)
{
    memcpy(work->set, work->state.trial, work->n * sizeof *work->set);
    memcpy(work->set + work->n, jitters, (work->n_columns - work->n) * sizeof *work->set);
    return equant_basis_to_elements(EQUANT_BASIS_LINEAR, work->problem->n_planets, work->set,
                                    work->set);
}

/* One round: derivatives at the trial, and what follows from them. */
static equant_status one_round(workspace *work, study *star, const double *set)
{
    const study_shape shape = least_squares_shape(work->problem);
    double chi_square;
    equant_status status = load_trial(work, set + work->n);
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_differentiate(star, &shape, EQUANT_BASIS_LINEAR, work->set,
                                              &chi_square, work->gradient, work->fisher);
    if (status == EQUANT_SUCCESS)
        judge(work, &work->state, chi_square, work->gradient, work->fisher);
    return status;
}

/* The best point, as elements, with its linear parameters at their best. */
static equant_status unload(const workspace *work, double *set)
{
    const start_state *state = &work->state;
    if (!isfinite(state->merit))
        return EQUANT_SUCCESS;
    size_t kept = N_ELEMENTS * work->problem->n_fixed; /* fixed planets keep their very bits */
    for (size_t i = kept; i < work->n; i++)
        set[i] = state->here[i] + state->linear[i];
    return equant_basis_to_elements(EQUANT_BASIS_LINEAR,
                                    work->problem->n_planets - work->problem->n_fixed, set + kept,
                                    set + kept);
}

static equant_status refine_one(study *star, const least_squares_problem *problem, double *set,
                                double *chi_square)
{
    workspace work;
    equant_status status = workspace_create(&work, star, problem);
    if (status != EQUANT_SUCCESS)
        return status;
    memcpy(work.state.trial, set, work.n * sizeof *work.state.trial);
    status = equant_basis_from_elements(EQUANT_BASIS_LINEAR, problem->n_planets, work.state.trial,
                                        work.state.trial);
    for (int round = 0; round <= problem->max_iterations && !work.state.done; round++) {
        if (status == EQUANT_SUCCESS)
            status = study_still_wanted(star);
        if (status == EQUANT_SUCCESS)
            status = one_round(&work, star, set);
        if (status != EQUANT_SUCCESS)
            break;
    }
    if (status == EQUANT_SUCCESS)
        status = unload(&work, set);
    *chi_square = work.state.merit;
    workspace_free(&work);
    return status;
}

/* Starts that know nothing of each other. */
typedef struct starts {
    const least_squares_problem *problem;
    size_t n_columns;
    double *sets, *chi_square;
} starts;

static equant_status refine_start(study *star, void *context, size_t s)
{
    const starts *all = context;
    return refine_one(star, all->problem, all->sets + s * all->n_columns, &all->chi_square[s]);
}

equant_status least_squares_refine(study *star, const least_squares_problem *problem,
                                   size_t n_starts, double *sets, double *chi_square)
{
    starts all = {problem,
                  study_layout(star, problem->n_planets, problem->trend_order).n_parameters, sets,
                  chi_square};
    return study_crew_share(star, n_starts, refine_start, &all);
}
