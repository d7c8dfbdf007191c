#!/usr/bin/env python3
"""Fits the polynomials g and h of src/physics/sin_cos.h and prints their coefficients.

    E - sin E = E^3 g(E^2),    1 - cos E = E^2 h(E^2)    on [0, pi + 0.02]

The relative error is made small by least squares on Chebyshev points in 40 digits.
Coefficients are rounded one after the other to the type they will have, the lowest
first, and those that remain are fitted again to what rounding left over.

Needs mpmath.   Usage: make_sin_cos.py
"""
import struct

import mpmath as mp

mp.mp.dps = 40
N_POINTS = 160
Z_MAX = (mp.pi + mp.mpf("0.02")) ** 2


def g(z):
    if z < mp.mpf("1e-6"):
        return mp.mpf(1) / 6 - z / 120 + z**2 / 5040
    E = mp.sqrt(z)
    return (E - mp.sin(E)) / E**3


def h(z):
    if z < mp.mpf("1e-6"):
        return mp.mpf(1) / 2 - z / 24 + z**2 / 720
    return (1 - mp.cos(mp.sqrt(z))) / z


def to_single(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def fit(function, n_terms, rounded, first=()):
    """Coefficients, lowest first, and the largest relative error they leave."""
    z = [Z_MAX * (1 - mp.cos(mp.pi * (k + mp.mpf(1) / 2) / N_POINTS)) / 2 for k in range(N_POINTS)]
    target = [function(x) for x in z]
    known = list(first)
    while len(known) < n_terms:
        free = range(len(known), n_terms)
        A = mp.matrix([[x**j / t for j in free] for x, t in zip(z, target)])
        b = mp.matrix([1 - sum(mp.mpf(c) * x**j for j, c in enumerate(known)) / t
                       for x, t in zip(z, target)])
        known.append(rounded(float(mp.lu_solve(A, b)[0])))
    error = max(abs(sum(mp.mpf(c) * x**j for j, c in enumerate(known)) / t - 1)
                for x, t in zip(z, target))
    return known, float(error)


def report(title, function, n_terms, rounded, digits, first=()):
    coefficients, error = fit(function, n_terms, rounded, first)
    print(f"{title}: largest relative error {error:.1e}")
    for c in coefficients:
        print(f"    {c:.{digits}e}")


if __name__ == "__main__":
    report("g, double", g, 10, float, 17)
    report("h, double", h, 10, float, 17, first=[0.5])
    report("g, single", g, 6, to_single, 9)
    report("h, single", h, 6, to_single, 9, first=[0.5])
