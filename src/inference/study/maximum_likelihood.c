#include "inference/study/maximum_likelihood.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/study/noise.h"

enum { TURNS = 60, ITERATIONS = 100 };

typedef struct polisher {
    study *star;
    const least_squares_problem *problem;
    size_t n_sets, n_columns, jitters;
    double *sets, *log_likelihood;
    double *chi_square, *residuals, *next, *next_log_likelihood;
} polisher;

/* A turn on copies of the sets: orbits with the jitters as they are, then jitters. A turn that
 * does not help (the noise of an instrument that the fit follows too closely) is not kept. */
static equant_status take_turn(polisher *p, equant_evaluator *evaluator, double *largest_gain)
{
    size_t n_obs = p->star->n_obs;
    memcpy(p->next, p->sets, p->n_sets * p->n_columns * sizeof *p->next);
    equant_status status =
        least_squares_refine(p->star, p->problem, p->n_sets, p->next, p->chi_square);
    equant_results residuals = {.struct_size = sizeof residuals, .residuals = p->residuals};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, p->n_sets, p->next, &residuals);
    if (status != EQUANT_SUCCESS)
        return status;
    for (size_t s = 0; s < p->n_sets; s++)
        if (isfinite(p->chi_square[s]))
            noise_fit_jitters(p->star, p->residuals + s * n_obs,
                              p->next + s * p->n_columns + p->jitters);
    equant_results likelihood = {.struct_size = sizeof likelihood,
                                 .log_likelihood = p->next_log_likelihood};
    status = equant_evaluator_evaluate(evaluator, p->n_sets, p->next, &likelihood);
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
                  .sets = sets,
                  .log_likelihood = log_likelihood};
    equant_evaluator *evaluator;
    equant_status status =
        study_evaluator(star, problem->n_planets, problem->trend_order, &evaluator);
    if (status != EQUANT_SUCCESS || n_sets == 0)
        return status;
    p.chi_square = malloc(n_sets * sizeof *p.chi_square);
    p.residuals = malloc(n_sets * star->n_obs * sizeof *p.residuals);
    p.next = malloc(n_sets * layout.n_parameters * sizeof *p.next);
    p.next_log_likelihood = malloc(n_sets * sizeof *p.next_log_likelihood);
    if (!p.chi_square || !p.residuals || !p.next || !p.next_log_likelihood)
        status = status_out_of_memory();
    for (size_t s = 0; s < n_sets; s++)
        log_likelihood[s] = -INFINITY;
    double gain = INFINITY;
    for (int turn = 0; turn < TURNS && gain > tolerance && status == EQUANT_SUCCESS; turn++)
        status = take_turn(&p, evaluator, &gain);
    free(p.chi_square);
    free(p.residuals);
    free(p.next);
    free(p.next_log_likelihood);
    return status;
}

static equant_status polish_one(study *star, const least_squares_problem *problem, double tolerance,
                                solution *polished)
{
    equant_evaluator *evaluator;
    equant_status status = maximum_likelihood_sets(star, problem, 1, tolerance, polished->set,
                                                   &polished->log_likelihood);
    if (status == EQUANT_SUCCESS)
        status = study_evaluator(star, polished->n_planets, polished->trend_order, &evaluator);
    equant_results results = {.struct_size = sizeof results, .chi_square = &polished->chi_square};
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_evaluate(evaluator, 1, polished->set, &results);
    return status;
}

static least_squares_problem problem_of(const solution *polished, size_t n_fixed)
{
    return (least_squares_problem){.n_planets = polished->n_planets,
                                   .trend_order = polished->trend_order,
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
