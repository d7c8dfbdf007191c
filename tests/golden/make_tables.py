"""Writes kepler_table.txt: Kepler's equation on an edge grid of (M, e).

Independent of the library and of the quadruple-precision oracle: mpmath with
as many digits as the reduction of M needs, and bisection, which cannot fail.
Every number is the correctly rounded double in %.17g. Run from this folder:

    python3 make_tables.py > kepler_table.txt
"""
import math
from fractions import Fraction

from mpmath import mp, mpf

ECCENTRICITIES = [0.0, 1e-300, 1e-16, 1e-8, 0.1, 0.5, 0.9, 0.99, 0.999999,
                  1 - 1e-9, 1 - 1e-12, 1 - 2.0**-53]


def mean_anomalies():
    below, above = -math.inf, math.inf
    tiny = [5e-324, 1e-300, 1e-40, 1e-20, 1e-16, 1e-12, 1e-8, 1e-5]
    middle = [1e-3, 0.01, 0.1, 0.5, math.pi / 4, 1.0, math.pi / 2, 2.0, 3.0]
    edges = [math.nextafter(math.pi, below), math.pi, math.nextafter(math.pi, above), 4.0, 6.0,
             math.nextafter(2 * math.pi, below), 2 * math.pi, math.nextafter(2 * math.pi, above)]
    large = [6.5, 3 * math.pi, 100.0, 1e6 + 0.1, 2.0**26 * math.pi, 1e10, 1e15, 1e22,
             6381956970095103.0 * 2.0**797, 1e300, 1.7976931348623157e308]
    positive = tiny + middle + edges + large
    return [0.0] + positive + [-m for m in positive]


def minus_sine(angle):
    """angle - sin(angle), not cancelled for small angles."""
    if abs(angle) > mpf(1) / 8:
        return angle - mp.sin(angle)
    total = term = angle**3 / 6
    k = 4
    while abs(term) > abs(total) * mp.eps:
        term *= -angle**2 / (k * (k + 1))
        total += term
        k += 2
    return total


def solve(mean, e):
    """E, sin E and cos E of the exact doubles `mean` and `e`."""
    mp.dps = 60 + max(0, math.frexp(mean)[1] * 31 // 100)
    exact_mean, e = mpf(mean), mpf(e)
    turns = mp.nint(exact_mean / (2 * mp.pi))
    reduced = abs(exact_mean - turns * 2 * mp.pi)
    sign = 1 if exact_mean >= turns * 2 * mp.pi else -1
    mp.dps = 60
    low, high = reduced, min(reduced + e, reduced / (1 - e))
    while high - low > high * mpf(10)**-50:
        guess = (low + high) / 2
        if (1 - e) * guess + e * minus_sine(guess) < reduced:
            low = guess
        else:
            high = guess
    root = sign * (low + high) / 2
    mp.dps = 400
    return exact_mean + e * mp.sin(root), mp.sin(root), mp.cos(root)


def rounded(x):
    """The nearest double: through a fraction, so that it is rounded once."""
    sign, mantissa, exponent, _ = mpf(x)._mpf_
    value = Fraction(int(mantissa)) * Fraction(2)**exponent
    return float(-value if sign else value)


def main():
    print("# Kepler's equation M = E - e sin E; written by make_tables.py")
    print("# M e E sin(E) cos(E)")
    for e in ECCENTRICITIES:
        for mean in mean_anomalies():
            numbers = [mean, e] + [rounded(x) for x in solve(mean, e)]
            print(" ".join("%.17g" % number for number in numbers))


if __name__ == "__main__":
    main()
