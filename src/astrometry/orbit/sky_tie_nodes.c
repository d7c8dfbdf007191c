#include "astrometry/orbit/sky_tie_nodes.h"

#include <math.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "model/dot_product.h"

/* Steps of ln tan(i/2), which is from -LARGEST to LARGEST: from 1.3 to 178.7 degrees; and of the
 * node, five degrees. */
enum { N_INCLINATIONS = 37, N_NODES = 72, N_HALVINGS = 14, N_OWN = 6 };
#define LARGEST 4.5

/* chi-square = constant - 2 b'x + x'F x, of A, B, F, G and the amplitudes c and h of velocities. */
typedef struct sky_form {
    double constant, f[N_OWN][N_OWN], b[N_OWN];
    double m_s; /* of a mas along the line of sight, in units of the orbit's mean motion */
} sky_form;

static void whiten(const sky_refiner *refiner, const double *from, double *to)
{
    for (size_t k = 0; k < refiner->design->n_rows; k++)
        to[k] = from[k] * refiner->root_weight[k];
}

/* All linear columns but those of the orbit into the refiner's system; one that is told by the
 * others says nothing new. */
static void lay_others(sky_refiner *refiner, const sky_solution *loose, size_t first)
{
    size_t n = refiner->design->n_rows, n_linear = sky_solution_n_linear(loose);
    sky_design_weigh(refiner->design, loose->jitter, refiner->root_weight);
    sky_design_fill(refiner->design, loose, n_linear, refiner->columns, refiner->residual);
    sky_system_clear(&refiner->system);
    for (size_t j = 0; j < n_linear; j++) {
        if (j >= first && j < first + N_OWN)
            continue;
        whiten(refiner, refiner->columns + j * n, refiner->scratch);
        sky_system_add(&refiner->system, refiner->scratch);
    }
}

/* From six columns [6][n_rows] of memory. */
static sky_form form_of(sky_refiner *refiner, const sky_solution *loose, size_t first, double *own)
{
    size_t n = refiner->design->n_rows;
    sky_form made;
    for (size_t i = 0; i < N_OWN; i++)
        for (size_t k = 0; k < n; k++) /* what the orbit explains is put back */
            refiner->residual[k] += refiner->columns[(first + i) * n + k] * loose->value[first + i];
    whiten(refiner, refiner->residual, refiner->residual);
    sky_system_project(&refiner->system, refiner->residual, refiner->work);
    made.constant = dot_product(n, refiner->residual, refiner->residual);
    for (size_t i = 0; i < N_OWN; i++) {
        whiten(refiner, refiner->columns + (first + i) * n, own + i * n);
        sky_system_project(&refiner->system, own + i * n, refiner->work);
        made.b[i] = dot_product(n, own + i * n, refiner->residual);
        for (size_t j = 0; j <= i; j++)
            made.f[i][j] = made.f[j][i] = dot_product(n, own + i * n, own + j * n);
    }
    return made;
}

/* The best x and y of an orientation. */
static sky_tie_node solve_at(const sky_form *form, double log_tangent, double Omega)
{
    double i = 2.0 * atan(exp(log_tangent)), by[2][N_OWN], f[2][2] = {{0.0}}, b[2] = {0.0};
    sky_orientation_columns(i, Omega, by);
    for (int p = 0; p < 2; p++) {
        by[p][4] *= form->m_s;
        by[p][5] *= form->m_s;
    }
    for (int k = 0; k < N_OWN; k++) {
        double along[2] = {0.0};
        for (int j = 0; j < N_OWN; j++)
            for (int p = 0; p < 2; p++)
                along[p] += form->f[k][j] * by[p][j];
        for (int p = 0; p < 2; p++) {
            b[p] += by[p][k] * form->b[k];
            for (int q = 0; q < 2; q++)
                f[p][q] += by[p][k] * along[q];
        }
    }
    double determinant = f[0][0] * f[1][1] - f[0][1] * f[1][0];
    sky_tie_node node = {.at = {.i = i, .Omega = Omega}, .chi_square = INFINITY};
    if (!(determinant > 0.0))
        return node;
    node.at.x = (b[0] * f[1][1] - b[1] * f[0][1]) / determinant;
    node.at.y = (b[1] * f[0][0] - b[0] * f[1][0]) / determinant;
    node.chi_square = form->constant - b[0] * node.at.x - b[1] * node.at.y;
    return node;
}

static double log_tangent_of(size_t i)
{
    return -LARGEST + 2.0 * LARGEST * (double)i / (N_INCLINATIONS - 1);
}

static double node_of(size_t node)
{
    return SKY_ORBIT_TWO_PI * (double)node / N_NODES;
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

/* Downhill between the nodes of the grid, by steps that become shorter where none leads down. */
static sky_tie_node settle(const sky_form *form, size_t i, size_t node)
{
    double place[2] = {log_tangent_of(i), node_of(node)};
    double step[2] = {2.0 * LARGEST / (N_INCLINATIONS - 1), SKY_ORBIT_TWO_PI / N_NODES};
    sky_tie_node best = solve_at(form, place[0], place[1]);
    for (int halving = 0; halving < N_HALVINGS; halving++) {
        sky_tie_node before = best;
        double to[2] = {place[0], place[1]};
        for (int a = -1; a <= 1; a++)
            for (int b = -1; b <= 1; b++) {
                double tried[2] = {place[0] + a * step[0], place[1] + b * step[1]};
                sky_tie_node trial = solve_at(form, tried[0], tried[1]);
                if (trial.chi_square < best.chi_square) {
                    best = trial;
                    to[0] = tried[0];
                    to[1] = tried[1];
                }
            }
        place[0] = to[0];
        place[1] = to[1];
        if (!(best.chi_square < before.chi_square)) {
            step[0] *= 0.5;
            step[1] *= 0.5;
        }
    }
    return best;
}

/* Puts a minimum in its place among the lowest. */
static void insert(const sky_tie_node *node, sky_tie_node found[SKY_TIE_NODES], size_t *n_found)
{
    if (*n_found == SKY_TIE_NODES && node->chi_square >= found[SKY_TIE_NODES - 1].chi_square)
        return;
    size_t place = *n_found < SKY_TIE_NODES ? (*n_found)++ : SKY_TIE_NODES - 1;
    for (; place > 0 && found[place - 1].chi_square > node->chi_square; place--)
        found[place] = found[place - 1];
    found[place] = *node;
}

equant_status sky_tie_nodes_find(sky_refiner *refiner, const sky_solution *loose, size_t orbit,
                                 double parallax, sky_tie_node found[SKY_TIE_NODES],
                                 size_t *n_found)
{
    size_t first = sky_solution_amplitudes(loose, orbit), n_rows = refiner->design->n_rows;
    double period = exp(loose->value[sky_solution_shape(loose, orbit)]);
    double *memory = malloc((N_OWN * n_rows + N_INCLINATIONS * N_NODES) * sizeof *memory);
    double *grid = memory;
    *n_found = 0;
    if (memory == NULL)
        return status_out_of_memory();
    lay_others(refiner, loose, first);
    sky_form form = form_of(refiner, loose, first, memory + N_INCLINATIONS * N_NODES);
    form.m_s = SKY_SOLUTION_AU_PER_DAY / (period * parallax);
    for (size_t i = 0; i < N_INCLINATIONS; i++)
        for (size_t node = 0; node < N_NODES; node++)
            grid[i * N_NODES + node] = solve_at(&form, log_tangent_of(i), node_of(node)).chi_square;
    for (size_t i = 0; i < N_INCLINATIONS; i++)
        for (size_t node = 0; node < N_NODES; node++)
            if (is_minimum(grid, i, node)) {
                sky_tie_node lowest = settle(&form, i, node);
                if (isfinite(lowest.chi_square))
                    insert(&lowest, found, n_found);
            }
    free(memory);
    return EQUANT_SUCCESS;
}
