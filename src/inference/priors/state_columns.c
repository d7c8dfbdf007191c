/* States in parameter sets of a model that the caller evaluates himself: values of what is fixed,
 * and the densities of the rest. */
#include <math.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "inference/priors/stated_prior.h"
#include "model/circle.h"

typedef struct column_owner {
    const equant_states *states;
    const equant_dataset *dataset;
    const parameter_layout *layout;
} column_owner;

/* ---- inclinations -----------------------------------------------------------------------------
 */

double equant_states_inclination_deg(const equant_states *states, char letter, double *err)
{
    for (size_t i = 0; i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        if (own->form != STATE_BESIDE || own->letter != letter)
            continue;
        if (err)
            *err = own->density.kind == PRIOR_NORMAL ? own->density.second : 0.0;
        return own->density.first;
    }
    if (err)
        *err = NAN;
    return NAN;
}

/* m sin i (M + m)^(-2/3) is the same as where sin i is 1. */
static double mass_of(double star_mass, double m_sin_i, double inclination_deg)
{
    double sine = sin(fmin(inclination_deg, 90.0) * PI / 180.0), m = m_sin_i / sine, before = -1.0,
           least = star_mass + m_sin_i / ORBIT_JUPITER_PER_SUN;
    for (int turn = 0; turn < 100 && fabs(m - before) > 1e-14 * m; turn++) {
        before = m;
        m = m_sin_i / sine * pow((star_mass + m / ORBIT_JUPITER_PER_SUN) / least, 2.0 / 3.0);
    }
    return m;
}

double equant_planet_mass_jupiter(double star_mass, double m_sin_i, double m_sin_i_err,
                                  double inclination_deg, double inclination_err_deg, double *err)
{
    const double share = 1e-5, degrees = 1e-4;
    if (err)
        *err = NAN;
    if (!(star_mass > 0.0) || !(m_sin_i > 0.0) || !(inclination_deg > 0.0))
        return NAN;
    double m = mass_of(star_mass, m_sin_i, inclination_deg),
           by_mass = (mass_of(star_mass, m_sin_i * (1.0 + share), inclination_deg) - m) /
                     (share * m_sin_i),
           by_angle = (m - mass_of(star_mass, m_sin_i, inclination_deg - degrees)) / degrees;
    if (err)
        *err = hypot(by_mass * m_sin_i_err, by_angle * inclination_err_deg);
    return m;
}

/* ---- which state is of a column ------------------------------------------------------------- */

static const parameter_state *said_of_element(const equant_states *states, char letter,
                                              size_t element)
{
    for (size_t i = 0; letter && i < equant_states_n(states); i++) {
        const parameter_state *own = &states->list[i];
        if (own->letter == letter && own->form != STATE_FREE && own->kind->term == TERM_ORBITS &&
            own->kind->place == (int)element)
            return own;
    }
    return NULL;
}

static const parameter_state *said_of_noise(const column_owner *of, size_t place)
{
    const noise_kinds *noise = &of->layout->noise;
    for (int t = 0; t < noise->n; t++) {
        size_t n = noise_kind_parameters(noise->kind[t]), owner = (size_t)noise->owner[t];
        if (place < n)
            return state_list_of_noise(
                of->states, noise->kind[t], (int)place,
                owner > 0 ? equant_dataset_instrument_name(of->dataset, owner - 1) : NULL);
        place -= n;
    }
    return NULL;
}

static const parameter_state *said_of_column(const column_owner *of, size_t column)
{
    static const char *const trends[] = {"trend_m_s_day", "trend_m_s_day2"};
    parameter_term term = parameter_layout_term(of->layout, column);
    size_t place = column - parameter_layout_first(of->layout, term);
    switch (term) {
    case TERM_ORBITS:
        return said_of_element(of->states,
                               equant_states_letter(of->states, place / of->layout->n_elements),
                               place % of->layout->n_elements);
    case TERM_OFFSETS:
    case TERM_JITTERS:
        return state_list_of_column(
            of->states, quantity_catalogue_find(term == TERM_OFFSETS ? "offset_m_s" : "jitter_m_s"),
            equant_dataset_instrument_name(of->dataset, place));
    case TERM_TREND:
        return state_list_of_column(of->states, quantity_catalogue_find(trends[place]), NULL);
    case TERM_NOISE:
        return said_of_noise(of, place);
    case N_TERMS:
        break;
    }
    return NULL;
}

static stated_orbit orbit_of(const column_owner *of, size_t planet)
{
    return stated_orbit_of(of->states, equant_states_letter(of->states, planet),
                           equant_dataset_reference_time_days(of->dataset));
}

/* A circle has no omega; an event or a longitude that is fixed makes M0. */
static bool follows(const column_owner *of, size_t column)
{
    size_t element = parameter_layout_element(of->layout, column),
           planet = column / of->layout->n_elements;
    if (element != ELEMENT_OMEGA && element != ELEMENT_M0)
        return false;
    if (!equant_states_letter(of->states, planet))
        return false;
    const stated_orbit own = orbit_of(of, planet);
    return !own.is_free[element == ELEMENT_OMEGA ? STATED_SHAPE_TOO : STATED_PHASE];
}

static bool gives(const column_owner *of, size_t column)
{
    const parameter_state *said = said_of_column(of, column);
    return (said && said->form == STATE_FIXED) || follows(of, column);
}

/* ---- whether the model has what is said ------------------------------------------------------ */

static bool is_of_model(const column_owner *of, const parameter_state *said)
{
    for (size_t column = 0; column < of->layout->n_parameters; column++)
        if (said_of_column(of, column) == said)
            return true;
    return false;
}

static equant_status check_one(const column_owner *of, const parameter_state *said)
{
    if (said->form == STATE_TREND && said->trend_order != of->layout->trend_order)
        return parameter_state_fail(said, "%s=%s, and the model has %s trend", said->name,
                                    said->text, of->layout->trend_order == 0 ? "no" : "another");
    if (said->form == STATE_FREE || said->form == STATE_TREND || said->form == STATE_APART)
        return EQUANT_SUCCESS;
    if (said->letter) {
        size_t planet = 0, n = equant_states_n_planets(of->states);
        while (planet < n && equant_states_letter(of->states, planet) != said->letter)
            planet++;
        return planet < of->layout->n_planets
                   ? EQUANT_SUCCESS
                   : parameter_state_fail(said, "'%s' is of planet %zu, and the model has %zu",
                                          said->name, planet + 1, of->layout->n_planets);
    }
    if (is_of_model(of, said))
        return EQUANT_SUCCESS;
    if (said->kind->term == TERM_NOISE)
        return state_list_refuse_noise(said);
    /* What is said of all instruments may be said of each as well. */
    if (said->kind->info.axis == EQUANT_QUANTITY_PER_INSTRUMENT && !said->instrument[0] &&
        parameter_layout_has(of->layout, said->kind->term))
        return EQUANT_SUCCESS;
    return parameter_state_fail(said, "%s=%s, and the model has no column for it", said->name,
                                said->text);
}

static equant_status check(const column_owner *of, const equant_star *star)
{
    host_star host = host_star_of(star, 0.0);
    equant_status status =
        state_list_check_star(of->states, of->dataset, host_star_has_mass(&host));
    for (size_t i = 0; i < equant_states_n(of->states) && status == EQUANT_SUCCESS; i++)
        status = check_one(of, &of->states->list[i]);
    return status;
}

static equant_status begin(const equant_states *states, const equant_dataset *dataset,
                           const equant_model *model, column_owner *made)
{
    if (!dataset || !model)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "states of columns need a data set and a model");
    if (model->layout.n_instruments != equant_dataset_n_instruments(dataset))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the model has %zu instruments, the data %zu",
                           model->layout.n_instruments, equant_dataset_n_instruments(dataset));
    *made = (column_owner){.states = states, .dataset = dataset, .layout = &model->layout};
    return EQUANT_SUCCESS;
}

/* ---- values ------------------------------------------------------------------------------------
 */

int equant_states_gives(const equant_states *states, const equant_dataset *dataset,
                        const equant_model *model, size_t column)
{
    column_owner of = {.layout = NULL};
    return begin(states, dataset, model, &of) == EQUANT_SUCCESS &&
           column < of.layout->n_parameters && gives(&of, column);
}

/* M0 of a planet whose phase is fixed, at its period and shape. */
static double phase_of(const stated_orbit *own, const double *elements)
{
    double omega = elements[ELEMENT_OMEGA], m0 = own->fixed[STATED_PHASE];
    if (own->phase == PHASE_LONGITUDE)
        m0 -= omega;
    if (orbit_basis_has_event(own->phase))
        m0 = orbit_basis_event_anomaly(own->phase, elements[ELEMENT_ECCENTRICITY], omega) -
             TWO_PI * fmod((own->anchor_days + own->fixed[STATED_PHASE]) / elements[ELEMENT_PERIOD],
                           1.0);
    return m0 - TWO_PI * floor(m0 / TWO_PI);
}

static void fill_set(const column_owner *of, const stated_orbit *orbits, double *set)
{
    for (size_t column = 0; column < of->layout->n_parameters; column++) {
        const parameter_state *said = said_of_column(of, column);
        if (said && said->form == STATE_FIXED)
            set[column] = said->density.first;
    }
    for (size_t p = 0; p < of->layout->n_planets; p++) {
        double *elements = set + parameter_layout_orbit(of->layout, p);
        if (!orbits[p].is_free[STATED_SHAPE_TOO])
            elements[ELEMENT_OMEGA] = orbits[p].fixed[STATED_SHAPE_TOO];
        if (!orbits[p].is_free[STATED_PHASE])
            elements[ELEMENT_M0] = phase_of(&orbits[p], elements);
    }
}

equant_status equant_states_fill(const equant_states *states, const equant_dataset *dataset,
                                 const equant_model *model, size_t n_sets, double *sets)
{
    column_owner of = {.layout = NULL};
    stated_orbit orbits[STATE_LIST_MOST_PLANETS];
    equant_status status = begin(states, dataset, model, &of);
    if (status == EQUANT_SUCCESS && n_sets > 0 && !sets)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no sets to be filled");
    if (status == EQUANT_SUCCESS && of.layout->n_planets > STATE_LIST_MOST_PLANETS)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "states are of up to %d planets",
                             STATE_LIST_MOST_PLANETS);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t p = 0; p < of.layout->n_planets; p++)
        orbits[p] = orbit_of(&of, p);
    for (size_t i = 0; i < n_sets; i++)
        fill_set(&of, orbits, sets + i * of.layout->n_parameters);
    return EQUANT_SUCCESS;
}

/* ---- densities ---------------------------------------------------------------------------------
 */

size_t equant_states_n_priors(const equant_states *states)
{
    size_t n = 0;
    for (size_t i = 0; i < equant_states_n(states); i++)
        n += states->list[i].form == STATE_PRIOR;
    return n;
}

static bool is_orbit(const double *elements)
{
    bool is_finite = true;
    for (size_t i = 0; i < N_ELEMENTS; i++)
        is_finite = is_finite && isfinite(elements[i]);
    return is_finite && elements[ELEMENT_PERIOD] > 0.0 && elements[ELEMENT_ECCENTRICITY] >= 0.0 &&
           elements[ELEMENT_ECCENTRICITY] < 1.0;
}

static double log_prior_of(const column_owner *of, double star_mass, const double *set)
{
    double reference = equant_dataset_reference_time_days(of->dataset),
           sum = stated_prior_log_apart(of->states, of->layout->n_planets, set);
    for (size_t p = 0; p < of->layout->n_planets; p++) {
        const double *elements = set + parameter_layout_orbit(of->layout, p);
        char letter = equant_states_letter(of->states, p);
        for (size_t i = 0; letter && i < equant_states_n(of->states); i++) {
            const parameter_state *said = &of->states->list[i];
            if (stated_prior_is_of(said, letter))
                sum +=
                    is_orbit(elements)
                        ? prior_density_log(&said->density, stated_prior_value(said, reference,
                                                                               star_mass, elements))
                        : -INFINITY;
        }
    }
    for (size_t column = parameter_layout_end(of->layout, TERM_ORBITS);
         column < of->layout->n_parameters; column++) {
        const parameter_state *said = said_of_column(of, column);
        if (said && said->form == STATE_PRIOR)
            sum += prior_density_log(&said->density, set[column]);
    }
    return sum;
}

equant_status equant_states_log_prior(const equant_states *states, const equant_dataset *dataset,
                                      const equant_model *model, const equant_star *star,
                                      size_t n_sets, const double *sets, double *log_prior)
{
    column_owner of = {.layout = NULL};
    equant_status status = begin(states, dataset, model, &of);
    if (status == EQUANT_SUCCESS && n_sets > 0 && (!sets || !log_prior))
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "densities need parameter sets and a place to put them");
    if (status == EQUANT_SUCCESS)
        status = check(&of, star);
    double mass = host_star_of(star, 0.0).value[STAR_MASS];
    for (size_t i = 0; i < n_sets && status == EQUANT_SUCCESS; i++)
        log_prior[i] = log_prior_of(&of, mass, sets + i * of.layout->n_parameters);
    return status;
}
