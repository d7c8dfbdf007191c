#include "astrometry/orbit/sky_tie_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/dot_product.h"

/* Steps of ln tan(i/2), which is from -LARGEST to LARGEST: from 1.3 to 178.7 degrees; and of the
 * node, five degrees. */
enum { N_INCLINATIONS = 73, N_NODES = 72 };
#define LARGEST 4.5

/* chi-square = const - 2 b'x + x'F x, of the constants x of one orbit. */
typedef struct sky_form {
    double f[4][4], b[4];
} sky_form;

static void whiten(const sky_refiner *refiner, const double *from, double *to)
{
    for (size_t k = 0; k < refiner->design->n_rows; k++)
        to[k] = from[k] * refiner->root_weight[k];
}

/* All linear columns but the four of the orbit into the refiner's system; one that is told by the
 * others says nothing new. */
static void lay_others(sky_refiner *refiner, const sky_solution *loose, size_t first)
{
    size_t n = refiner->design->n_rows, n_linear = sky_solution_n_linear(loose);
    sky_design_weigh(refiner->design, loose->jitter, refiner->root_weight);
    sky_design_fill(refiner->design, loose, n_linear, refiner->columns, refiner->residual);
    sky_system_clear(&refiner->system);
    for (size_t j = 0; j < n_linear; j++) {
        if (j >= first && j < first + 4)
            continue;
        whiten(refiner, refiner->columns + j * n, refiner->scratch);
        sky_system_add(&refiner->system, refiner->scratch);
    }
}

/* From four columns [4][n_rows] of memory. */
static sky_form form_of(sky_refiner *refiner, const sky_solution *loose, size_t first, double *own)
{
    size_t n = refiner->design->n_rows;
    sky_form made;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < n; k++) /* what the orbit explains is put back */
            refiner->residual[k] += refiner->columns[(first + i) * n + k] * loose->value[first + i];
    whiten(refiner, refiner->residual, refiner->residual);
    sky_system_project(&refiner->system, refiner->residual, refiner->work);
    for (size_t i = 0; i < 4; i++) {
        whiten(refiner, refiner->columns + (first + i) * n, own + i * n);
        sky_system_project(&refiner->system, own + i * n, refiner->work);
        made.b[i] = dot_product(n, own + i * n, refiner->residual);
        for (size_t j = 0; j <= i; j++)
            made.f[i][j] = made.f[j][i] = dot_product(n, own + i * n, own + j * n);
    }
    return made;
}

static double chi_square_at(const sky_form *form, const sky_elements *elements)
{
    sky_constants own = sky_constants_of(elements);
    const double x[4] = {own.A, own.B, own.F, own.G};
    double sum = 0.0;
    for (int i = 0; i < 4; i++) {
        sum -= 2.0 * form->b[i] * x[i];
        for (int j = 0; j < 4; j++)
            sum += form->f[i][j] * x[i] * x[j];
    }
    return sum;
}

static sky_elements elements_at(double size_sin_i, double omega, size_t i, size_t node)
{
    double half = exp(-LARGEST + 2.0 * LARGEST * (double)i / (N_INCLINATIONS - 1));
    double inclination = 2.0 * atan(half);
    return (sky_elements){.a0 = size_sin_i / sin(inclination),
                          .i = inclination,
                          .omega = omega,
                          .Omega = SKY_ORBIT_TWO_PI * (double)node / N_NODES};
}

/* Whether no neighbour is lower; nodes go round. */
static bool is_minimum(const double *grid, size_t i, size_t node)
{
    double own = grid[i * N_NODES + node];
    for (size_t a = i > 0 ? i - 1 : 0; a <= i + 1 && a < N_INCLINATIONS; a++)
        for (size_t b = node + N_NODES - 1; b <= node + N_NODES + 1; b++)
            if (grid[a * N_NODES + b % N_NODES] < own)
                return false;
    return true;
}

/* Puts a minimum in its place among the lowest. */
static void insert(const sky_elements *elements, double value, double values[SKY_TIE_NODES],
                   sky_elements found[SKY_TIE_NODES], size_t *n_found)
{
    if (*n_found == SKY_TIE_NODES && value >= values[SKY_TIE_NODES - 1])
        return;
    size_t place = *n_found < SKY_TIE_NODES ? (*n_found)++ : SKY_TIE_NODES - 1;
    for (; place > 0 && values[place - 1] > value; place--) {
        values[place] = values[place - 1];
        found[place] = found[place - 1];
    }
    values[place] = value;
    found[place] = *elements;
}

equant_status sky_tie_nodes_find(sky_refiner *refiner, const sky_solution *loose, size_t orbit,
                                 double parallax, sky_elements found[SKY_TIE_NODES],
                                 size_t *n_found)
{
    size_t first = sky_solution_amplitudes(loose, orbit), n_rows = refiner->design->n_rows;
    const double *velocity = loose->value + first + 4;
    double period = exp(loose->value[sky_solution_shape(loose, orbit)]);
    double size_sin_i =
        hypot(velocity[0], velocity[1]) * period * parallax / SKY_SOLUTION_AU_PER_DAY;
    double omega = atan2(velocity[0], velocity[1]), values[SKY_TIE_NODES];
    double *memory = malloc((4 * n_rows + N_INCLINATIONS * N_NODES) * sizeof *memory);
    double *grid = memory;
    *n_found = 0;
    if (memory == NULL)
        return status_out_of_memory();
    lay_others(refiner, loose, first);
    sky_form form = form_of(refiner, loose, first, memory + N_INCLINATIONS * N_NODES);
    for (size_t i = 0; i < N_INCLINATIONS; i++)
        for (size_t node = 0; node < N_NODES; node++) {
            sky_elements at = elements_at(size_sin_i, omega, i, node);
            grid[i * N_NODES + node] = chi_square_at(&form, &at);
        }
    for (size_t i = 0; i < N_INCLINATIONS; i++)
        for (size_t node = 0; node < N_NODES; node++)
            if (is_minimum(grid, i, node)) {
                sky_elements at = elements_at(size_sin_i, omega, i, node);
                insert(&at, grid[i * N_NODES + node], values, found, n_found);
            }
    free(memory);
    return EQUANT_SUCCESS;
}
