#include "astrometry/posterior/sky_coordinates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

bool sky_coordinates_has_velocities(const sky_solution *solution)
{
    return sky_solution_n_amplitudes(solution) == 6;
}

bool sky_coordinates_has_ratio(const sky_solution *solution)
{
    return solution->has_scale || solution->has_ratio;
}

size_t sky_coordinates_of_orbit(const sky_solution *solution)
{
    bool is_tied = solution->is_tied && solution->has_velocities;
    return 4 + (sky_coordinates_has_velocities(solution) ? 1 : 0) + (is_tied ? 4 : 0) +
           (sky_coordinates_has_ratio(solution) ? 1 : 0);
}

bool sky_coordinates_has_parallax(const sky_coordinates *at)
{
    return at->is_tied && !at->has_scale;
}

static int by_size(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

equant_status sky_coordinates_find(const sky_data *data, const sky_solution *solution,
                                   bool has_jitter, sky_coordinates *at)
{
    *at = (sky_coordinates){.is_tied = solution->is_tied && solution->has_velocities,
                            .has_scale = solution->has_scale};
    double *sorted = malloc((data->n_rows + 1) * sizeof *sorted);
    if (sorted == NULL)
        return status_out_of_memory();
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++) {
        size_t n = 0;
        for (size_t k = 0; k < data->n_rows; k++)
            if (data->group[k] == group)
                sorted[n++] = data->uncertainty[k];
        at->has_jitter[group] = has_jitter && n > 0;
        if (n == 0)
            continue;
        qsort(sorted, n, sizeof *sorted, by_size);
        at->jitter_unit[group] = sorted[n / 2];
    }
    free(sorted);
    return EQUANT_SUCCESS;
}

void sky_coordinates_write(const sky_coordinates *at, const sky_solution *solution,
                           double *coordinates)
{
    double *x = coordinates;
    for (size_t p = 0; p < solution->n_orbits; p++) {
        const double *shape = solution->value + sky_solution_shape(solution, p);
        const double *amplitudes = solution->value + sky_solution_amplitudes(solution, p);
        double e = hypot(shape[1], shape[2]), root = e > 0.0 ? 1.0 / sqrt(e) : 0.0, sum = 0.0;
        *x++ = shape[0];
        *x++ = shape[1] * root;
        *x++ = shape[2] * root;
        for (int j = 0; j < 4; j++)
            sum += 0.25 * amplitudes[j] * amplitudes[j];
        *x++ = 0.5 * log(sum);
        if (sky_coordinates_has_velocities(solution))
            *x++ = 0.5 * log(0.5 * (amplitudes[4] * amplitudes[4] + amplitudes[5] * amplitudes[5]));
        for (int j = 0; j < 4 && at->is_tied; j++)
            *x++ = amplitudes[j];
        if (sky_coordinates_has_ratio(solution))
            *x++ = solution->value[sky_solution_shape(solution, solution->n_orbits) + p];
    }
    if (sky_coordinates_has_parallax(at))
        *x++ = sky_solution_column(solution, "parallax", NULL);
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (at->has_jitter[group])
            *x++ = log1p(solution->jitter[group] / at->jitter_unit[group]);
}

void sky_coordinates_read(const sky_coordinates *at, const double *x, sky_solution *solution,
                          double scales[][2])
{
    memset(solution->value, 0, sizeof solution->value);
    for (size_t p = 0; p < solution->n_orbits; p++) {
        double *shape = solution->value + sky_solution_shape(solution, p);
        double root = hypot(x[1], x[2]);
        shape[0] = x[0];
        shape[1] = x[1] * root;
        shape[2] = x[2] * root;
        scales[p][0] = scales[p][1] = exp(x[3]);
        x += 4;
        if (sky_coordinates_has_velocities(solution))
            scales[p][1] = exp(*x++);
        for (int j = 0; j < 4 && at->is_tied; j++)
            solution->value[sky_solution_amplitudes(solution, p) + (size_t)j] = *x++;
        if (sky_coordinates_has_ratio(solution))
            solution->value[sky_solution_shape(solution, solution->n_orbits) + p] = *x++;
    }
    if (sky_coordinates_has_parallax(at))
        solution->value[sky_model_column_index(&solution->model, "parallax")] = *x++;
    for (int group = 0; group < SKY_DATA_MAX_GROUPS; group++)
        if (at->has_jitter[group])
            solution->jitter[group] = at->jitter_unit[group] * expm1(*x++);
}
