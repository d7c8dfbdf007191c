#include "astrometry/orbit/joint_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "model/machine_clones.h"

enum { SHIFT = 512, N_TURN = JOINT_PHASES * SHIFT, N_TABLE = 2 * N_TURN + 1 };

/* X, Y, dX/dM, dY/dM over two turns. */
struct orbit_table {
    double x[N_TABLE], y[N_TABLE], x_m[N_TABLE], y_m[N_TABLE];
};

static void fill_table(double e, orbit_table *table)
{
    for (size_t i = 0; i < N_TABLE; i++) {
        sky_place at = sky_place_at(SKY_ORBIT_TWO_PI * (double)(i % N_TURN) / N_TURN, e);
        table->x[i] = at.X;
        table->y[i] = at.Y;
        table->x_m[i] = at.X_M;
        table->y_m[i] = at.Y_M;
    }
}

static inline void look_up(const double *table, size_t index, double fraction, joint_lanes out)
{
    for (int p = 0; p < JOINT_PHASES; p++) {
        const double *at = table + index + (size_t)p * SHIFT;
        out[p] = at[0] + fraction * (at[1] - at[0]);
    }
}

static inline void add(joint_lanes sum, const joint_lanes a, double factor)
{
    for (int p = 0; p < JOINT_PHASES; p++)
        sum[p] += a[p] * factor;
}

MACHINE_CLONES static void add_sky(const joint_rows *rows, const orbit_table *table, size_t k,
                                   size_t index, double fraction, joint_sums *sums)
{
    double s = rows->sine[k], c = rows->cosine[k], r = rows->residual[k];
    joint_lanes x, y, xx, xy, yy;
    look_up(table->x, index, fraction, x);
    look_up(table->y, index, fraction, y);
    for (int p = 0; p < JOINT_PHASES; p++) {
        xx[p] = x[p] * x[p];
        xy[p] = x[p] * y[p];
        yy[p] = y[p] * y[p];
    }
    const double pairs[3] = {s * s, s * c, c * c};
    for (int j = 0; j < 3; j++) {
        add(sums->gram[j], xx, pairs[j]);
        add(sums->gram[3 + j], xy, pairs[j]);
        add(sums->gram[6 + j], yy, pairs[j]);
    }
    add(sums->right[0], x, s * r);
    add(sums->right[1], x, c * r);
    add(sums->right[2], y, s * r);
    add(sums->right[3], y, c * r);
    for (size_t j = 0; j < rows->n_base; j++) {
        double q = rows->base[j * rows->n_rows + k];
        if (q == 0.0)
            continue;
        joint_lanes *share = sums->shares + 6 * j;
        add(share[0], x, s * q);
        add(share[1], x, c * q);
        add(share[2], y, s * q);
        add(share[3], y, c * q);
    }
}

MACHINE_CLONES static void add_velocity(const joint_rows *rows, const orbit_table *table, size_t k,
                                        size_t index, double fraction, joint_sums *sums)
{
    double w = rows->cosine[k], r = rows->residual[k];
    joint_lanes x, y;
    look_up(table->x_m, index, fraction, x);
    look_up(table->y_m, index, fraction, y);
    for (int p = 0; p < JOINT_PHASES; p++) {
        sums->speed[0][p] += w * w * x[p] * x[p];
        sums->speed[1][p] += w * w * x[p] * y[p];
        sums->speed[2][p] += w * w * y[p] * y[p];
    }
    add(sums->speed[3], x, w * r);
    add(sums->speed[4], y, w * r);
    for (size_t j = 0; j < rows->n_base; j++) {
        double q = rows->base[j * rows->n_rows + k];
        add(sums->shares[6 * j + 4], x, w * q);
        add(sums->shares[6 * j + 5], y, w * q);
    }
}

size_t joint_rows_n_shares(const joint_rows *rows)
{
    return 6 * rows->n_base + 1;
}

void joint_sums_take(const joint_rows *rows, size_t eccentricity, double frequency_per_day,
                     double turns, joint_sums *sums)
{
    memset(sums->gram, 0, sizeof sums->gram + sizeof sums->right + sizeof sums->speed);
    memset(sums->shares, 0, 6 * rows->n_base * sizeof *sums->shares);
    for (size_t k = 0; k < rows->data->n_rows; k++) {
        double at = frequency_per_day * rows->data->time_days[k] + turns;
        double place = (at - floor(at)) * N_TURN;
        size_t index = (size_t)place < N_TURN ? (size_t)place : N_TURN - 1;
        double fraction = place - (double)index;
        if (k < rows->data->n_sky)
            add_sky(rows, rows->tables + eccentricity, k, index, fraction, sums);
        else
            add_velocity(rows, rows->tables + eccentricity, k, index, fraction, sums);
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
    *rows = (joint_rows){.data = design->data,
                         .n_rows = n,
                         .n_base = refiner->system.n_columns,
                         .residual = refiner->residual,
                         .base = refiner->system.q,
                         .sine = malloc(2 * n * sizeof *rows->sine),
                         .tables = malloc(n_eccentricities * sizeof *rows->tables)};
    if (rows->sine == NULL || rows->tables == NULL) {
        joint_rows_free(rows);
        return status_out_of_memory();
    }
    rows->cosine = rows->sine + n;
    for (size_t k = 0; k < n; k++) {
        bool is_sky = k < design->data->n_sky;
        rows->sine[k] = is_sky ? design->sine[k] * refiner->root_weight[k] : 0.0;
        rows->cosine[k] = (is_sky ? design->cosine[k] : 1.0) * refiner->root_weight[k];
    }
    for (size_t i = 0; i < n_eccentricities; i++)
        fill_table(eccentricities[i], rows->tables + i);
    return EQUANT_SUCCESS;
}

void joint_rows_free(joint_rows *rows)
{
    free(rows->sine);
    free(rows->tables);
    *rows = (joint_rows){0};
}
