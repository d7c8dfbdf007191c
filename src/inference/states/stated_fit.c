#include "inference/states/stated_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/small_matrix.h"
#include "model/circle.h"
#include "model/quantities.h"

/* Levenberg and Marquardt: dampings that are tried in one step, and gains in ln L that are worth
 * no further one. */
enum { N_DAMPINGS = 14, N_IDLE = 3 };
#define SMALL_GAIN 1e-10

/* ---- priors -----------------------------------------------------------------------------------
 */

/* ln of a density as fits take it: a range is a range and no more, whichever its ends are. */
static double log_density(const prior_density *density, double x)
{
    bool is_range = density->kind == PRIOR_UNIFORM || density->kind == PRIOR_LOG_UNIFORM;
    if (is_range)
        return x >= density->lower && x <= density->upper ? 0.0 : -INFINITY;
    return prior_density_log(density, x);
}

/* The value of a planet's quantity that a density is about: of all turns of an angle, and of all
 * events, that which is next to its middle. */
static double value_near(const parameter_state *said, double reference_time_days, double star_mass,
                         const double elements[N_ELEMENTS])
{
    const quantity_kind *kind = said->kind;
    const prior_density *density = &said->density;
    bool is_about = density->kind == PRIOR_NORMAL || density->kind == PRIOR_FIXED;
    double middle = is_about ? density->first : 0.5 * (density->lower + density->upper);
    if (kind->term == TERM_ORBITS && !kind->info.is_angle)
        return elements[kind->place];
    const star_values star = {.mass = star_mass > 0.0 ? star_mass : NAN, .luminosity = NAN};
    keplerian_orbit orbit = quantities_orbit(elements, star);
    double value = kind->term == TERM_ORBITS ? elements[kind->place] : kind->formula(&orbit);
    double turn = kind->is_event ? elements[ELEMENT_PERIOD] : TWO_PI;
    if (!kind->is_event && !kind->info.is_angle)
        return value;
    double away = value - (kind->is_event ? middle - reference_time_days : middle);
    return middle + away - turn * floor(away / turn + 0.5);
}

/* What is no prior: nothing was said, or it is fixed and there. */
static bool is_prior(const parameter_state *said, char letter)
{
    return said->form == STATE_PRIOR && said->letter == letter;
}

static double log_of(const equant_states *states, char letter, double reference_time_days,
                     double star_mass, bool derived_only, const double elements[N_ELEMENTS])
{
    double sum = 0.0;
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *said = &states->list[i];
        if (is_prior(said, letter) && (!derived_only || said->kind->term == N_TERMS))
            sum += log_density(&said->density,
                               value_near(said, reference_time_days, star_mass, elements));
    }
    return sum;
}

double stated_fit_log_derived(const equant_states *states, char letter, double reference_time_days,
                              double star_mass, const double elements[N_ELEMENTS])
{
    return log_of(states, letter, reference_time_days, star_mass, true, elements);
}

/* How a quantity moves with a coordinate of a planet. */
static double slope_of(const parameter_state *said, const stated_orbit *own,
                       const double at[N_STATED], size_t place, double reference_time_days,
                       double star_mass)
{
    double moved[N_STATED], elements[N_ELEMENTS], values[2], step = stated_orbit_small_step(place);
    if (place == STATED_K)
        step = fmin(step, 0.5 * at[STATED_K]);
    for (int side = 0; side < 2; side++) {
        memcpy(moved, at, sizeof moved);
        moved[place] += side == 0 ? -step : step;
        stated_orbit_elements(own, moved, elements);
        values[side] = value_near(said, reference_time_days, star_mass, elements);
    }
    return (values[1] - values[0]) / (2.0 * step);
}

void stated_fit_add_precision(const equant_states *states, char letter, double reference_time_days,
                              double star_mass, const double elements[N_ELEMENTS], size_t n,
                              double *precision)
{
    /* Nothing is known to it: its coordinates are regular, but for K in place of ln K. */
    const stated_orbit own = stated_orbit_of(NULL, letter, reference_time_days);
    double at[N_STATED], slope[N_STATED];
    stated_orbit_coordinates(&own, elements, at);
    for (size_t s = 0; s < equant_states_n(states); s++) {
        const parameter_state *said = &states->list[s];
        if (!is_prior(said, letter) || said->density.kind != PRIOR_NORMAL)
            continue;
        for (size_t i = 0; i < N_STATED; i++)
            slope[i] = slope_of(said, &own, at, i, reference_time_days, star_mass);
        slope[STATED_K] *= at[STATED_K];
        for (size_t i = 0; i < N_STATED; i++)
            for (size_t j = 0; j < N_STATED; j++)
                precision[i * n + j] +=
                    slope[i] * slope[j] / (said->density.second * said->density.second);
    }
}

/* ---- unknowns ----------------------------------------------------------------------------------
 */

/* A number that may move: a coordinate of a planet, or a column of the set. */
typedef struct unknown {
    size_t planet, place; /* place: N_STATED where it is a column */
    size_t column;        /* of the set; of a planet its first    */
    double lower, upper;
    const parameter_state *said; /* of a column; NULL: nothing           */
} unknown;

typedef struct climb {
    const stated_problem *problem;
    size_t n, n_planets, n_unknowns;
    double reference_time_days, span_days, scatter_m_s;
    stated_orbit *orbits;
    unknown *unknowns;
    double (*at)[N_STATED], (*next)[N_STATED]; /* of the planets */
    double *set, *trial;                       /* [n] */
    double *gradient, *fisher;                 /* of the set, planets regular */
    double *slope, *matrix, *step, *work;      /* of the unknowns */
    bool *is_held;
    double height; /* ln L and ln prior */
} climb;

static void climb_free(climb *c)
{
    free(c->orbits);
    free(c->unknowns);
    free(c->at);
    free(c->next);
    free(c->set);
    free(c->is_held);
}

static const char *instrument_of(const climb *c, parameter_term term, size_t column)
{
    size_t index = column - parameter_layout_first(&c->problem->layout, term);
    return term == TERM_OFFSETS || term == TERM_JITTERS
               ? equant_dataset_instrument_name(c->problem->dataset, index)
               : NULL;
}

static const quantity_kind *kind_of_column(parameter_term term, size_t place)
{
    static const char *const trends[] = {"trend_m_s_day", "trend_m_s_day2"};
    return quantity_catalogue_find(term == TERM_OFFSETS   ? "offset_m_s"
                                   : term == TERM_JITTERS ? "jitter_m_s"
                                                          : trends[place]);
}

static void add_planets(climb *c)
{
    for (size_t p = 0; p < c->n_planets; p++) {
        stated_orbit *own = &c->orbits[p];
        *own = stated_orbit_of(c->problem->states, c->problem->letters[p], c->reference_time_days);
        for (size_t i = 0; i < N_STATED && p != c->problem->absent; i++)
            if (own->is_free[i])
                c->unknowns[c->n_unknowns++] =
                    (unknown){.planet = p,
                              .place = i,
                              .column = parameter_layout_orbit(&c->problem->layout, p),
                              .lower = own->lower[i],
                              .upper = own->upper[i]};
    }
}

static void add_columns(climb *c)
{
    const parameter_layout *layout = &c->problem->layout;
    for (size_t i = parameter_layout_end(layout, TERM_ORBITS); i < c->n; i++) {
        parameter_term term = parameter_layout_term(layout, i);
        const parameter_state *said = state_list_of_column(
            c->problem->states, kind_of_column(term, i - parameter_layout_first(layout, term)),
            instrument_of(c, term, i));
        bool is_jitter = term == TERM_JITTERS;
        if (said && said->form == STATE_FIXED)
            c->set[i] = said->density.first;
        if ((said && said->form == STATE_FIXED) || (is_jitter && !c->problem->with_jitter))
            continue;
        unknown made = {.place = N_STATED,
                        .column = i,
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

static double scatter_of(const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset);
    const double *v = equant_dataset_velocities_m_s(dataset);
    double mean = 0.0, sum = 0.0;
    for (size_t k = 0; k < n; k++)
        mean += v[k] / (double)n;
    for (size_t k = 0; k < n; k++)
        sum += (v[k] - mean) * (v[k] - mean) / (double)n;
    return sqrt(sum);
}

static equant_status climb_create(const stated_problem *problem, const double *set, climb *c)
{
    const double *times = equant_dataset_times_days(problem->dataset);
    size_t n_obs = equant_dataset_n_obs(problem->dataset);
    *c = (climb){.problem = problem,
                 .n = problem->layout.n_parameters,
                 .n_planets = problem->layout.n_planets,
                 .reference_time_days = equant_dataset_reference_time_days(problem->dataset),
                 .span_days = times[n_obs - 1] - times[0],
                 .scatter_m_s = scatter_of(problem->dataset)};
    size_t n = c->n;
    c->orbits = calloc(c->n_planets + 1, sizeof *c->orbits);
    c->unknowns = calloc(n + 1, sizeof *c->unknowns);
    c->at = calloc(c->n_planets + 1, sizeof *c->at);
    c->next = calloc(c->n_planets + 1, sizeof *c->next);
    c->set = calloc(6 * n + 4 * n * n + 1, sizeof *c->set);
    c->is_held = calloc(n + 1, sizeof *c->is_held);
    if (!c->orbits || !c->unknowns || !c->at || !c->next || !c->set || !c->is_held) {
        climb_free(c);
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
    add_columns(c);
    for (size_t p = 0; p < c->n_planets; p++) {
        const double *elements = set + parameter_layout_orbit(&problem->layout, p);
        stated_orbit_coordinates(&c->orbits[p], elements, c->at[p]);
        if (p == problem->absent)
            c->at[p][STATED_K] = STATED_LEAST_K;
    }
    return EQUANT_SUCCESS;
}

/* The elements of planets at their coordinates go into a set. */
static void fill_planets(const climb *c, double (*at)[N_STATED], double *set)
{
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_elements(&c->orbits[p], at[p],
                              set + parameter_layout_orbit(&c->problem->layout, p));
}

/* ---- heights ------------------------------------------------------------------------------------
 */

static double log_prior_of(const climb *c, const double *set)
{
    const stated_problem *problem = c->problem;
    double sum = 0.0;
    for (size_t p = 0; p < c->n_planets; p++)
        if (p != problem->absent)
            sum += log_of(problem->states, problem->letters[p], c->reference_time_days,
                          problem->star_mass, false,
                          set + parameter_layout_orbit(&problem->layout, p));
    for (size_t i = 0; i < c->n_unknowns; i++)
        if (c->unknowns[i].said)
            sum += log_density(&c->unknowns[i].said->density, set[c->unknowns[i].column]);
    return sum;
}

static equant_status height_of(const climb *c, const double *set, double *height,
                               stated_result *found)
{
    double log_likelihood = -INFINITY, chi_square = INFINITY;
    equant_results results = {.struct_size = sizeof results,
                              .log_likelihood = &log_likelihood,
                              .chi_square = &chi_square};
    equant_status status = equant_evaluator_evaluate(c->problem->evaluator, 1, set, &results);
    double log_prior = log_prior_of(c, set);
    *height = log_likelihood + log_prior;
    if (isnan(*height))
        *height = -INFINITY;
    if (found)
        *found = (stated_result){log_likelihood, chi_square, log_prior, c->n_unknowns};
    return status;
}

/* ---- slopes
 * -------------------------------------------------------------------------------------- */

/* What a prior adds to slope and curvature, given how its quantity moves with the unknowns. */
static void add_prior(climb *c, const prior_density *density, double x, const size_t *which,
                      size_t n_which, const double *moves)
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

static void add_priors_of_planet(climb *c, size_t planet)
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
        if (!is_prior(said, c->problem->letters[planet]))
            continue;
        for (size_t j = 0; j < n; j++)
            moves[j] =
                slope_of(said, &c->orbits[planet], c->at[planet], c->unknowns[which[j]].place,
                         c->reference_time_days, c->problem->star_mass);
        add_prior(c, &said->density,
                  value_near(said, c->reference_time_days, c->problem->star_mass, elements), which,
                  n, moves);
    }
}

static void add_priors(climb *c)
{
    const double one = 1.0;
    for (size_t p = 0; p < c->n_planets; p++)
        if (p != c->problem->absent)
            add_priors_of_planet(c, p);
    for (size_t i = 0; i < c->n_unknowns; i++)
        if (c->unknowns[i].said)
            add_prior(c, &c->unknowns[i].said->density, c->set[c->unknowns[i].column], &i, 1, &one);
}

/* The derivatives of the set, planets regular, by an unknown: returns how many there are, in
 * `columns` and `values`. */
static size_t moves_of(const unknown *own, double (*slopes)[N_ELEMENTS][N_STATED],
                       size_t columns[N_ELEMENTS], double values[N_ELEMENTS])
{
    size_t n = 0;
    if (own->place == N_STATED) {
        columns[0] = own->column;
        values[0] = 1.0;
        return 1;
    }
    for (size_t i = 0; i < N_ELEMENTS; i++)
        if (slopes[own->planet][i][own->place] != 0.0) {
            columns[n] = own->column + i;
            values[n++] = slopes[own->planet][i][own->place];
        }
    return n;
}

/* Slope and matrix of the unknowns at the set, the data's part multiplied by `share`. */
static equant_status differentiate(climb *c, double share)
{
    double slopes[STATE_LIST_MOST_PLANETS][N_ELEMENTS][N_STATED];
    equant_derivatives wanted = {
        .struct_size = sizeof wanted, .log_likelihood_gradient = c->gradient, .fisher = c->fisher};
    equant_status status = equant_evaluator_differentiate(c->problem->evaluator,
                                                          EQUANT_BASIS_REGULAR, 1, c->set, &wanted);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_slopes(&c->orbits[p], c->at[p], slopes[p]);
    size_t m = c->n_unknowns;
    for (size_t i = 0; i < m; i++) {
        size_t columns[N_ELEMENTS], others[N_ELEMENTS];
        double values[N_ELEMENTS], other_values[N_ELEMENTS];
        size_t n = moves_of(&c->unknowns[i], slopes, columns, values);
        c->slope[i] = 0.0;
        for (size_t a = 0; a < n; a++)
            c->slope[i] += share * values[a] * c->gradient[columns[a]];
        for (size_t j = 0; j < m; j++) {
            size_t n_others = moves_of(&c->unknowns[j], slopes, others, other_values);
            double sum = 0.0;
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n_others; b++)
                    sum += values[a] * other_values[b] * c->fisher[columns[a] * c->n + others[b]];
            c->matrix[i * m + j] = share * sum;
        }
    }
    add_priors(c);
    return EQUANT_SUCCESS;
}

static double value_of(const climb *c, const unknown *own)
{
    return own->place == N_STATED ? c->set[own->column] : c->at[own->planet][own->place];
}

/* What stands at an end of its range and would leave it stays. */
static void hold(climb *c)
{
    for (size_t i = 0; i < c->n_unknowns; i++) {
        double value = value_of(c, &c->unknowns[i]);
        c->is_held[i] = (value <= c->unknowns[i].lower && c->slope[i] <= 0.0) ||
                        (value >= c->unknowns[i].upper && c->slope[i] >= 0.0) ||
                        !isfinite(c->slope[i]);
    }
}

/* ---- climbing
 * ------------------------------------------------------------------------------------- */

static bool find_step(climb *c, double damping)
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

static void take_step(climb *c)
{
    memcpy(c->next, c->at, c->n_planets * sizeof *c->next);
    memcpy(c->trial, c->set, c->n * sizeof *c->trial);
    for (size_t i = 0; i < c->n_unknowns; i++) {
        const unknown *own = &c->unknowns[i];
        double longest = own->place < N_STATED
                             ? stated_orbit_long_step(&c->orbits[own->planet], c->at[own->planet],
                                                      own->place, c->span_days)
                             : INFINITY;
        double step = fmin(fmax(c->step[i], -longest), longest);
        if (own->place < N_STATED)
            c->next[own->planet][own->place] += step;
        else
            c->trial[own->column] =
                fmin(fmax(c->trial[own->column] + step, own->lower), own->upper);
    }
    for (size_t p = 0; p < c->n_planets; p++)
        if (p != c->problem->absent)
            stated_orbit_bound(&c->orbits[p], c->next[p]);
    fill_planets(c, c->next, c->trial);
}

static equant_status climb_once(climb *c, double *damping, double *gain)
{
    equant_status status = differentiate(c, 1.0);
    *gain = 0.0;
    hold(c);
    for (int i = 0; i < N_DAMPINGS && status == EQUANT_SUCCESS; i++, *damping *= 8.0) {
        double height;
        if (!find_step(c, *damping))
            continue;
        take_step(c);
        status = height_of(c, c->trial, &height, NULL);
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

equant_status stated_fit_climb(const stated_problem *problem, int most, double *set,
                               stated_result *found)
{
    climb c;
    equant_status status = climb_create(problem, set, &c);
    if (status != EQUANT_SUCCESS)
        return status;
    fill_planets(&c, c.at, c.set);
    status = height_of(&c, c.set, &c.height, NULL);
    double damping = 1e-3;
    int idle = 0;
    for (int i = 0; i < most && idle < N_IDLE && status == EQUANT_SUCCESS && c.n_unknowns > 0;
         i++) {
        double gain;
        status = climb_once(&c, &damping, &gain);
        if (gain > SMALL_GAIN) {
            idle = 0;
        } else {
            idle++;
            damping = 1e-3;
        }
    }
    if (status == EQUANT_SUCCESS)
        status = height_of(&c, c.set, &c.height, found);
    memcpy(set, c.set, c.n * sizeof *set);
    climb_free(&c);
    return status;
}

/* ---- how well it is known
 * ------------------------------------------------------------------------- */

/* The inverse of the matrix of what moves, as the covariance of the set. */
static void spread(climb *c, const double *inverse, const size_t *moving, size_t n_moving,
                   double *covariance)
{
    double slopes[STATE_LIST_MOST_PLANETS][N_ELEMENTS][N_STATED];
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_slopes(&c->orbits[p], c->at[p], slopes[p]);
    memset(covariance, 0, c->n * c->n * sizeof *covariance);
    for (size_t i = 0; i < n_moving; i++)
        for (size_t j = 0; j < n_moving; j++) {
            size_t columns[N_ELEMENTS], others[N_ELEMENTS];
            double values[N_ELEMENTS], other_values[N_ELEMENTS];
            size_t n = moves_of(&c->unknowns[moving[i]], slopes, columns, values),
                   n_others = moves_of(&c->unknowns[moving[j]], slopes, others, other_values);
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n_others; b++)
                    covariance[columns[a] * c->n + others[b]] +=
                        values[a] * other_values[b] * inverse[i * n_moving + j];
        }
}

equant_status stated_fit_covariance(const stated_problem *problem, const double *set,
                                    double data_scale, double *covariance)
{
    climb c;
    equant_status status = climb_create(problem, set, &c);
    if (status != EQUANT_SUCCESS)
        return status;
    fill_planets(&c, c.at, c.set);
    status = differentiate(&c, 1.0 / data_scale);
    size_t *moving = calloc(c.n_unknowns + 1, sizeof *moving), n = 0, m = c.n_unknowns;
    if (!moving)
        status = status_out_of_memory();
    for (size_t i = 0; i < m && status == EQUANT_SUCCESS; i++) {
        double value = value_of(&c, &c.unknowns[i]);
        if (value > c.unknowns[i].lower && value < c.unknowns[i].upper)
            moving[n++] = i;
    }
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        for (size_t j = 0; j < n; j++)
            c.work[i * n + j] = c.matrix[moving[i] * m + moving[j]];
    if (status == EQUANT_SUCCESS) {
        double *inverse = c.fisher; /* not needed any more */
        small_matrix_factor(n, c.work);
        small_matrix_invert(n, c.work, inverse);
        spread(&c, inverse, moving, n, covariance);
    }
    free(moving);
    climb_free(&c);
    return status;
}
