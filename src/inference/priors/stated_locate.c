/* Where to begin with a planet of which something is known: periods that its prior allows, phases
 * and shapes. */
#include "inference/priors/stated_locate.h"

#include <math.h>

#include "core/trend_order.h"

/* Steps of an optimisation that only ranks starts. */
enum { STEPS_TO_RANK = 40 };
/* Periods, phases and shapes from which a planet is tried. */
enum { N_PEAKS = 6, N_PHASES = 12, N_SHAPES = 5 };
/* Words of a noise with its values. */
enum { FOUND_NOISE_SIZE = 1024 };

stated_problem stated_locate_problem(study *star, const stated_star *own, const solution *fitted)
{
    return (stated_problem){.states = own->states,
                            .star = star,
                            .shape = solution_shape(fitted),
                            .letters = own->letters,
                            .star_mass = own->star_mass,
                            .basis = own->basis};
}

typedef struct period_list {
    size_t n;
    double days[N_PEAKS];
} period_list;

bool stated_locate_is_sharp(const prior_density *period, double span_days)
{
    const double tail = 0.02;
    return 1.0 / prior_density_quantile(period, tail) -
               1.0 / prior_density_quantile(period, 1.0 - tail) <
           0.25 / span_days;
}

static double middle_of(const prior_density *density)
{
    return density->kind == PRIOR_FIXED ? density->first : prior_density_quantile(density, 0.5);
}

/* The periods at which circles fit best within a prior, beside the planets that are there. */
static equant_status find_periods(study *star, const prior_density *period, const solution *beside,
                                  period_list *found)
{
    const double tail = 1e-3;
    double shortest = prior_density_quantile(period, tail),
           longest = prior_density_quantile(period, 1.0 - tail);
    found->n = 1;
    found->days[0] = middle_of(period);
    if (period->kind == PRIOR_FIXED || stated_locate_is_sharp(period, star->span_days))
        return EQUANT_SUCCESS;
    char noise[FOUND_NOISE_SIZE];
    noise_menu_write(&star->menu, beside->noise,
                     beside->set +
                         study_first_correlated(star, beside->n_planets, beside->trend_order),
                     sizeof noise, noise);
    equant_search_options options = {.struct_size = sizeof options,
                                     .engine = &star->scan_engine,
                                     .period_min_days = shortest,
                                     .period_max_days = longest,
                                     .circular_only = 1,
                                     .trend = trend_order_name(beside->trend_order),
                                     .noise = noise[0] ? noise : NULL,
                                     .n_known = beside->n_planets,
                                     .known = beside->set,
                                     .n_peaks = N_PEAKS};
    equant_periodogram *scanned = NULL;
    equant_status status = equant_search(star->dataset, &options, &scanned);
    for (size_t i = 0;
         status == EQUANT_SUCCESS && i < equant_periodogram_n_peaks(scanned) && i < N_PEAKS; i++) {
        equant_peak peak = {.struct_size = sizeof peak};
        status = equant_periodogram_peak(scanned, i, &peak);
        found->days[i] = peak.period_days;
        found->n = i + 1;
    }
    equant_periodogram_free(scanned);
    return status;
}

/* An amplitude to begin with: what was said of it, or the scatter that is left. */
static double first_amplitude(const study *star, const stated_star *own, char letter,
                              const solution *beside)
{
    const parameter_state *k = state_list_of_planet(own->states, letter, "k_m_s");
    double sum = 0.0;
    for (size_t i = 0; i < star->n_instruments; i++)
        sum = fmax(sum, solution_values(star, beside, TERM_JITTERS)[i]);
    return fmax(k ? middle_of(&k->density) : fmax(sum, 1.0), STATED_LEAST_K);
}

typedef struct start {
    stated_orbit orbit;
    double period_days, k_m_s;
    size_t n_phases, n_shapes;
} start;

static void fill_start(const start *from, size_t phase, size_t shape, double elements[N_ELEMENTS])
{
    const stated_orbit *own = &from->orbit;
    double e = shape == 0 ? 0.0 : 0.4, omega = 0.5 * PI * (double)shape, at[N_STATED];
    at[STATED_LN_PERIOD] = log(from->period_days);
    at[STATED_K] = from->k_m_s;
    at[STATED_SHAPE] = own->is_polar ? e : e * cos(omega);
    at[STATED_SHAPE_TOO] = own->is_polar ? omega : e * sin(omega);
    at[STATED_PHASE] = 0.0;
    if (own->phase == PHASE_LONGITUDE || own->phase == PHASE_M0)
        at[STATED_PHASE] = TWO_PI * (double)phase / (double)from->n_phases;
    for (size_t i = 0; i < N_STATED; i++)
        if (!own->is_free[i])
            at[i] = own->fixed[i];
    stated_orbit_bound(own, at);
    stated_orbit_elements(own, at, elements);
}

/* Tries all phases and shapes at a period; the best solution is kept. */
static equant_status try_period(study *star, const stated_star *own, const start *from,
                                const solution *beside, solution *trial, double *highest,
                                solution *best)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; i < from->n_phases * from->n_shapes && status == EQUANT_SUCCESS; i++) {
        double elements[N_ELEMENTS];
        stated_result found;
        fill_start(from, i % from->n_phases, i / from->n_phases, elements);
        solution_copy(star, beside, trial);
        solution_add_planet(star, trial, elements);
        stated_problem problem = stated_locate_problem(star, own, trial);
        problem.keeps_noise = true; /* until the best start is known */
        status = stated_fit_optimise(&problem, STEPS_TO_RANK, trial->set, &found);
        if (status == EQUANT_SUCCESS && found.log_likelihood + found.log_prior > *highest) {
            *highest = found.log_likelihood + found.log_prior;
            solution_copy(star, trial, best);
        }
    }
    return status;
}

equant_status stated_locate_planet(study *star, stated_star *own, char letter, solution *current,
                                   solution *trial, solution *best)
{
    const parameter_state *said = state_list_of_planet(own->states, letter, "period_days");
    double reference = equant_dataset_reference_time_days(star->dataset), highest = -INFINITY;
    start from = {.orbit = stated_orbit_of(own->states, letter, reference)};
    bool is_open = from.orbit.phase == PHASE_LONGITUDE || from.orbit.phase == PHASE_M0;
    bool is_round = from.orbit.is_polar && !from.orbit.is_free[STATED_SHAPE];
    period_list periods;
    from.n_phases = is_open && from.orbit.is_free[STATED_PHASE] ? N_PHASES : 1;
    from.n_shapes = is_round && !from.orbit.is_free[STATED_SHAPE_TOO] ? 1 : N_SHAPES;
    from.k_m_s = first_amplitude(star, own, letter, current);
    own->letters[current->n_planets] = letter;
    equant_status status = find_periods(star, &said->density, current, &periods);
    for (size_t i = 0; i < periods.n && status == EQUANT_SUCCESS; i++) {
        from.period_days = periods.days[i];
        status = try_period(star, own, &from, current, trial, &highest, best);
    }
    if (status == EQUANT_SUCCESS && !isfinite(highest))
        return parameter_state_fail(said,
                                    "no orbit of planet %c is possible with what was said of "
                                    "it",
                                    letter);
    if (status != EQUANT_SUCCESS)
        return status;
    solution_copy(star, best, current);
    const stated_problem problem = stated_locate_problem(star, own, current);
    stated_result found;
    return stated_fit_optimise(&problem, STEPS_TO_RANK, current->set, &found);
}
