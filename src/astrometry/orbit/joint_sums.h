/* Sums over the rows for a companion of given frequency and eccentricity, of all phases at once:
 * what its amplitudes are solved from, four on the sky and two of velocities, behind a base.
 *
 * Places come from tables of the orbit over one turn, whose phases are shifts; lanes of the loops
 * are the phases. */
#ifndef EQUANT_ASTROMETRY_ORBIT_JOINT_SUMS_H
#define EQUANT_ASTROMETRY_ORBIT_JOINT_SUMS_H

#include "astrometry/solution/sky_refine.h"

enum { JOINT_PHASES = 12 };

typedef struct orbit_table orbit_table;

/* What is summed, whitened: with the directions of the rows, sine and cosine of the sky; of
 * velocities the cosine is the weight's root. */
typedef struct joint_rows {
    const sky_data *data;
    size_t n_rows, n_base;
    double *squares; /* [3][n_rows]: sine sine, sine cosine, cosine cosine */
    double *along;   /* [n_base + 1][2][n_rows]: sine and cosine times each column of the base, and
                        times the residual behind them */
    orbit_table *tables; /* one for each eccentricity */
} joint_rows;

typedef double joint_lanes[JOINT_PHASES];

/* Of the columns of the sky, x sine, x cosine, y sine, y cosine; of the velocities, x and y. */
typedef struct joint_sums {
    joint_lanes gram[9];  /* xx, xy, yy, each with ss, sc, cc */
    joint_lanes right[4]; /* with the residual                */
    joint_lanes speed[5]; /* of velocities: xx, xy, yy, and with the residual */
    joint_lanes *shares;  /* [n_base][6], and behind them room for places: joint_rows_n_shares */
} joint_sums;

/* The refiner holds the weights, the whitened residual and the orthonormal base, its data must
 * outlive the rows. */
equant_status joint_rows_create(const sky_refiner *refiner, size_t n_eccentricities,
                                const double *eccentricities, joint_rows *rows);
void joint_rows_free(joint_rows *rows);

/* Lanes that joint_sums.shares needs. */
size_t joint_rows_n_shares(const joint_rows *rows);

/* Phase p has M0 = 2 pi (p / JOINT_PHASES + turns). */
void joint_sums_take(const joint_rows *rows, size_t eccentricity, double frequency_per_day,
                     double turns, joint_sums *sums);

/* The normal matrix of the amplitudes of the sky and its right-hand side, what the base explains
 * taken away; `whole`: its diagonal before that. */
void joint_sums_sky(const joint_rows *rows, const joint_sums *sums, int phase, double f[4][4],
                    double b[4], double whole[4]);
void joint_sums_velocity(const joint_rows *rows, const joint_sums *sums, int phase, double f[4][4],
                         double b[4], double whole[4]);

#endif
