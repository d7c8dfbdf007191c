#include "inference/optimise/maximum_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/optimise/jitter.h"
#include "inference/optimise/noise_fit.h"
#include "inference/likelihood/study_crew.h"

enum { TURNS = 60, ITERATIONS = 100 };
/* Of the tolerance, what orbits and noise each leave in a turn. */
#define SHARE_OF_TURN 0.1

typedef struct optimiser {
    study *star;
    least_squares_problem problem;
    size_t n_columns, jitters;
    study_shape shape;
    double tolerance;
    bool *is_free;
    double *set, log_likelihood;
    double chi_square, *residuals, *next;
    noise_fit_memory *known; /* of the turns of noise before */
} optimiser;

/* Of a turn of noise: it comes again. */
enum { NOISE_ITERATIONS = 8 };

/* Noise with the orbits as they are. */
static equant_status fit_noise(optimiser *p)
{
    if (p->shape.noise.terms != 0) {
        const noise_fit_problem problem = {&p->shape, p->is_free, NOISE_ITERATIONS,
                                           SHARE_OF_TURN * p->tolerance};
        return noise_fit_set(p->star, &problem, p->known, p->next);
    }
    set_likelihood_results residuals = {.residuals = p->residuals};
    equant_status status = set_likelihood_evaluate(p->star, &p->shape, p->next, &residuals);
    if (status == EQUANT_SUCCESS && isfinite(p->chi_square))
        noise_fit_jitters(p->star, p->shape.noise, p->residuals, p->next + p->jitters);
    return status;
}

/* A turn on a copy of the set: orbits with the noise as it is, then noise. A turn that does not
 * help (the noise of an instrument that the fit follows too closely) is not kept. */
static equant_status take_turn(optimiser *p, double *gain)
{
    double log_likelihood;
    memcpy(p->next, p->set, p->n_columns * sizeof *p->next);
    equant_status status = least_squares_refine(p->star, &p->problem, 1, p->next, &p->chi_square);
    if (status == EQUANT_SUCCESS)
        status = fit_noise(p);
    set_likelihood_results likelihood = {.log_likelihood = &log_likelihood};
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_evaluate(p->star, &p->shape, p->next, &likelihood);
    *gain = status == EQUANT_SUCCESS ? log_likelihood - p->log_likelihood : 0.0;
    if (*gain > 0.0) {
        memcpy(p->set, p->next, p->n_columns * sizeof *p->set);
        p->log_likelihood = log_likelihood;
    }
    return status;
}

static equant_status optimise_set(study *star, const least_squares_problem *problem,
                                  double tolerance, double *set, double *log_likelihood)
{
    parameter_layout layout = study_layout(star, problem->n_planets, problem->trend_order);
    optimiser p = {.star = star,
                   .problem = *problem,
                   .n_columns = layout.n_parameters,
                   .jitters = layout.columns[TERM_JITTERS].first,
                   .shape = least_squares_shape(problem),
                   .tolerance = tolerance,
                   .set = set,
                   .log_likelihood = -INFINITY};
    p.problem.gain_enough = 2.0 * SHARE_OF_TURN * tolerance;
    p.problem.foreseen_enough = 0.0;
    p.is_free = malloc((layout.n_parameters + 1) * sizeof *p.is_free);
    p.residuals = malloc(star->n_obs * sizeof *p.residuals);
    p.next = malloc(layout.n_parameters * sizeof *p.next);
    p.known = noise_fit_memory_create();
    equant_status status =
        p.is_free && p.residuals && p.next && p.known ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        least_squares_free_columns(star, problem, p.is_free);
    double gain = INFINITY;
    for (int turn = 0; turn < TURNS && gain > tolerance && status == EQUANT_SUCCESS; turn++)
        status = take_turn(&p, &gain);
    *log_likelihood = p.log_likelihood;
    free(p.is_free);
    free(p.residuals);
    free(p.next);
    free(p.known);
    return status;
}

/* Sets that know nothing of each other. */
typedef struct optimised_sets {
    const least_squares_problem *problem;
    double tolerance;
    size_t n_columns;
    double *sets, *log_likelihood;
} optimised_sets;

static equant_status optimise_one_of(study *star, void *context, size_t s)
{
    const optimised_sets *all = context;
    return optimise_set(star, all->problem, all->tolerance, all->sets + s * all->n_columns,
                        &all->log_likelihood[s]);
}

equant_status maximum_likelihood_sets(study *star, const least_squares_problem *problem,
                                      size_t n_sets, double tolerance, double *sets,
                                      double *log_likelihood)
{
    optimised_sets all = {problem, tolerance,
                          study_layout(star, problem->n_planets, problem->trend_order).n_parameters,
                          sets, log_likelihood};
    return study_crew_share(star, n_sets, optimise_one_of, &all);
}

static equant_status optimise_one(study *star, const least_squares_problem *problem,
                                  double tolerance, solution *optimised)
{
    const study_shape shape = least_squares_shape(problem);
    equant_status status = maximum_likelihood_sets(star, problem, 1, tolerance, optimised->set,
                                                   &optimised->log_likelihood);
    optimised->noise_price = NAN;
    set_likelihood_results results = {.chi_square = &optimised->chi_square};
    if (status == EQUANT_SUCCESS)
        status = set_likelihood_evaluate(star, &shape, optimised->set, &results);
    return status;
}

static least_squares_problem problem_of(const solution *optimised, size_t n_fixed)
{
    return (least_squares_problem){.n_planets = optimised->n_planets,
                                   .trend_order = optimised->trend_order,
                                   .noise = optimised->noise,
                                   .n_fixed = n_fixed,
                                   .max_iterations = ITERATIONS};
}

equant_status maximum_likelihood_solution(study *star, size_t n_fixed, double tolerance,
                                          solution *optimised)
{
    least_squares_problem problem = problem_of(optimised, n_fixed);
    return optimise_one(star, &problem, tolerance, optimised);
}

equant_status maximum_likelihood_circle(study *star, size_t n_fixed, double tolerance,
                                        solution *optimised)
{
    least_squares_problem problem = problem_of(optimised, n_fixed);
    problem.n_circular = 1;
    optimised->set[N_ELEMENTS * (optimised->n_planets - 1) + ELEMENT_ECCENTRICITY] = 0.0;
    return optimise_one(star, &problem, tolerance, optimised);
}
