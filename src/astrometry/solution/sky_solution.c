#include "astrometry/solution/sky_solution.h"

#include <math.h>

sky_solution sky_solution_make(const sky_data *data, const sky_model *model, size_t n_orbits)
{
    sky_solution made = {.model = *model,
                         .n_orbits = n_orbits,
                         .has_velocities = data->n_velocities > 0,
                         .n_instruments = data->n_instruments,
                         .lacks_parallax = data->lacks_parallax};
    for (size_t p = 0; p < n_orbits; p++)
        made.side[p] = 1.0;
    return made;
}

size_t sky_solution_n_amplitudes(const sky_solution *solution)
{
    return solution->has_velocities && !solution->is_tied ? 6 : 4;
}

size_t sky_solution_n_linear(const sky_solution *solution)
{
    return sky_solution_amplitudes(solution, solution->n_orbits);
}

size_t sky_solution_n_parameters(const sky_solution *solution)
{
    return sky_solution_n_linear(solution) +
           (solution->has_ratio || solution->has_scale ? 4 : 3) * solution->n_orbits;
}

size_t sky_solution_amplitudes(const sky_solution *solution, size_t orbit)
{
    return sky_model_n_columns(&solution->model) + solution->n_instruments +
           orbit * sky_solution_n_amplitudes(solution);
}

size_t sky_solution_shape(const sky_solution *solution, size_t orbit)
{
    return sky_solution_n_linear(solution) + 3 * orbit;
}

sky_constants sky_solution_constants(const sky_solution *solution, size_t orbit)
{
    const double *own = solution->value + sky_solution_amplitudes(solution, orbit);
    return (sky_constants){own[0], own[1], own[2], own[3]};
}

double sky_solution_column(const sky_solution *solution, const char *name, double *error)
{
    size_t j = sky_model_column_index(&solution->model, name);
    size_t n = sky_solution_n_parameters(solution);
    bool is_there = j < n;
    if (error != NULL)
        *error = is_there ? sqrt(solution->covariance[j * n + j]) : NAN;
    return is_there ? solution->value[j] : NAN;
}

double sky_solution_distance_parallax(const sky_solution *solution, double zero_point)
{
    return solution->lacks_parallax ? NAN
                                    : sky_solution_column(solution, "parallax", NULL) - zero_point;
}
