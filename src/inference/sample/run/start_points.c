#include "inference/sample/run/start_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/random_draw.h"
#include "core/status_fail.h"
#include "inference/sample/run/start_spread.h"
#include "model/orbit_elements.h"

enum { N_TRIALS = 64, N_SPREADING_STEPS = 200 };

/* How much wider than the posterior, and how much narrower after each place outside the prior. */
#define OVERDISPERSION 2.0
#define SHRINKAGE 0.9
/* ln L below the best, for each coordinate, down to which walkers are spread: at 2 the shell of a
 * Gaussian that holds nearly all of them has twice the radius of the posterior's. */
#define SPREADING_LEVEL 2.0

/* What all walkers share, and room to work in. */
typedef struct beginning {
    posterior_density *density;
    const priors *wanted;
    const start_modes *modes;
    uint64_t seed;
    size_t *slots;              /* [n_planets]: of the priors, by their periods        */
    double *share;              /* [modes], cumulative, of the population being filled  */
    double *drawn, *set, *kept; /* [n_columns] each                                     */
} beginning;

/* ---- numbers ---------------------------------------------------------------------------- */

static double uniform_of(const beginning *begin, size_t walker, uint64_t trial, size_t draw)
{
    random_stream stream = {begin->seed, RANDOM_PURPOSE_START, (uint32_t)(2 + walker)};
    return random_uniforms_at(stream, (trial << 20) + draw / 2).half[draw % 2];
}

/* ---- from a mode to coordinates ------------------------------------------------------------ */

/* Solves L' x = z in place: z becomes a deviate of the mode's covariance. */
static void spread(size_t n, const double *factor, double *z)
{
    for (size_t i = n; i-- > 0;) {
        double sum = z[i];
        for (size_t j = i + 1; j < n; j++)
            sum -= factor[j * n + i] * z[j];
        z[i] = factor[i * n + i] > 0.0 ? sum / factor[i * n + i] : 0.0;
    }
}

/* Puts the planets, which are by period, into the places of the priors with rising periods. What
 * a prior fixes is as it says; a fixed omega leaves the mean longitude where it was. */
static void assign_planets(const beginning *begin, const double *from, double *to)
{
    for (size_t p = 0; p < begin->modes->n_planets; p++) {
        size_t slot = begin->slots[p];
        const double *own = from + N_ELEMENTS * p;
        double *elements = to + N_ELEMENTS * slot, lambda = own[ELEMENT_OMEGA] + own[ELEMENT_M0];
        for (size_t i = 0; i < N_ELEMENTS; i++) {
            const prior_density *prior = priors_of_column(begin->wanted, N_ELEMENTS * slot + i);
            elements[i] = prior->kind == PRIOR_FIXED ? prior->first : own[i];
        }
        elements[ELEMENT_M0] = lambda - elements[ELEMENT_OMEGA];
    }
}

/* A number reflected at the ends of a range, until it is inside; an end may be infinite. */
static double fold(double x, double low, double high)
{
    double width = high - low;
    if (isfinite(width) && width > 0.0) {
        double beyond = fmod(fabs(x - low), 2.0 * width);
        return low + (beyond > width ? 2.0 * width - beyond : beyond);
    }
    return x < low ? 2.0 * low - x : x > high ? 2.0 * high - x : x;
}

static double fold_log(double x, double low, double high)
{
    return exp(fold(log(x), log(low), log(high)));
}

/* Beside noise data say little of some parameters, which then lie at the ends of their priors: what
 * is drawn beyond comes back, for hardly any draw of many such would be inside. With noise nothing
 * is integrated out, so that columns are those of the priors. */
static void fold_columns(const beginning *begin, const parameter_layout *kept)
{
    for (size_t i = parameter_layout_end(kept, TERM_ORBITS); i < kept->n_parameters; i++) {
        const prior_density *prior = priors_of_column(begin->wanted, i);
        double *value = &begin->set[i], unit = coordinate_map_unit(prior, value);
        if (prior->kind == PRIOR_FIXED)
            *value = prior->first;
        else if (i < parameter_layout_first_noise(kept))
            *value = fold(*value, prior->lower, prior->upper);
        else
            *value = unit * fold_log(*value / unit, prior->lower, prior->upper);
    }
}

/* The same for planets; angles are left alone. */
static void fold_planets(const beginning *begin, const parameter_layout *kept)
{
    for (size_t p = 0; p < kept->n_planets; p++) {
        const size_t first = parameter_layout_orbit(kept, p);
        const prior_density *own = priors_of_column(begin->wanted, first);
        double *elements = begin->set + first;
        elements[ELEMENT_PERIOD] = fold_log(elements[ELEMENT_PERIOD], own[ELEMENT_PERIOD].lower,
                                            own[ELEMENT_PERIOD].upper);
        elements[ELEMENT_ECCENTRICITY] =
            fold(elements[ELEMENT_ECCENTRICITY], own[ELEMENT_ECCENTRICITY].lower,
                 own[ELEMENT_ECCENTRICITY].upper);
        prior_density of_k = prior_density_at_orbit(&own[ELEMENT_K], elements[ELEMENT_PERIOD],
                                                    elements[ELEMENT_ECCENTRICITY]);
        elements[ELEMENT_K] = fold_log(elements[ELEMENT_K], of_k.lower, of_k.upper);
    }
}

/* Amplitudes whose limit falls with the period: a fit of less than one orbit may have a long period
 * with a large one, which a shorter period with a smaller one fits nearly as well. */
static void fold_amplitudes(const beginning *begin, const parameter_layout *kept)
{
    for (size_t p = 0; p < kept->n_planets; p++) {
        const size_t first = parameter_layout_orbit(kept, p);
        const prior_density *own = priors_of_column(begin->wanted, first + ELEMENT_K);
        double *elements = begin->set + first;
        if (own->kind != PRIOR_FALLING_LIMIT)
            continue;
        prior_density of_k =
            prior_density_at_orbit(own, elements[ELEMENT_PERIOD], elements[ELEMENT_ECCENTRICITY]);
        elements[ELEMENT_K] = fold_log(elements[ELEMENT_K], of_k.lower, of_k.upper);
    }
}

/* Coordinates of begin->drawn, a set in the basis of the modes; false when it is outside the
 * prior. */
static bool find_coordinates(const beginning *begin, bool folds, double *coordinates)
{
    const parameter_layout *all = priors_layout(begin->wanted);
    const parameter_layout *kept = &posterior_density_map(begin->density)->layout;
    if (equant_basis_to_elements(EQUANT_BASIS_REGULAR, begin->modes->n_planets, begin->drawn,
                                 begin->drawn) != EQUANT_SUCCESS)
        return false;
    assign_planets(begin, begin->drawn, begin->set);
    for (int term = TERM_ORBITS + 1; term < N_TERMS; term++)
        for (size_t i = 0; i < kept->columns[term].n; i++) {
            double value = begin->drawn[all->columns[term].first + i];
            begin->set[kept->columns[term].first + i] = term == TERM_JITTERS ? fabs(value)
                                                        : term == TERM_NOISE ? exp(value)
                                                                             : value;
        }
    if (folds)
        fold_amplitudes(begin, kept);
    if (kept->noise.n > 0) {
        fold_planets(begin, kept);
        fold_columns(begin, kept);
    }
    posterior_density_coordinates_of(begin->density, begin->set, coordinates);
    posterior_density_keep_events(begin->density, coordinates);
    return isfinite(posterior_density_prepare(begin->density, coordinates, begin->kept));
}

static bool try_place(const beginning *begin, size_t mode, size_t walker, uint64_t trial,
                      double width, bool folds, double *coordinates)
{
    const start_mode *centre = &begin->modes->mode[mode];
    size_t n = begin->modes->n_columns;
    for (size_t i = 0; i < n; i++)
        begin->drawn[i] = random_normal_quantile(uniform_of(begin, walker, trial, 1 + i));
    spread(n, centre->factor, begin->drawn);
    for (size_t i = 0; i < n; i++)
        begin->drawn[i] = centre->centre[i] + width * begin->drawn[i];
    return find_coordinates(begin, folds, coordinates);
}

/* ---- walkers ----------------------------------------------------------------------------- */

static size_t choose_mode(const beginning *begin, size_t walker)
{
    double u = uniform_of(begin, walker, 0, 0);
    size_t mode = 0;
    while (mode + 1 < begin->modes->n && u >= begin->share[mode])
        mode++;
    return mode;
}

/* Tries wide first, then narrower; then the other modes; then all with amplitudes that their
 * periods may have. */
static equant_status place_walker(const beginning *begin, size_t walker, double *coordinates)
{
    size_t chosen = choose_mode(begin, walker), n = begin->modes->n;
    for (size_t i = 0; i < 2 * n; i++) {
        size_t mode = (chosen + i) % n;
        double width = OVERDISPERSION;
        for (uint64_t trial = 0; trial < N_TRIALS; trial++, width *= SHRINKAGE)
            if (try_place(begin, mode, walker, i * N_TRIALS + trial, width, i >= n, coordinates))
                return EQUANT_SUCCESS;
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the priors exclude what the fit of the data finds; start from the prior, "
                       "or widen it");
}

/* By the weights, and by chance, so that populations begin differently: walkers hardly ever leave
 * a mode without tempering, and one that has too many of them keeps them for long. */
static void divide(const beginning *begin, size_t population)
{
    const start_modes *modes = begin->modes;
    random_stream stream = {begin->seed, RANDOM_PURPOSE_START, 1};
    double highest = -INFINITY, sum = 0.0;
    for (size_t m = 0; m < modes->n; m++)
        highest = fmax(highest, modes->mode[m].log_weight);
    for (size_t m = 0; m < modes->n; m++) {
        double u = random_uniforms_at(stream, ((uint64_t)population << 20) + m).half[0];
        sum += -log(u) * exp(modes->mode[m].log_weight - highest);
        begin->share[m] = sum;
    }
    for (size_t m = 0; m < modes->n; m++)
        begin->share[m] /= sum;
}

/* The walkers of a population at the lowest temperature, `first` and on, that belong to the best
 * mode, spread along its ridges; `start` is theirs. */
static equant_status spread_walkers(const beginning *begin, const start_points_shape *shape,
                                    size_t first, double *start)
{
    const size_t d = posterior_density_n_coordinates(begin->density), n = shape->n_walkers;
    double *centre = malloc((n + 1) * d * sizeof *centre), *spread_out = centre + d;
    equant_status status = centre ? EQUANT_SUCCESS : status_out_of_memory();
    const start_spread_request request = {.density = begin->density,
                                          .n_planets = begin->modes->n_planets,
                                          .span_days = shape->span_days,
                                          .centre = centre,
                                          .level = SPREADING_LEVEL * (double)d,
                                          .n_steps = N_SPREADING_STEPS,
                                          .n_walkers = n,
                                          .seed = begin->seed + first + 1,
                                          .n_threads = shape->n_threads};
    if (centre && try_place(begin, 0, first, 0, 0.0, false, centre)) {
        memcpy(spread_out, start, n * d * sizeof *start);
        status = start_spread(&request, spread_out);
        for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
            if (choose_mode(begin, first + i) == 0)
                memcpy(start + i * d, spread_out + i * d, d * sizeof *start);
    }
    free(centre);
    return status;
}

static equant_status fill(const beginning *begin, const start_points_shape *shape, double *start)
{
    size_t d = posterior_density_n_coordinates(begin->density), walker = 0;
    for (size_t p = 0; p < shape->n_populations; p++) {
        size_t first = walker;
        equant_status status = EQUANT_SUCCESS;
        divide(begin, p);
        for (size_t i = 0; i < shape->n_temperatures * shape->n_walkers; i++, walker++) {
            status = place_walker(begin, walker, start + walker * d);
            if (status != EQUANT_SUCCESS)
                return status;
        }
        if (begin->modes->n_planets > 0 && (p % 2 == 1 || shape->n_populations == 1))
            status = spread_walkers(begin, shape, first, start + first * d);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    return EQUANT_SUCCESS;
}

/* The priors' planets by the medians of their periods. */
static void order_slots(const priors *wanted, size_t n_planets, size_t *slots)
{
    for (size_t p = 0; p < n_planets; p++) {
        double period = prior_density_quantile(priors_of_column(wanted, N_ELEMENTS * p), 0.5);
        size_t place = p;
        for (; place > 0; place--) {
            const prior_density *other = priors_of_column(wanted, N_ELEMENTS * slots[place - 1]);
            if (prior_density_quantile(other, 0.5) <= period)
                break;
            slots[place] = slots[place - 1];
        }
        slots[place] = p;
    }
}

equant_status start_points_fill(posterior_density *density, const priors *wanted,
                                const start_modes *modes, const start_points_shape *shape,
                                uint64_t seed, double *start)
{
    size_t n = modes->n_columns;
    beginning begin = {.density = density, .wanted = wanted, .modes = modes, .seed = seed};
    begin.slots = calloc(modes->n_planets + 1, sizeof *begin.slots);
    begin.share = calloc(modes->n, sizeof *begin.share);
    begin.drawn = calloc(3 * n, sizeof *begin.drawn);
    bool has_memory = begin.slots && begin.share && begin.drawn;
    equant_status status = has_memory ? EQUANT_SUCCESS : status_out_of_memory();
    if (has_memory) {
        begin.set = begin.drawn + n;
        begin.kept = begin.set + n;
        if (modes->has_letters)
            memcpy(begin.slots, modes->slots, modes->n_planets * sizeof *begin.slots);
        else
            order_slots(wanted, modes->n_planets, begin.slots);
        status = fill(&begin, shape, start);
    }
    free(begin.slots);
    free(begin.share);
    free(begin.drawn);
    return status;
}
