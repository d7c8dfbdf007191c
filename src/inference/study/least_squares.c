#include "inference/study/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/arrow_matrix.h"
#include "inference/study/likelihood/set_likelihood.h"
#include "inference/study/study_crew.h"

/* Marquardt's damping: where it starts, how it falls after a step that helps and grows after
 * one that does not, and where further damping is pointless. */
#define DAMPING_START 1e-3
#define DAMPING_LEAST 1e-9
#define DAMPING_MOST 1e8
#define DAMPING_FALL (1.0 / 3.0)
#define DAMPING_GROWTH 10.0
/* Done when chi-square falls by less than this, absolutely and relative to itself. */
#define GAIN_ENOUGH 1e-8
/* An orbit may not move by more than this share of a turn over the data in one step. */
#define TURNS_PER_STEP 0.2
/* Of ln P: what rounding may do to a period at the end of its range. */
#define AT_THE_END 1e-12
/* Columns of the basis EQUANT_BASIS_LINEAR. */
enum { LN_PERIOD, E_COS_M0, E_SIN_M0, AMPLITUDE_A, AMPLITUDE_B };

typedef struct start_state {
    double *here;        /* [n] coordinates of the best point so far */
    double *trial;       /* [n] coordinates being tried */
    arrow_matrix fisher; /* at `here` */
    double *descent;     /* [n] J' W r at `here` */
    double *linear;      /* [n] what solving for the linear parameters alone adds to `here` */
    double merit;        /* chi-square at `here` with linear parameters at their best */
    double damping;
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
    free(work->set);
    free(work->gradient);
    free(work->fisher);
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
    if (!work->is_free || !work->is_linear || !work->is_curved || !work->equations ||
        !work->vector || !work->square_storage || !work->descent || !work->storage || !work->set ||
        !work->gradient || !work->fisher) {
        workspace_free(work);
        return status_out_of_memory();
    }
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
                                .damping = DAMPING_START};
    return EQUANT_SUCCESS;
}

/* Takes a step from `here`, but not so far that the linearisation means nothing. */
static void make_trial(const workspace *work, start_state *state)
{
    const study *star = work->star;
    double *step = work->vector;
    arrow_matrix_solve(&state->fisher, work->is_free, work->is_curved, state->damping,
                       state->descent, step, work->equations);
    for (size_t i = 0; i < work->n; i++)
        state->trial[i] = state->here[i] + step[i];
    for (size_t p = work->problem->n_fixed; p < work->problem->n_planets; p++) {
        double *trial = state->trial + N_ELEMENTS * p;
        const double *here = state->here + N_ELEMENTS * p;
        double turns = star->span_days / exp(here[LN_PERIOD]);
        double most = TURNS_PER_STEP / fmax(1.0, turns);
        double change = fmax(-most, fmin(most, step[N_ELEMENTS * p + LN_PERIOD]));
        /* A planet that a caller started from outside the range is not pulled into it; one at
         * its end is inside, whatever the logarithm was rounded to. */
        double lowest = log(star->period_min_days), highest = log(star->period_max_days);
        if (here[LN_PERIOD] < lowest - AT_THE_END || here[LN_PERIOD] > highest + AT_THE_END) {
            lowest = -INFINITY;
            highest = INFINITY;
        }
        trial[LN_PERIOD] = fmin(highest, fmax(lowest, here[LN_PERIOD] + change));
        double e = hypot(trial[E_COS_M0], trial[E_SIN_M0]);
        double largest = study_largest_eccentricity(exp(trial[LN_PERIOD]));
        if (e > largest) {
            trial[E_COS_M0] *= largest / e;
            trial[E_SIN_M0] *= largest / e;
        }
    }
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
    if (merit < state->merit) {
        double gain = state->merit - merit;
        memcpy(state->here, state->trial, n * sizeof *state->here);
        memcpy(state->fisher.together, work->square_storage,
               arrow_matrix_size(n, work->square.n_apart) * sizeof *work->square_storage);
        memcpy(state->descent, work->descent, n * sizeof *state->descent);
        memcpy(state->linear, linear, n * sizeof *state->linear);
        state->merit = merit;
        /* A step that was damped much may be short far from the best, too. */
        bool is_free = state->damping <= DAMPING_START;
        state->done =
            gain < GAIN_ENOUGH * (1.0 + merit) || (is_free && gain < work->problem->gain_enough);
        state->damping = fmax(DAMPING_LEAST, state->damping * DAMPING_FALL);
    } else {
        state->damping *= DAMPING_GROWTH;
        state->done = !isfinite(state->merit) || state->damping > DAMPING_MOST;
    }
    if (!state->done)
        make_trial(work, state);
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
