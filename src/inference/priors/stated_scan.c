#include "inference/priors/stated_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/stated_noise.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/optimise/jitter.h"

/* Of planets that a search was given by their orbits: no state is of them. */
enum { NO_LETTER = STATE_LAST_LETTER + 1 };

void stated_scan_free(stated_scan *own)
{
    equant_states_free(own->others);
    equant_states_free(own->all);
    free(own->columns);
    *own = (stated_scan){.others = NULL};
}

/* ---- which planet is looked for ---------------------------------------------------------------
 */

/* One that is where the data are told, not one that they are to show. */
static bool is_known(const equant_states *states, char letter)
{
    const parameter_state *period = state_list_of_planet(states, letter, "period_days");
    return period && (period->form == STATE_FIXED || period->density.kind == PRIOR_NORMAL);
}

static equant_status refuse_second(const equant_states *states, char first, char second)
{
    for (size_t i = 0; i < states->n; i++)
        if (states->list[i].letter == second)
            return parameter_state_fail(&states->list[i],
                                        "a search looks for one planet at a time, and neither %c "
                                        "nor %c has a period that is known: give one of them, as "
                                        "in %c.period_days=20.8851",
                                        first, second, first);
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "a search looks for one planet at a time, not for %c and %c", first, second);
}

/* The planet whose period is not known; else one behind all that are. */
static equant_status choose_letter(const equant_states *states, char *letter)
{
    char last = STATE_FIRST_LETTER - 1;
    *letter = '\0';
    for (size_t i = 0; i < equant_states_n_planets(states); i++) {
        char own = equant_states_letter(states, i);
        last = own > last ? own : last;
        if (is_known(states, own))
            continue;
        if (*letter)
            return refuse_second(states, *letter, own);
        *letter = own;
    }
    if (!*letter)
        *letter = last < STATE_LAST_LETTER ? (char)(last + 1) : STATE_LAST_LETTER;
    return EQUANT_SUCCESS;
}

static equant_status take_eccentricity(const parameter_state *said, stated_scan *own)
{
    bool is_fixed = said->form == STATE_FIXED;
    if (is_fixed && said->density.first == 0.0) {
        own->is_circle = true;
        return EQUANT_SUCCESS;
    }
    if (is_fixed || said->density.lower > 0.0)
        return parameter_state_fail(said,
                                    "%s=%s: a search tries circles and all shapes up to a largest "
                                    "eccentricity; `equant fit` takes it",
                                    said->name, said->text);
    own->largest_e = fmin(said->density.upper, 0.95);
    return EQUANT_SUCCESS;
}

/* What is said of the planet that is looked for. */
static equant_status take_wanted(const equant_states *states, stated_scan *own)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < states->n && status == EQUANT_SUCCESS; i++) {
        const parameter_state *said = &states->list[i];
        if (said->letter != own->letter || said->form == STATE_FREE)
            continue;
        if (said->kind->term == TERM_ORBITS && said->kind->place == ELEMENT_ECCENTRICITY) {
            status = take_eccentricity(said, own);
        } else if (said->kind->term == TERM_ORBITS && said->kind->place == ELEMENT_PERIOD) {
            own->period_min_days = said->density.lower;
            own->period_max_days = isfinite(said->density.upper) ? said->density.upper : 0.0;
        } else {
            status = parameter_state_fail(said,
                                          "%s=%s: a search tries every amplitude and phase of the "
                                          "planet that it looks for, and takes its period and its "
                                          "eccentricity alone; `equant fit` takes the rest",
                                          said->name, said->text);
        }
    }
    return status;
}

equant_status stated_scan_create(const equant_states *states, double star_mass, bool is_circle,
                                 stated_scan *made)
{
    *made = (stated_scan){.is_circle = is_circle};
    if (equant_states_n(states) == 0 && equant_states_n_planets(states) == 0)
        return EQUANT_SUCCESS;
    equant_status status = choose_letter(states, &made->letter);
    if (status == EQUANT_SUCCESS)
        status = take_wanted(states, made);
    if (status == EQUANT_SUCCESS)
        status = state_list_copy(states, made->letter, &made->others);
    if (status == EQUANT_SUCCESS)
        status = state_list_copy(states, '\0', &made->all);
    made->star = (stated_star){.states = made->others, .star_mass = star_mass};
    bool is_said = state_list_of_planet(states, made->letter, "eccentricity") != NULL;
    if (status == EQUANT_SUCCESS && is_circle && !is_said) {
        char sentence[] = "?.eccentricity=0";
        sentence[0] = made->letter;
        made->all->n_letters = 0; /* one more than were named */
        status = equant_states_set(made->all, sentence, NULL);
    }
    return status;
}

/* ---- the background ----------------------------------------------------------------------------
 */

equant_status stated_scan_begin(study *star, stated_scan *own, solution *background)
{
    if (!own->others)
        return EQUANT_SUCCESS;
    const basis_words usual = {.has_shape = false};
    equant_status status = stated_star_begin(star, own->others, own->star.star_mass, &usual,
                                             background->trend_order, &own->star);
    for (size_t p = 0; p < own->star.n_located && status == EQUANT_SUCCESS; p++)
        solution_add_planet(star, background, own->star.located + N_ELEMENTS * p);
    return status;
}

/* How much the priors of a planet say of a coordinate. */
static double prior_precision(const stated_scan *own, const stated_orbit *orbit,
                              const double at[N_STATED], size_t place, double reference_time_days)
{
    double sum = 0.0;
    for (size_t i = 0; i < equant_states_n(own->others); i++) {
        const parameter_state *said = &own->others->list[i];
        if (!stated_prior_is_of(said, orbit->letter) || said->density.kind != PRIOR_NORMAL)
            continue;
        double slope =
            stated_prior_slope(said, orbit, at, place, reference_time_days, own->star.star_mass);
        sum += slope * slope / (said->density.second * said->density.second);
    }
    return sum;
}

typedef struct moving_columns {
    size_t width;
    double *mean;        /* [n_obs][width]: derivatives in the regular basis */
    double *root_weight; /* [n_obs] */
} moving_columns;

/* The columns of a planet: coordinates that are fixed have none, nor have those of which priors say
 * more than the data could. */
static void add_planet(const study *star, const solution *background, size_t planet,
                       const moving_columns *from, stated_scan *own)
{
    double reference = equant_dataset_reference_time_days(star->dataset), at[N_STATED],
           slopes[N_ELEMENTS][N_STATED];
    const stated_orbit orbit = stated_orbit_of(own->others, own->star.letters[planet], reference);
    stated_orbit_coordinates(&orbit, background->set + N_ELEMENTS * planet, at);
    stated_orbit_slopes(&orbit, at, slopes);
    for (size_t j = 0; j < N_STATED; j++) {
        double *column = own->columns + own->n_columns * star->n_obs, information = 0.0;
        for (size_t k = 0; k < star->n_obs && orbit.is_free[j]; k++) {
            const double *row = from->mean + k * from->width + N_ELEMENTS * planet;
            column[k] = 0.0;
            for (size_t i = 0; i < N_ELEMENTS; i++)
                column[k] += row[i] * slopes[i][j];
            information += pow(column[k] * from->root_weight[k], 2.0);
        }
        if (orbit.is_free[j] && information > prior_precision(own, &orbit, at, j, reference))
            own->n_columns++;
    }
}

static equant_status add_columns(study *star, const solution *background, stated_scan *own)
{
    const study_shape shape = solution_shape(background);
    parameter_layout layout = study_layout(star, background->n_planets, background->trend_order);
    moving_columns from = {.width = parameter_layout_first_noise(&layout) + 1};
    size_t n = star->n_obs;
    from.mean = malloc((from.width + 1) * n * sizeof *from.mean);
    own->columns = malloc((N_STATED * own->star.n_located + 1) * n * sizeof *own->columns);
    equant_status status = from.mean && own->columns ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status =
            set_likelihood_columns(star, &shape, EQUANT_BASIS_REGULAR, background->set, from.mean);
    if (status == EQUANT_SUCCESS) {
        from.root_weight = from.mean + from.width * n;
        noise_root_weights(star, background->noise, solution_values(star, background, TERM_JITTERS),
                           from.root_weight);
        own->n_columns = 0;
        for (size_t p = 0; p < own->star.n_located; p++)
            add_planet(star, background, p, &from, own);
    }
    free(from.mean);
    return status;
}

equant_status stated_scan_settle(study *star, stated_scan *own, solution *background)
{
    if (!own->others)
        return EQUANT_SUCCESS;
    for (size_t p = own->star.n_located; p < background->n_planets; p++)
        own->star.letters[p] = NO_LETTER;
    own->star.letters[background->n_planets] = own->letter;
    stated_noise_remark(own->others, background->noise, star);
    equant_status status = stated_star_optimise(star, &own->star, background);
    return status == EQUANT_SUCCESS ? add_columns(star, background, own) : status;
}

equant_status stated_scan_refine(study *star, stated_scan *own, solution *found)
{
    if (!own->others)
        return EQUANT_SUCCESS;
    own->star.states = own->all;
    equant_status status = stated_star_optimise(star, &own->star, found);
    own->star.states = own->others;
    return status;
}
