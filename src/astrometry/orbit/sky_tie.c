#include "astrometry/orbit/sky_tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_tie_nodes.h"
#include "core/status_fail.h"

/* What an orbit is told by at the start: the sky alone, or one of the orientations that its
 * velocities allow. */
typedef struct tie_nodes {
    size_t n[SKY_SOLUTION_MAX_ORBITS];
    sky_elements at[SKY_SOLUTION_MAX_ORBITS][SKY_TIE_NODES];
} tie_nodes;

/* The amplitudes that an orbit has on the sky, or with these elements; its side is that on which
 * its velocities speak for the node. */
static void start_orbit(const sky_solution *loose, size_t p, const sky_elements *elements,
                        sky_solution *tied)
{
    const double *own = loose->value + sky_solution_amplitudes(loose, p);
    sky_constants constants =
        elements ? sky_constants_of(elements) : sky_solution_constants(loose, p);
    const double amplitudes[4] = {constants.A, constants.B, constants.F, constants.G};
    sky_elements seen = sky_elements_of(&constants);
    memcpy(tied->value + sky_solution_amplitudes(tied, p), amplitudes, sizeof amplitudes);
    memcpy(tied->value + sky_solution_shape(tied, p), loose->value + sky_solution_shape(loose, p),
           3 * sizeof *own);
    /* v = c dX/dM + ...: c has the sign of sin omega, h that of cos omega, at the true node. */
    tied->side[p] = own[4] * sin(seen.omega) + own[5] * cos(seen.omega) < 0.0 ? -1.0 : 1.0;
    if (tied->has_scale)
        tied->value[sky_solution_shape(tied, tied->n_orbits) + p] =
            log(hypot(own[4], own[5]) / (seen.a0 * sin(seen.i))) +
            loose->value[sky_solution_shape(loose, p)] - log(SKY_SOLUTION_AU_PER_DAY);
}

/* The same values without the amplitudes of the velocities. */
static void start(const sky_solution *loose, double zero_point, bool has_star,
                  const sky_elements *const elements[SKY_SOLUTION_MAX_ORBITS], sky_solution *tied)
{
    *tied = *loose;
    tied->is_tied = true;
    tied->has_scale = !has_star;
    tied->parallax_zero_point = zero_point;
    for (size_t p = 0; p < loose->n_orbits; p++)
        start_orbit(loose, p, elements[p], tied);
}

/* Orientations by the velocities, where the star's parallax says what they are in mas. */
static equant_status find_nodes(sky_refiner *refiner, double zero_point, const sky_solution *loose,
                                tie_nodes *nodes)
{
    double parallax = sky_solution_distance_parallax(loose, zero_point);
    equant_status status = EQUANT_SUCCESS;
    memset(nodes->n, 0, sizeof nodes->n);
    for (size_t p = 0; p < loose->n_orbits && parallax > 0.0 && status == EQUANT_SUCCESS; p++)
        status = sky_tie_nodes_find(refiner, loose, p, parallax, nodes->at[p], &nodes->n[p]);
    return status;
}

/* Start number `index`: first the sky as it is, then all orbits as their velocities allow, then, of
 * several, one of them alone. False behind the last one. */
static bool choose(const tie_nodes *nodes, size_t n_orbits, size_t index,
                   const sky_elements *elements[SKY_SOLUTION_MAX_ORBITS])
{
    bool has_any = index == 0;
    for (size_t p = 0; p < n_orbits; p++) {
        bool is_alone = index > SKY_TIE_NODES && index - SKY_TIE_NODES - 1 == p;
        size_t node = is_alone ? 0 : index - 1;
        bool is_meant = is_alone || (index >= 1 && index <= SKY_TIE_NODES);
        elements[p] = is_meant && node < nodes->n[p] ? &nodes->at[p][node] : NULL;
        has_any = has_any || elements[p] != NULL;
    }
    return has_any;
}

/* By how much chi-square is larger than where velocities are free, with the weights of that. */
static equant_status find_excess(sky_refiner *refiner, const sky_limits *limits,
                                 const sky_solution *loose, const sky_solution *tied,
                                 sky_solution *trial, double *excess)
{
    *trial = *tied;
    memcpy(trial->jitter, loose->jitter, sizeof trial->jitter);
    equant_status status = sky_refine_shapes(refiner, limits, trial);
    if (status == EQUANT_SUCCESS)
        *excess = fmax(trial->chi_square - loose->chi_square, 0.0);
    return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}

static equant_status tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                         double zero_point, const sky_solution *loose, sky_solution *best,
                         sky_solution *trial, bool *has_best)
{
    bool has_star = sky_data_has_star(refiner->design->data);
    tie_nodes nodes = {.n = {0}};
    equant_status status =
        has_star ? find_nodes(refiner, zero_point, loose, &nodes) : EQUANT_SUCCESS;
    const sky_elements *elements[SKY_SOLUTION_MAX_ORBITS];
    size_t n_alone = loose->n_orbits > 1 ? loose->n_orbits : 0;
    for (size_t i = 0; i <= SKY_TIE_NODES + n_alone && status == EQUANT_SUCCESS; i++) {
        if (!choose(&nodes, loose->n_orbits, i, elements))
            continue;
        start(loose, zero_point, has_star, elements, trial);
        status = sky_refine(refiner, limits, has_jitter, trial);
        bool has_none = sky_refine_has_none(status) ||
                        (has_star && !(sky_solution_distance_parallax(trial, zero_point) > 0.0));
        if (has_none)
            status = EQUANT_SUCCESS;
        else if (status == EQUANT_SUCCESS &&
                 (!*has_best || trial->log_likelihood > best->log_likelihood)) {
            *best = *trial;
            *has_best = true;
        }
    }
    return status;
}

equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, sky_solution *solution, double *excess)
{
    sky_solution *best = malloc(2 * sizeof *best), *trial = best + 1;
    bool has_best = false;
    *excess = NAN;
    if (best == NULL)
        return status_out_of_memory();
    equant_status status =
        tie(refiner, limits, has_jitter, parallax_zero_point_mas, solution, best, trial, &has_best);
    if (status == EQUANT_SUCCESS && has_best)
        status = find_excess(refiner, limits, solution, best, trial, excess);
    if (status == EQUANT_SUCCESS && has_best)
        *solution = *best;
    free(best);
    return status;
}
