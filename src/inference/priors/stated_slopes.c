/* How ln L and the priors of an optimisation change with its unknowns. */
#include <math.h>
#include <string.h>

#include "inference/priors/stated_optimiser.h"
#include "inference/likelihood/set_likelihood.h"

/* Noise has its slopes from differences of this much in a logarithm, or of this share of a jitter.
 */
#define NOISE_DIFFERENCE 1e-3

static double log_prior_of(const stated_optimiser *c, const double *set)
{
    const stated_problem *problem = c->problem;
    double sum = stated_prior_log_apart(problem->states, c->n_planets, set);
    for (size_t p = 0; p < c->n_planets; p++)
        sum += stated_prior_log(problem->states, problem->letters[p], c->reference_time_days,
                                problem->star_mass, false,
                                set + parameter_layout_orbit(&c->layout, p));
    for (size_t i = 0; i < c->n_unknowns; i++)
        if (c->unknowns[i].said)
            sum +=
                stated_prior_log_density(&c->unknowns[i].said->density, set[c->unknowns[i].column]);
    return sum;
}

equant_status stated_optimiser_objective(const stated_optimiser *c, const double *set,
                                         double *height, stated_result *found)
{
    double log_likelihood = -INFINITY, chi_square = INFINITY;
    const set_likelihood_results results = {.log_likelihood = &log_likelihood,
                                            .chi_square = &chi_square};
    equant_status status =
        set_likelihood_evaluate(c->problem->star, &c->problem->shape, set, &results);
    double log_prior = log_prior_of(c, set);
    *height = log_likelihood + log_prior;
    if (isnan(*height))
        *height = -INFINITY;
    if (found)
        *found = (stated_result){log_likelihood, chi_square, log_prior, c->n_unknowns,
                                 c->is_white ? c->n_unknowns : c->first_noise};
    return status;
}

/* What a prior adds to slope and curvature, given how its quantity moves with the unknowns. */
static void add_prior(stated_optimiser *c, const prior_density *density, double x,
                      const size_t *which, size_t n_which, const double *moves)
{
    double first, second, away = fmax(1e-6 * fabs(x), 1e-9);
    if (density->kind == PRIOR_UNIFORM || density->kind == PRIOR_LOG_UNIFORM)
        return;
    if (density->kind == PRIOR_NORMAL) {
        double variance = density->second * density->second;
        first = (density->first - x) / variance;
        second = 1.0 / variance;
    } else {
        double low = prior_density_log(density, x - away), here = prior_density_log(density, x),
               high = prior_density_log(density, x + away);
        if (!isfinite(low) || !isfinite(here) || !isfinite(high))
            return;
        first = (high - low) / (2.0 * away);
        second = fmax(0.0, (2.0 * here - high - low) / (away * away));
    }
    for (size_t i = 0; i < n_which; i++) {
        c->slope[which[i]] += first * moves[i];
        for (size_t j = 0; j < n_which; j++)
            c->matrix[which[i] * c->n_unknowns + which[j]] += second * moves[i] * moves[j];
    }
}

static void add_priors_of_planet(stated_optimiser *c, size_t planet)
{
    const equant_states *states = c->problem->states;
    double elements[N_ELEMENTS], moves[N_STATED];
    size_t which[N_STATED], n = 0;
    for (size_t i = 0; i < c->n_unknowns; i++)
        if (c->unknowns[i].place < N_STATED && c->unknowns[i].planet == planet)
            which[n++] = i;
    stated_orbit_elements(&c->orbits[planet], c->at[planet], elements);
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *said = &states->list[i];
        if (!stated_prior_is_of(said, c->problem->letters[planet]))
            continue;
        for (size_t j = 0; j < n; j++)
            moves[j] = stated_prior_slope(said, &c->orbits[planet], c->at[planet],
                                          c->unknowns[which[j]].place, c->reference_time_days,
                                          c->problem->star_mass);
        add_prior(c, &said->density,
                  stated_prior_value(said, c->reference_time_days, c->problem->star_mass, elements),
                  which, n, moves);
    }
}

static void add_priors(stated_optimiser *c)
{
    for (size_t p = 0; p < c->n_planets; p++)
        add_priors_of_planet(c, p);
    for (size_t i = 0; i < c->n_unknowns; i++) {
        const stated_unknown *own = &c->unknowns[i];
        double value = c->set[own->column], moves = own->is_logarithm ? value : 1.0;
        if (own->said)
            add_prior(c, &own->said->density, value, &i, 1, &moves);
    }
}

size_t stated_optimiser_moves(const stated_optimiser *c, const stated_unknown *own,
                              double (*slopes)[N_ELEMENTS][N_STATED], size_t columns[N_ELEMENTS],
                              double values[N_ELEMENTS])
{
    size_t n = 0;
    if (own->place == N_STATED) {
        columns[0] = own->column;
        values[0] = own->is_logarithm ? c->set[own->column] : 1.0;
        n = 1;
        for (size_t i = c->first_noise; i < c->n_unknowns && n < N_ELEMENTS; i++)
            if (c->unknowns[i].divisor == own->column &&
                !stated_optimiser_is_at_end(c, &c->unknowns[i])) {
                columns[n] = c->unknowns[i].column;
                values[n++] = c->set[c->unknowns[i].column];
            }
        return n;
    }
    for (size_t i = 0; i < N_ELEMENTS; i++)
        if (slopes[own->planet][i][own->place] != 0.0) {
            columns[n] = own->column + i;
            values[n++] = slopes[own->planet][i][own->place];
        }
    return n;
}

double stated_optimiser_difference(const stated_optimiser *c, const stated_unknown *own)
{
    return NOISE_DIFFERENCE * (own->is_logarithm ? 1.0 : c->typical_sigma + c->set[own->column]);
}

/* ln L with one or two noise parameters a difference away, up or down. */
static equant_status log_likelihood_beside(stated_optimiser *c, size_t one, size_t other,
                                           double side, double *value)
{
    const set_likelihood_results results = {.log_likelihood = value};
    const stated_unknown *first = &c->unknowns[one], *second = &c->unknowns[other];
    double x = stated_optimiser_coordinate(first, c->set),
           y = stated_optimiser_coordinate(second, c->set);
    memcpy(c->trial, c->set, c->n * sizeof *c->trial);
    stated_optimiser_move(c, one, x + side * stated_optimiser_difference(c, first), c->trial);
    if (other != one)
        stated_optimiser_move(c, other, y + side * stated_optimiser_difference(c, second),
                              c->trial);
    return set_likelihood_evaluate(c->problem->star, &c->problem->shape, c->trial, &results);
}

/* Slope and curvature by noise parameters, all else as it is. Their second derivatives by all else
 * vanish in the mean, and an optimisation does without them. */
static equant_status differentiate_noise(stated_optimiser *c)
{
    size_t m = c->n_unknowns;
    double here = -INFINITY, *above = c->step; /* not needed until a step is looked for */
    const set_likelihood_results results = {.log_likelihood = &here};
    equant_status status =
        set_likelihood_evaluate(c->problem->star, &c->problem->shape, c->set, &results);
    for (size_t i = c->first_noise; i < m && status == EQUANT_SUCCESS; i++) {
        double below = 0.0, h = stated_optimiser_difference(c, &c->unknowns[i]);
        status = log_likelihood_beside(c, i, i, -1.0, &below);
        if (status == EQUANT_SUCCESS)
            status = log_likelihood_beside(c, i, i, 1.0, &above[i]);
        c->slope[i] = (above[i] - below) / (2.0 * h);
        c->matrix[i * m + i] = (2.0 * here - above[i] - below) / (h * h);
        for (size_t j = c->first_noise; j < i && status == EQUANT_SUCCESS; j++) {
            double both = 0.0;
            status = log_likelihood_beside(c, i, j, 1.0, &both);
            double own = (above[i] + above[j] - both - here) /
                         (h * stated_optimiser_difference(c, &c->unknowns[j]));
            c->matrix[i * m + j] = c->matrix[j * m + i] = isfinite(own) ? own : 0.0;
        }
    }
    return status;
}

equant_status stated_optimiser_differentiate(stated_optimiser *c, double share)
{
    double slopes[STATE_LIST_MOST_PLANETS][N_ELEMENTS][N_STATED];
    equant_status status = set_likelihood_slope(
        c->problem->star, &c->problem->shape, EQUANT_BASIS_REGULAR, c->set, c->gradient, c->fisher);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_slopes(&c->orbits[p], c->at[p], slopes[p]);
    size_t m = c->n_unknowns;
    for (size_t i = 0; i < m; i++) {
        size_t columns[N_ELEMENTS], others[N_ELEMENTS];
        double values[N_ELEMENTS], other_values[N_ELEMENTS];
        size_t n = stated_optimiser_moves(c, &c->unknowns[i], slopes, columns, values);
        c->slope[i] = 0.0;
        for (size_t a = 0; a < n; a++)
            c->slope[i] += share * values[a] * c->gradient[columns[a]];
        for (size_t j = 0; j < m; j++) {
            size_t n_others =
                stated_optimiser_moves(c, &c->unknowns[j], slopes, others, other_values);
            double sum = 0.0;
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n_others; b++)
                    sum += values[a] * other_values[b] * c->fisher[columns[a] * c->n + others[b]];
            c->matrix[i * m + j] = share * sum;
        }
    }
    if (!c->is_white)
        status = differentiate_noise(c);
    add_priors(c);
    return status;
}
