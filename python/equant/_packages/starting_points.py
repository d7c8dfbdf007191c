"""Where chains of other samplers begin: about a point, as wide as the posterior is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .._memory import Array
from ..errors import InvalidArgument

if TYPE_CHECKING:
    from ..target import Target

N_HALVINGS = 40
LEAST_CURVATURE = 1e-3  # of a combination of dimensions, in that of the dimensions by themselves
MOST_TRIES = 100


def widths_of_dimensions(target: Target, centre: Array, value: float) -> Array:
    """Steps that cost half a unit of the log-probability, each dimension by itself."""
    steps = 2.0 ** -np.arange(N_HALVINGS)
    shifts = np.einsum("k,ij->kij", steps, np.eye(target.n_dim))
    up, down = target(centre + shifts), target(centre - shifts)
    # Beyond an edge of the prior the other side tells; with both a slope cancels.
    both = np.where(np.isfinite(up) & np.isfinite(down), (up + down) / 2, np.maximum(up, down))
    widths: Array = steps[np.argmax(value - both <= 0.5, axis=0)]
    return widths


def normal_about(target: Target, centre: Array, value: float) -> Array:
    """A matrix that makes of normal numbers offsets as wide as the posterior near its centre."""
    widths = widths_of_dimensions(target, centre, value)
    here = target.gradient(centre)
    up, down = (target.gradient(centre + sign * np.diag(widths)) for sign in (1, -1))
    ends = np.where(np.isfinite(up), up, here) - np.where(np.isfinite(down), down, here)
    n_sides = np.isfinite(up).astype(int) + np.isfinite(down)
    curvature = -np.nan_to_num(ends / np.maximum(n_sides, 1)) * widths
    own, axes = np.linalg.eigh((curvature + curvature.T) / 2)
    shape: Array = widths[:, None] * axes / np.sqrt(np.maximum(own, LEAST_CURVATURE))
    return shape


def starting_points(target: Target, centre: Array, n: int, seed: int, spread: float) -> Array:
    """Points ``[n, n_dim]``, `spread` standard deviations wide, as probable as that makes them."""
    value = float(target(centre))
    if not np.isfinite(value):
        raise InvalidArgument("these parameters are outside the prior, or have no likelihood")
    random = np.random.default_rng(seed)
    shape, scale = normal_about(target, centre, value), spread
    # Of a normal density, points of this width are within 4 standard deviations of that.
    most = spread**2 * (target.n_dim + 4 * np.sqrt(2 * target.n_dim)) / 2
    found = np.empty((0, target.n_dim))
    for _ in range(MOST_TRIES):
        tried = centre + scale * random.standard_normal((n, target.n_dim)) @ shape.T
        good = tried[target(tried) >= value - most]
        found = np.concatenate([found, good])
        if len(found) >= n:
            return found[:n]
        if 4 * len(good) < n:
            scale *= 0.7  # it is less wide than near its centre
    raise InvalidArgument("there is next to nothing of the posterior around these parameters")
