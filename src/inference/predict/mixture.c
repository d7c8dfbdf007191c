#include "inference/predict/mixture.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/numbers/whole_number.h"
#include "core/status_fail.h"
#include "model/machine_clones.h"
#include "statistics/mixture_lattice.h"

void mixture_grid_free(mixture_grid *grid)
{
    free(grid->density);
    free(grid->square);
    free(grid->own);
    free(grid->own_square);
    memset(grid, 0, sizeof *grid);
}

static equant_status make_room(mixture_grid *grid, size_t n)
{
    if (n <= grid->room)
        return EQUANT_SUCCESS;
    mixture_grid_free(grid);
    grid->density = malloc(n * sizeof(double));
    grid->square = malloc(n * sizeof(double));
    grid->own = malloc(n * sizeof(double));
    grid->own_square = malloc(n * sizeof(double));
    if (!grid->density || !grid->square || !grid->own || !grid->own_square) {
        mixture_grid_free(grid);
        return EQUANT_ERROR_OUT_OF_MEMORY;
    }
    grid->room = n;
    return EQUANT_SUCCESS;
}

static size_t n_groups_of(const mixture *of)
{
    return of->n_groups > 0 ? of->n_groups : 1;
}

static size_t end_of(const mixture *of, size_t group)
{
    return of->n_groups > 0 ? of->ends[group] : of->n;
}

static double shift_of(const mixture *of, size_t group)
{
    return of->group_shifts ? of->group_shifts[group] : 0.0;
}

/* A component is at least as wide as the points are apart: a narrower one lies between them, and
 * the sum would not see it. */
static double variance_of(const mixture *of, size_t component, double step)
{
    return fmax(of->variances[component], step * step);
}

static double weight_of(const mixture *of, size_t component)
{
    return of->weights ? of->weights[component] : 1.0;
}

static equant_status lay(const mixture *of, mixture_grid *grid)
{
    double low = INFINITY, high = -INFINITY, narrowest = INFINITY, widest = 0.0;
    for (size_t g = 0, i = 0; g < n_groups_of(of); g++)
        for (; i < end_of(of, g); i++) {
            double mean = of->means[i] + shift_of(of, g), variance = of->variances[i];
            low = mean < low ? mean : low;
            high = mean > high ? mean : high;
            narrowest = variance < narrowest ? variance : narrowest;
            widest = variance > widest ? variance : widest;
        }
    if (!isfinite(low) || !isfinite(high) || !isfinite(widest) || !(narrowest >= 0.0) ||
        !(widest > 0.0))
        return EQUANT_ERROR_INVALID_ARGUMENT;
    /* Room at both ends for components that become as wide as the points are apart. */
    double least = 2.0 * (high - low) / MIXTURE_MOST_POINTS;
    widest = fmax(widest, least * least);
    mixture_lattice points = mixture_lattice_of(low, high, narrowest, widest);
    equant_status status = make_room(grid, points.n);
    grid->first = points.first;
    grid->step = points.step;
    grid->n = points.n;
    return status;
}

/* Adds height exp(-x^2 / 2) from the point next to the middle outwards: the ratio of neighbours
 * changes by one factor from each to the next, so that a component costs three exponentials. */
MACHINE_CLONES static void add_component(size_t n, double first, double step, double mean,
                                         double deviation, double weight, double *density,
                                         double *square)
{
    double h = step / deviation;
    double place = (mean - first) / step;
    long last = (long)n - 1, middle = (long)whole_number_up_to(floor(place + 0.5), n - 1);
    double away = ((double)middle - place) * h;
    double peak = weight * MIXTURE_UNIT_HEIGHT / deviation * exp(-0.5 * away * away);
    double shrink = exp(-h * h), aside = exp(-h * away), fall = exp(-0.5 * h * h);
    long most = mixture_lattice_reach(h);
    long right = middle + most > last ? last : middle + most,
         left = middle - most < 0 ? 0 : middle - most;
    double here = peak, ratio = fall * aside;
    for (long k = middle; k <= right; k++) {
        density[k] += here;
        square[k] += here * here;
        here *= ratio;
        ratio *= shrink;
    }
    ratio = fall / aside;
    here = peak * ratio;
    ratio *= shrink;
    for (long k = middle - 1; k >= left; k--) {
        density[k] += here;
        square[k] += here * here;
        here *= ratio;
        ratio *= shrink;
    }
}

/* Density and squares of components `from` to `to`, whose weights then sum up to one; returns the
 * sum of their squares. */
static double add_group(const mixture *of, size_t from, size_t to, double shift, mixture_grid *grid)
{
    double whole = 0.0, squares = 0.0;
    memset(grid->own, 0, grid->n * sizeof(double));
    memset(grid->own_square, 0, grid->n * sizeof(double));
    for (size_t i = from; i < to; i++)
        whole += weight_of(of, i);
    for (size_t i = from; i < to && whole > 0.0; i++) {
        double weight = weight_of(of, i) / whole;
        squares += weight * weight;
        if (weight > 0.0)
            add_component(grid->n, grid->first, grid->step, of->means[i] + shift,
                          sqrt(variance_of(of, i, grid->step)), weight, grid->own,
                          grid->own_square);
    }
    return squares;
}

/* The entropy of a density, and what it lacks on average because its components are draws: half of
 * the integral of var[p] / p. */
MACHINE_CLONES static double entropy_of(size_t n, double step, const double *density,
                                        const double *square, double sum_of_squares, double *lack)
{
    double sum = 0.0, spread = 0.0;
    for (size_t k = 0; k < n; k++)
        if (density[k] > 1e-300) {
            sum -= density[k] * log(density[k]);
            spread += square[k] / density[k];
        }
    double left = spread * step - sum_of_squares;
    *lack = left > 0.0 ? 0.5 * left : 0.0;
    return sum * step;
}

/* The share of each group: as it is said, or the sum of its components. */
static double share_of(const mixture *of, size_t group, size_t from)
{
    if (of->group_weights)
        return of->group_weights[group];
    double sum = 0.0;
    for (size_t i = from; i < end_of(of, group); i++)
        sum += weight_of(of, i);
    return sum;
}

/* Mean entropy of the components of a group, their mean and their mean square. */
static void add_moments(const mixture *of, size_t from, size_t to, double shift, double share,
                        double step, mixture_facts *facts)
{
    double whole = 0.0;
    for (size_t i = from; i < to; i++)
        whole += weight_of(of, i);
    for (size_t i = from; i < to && whole > 0.0; i++) {
        double weight = share * weight_of(of, i) / whole, mean = of->means[i] + shift;
        facts->within_draws +=
            weight * (MIXTURE_ENTROPY_OF_UNIT + 0.5 * log(variance_of(of, i, step)));
        facts->mean += weight * mean;
        facts->deviation += weight * (mean * mean + of->variances[i]);
    }
}

/* A group joins the whole with its share. */
static void join(double share, mixture_grid *grid)
{
    for (size_t k = 0; k < grid->n; k++) {
        grid->density[k] += share * grid->own[k];
        grid->square[k] += share * share * grid->own_square[k];
    }
}

equant_status mixture_describe(const mixture *of, mixture_grid *grid, mixture_facts *facts)
{
    equant_status status = lay(of, grid);
    if (status != EQUANT_SUCCESS)
        return status;
    double all = 0.0, squares = 0.0, lack_of_groups = 0.0, lack = 0.0;
    memset(facts, 0, sizeof *facts);
    memset(grid->density, 0, grid->n * sizeof(double));
    memset(grid->square, 0, grid->n * sizeof(double));
    for (size_t g = 0, from = 0; g < n_groups_of(of); from = end_of(of, g), g++)
        all += share_of(of, g, from);
    for (size_t g = 0, from = 0; g < n_groups_of(of); from = end_of(of, g), g++) {
        double share = share_of(of, g, from) / all, shift = shift_of(of, g);
        if (!(share > 0.0))
            continue;
        double own_squares = add_group(of, from, end_of(of, g), shift, grid);
        squares += share * share * own_squares;
        facts->within_groups += share * entropy_of(grid->n, grid->step, grid->own, grid->own_square,
                                                   own_squares, &lack);
        lack_of_groups += share * lack;
        add_moments(of, from, end_of(of, g), shift, share, grid->step, facts);
        join(share, grid);
    }
    facts->entropy = entropy_of(grid->n, grid->step, grid->density, grid->square, squares, &lack);
    facts->bias_of_draws = lack;
    facts->bias_of_groups = lack_of_groups - lack;
    facts->deviation = sqrt(fmax(facts->deviation - facts->mean * facts->mean, 0.0));
    return EQUANT_SUCCESS;
}

equant_status mixture_fail(equant_status status)
{
    return status == EQUANT_ERROR_OUT_OF_MEMORY
               ? status_out_of_memory()
               : status_fail(status, "a draw predicts no finite number: the time is too far away, "
                                     "or the error of an observation is too large");
}

/* ---- quantiles and modes ------------------------------------------------------------------- */

static double density_at(const mixture_grid *grid, size_t k, int aside)
{
    return (aside < 0 && k == 0) || k + (size_t)(aside > 0 ? aside : 0) >= grid->n
               ? 0.0
               : grid->density[aside < 0 ? k - 1 : k + (size_t)aside];
}

/* What lies between two points, by the cubic through four. */
static double between(const mixture_grid *grid, size_t k)
{
    return grid->step / 24.0 *
           (13.0 * (density_at(grid, k, 0) + density_at(grid, k, 1)) - density_at(grid, k, -1) -
            density_at(grid, k, 2));
}

/* The part of a step at which a share of it is behind: the density between its ends is a line. */
static double part_of_step(const mixture_grid *grid, size_t k, double wanted, double whole)
{
    double first = density_at(grid, k, 0), second = density_at(grid, k, 1);
    double line = 0.5 * grid->step * (first + second);
    if (!(whole > 0.0) || !(line > 0.0))
        return 0.5;
    double target = wanted / whole * (first + second), slope = second - first;
    double root = sqrt(fmax(first * first + slope * target, 0.0));
    return first + root > 0.0 ? target / (first + root) : 0.5;
}

void mixture_quantiles(const mixture_grid *grid, size_t n, const double *shares, double *values)
{
    double behind = 0.0;
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        double here = between(grid, k);
        while (k + 2 < grid->n && behind + here < shares[i]) {
            behind += here;
            here = between(grid, ++k);
        }
        double part = part_of_step(grid, k, shares[i] - behind, here);
        part = part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
        values[i] = grid->first + grid->step * ((double)k + part);
    }
}

/* The top of the parabola through a point and its neighbours. */
static double top_of(const mixture_grid *grid, size_t k)
{
    double left = density_at(grid, k, -1), here = density_at(grid, k, 0),
           right = density_at(grid, k, 1);
    double bend = left - 2.0 * here + right;
    double aside = bend < 0.0 ? 0.5 * (left - right) / bend : 0.0;
    return grid->first + grid->step * ((double)k + aside);
}

static size_t keep_mode(mixture_mode found, size_t n, size_t n_most, mixture_mode *modes)
{
    size_t to = n;
    while (to > 0 && modes[to - 1].weight < found.weight) {
        if (to < n_most)
            modes[to] = modes[to - 1];
        to--;
    }
    if (to < n_most)
        modes[to] = found;
    return n < n_most ? n + 1 : n;
}

size_t mixture_modes(const mixture_grid *grid, size_t n_most, mixture_mode *modes)
{
    size_t n = 0, top = 0;
    double weight = 0.0;
    for (size_t k = 0; k < grid->n; k++) {
        double here = density_at(grid, k, 0), next = density_at(grid, k, 1);
        weight += here * grid->step;
        if (here > density_at(grid, top, 0))
            top = k;
        bool is_valley = here <= density_at(grid, k, -1) && here < next && weight > 1e-9;
        if (is_valley || k + 1 == grid->n) {
            n = keep_mode((mixture_mode){top_of(grid, top), weight}, n, n_most, modes);
            weight = 0.0;
            top = k;
        }
    }
    return n;
}
