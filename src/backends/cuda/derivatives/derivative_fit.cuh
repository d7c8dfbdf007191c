/* One parameter set up to its residuals: the columns of its planets, its weights, and offsets and
 * trend given or solved. A team works on it; thread i takes observations i, i + threads, ... of
 * an instrument or of all, so sums do not depend on anything but the data. */
#ifndef EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_FIT_CUH
#define EQUANT_BACKENDS_CUDA_DERIVATIVES_DERIVATIVE_FIT_CUH

#include "backends/cuda/derivatives/derivative_layout.cuh"
#include "backends/cuda/derivatives/team.cuh"
#include "backends/cuda/evaluate/parameter_set.cuh"
#include "physics/chi_square.h"

/* ---- columns ------------------------------------------------------------- */

/* Constants of all planets, a planet per thread. */
LANE_FUNCTION void derivative_prepare(const derivative_problem &problem, const double *set,
                                      const derivative_workspace &at)
{
    for (size_t p = team_thread(); p < problem.layout.model.n_planets; p += team_n_threads()) {
        const double *elements = set + N_ELEMENTS * p;
        double P = elements[ELEMENT_PERIOD], K = elements[ELEMENT_K];
        double e = elements[ELEMENT_ECCENTRICITY];
        double omega = huge_angle_reduce(elements[ELEMENT_OMEGA], HUGE_ANGLE);
        double M0 = huge_angle_reduce(elements[ELEMENT_M0], HUGE_ANGLE);
        f64 constants[DERIVATIVE_CONSTANTS];
        radial_velocity_prepare(P, K, e, omega, M0, constants);
        velocity_derivatives_prepare(problem.basis, P, K, e, omega, M0, constants + N_CONSTANTS);
        for (int i = 0; i < DERIVATIVE_CONSTANTS; i++)
            at.planets[p * DERIVATIVE_CONSTANTS + i] = constants[i];
    }
}

/* The velocity of a planet at time t, and its five columns. */
LANE_FUNCTION double derivative_planet(const double *c, const double *d, double t,
                                       double columns[N_VELOCITY_COORDINATES])
{
    double e = c[CONSTANT_E], one_minus_e = c[CONSTANT_ONE_MINUS_E];
    double M = mean_anomaly_at_time_f64(t, c[CONSTANT_MEAN_MOTION], c[CONSTANT_MEAN_MOTION_LOW],
                                        c[CONSTANT_M0]);
    double M_abs = lane_abs(M), E_minus_sin, one_minus_cos, parts[N_PARTS];
    double guess = (double)starter_cubic((f32)M_abs, (f32)e, (f32)one_minus_e);
    sin_cos_versed(guess, &E_minus_sin, &one_minus_cos);
    kepler_point point =
        kepler_correct(guess, E_minus_sin, one_minus_cos, M_abs, e, 0.5 * e, one_minus_e);
    velocity_derivatives_parts(point, M, e, one_minus_e, c[CONSTANT_A], c[CONSTANT_B],
                               d[DERIVATIVE_K_COSINE], d[DERIVATIVE_INVERSE_Q], parts);
    columns[0] = d[DERIVATIVE_PERIOD] * t * parts[PART_MEAN];
#pragma unroll
    for (int i = 0; i < N_SHAPE_COORDINATES; i++) {
        const double *row = d + DERIVATIVE_MATRIX + i * N_PARTS;
        double sum = row[0] * parts[0];
#pragma unroll
        for (int j = 1; j < N_PARTS; j++)
            sum = lane_fma(row[j], parts[j], sum);
        columns[1 + i] = sum;
    }
    return radial_velocity(point, M, e, one_minus_e, c[CONSTANT_A], c[CONSTANT_B]);
}

/* Columns of all planets; their velocities go where the residuals will be. */
LANE_FUNCTION void derivative_planets(const cuda_layout &layout, const derivative_workspace &at)
{
    double *velocity = at.columns + (at.n_columns - 1) * layout.n_obs;
    for (size_t k = team_thread(); k < layout.n_obs; k += team_n_threads())
        velocity[k] = 0.0;
    for (size_t p = 0; p < layout.model.n_planets; p++) {
        double c[DERIVATIVE_CONSTANTS], columns[N_VELOCITY_COORDINATES];
        for (int i = 0; i < DERIVATIVE_CONSTANTS; i++)
            c[i] = at.planets[p * DERIVATIVE_CONSTANTS + i];
        for (size_t k = team_thread(); k < layout.n_obs; k += team_n_threads()) {
            velocity[k] += derivative_planet(c, c + N_CONSTANTS, layout.time[k], columns);
            for (int i = 0; i < N_VELOCITY_COORDINATES; i++)
                at.columns[(N_ELEMENTS * p + i) * layout.n_obs + k] = columns[i];
        }
    }
}

/* Columns of the trend: powers of the time, of the scaled one where the trend is solved, for there
 * it is only taken away. */
LANE_FUNCTION void derivative_trend(const cuda_layout &layout, const derivative_workspace &at)
{
    double *column = at.columns + layout.model.columns[TERM_ORBITS].n * layout.n_obs;
    for (size_t k = team_thread(); k < layout.n_obs; k += team_n_threads()) {
        double t = layout.model.given[TERM_TREND] ? layout.time[k] : set_tau(layout, k);
        double power = t;
        for (int j = 0; j < layout.model.trend_order; j++, power *= t)
            column[(size_t)j * layout.n_obs + k] = power;
    }
}

LANE_FUNCTION void derivative_weights(const cuda_layout &layout, const double *jitter,
                                      const derivative_workspace &at)
{
    for (size_t i = 0; i < layout.n_segments; i++) {
        const cuda_segment &segment = layout.segments[i];
        double s = jitter ? jitter[i] : 0.0;
        for (size_t k = segment.first + team_thread(); k < segment.end; k += team_n_threads())
            at.weights[k] = jitter ? chi_square_weight(layout.variance[k], s) : layout.weight[k];
    }
}

/* ---- offsets, trend, residuals ------------------------------------------- */

/* Moments of one instrument. */
LANE_FUNCTION linear_moments derivative_moments(const cuda_layout &layout,
                                                const derivative_workspace &at,
                                                const cuda_segment &segment, double offset,
                                                const double trend[2])
{
    const double *velocity = at.columns + (at.n_columns - 1) * layout.n_obs;
    double sums[8] = {};
    for (size_t k = segment.first + team_thread(); k < segment.end; k += team_n_threads()) {
        double tau = set_tau(layout, k), w = at.weights[k];
        double wr = w * chi_square_residual(layout.velocity[k], velocity[k], offset, tau, trend[0],
                                            trend[1]);
#pragma unroll
        for (int j = 0; j < LINEAR_N_WEIGHT_MOMENTS; j++, w *= tau)
            sums[j] += w;
#pragma unroll
        for (int j = 0; j < 3; j++, wr *= tau)
            sums[5 + j] += wr;
    }
    team_sum(sums);
    return {{sums[0], sums[1], sums[2], sums[3], sums[4]}, {sums[5], sums[6], sums[7]}};
}

/* Offsets, less the references of their instruments, and the trend in scaled time. */
LANE_FUNCTION void derivative_linear(const cuda_layout &layout, const parameter_view &given,
                                     const derivative_workspace &at, double trend[2])
{
    const bool solve_offsets = !given.offsets;
    const bool solve_trend = !given.trend && layout.model.trend_order > 0;
    const linear_trend drift = set_given_trend(layout, given);
    double scale1 = 0.0, scale2 = 0.0;
    trend[0] = drift.slope;
    trend[1] = drift.curvature;
    linear_reduced reduced = {};
    for (size_t i = 0; i < layout.n_segments; i++) {
        const cuda_segment segment = layout.segments[i];
        double offset =
            solve_offsets ? 0.0 : given.offsets[i] + drift.value - segment.reference_m_s;
        linear_moments m = {};
        if (solve_offsets || solve_trend)
            m = derivative_moments(layout, at, segment, offset, trend);
        linear_reduce(&reduced, &m, solve_offsets);
        scale1 += m.W[2];
        scale2 += m.W[4];
        if (team_thread() == 0) {
            double *kept = at.moments + 4 * i;
            kept[0] = m.W[0], kept[1] = m.W[1], kept[2] = m.W[2], kept[3] = m.b[0];
            at.offsets[i] = offset;
        }
    }
    if (solve_trend)
        linear_solve_trend(&reduced, layout.model.trend_order, 1e-12, scale1, scale2, &trend[0],
                           &trend[1]);
    team_wait();
    for (size_t i = team_thread(); solve_offsets && i < layout.n_segments; i += team_n_threads()) {
        const double *kept = at.moments + 4 * i;
        linear_moments m = {{kept[0], kept[1], kept[2], 0.0, 0.0}, {kept[3], 0.0, 0.0}};
        at.offsets[i] =
            linear_offset(&m, solve_trend ? trend[0] : 0.0, solve_trend ? trend[1] : 0.0);
    }
    team_wait();
}

/* Turns velocities into residuals. Chi-square, and the logarithms of all variances. */
LANE_FUNCTION void derivative_residuals(const cuda_layout &layout, const double *jitter,
                                        const derivative_workspace &at, const double trend[2],
                                        double *chi_square, double *log_variances)
{
    double *column = at.columns + (at.n_columns - 1) * layout.n_obs, known = 0.0;
    double sums[2] = {0.0, 0.0};
    for (size_t i = 0; i < layout.n_segments; i++) {
        const cuda_segment &segment = layout.segments[i];
        double offset = at.offsets[i], s = jitter ? jitter[i] : 0.0;
        known += segment.log_variances;
        for (size_t k = segment.first + team_thread(); k < segment.end; k += team_n_threads()) {
            double tau = set_tau(layout, k);
            double r =
                chi_square_residual(layout.velocity[k], column[k], offset, tau, trend[0], trend[1]);
            column[k] = r;
            sums[0] = lane_fma(at.weights[k] * r, r, sums[0]);
            if (jitter)
                sums[1] += log(lane_fma(s, s, layout.variance[k]));
        }
    }
    team_sum(sums);
    *chi_square = sums[0];
    *log_variances = jitter ? sums[1] : known;
}

#endif
