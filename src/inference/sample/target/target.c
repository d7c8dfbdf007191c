/* The posterior as a function for samplers of others: the public equant_target, in batches. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/star_priors.h"
#include "inference/sample/target/target_object.h"
#include "parallel/parallel_for.h"

#define OPTION(member) OPTION_OR_ZERO(options, equant_target_options, member)

/* What it takes to turn a point into a parameter set. */
#define ROW_NANOSECONDS 100.0

/* ---- creation ----------------------------------------------------------------------------- */

static equant_status check(const equant_dataset *dataset, const equant_target_options *options)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    if (!dataset)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "a target needs a data set");
    if (OPTION(space) != EQUANT_SPACE_SMOOTH && OPTION(space) != EQUANT_SPACE_PARAMETERS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no space number %d",
                           (int)OPTION(space));
    return trend_order_check(OPTION(trend));
}

static equant_status create_density(const equant_dataset *dataset,
                                    const equant_target_options *options,
                                    const equant_priors *believed, equant_target *target)
{
    posterior_density_options wanted = {.dataset = dataset,
                                        .n_planets = OPTION(n_planets),
                                        .trend_order = trend_order_of(OPTION(trend)),
                                        .priors = believed->set,
                                        .engine = OPTION(engine),
                                        .marginalise_offsets = OPTION(marginalise_offsets)};
    return posterior_density_create(&wanted, &target->density);
}

static equant_status fill(const equant_dataset *dataset, const equant_target_options *options,
                          equant_target *target)
{
    const equant_engine_options *engine = OPTION(engine);
    target->n_threads = placement_threads(OPTION_OR_ZERO(engine, equant_engine_options, n_threads));
    equant_priors_options reference = {.struct_size = sizeof reference,
                                       .n_planets = OPTION(n_planets),
                                       .trend = OPTION(trend),
                                       .noise = OPTION(noise)};
    equant_priors *own = NULL;
    equant_status status = EQUANT_SUCCESS;
    if (!OPTION(priors))
        status = equant_priors_create(dataset, &reference, &own);
    if (status == EQUANT_SUCCESS && OPTION(priors))
        status = star_priors_check_noise(OPTION(priors), dataset, OPTION(noise));
    if (status == EQUANT_SUCCESS)
        status = create_density(dataset, options, own ? own : OPTION(priors), target);
    if (status == EQUANT_SUCCESS)
        status = target_space_create(target->density, OPTION(space), &target->space);
    equant_priors_free(own);
    return status;
}

equant_status equant_target_create(const equant_dataset *dataset,
                                   const equant_target_options *options, equant_target **made)
{
    equant_status status = check(dataset, options);
    if (status != EQUANT_SUCCESS)
        return status;
    equant_target *target = calloc(1, sizeof *target);
    if (!target)
        return status_out_of_memory();
    status = fill(dataset, options, target);
    if (status != EQUANT_SUCCESS) {
        equant_target_free(target);
        return status;
    }
    *made = target;
    return EQUANT_SUCCESS;
}

static void free_rows(equant_target *target)
{
    free(target->coordinates);
    free(target->parameters);
    free(target->log_prior);
}

void equant_target_free(equant_target *target)
{
    if (!target)
        return;
    target_space_free(target->space);
    posterior_density_free(target->density);
    free_rows(target);
    free(target->log_likelihood);
    free(target->by_parameter);
    free(target->work);
    free(target);
}

/* ---- what it consists of ---------------------------------------------------------------- */

size_t equant_target_n_dimensions(const equant_target *target)
{
    return target ? target_space_n_dimensions(target->space) : 0;
}

const char *equant_target_dimension_name(const equant_target *target, size_t dimension)
{
    return target ? target_space_name(target->space, dimension) : NULL;
}

size_t equant_target_n_parameters(const equant_target *target)
{
    return target ? posterior_density_n_parameters(target->density) : 0;
}

const char *equant_target_parameter_name(const equant_target *target, size_t column)
{
    return target ? posterior_density_parameter_name(target->density, column) : NULL;
}

int equant_target_cube_wraps(const equant_target *target, size_t dimension)
{
    return target ? target_space_cube_wraps(target->space, dimension) : 0;
}

/* ---- batches ------------------------------------------------------------------------------ */

/* Rows of working memory for a batch: as many as it has points, or as there may be. */
static equant_status reserve(equant_target *target, size_t n)
{
    size_t n_rows = n < TARGET_MOST_ROWS ? n : TARGET_MOST_ROWS;
    if (n_rows <= target->n_rows)
        return EQUANT_SUCCESS;
    free_rows(target);
    target->n_rows = 0;
    target->coordinates =
        malloc(n_rows * equant_target_n_dimensions(target) * sizeof *target->coordinates);
    target->parameters =
        malloc(n_rows * equant_target_n_parameters(target) * sizeof *target->parameters);
    target->log_prior = malloc(n_rows * sizeof *target->log_prior);
    if (!target->coordinates || !target->parameters || !target->log_prior)
        return status_out_of_memory();
    target->n_rows = n_rows;
    return EQUANT_SUCCESS;
}

equant_status target_prepare_batch(equant_target *target, size_t n, const void *rows,
                                   const void *results)
{
    if (n > 0 && (!rows || !results))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a target needs points and memory for what becomes of them");
    return reserve(target, n);
}

/* What becomes of a row of the caller's array; `row` is one of the working memory. */
typedef void (*row_function)(equant_target *target, size_t row, const double *from, double *to);

typedef struct row_widths {
    size_t from, to;
} row_widths;

static int threads_for(const equant_target *target, size_t n_rows)
{
    return placement_threads_worth(target->n_threads, ROW_NANOSECONDS * (double)n_rows);
}

/* Rows of working memory, from the first on, and those of the caller. */
typedef struct turned_rows {
    equant_target *target;
    row_function turn;
    row_widths widths;
    const double *from;
    double *to;
} turned_rows;

static void turn_some(void *context, size_t first, size_t end, int thread)
{
    const turned_rows *of = context;
    (void)thread;
    for (size_t row = first; row < end; row++)
        of->turn(of->target, row, of->from + row * of->widths.from, of->to + row * of->widths.to);
}

static equant_status turn_rows(equant_target *target, size_t n, row_function turn,
                               row_widths widths, const double *from, double *to)
{
    equant_status status = target_prepare_batch(target, n, from, to);
    if (status != EQUANT_SUCCESS)
        return status;
    for (; n > 0; from += target->n_rows * widths.from, to += target->n_rows * widths.to) {
        size_t count = n < target->n_rows ? n : target->n_rows;
        turned_rows of = {target, turn, widths, from, to};
        parallel_for(threads_for(target, count), count, 0, turn_some, &of);
        n -= count;
    }
    return EQUANT_SUCCESS;
}

/* ---- densities ------------------------------------------------------------------------------ */

static void take_log_prior(equant_target *target, size_t row, const double *point, double *out)
{
    *out = target_space_prepare(target->space, point, target_coordinates(target, row),
                                target_parameters(target, row));
}

equant_status equant_target_log_prior(equant_target *target, size_t n, const double *points,
                                      double *out)
{
    if (!target)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no target");
    row_widths widths = {equant_target_n_dimensions(target), 1};
    return turn_rows(target, n, take_log_prior, widths, points, out);
}

/* The likelihoods of as many points as the working memory has rows for. Parameter sets outside the
 * prior are NaN, and have none. */
static equant_status evaluate_piece(equant_target *target, size_t n, const double *points,
                                    double *log_likelihood)
{
    equant_status status = equant_target_log_prior(target, n, points, target->log_prior);
    return status == EQUANT_SUCCESS ? posterior_density_log_likelihood(
                                          target->density, n, target->parameters, log_likelihood)
                                    : status;
}

static equant_status evaluate(equant_target *target, size_t n, const double *points,
                              bool with_prior, double *out)
{
    equant_status status = target_prepare_batch(target, n, points, out);
    while (status == EQUANT_SUCCESS && n > 0) {
        size_t count = n < target->n_rows ? n : target->n_rows;
        status = evaluate_piece(target, count, points, out);
        for (size_t i = 0; status == EQUANT_SUCCESS && with_prior && i < count; i++)
            if (isfinite(out[i]))
                out[i] += target->log_prior[i];
        points += count * equant_target_n_dimensions(target);
        out += count;
        n -= count;
    }
    return status;
}

equant_status equant_target_log_likelihood(equant_target *target, size_t n, const double *points,
                                           double *out)
{
    return evaluate(target, n, points, false, out);
}

equant_status equant_target_log_probability(equant_target *target, size_t n, const double *points,
                                            double *out)
{
    return evaluate(target, n, points, true, out);
}

/* ---- points ---------------------------------------------------------------------------------- */

static void take_parameters(equant_target *target, size_t row, const double *point,
                            double *parameters)
{
    target_space_prepare(target->space, point, target_coordinates(target, row), parameters);
}

equant_status equant_target_to_parameters(equant_target *target, size_t n, const double *points,
                                          double *parameters)
{
    if (!target)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no target");
    row_widths widths = {equant_target_n_dimensions(target), equant_target_n_parameters(target)};
    return turn_rows(target, n, take_parameters, widths, points, parameters);
}

static void take_point(equant_target *target, size_t row, const double *parameters, double *point)
{
    (void)row;
    target_space_point(target->space, parameters, point);
}

equant_status equant_target_from_parameters(equant_target *target, size_t n,
                                            const double *parameters, double *points)
{
    if (!target)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no target");
    row_widths widths = {equant_target_n_parameters(target), equant_target_n_dimensions(target)};
    return turn_rows(target, n, take_point, widths, parameters, points);
}

static void take_cube(equant_target *target, size_t row, const double *cube, double *point)
{
    target_space_from_cube(target->space, cube, target_parameters(target, row), point);
}

equant_status equant_target_from_unit_cube(equant_target *target, size_t n, const double *cube,
                                           double *points)
{
    if (!target)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no target");
    row_widths widths = {equant_target_n_dimensions(target), equant_target_n_dimensions(target)};
    return turn_rows(target, n, take_cube, widths, cube, points);
}

/* Draws from number `first` on, written from row 0 of `points` on. */
typedef struct drawn_points {
    equant_target *target;
    uint64_t seed, first;
    double *points;
} drawn_points;

static void draw_some(void *context, size_t first, size_t end, int thread)
{
    const drawn_points *of = context;
    equant_target *target = of->target;
    size_t width = equant_target_n_dimensions(target);
    (void)thread;
    for (size_t row = first; row < end; row++)
        target_space_draw(target->space, of->seed, of->first + row, target_coordinates(target, row),
                          target_parameters(target, row), of->points + row * width);
}

equant_status equant_target_draw(equant_target *target, uint64_t seed, uint64_t first, size_t n,
                                 double *points)
{
    if (!target)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no target");
    equant_status status = target_prepare_batch(target, n, points, points);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t width = equant_target_n_dimensions(target);
    for (size_t done = 0; done < n; done += target->n_rows) {
        size_t count = n - done < target->n_rows ? n - done : target->n_rows;
        drawn_points of = {target, seed, first + done, points + done * width};
        parallel_for(threads_for(target, count), count, 0, draw_some, &of);
    }
    return EQUANT_SUCCESS;
}
