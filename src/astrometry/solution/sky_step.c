#include "astrometry/solution/sky_step.h"

#include <math.h>
#include <string.h>

#include "statistics/cholesky.h"

/* An eccentricity this near to its limit, in parts of it, stands there. */
#define NEAR_LIMIT 1e-12

size_t sky_step_memory(size_t m)
{
    return 2 * m * (m + 1);
}

static double largest_eccentricity(const sky_limits *limits, const sky_solution *solution, size_t p)
{
    bool is_last = p + 1 == solution->n_orbits || !(limits->eccentricity_max_before > 0.0);
    return is_last ? limits->eccentricity_max : limits->eccentricity_max_before;
}

/* Where the shape of an orbit stands among the m parameters. */
static size_t shape_place(const sky_step *step, const sky_solution *solution, size_t p)
{
    return sky_solution_shape(solution, p) - (sky_solution_n_parameters(solution) - step->m);
}

static double *entry(const sky_step *step, size_t i, size_t j)
{
    return step->matrix + (i > j ? i * step->m + j : j * step->m + i);
}

/* Takes a parameter out of the equations: its step is zero. */
static void hold(sky_step *step, size_t j)
{
    for (size_t i = 0; i < step->m; i++)
        *entry(step, i, j) = 0.0;
    *entry(step, j, j) = 1.0;
    step->gradient[j] = 0.0;
}

/* Columns a and a + 1 as those along a direction and across it. */
static void turn(sky_step *step, size_t a, const double along[2])
{
    double c = along[0], s = along[1], g = step->gradient[a], h = step->gradient[a + 1];
    double aa = *entry(step, a, a), ab = *entry(step, a + 1, a), bb = *entry(step, a + 1, a + 1);
    for (size_t i = 0; i < step->m; i++) {
        if (i == a || i == a + 1)
            continue;
        double x = *entry(step, i, a), y = *entry(step, i, a + 1);
        *entry(step, i, a) = c * x + s * y;
        *entry(step, i, a + 1) = c * y - s * x;
    }
    *entry(step, a, a) = c * c * aa + 2.0 * c * s * ab + s * s * bb;
    *entry(step, a + 1, a) = c * s * (bb - aa) + (c * c - s * s) * ab;
    *entry(step, a + 1, a + 1) = s * s * aa - 2.0 * c * s * ab + c * c * bb;
    step->gradient[a] = c * g + s * h;
    step->gradient[a + 1] = c * h - s * g;
}

/* A period or an eccentricity at its limit that would be better beyond it. */
static void hold_shape(sky_step *step, const sky_limits *limits, const sky_solution *solution,
                       size_t p)
{
    const double *shape = solution->value + sky_solution_shape(solution, p);
    size_t j = shape_place(step, solution, p);
    if ((shape[0] <= log(limits->period_min_days) && step->gradient[j] < 0.0) ||
        (shape[0] >= log(limits->period_max_days) && step->gradient[j] > 0.0))
        hold(step, j);
    double e = hypot(shape[1], shape[2]);
    double outward[2] = {shape[1] / e, shape[2] / e};
    double pull = step->gradient[j + 1] * outward[0] + step->gradient[j + 2] * outward[1];
    if (!(e >= largest_eccentricity(limits, solution, p) * (1.0 - NEAR_LIMIT)) || !(pull > 0.0))
        return;
    step->is_held[p] = true;
    memcpy(step->outward[p], outward, sizeof outward);
    turn(step, j + 1, outward);
    hold(step, j + 1);
    *entry(step, j + 2, j + 2) += pull / e; /* the limit is a circle, and bends inward */
}

sky_step sky_step_begin(const sky_system *system, const double *shares, size_t m,
                        const sky_limits *limits, const sky_solution *solution, double *memory)
{
    sky_step step = {.m = m,
                     .gradient = memory,
                     .change = memory + m,
                     .matrix = memory + 2 * m,
                     .factor = memory + 2 * m + m * m};
    size_t first = system->n_columns - m;
    for (size_t i = 0; i < m; i++) {
        step.gradient[i] = 0.0;
        for (size_t k = 0; k <= i; k++)
            step.gradient[i] +=
                system->r[(first + k) * system->capacity + first + i] * shares[first + k];
        for (size_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (size_t k = 0; k <= j; k++)
                sum += system->r[(first + k) * system->capacity + first + i] *
                       system->r[(first + k) * system->capacity + first + j];
            step.matrix[i * m + j] = sum;
        }
    }
    for (size_t p = 0; p < solution->n_orbits; p++)
        hold_shape(&step, limits, solution, p);
    return step;
}

bool sky_step_find(sky_step *step, const sky_solution *solution, double damping, double *promise)
{
    size_t m = step->m;
    double *factor = step->factor, *change = step->change;
    memcpy(factor, step->matrix, m * m * sizeof *factor);
    for (size_t i = 0; i < m; i++)
        factor[i * (m + 1)] *= 1.0 + damping;
    if (!cholesky_factor(m, 0.0, factor))
        return false;
    memcpy(change, step->gradient, m * sizeof *change);
    cholesky_solve_lower(m, factor, change);
    *promise = 0.0;
    for (size_t i = 0; i < m; i++)
        *promise += change[i] * change[i];
    cholesky_solve_upper(m, factor, change);
    for (size_t p = 0; p < solution->n_orbits; p++) {
        if (!step->is_held[p])
            continue;
        double *own = change + shape_place(step, solution, p) + 1, across = own[1];
        own[0] = -step->outward[p][1] * across;
        own[1] = step->outward[p][0] * across;
    }
    return true;
}

void sky_step_keep_within(const sky_limits *limits, sky_solution *solution)
{
    for (size_t p = 0; p < solution->n_orbits; p++) {
        double *shape = solution->value + sky_solution_shape(solution, p);
        double largest = largest_eccentricity(limits, solution, p);
        double e = hypot(shape[1], shape[2]);
        shape[0] = fmin(fmax(shape[0], log(limits->period_min_days)), log(limits->period_max_days));
        if (e > largest) {
            shape[1] *= largest / e;
            shape[2] *= largest / e;
        }
    }
}
