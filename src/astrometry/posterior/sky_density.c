#include "astrometry/posterior/sky_density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/posterior/sky_coordinates.h"
#include "core/placement.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"
#include "statistics/random_draw.h"

/* Ranges before the data: of s from a hundredth of the smallest uncertainty to a hundred times the
 * spread of the measurements; of a jitter, in the unit of the median uncertainty, up to a thousand.
 */
#define JITTER_UNITS 1e3

/* Starts are so much wider than the errors of the fit. */
#define START_WIDTH 1.5
enum { START_TRIALS = 60, RANDOMS_PER_DRAW = 128 };

/* What one thread works in. */
typedef struct workroom {
    double *columns, *residual, *root_weight, *column;
    sky_system system;
    sky_solution solution;
} workroom;

struct sky_density {
    const sky_design *design;
    sky_solution best;
    sky_limits limits;
    sky_coordinates at;
    double log_scale[2][2];         /* of the sky and of velocities: lowest and highest */
    double log_volume;              /* of the prior where it is uniform */
    size_t n_coordinates, n_priors; /* rows of s behind those of the design */
    double start_root[SKY_DENSITY_MAX_COORDINATES * SKY_DENSITY_MAX_COORDINATES];
    int n_threads;
    workroom *rooms; /* [n_threads] */
};

/* Whether linear column j of the solution is integrated. */
static bool is_integrated(const sky_density *own, size_t j)
{
    if (!own->at.is_tied)
        return true;
    return j < own->design->n_base && !(sky_coordinates_has_parallax(&own->at) &&
                                        j == sky_model_column_index(&own->best.model, "parallax"));
}

static size_t n_filled(const sky_density *own)
{
    return own->at.is_tied ? own->design->n_base : sky_solution_n_linear(&own->best);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void find_scales(sky_density *own)
{
    const sky_data *data = own->design->data;
    size_t n_sky = data->n_sky;
    sky_data_log_scales_of_sky(data, own->log_scale[0]);
    sky_data_log_scales(data, n_sky, n_sky + data->n_velocities, own->log_scale[1]);
}

static void count(sky_density *own)
{
    const sky_solution *best = &own->best;
    double of_shape = log(log(own->limits.period_max_days / own->limits.period_min_days)) +
                      log(SKY_ORBIT_PI * own->limits.eccentricity_max);
    size_t n = best->n_orbits;
    own->n_coordinates =
        n * sky_coordinates_of_orbit(best) + (sky_coordinates_has_parallax(&own->at) ? 1 : 0);
    own->log_volume = (double)n * (of_shape + log(own->log_scale[0][1] - own->log_scale[0][0]));
    if (sky_coordinates_has_velocities(best))
        own->log_volume += (double)n * log(own->log_scale[1][1] - own->log_scale[1][0]);
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (own->at.has_jitter[group]) {
            own->n_coordinates++;
            own->log_volume += log(log1p(JITTER_UNITS));
        }
    own->n_priors = own->at.is_tied ? 0 : n * sky_solution_n_amplitudes(best);
}

static equant_status open_room(const sky_density *own, workroom *room)
{
    size_t n = own->design->n_rows, n_all = n + own->n_priors, n_columns = n_filled(own);
    room->columns = malloc((n_columns * n + 2 * n_all + n) * sizeof *room->columns);
    if (room->columns == NULL)
        return status_out_of_memory();
    room->residual = room->columns + n_columns * n;
    room->column = room->residual + n_all;
    room->root_weight = room->column + n_all;
    return sky_system_create(n_all, SKY_SOLUTION_MAX_PARAMETERS, &room->system);
}

void sky_density_free(sky_density *own)
{
    if (own == NULL)
        return;
    for (int i = 0; i < own->n_threads && own->rooms != NULL; i++) {
        free(own->rooms[i].columns);
        sky_system_free(&own->rooms[i].system);
    }
    free(own->rooms);
    free(own);
}

/* ---- starts -------------------------------------------------------------------------------- */

/* The root of the covariance of those parameters of the fit that are coordinates, with 0.3 for
 * every logarithm of a scale or jitter. */
static void find_start_root(sky_density *own)
{
    enum { MOST = SKY_DENSITY_MAX_COORDINATES };
    const sky_solution *best = &own->best;
    size_t n = own->n_coordinates, at[MOST], n_all = sky_solution_n_parameters(best), c = 0;
    double *root = own->start_root;
    for (size_t i = 0; i < MOST; i++)
        at[i] = SIZE_MAX;
    for (size_t p = 0; p < best->n_orbits; p++) {
        for (size_t j = 0; j < 3; j++)
            at[c++] = sky_solution_shape(best, p) + j;
        c += sky_coordinates_has_velocities(best) ? 2 : 1;
        for (size_t j = 0; j < 4 && own->at.is_tied; j++)
            at[c++] = sky_solution_amplitudes(best, p) + j;
        if (sky_coordinates_has_ratio(best))
            at[c++] = sky_solution_shape(best, best->n_orbits) + p;
    }
    if (sky_coordinates_has_parallax(&own->at))
        at[c] = sky_model_column_index(&best->model, "parallax");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            bool is_free = at[i] == SIZE_MAX || at[j] == SIZE_MAX;
            double sum = is_free ? (i == j ? 0.09 : 0.0) : best->covariance[at[i] * n_all + at[j]];
            for (size_t k = 0; k < j; k++)
                sum -= root[i * MOST + k] * root[j * MOST + k];
            if (i == j)
                root[i * MOST + i] = sum > 0.0 ? sqrt(sum) : 1e-4;
            else
                root[i * MOST + j] = isfinite(sum) ? sum / root[j * MOST + j] : 0.0;
        }
}

static double normal_at(random_stream stream, uint64_t first, size_t number)
{
    random_uniforms both = random_uniforms_at(stream, first + number / 2);
    return random_normal_quantile(both.half[number % 2]);
}

static double prepare(const void *context, const double *coordinates, double *parameters);

bool sky_density_start(const sky_density *own, uint64_t seed, uint64_t index, double *coordinates)
{
    enum { MOST = SKY_DENSITY_MAX_COORDINATES };
    size_t n = own->n_coordinates, n_orbit = sky_coordinates_of_orbit(&own->best);
    double centre[MOST], moved[MOST], width = START_WIDTH, kept[MOST];
    sky_coordinates_write(&own->at, &own->best, centre);
    for (uint32_t trial = 0; trial < START_TRIALS; trial++, width *= 0.9) {
        random_stream stream = {seed, RANDOM_PURPOSE_SKY, 2 + trial};
        for (size_t i = 0; i < n; i++)
            moved[i] = normal_at(stream, RANDOMS_PER_DRAW / 2 * index, i);
        memcpy(coordinates, centre, n * sizeof *centre);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++)
                coordinates[i] += width * own->start_root[i * MOST + j] * moved[j];
        for (size_t p = 0; p < own->best.n_orbits; p++) { /* errors are those of e cos M0 */
            const double *own_shape = own->best.value + sky_solution_shape(&own->best, p);
            double *x = coordinates + p * n_orbit;
            double c = own_shape[1] + x[1] - centre[p * n_orbit + 1];
            double s = own_shape[2] + x[2] - centre[p * n_orbit + 2];
            double root = 1.0 / sqrt(fmax(hypot(c, s), 1e-9));
            x[1] = c * root;
            x[2] = s * root;
        }
        for (size_t i = n - 1; i < n && i + SKY_DATA_MAX_GROUPS >= n; i--)
            if (i >=
                own->best.n_orbits * n_orbit + (sky_coordinates_has_parallax(&own->at) ? 1 : 0))
                coordinates[i] = fabs(coordinates[i]); /* jitters */
        if (isfinite(prepare(own, coordinates, kept)))
            return true;
    }
    memcpy(coordinates, centre, n * sizeof *centre);
    return isfinite(prepare(own, coordinates, kept));
}

/* ---- prior --------------------------------------------------------------------------------- */

static bool is_within(double value, const double range[2])
{
    return value >= range[0] && value <= range[1];
}

static double normal_prior(size_t n, const double *values, double log_scale)
{
    double sum = 0.0;
    for (size_t j = 0; j < n; j++)
        sum += values[j] * values[j];
    return -0.5 * sum * exp(-2.0 * log_scale) -
           (double)n * (log_scale + 0.5 * log(SKY_ORBIT_TWO_PI));
}

static double prepare(const void *context, const double *coordinates, double *parameters)
{
    const sky_density *own = context;
    const sky_limits *limits = &own->limits;
    const double periods[2] = {log(limits->period_min_days), log(limits->period_max_days)};
    const double jitters[2] = {0.0, log1p(JITTER_UNITS)};
    const double *x = coordinates;
    double sum = -own->log_volume;
    memcpy(parameters, coordinates, own->n_coordinates * sizeof *parameters);
    for (size_t p = 0; p < own->best.n_orbits; p++) {
        bool is_inside = is_within(x[0], periods) &&
                         x[1] * x[1] + x[2] * x[2] <= limits->eccentricity_max &&
                         is_within(x[3], own->log_scale[0]);
        double log_scale = x[3];
        x += 4;
        if (sky_coordinates_has_velocities(&own->best))
            is_inside &= is_within(*x++, own->log_scale[1]);
        if (own->at.is_tied) {
            sum += normal_prior(4, x, log_scale);
            x += 4;
        }
        x += sky_coordinates_has_ratio(&own->best) ? 1 : 0;
        if (!is_inside)
            return -INFINITY;
    }
    if (sky_coordinates_has_parallax(&own->at) && !(*x++ > own->best.parallax_zero_point))
        return -INFINITY;
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (own->at.has_jitter[group] && !is_within(*x++, jitters))
            return -INFINITY;
    return isfinite(sum) ? sum : -INFINITY;
}

/* ---- likelihood ---------------------------------------------------------------------------- */

/* Column j of the solution, whitened, with what the prior of its scale adds below the rows. */
static void whiten(const sky_density *own, workroom *room, size_t j, double scales[][2])
{
    size_t n = own->design->n_rows, first = sky_solution_amplitudes(&own->best, 0);
    size_t n_amplitudes = sky_solution_n_amplitudes(&own->best);
    for (size_t k = 0; k < n; k++)
        room->column[k] = room->columns[j * n + k] * room->root_weight[k];
    memset(room->column + n, 0, own->n_priors * sizeof *room->column);
    if (own->n_priors > 0 && j >= first)
        room->column[n + j - first] =
            1.0 / scales[(j - first) / n_amplitudes][(j - first) % n_amplitudes >= 4];
}

/* ln of the likelihood of the room's solution with its linear part integrated; the factors of its
 * columns are left in `shares`, to be solved for. */
static double integrate(const sky_density *own, workroom *room, double scales[][2], double *shares)
{
    size_t n = own->design->n_rows, n_all = n + own->n_priors;
    double sum = 0.0, squares = 0.0;
    sky_design_weigh(own->design, room->solution.jitter, room->root_weight);
    sky_design_fill(own->design, &room->solution, n_filled(own), room->columns, room->residual);
    sky_system_clear(&room->system);
    for (size_t j = 0; j < n_filled(own); j++) {
        if (!is_integrated(own, j))
            continue;
        whiten(own, room, j, scales);
        if (!sky_system_add(&room->system, room->column))
            return -INFINITY;
    }
    for (size_t k = 0; k < n; k++)
        room->residual[k] *= room->root_weight[k];
    memset(room->residual + n, 0, own->n_priors * sizeof *room->residual);
    sky_system_project(&room->system, room->residual, shares);
    for (size_t k = 0; k < n_all; k++)
        squares += room->residual[k] * room->residual[k];
    for (size_t k = 0; k < n; k++)
        sum += log(room->root_weight[k]);
    for (size_t j = 0; j < own->n_priors; j++) {
        size_t n_amplitudes = sky_solution_n_amplitudes(&own->best);
        sum -= log(scales[j / n_amplitudes][j % n_amplitudes >= 4]);
    }
    double n_less = (double)(n + own->n_priors) - (double)room->system.n_columns;
    return sum - 0.5 * squares - 0.5 * sky_system_log_determinant(&room->system) -
           0.5 * n_less * log(SKY_ORBIT_TWO_PI);
}

static void set_sides(const sky_density *own, unsigned sides, sky_solution *solution)
{
    for (size_t p = 0; p < own->best.n_orbits; p++)
        solution->side[p] = sides >> p & 1 ? -1.0 : 1.0;
}

/* Which of two nodes recedes is told by velocities alone: both count, with half the prior each. */
static unsigned n_sides(const sky_density *own)
{
    return own->at.is_tied ? 1U << own->best.n_orbits : 1U;
}

/* ln of the likelihood of all sides, [n_sides], and the largest of them. */
static double integrate_sides(const sky_density *own, workroom *room, const double *x,
                              double scales[][2], double *each)
{
    double most = -INFINITY, shares[SKY_SOLUTION_MAX_PARAMETERS];
    sky_coordinates_read(&own->at, x, &room->solution, scales);
    for (unsigned sides = 0; sides < n_sides(own); sides++) {
        set_sides(own, sides, &room->solution);
        each[sides] = integrate(own, room, scales, shares);
        most = fmax(most, each[sides]);
    }
    return most;
}

static double log_likelihood(const sky_density *own, workroom *room, const double *x)
{
    double scales[SKY_SOLUTION_MAX_ORBITS][2], each[1 << SKY_SOLUTION_MAX_ORBITS], sum = 0.0;
    double most = integrate_sides(own, room, x, scales, each);
    if (!isfinite(most))
        return -INFINITY;
    for (unsigned sides = 0; sides < n_sides(own); sides++)
        sum += exp(each[sides] - most);
    return most + log(sum / n_sides(own));
}

typedef struct evaluation {
    const sky_density *own;
    const double *parameters;
    double *found;
} evaluation;

static void evaluate_some(void *context, size_t first, size_t end, int thread)
{
    const evaluation *of = context;
    for (size_t i = first; i < end; i++)
        of->found[i] = log_likelihood(of->own, of->own->rooms + thread,
                                      of->parameters + i * of->own->n_coordinates);
}

static equant_status evaluate(void *context, size_t n_sets, const double *parameters, double *found)
{
    sky_density *own = context;
    evaluation of = {own, parameters, found};
    parallel_for(own->n_threads, n_sets, 4, evaluate_some, &of);
    return EQUANT_SUCCESS;
}

sampler_target sky_density_target(sky_density *own)
{
    return (sampler_target){.n_coordinates = own->n_coordinates,
                            .n_parameters = own->n_coordinates,
                            .context = own,
                            .prepare = prepare,
                            .evaluate = evaluate};
}

bool sky_density_draw(const sky_density *own, const double *coordinates, uint64_t seed,
                      uint64_t index, sky_solution *drawn, size_t n_more, double *more)
{
    random_stream stream = {seed, RANDOM_PURPOSE_SKY, 1};
    uint64_t first = RANDOMS_PER_DRAW / 2 * index;
    workroom *room = own->rooms + parallel_thread();
    double scales[SKY_SOLUTION_MAX_ORBITS][2], shares[SKY_SOLUTION_MAX_PARAMETERS];
    double each[1 << SKY_SOLUTION_MAX_ORBITS], sum = 0.0;
    double most = integrate_sides(own, room, coordinates, scales, each);
    unsigned chosen = 0;
    if (!isfinite(most))
        return false;
    for (unsigned sides = 0; sides < n_sides(own); sides++)
        sum += each[sides] = exp(each[sides] - most);
    double left = sum * random_uniforms_at(stream, first + RANDOMS_PER_DRAW / 2 - 1).half[1];
    while (chosen + 1 < n_sides(own) && left >= each[chosen])
        left -= each[chosen++];
    set_sides(own, chosen, &room->solution);
    integrate(own, room, scales, shares);
    for (size_t j = 0; j < room->system.n_columns; j++)
        shares[j] += normal_at(stream, first, j);
    sky_system_solve(&room->system, shares);
    *drawn = room->solution;
    for (size_t j = 0, place_of = 0; j < n_filled(own); j++)
        if (is_integrated(own, j))
            drawn->value[j] = shares[place_of++];
    for (size_t j = 0; j < n_more; j++)
        more[j] = normal_at(stream, first, RANDOMS_PER_DRAW - 3 - j);
    return true;
}

equant_status sky_density_create(const sky_design *design, const sky_solution *best,
                                 const sky_limits *limits, bool has_jitter, int n_threads,
                                 sky_density **made)
{
    sky_density *own = calloc(1, sizeof *own);
    if (own == NULL)
        return status_out_of_memory();
    own->design = design;
    own->best = *best;
    own->limits = *limits;
    own->n_threads = placement_threads(n_threads);
    equant_status status = sky_coordinates_find(design->data, best, has_jitter, &own->at);
    find_scales(own);
    count(own);
    find_start_root(own);
    own->rooms = calloc((size_t)own->n_threads, sizeof *own->rooms);
    if (status == EQUANT_SUCCESS && own->rooms == NULL)
        status = status_out_of_memory();
    for (int i = 0; i < own->n_threads && status == EQUANT_SUCCESS; i++) {
        own->rooms[i].solution = *best;
        status = open_room(own, own->rooms + i);
    }
    if (status != EQUANT_SUCCESS) {
        sky_density_free(own);
        return status;
    }
    *made = own;
    return EQUANT_SUCCESS;
}
