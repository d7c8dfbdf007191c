#include "inference/sample/draws/draws.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/orbit_elements.h"

equant_status draws_create(const draws_shape *shape, draws **made)
{
    if (shape->n_populations == 0 || shape->n_walkers == 0 || shape->n_parameters == 0 ||
        shape->n_planets > shape->n_parameters / N_ELEMENTS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "draws need at least one population, one walker and one parameter, "
                           "and five parameters for each planet");
    draws *kept = calloc(1, sizeof *kept);
    if (kept == NULL)
        return status_out_of_memory();
    kept->shape = *shape;
    kept->population = calloc(shape->n_populations, sizeof *kept->population);
    if (kept->population == NULL) {
        free(kept);
        return status_out_of_memory();
    }
    *made = kept;
    return EQUANT_SUCCESS;
}

void draws_free(draws *kept)
{
    if (kept == NULL)
        return;
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        free(kept->population[p].parameters);
        free(kept->population[p].log_likelihood);
        free(kept->population[p].log_prior);
    }
    free(kept->population);
    free(kept->step);
    free(kept);
}

/* Makes room for n_rows rows of n_columns numbers; what is there stays. */
static bool grow(double **array, size_t n_rows, size_t n_columns)
{
    if (n_rows > SIZE_MAX / sizeof **array / n_columns)
        return false;
    double *grown = realloc(*array, n_rows * n_columns * sizeof *grown);
    if (grown == NULL)
        return false;
    *array = grown;
    return true;
}

equant_status draws_reserve(draws *kept, size_t n_steps)
{
    if (n_steps <= kept->capacity)
        return EQUANT_SUCCESS;
    size_t n_walkers = kept->shape.n_walkers;
    if (n_steps > SIZE_MAX / sizeof *kept->step / n_walkers)
        return status_out_of_memory();
    uint64_t *step = realloc(kept->step, n_steps * sizeof *step);
    if (step == NULL)
        return status_out_of_memory();
    kept->step = step;
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        draws_population *population = &kept->population[p];
        if (!grow(&population->parameters, n_steps * n_walkers, kept->shape.n_parameters) ||
            !grow(&population->log_likelihood, n_steps * n_walkers, 1) ||
            !grow(&population->log_prior, n_steps * n_walkers, 1))
            return status_out_of_memory();
    }
    kept->capacity = n_steps;
    return EQUANT_SUCCESS;
}

/* By insertion: planets are few, and in order already more often than not. */
static void sort_planets(size_t n_planets, double *elements)
{
    for (size_t p = 1; p < n_planets; p++) {
        double moved[N_ELEMENTS];
        memcpy(moved, elements + N_ELEMENTS * p, sizeof moved);
        size_t place = p;
        for (; place > 0 && elements[N_ELEMENTS * (place - 1)] > moved[0]; place--)
            memcpy(elements + N_ELEMENTS * place, elements + N_ELEMENTS * (place - 1),
                   sizeof moved);
        memcpy(elements + N_ELEMENTS * place, moved, sizeof moved);
    }
}

equant_status draws_append(draws *kept, uint64_t step, const double *parameters,
                           const double *log_likelihood, const double *log_prior)
{
    size_t n_walkers = kept->shape.n_walkers, n_parameters = kept->shape.n_parameters;
    if (kept->n_steps == kept->capacity) {
        equant_status status = draws_reserve(kept, 16 + 2 * kept->capacity);
        if (status != EQUANT_SUCCESS)
            return status;
    }
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        draws_population *population = &kept->population[p];
        size_t from = p * n_walkers, to = kept->n_steps * n_walkers;
        double *rows = population->parameters + to * n_parameters;
        memcpy(rows, parameters + from * n_parameters, n_walkers * n_parameters * sizeof *rows);
        for (size_t w = 0; w < n_walkers; w++)
            sort_planets(kept->shape.n_planets, rows + w * n_parameters);
        memcpy(population->log_likelihood + to, log_likelihood + from, n_walkers * sizeof *rows);
        memcpy(population->log_prior + to, log_prior + from, n_walkers * sizeof *rows);
    }
    kept->step[kept->n_steps++] = step;
    return EQUANT_SUCCESS;
}

static void keep_odd_rows(double *rows, size_t n_kept, size_t n_columns)
{
    for (size_t s = 0; s < n_kept; s++)
        memmove(rows + s * n_columns, rows + (2 * s + 1) * n_columns, n_columns * sizeof *rows);
}

void draws_halve(draws *kept)
{
    size_t n_kept = kept->n_steps / 2, n_walkers = kept->shape.n_walkers;
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        draws_population *population = &kept->population[p];
        keep_odd_rows(population->parameters, n_kept, n_walkers * kept->shape.n_parameters);
        keep_odd_rows(population->log_likelihood, n_kept, n_walkers);
        keep_odd_rows(population->log_prior, n_kept, n_walkers);
    }
    for (size_t s = 0; s < n_kept; s++)
        kept->step[s] = kept->step[2 * s + 1];
    kept->n_steps = n_kept;
}

static void drop_rows(double *rows, size_t n_dropped, size_t n_kept, size_t n_columns)
{
    memmove(rows, rows + n_dropped * n_columns, n_kept * n_columns * sizeof *rows);
}

void draws_drop(draws *kept, size_t n_steps)
{
    size_t n_dropped = n_steps < kept->n_steps ? n_steps : kept->n_steps;
    size_t n_kept = kept->n_steps - n_dropped, n_walkers = kept->shape.n_walkers;
    if (n_dropped == 0)
        return;
    for (size_t p = 0; p < kept->shape.n_populations; p++) {
        draws_population *population = &kept->population[p];
        drop_rows(population->parameters, n_dropped, n_kept, n_walkers * kept->shape.n_parameters);
        drop_rows(population->log_likelihood, n_dropped, n_kept, n_walkers);
        drop_rows(population->log_prior, n_dropped, n_kept, n_walkers);
    }
    memmove(kept->step, kept->step + n_dropped, n_kept * sizeof *kept->step);
    kept->n_steps = n_kept;
}

size_t draws_n(const draws *kept)
{
    return kept->shape.n_populations * kept->n_steps * kept->shape.n_walkers;
}

void draws_column(const draws *kept, size_t column, double *values)
{
    size_t n_rows = kept->n_steps * kept->shape.n_walkers;
    for (size_t p = 0; p < kept->shape.n_populations; p++)
        for (size_t row = 0; row < n_rows; row++)
            values[p * n_rows + row] =
                kept->population[p].parameters[row * kept->shape.n_parameters + column];
}

draws_row draws_at(const draws *kept, size_t index)
{
    size_t n_rows = kept->n_steps * kept->shape.n_walkers, row = index % n_rows;
    const draws_population *population = &kept->population[index / n_rows];
    return (draws_row){.parameters = population->parameters + row * kept->shape.n_parameters,
                       .log_likelihood = population->log_likelihood[row],
                       .log_prior = population->log_prior[row]};
}

size_t draws_best(const draws *kept)
{
    size_t best = 0;
    double highest = -INFINITY;
    for (size_t i = 0; i < draws_n(kept); i++) {
        draws_row row = draws_at(kept, i);
        if (row.log_likelihood + row.log_prior > highest) {
            highest = row.log_likelihood + row.log_prior;
            best = i;
        }
    }
    return best;
}
