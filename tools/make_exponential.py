#!/usr/bin/env python3
"""Coefficients of physics/exponential.h: (e^r - 1 - r) / r^2 on [-ln 2 / 2, ln 2 / 2].

Interpolation at Chebyshev's places, in 60 digits; prints the coefficients and the largest relative
error of e^r. Needs mpmath.
"""

import mpmath as mp

DEGREE = 9
mp.mp.dps = 60


def wanted(r):
    return (mp.expm1(r) - r) / r**2 if abs(r) > mp.mpf("1e-20") else mp.mpf(1) / 2


def main():
    half = mp.log(2) / 2 * mp.mpf("1.0001")
    n = DEGREE + 1
    places = [half * mp.cos(mp.pi * (2 * k + 1) / (2 * n)) for k in range(n)]
    powers = mp.matrix([[place**j for j in range(n)] for place in places])
    exact = mp.lu_solve(powers, mp.matrix([wanted(place) for place in places]))
    rounded = [float(value) for value in exact]
    error = mp.mpf(0)
    for k in range(-500, 501):
        r = half * k / 500
        p = mp.polyval([mp.mpf(value) for value in reversed(rounded)], r)
        error = max(error, abs(r + r * r * p - mp.expm1(r)) / mp.exp(r))
    for value in rounded:
        print(f"{value:.17e}")
    print(f"largest relative error {mp.nstr(error, 3)}")


if __name__ == "__main__":
    main()
