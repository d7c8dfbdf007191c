/* How well a set at its best is known. */
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/priors/stated_optimiser.h"
#include "inference/likelihood/set_likelihood.h"
#include "inference/likelihood/small_matrix.h"

/* The inverse of the matrix of what moves, as the covariance of the set. */
static void spread(stated_optimiser *c, const double *inverse, const size_t *moving,
                   size_t n_moving, double *covariance)
{
    double slopes[STATE_LIST_MOST_PLANETS][N_ELEMENTS][N_STATED];
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_slopes(&c->orbits[p], c->at[p], slopes[p]);
    memset(covariance, 0, c->n * c->n * sizeof *covariance);
    for (size_t i = 0; i < n_moving; i++)
        for (size_t j = 0; j < n_moving; j++) {
            size_t columns[N_ELEMENTS], others[N_ELEMENTS];
            double values[N_ELEMENTS], other_values[N_ELEMENTS];
            size_t n = stated_optimiser_moves(c, &c->unknowns[moving[i]], slopes, columns, values),
                   n_others = stated_optimiser_moves(c, &c->unknowns[moving[j]], slopes, others,
                                                     other_values);
            for (size_t a = 0; a < n; a++)
                for (size_t b = 0; b < n_others; b++)
                    covariance[columns[a] * c->n + others[b]] +=
                        values[a] * other_values[b] * inverse[i * n_moving + j];
        }
}

/* The slope by unknowns of all but noise at a set. */
static equant_status slope_of_mean(stated_optimiser *c, const double *set, const size_t *moving,
                                   size_t n_mean, double *slope)
{
    double slopes[STATE_LIST_MOST_PLANETS][N_ELEMENTS][N_STATED];
    equant_status status = set_likelihood_slope(c->problem->star, &c->problem->shape,
                                                EQUANT_BASIS_REGULAR, set, c->gradient, c->fisher);
    for (size_t p = 0; p < c->n_planets; p++)
        stated_orbit_slopes(&c->orbits[p], c->at[p], slopes[p]);
    for (size_t i = 0; i < n_mean; i++) {
        size_t columns[N_ELEMENTS];
        double values[N_ELEMENTS];
        size_t n = stated_optimiser_moves(c, &c->unknowns[moving[i]], slopes, columns, values);
        slope[i] = 0.0;
        for (size_t a = 0; a < n; a++)
            slope[i] += values[a] * c->gradient[columns[a]];
    }
    return status;
}

/* Second derivatives of - ln L by one parameter of noise and by all else. */
static equant_status cross_of(stated_optimiser *c, const size_t *moving, size_t n_mean,
                              size_t noise, double *cross)
{
    const stated_unknown *own = &c->unknowns[noise];
    double x = stated_optimiser_coordinate(own, c->set), h = stated_optimiser_difference(c, own);
    equant_status status = EQUANT_SUCCESS;
    for (int side = 0; side < 2 && status == EQUANT_SUCCESS; side++) {
        memcpy(c->trial, c->set, c->n * sizeof *c->trial);
        stated_optimiser_move(c, noise, side == 0 ? x + h : x - h, c->trial);
        status = slope_of_mean(c, c->trial, moving, n_mean, c->work);
        for (size_t i = 0; i < n_mean; i++)
            cross[i] += (side == 0 ? -1.0 : 1.0) * c->work[i] / (2.0 * h);
    }
    return status;
}

/* What the second derivatives by noise and by all else take from the curvature of noise, with all
 * else following: cross^T matrix^-1 cross, of the first n_mean of what moves. */
static equant_status follow(stated_optimiser *c, const size_t *moving, size_t n_mean,
                            size_t n_moving)
{
    size_t m = c->n_unknowns, n_noise = n_moving - n_mean;
    double *cross = calloc(2 * n_mean * n_noise + n_mean * n_mean + 1, sizeof *cross);
    if (!cross)
        return status_out_of_memory();
    double *solved = cross + n_mean * n_noise, *factor = solved + n_mean * n_noise;
    equant_status status = stated_optimiser_differentiate(c, 1.0);
    for (size_t i = 0; i < n_mean; i++)
        for (size_t j = 0; j < n_mean; j++)
            factor[i * n_mean + j] = c->matrix[moving[i] * m + moving[j]];
    small_matrix_factor(n_mean, factor);
    for (size_t j = 0; j < n_noise && status == EQUANT_SUCCESS; j++)
        status = cross_of(c, moving, n_mean, moving[n_mean + j], cross + j * n_mean);
    memcpy(solved, cross, n_mean * n_noise * sizeof *cross);
    for (size_t j = 0; j < n_noise; j++)
        small_matrix_solve(n_mean, factor, solved + j * n_mean);
    for (size_t i = 0; i < n_noise; i++)
        for (size_t j = 0; j < n_noise; j++)
            for (size_t k = 0; k < n_mean; k++)
                c->matrix[moving[n_mean + i] * m + moving[n_mean + j]] -=
                    cross[i * n_mean + k] * solved[j * n_mean + k];
    free(cross);
    return status;
}

static size_t list_moving(const stated_optimiser *c, size_t from, size_t to, size_t *moving)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (!stated_optimiser_is_at_end(c, &c->unknowns[i]))
            moving[n++] = i;
    return n;
}

equant_status stated_fit_covariance(const stated_problem *problem, const double *set,
                                    double data_scale, double *covariance)
{
    stated_optimiser c;
    equant_status status = stated_optimiser_create(problem, set, &c);
    if (status != EQUANT_SUCCESS)
        return status;
    stated_optimiser_fill(&c, c.at, c.set);
    size_t m = c.n_unknowns, first = c.is_white ? m : c.first_noise;
    size_t *moving = calloc(m + 1, sizeof *moving);
    double *of_noise = calloc(m * m + 1, sizeof *of_noise);
    if (!moving || !of_noise)
        status = status_out_of_memory();
    size_t n_mean = status == EQUANT_SUCCESS ? list_moving(&c, 0, first, moving) : 0, n = n_mean;
    if (status == EQUANT_SUCCESS)
        n += list_moving(&c, first, m, moving + n_mean);
    if (n > n_mean)
        status = follow(&c, moving, n_mean, n);
    if (status == EQUANT_SUCCESS) {
        memcpy(of_noise, c.matrix, m * m * sizeof *of_noise);
        status = stated_optimiser_differentiate(&c, 1.0 / data_scale);
    }
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        for (size_t j = 0; j < n; j++)
            c.work[i * n + j] = i < n_mean && j < n_mean     ? c.matrix[moving[i] * m + moving[j]]
                                : i >= n_mean && j >= n_mean ? of_noise[moving[i] * m + moving[j]]
                                                             : 0.0;
    if (status == EQUANT_SUCCESS) {
        double *inverse = c.fisher; /* not needed any more */
        small_matrix_factor(n, c.work);
        small_matrix_invert(n, c.work, inverse);
        spread(&c, inverse, moving, n, covariance);
    }
    free(moving);
    free(of_noise);
    stated_optimiser_free(&c);
    return status;
}
