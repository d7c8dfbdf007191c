#!/usr/bin/env python3
"""Integrates the volumes of the space of orbital shapes that src/inference/search/false_alarm.c
weighs noise by, and prints the polynomials of that file.

The unit templates u(t) = v / |v|, v the velocity with its mean taken out, form a manifold
with the coordinates (f, M0, e, omega). Averages run over M, uniform, and over times that
are independent of it with variance sigma_t^2. So du/df = 2 pi t du/dM is orthogonal to
everything else, and with g the metric in (M0, e, omega) a search to eccentricity E in a
range F of frequencies has the volumes

    whole        F 2 pi sigma_t  2 pi  int_0^E int |du/dM| sqrt(det g) domega de
    edge e = E   F 2 pi sigma_t  2 pi  int |du/dM| sqrt(det g without e) domega

There is no edge at e = 0, where (e, M0) are polar coordinates at fixed M0 + omega. A
Gaussian field on a manifold of dimension D has, to leading order, Vol_D (2 pi)^(-(D+1)/2)
U^(D-1) exp(-U^2/2) maxima above the level U, an edge counting half. With U^2 = 2 z and
W = F sqrt(4 pi) sigma_t this is W (P z^(3/2) + Q z) exp(-z); a single frequency, without
|du/dM|, has (A z + B z^(1/2)) exp(-z). Both begin like a flat disc: P and A = E^2, Q and
B = sqrt(pi) E. What is left of their logarithms is fitted by a polynomial in
x = -ln(1 - E) that vanishes with x.

Needs numpy.   Usage: make_false_alarm.py; a second output, on stderr, is a table to look at.
"""
import numpy as np

import false_alarm_fits

ECCENTRICITY_MAX = 0.99
DEGREE = 7
N_ANOMALIES, N_OMEGAS = 4096, 32


def shape_densities(e):
    """The four integrands over omega at eccentricity e: with |du/dM| the one of the whole
    and the one of the edge, then both without it."""
    E = 2 * np.pi * np.arange(N_ANOMALIES) / N_ANOMALIES
    weight = (1 - e * np.cos(E)) / N_ANOMALIES  # of a mean over M
    cos_f = (np.cos(E) - e) / (1 - e * np.cos(E))
    sin_f = np.sqrt(1 - e * e) * np.sin(E) / (1 - e * np.cos(E))
    steep = (1 - e * e) ** -1.5
    total = np.zeros(4)
    for omega in 2 * np.pi * np.arange(N_OMEGAS) / N_OMEGAS:
        sin_u = np.sin(omega) * cos_f + np.cos(omega) * sin_f
        v = np.cos(omega) * cos_f - np.sin(omega) * sin_f
        by_m0 = -sin_u * (1 + e * cos_f) ** 2 * steep
        by_e = -sin_u * sin_f * (2 + e * cos_f) / (1 - e * e)
        # (dv/domega - dv/dM0) / e, regular at e = 0
        turn = sin_u * (np.expm1(-1.5 * np.log1p(-e * e)) / e
                        + steep * (2 * cos_f + e * cos_f**2))
        v = v - weight @ v
        norm2 = weight @ v**2
        tangents = np.array([by_m0, turn, by_e])
        tangents -= np.outer(tangents @ weight, np.ones(N_ANOMALIES))
        tangents -= np.outer(tangents @ (weight * v) / norm2, v)
        metric = (tangents * weight) @ tangents.T / norm2
        speed = np.sqrt(weight @ by_m0**2 / norm2)
        whole = e * np.sqrt(np.linalg.det(metric))
        edge = e * np.sqrt(np.linalg.det(metric[:2, :2]))
        total += np.array([speed * whole, speed * edge, whole, edge])
    return total * 2 * np.pi / N_OMEGAS


def volumes(eccentricities):
    """Rows P, Q, A, B at ascending eccentricities, by Gauss-Legendre in between."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    inside = np.zeros(4)
    rows, start = [], 0.0
    for end in eccentricities:
        for node, weight in zip(nodes, weights):
            e = start + (end - start) * (node + 1) / 2
            inside += (end - start) / 2 * weight * shape_densities(e)
        start = end
        edge = shape_densities(end)
        rows.append([inside[0] / np.pi, edge[1] / np.sqrt(4 * np.pi),
                     inside[2] / np.pi, edge[3] / np.sqrt(4 * np.pi)])
    return np.array(rows)


if __name__ == "__main__":
    x, e = false_alarm_fits.nodes(ECCENTRICITY_MAX)
    start = np.array([e**2, np.sqrt(np.pi) * e, e**2, np.sqrt(np.pi) * e]).T
    false_alarm_fits.print_fits(x, e, volumes(e), start, np.arange(1, DEGREE + 1))
