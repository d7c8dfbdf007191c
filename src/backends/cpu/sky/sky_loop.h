/* Gains of nodes of a sky scan: one node a lane, whose sums run over the rows in their order, so
 * that neither the width of a machine nor the neighbours of a node change a bit. */
#ifndef EQUANT_BACKENDS_CPU_SKY_SKY_LOOP_H
#define EQUANT_BACKENDS_CPU_SKY_SKY_LOOP_H

#include <math.h>
#include <string.h>

#include "backends/cpu/sky/cpu_sky_source.h"
#include "physics/kepler_equation.h"
#include "physics/kepler_starter.h"
#include "physics/sky_scan_node.h"

/* Rows between the stages, few enough for the first level of cache; products are summed within such
 * a strip in the precision of the loop and strips among each other in double. Even, so that strips
 * of doubles fill groups of floats. */
#define SKY_STRIP 64
/* Columns of the base that are multiplied at a time: their sums stay in registers. */
#define SKY_COLUMNS 4

/* REAL_LANES nodes; guesses have one lane of theirs, or two. */
typedef struct sky_group {
    double frequency[REAL_LANES], m0_turns[REAL_LANES];
    double e[REAL_LANES];
    float steepness[COARSE_LANES], origin[COARSE_LANES], starter[STARTER_N_S][COARSE_LANES];
    float coarse_e[COARSE_LANES], coarse_one_minus_e[COARSE_LANES];
    bool is_extreme; /* too eccentric for the polynomial */
} sky_group;

static void sky_group_prepare(sky_group *group)
{
    double steepness[REAL_LANES], origin[REAL_LANES], starter[STARTER_N_S][REAL_LANES];
    for (size_t i = 0; i < REAL_LANES; i += F64_LANES) {
        f64 s, o, c[STARTER_N_S];
        starter_polynomial_prepare(lane_min(f64_load(group->e + i), F64(STARTER_ECCENTRICITY_MAX)),
                                   &s, &o, c);
        f64_store(steepness + i, s);
        f64_store(origin + i, o);
        for (int j = 0; j < STARTER_N_S; j++)
            f64_store(starter[j] + i, c[j]);
    }
    for (size_t i = 0; i < COARSE_LANES; i++) {
        size_t node = i % REAL_LANES;
        group->steepness[i] = (float)steepness[node];
        group->origin[i] = (float)origin[node];
        group->coarse_e[i] = (float)group->e[node];
        group->coarse_one_minus_e[i] = (float)(1.0 - group->e[node]);
        for (int j = 0; j < STARTER_N_S; j++)
            group->starter[j][i] = (float)starter[j][node];
    }
}

/* Mean anomalies of n rows, and zeros behind them to an even number. */
LANE_FUNCTION void sky_mean_anomalies(const cpu_sky_source *source, const sky_group *group,
                                      size_t first, size_t n, scalar *M)
{
    for (size_t k = 0; k < n; k++) {
        wide t = WIDE(source->time_days[first + k]);
        for (size_t i = 0; i < REAL_LANES; i += WIDE_LANES)
            real_store_wide(M + k * REAL_LANES + i,
                            mean_anomaly_at_time_f64(t, wide_load_double(group->frequency + i),
                                                     WIDE(0.0),
                                                     wide_load_double(group->m0_turns + i)));
    }
    if (n % 2 == 1)
        memset(M + n * REAL_LANES, 0, REAL_LANES * sizeof *M);
}

LANE_FUNCTION void sky_guesses(const sky_group *group, size_t n, const scalar *M, float *guess)
{
    f32 steepness = f32_load(group->steepness), origin = f32_load(group->origin);
    f32 e = f32_load(group->coarse_e), one_minus_e = f32_load(group->coarse_one_minus_e);
    f32 starter[STARTER_N_S];
    for (int j = 0; j < STARTER_N_S; j++)
        starter[j] = f32_load(group->starter[j]);
    for (size_t i = 0; i < n * REAL_LANES; i += COARSE_LANES) {
        f32 M_abs = lane_abs(coarse_load_real(M + i));
        f32_store(guess + i, group->is_extreme
                                 ? starter_cubic(M_abs, e, one_minus_e)
                                 : starter_polynomial(M_abs, steepness, origin, starter));
    }
}

/* X and Y of n rows; M is where X will be. */
LANE_FUNCTION void sky_columns(const sky_group *group, size_t n, const float *guesses, scalar *X,
                               scalar *Y)
{
    const real e = real_load_double(group->e), half_e = e * REAL(0.5);
    scalar less[REAL_LANES], root[REAL_LANES];
    for (size_t i = 0; i < REAL_LANES; i++) {
        less[i] = (scalar)(1.0 - group->e[i]);
        root[i] = (scalar)sqrt((1.0 - group->e[i]) * (1.0 + group->e[i]));
    }
    const real one_minus_e = real_load(less), axis = real_load(root);
    for (size_t k = 0; k < n; k++) {
        real M = real_load(X + k * REAL_LANES), guess = real_load_coarse(guesses + k * REAL_LANES);
        real E_minus_sin, one_minus_cos;
        sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
        kepler_point point =
            kepler_correct(guess, E_minus_sin, one_minus_cos, lane_abs(M), e, half_e, one_minus_e);
        real_store(X + k * REAL_LANES, one_minus_e - point.one_minus_cos);
        real_store(Y + k * REAL_LANES, axis * lane_flip_sign(point.sine, M));
    }
}

LANE_FUNCTION void sky_collect(double *sums, real part)
{
    double wide_part[REAL_LANES];
    real_store_double(wide_part, part);
    for (size_t i = 0; i < REAL_LANES; i += F64_LANES)
        f64_store(sums + i, f64_load(sums + i) + f64_load(wide_part + i));
}

LANE_FUNCTION void sky_products(const cpu_sky_source *source, size_t first, size_t n,
                                const scalar *X, const scalar *Y)
{
    const scalar *row = (const scalar *)source->rows + first * source->row_length;
    const real zero = REAL(0.0);
    sky_scan_node_sums sums;
    for (int i = 0; i < 9; i++)
        sums.square[i] = zero;
    for (int i = 0; i < 4; i++)
        sums.residual[i] = zero;
    for (size_t k = 0; k < n; k++, row += source->row_length)
        sky_scan_node_add(&sums, real_load(X + k * REAL_LANES), real_load(Y + k * REAL_LANES),
                          REAL(row[SKY_ROW_SS]), REAL(row[SKY_ROW_SC]), REAL(row[SKY_ROW_CC]),
                          REAL(row[SKY_ROW_SR]), REAL(row[SKY_ROW_CR]));
    for (size_t i = 0; i < 9; i++)
        sky_collect(source->sums + i * REAL_LANES, sums.square[i]);
    for (size_t i = 0; i < 4; i++)
        sky_collect(source->sums + (SKY_SUM_RESIDUAL + i) * REAL_LANES, sums.residual[i]);
}

/* Products with n_columns of the base from `column` on; the number is a constant where it is
 * called. */
LANE_FUNCTION void sky_base_products(const cpu_sky_source *source, size_t first, size_t n,
                                     size_t column, const int n_columns, const scalar *X,
                                     const scalar *Y)
{
    const scalar *row =
        (const scalar *)source->rows + first * source->row_length + SKY_ROW_BASE + 2 * column;
    real sums[4 * SKY_COLUMNS];
    for (int i = 0; i < 4 * n_columns; i++)
        sums[i] = REAL(0.0);
    for (size_t k = 0; k < n; k++, row += source->row_length) {
        real x = real_load(X + k * REAL_LANES), y = real_load(Y + k * REAL_LANES);
        for (int j = 0; j < n_columns; j++) {
            real s = REAL(row[2 * j]), c = REAL(row[2 * j + 1]);
            sums[4 * j] = lane_fma(x, s, sums[4 * j]);
            sums[4 * j + 1] = lane_fma(y, s, sums[4 * j + 1]);
            sums[4 * j + 2] = lane_fma(x, c, sums[4 * j + 2]);
            sums[4 * j + 3] = lane_fma(y, c, sums[4 * j + 3]);
        }
    }
    for (int i = 0; i < 4 * n_columns; i++)
        sky_collect(source->sums + (SKY_SUM_BASE + 4 * column + (size_t)i) * REAL_LANES, sums[i]);
}

LANE_FUNCTION void sky_all_base_products(const cpu_sky_source *source, size_t first, size_t n,
                                         const scalar *X, const scalar *Y)
{
    size_t column = 0;
    for (; column + SKY_COLUMNS <= source->n_base; column += SKY_COLUMNS)
        sky_base_products(source, first, n, column, SKY_COLUMNS, X, Y);
    switch (source->n_base - column) {
    case 3:
        sky_base_products(source, first, n, column, 3, X, Y);
        break;
    case 2:
        sky_base_products(source, first, n, column, 2, X, Y);
        break;
    case 1:
        sky_base_products(source, first, n, column, 1, X, Y);
        break;
    default:
        break;
    }
}

static void sky_group_gains(const cpu_sky_source *source, double *gains)
{
    for (size_t i = 0; i < REAL_LANES; i += F64_LANES) {
        f64 sums[SKY_SUM_BASE];
        for (size_t j = 0; j < SKY_SUM_BASE; j++)
            sums[j] = f64_load(source->sums + j * REAL_LANES + i);
        sky_scan_equations equations = sky_scan_equations_of(sums, sums + SKY_SUM_RESIDUAL);
        for (size_t column = 0; column < source->n_base; column++) {
            f64 q[SKY_SCAN_AMPLITUDES];
            for (size_t j = 0; j < SKY_SCAN_AMPLITUDES; j++)
                q[j] = f64_load(source->sums + (SKY_SUM_BASE + 4 * column + j) * REAL_LANES + i);
            sky_scan_equations_project(&equations, q);
        }
        f64_store(gains + i, sky_scan_equations_gain(&equations) * F64(source->residual_square));
    }
}

/* Gains of nodes that all are, or all are not, too eccentric for the polynomial:
 * cpu_kernels.sky. */
static void sky_nodes(const cpu_sky_source *source, size_t n_nodes, sky_scan_node *nodes)
{
    scalar X[SKY_STRIP * REAL_LANES], Y[SKY_STRIP * REAL_LANES];
    float guesses[SKY_STRIP * REAL_LANES];
    for (size_t node = 0; node < n_nodes; node += REAL_LANES) {
        sky_group group;
        size_t n_here = n_nodes - node < REAL_LANES ? n_nodes - node : REAL_LANES;
        for (size_t i = 0; i < REAL_LANES; i++) {
            const sky_scan_node *own = nodes + node + (i < n_here ? i : 0);
            double turns = own->m0_rad * MEAN_ANOMALY_TURNS_PER_RADIAN;
            group.frequency[i] = own->frequency_per_day;
            group.m0_turns[i] = turns - rint(turns);
            group.e[i] = own->eccentricity;
        }
        group.is_extreme = group.e[0] > STARTER_ECCENTRICITY_MAX;
        sky_group_prepare(&group);
        memset(source->sums, 0,
               (SKY_SUM_BASE + 4 * source->n_base) * REAL_LANES * sizeof *source->sums);
        for (size_t first = 0; first < source->n_rows; first += SKY_STRIP) {
            size_t left = source->n_rows - first, n = left < SKY_STRIP ? left : SKY_STRIP;
            sky_mean_anomalies(source, &group, first, n, X);
            sky_guesses(&group, n + n % 2, X, guesses);
            sky_columns(&group, n, guesses, X, Y);
            sky_products(source, first, n, X, Y);
            sky_all_base_products(source, first, n, X, Y);
        }
        double gains[REAL_LANES];
        sky_group_gains(source, gains);
        for (size_t i = 0; i < n_here; i++)
            nodes[node + i].gain = gains[i];
    }
}

#endif
