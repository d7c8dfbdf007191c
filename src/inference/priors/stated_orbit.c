#include "inference/priors/stated_orbit.h"

#include <math.h>
#include <string.h>

#include "model/circle.h"

/* ---- what was said -------------------------------------------------------------------------- */

static void take_bounds(const parameter_state *said, double *lower, double *upper)
{
    if (!said || said->form != STATE_PRIOR)
        return;
    *lower = fmax(*lower, said->density.lower);
    *upper = fmin(*upper, said->density.upper);
}

static void take_shape(const equant_states *states, stated_orbit *own)
{
    const parameter_state *e = state_list_of_planet(states, own->letter, "eccentricity"),
                          *omega = state_list_of_planet(states, own->letter, "omega_rad");
    bool is_fixed_e = e && e->form == STATE_FIXED;
    own->largest_e = STATED_LARGEST_E;
    take_bounds(e, &own->least_e, &own->largest_e);
    own->is_polar = is_fixed_e || omega;
    if (!own->is_polar)
        return;
    own->lower[STATED_SHAPE] = own->least_e;
    own->upper[STATED_SHAPE] = own->largest_e;
    if (is_fixed_e) {
        own->is_free[STATED_SHAPE] = false;
        own->fixed[STATED_SHAPE] = e->density.first;
    }
    take_bounds(omega, &own->lower[STATED_SHAPE_TOO], &own->upper[STATED_SHAPE_TOO]);
    bool is_circle = is_fixed_e && e->density.first == 0.0;
    if (is_circle || (omega && omega->form == STATE_FIXED)) {
        own->is_free[STATED_SHAPE_TOO] = false;
        own->fixed[STATED_SHAPE_TOO] = is_circle ? 0.0 : omega->density.first;
    }
}

/* A time that a prior of an event is about. */
static double centre_of(const prior_density *density)
{
    bool is_about = density->kind == PRIOR_FIXED || density->kind == PRIOR_NORMAL;
    return is_about ? density->first : 0.5 * (density->lower + density->upper);
}

static const parameter_state *any_transit(const equant_states *states, char letter)
{
    for (size_t i = 0; i < equant_states_n(states); i++)
        if (states->list[i].letter == letter && states->list[i].is_transit)
            return &states->list[i];
    return NULL;
}

static void take_event(const parameter_state *said, basis_phase phase, double reference_time_days,
                       stated_orbit *own)
{
    own->phase = phase;
    own->anchor_days = centre_of(&said->density) - reference_time_days;
    own->is_free[STATED_PHASE] = said->form != STATE_FIXED;
    own->fixed[STATED_PHASE] = 0.0;
    if (said->form == STATE_PRIOR && !said->is_transit) {
        own->lower[STATED_PHASE] = said->density.lower - centre_of(&said->density);
        own->upper[STATED_PHASE] = said->density.upper - centre_of(&said->density);
    }
}

static void take_phase(const equant_states *states, double reference_time_days, stated_orbit *own)
{
    static const struct {
        const char *name;
        basis_phase phase;
    } phases[] = {{"t_conj", PHASE_CONJUNCTION},
                  {"t_sup", PHASE_SUPERIOR},
                  {"t_peri", PHASE_PERICENTRE},
                  {"m0_rad", PHASE_M0},
                  {"lambda_rad", PHASE_LONGITUDE}};
    const parameter_state *best = any_transit(states, own->letter);
    basis_phase phase = PHASE_CONJUNCTION;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        const parameter_state *said = state_list_of_planet(states, own->letter, phases[i].name);
        if (said && (!best || said->form == STATE_FIXED)) {
            best = said;
            phase = phases[i].phase;
        }
    }
    if (!best)
        return;
    own->has_said_phase = true;
    if (best->kind->is_event) {
        take_event(best, phase, reference_time_days, own);
        return;
    }
    own->phase = phase;
    own->is_free[STATED_PHASE] = best->form != STATE_FIXED;
    own->fixed[STATED_PHASE] = best->density.first;
    take_bounds(best, &own->lower[STATED_PHASE], &own->upper[STATED_PHASE]);
}

stated_orbit stated_orbit_of(const equant_states *states, char letter, double reference_time_days)
{
    stated_orbit own = {.letter = letter, .phase = PHASE_LONGITUDE};
    for (size_t i = 0; i < N_STATED; i++) {
        own.is_free[i] = true;
        own.lower[i] = -INFINITY;
        own.upper[i] = INFINITY;
    }
    const parameter_state *period = state_list_of_planet(states, letter, "period_days"),
                          *k = state_list_of_planet(states, letter, "k_m_s");
    double shortest = 0.0, longest = INFINITY;
    take_bounds(period, &shortest, &longest);
    own.lower[STATED_LN_PERIOD] = log(shortest);
    own.upper[STATED_LN_PERIOD] = log(longest);
    own.lower[STATED_K] = STATED_LEAST_K;
    take_bounds(k, &own.lower[STATED_K], &own.upper[STATED_K]);
    if (period && period->form == STATE_FIXED) {
        own.is_free[STATED_LN_PERIOD] = false;
        own.fixed[STATED_LN_PERIOD] = log(period->density.first);
    }
    if (k && k->form == STATE_FIXED) {
        own.is_free[STATED_K] = false;
        own.fixed[STATED_K] = fmax(k->density.first, STATED_LEAST_K);
    }
    take_shape(states, &own);
    take_phase(states, reference_time_days, &own);
    return own;
}

static void apply(double (*function)(double), double *lower, double *upper, double *fixed)
{
    *lower = function(*lower);
    *upper = function(*upper);
    *fixed = function(*fixed);
}

void stated_orbit_take_basis(stated_orbit *own, const basis_words *basis)
{
    double *lower = own->lower, *upper = own->upper, *fixed = own->fixed;
    own->has_linear_period = basis->has_linear_period;
    if (own->has_linear_period)
        apply(exp, &lower[STATED_LN_PERIOD], &upper[STATED_LN_PERIOD], &fixed[STATED_LN_PERIOD]);
    own->has_log_k = basis->has_k && !basis->has_linear_k;
    if (own->has_log_k)
        apply(log, &lower[STATED_K], &upper[STATED_K], &fixed[STATED_K]);
    own->has_roots = basis->has_shape && basis->shape == SHAPE_ROOTS && !own->is_polar;
    if (basis->has_shape && basis->shape == SHAPE_POLAR && !own->is_polar) {
        own->is_polar = true;
        lower[STATED_SHAPE] = own->least_e;
        upper[STATED_SHAPE] = own->largest_e;
    }
    if (basis->has_phase && !own->has_said_phase) {
        own->phase = basis->phase;
        own->anchor_days = 0.0;
    }
}

/* ---- coordinates ----------------------------------------------------------------------------- */

/* The mean longitude at the event that phases are counted from. */
static double longitude_at_event(basis_phase phase, double e, double omega)
{
    return orbit_basis_event_anomaly(phase, e, omega) + omega;
}

static double period_of(const stated_orbit *own, const double at[N_STATED])
{
    return own->has_linear_period ? at[STATED_LN_PERIOD] : exp(at[STATED_LN_PERIOD]);
}

static double amplitude_of(const stated_orbit *own, const double at[N_STATED])
{
    return own->has_log_k ? exp(at[STATED_K]) : at[STATED_K];
}

/* ln P, ln K, e cos omega, e sin omega, lambda; and e and omega. */
static void to_regular(const stated_orbit *own, const double at[N_STATED], double regular[5],
                       double *e, double *omega)
{
    double h = at[STATED_SHAPE], k = at[STATED_SHAPE_TOO];
    if (own->is_polar) {
        *e = at[STATED_SHAPE];
        *omega = orbit_nearest_turn(at[STATED_SHAPE_TOO]);
        h = *e * cos(*omega);
        k = *e * sin(*omega);
    } else {
        *e = own->has_roots ? h * h + k * k : hypot(h, k);
        *omega = atan2(k, h);
        h *= own->has_roots ? sqrt(*e) : 1.0;
        k *= own->has_roots ? sqrt(*e) : 1.0;
    }
    double period = period_of(own, at);
    regular[0] = own->has_linear_period ? log(period) : at[STATED_LN_PERIOD];
    regular[1] = own->has_log_k ? at[STATED_K] : log(at[STATED_K]);
    regular[2] = h;
    regular[3] = k;
    if (orbit_basis_has_event(own->phase))
        regular[4] = longitude_at_event(own->phase, *e, *omega) -
                     TWO_PI * (own->anchor_days + at[STATED_PHASE]) / period;
    else
        regular[4] = at[STATED_PHASE] + (own->phase == PHASE_M0 ? *omega : 0.0);
}

void stated_orbit_elements(const stated_orbit *own, const double at[N_STATED],
                           double elements[N_ELEMENTS])
{
    double regular[5], e, omega;
    to_regular(own, at, regular, &e, &omega);
    elements[ELEMENT_PERIOD] = period_of(own, at);
    elements[ELEMENT_K] = amplitude_of(own, at);
    elements[ELEMENT_ECCENTRICITY] = e;
    elements[ELEMENT_OMEGA] = omega;
    elements[ELEMENT_M0] = regular[4] - omega;
}

/* Days, wrapped to half a period on both sides. */
static double nearest_period(double days, double period_days)
{
    return days - period_days * floor(days / period_days + 0.5);
}

static double phase_of(const stated_orbit *own, const double elements[N_ELEMENTS])
{
    double omega = orbit_nearest_turn(elements[ELEMENT_OMEGA]), e = elements[ELEMENT_ECCENTRICITY],
           lambda = elements[ELEMENT_M0] + omega, period = elements[ELEMENT_PERIOD];
    if (own->phase == PHASE_LONGITUDE)
        return lambda;
    if (own->phase == PHASE_M0)
        return elements[ELEMENT_M0];
    double days = (longitude_at_event(own->phase, e, omega) - lambda) / TWO_PI * period;
    return nearest_period(days - own->anchor_days, period);
}

void stated_orbit_bound(const stated_orbit *own, double at[N_STATED])
{
    for (size_t i = 0; i < N_STATED; i++)
        if (own->is_free[i])
            at[i] = fmin(fmax(at[i], own->lower[i]), own->upper[i]);
    if (own->is_polar)
        return;
    double radius = hypot(at[STATED_SHAPE], at[STATED_SHAPE_TOO]), e = radius, least = own->least_e,
           largest = own->largest_e;
    if (own->has_roots) {
        e = radius * radius;
        least = sqrt(least);
        largest = sqrt(largest);
    }
    if (e >= own->least_e && e <= own->largest_e)
        return;
    double wanted = fmin(fmax(radius, least), largest);
    if (radius == 0.0) {
        at[STATED_SHAPE] = wanted;
        return;
    }
    at[STATED_SHAPE] *= wanted / radius;
    at[STATED_SHAPE_TOO] *= wanted / radius;
}

void stated_orbit_coordinates(const stated_orbit *own, const double elements[N_ELEMENTS],
                              double at[N_STATED])
{
    double e = elements[ELEMENT_ECCENTRICITY], omega = elements[ELEMENT_OMEGA];
    double moved[N_ELEMENTS], radius = e;
    if (own->has_roots)
        radius = sqrt(fmax(e, STATED_OFF_CIRCLE));
    at[STATED_LN_PERIOD] =
        own->has_linear_period ? elements[ELEMENT_PERIOD] : log(elements[ELEMENT_PERIOD]);
    at[STATED_K] = own->has_log_k ? log(elements[ELEMENT_K]) : elements[ELEMENT_K];
    at[STATED_SHAPE] = own->is_polar ? e : radius * cos(omega);
    at[STATED_SHAPE_TOO] = own->is_polar ? omega : radius * sin(omega);
    at[STATED_PHASE] = 0.0;
    for (size_t i = 0; i < N_STATED; i++)
        if (!own->is_free[i])
            at[i] = own->fixed[i];
    stated_orbit_bound(own, at);
    if (!own->is_free[STATED_PHASE])
        return;
    /* The longitude stays what it was, whatever has become of the shape. */
    stated_orbit_elements(own, at, moved);
    moved[ELEMENT_M0] = elements[ELEMENT_M0] + omega - moved[ELEMENT_OMEGA];
    at[STATED_PHASE] =
        fmin(fmax(phase_of(own, moved), own->lower[STATED_PHASE]), own->upper[STATED_PHASE]);
}

/* ---- differences ------------------------------------------------------------------------------
 */

double stated_orbit_small_step(const stated_orbit *own, const double at[N_STATED],
                               size_t coordinate)
{
    static const double steps[N_STATED] = {1e-7, 1e-4, 1e-6, 1e-6, 1e-6};
    if (coordinate == STATED_LN_PERIOD && own->has_linear_period)
        return steps[coordinate] * at[STATED_LN_PERIOD];
    if (coordinate == STATED_K && !own->has_log_k)
        return fmin(steps[coordinate], 0.5 * at[STATED_K]);
    return steps[coordinate];
}

void stated_orbit_slopes(const stated_orbit *own, const double at[N_STATED],
                         double slope[N_ELEMENTS][N_STATED])
{
    for (size_t j = 0; j < N_STATED; j++) {
        double moved[N_STATED], high[5], low[5], e, omega,
            step = stated_orbit_small_step(own, at, j);
        memcpy(moved, at, sizeof moved);
        moved[j] = at[j] + step;
        to_regular(own, moved, high, &e, &omega);
        moved[j] = at[j] - step;
        to_regular(own, moved, low, &e, &omega);
        for (size_t i = 0; i < N_ELEMENTS; i++)
            slope[i][j] = (high[i] - low[i]) / (2.0 * step);
        slope[4][j] = orbit_nearest_turn(high[4] - low[4]) / (2.0 * step);
        slope[1][j] = j != STATED_K ? 0.0 : own->has_log_k ? 1.0 : 1.0 / at[STATED_K];
    }
}

double stated_orbit_long_step(const stated_orbit *own, const double at[N_STATED], size_t coordinate,
                              double span_days)
{
    double period = period_of(own, at);
    if (coordinate == STATED_LN_PERIOD)
        return fmin(0.2 * period / fmax(span_days, period), 0.2) *
               (own->has_linear_period ? period : 1.0);
    if (coordinate == STATED_K)
        return own->has_log_k ? 1.0 : INFINITY;
    if (coordinate == STATED_PHASE)
        return orbit_basis_has_event(own->phase) ? 0.1 * period : 0.6;
    return own->is_polar && coordinate == STATED_SHAPE_TOO ? 0.6 : 0.2;
}
