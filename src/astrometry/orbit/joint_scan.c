#include "astrometry/orbit/joint_scan.h"

#include <stdlib.h>

#include "astrometry/orbit/joint_sums.h"
#include "core/status_fail.h"
#include "parallel/parallel_for.h"

/* A column of which the base leaves less than this share says nothing. */
#define NEGLIGIBLE_SHARE 1e-9

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

/* Of the amplitudes on the sky, and of those of velocities. */
static void gains_at(const joint_rows *rows, const joint_sums *sums, int phase, double gain[2])
{
    double f[4][4], b[4], whole[4];
    joint_sums_sky(rows, sums, phase, f, b, whole);
    gain[0] = gain_of(4, f, b, whole);
    gain[1] = 0.0;
    if (rows->data->n_velocities == 0)
        return;
    joint_sums_velocity(rows, sums, phase, f, b, whole);
    gain[1] = gain_of(2, f, b, whole);
}

static sky_scan_node best_of_bin(const joint_rows *rows, const sky_grid *grid, size_t bin,
                                 joint_sums *sums)
{
    double frequency = grid->first_frequency_per_day + (double)bin * grid->step_per_day;
    sky_scan_node best = {.gain = -1.0, .frequency_per_day = frequency};
    for (size_t i = 0; i < grid->n_layers && bin < grid->layers[i].n_bins; i++) {
        joint_sums_take(rows, i, frequency, 0.0, sums);
        for (int p = 0; p < (int)grid->layers[i].n_phases; p++) {
            double gain[2];
            gains_at(rows, sums, p, gain);
            if (gain[0] + gain[1] > best.gain) {
                best.gain = gain[0] + gain[1];
                best.eccentricity = grid->layers[i].eccentricity;
                best.m0_rad = SKY_ORBIT_TWO_PI * p / JOINT_PHASES;
            }
        }
    }
    return best;
}

typedef struct bin_scan {
    const joint_rows *rows;
    const sky_grid *grid;
    joint_lanes *shares; /* [n_threads][n_shares] */
    size_t n_shares;
    sky_scan_node *peaks;
} bin_scan;

static void scan_some(void *context, size_t first, size_t end, int thread)
{
    const bin_scan *own = context;
    for (size_t bin = first; bin < end; bin++) {
        joint_sums sums;
        sums.shares = own->shares + (size_t)thread * own->n_shares;
        own->peaks[bin] = best_of_bin(own->rows, own->grid, bin, &sums);
    }
}

/* Bins are independent, so that threads change no bit. */
static equant_status scan_bins(const joint_rows *rows, const sky_grid *grid, int n_threads,
                               sky_scan_node *peaks)
{
    size_t n_shares = joint_rows_n_shares(rows);
    joint_lanes *shares = malloc((size_t)n_threads * n_shares * sizeof *shares);
    if (shares == NULL)
        return status_out_of_memory();
    bin_scan own = {rows, grid, shares, n_shares, peaks};
    parallel_for(n_threads, grid->n_bins, 16, scan_some, &own);
    free(shares);
    return EQUANT_SUCCESS;
}

equant_status joint_scan_run(const sky_refiner *refiner, const sky_grid *grid, int n_threads,
                             sky_scan_node *best)
{
    joint_rows rows;
    double eccentricities[SKY_GRID_MAX_LAYERS];
    for (size_t i = 0; i < grid->n_layers; i++)
        eccentricities[i] = grid->layers[i].eccentricity;
    equant_status status = joint_rows_create(refiner, grid->n_layers, eccentricities, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    status = scan_bins(&rows, grid, n_threads, best);
    joint_rows_free(&rows);
    return status;
}

equant_status joint_scan_parts(const sky_refiner *refiner, const sky_scan_node *node,
                               double gain[2])
{
    joint_rows rows;
    joint_sums sums;
    equant_status status = joint_rows_create(refiner, 1, &node->eccentricity, &rows);
    if (status != EQUANT_SUCCESS)
        return status;
    sums.shares = malloc(joint_rows_n_shares(&rows) * sizeof *sums.shares);
    if (sums.shares != NULL) {
        joint_sums_take(&rows, 0, node->frequency_per_day, node->m0_rad / SKY_ORBIT_TWO_PI, &sums);
        gains_at(&rows, &sums, 0, gain);
    } else {
        status = status_out_of_memory();
    }
    free(sums.shares);
    joint_rows_free(&rows);
    return status;
}
