#include "inference/likelihood/activity/descent.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define DIFFERENCE 1e-3
#define LARGEST_STEP 1.0
enum { HALVINGS = 12 };

static double within(const descent_problem *problem, size_t i, double x)
{
    return fmin(problem->highest[i], fmax(problem->lowest[i], x));
}

static void find_slopes(const descent_problem *problem, const double *x, double here,
                        double *slopes)
{
    double moved[DESCENT_MOST];
    memcpy(moved, x, problem->n * sizeof *moved);
    for (size_t i = 0; i < problem->n; i++) {
        double up = within(problem, i, x[i] + DIFFERENCE),
               down = within(problem, i, x[i] - DIFFERENCE);
        moved[i] = up;
        double above = up > x[i] ? problem->function(problem->context, moved) : here;
        moved[i] = down;
        double below = down < x[i] ? problem->function(problem->context, moved) : here;
        moved[i] = x[i];
        slopes[i] = (above - below) / (up - down);
        if (!isfinite(slopes[i]))
            slopes[i] = 0.0;
    }
}

/* At an end of its range, and drawn beyond it. */
static bool is_held(const descent_problem *problem, size_t i, double x, double slope)
{
    return (x <= problem->lowest[i] && slope > 0.0) || (x >= problem->highest[i] && slope < 0.0);
}

static void choose_direction(const descent_problem *problem, const double *x, const double *slopes,
                             const double *inverse, double *direction)
{
    size_t n = problem->n;
    double largest = 0.0, downhill = 0.0;
    for (size_t i = 0; i < n; i++) {
        direction[i] = 0.0;
        for (size_t j = 0; j < n && !is_held(problem, i, x[i], slopes[i]); j++)
            if (!is_held(problem, j, x[j], slopes[j]))
                direction[i] -= inverse[i * n + j] * slopes[j];
        downhill += direction[i] * slopes[i];
    }
    for (size_t i = 0; i < n; i++) {
        if (!(downhill < 0.0)) /* what was learnt misleads: straight down */
            direction[i] = is_held(problem, i, x[i], slopes[i]) ? 0.0 : -slopes[i];
        largest = fmax(largest, fabs(direction[i]));
    }
    for (size_t i = 0; i < n && largest > LARGEST_STEP; i++)
        direction[i] *= LARGEST_STEP / largest;
}

/* The inverse of the curvature after a step and the change of slopes along it. */
static void learn(size_t n, const double *step, const double *change, double *inverse)
{
    double along = 0.0, square = 0.0, turned[DESCENT_MOST];
    for (size_t i = 0; i < n; i++) {
        along += step[i] * change[i];
        turned[i] = 0.0;
        for (size_t j = 0; j < n; j++)
            turned[i] += inverse[i * n + j] * change[j];
        square += change[i] * turned[i];
    }
    for (size_t i = 0; i < n && along > 1e-12; i++)
        for (size_t j = 0; j < n; j++)
            inverse[i * n + j] += (1.0 + square / along) * step[i] * step[j] / along -
                                  (turned[i] * step[j] + step[i] * turned[j]) / along;
}

/* The first point along a direction, ever nearer, that is better; `here` where there is none. */
static double search_line(const descent_problem *problem, const double *x, double here,
                          const double *direction, double *found)
{
    double length = 1.0;
    for (int i = 0; i < HALVINGS; i++, length *= 0.4) {
        for (size_t j = 0; j < problem->n; j++)
            found[j] = within(problem, j, x[j] + length * direction[j]);
        double there = problem->function(problem->context, found);
        if (there < here)
            return there;
    }
    return here;
}

double descent_minimise(const descent_problem *problem, double *x)
{
    size_t n = problem->n;
    double inverse[DESCENT_MOST * DESCENT_MOST] = {0.0}, slopes[DESCENT_MOST], next[DESCENT_MOST],
                                  direction[DESCENT_MOST], change[DESCENT_MOST];
    double here = problem->function(problem->context, x);
    if (n == 0 || !isfinite(here))
        return here;
    find_slopes(problem, x, here, slopes);
    for (size_t i = 0; i < n; i++)
        inverse[i * n + i] = 1.0 / fmax(1.0, fabs(slopes[i]));
    for (int iteration = 0; iteration < problem->max_iterations; iteration++) {
        choose_direction(problem, x, slopes, inverse, direction);
        double there = search_line(problem, x, here, direction, next), gain = here - there;
        if (!(gain > 0.0))
            break;
        for (size_t i = 0; i < n; i++)
            direction[i] = next[i] - x[i];
        memcpy(x, next, n * sizeof *x);
        here = there;
        if (gain < problem->tolerance)
            break;
        memcpy(change, slopes, n * sizeof *change);
        find_slopes(problem, x, here, slopes);
        for (size_t i = 0; i < n; i++)
            change[i] = slopes[i] - change[i];
        learn(n, direction, change, inverse);
    }
    return here;
}
