"""Polynomials for the volumes that false alarms are weighed by: what the makers of tables print."""
import sys

import numpy as np

NAMES = "inside", "edge", "inside_one", "edge_one"


def nodes(eccentricity_max, n=40):
    """x = -ln(1 - e) at the zeros of a Chebyshev polynomial, and e."""
    x_max = -np.log(1 - eccentricity_max)
    x = x_max * (1 - np.cos(np.pi * (np.arange(n) + 0.5) / n)) / 2
    return x, -np.expm1(-x)


def print_fits(x, e, table, start, powers):
    """Fits ln(table / start) by polynomials in x, of these powers; the table itself to stderr."""
    for name, column in zip(NAMES, np.log(table / start).T):
        fit = np.linalg.lstsq(x[:, None] ** powers, column, rcond=None)[0]
        error = np.abs(x[:, None] ** powers @ fit - column).max()
        print(f"{name}, relative error {error:.1e}:\n    "
              + ", ".join(f"{c:.9e}" for c in fit))
    for row in zip(e, *table.T):
        print("e %.4f  P %.6g  Q %.6g  A %.6g  B %.6g" % row, file=sys.stderr)
