#!/usr/bin/env python3
"""Fits the polynomials of src/physics/starter_coefficients.h and prints that file.

With q = sqrt(1 - e), c = q^3 and y = log2(1 + m/c) / log2(1 + pi/c), the eccentric
anomaly is a smooth function of (y, q) on the unit interval times [q_min, 1]. It is
fitted by a polynomial that vanishes with y, minimising the largest of
|dE| (1 + e sin E / (2 f')), which is what one correction step amplifies, and printed
in powers of the centred variables s = 2 y - 1 and w = (q - q_mid) / q_half, whose
coefficients stay small:  E0 = sum_i s^i sum_j b_ij w^j.

Where one step of Newton is all that follows (table ROUGH), what counts is the error that it
leaves in the velocity, dE^2 times a factor that depends on the place: its mean square is
minimised over observations at random times and eccentricities uniform up to the largest.

Needs numpy.   Usage: make_starter.py > src/physics/starter_coefficients.h
"""
import numpy as np
from numpy.polynomial import chebyshev, polynomial

ECCENTRICITY_MAX = 0.99
Q_MIN = np.sqrt(1 - ECCENTRICITY_MAX) * 0.999


def samples(n_q=64):
    """Yields (q, y, E, weight) on rows of constant eccentricity."""
    nodes = np.cos(np.pi * (np.arange(n_q) + 0.5) / n_q)
    for q in Q_MIN + (1 - Q_MIN) * (nodes + 1) / 2:
        e = 1 - q * q
        E = np.concatenate([np.pi * (1 - np.cos(np.linspace(0, np.pi, 160))) / 2,
                            np.geomspace(1e-4, 3, 80)])
        m = (1 - e) * E + e * (E - np.sin(E))
        y = np.log2(1 + m / q**3) / np.log2(1 + np.pi / q**3)
        slope = (1 - e) + e * (1 - np.cos(E))
        yield q, y, E, 1 + e * np.sin(E) / (2 * slope)


def fit(n_y, n_q):
    """Coefficients b[n_y + 1][n_q] in powers of s and w, and the largest weighted error."""
    rows, target, weight = [], [], []
    for q, y, E, w in samples():
        in_y = chebyshev.chebvander(2 * y - 1, n_y - 1) * y[:, None]
        in_q = chebyshev.chebvander(2 * (q - Q_MIN) / (1 - Q_MIN) - 1, n_q - 1).ravel()
        rows.append((in_y[:, :, None] * in_q[None, None, :]).reshape(len(E), -1))
        target.append(E)
        weight.append(w)
    A, b, w = np.concatenate(rows), np.concatenate(target), np.concatenate(weight)
    emphasis = w.copy()
    best, best_error = None, np.inf
    for _ in range(60):  # Lawson: raise the weight where the error is large
        c, *_ = np.linalg.lstsq(A * emphasis[:, None], b * emphasis, rcond=None)
        error = np.abs(A @ c - b) * w
        if error.max() < best_error:
            best, best_error = c, error.max()
        emphasis *= (error / error.max() + 1e-2) ** 0.25
        emphasis /= emphasis.max()
    return to_powers(best.reshape(n_y, n_q)), best_error


def velocity_after_step(E, e, dE, A, B):
    """(A cos E - B sin E) / (1 - e cos E) as radial_velocity_rough finds it from E + dE."""
    guess = E + dE
    sine, cosine = np.sin(guess), np.cos(guess)
    inverse = 1 / (1 - e * cosine)
    step = (E - e * np.sin(E) - guess + e * sine) * inverse
    sine, cosine = sine + cosine * step, cosine - sine * step
    inverse *= 2 - (1 - e * cosine) * inverse
    return (A * cosine - B * sine) * inverse


def velocity_factor(E, e, dE=1e-4):
    """The error of the velocity over K dE^2, both directions of the orbit together."""
    total = 0
    for A, B in ((1 - e * e, 0), (0, np.sqrt(1 - e * e))):
        both = velocity_after_step(E, e, dE, A, B) + velocity_after_step(E, e, -dE, A, B)
        total += (both / 2 - (A * np.cos(E) - B * np.sin(E)) / (1 - e * np.cos(E)))**2
    return np.sqrt(total) / dE**2


def fit_velocity(n_y, n_q):
    """Like fit, for the mean square of dE^2 times velocity_factor; returns its root."""
    rows, target, factor, share = [], [], [], []
    steps = [(np.linspace(0, 0.9, 24), 0.9 / 24), (np.linspace(0.905, 0.9899, 24), 0.09 / 24)]
    for e, width in ((e, width) for values, width in steps for e in values):
        q = np.sqrt(1 - e)
        edges = np.pi * (1 - np.cos(np.linspace(0, np.pi, 161))) / 2
        E = np.unique(np.concatenate([(edges[1:] + edges[:-1]) / 2, np.geomspace(1e-3, 0.05, 12)]))
        edges = np.concatenate([[0], (E[1:] + E[:-1]) / 2, [np.pi]])
        m = (1 - e) * E + e * (E - np.sin(E))
        y = np.log2(1 + m / q**3) / np.log2(1 + np.pi / q**3)
        in_y = chebyshev.chebvander(2 * y - 1, n_y - 1) * y[:, None]
        in_q = chebyshev.chebvander(2 * (q - Q_MIN) / (1 - Q_MIN) - 1, n_q - 1).ravel()
        rows.append((in_y[:, :, None] * in_q[None, None, :]).reshape(len(E), -1))
        target.append(E)
        factor.append(velocity_factor(E, e))
        share.append(width * np.diff(edges - e * np.sin(edges)) / np.pi)
    A, b, factor, share = map(np.concatenate, (rows, target, factor, share))
    weight = np.sqrt(factor * np.sqrt(share))  # fourth powers of weight dE are summed
    emphasis = weight.copy()
    best, least = None, np.inf
    for _ in range(40):  # least squares whose weights lead to the sum of fourth powers
        c, *_ = np.linalg.lstsq(A * emphasis[:, None], b * emphasis, rcond=None)
        error = np.abs(A @ c - b) * weight
        if (error**4).sum() < least:
            best, least = c, (error**4).sum()
        towards = emphasis * weight * np.sqrt((error / error.max())**2 + 1e-4)
        emphasis = np.sqrt(towards / towards.max())
    return to_powers(best.reshape(n_y, n_q)), np.sqrt(least / share.sum())


def to_powers(c):
    """y times a double Chebyshev series, in powers of s and w."""
    in_w = np.array([chebyshev.cheb2poly(row) for row in c])
    return np.array([polynomial.polymul([0.5, 0.5], chebyshev.cheb2poly(column))
                     for column in in_w.T]).T


def log2_polynomial(n):
    """log2 on [1, 2], powers of the argument, largest error."""
    x = 1 + (1 - np.cos(np.pi * np.arange(2001) / 2000)) / 2
    V = chebyshev.chebvander(2 * x - 3, n - 1)
    emphasis = np.ones_like(x)
    for _ in range(200):
        c, *_ = np.linalg.lstsq(V * emphasis[:, None], np.log2(x) * emphasis, rcond=None)
        error = np.abs(V @ c - np.log2(x))
        emphasis *= (error / error.max() + 1e-3) ** 0.3
        emphasis /= emphasis.max()
    out = np.zeros(1)
    for a in chebyshev.cheb2poly(c)[::-1]:
        out = polynomial.polyadd(polynomial.polymul(out, [-3.0, 2.0]), [a])
    return out[:n], error.max()


def print_table(name, n_y, n_q, how=fit, what="Largest weighted error {:.1e} rad."):
    b, error = how(n_y, n_q)
    print(f"\n/* {what.format(error)} */")
    print(f"#define STARTER_{name}_N_S {n_y + 1}\n#define STARTER_{name}_N_W {n_q}")
    print(f"#define STARTER_{name}_TABLE \\\n    {{ \\")
    for row in b:
        print("        {" + ", ".join(f"{value:.12e}" for value in row) + "}, \\")
    print("    }")


if __name__ == "__main__":
    print("/* Made by tools/make_starter.py, which says what is fitted: the first guess\n"
          " * E0 = sum_i s^i sum_j b[i][j] w^j  of kepler_starter.h. Do not edit. */")
    print("#ifndef EQUANT_PHYSICS_STARTER_COEFFICIENTS_H\n"
          "#define EQUANT_PHYSICS_STARTER_COEFFICIENTS_H")
    print(f"\n#define STARTER_ECCENTRICITY_MAX {ECCENTRICITY_MAX}\n"
          f"#define STARTER_Q_MID {(1 + Q_MIN) / 2:.17g}\n"
          f"#define STARTER_Q_HALF {(1 - Q_MIN) / 2:.17g}")
    c, error = log2_polynomial(5)
    print(f"\n/* log2 on [1, 2): largest error {error:.1e}. */")
    for i, value in enumerate(c):
        print(f"#define STARTER_LOG2_{i} {value:.9e}")
    print_table("DOUBLE", 10, 9)
    print_table("SINGLE", 8, 8)
    print_table("ROUGH", 8, 8, fit_velocity, "After a step, velocities over K are off by {:.1e}.")
    print("\n#endif")
