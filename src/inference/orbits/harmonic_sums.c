#include "inference/orbits/harmonic_sums.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/orbits/phase_wave.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* An observation is spread over so many cells, as many as a machine takes at once, of a grid that
 * is so many times as fine as the highest harmonic needs. Errors are of the order of
 * exp(-pi SPREAD sqrt(1 - 1/FINENESS)), or 1e-7: they change ln of what orbits hold by 1e-6, and
 * that is known to a thousandth at best. */
enum { LANES = 8, SPREAD = LANES };
#define FINENESS 1.75
/* How sharp the spread is: best where the first harmonic that the grid confuses with another has
 * just left its transform. */
#define SHARPNESS (0.5 * TWO_PI * SPREAD * (1.0 - 0.5 / FINENESS))

typedef double octet __attribute__((vector_size(64)));

equant_status weighted_columns_create(size_t n_obs, size_t n, const double *time_days,
                                      const double *weight, const double *const *columns,
                                      weighted_columns *made)
{
    size_t width = (n + LANES - 1) / LANES * LANES;
    *made = (weighted_columns){.n_obs = n_obs, .n = n, .width = width, .time_days = time_days};
    made->rows = calloc(n_obs * width + 1, sizeof *made->rows);
    if (!made->rows)
        return status_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        for (size_t j = 0; j < n; j++)
            made->rows[k * width + j] = columns[j][k] * weight[k];
    return EQUANT_SUCCESS;
}

void weighted_columns_free(weighted_columns *columns)
{
    free(columns->rows);
    *columns = (weighted_columns){0};
}

/* ---- the spread --------------------------------------------------------------------------- */

/* Bessel's function I0 of the root of `square`. */
static double bessel_of_square(double square)
{
    double term = 1.0, sum = 1.0;
    for (double k = 1.0; term > 1e-17 * sum; k += 1.0) {
        term *= 0.25 * square / (k * k);
        sum += term;
    }
    return sum;
}

/* At a distance in cells. */
static double spread_at(double distance)
{
    double share = 2.0 * distance / SPREAD;
    return bessel_of_square(SHARPNESS * SHARPNESS * (1.0 - share * share));
}

/* What the spread makes of a wave of so many turns a cell. */
static double spread_transformed(double turns_per_cell)
{
    double angle = 0.5 * TWO_PI * SPREAD * turns_per_cell;
    double root = sqrt(SHARPNESS * SHARPNESS - angle * angle);
    return SPREAD * sinh(root) / root;
}

/* The spread in each of its cells as a polynomial of where in a cell the observation lies, through
 * so many points: it has no edges within, and eight functions of Bessel for each observation
 * would cost more than all else. */
enum { N_POINTS = 10 };
typedef struct spread_shape {
    double points[N_POINTS];
    octet differences[N_POINTS]; /* divided ones, of Newton's form; by cell */
} spread_shape;

static spread_shape shape;
static pthread_once_t shape_made = PTHREAD_ONCE_INIT;

static void shape_cell(size_t cell)
{
    double column[N_POINTS];
    for (size_t i = 0; i < N_POINTS; i++)
        column[i] = spread_at((double)cell - (0.5 * SPREAD - 1.0) - shape.points[i]);
    for (size_t order = 1; order < N_POINTS; order++)
        for (size_t i = N_POINTS - 1; i >= order; i--)
            column[i] = (column[i] - column[i - 1]) / (shape.points[i] - shape.points[i - order]);
    for (size_t i = 0; i < N_POINTS; i++)
        shape.differences[i][cell] = column[i];
}

/* Chebyshev's points: those at the ends lie closest. */
static void make_shape(void)
{
    for (size_t i = 0; i < N_POINTS; i++)
        shape.points[i] = 0.5 - 0.5 * cos(0.25 * TWO_PI * (double)(2 * i + 1) / N_POINTS);
    for (size_t cell = 0; cell < SPREAD; cell++)
        shape_cell(cell);
}

/* ---- the grid ----------------------------------------------------------------------------- */

/* Cells around the circle, and some more at the end for what reaches beyond it. */
typedef struct phase_grid {
    size_t n, width; /* cells; columns, a multiple of LANES */
    double *cells;   /* [n + SPREAD][width] */
} phase_grid;

/* The row of an observation is spread from a cell on, `part` of the way to the next one. */
static inline __attribute__((always_inline)) void
add_row(const phase_grid *grid, const double *numbers, size_t cell, double part)
{
    octet shares = {0.0}, at = part - (octet){0.0}, row, sum;
    for (size_t i = N_POINTS; i-- > 0;)
        shares = shares * (at - shape.points[i]) + shape.differences[i];
    for (size_t j = 0; j < grid->width; j += LANES) {
        double *place = grid->cells + cell * grid->width + j;
        memcpy(&row, numbers + j, sizeof row);
        for (size_t k = 0; k < SPREAD; k++, place += grid->width) {
            memcpy(&sum, place, sizeof sum);
            sum += row * shares[k];
            memcpy(place, &sum, sizeof sum);
        }
    }
}

MACHINE_CLONES static void fill_grid(const weighted_columns *of, double frequency_per_day,
                                     const phase_grid *grid)
{
    for (size_t k = 0; k < of->n_obs; k++) {
        double turns = frequency_per_day * of->time_days[k];
        double place = (turns - floor(turns)) * (double)grid->n;
        size_t cell = (size_t)place; /* may be the last and one by rounding, which is the first */
        add_row(grid, of->rows + k * grid->width, cell & (grid->n - 1), place - (double)cell);
    }
    for (size_t i = 0; i < SPREAD * grid->width; i++)
        grid->cells[i] += grid->cells[grid->n * grid->width + i];
}

/* ---- the sums ----------------------------------------------------------------------------- */

/* What the grid's harmonics are multiplied by: its first cell lies before the phase 0, by half a
 * spread, and the spread has taken its part of each. */
static void find_corrections(size_t n_cells, size_t most, double *re, double *im)
{
    for (size_t h = 0; h <= most; h++) {
        double turns = (double)h / (double)n_cells, by = 1.0 / spread_transformed(turns);
        re[h] = by * cos(TWO_PI * turns * (0.5 * SPREAD - 1.0));
        im[h] = -by * sin(TWO_PI * turns * (0.5 * SPREAD - 1.0));
    }
}

/* Two columns, which are the real and the imaginary part of one wave. */
static void read_pair(const phase_grid *grid, size_t column, const double *corrections,
                      const phase_wave *wave, harmonic_sums *made)
{
    size_t n = grid->n, stride = made->most + 1;
    for (size_t i = 0; i < n; i++) {
        wave->re[i] = grid->cells[i * grid->width + column];
        wave->im[i] = grid->cells[i * grid->width + column + 1];
    }
    phase_wave_transform(wave);
    double *re = made->re + column * stride, *im = made->im + column * stride;
    bool is_pair = column + 1 < made->n_columns;
    for (size_t h = 0; h <= made->most; h++) {
        size_t other = (n - h) & (n - 1);
        double c = 0.5 * corrections[h], s = 0.5 * corrections[stride + h];
        double x = wave->re[h] + wave->re[other], y = wave->im[h] - wave->im[other];
        re[h] = x * c - y * s;
        im[h] = x * s + y * c;
        if (!is_pair)
            continue;
        x = wave->im[h] + wave->im[other];
        y = wave->re[other] - wave->re[h];
        re[stride + h] = x * c - y * s;
        im[stride + h] = x * s + y * c;
    }
}

equant_status harmonic_sums_find(const weighted_columns *of, double frequency_per_day, size_t most,
                                 harmonic_sums *made)
{
    size_t n_sums = (most + 1) * of->n;
    phase_grid grid = {.n = phase_wave_round((size_t)(FINENESS * (double)(2 * most + SPREAD))),
                       .width = of->width};
    size_t n_cells = (grid.n + SPREAD) * grid.width;
    *made = (harmonic_sums){.most = most, .n_columns = of->n};
    made->re = malloc((2 * n_sums + 1) * sizeof *made->re);
    double *room = calloc(n_cells + 2 * (most + 1) + PHASE_WAVE_ROOM * grid.n, sizeof *room);
    if (!room || !made->re) {
        free(room);
        return status_out_of_memory();
    }
    made->im = made->re + n_sums;
    grid.cells = room;
    double *corrections = room + n_cells;
    phase_wave wave = phase_wave_make(grid.n, corrections + 2 * (most + 1));
    pthread_once(&shape_made, make_shape);
    fill_grid(of, frequency_per_day, &grid);
    find_corrections(grid.n, most, corrections, corrections + most + 1);
    for (size_t column = 0; column < of->n; column += 2)
        read_pair(&grid, column, corrections, &wave, made);
    free(room);
    return EQUANT_SUCCESS;
}

void harmonic_sums_free(harmonic_sums *sums)
{
    free(sums->re);
    *sums = (harmonic_sums){0};
}
