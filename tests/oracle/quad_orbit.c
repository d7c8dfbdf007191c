#include "quad_orbit.h"

#include <quadmath.h>

#include "quad_kepler.h"

/* K [cos(nu + omega) + e cos omega]. A negative e is the same ellipse seen from its other
 * end, which is how the velocity goes on beyond a circle. */
static __float128 velocity_of_elements(const __float128 elements[5], __float128 time)
{
    __float128 period = elements[0], k = elements[1], e = elements[2];
    __float128 turn = e < 0 ? M_PIq : 0, omega = elements[3] + turn;
    e = fabsq(e);
    quad_kepler at = quad_kepler_solve(2 * M_PIq * (time / period) + elements[4] + turn, e);
    __float128 cos_nu = (at.cosine - e) / at.slope;
    __float128 sin_nu = sqrtq((1 - e) * (1 + e)) * at.sine / at.slope;
    return k * (cos_nu * cosq(omega) - sin_nu * sinq(omega) + e * cosq(omega));
}

/* X' and Y' are turned by hand: (A, B) are what multiplies them. */
static __float128 velocity_of_linear(const __float128 c[5], __float128 time)
{
    __float128 e = hypotq(c[1], c[2]), m0 = atan2q(c[2], c[1]);
    quad_kepler at = quad_kepler_solve(2 * M_PIq * (time / expq(c[0])) + m0, e);
    __float128 x = at.cosine / at.slope, y = at.sine / at.slope;
    return c[3] * (cosq(m0) * x + sinq(m0) * y) + c[4] * (cosq(m0) * y - sinq(m0) * x);
}

static __float128 velocity(quad_orbit_basis basis, const __float128 c[5], __float128 time)
{
    __float128 elements[5] = {c[0], c[1], c[2], c[3], c[4]};
    if (basis == QUAD_ORBIT_LINEAR)
        return velocity_of_linear(c, time);
    if (basis != QUAD_ORBIT_ELEMENTS) {
        elements[0] = expq(c[0]);
        elements[1] = basis == QUAD_ORBIT_ROOTS ? c[1] * c[1] : expq(c[1]);
        elements[2] = hypotq(c[2], c[3]);
        if (basis == QUAD_ORBIT_ROOTS)
            elements[2] *= elements[2];
        elements[3] = atan2q(c[3], c[2]);
        elements[4] = c[4] - elements[3];
    }
    return velocity_of_elements(elements, time);
}

/* A and B are found from the velocity at two places, not from a formula for them. */
static void linear_coordinates(const __float128 elements[5], __float128 c[5])
{
    __float128 e = elements[2], m0 = elements[4], value[2], design[2][2];
    c[1] = e * cosq(m0);
    c[2] = e * sinq(m0);
    for (int i = 0; i < 2; i++) {
        __float128 unit[2][5], time = elements[0] * (i == 0 ? 0.1Q : 0.37Q);
        for (int j = 0; j < 2; j++) {
            for (int k = 0; k < 3; k++)
                unit[j][k] = c[k];
            unit[j][3] = j == 0;
            unit[j][4] = j == 1;
            design[i][j] = velocity_of_linear(unit[j], time);
        }
        value[i] = velocity_of_elements(elements, time);
    }
    __float128 determinant = design[0][0] * design[1][1] - design[0][1] * design[1][0];
    c[3] = (value[0] * design[1][1] - value[1] * design[0][1]) / determinant;
    c[4] = (value[1] * design[0][0] - value[0] * design[1][0]) / determinant;
}

static void coordinates_of(quad_orbit_basis basis, const double elements[5], __float128 c[5])
{
    __float128 exact[5];
    for (int i = 0; i < 5; i++)
        c[i] = exact[i] = elements[i];
    if (basis == QUAD_ORBIT_ELEMENTS)
        return;
    c[0] = logq(exact[0]);
    if (basis == QUAD_ORBIT_LINEAR) {
        linear_coordinates(exact, c);
        return;
    }
    __float128 length = basis == QUAD_ORBIT_ROOTS ? sqrtq(exact[2]) : exact[2];
    c[1] = basis == QUAD_ORBIT_ROOTS ? sqrtq(exact[1]) : logq(exact[1]);
    c[2] = length * cosq(exact[3]);
    c[3] = length * sinq(exact[3]);
    c[4] = exact[3] + exact[4];
}

void quad_orbit_differentiate(quad_orbit_basis basis, const double elements[5], double time_days,
                              double derivative[5])
{
    __float128 c[5];
    coordinates_of(basis, elements, c);
    for (int i = 0; i < 5; i++) {
        __float128 at = c[i], step = 1e-9Q * (fabsq(at) > 1 ? fabsq(at) : 1), side[2];
        for (int j = 0; j < 2; j++) {
            c[i] = at + (j + 1) * step;
            side[j] = velocity(basis, c, time_days);
            c[i] = at - (j + 1) * step;
            side[j] -= velocity(basis, c, time_days);
        }
        c[i] = at;
        derivative[i] = (double)((8 * side[0] - side[1]) / (12 * step));
    }
}
