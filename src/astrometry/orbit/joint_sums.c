#include "astrometry/orbit/joint_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/machine_clones.h"

enum { SHIFT = 512, N_TURN = JOINT_PHASES * SHIFT };

/* A function of M over two turns, in steps of 2 pi / N_TURN: step i + SHIFT p stands at [i][p], so
 * that what all phases look up lies side by side. */
typedef double phase_table[SHIFT + 1][2 * JOINT_PHASES];

struct orbit_table {
    phase_table x, y, x_m, y_m; /* X, Y, dX/dM, dY/dM */
};

static void put(size_t step, double value, phase_table table)
{
    size_t i = step % SHIFT, p = step / SHIFT;
    table[i][p] = table[i][p + JOINT_PHASES] = value;
    if (i == 0) /* the end of the steps of the phase before */
        table[SHIFT][(p + JOINT_PHASES - 1) % JOINT_PHASES] =
            table[SHIFT][(p + JOINT_PHASES - 1) % JOINT_PHASES + JOINT_PHASES] = value;
}

static void fill_table(double e, orbit_table *table)
{
    for (size_t step = 0; step < N_TURN; step++) {
        sky_place at = sky_place_at(SKY_ORBIT_TWO_PI * (double)step / N_TURN, e);
        put(step, at.X, table->x);
        put(step, at.Y, table->y);
        put(step, at.X_M, table->x_m);
        put(step, at.Y_M, table->y_m);
    }
}

/* Four phases in a register. */
typedef double quad __attribute__((vector_size(32), aligned(8)));
enum { N_QUADS = JOINT_PHASES / 4 };

static inline void load(const double *lanes, int v, quad *found)
{
    memcpy(found, lanes + 4 * v, sizeof *found);
}

static inline void store(const quad sum[N_QUADS], joint_lanes lanes)
{
    memcpy(lanes, sum, sizeof(joint_lanes));
}

/* Sums over n rows of x and y with two factors each: x s, x c, y s, y c. */
MACHINE_CLONES static void sum_pairs(size_t n, const joint_lanes *x, const joint_lanes *y,
                                     const double *s, const double *c, joint_lanes out[4])
{
    quad sum[4][N_QUADS] = {0};
    for (size_t k = 0; k < n; k++)
        for (int v = 0; v < N_QUADS; v++) {
            quad at_x, at_y;
            load(x[k], v, &at_x);
            load(y[k], v, &at_y);
            sum[0][v] += at_x * s[k];
            sum[1][v] += at_x * c[k];
            sum[2][v] += at_y * s[k];
            sum[3][v] += at_y * c[k];
        }
    for (int i = 0; i < 4; i++)
        store(sum[i], out[i]);
}

/* Sums over n rows of x y with three factors, factors[3][stride]. */
MACHINE_CLONES static void sum_products(size_t n, const joint_lanes *x, const joint_lanes *y,
                                        const double *factors, size_t stride, joint_lanes out[3])
{
    quad sum[3][N_QUADS] = {0};
    for (size_t k = 0; k < n; k++)
        for (int v = 0; v < N_QUADS; v++) {
            quad at_x, at_y;
            load(x[k], v, &at_x);
            load(y[k], v, &at_y);
            quad product = at_x * at_y;
            sum[0][v] += product * factors[k];
            sum[1][v] += product * factors[stride + k];
            sum[2][v] += product * factors[2 * stride + k];
        }
    for (int i = 0; i < 3; i++)
        store(sum[i], out[i]);
}

/* Sums over n rows of x and y with one factor. */
MACHINE_CLONES static void sum_both(size_t n, const joint_lanes *x, const joint_lanes *y,
                                    const double *factor, joint_lanes out[2])
{
    quad sum[2][N_QUADS] = {0};
    for (size_t k = 0; k < n; k++)
        for (int v = 0; v < N_QUADS; v++) {
            quad at_x, at_y;
            load(x[k], v, &at_x);
            load(y[k], v, &at_y);
            sum[0][v] += at_x * factor[k];
            sum[1][v] += at_y * factor[k];
        }
    store(sum[0], out[0]);
    store(sum[1], out[1]);
}

static inline void look_up(const phase_table table, size_t index, double fraction, joint_lanes out)
{
    const double *at = table[index % SHIFT] + index / SHIFT, *next = at + 2 * JOINT_PHASES;
    for (int p = 0; p < JOINT_PHASES; p++)
        out[p] = at[p] + fraction * (next[p] - at[p]);
}

size_t joint_rows_n_shares(const joint_rows *rows)
{
    return 6 * rows->n_base + 2 * rows->data->n_rows;
}

/* Places of all rows, or speeds of velocities, on the orbit of each phase. */
MACHINE_CLONES static void find_places(const joint_rows *rows, const orbit_table *table,
                                       double frequency_per_day, double turns, joint_lanes *x,
                                       joint_lanes *y)
{
    for (size_t k = 0; k < rows->data->n_rows; k++) {
        double at = frequency_per_day * rows->data->time_days[k] + turns;
        double place = (at - floor(at)) * N_TURN;
        size_t index = (size_t)place < N_TURN ? (size_t)place : N_TURN - 1;
        double fraction = place - (double)index;
        bool is_sky = k < rows->data->n_sky;
        look_up(is_sky ? table->x : table->x_m, index, fraction, x[k]);
        look_up(is_sky ? table->y : table->y_m, index, fraction, y[k]);
    }
}

void joint_sums_take(const joint_rows *rows, size_t eccentricity, double frequency_per_day,
                     double turns, joint_sums *sums)
{
    size_t n = rows->data->n_sky, n_rows = rows->n_rows, n_speeds = rows->data->n_velocities;
    joint_lanes *x = sums->shares + 6 * rows->n_base, *y = x + rows->data->n_rows;
    joint_lanes products[3];
    find_places(rows, rows->tables + eccentricity, frequency_per_day, turns, x, y);
    sum_products(n, x, x, rows->squares, n_rows, sums->gram);
    sum_products(n, x, y, rows->squares, n_rows, sums->gram + 3);
    sum_products(n, y, y, rows->squares, n_rows, sums->gram + 6);
    for (size_t j = 0; j <= rows->n_base; j++) { /* the residual stands behind the base */
        const double *along = rows->along + 2 * j * n_rows, *across = along + n_rows;
        bool is_base = j < rows->n_base;
        sum_pairs(n, x, y, along, across, is_base ? sums->shares + 6 * j : sums->right);
        sum_both(n_speeds, x + n, y + n, across + n,
                 is_base ? sums->shares + 6 * j + 4 : sums->speed + 3);
    }
    for (int i = 0; i < 3 && n_speeds > 0; i++) { /* weights of velocities are squares of cosines */
        sum_products(n_speeds, i < 2 ? x + n : y + n, i < 1 ? x + n : y + n, rows->squares + n,
                     n_rows, products);
        memcpy(sums->speed[i], products[2], sizeof(joint_lanes));
    }
}

void joint_sums_sky(const joint_rows *rows, const joint_sums *sums, int phase, double f[4][4],
                    double b[4], double whole[4])
{
    static const int gram_of[4][4] = {{0, 1, 3, 4}, {1, 2, 4, 5}, {3, 4, 6, 7}, {4, 5, 7, 8}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++)
            f[i][k] = sums->gram[gram_of[i][k]][phase];
        b[i] = sums->right[i][phase];
        whole[i] = f[i][i];
    }
    for (size_t j = 0; j < rows->n_base; j++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                f[i][k] -=
                    sums->shares[6 * j + (size_t)i][phase] * sums->shares[6 * j + (size_t)k][phase];
}

void joint_sums_velocity(const joint_rows *rows, const joint_sums *sums, int phase, double f[4][4],
                         double b[4], double whole[4])
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++)
            f[i][k] = sums->speed[i + k][phase];
        b[i] = sums->speed[3 + i][phase];
        whole[i] = f[i][i];
    }
    for (size_t j = 0; j < rows->n_base; j++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                f[i][k] -= sums->shares[6 * j + 4 + (size_t)i][phase] *
                           sums->shares[6 * j + 4 + (size_t)k][phase];
}

equant_status joint_rows_create(const sky_refiner *refiner, size_t n_eccentricities,
                                const double *eccentricities, joint_rows *rows)
{
    const sky_design *design = refiner->design;
    size_t n = design->n_rows;
    *rows = (joint_rows){
        .data = design->data,
        .n_rows = n,
        .n_base = refiner->system.n_columns,
        .squares = malloc((2 * refiner->system.n_columns + 5) * n * sizeof *rows->squares),
        .tables = malloc(n_eccentricities * sizeof *rows->tables)};
    if (rows->squares == NULL || rows->tables == NULL) {
        joint_rows_free(rows);
        return status_out_of_memory();
    }
    rows->along = rows->squares + 3 * n;
    for (size_t k = 0; k < n; k++) {
        bool is_sky = k < design->data->n_sky;
        double sine = is_sky ? design->sine[k] * refiner->root_weight[k] : 0.0;
        double cosine = (is_sky ? design->cosine[k] : 1.0) * refiner->root_weight[k];
        rows->squares[k] = sine * sine;
        rows->squares[n + k] = sine * cosine;
        rows->squares[2 * n + k] = cosine * cosine;
        for (size_t j = 0; j <= rows->n_base; j++) {
            double value = j < rows->n_base ? refiner->system.q[j * n + k] : refiner->residual[k];
            rows->along[2 * j * n + k] = sine * value;
            rows->along[(2 * j + 1) * n + k] = cosine * value;
        }
    }
    for (size_t i = 0; i < n_eccentricities; i++)
        fill_table(eccentricities[i], rows->tables + i);
    return EQUANT_SUCCESS;
}

void joint_rows_free(joint_rows *rows)
{
    free(rows->squares);
    free(rows->tables);
    *rows = (joint_rows){0};
}
