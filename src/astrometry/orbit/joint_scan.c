/* Places come from tables of the orbit over one turn, whose phases are shifts; lanes of the loops
 * are the phases. */
#include "astrometry/orbit/joint_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "core/status.h"
#include "core/thread_supply.h"

enum { N_PHASES = 12, SHIFT = 512, N_TURN = N_PHASES * SHIFT, N_TABLE = 2 * N_TURN + 1 };

/* A column of which the base leaves less than this share says nothing. */
#define NEGLIGIBLE_SHARE 1e-9

/* X, Y, dX/dM, dY/dM over two turns. */
typedef struct orbit_table {
    double x[N_TABLE], y[N_TABLE], x_m[N_TABLE], y_m[N_TABLE];
} orbit_table;

/* What is scanned: whitened directions, velocities' weights, residual and base. */
typedef struct joint_rows {
    const sky_data *data;
    size_t n_rows, n_base;
    const double *residual, *base; /* [n_rows], [n_base][n_rows] */
    double *sine, *cosine;         /* [n_rows]; of velocities cosine is the weight's root */
    orbit_table *tables;           /* [n_layers] */
} joint_rows;

typedef double lanes[N_PHASES];

/* Sums of a frequency and an eccentricity for all phases. Of the columns of the sky, x sine, x
 * cosine, y sine, y cosine; of the velocities, x and y. */
typedef struct joint_sums {
    lanes gram[9];  /* xx, xy, yy, each with ss, sc, cc */
    lanes right[4]; /* with the residual                */
    lanes speed[5]; /* of velocities: xx, xy, yy, and with the residual */
    lanes *shares;  /* [n_base][6]                      */
} joint_sums;

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

static inline void look_up(const double *table, size_t index, double fraction, lanes out)
{
    for (int p = 0; p < N_PHASES; p++) {
        const double *at = table + index + (size_t)p * SHIFT;
        out[p] = at[0] + fraction * (at[1] - at[0]);
    }
}

static inline void add(lanes sum, const lanes a, double factor)
{
    for (int p = 0; p < N_PHASES; p++)
        sum[p] += a[p] * factor;
}

static void add_sky(const joint_rows *rows, const orbit_table *table, size_t k, size_t index,
                    double fraction, joint_sums *sums)
{
    double s = rows->sine[k], c = rows->cosine[k], r = rows->residual[k];
    lanes x, y, xx, xy, yy;
    look_up(table->x, index, fraction, x);
    look_up(table->y, index, fraction, y);
    for (int p = 0; p < N_PHASES; p++) {
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
        lanes *share = sums->shares + 6 * j;
        add(share[0], x, s * q);
        add(share[1], x, c * q);
        add(share[2], y, s * q);
        add(share[3], y, c * q);
    }
}

static void add_velocity(const joint_rows *rows, const orbit_table *table, size_t k, size_t index,
                         double fraction, joint_sums *sums)
{
    double w = rows->cosine[k], r = rows->residual[k];
    lanes x, y;
    look_up(table->x_m, index, fraction, x);
    look_up(table->y_m, index, fraction, y);
    for (int p = 0; p < N_PHASES; p++) {
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

/* b' F^-1 b by elimination of the largest pivot first; columns that are hardly left are dropped. */
static double gain_of(size_t n, double f[4][4], double b[4], const double whole[4])
{
    double gain = 0.0;
    bool is_used[4] = {false};
    for (size_t turn = 0; turn < n; turn++) {
        size_t best = n;
        double largest = NEGLIGIBLE_SHARE;
        for (size_t j = 0; j < n; j++)
            if (!is_used[j] && f[j][j] > largest * whole[j]) {
                largest = f[j][j] / whole[j];
                best = j;
            }
        if (best == n)
            break;
        is_used[best] = true;
        gain += b[best] * b[best] / f[best][best];
        for (size_t i = 0; i < n; i++)
            if (!is_used[i]) {
                double factor = f[i][best] / f[best][best];
                b[i] -= factor * b[best];
                for (size_t j = 0; j < n; j++)
                    f[i][j] -= factor * f[best][j];
            }
    }
    return gain;
}

static double sky_gain(const joint_rows *rows, const joint_sums *sums, int p)
{
    const lanes *g = sums->gram;
    double f[4][4] = {{g[0][p], g[1][p], g[3][p], g[4][p]},
                      {g[1][p], g[2][p], g[4][p], g[5][p]},
                      {g[3][p], g[4][p], g[6][p], g[7][p]},
                      {g[4][p], g[5][p], g[7][p], g[8][p]}};
    double b[4], whole[4];
    for (int i = 0; i < 4; i++) {
        b[i] = sums->right[i][p];
        whole[i] = f[i][i];
    }
    for (size_t j = 0; j < rows->n_base; j++)
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++)
                f[i][k] -= sums->shares[6 * j + (size_t)i][p] * sums->shares[6 * j + (size_t)k][p];
    return gain_of(4, f, b, whole);
}

static double velocity_gain(const joint_rows *rows, const joint_sums *sums, int p)
{
    double f[4][4] = {{sums->speed[0][p], sums->speed[1][p]},
                      {sums->speed[1][p], sums->speed[2][p]}};
    double b[4] = {sums->speed[3][p], sums->speed[4][p]}, whole[4] = {f[0][0], f[1][1]};
    for (size_t j = 0; j < rows->n_base; j++)
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++)
                f[i][k] -=
                    sums->shares[6 * j + 4 + (size_t)i][p] * sums->shares[6 * j + 4 + (size_t)k][p];
    return gain_of(2, f, b, whole);
}

static sky_scan_node best_of_bin(const joint_rows *rows, const sky_grid *grid, size_t bin,
                                 joint_sums *sums)
{
    double frequency = grid->first_frequency_per_day + (double)bin * grid->step_per_day;
    sky_scan_node best = {.gain = -1.0, .frequency_per_day = frequency};
    for (size_t i = 0; i < grid->n_layers && bin < grid->layers[i].n_bins; i++) {
        memset(sums->gram, 0, sizeof sums->gram + sizeof sums->right + sizeof sums->speed);
        memset(sums->shares, 0, 6 * rows->n_base * sizeof *sums->shares);
        for (size_t k = 0; k < rows->data->n_rows; k++) {
            double turns = frequency * rows->data->time_days[k];
            double place = (turns - floor(turns)) * N_TURN;
            size_t index = (size_t)place < N_TURN ? (size_t)place : N_TURN - 1;
            double fraction = place - (double)index;
            if (k < rows->data->n_sky)
                add_sky(rows, rows->tables + i, k, index, fraction, sums);
            else
                add_velocity(rows, rows->tables + i, k, index, fraction, sums);
        }
        for (int p = 0; p < (int)grid->layers[i].n_phases; p++) {
            double gain = sky_gain(rows, sums, p);
            if (rows->data->n_velocities > 0)
                gain += velocity_gain(rows, sums, p);
            if (gain > best.gain) {
                best.gain = gain;
                best.eccentricity = grid->layers[i].eccentricity;
                best.m0_rad = SKY_ORBIT_TWO_PI * p / N_PHASES;
            }
        }
    }
    return best;
}

/* Bins are independent, so that threads change no bit. */
static equant_status scan_bins(const joint_rows *rows, const sky_grid *grid, int n_threads,
                               sky_scan_node *peaks)
{
    size_t n_shares = 6 * rows->n_base + 1;
    lanes *shares = malloc((size_t)n_threads * n_shares * sizeof *shares);
    if (shares == NULL)
        return status_out_of_memory();
#pragma omp parallel for schedule(dynamic, 16) num_threads(n_threads)
    for (size_t bin = 0; bin < grid->n_bins; bin++) {
        joint_sums sums;
        sums.shares = shares + (size_t)omp_get_thread_num() * n_shares;
        peaks[bin] = best_of_bin(rows, grid, bin, &sums);
    }
    free(shares);
    return EQUANT_SUCCESS;
}

equant_status joint_scan_run(const sky_refiner *refiner, const sky_grid *grid, int n_threads,
                             sky_scan_node *best)
{
    const sky_design *design = refiner->design;
    size_t n = design->n_rows;
    joint_rows rows = {.data = design->data,
                       .n_rows = n,
                       .n_base = refiner->system.n_columns,
                       .residual = refiner->residual,
                       .base = refiner->system.q};
    equant_status status = thread_supply_check(n_threads);
    if (status != EQUANT_SUCCESS)
        return status;
    rows.sine = malloc(2 * n * sizeof *rows.sine);
    rows.tables = malloc(grid->n_layers * sizeof *rows.tables);
    if (rows.sine != NULL && rows.tables != NULL) {
        rows.cosine = rows.sine + n;
        for (size_t k = 0; k < n; k++) {
            bool is_sky = k < design->data->n_sky;
            rows.sine[k] = is_sky ? design->sine[k] * refiner->root_weight[k] : 0.0;
            rows.cosine[k] = (is_sky ? design->cosine[k] : 1.0) * refiner->root_weight[k];
        }
        for (size_t i = 0; i < grid->n_layers; i++)
            fill_table(grid->layers[i].eccentricity, rows.tables + i);
        status = scan_bins(&rows, grid, n_threads, best);
    } else {
        status = status_out_of_memory();
    }
    free(rows.sine);
    free(rows.tables);
    return status;
}
