/* Derivatives of the radial velocity with respect to the coordinates of its planet.
 *
 *   P, K, e, omega, M0, a, b   as in radial_velocity.h, where a and b are A and B
 *   s, c = sin E, cos E        u = 1 - c        r = 1 - e c
 *   beta^2 = 1 - e^2           tau = 2 pi (t - t_ref) / P
 *
 * Five quantities at a point of the orbit make up every derivative there is:
 *   X = c/r,  Y = s/r          v = a X - b Y
 *   v_M                        by the mean anomaly
 *   v_e                        by e, at fixed K, omega and mean anomaly
 *   D = (v_M + b X + a Y)/e    by turning the pericentre along the orbit, for each e of
 *                              the turn: a removable singularity, removed here.
 * A basis of coordinates is then a matrix, the same at all times; only the period's
 * column needs the time, -tau v_M.
 *
 * The basis EQUANT_BASIS_LINEAR turns X and Y by -M0, so that they stay what they are when
 * a circle's pericentre, which means nothing, moves:
 *   v = A (cos M0 X + sin M0 Y) + B (cos M0 Y - sin M0 X),
 *   a = A cos M0 - B sin M0,   -b = A sin M0 + B cos M0.
 */
#ifndef EQUANT_PHYSICS_VELOCITY_DERIVATIVES_H
#define EQUANT_PHYSICS_VELOCITY_DERIVATIVES_H

#include "physics/radial_velocity.h"

/* Coordinates of a planet; their meaning is that of equant_basis. */
enum velocity_basis {
    VELOCITY_BASIS_ELEMENTS, /* P, K, e, omega, M0                                       */
    VELOCITY_BASIS_REGULAR,  /* ln P, ln K, e cos omega, e sin omega, M0 + omega         */
    VELOCITY_BASIS_ROOTS,    /* ln P, sqrt K, sqrt e (cos omega, sin omega), M0 + omega  */
    VELOCITY_BASIS_LINEAR    /* ln P, e cos M0, e sin M0, A, B                           */
};

/* The quantities of the list above; columns of the matrix of a basis. */
enum velocity_part { PART_X, PART_Y, PART_MEAN, PART_ECCENTRICITY, PART_TURN, N_PARTS };

/* Coordinates beside the period; rows of the matrix of a basis. */
#define N_SHAPE_COORDINATES 4
#define N_VELOCITY_COORDINATES (1 + N_SHAPE_COORDINATES)

/* What derivatives need of a planet beside its constants of velocity. */
enum derivative_constant {
    DERIVATIVE_PERIOD,    /* what t v_M is multiplied by       */
    DERIVATIVE_K_COSINE,  /* K cos omega                       */
    DERIVATIVE_INVERSE_Q, /* 1/(1 - e^2)                       */
    DERIVATIVE_MATRIX,    /* row by row                        */
    N_DERIVATIVE_CONSTANTS = DERIVATIVE_MATRIX + N_SHAPE_COORDINATES * N_PARTS
};

/* Elements of the planets in the lanes, and what follows from them. */
typedef struct derivative_elements {
    f64 P, K, e, beta, cos_omega, sin_omega, cos_M0, sin_M0;
} derivative_elements;

LANE_FUNCTION void velocity_matrix_elements(derivative_elements p,
                                            f64 matrix[N_SHAPE_COORDINATES][N_PARTS])
{
    f64 x = p.beta * p.beta, y = p.beta;
    matrix[0][PART_X] = x * p.cos_omega;
    matrix[0][PART_Y] = -(y * p.sin_omega);
    matrix[1][PART_ECCENTRICITY] = F64(1.0);
    matrix[2][PART_X] = -(p.K * x * p.sin_omega);
    matrix[2][PART_Y] = -(p.K * y * p.cos_omega);
    matrix[3][PART_MEAN] = F64(1.0);
}

/* One amplitude, by which v = a X - b Y is `amplitude` times its derivative by K; then
 * radial (by_e v_e) and tangential (by_turn (v_omega - v_M)/e) steps in the plane of e and
 * omega, taken along its axes; then the longitude. */
LANE_FUNCTION void velocity_matrix_polar(derivative_elements p, f64 amplitude, f64 by_e,
                                         f64 by_turn, f64 matrix[N_SHAPE_COORDINATES][N_PARTS])
{
    /* (v_omega - v_M)/e = -D + lag (sin omega X - cos omega Y) */
    f64 lag = lane_divide(p.K * p.e * p.beta, F64(1.0) + p.beta);
    matrix[0][PART_X] = amplitude * p.beta * p.beta * p.cos_omega;
    matrix[0][PART_Y] = -(amplitude * p.beta * p.sin_omega);
    f64 axis[2][2] = {{p.cos_omega, -p.sin_omega}, {p.sin_omega, p.cos_omega}};
    for (int i = 0; i < 2; i++) {
        f64 turn = by_turn * axis[i][1];
        matrix[1 + i][PART_X] = turn * (lag * p.sin_omega);
        matrix[1 + i][PART_Y] = -(turn * (lag * p.cos_omega));
        matrix[1 + i][PART_ECCENTRICITY] = by_e * axis[i][0];
        matrix[1 + i][PART_TURN] = -turn;
    }
    matrix[3][PART_MEAN] = F64(1.0);
}

/* At fixed A and B, and so at fixed a and b, the derivative by e is
 * v_e + 2 e K cos omega X - (e/beta) K sin omega Y. */
LANE_FUNCTION void velocity_matrix_linear(derivative_elements p,
                                          f64 matrix[N_SHAPE_COORDINATES][N_PARTS])
{
    f64 x = F64(2.0) * p.e * p.K * p.cos_omega;
    f64 y = lane_divide(-(p.e * p.K * p.sin_omega), p.beta);
    f64 axis[2][2] = {{p.cos_M0, -p.sin_M0}, {p.sin_M0, p.cos_M0}};
    for (int i = 0; i < 2; i++) {
        matrix[i][PART_X] = axis[i][0] * x;
        matrix[i][PART_Y] = axis[i][0] * y;
        matrix[i][PART_ECCENTRICITY] = axis[i][0];
        matrix[i][PART_TURN] = axis[i][1];
        matrix[2 + i][PART_X] = axis[0][i];
        matrix[2 + i][PART_Y] = axis[1][i];
    }
}

/* Constants of the planets in the lanes. Elements must be inside their domain. */
LANE_FUNCTION void velocity_derivatives_prepare(enum velocity_basis basis, f64 P, f64 K, f64 e,
                                                f64 omega, f64 M0,
                                                f64 constants[N_DERIVATIVE_CONSTANTS])
{
    f64 q = (F64(1.0) - e) * (F64(1.0) + e), root_e = lane_sqrt(e), turns;
    derivative_elements p = {.P = P, .K = K, .e = e, .beta = lane_sqrt(q)};
    sin_cos(mean_anomaly_reduce_f64(omega, &turns), &p.sin_omega, &p.cos_omega);
    sin_cos(mean_anomaly_reduce_f64(M0, &turns), &p.sin_M0, &p.cos_M0);
    f64 matrix[N_SHAPE_COORDINATES][N_PARTS];
    for (int i = 0; i < N_SHAPE_COORDINATES; i++)
        for (int j = 0; j < N_PARTS; j++)
            matrix[i][j] = F64(0.0);
    switch (basis) {
    case VELOCITY_BASIS_ELEMENTS:
        velocity_matrix_elements(p, matrix);
        break;
    case VELOCITY_BASIS_REGULAR:
        velocity_matrix_polar(p, K, F64(1.0), F64(1.0), matrix);
        break;
    case VELOCITY_BASIS_ROOTS:
        velocity_matrix_polar(p, F64(2.0) * lane_sqrt(K), F64(2.0) * root_e, root_e, matrix);
        break;
    case VELOCITY_BASIS_LINEAR:
        velocity_matrix_linear(p, matrix);
        break;
    }
    f64 by_log_period = lane_divide(F64(-MEAN_ANOMALY_TWO_PI), P);
    constants[DERIVATIVE_PERIOD] =
        basis == VELOCITY_BASIS_ELEMENTS ? lane_divide(by_log_period, P) : by_log_period;
    constants[DERIVATIVE_K_COSINE] = K * p.cos_omega;
    constants[DERIVATIVE_INVERSE_Q] = lane_divide(F64(1.0), q);
    for (int i = 0; i < N_SHAPE_COORDINATES; i++)
        for (int j = 0; j < N_PARTS; j++)
            constants[DERIVATIVE_MATRIX + i * N_PARTS + j] = matrix[i][j];
}

/* The five quantities at a point of the half orbit; M gives the side of pericentre by its
 * sign. With d = 1 - e the differences that vanish near the pericentre of a long ellipse
 * are c - e = d - u and
 *   1 - c^2 (1 + r) = -d + u (1 + 3 d + u (1 - 3 d - e u)). */
LANE_FUNCTION void velocity_derivatives_parts(kepler_point point, real M, real e, real one_minus_e,
                                              real a, real b, real K_cosine, real inverse_q,
                                              real parts[N_PARTS])
{
    const real one = REAL(1.0);
    real s = lane_flip_sign(point.sine, M), u = point.one_minus_cos, c = one - u;
    real r = lane_fma(e, u, one_minus_e);
    real inverse = lane_divide(one, r);
    real inverse_cube = inverse * inverse * inverse;
    real three_d = REAL(3.0) * one_minus_e;
    real inner = lane_fma(u, (one - three_d) - e * u, one + three_d);
    real difference = lane_fma(u, inner, -one_minus_e);
    real v_M = -(lane_fma(a, s, b * (one_minus_e - u)) * inverse_cube);
    parts[PART_X] = c * inverse;
    parts[PART_Y] = s * inverse;
    parts[PART_MEAN] = v_M;
    parts[PART_ECCENTRICITY] = lane_fma(s * lane_fma(r, inverse_q, one), v_M, K_cosine);
    parts[PART_TURN] = lane_fma(b, difference, -(a * (s * c) * (one + r))) * inverse_cube;
}

#endif
