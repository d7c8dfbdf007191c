#include "inference/study/maximum_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/noise.h"
#include "inference/study/noise_fit.h"

enum { TURNS = 60, ITERATIONS = 100 };

typedef struct polisher {
    study *star;
    const least_squares_problem *problem;
    size_t n_sets, n_columns, jitters;
    study_shape shape;
    bool *is_free;
    double *sets, *log_likelihood;
    double *chi_square, *residuals, *next, *next_log_likelihood;
} polisher;

/* Of a turn of noise: it comes again. */
enum { NOISE_ITERATIONS = 8 };

/* Noise with the orbits as they are; residuals are those of the sets. */
static equant_status fit_noise(polisher *p, double tolerance)
{
    size_t n_obs = p->star->n_obs;
    if (p->shape.noise.terms != 0) {
        const noise_fit_problem problem = {&p->shape, p->is_free, NOISE_ITERATIONS,
                                           0.1 * tolerance};
        return noise_fit_sets(p->star, &problem, p->n_sets, p->next);
    }
    set_likelihood_results residuals = {.residuals = p->residuals};
    equant_status status =
        set_likelihood_evaluate(p->star, &p->shape, p->n_sets, p->next, &residuals);
    for (size_t s = 0; s < p->n_sets && status == EQUANT_SUCCESS; s++)
        if (isfinite(p->chi_square[s]))
            noise_fit_jitters(p->star, p->residuals + s * n_obs,
                              p->next + s * p->n_columns + p->jitters);
    return status;
}

/* A turn on copies of the sets: orbits with the noise as it is, then noise. A turn that does not
 * help (the noise of an instrument that the fit follows too closely) is not kept. */
static equant_status take_turn(polisher *p, double tolerance, double *largest_gain)
{
    memcpy(p->next, p->sets, p->n_sets * p->n_columns * sizeof *p->next);
    equant_status status =
        least_squares_refine(p->star, p->problem, p->n_sets, p->next, p->chi_square);
    if (status == EQUANT_SUCCESS)
        status = fit_noise(p, tolerance);
    set_likelihood_results likelihood = {.log_likelihood = p->next_log_likelihood};
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_evaluate(p->star, &p->shape, p->n_sets, p->next, &likelihood);
    *largest_gain = 0.0;
    for (size_t s = 0; s < p->n_sets && status == EQUANT_SUCCESS; s++) {
        double gain = p->next_log_likelihood[s] - p->log_likelihood[s];
        if (!(gain > 0.0))
            continue;
        memcpy(p->sets + s * p->n_columns, p->next + s * p->n_columns,
               p->n_columns * sizeof *p->sets);
        p->log_likelihood[s] = p->next_log_likelihood[s];
        *largest_gain = fmax(*largest_gain, gain);
    }
    return status;
}

equant_status maximum_likelihood_sets(study *star, const least_squares_problem *problem,
                                      size_t n_sets, double tolerance, double *sets,
                                      double *log_likelihood)
{
    parameter_layout layout = study_layout(star, problem->n_planets, problem->trend_order);
    polisher p = {.star = star,
                  .problem = problem,
                  .n_sets = n_sets,
                  .n_columns = layout.n_parameters,
                  .jitters = layout.columns[TERM_JITTERS].first,
                  .shape = least_squares_shape(problem),
                  .sets = sets,
                  .log_likelihood = log_likelihood};
    equant_status status = EQUANT_SUCCESS;
    if (n_sets == 0)
        return status;
    p.is_free = malloc((layout.n_parameters + 1) * sizeof *p.is_free);
    p.chi_square = malloc(n_sets * sizeof *p.chi_square);
    p.residuals = malloc(n_sets * star->n_obs * sizeof *p.residuals);
    p.next = malloc(n_sets * layout.n_parameters * sizeof *p.next);
    p.next_log_likelihood = malloc(n_sets * sizeof *p.next_log_likelihood);
    if (!p.is_free || !p.chi_square || !p.residuals || !p.next || !p.next_log_likelihood)
        status = status_out_of_memory();
    else
        least_squares_free_columns(star, problem, p.is_free);
    for (size_t s = 0; s < n_sets; s++)
        log_likelihood[s] = -INFINITY;
    double gain = INFINITY;
    for (int turn = 0; turn < TURNS && gain > tolerance && status == EQUANT_SUCCESS; turn++)
        status = take_turn(&p, tolerance, &gain);
    free(p.is_free);
    free(p.chi_square);
    free(p.residuals);
    free(p.next);
    free(p.next_log_likelihood);
    return status;
}

static equant_status polish_one(study *star, const least_squares_problem *problem, double tolerance,
                                solution *polished)
{
    const study_shape shape = least_squares_shape(problem);
    equant_status status = maximum_likelihood_sets(star, problem, 1, tolerance, polished->set,
                                                   &polished->log_likelihood);
    polished->noise_price = NAN;
    set_likelihood_results results = {.chi_square = &polished->chi_square};
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_evaluate(star, &shape, 1, polished->set, &results);
    return status;
}

static least_squares_problem problem_of(const solution *polished, size_t n_fixed)
{
    return (least_squares_problem){.n_planets = polished->n_planets,
                                   .trend_order = polished->trend_order,
                                   .noise = polished->noise,
                                   .n_fixed = n_fixed,
                                   .max_iterations = ITERATIONS};
}

equant_status maximum_likelihood_solution(study *star, size_t n_fixed, double tolerance,
                                          solution *polished)
{
    least_squares_problem problem = problem_of(polished, n_fixed);
    return polish_one(star, &problem, tolerance, polished);
}

equant_status maximum_likelihood_circle(study *star, size_t n_fixed, double tolerance,
                                        solution *polished)
{
    least_squares_problem problem = problem_of(polished, n_fixed);
    problem.n_circular = 1;
    polished->set[N_ELEMENTS * (polished->n_planets - 1) + ELEMENT_ECCENTRICITY] = 0.0;
    return polish_one(star, &problem, tolerance, polished);
}
