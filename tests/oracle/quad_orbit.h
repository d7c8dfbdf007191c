/* The velocity of one planet as a function of its coordinates in any basis of
 * include/equant.h, in quadruple precision, and its derivatives by differences of
 * fourth order: right to about 1e-20 and sharing no formula with src/. */
#ifndef ORACLE_QUAD_ORBIT_H
#define ORACLE_QUAD_ORBIT_H

/* Numbered as equant_basis is. */
typedef enum quad_orbit_basis {
    QUAD_ORBIT_ELEMENTS,
    QUAD_ORBIT_REGULAR,
    QUAD_ORBIT_ROOTS,
    QUAD_ORBIT_LINEAR
} quad_orbit_basis;

/* derivative[i] = dv / d coordinate i at `time_days` from the reference time. Elements
 * must lie in their domain. */
void quad_orbit_differentiate(quad_orbit_basis basis, const double elements[5], double time_days,
                              double derivative[5]);

#endif
