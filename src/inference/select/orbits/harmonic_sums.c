#include "inference/select/orbits/harmonic_sums.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/status_fail.h"
#include "inference/select/orbits/fft.h"
#include "model/circle.h"
#include "model/machine_clones.h"
#include "platform/system_threads.h"

/* An observation is spread over so many cells of a grid that is so many times as fine as the
 * highest harmonic needs. Errors are of the order of exp(-pi SPREAD sqrt(1 - 1/FINENESS)), or
 * 4e-10: where other planets explain nearly all of an orbit, what is left is a difference of large
 * numbers, and a spread of eight cells, with errors of 1e-7, would decide about it. */
enum { SPREAD = 12, SPREAD_PACKS = (SPREAD + DOUBLE8 - 1) / DOUBLE8 };
#define FINENESS 1.5
/* How sharp the spread is: best where the first harmonic that the grid confuses with another has
 * just left its transform. */
#define SHARPNESS (0.5 * TWO_PI * SPREAD * (1.0 - 0.5 / FINENESS))

equant_status weighted_columns_create(size_t n_obs, size_t n, const double *time_days,
                                      const double *weight, const double *const *columns,
                                      weighted_columns *made)
{
    *made = (weighted_columns){
        .n_obs = n_obs, .n = n, .n_packs = double8_count(n), .time_days = time_days};
    made->rows = double8_create_zero(n_obs * made->n_packs);
    if (!made->rows)
        return status_out_of_memory();
    for (size_t k = 0; k < n_obs; k++)
        for (size_t j = 0; j < n; j++)
            made->rows[k * made->n_packs + j / DOUBLE8][j % DOUBLE8] = columns[j][k] * weight[k];
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
 * so many points: it has no edges within, and twelve functions of Bessel for each observation
 * would cost more than all else. */
enum { N_POINTS = 14 };
typedef struct spread_shape {
    double points[N_POINTS];
    double8 differences[N_POINTS][SPREAD_PACKS]; /* divided ones, of Newton's form; by cell */
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
        shape.differences[i][cell / DOUBLE8][cell % DOUBLE8] = column[i];
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
    size_t n, n_packs; /* cells; packs in each */
    double8 *cells;    /* [n + SPREAD][n_packs] */
} phase_grid;

/* The row of an observation is spread from a cell on, `part` of the way to the next one. */
static inline __attribute__((always_inline)) void
add_row(const phase_grid *grid, const double8 *row, size_t cell, double part)
{
    double8 shares[SPREAD_PACKS] = {{0.0}}, at = part - (double8){0.0};
    for (size_t i = N_POINTS; i-- > 0;)
        for (size_t k = 0; k < SPREAD_PACKS; k++)
            shares[k] = shares[k] * (at - shape.points[i]) + shape.differences[i][k];
    for (size_t j = 0; j < grid->n_packs; j++) {
        double8 *place = grid->cells + cell * grid->n_packs + j, numbers = row[j];
        for (size_t k = 0; k < SPREAD; k++, place += grid->n_packs)
            *place += numbers * shares[k / DOUBLE8][k % DOUBLE8];
    }
}

MACHINE_CLONES static void fill_grid(const weighted_columns *of, double frequency_per_day,
                                     const phase_grid *grid)
{
    for (size_t k = 0; k < of->n_obs; k++) {
        double turns = frequency_per_day * of->time_days[k];
        double place = (turns - floor(turns)) * (double)grid->n;
        size_t cell = (size_t)place; /* may be the last and one by rounding, which is the first */
        add_row(grid, of->rows + k * grid->n_packs, cell & (grid->n - 1), place - (double)cell);
    }
    for (size_t i = 0; i < SPREAD * grid->n_packs; i++)
        grid->cells[i] += grid->cells[grid->n * grid->n_packs + i];
}

/* ---- the sums ----------------------------------------------------------------------------- */

/* What a harmonic of the grid is multiplied by: its first cell lies before the phase 0, by half a
 * spread, and the spread has taken its part of each. */
typedef struct correction {
    double re, im;
} correction;

static correction correction_of(size_t n_cells, size_t harmonic)
{
    double turns = (double)harmonic / (double)n_cells, by = 1.0 / spread_transformed(turns);
    double angle = TWO_PI * turns * (0.5 * SPREAD - 1.0);
    return (correction){by * cos(angle), -by * sin(angle)};
}

/* Sixteen columns, of which eight are the real and eight the imaginary parts of a transform. */
MACHINE_CLONES static void read_columns(const phase_grid *grid, size_t column,
                                        const correction *corrections, const fft *transform,
                                        const harmonic_sums *made)
{
    size_t n = grid->n, n_packs = grid->n_packs;
    bool is_pair = column + 1 < n_packs;
    for (size_t i = 0; i < n; i++) {
        const double8 *cell = grid->cells + i * n_packs + column;
        transform->re[transform->place[i]] = cell[0];
        transform->im[transform->place[i]] = is_pair ? cell[1] : (double8){0.0};
    }
    fft_run(transform);
    for (size_t h = 0; h <= made->most; h++) {
        size_t other = (n - h) & (n - 1), place = h * n_packs + column;
        double8 re = transform->re[h], im = transform->im[h], other_re = transform->re[other],
                other_im = transform->im[other];
        double c = 0.5 * corrections[h].re, s = 0.5 * corrections[h].im;
        double8 x = re + other_re, y = im - other_im;
        made->re[place] = x * c - y * s;
        made->im[place] = x * s + y * c;
        if (!is_pair)
            continue;
        x = im + other_im;
        y = other_re - re;
        made->re[place + 1] = x * c - y * s;
        made->im[place + 1] = x * s + y * c;
    }
}

/* From a grid that is filled. */
static equant_status read_grid(const phase_grid *grid, const harmonic_sums *made)
{
    fft transform;
    correction *corrections = malloc((made->most + 1) * sizeof *corrections);
    equant_status status = fft_create(grid->n, &transform);
    if (status == EQUANT_SUCCESS && !corrections)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        for (size_t h = 0; h <= made->most; h++)
            corrections[h] = correction_of(grid->n, h);
        for (size_t column = 0; column < grid->n_packs; column += 2)
            read_columns(grid, column, corrections, &transform, made);
    }
    fft_free(&transform);
    free(corrections);
    return status;
}

equant_status harmonic_sums_find(const weighted_columns *of, double frequency_per_day, size_t most,
                                 harmonic_sums *made)
{
    size_t n_sums = (most + 1) * of->n_packs;
    phase_grid grid = {.n = fft_length((size_t)(FINENESS * (double)(2 * most + SPREAD))),
                       .n_packs = of->n_packs};
    *made = (harmonic_sums){.most = most, .n_columns = of->n, .n_packs = of->n_packs};
    made->re = double8_create(2 * n_sums);
    grid.cells = double8_create_zero((grid.n + SPREAD) * grid.n_packs);
    equant_status status = made->re && grid.cells ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        made->im = made->re + n_sums;
        pthread_once(&shape_made, make_shape);
        fill_grid(of, frequency_per_day, &grid);
        status = read_grid(&grid, made);
    }
    free(grid.cells);
    return status;
}

void harmonic_sums_free(harmonic_sums *sums)
{
    free(sums->re);
    *sums = (harmonic_sums){0};
}
