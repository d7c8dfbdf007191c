#include "inference/sample/run/start_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/likelihood/small_matrix.h"
#include "statistics/coordinate_draw.h"

enum { N_DRAWS = 2048, N_STARTS = 4, N_STEPS = 40, N_DAMPINGS = 12 };

/* No step changes a parameter of noise by more than this factor's logarithm. */
#define LONGEST_STEP 0.7
/* Gains in ln L that are worth no further step. */
#define SMALL_GAIN 1e-3
/* Jitters are not zero where steps are taken in their logarithms. */
#define LEAST_JITTER_M_S 1e-3

/* Working memory of one optimisation: a set and the trial step, with its derivatives. */
typedef struct optimiser {
    const start_noise_request *request;
    const parameter_layout *layout;
    size_t n;
    double *set, *trial, *gradient, *fisher, *matrix, *step; /* [n], or [n][n] */
    double log_likelihood;
    bool has_planets_in_order; /* planets are by period, and so are their priors */
} optimiser;

/* ---- bounds ------------------------------------------------------------------------------- */

static bool is_noise(const optimiser *c, size_t column)
{
    return column >= parameter_layout_first_noise(c->layout);
}

/* The prior of a column, those before it in the set being as they are. */
static prior_density prior_at(const optimiser *c, const double *set, size_t column)
{
    const prior_density *prior = priors_of_column(c->request->priors, column);
    if (prior->kind == PRIOR_TURNS)
        return prior_density_at_period(prior, set[column - 1]);
    if (parameter_layout_element(c->layout, column) == ELEMENT_K)
        return prior_density_at_orbit(prior, set[column - ELEMENT_K],
                                      set[column - ELEMENT_K + ELEMENT_ECCENTRICITY]);
    return *prior;
}

/* The least and the largest that a column may be: a little inside its prior. */
static void bounds_of(const optimiser *c, const double *set, size_t column, double bounds[2])
{
    const double inside = 1e-9, most_eccentric = 0.97;
    const prior_density own = prior_at(c, set, column);
    bounds[0] = isfinite(own.lower) ? own.lower + inside * fabs(own.lower) : own.lower;
    bounds[1] = isfinite(own.upper) ? own.upper - inside * fabs(own.upper) : own.upper;
    if (parameter_layout_term(c->layout, column) == TERM_JITTERS)
        bounds[0] = fmax(bounds[0], LEAST_JITTER_M_S);
    if (parameter_layout_element(c->layout, column) == ELEMENT_ECCENTRICITY)
        bounds[1] = fmin(bounds[1], most_eccentric);
    bounds[1] = fmax(bounds[1], bounds[0]);
    if (own.kind == PRIOR_FIXED)
        bounds[0] = bounds[1] = own.first;
}

/* Angles are anywhere, unless one is fixed; a fixed omega leaves the mean longitude as it was. */
static void keep_planet_inside(const optimiser *c, double *elements, size_t first)
{
    static const size_t bounded[] = {ELEMENT_PERIOD, ELEMENT_ECCENTRICITY, ELEMENT_K};
    double *set = elements - first, bounds[2];
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
        bounds_of(c, set, first + bounded[i], bounds);
        elements[bounded[i]] = fmin(fmax(elements[bounded[i]], bounds[0]), bounds[1]);
    }
    const prior_density *omega = priors_of_column(c->request->priors, first + ELEMENT_OMEGA);
    if (omega->kind == PRIOR_FIXED) {
        elements[ELEMENT_M0] += elements[ELEMENT_OMEGA] - omega->first;
        elements[ELEMENT_OMEGA] = omega->first;
    }
}

static void keep_inside(const optimiser *c, double *set)
{
    double bounds[2];
    for (size_t p = 0; c->has_planets_in_order && p < c->layout->n_planets; p++)
        keep_planet_inside(c, set + parameter_layout_orbit(c->layout, p),
                           parameter_layout_orbit(c->layout, p));
    for (size_t i = parameter_layout_end(c->layout, TERM_ORBITS); i < c->n; i++) {
        bounds_of(c, set, i, bounds);
        set[i] = fmin(fmax(set[i], bounds[0]), bounds[1]);
    }
}

/* Whether a coordinate has nowhere to go. */
static bool is_fixed(const optimiser *c, size_t column)
{
    size_t element = parameter_layout_element(c->layout, column);
    if (element < N_ELEMENTS && !c->has_planets_in_order)
        return false;
    if (element == ELEMENT_M0)
        return false;
    size_t decides = element == ELEMENT_OMEGA ? column - 1 : column; /* e cos omega, e sin omega */
    return priors_of_column(c->request->priors, decides)->kind == PRIOR_FIXED;
}

/* ---- optimisation -----------------------------------------------------------------------------
 */

/* Takes a coordinate out of the next step. */
static void hold(optimiser *c, size_t column)
{
    c->gradient[column] = 0.0;
    for (size_t j = 0; j < c->n; j++)
        c->fisher[column * c->n + j] = c->fisher[j * c->n + column] = 0.0;
}

static equant_status differentiate(optimiser *c)
{
    equant_derivatives wanted = {
        .struct_size = sizeof wanted, .log_likelihood_gradient = c->gradient, .fisher = c->fisher};
    equant_status status = equant_evaluator_differentiate(c->request->evaluator,
                                                          EQUANT_BASIS_REGULAR, 1, c->set, &wanted);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t i = 0; i < c->n; i++)
        if (!isfinite(c->gradient[i]))
            c->gradient[i] = 0.0;
    for (size_t i = 0; i < c->n * c->n; i++)
        if (!isfinite(c->fisher[i]))
            c->fisher[i] = 0.0;
    for (size_t i = parameter_layout_first_noise(c->layout); i < c->n; i++) {
        double bounds[2];
        bounds_of(c, c->set, i, bounds);
        c->gradient[i] *= c->set[i];
        for (size_t j = 0; j < c->n; j++) {
            c->fisher[i * c->n + j] *= c->set[i];
            c->fisher[j * c->n + i] *= c->set[i];
        }
        /* What would leave its bounds stays where it is. */
        if ((c->set[i] <= bounds[0] && c->gradient[i] <= 0.0) ||
            (c->set[i] >= bounds[1] && c->gradient[i] >= 0.0))
            hold(c, i);
    }
    for (size_t i = 0; i < c->n; i++)
        if (is_fixed(c, i))
            hold(c, i);
    return EQUANT_SUCCESS;
}

/* The step of Levenberg and Marquardt; false where the matrix does not allow one. */
static bool find_step(optimiser *c, double damping)
{
    const size_t n = c->n;
    memcpy(c->matrix, c->fisher, n * n * sizeof *c->matrix);
    memcpy(c->step, c->gradient, n * sizeof *c->step);
    for (size_t i = 0; i < n; i++) {
        double diagonal = fabs(c->fisher[i * n + i]);
        c->matrix[i * n + i] += damping * (diagonal > 0.0 ? diagonal : 1.0);
    }
    if (small_matrix_factor(n, c->matrix) < n)
        return false;
    small_matrix_solve(n, c->matrix, c->step);
    return true;
}

/* Fills what is tried; false where planets cannot go there. */
static bool take_step(optimiser *c)
{
    size_t n_planets = c->layout->n_planets;
    if (equant_basis_from_elements(EQUANT_BASIS_REGULAR, n_planets, c->set, c->trial) !=
        EQUANT_SUCCESS)
        return false;
    for (size_t i = 0; i < c->n; i++) {
        if (is_noise(c, i))
            c->trial[i] = c->set[i] * exp(fmin(fmax(c->step[i], -LONGEST_STEP), LONGEST_STEP));
        else
            c->trial[i] = (i < N_ELEMENTS * n_planets ? c->trial[i] : c->set[i]) + c->step[i];
    }
    if (equant_basis_to_elements(EQUANT_BASIS_REGULAR, n_planets, c->trial, c->trial) !=
        EQUANT_SUCCESS)
        return false;
    keep_inside(c, c->trial);
    return true;
}

static equant_status evaluate(optimiser *c, size_t n_sets, const double *sets,
                              double *log_likelihood)
{
    equant_results results = {.struct_size = sizeof results, .log_likelihood = log_likelihood};
    return equant_evaluator_evaluate(c->request->evaluator, n_sets, sets, &results);
}

/* One step upwards, as far as one is found; *gain is what it brought. */
static equant_status iterate(optimiser *c, double *damping, double *gain)
{
    equant_status status = differentiate(c);
    *gain = 0.0;
    for (int i = 0; i < N_DAMPINGS && status == EQUANT_SUCCESS; i++, *damping *= 8.0) {
        double found = -INFINITY;
        if (!find_step(c, *damping) || !take_step(c))
            continue;
        status = evaluate(c, 1, c->trial, &found);
        if (status == EQUANT_SUCCESS && found > c->log_likelihood) {
            *gain = found - c->log_likelihood;
            c->log_likelihood = found;
            memcpy(c->set, c->trial, c->n * sizeof *c->set);
            *damping = fmax(*damping / 16.0, 1e-6);
            break;
        }
    }
    return status;
}

static equant_status optimise(optimiser *c)
{
    double damping = 1e-2, gain = INFINITY;
    equant_status status = evaluate(c, 1, c->set, &c->log_likelihood);
    for (int i = 0; i < N_STEPS && gain > SMALL_GAIN && status == EQUANT_SUCCESS; i++)
        status = iterate(c, &damping, &gain);
    return status;
}

/* ---- where to begin ------------------------------------------------------------------------ */

/* Noise from its priors, and jitters that leave some of the scatter to it. */
static void draw(const optimiser *c, uint64_t index, double *set)
{
    const priors *believed = c->request->priors;
    for (size_t i = parameter_layout_first_noise(c->layout); i < c->n; i++) {
        const prior_density *prior = priors_of_column(believed, i);
        double u = coordinate_draw_uniform(c->request->seed, index, i);
        if (i < parameter_layout_first(c->layout, TERM_NOISE))
            set[i] *= u;
        else
            set[i] = prior_density_quantile(prior, u) * coordinate_map_unit(prior, &set[i]);
    }
    keep_inside(c, set);
}

/* The likeliest of the draws that is not marked; marks it. */
static size_t take_best(size_t n, double *log_likelihood)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (log_likelihood[i] > log_likelihood[best])
            best = i;
    log_likelihood[best] = -INFINITY;
    return best;
}

static equant_status optimise_from_draws(optimiser *c, const double *given, double *sets,
                                         double *log_likelihood, double *best)
{
    double highest = -INFINITY;
    for (size_t i = 0; i < N_DRAWS; i++) {
        memcpy(sets + i * c->n, given, c->n * sizeof *sets);
        draw(c, i, sets + i * c->n);
    }
    equant_status status = evaluate(c, N_DRAWS, sets, log_likelihood);
    for (size_t start = 0; start < N_STARTS && status == EQUANT_SUCCESS; start++) {
        memcpy(c->set, sets + take_best(N_DRAWS, log_likelihood) * c->n, c->n * sizeof *c->set);
        status = optimise(c);
        if (status == EQUANT_SUCCESS && c->log_likelihood > highest) {
            highest = c->log_likelihood;
            memcpy(best, c->set, c->n * sizeof *best);
        }
    }
    c->log_likelihood = highest;
    return status;
}

/* Whether the priors of planets have rising periods, as the planets of a fit do. */
static bool has_order(const priors *believed)
{
    const parameter_layout *layout = priors_layout(believed);
    double before = 0.0;
    for (size_t p = 0; p < layout->n_planets; p++) {
        const prior_density *period = priors_of_column(believed, parameter_layout_orbit(layout, p));
        double middle = prior_density_quantile(period, 0.5);
        if (middle < before)
            return false;
        before = middle;
    }
    return true;
}

equant_status start_noise_refine(const start_noise_request *request, double *set,
                                 double *log_likelihood)
{
    optimiser c = {.request = request,
                   .layout = priors_layout(request->priors),
                   .has_planets_in_order = has_order(request->priors)};
    const size_t n = c.n = c.layout->n_parameters;
    double *room = calloc((2 * n + 4) * n + (n + 1) * N_DRAWS + n, sizeof *room);
    if (!room)
        return status_out_of_memory();
    c.set = room;
    c.trial = c.set + n;
    c.gradient = c.trial + n;
    c.step = c.gradient + n;
    c.fisher = c.step + n;
    c.matrix = c.fisher + n * n;
    double *sets = c.matrix + n * n, *values = sets + n * N_DRAWS, *given = values + N_DRAWS;
    memcpy(given, set, n * sizeof *given);
    equant_status status = optimise_from_draws(&c, given, sets, values, set);
    *log_likelihood = c.log_likelihood;
    free(room);
    return status;
}

/* ---- widths --------------------------------------------------------------------------------- */

void start_noise_to_logarithms(const parameter_layout *layout, const double *set, double *precision)
{
    const size_t n = layout->n_parameters, first = parameter_layout_first_noise(layout);
    for (size_t i = parameter_layout_first(layout, TERM_NOISE); i < n; i++)
        for (size_t j = 0; j < n; j++) {
            precision[i * n + j] *= set[i];
            precision[j * n + i] *= set[i];
        }
    /* Second derivatives away from a maximum need not be definite; each alone is a width then. */
    double block[64 * 64];
    size_t m = n - first;
    bool is_definite = m <= 64;
    for (size_t i = 0; i < m && is_definite; i++)
        for (size_t j = 0; j < m; j++)
            block[i * m + j] = precision[(first + i) * n + first + j] + (i == j ? 1e-6 : 0.0);
    is_definite = is_definite && small_matrix_factor(m, block) == m;
    for (size_t i = first; i < n && !is_definite; i++)
        for (size_t j = first; j < n; j++)
            precision[i * n + j] = i == j ? fmax(precision[i * n + i], 0.0) : 0.0;
}
