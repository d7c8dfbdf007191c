#include "inference/run/start_points.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "statistics/random.h"
#include "core/status.h"
#include "model/orbit_elements.h"

enum { N_TRIALS = 64 };

/* How much wider than the posterior, and how much narrower after each place outside the prior. */
#define OVERDISPERSION 2.0
#define SHRINKAGE 0.9

/* What all walkers share, and room to work in. */
typedef struct nursery {
    const posterior_density *density;
    const priors *wanted;
    const start_modes *modes;
    uint64_t seed;
    size_t *slots;              /* [n_planets]: of the priors, by their periods        */
    double *share;              /* [modes], cumulative, of the population being filled  */
    double *drawn, *set, *kept; /* [n_columns] each                                     */
} nursery;

/* ---- numbers ---------------------------------------------------------------------------- */

static double uniform_of(const nursery *in, size_t walker, uint64_t trial, size_t draw)
{
    random_stream stream = {in->seed, RANDOM_PURPOSE_START, (uint32_t)(2 + walker)};
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
static void assign_planets(const nursery *in, const double *from, double *to)
{
    for (size_t p = 0; p < in->modes->n_planets; p++) {
        size_t slot = in->slots[p];
        const double *own = from + N_ELEMENTS * p;
        double *elements = to + N_ELEMENTS * slot, lambda = own[ELEMENT_OMEGA] + own[ELEMENT_M0];
        for (size_t i = 0; i < N_ELEMENTS; i++) {
            const prior_density *prior = priors_of_column(in->wanted, N_ELEMENTS * slot + i);
            elements[i] = prior->kind == PRIOR_FIXED ? prior->first : own[i];
        }
        elements[ELEMENT_M0] = lambda - elements[ELEMENT_OMEGA];
    }
}

/* Coordinates of in->drawn, a set in the basis of the modes; false when it is outside the
 * prior. */
static bool find_coordinates(const nursery *in, double *coordinates)
{
    const parameter_layout *all = priors_layout(in->wanted);
    const parameter_layout *kept = &posterior_density_map(in->density)->layout;
    if (equant_basis_to_elements(EQUANT_BASIS_REGULAR, in->modes->n_planets, in->drawn,
                                 in->drawn) != EQUANT_SUCCESS)
        return false;
    assign_planets(in, in->drawn, in->set);
    for (int term = TERM_ORBITS + 1; term < N_TERMS; term++)
        for (size_t i = 0; i < kept->columns[term].n; i++) {
            double value = in->drawn[all->columns[term].first + i];
            in->set[kept->columns[term].first + i] = term == TERM_JITTERS ? fabs(value) : value;
        }
    posterior_density_coordinates_of(in->density, in->set, coordinates);
    return isfinite(posterior_density_prepare(in->density, coordinates, in->kept));
}

static bool try_place(const nursery *in, size_t mode, size_t walker, uint64_t trial, double width,
                      double *coordinates)
{
    const start_mode *centre = &in->modes->mode[mode];
    size_t n = in->modes->n_columns;
    for (size_t i = 0; i < n; i++)
        in->drawn[i] = random_normal_quantile(uniform_of(in, walker, trial, 1 + i));
    spread(n, centre->factor, in->drawn);
    for (size_t i = 0; i < n; i++)
        in->drawn[i] = centre->centre[i] + width * in->drawn[i];
    return find_coordinates(in, coordinates);
}

/* ---- walkers ----------------------------------------------------------------------------- */

static size_t choose_mode(const nursery *in, size_t walker)
{
    double u = uniform_of(in, walker, 0, 0);
    size_t mode = 0;
    while (mode + 1 < in->modes->n && u >= in->share[mode])
        mode++;
    return mode;
}

/* Tries wide first, then narrower; then the other modes. */
static equant_status place_walker(const nursery *in, size_t walker, double *coordinates)
{
    size_t chosen = choose_mode(in, walker);
    for (size_t i = 0; i < in->modes->n; i++) {
        size_t mode = (chosen + i) % in->modes->n;
        double width = OVERDISPERSION;
        for (uint64_t trial = 0; trial < N_TRIALS; trial++, width *= SHRINKAGE)
            if (try_place(in, mode, walker, i * N_TRIALS + trial, width, coordinates))
                return EQUANT_SUCCESS;
    }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "the priors exclude what the fit of the data finds; start from the prior, "
                       "or widen it");
}

/* By the weights, and by chance, so that populations begin differently: walkers hardly ever leave
 * a mode without tempering, and one that has too many of them keeps them for long. */
static void divide(const nursery *in, size_t population)
{
    const start_modes *modes = in->modes;
    random_stream stream = {in->seed, RANDOM_PURPOSE_START, 1};
    double highest = -INFINITY, sum = 0.0;
    for (size_t m = 0; m < modes->n; m++)
        highest = fmax(highest, modes->mode[m].log_weight);
    for (size_t m = 0; m < modes->n; m++) {
        double u = random_uniforms_at(stream, ((uint64_t)population << 20) + m).half[0];
        sum += -log(u) * exp(modes->mode[m].log_weight - highest);
        in->share[m] = sum;
    }
    for (size_t m = 0; m < modes->n; m++)
        in->share[m] /= sum;
}

static equant_status fill(const nursery *in, const start_points_shape *shape, double *start)
{
    size_t d = posterior_density_n_coordinates(in->density), walker = 0;
    for (size_t p = 0; p < shape->n_populations; p++) {
        divide(in, p);
        for (size_t i = 0; i < shape->n_temperatures * shape->n_walkers; i++, walker++) {
            equant_status status = place_walker(in, walker, start + walker * d);
            if (status != EQUANT_SUCCESS)
                return status;
        }
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

equant_status start_points_fill(const posterior_density *density, const priors *wanted,
                                const start_modes *modes, const start_points_shape *shape,
                                uint64_t seed, double *start)
{
    size_t n = modes->n_columns;
    nursery in = {.density = density, .wanted = wanted, .modes = modes, .seed = seed};
    in.slots = calloc(modes->n_planets + 1, sizeof *in.slots);
    in.share = calloc(modes->n, sizeof *in.share);
    in.drawn = calloc(3 * n, sizeof *in.drawn);
    bool has_memory = in.slots && in.share && in.drawn;
    equant_status status = has_memory ? EQUANT_SUCCESS : status_out_of_memory();
    if (has_memory) {
        in.set = in.drawn + n;
        in.kept = in.set + n;
        order_slots(wanted, modes->n_planets, in.slots);
        status = fill(&in, shape, start);
    }
    free(in.slots);
    free(in.share);
    free(in.drawn);
    return status;
}
