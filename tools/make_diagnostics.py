#!/usr/bin/env python3
"""Prints the reference values of tests/unit/sample/test_diagnostics.c, computed by ArviZ.

Each case is a set of series [population][step][walker] made by sums and products of numbers
from a 64-bit congruential generator, which the test repeats to the bit. R-hat is ArviZ's with
populations as chains, their walkers stacked step by step; the sizes are ArviZ's with every
walker as a chain.

Needs arviz and numpy.   Usage: make_diagnostics.py
"""
import warnings

import numpy as np

warnings.simplefilter("ignore")
import arviz as az  # noqa: E402

MASK = (1 << 64) - 1


def series(case, n_populations, n_steps, n_walkers):
    memory, shift, stretch, stuck, grain = case[1:6]
    state = 1
    values = np.empty((n_populations, n_steps, n_walkers))
    for p in range(n_populations):
        for w in range(n_walkers):
            x = 0.0
            for s in range(-20, n_steps):
                state = (state * 6364136223846793005 + 1442695040888963407) & MASK
                moves = s < 0 or not (stuck and w == 0)
                x = memory * x + ((state >> 11) * 2.0**-53 - 0.5) if moves else x
                y = x + shift * p
                y = y * (1.0 + stretch * p)
                y = np.floor(y / grain) * grain if grain > 0 else y
                if s >= 0:
                    values[p, s, w] = y
    return values


def figures(values):
    n_populations, n_steps, n_walkers = values.shape
    stacked = values.reshape(n_populations, n_steps * n_walkers)
    walkers = values.transpose(0, 2, 1).reshape(n_populations * n_walkers, n_steps)
    return az.rhat(stacked), az.ess(walkers, method="bulk"), az.ess(walkers, method="tail")


CASES = [  # name, memory, shift of populations, stretch of them, a stuck walker, grain, angle
    ("independent", 0.0, 0.0, 0.0, 0, 0.0, 0),
    ("slow", 0.95, 0.0, 0.0, 0, 0.0, 0),
    ("alternating", -0.6, 0.0, 0.0, 0, 0.0, 0),
    ("shifted", 0.5, 0.2, 0.0, 0, 0.0, 0),
    ("stretched", 0.5, 0.0, 0.5, 0, 0.0, 0),
    ("stuck", 0.5, 0.0, 0.0, 1, 0.0, 0),
    ("coarse", 0.5, 0.0, 0.0, 0, 0.25, 0),
    ("angle", 0.98, 0.5, 0.0, 0, 0.0, 1),
]

for case in CASES:
    values = series(case, 4, 100, 6)
    if case[6]:
        found = [figures(np.cos(values)), figures(np.sin(values))]
        found = max(f[0] for f in found), min(f[1] for f in found), min(f[2] for f in found)
    else:
        found = figures(values)
    name, *numbers = case
    sums = "{:.12f}, {:.9f}, {:.9f}".format(*found)
    print(f'    {{"{name}", {", ".join(map(repr, numbers))},\n     {sums}}},')
