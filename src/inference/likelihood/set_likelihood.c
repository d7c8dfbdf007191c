#include "inference/likelihood/set_likelihood.h"

#include <math.h>
#include <string.h>

#include "inference/likelihood/set_worker.h"

bool set_likelihood_is_white(const study *star, const study_shape *shape)
{
    return shape->noise.terms == 0 && shape->noise.indicators == 0 && !shape->noise.outliers &&
           !star->menu.series;
}

/* chi-square and ln L of residuals under the noise of a set. */
static void judge(const study *star, const study_shape *shape, const set_columns *from,
                  const double *set, const double *residuals, set_worker *w, double *chi_square,
                  double *log_likelihood)
{
    *chi_square = INFINITY;
    *log_likelihood = -INFINITY;
    if (isnan(residuals[0]) || !set_worker_factor(star, shape, from, set, w))
        return;
    memcpy(w->columns, residuals, star->n_obs * sizeof *w->columns);
    if (star->menu.series)
        set_worker_multiply(star, 1, w->columns, w);
    double sum =
        star->menu.series ? w->products[0] : noise_factor_square(&w->factor, w->columns, w->state);
    if (!isfinite(sum))
        return;
    *chi_square = sum;
    *log_likelihood = noise_factor_log_likelihood(&w->factor, sum);
}

equant_status set_likelihood_evaluate(study *star, const study_shape *shape, const double *set,
                                      const set_likelihood_results *results)
{
    set_columns from = set_columns_of(star, shape);
    bool white = set_likelihood_is_white(star, shape);
    double chi_square, log_likelihood;
    equant_evaluator *evaluator;
    set_worker *w;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    if (status == EQUANT_SUCCESS)
        status = set_worker_require(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    double *residuals = results->residuals || white ? results->residuals : w->residuals;
    equant_results asked = {.struct_size = sizeof asked,
                            .chi_square = white ? results->chi_square : NULL,
                            .log_likelihood = white ? results->log_likelihood : NULL,
                            .velocities = results->velocities,
                            .residuals = residuals};
    set_columns_squeeze(star, &from, set, w->inner);
    status = equant_evaluator_evaluate(evaluator, 1, w->inner, &asked);
    if (status != EQUANT_SUCCESS || white)
        return status;
    set_columns_add_indicators(star, shape, &from, set, results->velocities, residuals);
    judge(star, shape, &from, set, residuals, w, &chi_square, &log_likelihood);
    if (results->chi_square)
        *results->chi_square = chi_square;
    if (results->log_likelihood)
        *results->log_likelihood = log_likelihood;
    return EQUANT_SUCCESS;
}
