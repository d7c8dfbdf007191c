/* How chi-square and ln L of a parameter set change with its columns. */
#include <math.h>
#include <string.h>

#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/set_worker.h"

static bool has_menu(const study *star)
{
    return star->menu.n_parameters + star->menu.n_indicators > 0;
}

/* chi-square, gradient and Fisher matrix from the products of whitened columns, [n_mean + 1] each
 * way. */
static void read_products(const set_columns *from, const double *products, double *chi_square,
                          double *gradient, double *fisher)
{
    size_t n = from->n_mean, all = from->n_all, width = n + 1;
    memset(fisher, 0, all * all * sizeof *fisher);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            fisher[j * all + i] = fisher[i * all + j] = products[i * width + j];
    if (gradient)
        memset(gradient, 0, all * sizeof *gradient);
    for (size_t i = 0; gradient && i < n; i++)
        gradient[i] = -2.0 * products[n * width + i];
    double square = products[n * width + n];
    if (chi_square)
        *chi_square = isfinite(square) ? square : INFINITY;
}

/* Residuals and Jacobian of a set, as an evaluator has them. */
static equant_status ask_evaluator(study *star, const study_shape *shape, equant_basis basis,
                                   const set_columns *from, const double *set, set_worker *w)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    equant_derivatives derivatives = {.struct_size = sizeof derivatives, .jacobian = w->jacobian};
    equant_results results = {.struct_size = sizeof results, .residuals = w->residuals};
    set_columns_squeeze(star, from, set, w->inner);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, 1, w->inner, &derivatives);
    return status == EQUANT_SUCCESS ? equant_evaluator_evaluate(evaluator, 1, w->inner, &results)
                                    : status;
}

static equant_status differentiate_correlated(study *star, const study_shape *shape,
                                              equant_basis basis, const set_columns *from,
                                              const double *set, set_worker *w, double *chi_square,
                                              double *gradient, double *fisher)
{
    equant_status status = ask_evaluator(star, shape, basis, from, set, w);
    if (status != EQUANT_SUCCESS)
        return status;
    set_columns_add_indicators(star, shape, from, set, NULL, w->residuals);
    set_columns_gather(star, shape, from, w->jacobian, w->residuals, w->columns);
    bool proper = !isnan(w->residuals[0]) && set_worker_factor(star, shape, from, set, w);
    if (proper)
        set_worker_multiply(star, from->n_mean + 1, w->columns, w);
    else
        memset(w->products, 0, (from->n_mean + 1) * (from->n_mean + 1) * sizeof *w->products);
    read_products(from, w->products, chi_square, gradient, fisher);
    if (!proper && chi_square)
        *chi_square = INFINITY;
    return status;
}

static equant_status differentiate_white(study *star, const study_shape *shape, equant_basis basis,
                                         const set_columns *from, const double *set, set_worker *w,
                                         bool is_of_likelihood, double *chi_square,
                                         double *gradient, double *fisher)
{
    equant_evaluator *evaluator;
    equant_status status = study_evaluator(star, shape->n_planets, shape->trend_order, &evaluator);
    bool all_known = !has_menu(star);
    double *own_gradient = w->state; /* has room, as the products have for a matrix */
    double *slope = gradient && !all_known ? own_gradient : gradient;
    equant_derivatives derivatives = {.struct_size = sizeof derivatives,
                                      .chi_square = chi_square,
                                      .chi_square_gradient = is_of_likelihood ? NULL : slope,
                                      .log_likelihood_gradient = is_of_likelihood ? slope : NULL,
                                      .fisher = all_known ? fisher : w->products};
    set_columns_squeeze(star, from, set, w->inner);
    if (status == EQUANT_SUCCESS)
        status = equant_evaluator_differentiate(evaluator, basis, 1, w->inner, &derivatives);
    if (status == EQUANT_SUCCESS && !all_known) {
        set_columns_spread_matrix(star, from, w->products, fisher);
        if (gradient)
            set_columns_spread(star, from, own_gradient, gradient);
    }
    return status;
}

equant_status set_likelihood_differentiate(study *star, const study_shape *shape,
                                           equant_basis basis, const double *set,
                                           double *chi_square, double *gradient, double *fisher)
{
    set_columns from = set_columns_of(star, shape);
    set_worker *w;
    equant_status status = set_worker_require(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    return set_likelihood_is_white(star, shape)
               ? differentiate_white(star, shape, basis, &from, set, w, false, chi_square, gradient,
                                     fisher)
               : differentiate_correlated(star, shape, basis, &from, set, w, chi_square, gradient,
                                          fisher);
}

equant_status set_likelihood_slope(study *star, const study_shape *shape, equant_basis basis,
                                   const double *set, double *gradient, double *fisher)
{
    set_columns from = set_columns_of(star, shape);
    set_worker *w;
    equant_status status = set_worker_require(star, &from, &w);
    if (status != EQUANT_SUCCESS)
        return status;
    if (set_likelihood_is_white(star, shape))
        return differentiate_white(star, shape, basis, &from, set, w, true, NULL, gradient, fisher);
    status = differentiate_correlated(star, shape, basis, &from, set, w, NULL, gradient, fisher);
    for (size_t i = 0; i < from.n_all; i++)
        gradient[i] *= -0.5;
    return status;
}

equant_status set_likelihood_columns(study *star, const study_shape *shape, equant_basis basis,
                                     const double *set, double *columns)
{
    set_columns from = set_columns_of(star, shape);
    set_worker *w;
    equant_status status = set_worker_require(star, &from, &w);
    if (status == EQUANT_SUCCESS)
        status = ask_evaluator(star, shape, basis, &from, set, w);
    if (status == EQUANT_SUCCESS) {
        set_columns_add_indicators(star, shape, &from, set, NULL, w->residuals);
        set_columns_gather(star, shape, &from, w->jacobian, w->residuals, columns);
    }
    return status;
}
