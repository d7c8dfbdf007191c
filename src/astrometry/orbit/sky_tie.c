#include "astrometry/orbit/sky_tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/orbit/sky_tie_nodes.h"
#include "core/status_fail.h"

/* Where ln P of the loose orbit is less certain than this, other periods are tried as well: in
 * these steps, to a factor of three. */
#define UNCERTAIN 0.02
#define PERIOD_STEP 0.06
enum { MOST_PERIODS = 18 };

/* Falls of chi-square that end a first refinement, of loose orbits and of tied ones. */
#define ROUGH_FALL 0.01

/* Starts that are refined, and of these the ones that get jitters of their own. */
enum { N_STARTS = 10, N_FINALISTS = 3 };

/* A shape, and how the orbit of this shape is turned. */
typedef struct tie_start {
    double shape[3], parallax; /* of the column: the zero point is still in it */
    sky_tie_node node;
} tie_start;

/* What one tie works with. */
typedef struct tying {
    sky_refiner *refiner;
    const sky_limits *limits;
    bool has_jitter, has_star;
    double zero_point, plain_parallax;
    const sky_solution *loose;
    sky_solution *best, *trial, *finalists; /* [N_FINALISTS] */
    bool has_best;
    size_t n_finalists, n_starts;
    tie_start starts[N_STARTS]; /* the lowest first */
} tying;

/* The scale in the place of the parallax, where no row is the star's: what velocities say of the
 * size of its orbit. */
static void set_scale(const sky_solution *loose, size_t p, sky_solution *tied)
{
    const double *own = loose->value + sky_solution_amplitudes(loose, p);
    sky_constants constants = sky_solution_constants(loose, p);
    sky_elements seen = sky_elements_of(&constants);
    tied->value[sky_solution_shape(tied, tied->n_orbits) + p] =
        log(hypot(own[4], own[5]) / (seen.a0 * sin(seen.i))) +
        loose->value[sky_solution_shape(loose, p)] - log(SKY_SOLUTION_AU_PER_DAY);
}

/* The amplitudes that an orbit has on the sky; its side is that on which its velocities speak for
 * the node. */
static void start_orbit(const sky_solution *loose, size_t p, sky_solution *tied)
{
    const double *own = loose->value + sky_solution_amplitudes(loose, p);
    sky_constants constants = sky_solution_constants(loose, p);
    sky_elements seen = sky_elements_of(&constants);
    memcpy(tied->value + sky_solution_amplitudes(tied, p), own, 4 * sizeof *own);
    memcpy(tied->value + sky_solution_shape(tied, p), loose->value + sky_solution_shape(loose, p),
           3 * sizeof *own);
    /* v = c dX/dM + ...: c has the sign of sin omega, h that of cos omega, at the true node. */
    tied->side[p] = own[4] * sin(seen.omega) + own[5] * cos(seen.omega) < 0.0 ? -1.0 : 1.0;
    if (tied->has_scale)
        set_scale(loose, p, tied);
}

/* The same values without the amplitudes of the velocities. */
static void start(const tying *own, sky_solution *tied)
{
    const sky_solution *loose = own->loose;
    *tied = *loose;
    tied->is_tied = true;
    tied->has_scale = !own->has_star;
    tied->parallax_zero_point = own->zero_point;
    for (size_t p = 0; p < loose->n_orbits; p++)
        start_orbit(loose, p, tied);
}

/* ---- starts -------------------------------------------------------------------------------- */

static void keep_start(const tie_start *found, tying *own)
{
    if (own->n_starts == N_STARTS &&
        found->node.chi_square >= own->starts[N_STARTS - 1].node.chi_square)
        return;
    size_t place = own->n_starts < N_STARTS ? own->n_starts++ : N_STARTS - 1;
    for (; place > 0 && own->starts[place - 1].node.chi_square > found->node.chi_square; place--)
        own->starts[place] = own->starts[place - 1];
    own->starts[place] = *found;
}

/* Orientations of the one orbit of a loose solution with a parallax. */
static equant_status add_nodes(const sky_solution *loose, double parallax, tying *own)
{
    sky_tie_node nodes[SKY_TIE_NODES];
    size_t n_nodes = 0;
    double distance = parallax - own->zero_point;
    equant_status status =
        distance > 0.0 ? sky_tie_nodes_find(own->refiner, loose, 0, distance, nodes, &n_nodes)
                       : EQUANT_SUCCESS;
    for (size_t i = 0; i < n_nodes; i++) {
        tie_start found = {.node = nodes[i], .parallax = parallax};
        memcpy(found.shape, loose->value + sky_solution_shape(loose, 0), sizeof found.shape);
        keep_start(&found, own);
    }
    return status;
}

/* With the parallax that the sky has beside the loose orbit, and, where that is another one, with
 * that of the sky without an orbit: an orbit of about a year takes a part of it. */
static equant_status add_starts(const sky_solution *loose, tying *own)
{
    double error, parallax = sky_solution_column(own->loose, "parallax", &error);
    equant_status status = add_nodes(loose, sky_solution_column(loose, "parallax", NULL), own);
    if (status == EQUANT_SUCCESS && !(fabs(own->plain_parallax - parallax) < error))
        status = add_nodes(loose, own->plain_parallax, own);
    return status;
}

static bool is_uncertain(const sky_solution *loose)
{
    size_t n = sky_solution_n_parameters(loose), j = sky_solution_shape(loose, 0);
    return !(loose->covariance[j * n + j] < UNCERTAIN * UNCERTAIN);
}

/* Loose orbits of longer or shorter periods, each the best of its period, as long as they are not
 * worse than a tied one that is known. */
static equant_status add_periods(double step, tying *own)
{
    sky_solution *trial = own->trial;
    size_t shape = sky_solution_shape(own->loose, 0);
    equant_status status = EQUANT_SUCCESS;
    *trial = *own->loose;
    for (int k = 0; k < MOST_PERIODS && status == EQUANT_SUCCESS; k++) {
        sky_limits limits = *own->limits;
        double log_period = trial->value[shape] + step;
        if (!(log_period > log(limits.period_min_days) && log_period < log(limits.period_max_days)))
            break;
        trial->value[shape] = log_period;
        limits.period_min_days = limits.period_max_days = exp(log_period);
        status = sky_refine_roughly(own->refiner, &limits, ROUGH_FALL, trial);
        if (sky_refine_has_none(status))
            return EQUANT_SUCCESS;
        if (status != EQUANT_SUCCESS ||
            (own->n_starts > 0 && trial->chi_square > own->starts[0].node.chi_square))
            break;
        status = add_starts(trial, own);
    }
    return status;
}

static equant_status find_starts(tying *own)
{
    equant_status status = add_starts(own->loose, own);
    if (status == EQUANT_SUCCESS && is_uncertain(own->loose))
        status = add_periods(PERIOD_STEP, own);
    if (status == EQUANT_SUCCESS && is_uncertain(own->loose))
        status = add_periods(-PERIOD_STEP, own);
    return status;
}

/* ---- ends ---------------------------------------------------------------------------------- */

/* Puts a roughly refined solution among the finalists, if it has a place there. */
static void keep_finalist(const sky_solution *solution, tying *own)
{
    size_t place = own->n_finalists;
    if (place == N_FINALISTS && solution->chi_square >= own->finalists[place - 1].chi_square)
        return;
    if (place == N_FINALISTS)
        place--;
    else
        own->n_finalists++;
    for (; place > 0 && own->finalists[place - 1].chi_square > solution->chi_square; place--)
        own->finalists[place] = own->finalists[place - 1];
    own->finalists[place] = *solution;
}

static equant_status refine_start(const tie_start *from, tying *own)
{
    sky_solution *tied = own->trial;
    start(own, tied);
    memcpy(tied->value + sky_solution_shape(tied, 0), from->shape, sizeof from->shape);
    tied->value[sky_model_column_index(&tied->model, "parallax")] = from->parallax;
    sky_orientation_put(&from->node.at, tied, 0);
    equant_status status = sky_refine_roughly(own->refiner, own->limits, ROUGH_FALL, tied);
    if (status == EQUANT_SUCCESS)
        keep_finalist(tied, own);
    return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}

/* Refines a solution to the end, and keeps it where it is the most likely one with a distance. */
static equant_status finish(sky_solution *tied, tying *own)
{
    equant_status status = sky_refine(own->refiner, own->limits, own->has_jitter, tied);
    if (status != EQUANT_SUCCESS)
        return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
    if (own->has_star && !(sky_solution_distance_parallax(tied, own->zero_point) > 0.0))
        return EQUANT_SUCCESS;
    if (!own->has_best || tied->log_likelihood > own->best->log_likelihood)
        *own->best = *tied;
    own->has_best = true;
    return EQUANT_SUCCESS;
}

/* The last start is the sky as it is. */
static equant_status tie_one(tying *own)
{
    equant_status status = own->has_star ? find_starts(own) : EQUANT_SUCCESS;
    for (size_t i = 0; i < own->n_starts && status == EQUANT_SUCCESS; i++)
        status = refine_start(own->starts + i, own);
    for (size_t i = 0; i < own->n_finalists && status == EQUANT_SUCCESS; i++)
        status = finish(own->finalists + i, own);
    bool has_distance =
        !own->has_star || sky_solution_distance_parallax(own->loose, own->zero_point) > 0.0;
    if (status == EQUANT_SUCCESS && has_distance) {
        start(own, own->trial);
        status = finish(own->trial, own);
    }
    return status;
}

/* Of several orbits: the sky as it is, all orbits as their own best orientations have them, and one
 * of them alone so. */
static equant_status tie_several(tying *own)
{
    size_t n = own->loose->n_orbits;
    sky_tie_node nodes[SKY_SOLUTION_MAX_ORBITS][SKY_TIE_NODES];
    size_t n_nodes[SKY_SOLUTION_MAX_ORBITS] = {0};
    double parallax = sky_solution_distance_parallax(own->loose, own->zero_point);
    equant_status status = EQUANT_SUCCESS;
    for (size_t p = 0; p < n && parallax > 0.0 && status == EQUANT_SUCCESS; p++)
        status = sky_tie_nodes_find(own->refiner, own->loose, p, parallax, nodes[p], &n_nodes[p]);
    for (size_t i = 0; i <= SKY_TIE_NODES + n && status == EQUANT_SUCCESS; i++) {
        bool has_any = i == 0;
        start(own, own->trial);
        for (size_t p = 0; p < n; p++) {
            bool is_alone = i > SKY_TIE_NODES && i - SKY_TIE_NODES - 1 == p;
            size_t node = is_alone ? 0 : i - 1;
            if (i == 0 || (i > SKY_TIE_NODES && !is_alone) || node >= n_nodes[p])
                continue;
            sky_orientation_put(&nodes[p][node].at, own->trial, p);
            has_any = true;
        }
        if (has_any)
            status = finish(own->trial, own);
    }
    return status;
}

/* By how much chi-square is larger than where velocities are free, with the weights of that. */
static equant_status find_excess(tying *own, double *excess)
{
    *own->trial = *own->best;
    memcpy(own->trial->jitter, own->loose->jitter, sizeof own->trial->jitter);
    equant_status status = sky_refine_shapes(own->refiner, own->limits, own->trial);
    if (status == EQUANT_SUCCESS)
        *excess = fmax(own->trial->chi_square - own->loose->chi_square, 0.0);
    return sky_refine_has_none(status) ? EQUANT_SUCCESS : status;
}

equant_status sky_tie(sky_refiner *refiner, const sky_limits *limits, bool has_jitter,
                      double parallax_zero_point_mas, double plain_parallax, sky_solution *solution,
                      double *excess)
{
    sky_solution *memory = malloc((2 + N_FINALISTS) * sizeof *memory);
    *excess = NAN;
    if (memory == NULL)
        return status_out_of_memory();
    tying own = {.refiner = refiner,
                 .limits = limits,
                 .has_jitter = has_jitter,
                 .has_star = sky_data_has_star(refiner->design->data),
                 .zero_point = parallax_zero_point_mas,
                 .plain_parallax = plain_parallax,
                 .loose = solution,
                 .best = memory,
                 .trial = memory + 1,
                 .finalists = memory + 2};
    equant_status status = solution->n_orbits == 1 ? tie_one(&own) : tie_several(&own);
    if (status == EQUANT_SUCCESS && own.has_best)
        status = find_excess(&own, excess);
    if (status == EQUANT_SUCCESS && own.has_best)
        *solution = *own.best;
    free(memory);
    return status;
}
