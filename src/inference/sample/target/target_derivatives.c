/* Gradients of targets, in batches: the public equant_target_differentiate. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/placement.h"
#include "core/status_fail.h"
#include "inference/sample/target/target_object.h"
#include "inference/sample/target/target_slopes.h"
#include "parallel/parallel_for.h"

/* Points whose derivatives are in memory at a time, and what one of them takes besides those of its
 * likelihood. */
enum { MOST_SLOPES = 4096 };
#define SLOPES_NANOSECONDS 500.0

static equant_target_derivatives known_derivatives(const equant_target_derivatives *given)
{
    equant_target_derivatives known = {.struct_size = sizeof known};
#define KNOWN(member) known.member = OPTION_OR_ZERO(given, equant_target_derivatives, member)
    KNOWN(log_prior);
    KNOWN(log_likelihood);
    KNOWN(log_probability);
    KNOWN(log_prior_gradient);
    KNOWN(log_likelihood_gradient);
    KNOWN(log_probability_gradient);
#undef KNOWN
    return known;
}

static equant_status reserve(equant_target *target, size_t n)
{
    size_t width = posterior_density_n_parameters(target->density);
    if (n <= target->n_slopes)
        return EQUANT_SUCCESS;
    free(target->log_likelihood);
    free(target->by_parameter);
    free(target->work);
    target->n_slopes = 0;
    target->log_likelihood = malloc(n * sizeof(double));
    target->by_parameter = malloc(n * width * sizeof(double));
    target->work = malloc(n * width * sizeof(double));
    if (!target->log_likelihood || !target->by_parameter || !target->work)
        return status_out_of_memory();
    target->n_slopes = n;
    return EQUANT_SUCCESS;
}

/* Where the results of a point go; NULL where one is not wanted. */
static double *result_at(double *results, size_t place)
{
    return results ? results + place : NULL;
}

static void write_value(double *results, size_t point, double value)
{
    if (results)
        results[point] = value;
}

static void add_slopes(size_t n, double *sum, const double *slopes)
{
    for (size_t i = 0; sum && i < n; i++)
        sum[i] += slopes[i];
}

static void fill(size_t n, double *slopes, double value)
{
    for (size_t i = 0; slopes && i < n; i++)
        slopes[i] = value;
}

/* One point: `row` of the working memory, whose likelihood has been differentiated. */
static void write_point(equant_target *target, size_t row, size_t point,
                        const equant_target_derivatives *out)
{
    const target_space *space = target->space;
    const size_t n = target_space_n_dimensions(space),
                 width = posterior_density_n_parameters(target->density);
    const target_row own = {target_coordinates(target, row), target_parameters(target, row)};
    double *work = target->work + row * width, *by_parameter = target->by_parameter + row * width;
    double prior = target->log_prior[row], likelihood = target->log_likelihood[row];
    double *of_prior = result_at(out->log_prior_gradient, point * n),
           *of_likelihood = result_at(out->log_likelihood_gradient, point * n),
           *of_both = result_at(out->log_probability_gradient, point * n);
    bool has_prior = isfinite(prior), has_likelihood = has_prior && isfinite(likelihood);
    write_value(out->log_prior, point, prior);
    write_value(out->log_likelihood, point, has_likelihood ? likelihood : -INFINITY);
    write_value(out->log_probability, point, has_likelihood ? prior + likelihood : -INFINITY);
    fill(n, of_prior, NAN);
    fill(n, of_likelihood, NAN);
    fill(n, of_both, has_likelihood ? 0.0 : NAN);
    /* Columns of the likelihood are done with once they are turned: their place is as wide. */
    if (has_likelihood && (of_likelihood || of_both)) {
        target_slopes_of_point(space, own, by_parameter, work);
        fill(n, of_likelihood, 0.0);
        add_slopes(n, of_likelihood, work);
        add_slopes(n, of_both, work);
    }
    if (has_prior && (of_prior || of_both)) {
        target_slopes_of_prior(space, own, by_parameter, work);
        fill(n, of_prior, 0.0);
        add_slopes(n, of_prior, work);
        add_slopes(n, of_both, work);
    }
}

typedef struct written_points {
    equant_target *target;
    size_t first;
    const equant_target_derivatives *out;
} written_points;

static void write_some(void *context, size_t first, size_t end, int thread)
{
    const written_points *of = context;
    (void)thread;
    for (size_t row = first; row < end; row++)
        write_point(of->target, row, of->first + row, of->out);
}

static equant_status differentiate_piece(equant_target *target, size_t n, const double *points,
                                         size_t first, const equant_target_derivatives *out)
{
    bool has_likelihood = out->log_likelihood || out->log_probability ||
                          out->log_likelihood_gradient || out->log_probability_gradient;
    equant_status status = equant_target_log_prior(target, n, points, target->log_prior);
    fill(has_likelihood ? 0 : n, target->log_likelihood, 0.0);
    if (status == EQUANT_SUCCESS && has_likelihood)
        status = posterior_density_differentiate(target->density, n, target->parameters,
                                                 target->log_likelihood, target->by_parameter);
    if (status != EQUANT_SUCCESS)
        return status;
    const int n_threads =
        placement_threads_worth(target->n_threads, SLOPES_NANOSECONDS * (double)n);
    written_points of = {target, first, out};
    parallel_for(n_threads, n, 0, write_some, &of);
    return EQUANT_SUCCESS;
}

equant_status equant_target_differentiate(equant_target *target, size_t n, const double *points,
                                          const equant_target_derivatives *derivatives)
{
    if (!target || !derivatives)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "derivatives need a target and a place for their results");
    equant_status status = OPTIONS_CHECK(derivatives);
    if (status != EQUANT_SUCCESS)
        return status;
    const equant_target_derivatives out = known_derivatives(derivatives);
    size_t at_once = n < MOST_SLOPES ? n : MOST_SLOPES;
    status = target_prepare_batch(target, at_once, points, derivatives);
    if (status == EQUANT_SUCCESS)
        status = reserve(target, at_once);
    for (size_t done = 0; done < n && status == EQUANT_SUCCESS; done += at_once) {
        size_t count = n - done < at_once ? n - done : at_once;
        status = differentiate_piece(
            target, count, points + done * target_space_n_dimensions(target->space), done, &out);
    }
    return status;
}
