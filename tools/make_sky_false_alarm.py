#!/usr/bin/env python3
"""Integrates the volumes of the space of orbits on the sky that
src/astrometry/orbit/sky_false_alarm.c weighs noise by, and prints the polynomials of that file.

An abscissa is u = (b X + g Y) sin psi + (a X + f Y) cos psi; position angles psi are taken to be
isotropic and independent of the phase, so that <u, v> is the mean over M of the products of both
coordinates. X is taken without its mean, which the position explains, and X and Y in units of their
standard deviations: templates of unit length then have (a, b, f, g) on the sphere S^3. What moves
off the space of these four amplitudes are the derivatives by M0 and e of X and Y without what 1, X
and Y explain of them; by parity there are eight products of them. Times are independent of the
phase with variance sigma_t^2, so that du/df = 2 pi t du/dM is orthogonal to everything else.

Only alpha = a^2 + b^2 and gamma = a f + b g matter. With (A + G, B - F) = sqrt(2) cos(eta) and
(A - G, B + F) = sqrt(2) sin(eta) times unit vectors the measure of S^3 is sin(eta) cos(eta) deta
times that of two angles, of which half the sum turns (alpha, gamma).

A Gaussian field on a manifold of dimension D has Vol_D (2 pi)^(-(D+1)/2) U^(D-1) exp(-U^2/2) maxima
above the level U, an edge counting half. With U^2 = 2 z and W = F sqrt(4 pi) sigma_t this is

    W (P z^(5/2) + Q z^2 + z^(3/2)) exp(-z),     P = 2 int_0^E <|du/dM| sqrt(det g)> de,
                                                 Q = sqrt(pi) <|du/dM| sqrt(g_MM)> at E,
    a single frequency:  (A z^2 + B z^(3/2) + z) exp(-z), the same without |du/dM|.

The logarithms of P/E^2, Q/E, A/E^2 and B/E are fitted by polynomials in x = -ln(1 - E).

Needs numpy.   Usage: make_sky_false_alarm.py; a second output, on stderr, is a table to look at.
"""
import numpy as np

import false_alarm_fits

ECCENTRICITY_MAX = 0.99
DEGREE = 7
N_ANOMALIES, N_ETAS, N_OMEGAS = 8192, 24, 24


def densities(e):
    """Means over the sphere: with |du/dM| those of the whole and of the edge, then without."""
    E = 2 * np.pi * np.arange(N_ANOMALIES) / N_ANOMALIES
    slope = 1 - e * np.cos(E)
    weight = slope / N_ANOMALIES
    root = np.sqrt(1 - e * e)
    x, y = np.cos(E) - e, root * np.sin(E)
    x_m, y_m = -np.sin(E) / slope, root * np.cos(E) / slope
    x_e, y_e = -np.sin(E) ** 2 / slope - 1, root * np.cos(E) * np.sin(E) / slope - e / root * np.sin(E)
    x = x - weight @ x
    x /= np.sqrt(weight @ x**2)
    size_x, size_y = np.sqrt(0.5 - e * e / 4), root / np.sqrt(2)
    y /= np.sqrt(weight @ y**2)
    x_m, x_e, y_m, y_e = x_m / size_x, x_e / size_x, y_m / size_y, y_e / size_y
    speed_x, speed_y = weight @ x_m**2, weight @ y_m**2

    def off(f):
        f = f - weight @ f
        return f - (weight @ (f * x)) * x - (weight @ (f * y)) * y

    x_m, y_m, x_e, y_e = off(x_m), off(y_m), off(x_e), off(y_e)
    mm_x, mm_y = weight @ x_m**2, weight @ y_m**2
    ee_x, ee_y = weight @ x_e**2, weight @ y_e**2
    cross = weight @ (x_m * y_e + y_m * x_e)
    nodes, weights = np.polynomial.legendre.leggauss(N_ETAS)
    square = (nodes + 1) / 2  # of sin(eta), uniform on the sphere
    total = np.zeros(4)
    for s2, w in zip(square, weights / 2):
        omega = np.pi * (np.arange(N_OMEGAS) + 0.5) / N_OMEGAS
        s, d = np.sqrt((1 - s2) / 2), np.sqrt(s2 / 2)  # a0 (1 +- cos i) / 2
        big, small = s + d, s - d  # the ellipse's axes
        alpha = (big * np.cos(omega)) ** 2 + (small * np.sin(omega)) ** 2
        gamma = (small**2 - big**2) * np.sin(omega) * np.cos(omega)
        speed = np.sqrt(alpha * speed_x + (1 - alpha) * speed_y)
        g_mm = alpha * mm_x + (1 - alpha) * mm_y
        g_ee = alpha * ee_x + (1 - alpha) * ee_y
        whole = np.sqrt(np.maximum(g_mm * g_ee - (gamma * cross) ** 2, 0))
        edge = np.sqrt(g_mm)
        total += w * np.array([np.mean(speed * whole), np.mean(speed * edge), np.mean(whole),
                               np.mean(edge)])
    return total


def volumes(eccentricities):
    """Rows P, Q, A, B at ascending eccentricities, by Gauss-Legendre in between."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    inside = np.zeros(4)
    rows, start = [], 0.0
    for end in eccentricities:
        for node, weight in zip(nodes, weights):
            inside += (end - start) / 2 * weight * densities(start + (end - start) * (node + 1) / 2)
        start = end
        edge = densities(end)
        rows.append([2 * inside[0], np.sqrt(np.pi) * edge[1], 2 * inside[2],
                     np.sqrt(np.pi) * edge[3]])
    return np.array(rows)


if __name__ == "__main__":
    x, e = false_alarm_fits.nodes(ECCENTRICITY_MAX)
    start = np.array([e**2, e, e**2, e]).T
    false_alarm_fits.print_fits(x, e, volumes(e), start, np.arange(0, DEGREE + 1))
