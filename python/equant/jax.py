"""Posteriors as functions of JAX: jit, vmap, grad; for NumPyro, BlackJAX and their like.

Needs JAX, 0.5 or later, on processors, with 64 bits: ``jax.config.update("jax_enable_x64", True)``.

>>> import equant, equant.jax, jax
>>> jax.config.update("jax_enable_x64", True)
>>> target = equant.Target(equant.Data.demonstration(), n_planets=1)
>>> density = equant.jax.log_density(target)
>>> points = target.draw(100, seed=1)
>>> slopes = jax.jit(jax.vmap(jax.grad(density)))(points)
>>> slopes.shape
(100, 11)
"""

from __future__ import annotations

import ctypes
import functools
import weakref
from typing import Any, Callable

import numpy as np

from . import _c
from .errors import InvalidArgument, call
from .target import DENSITIES, Target, check_density

try:
    import jax
    import jax.ffi
    import jax.numpy
except ImportError as error:
    raise ImportError(f"equant.jax needs JAX 0.5 or later (pip install jax): {error}") from None

__all__ = ["log_density"]

_NAME = "equant_target"


class _Entered:
    """A target of its own, which programs of XLA call by its number, when they like."""

    def __init__(self, target: Target) -> None:
        self.target = target.copy()
        number = ctypes.c_int64()
        call(_c.equant_xla_target_enter, self.target._pointer, ctypes.byref(number))
        self.number = number.value
        weakref.finalize(self, _c.equant_xla_target_leave, self.number)  # before the target goes


#: Those of all targets that are still there: a function may be made again while it is traced.
_ENTERED: weakref.WeakKeyDictionary[Target, _Entered] = weakref.WeakKeyDictionary()


@functools.cache
def _register() -> None:
    handler = jax.ffi.pycapsule(_c.equant_xla_handler)
    jax.ffi.register_ffi_target(_NAME, handler, platform="cpu")


def log_density(target: Target, of: str = "probability") -> Callable[[Any], Any]:
    """The posterior of a target, points ``[..., n_dim]`` in, values ``[...]`` out, as JAX wants it.

    The function may be compiled, mapped over batches, which are computed together on all threads,
    and differentiated once, forwards and backwards; it computes values and gradients in one pass.
    Outside the prior values are ``-inf`` and gradients NaN. Programs that contain it run on
    processors (``jax.config.update("jax_platforms", "cpu")`` where there is a GPU), and as long as
    the target is there.

    Parameters
    ----------
    target
        What is evaluated: space, priors, noise and engine are those of the target.
    of
        ``"probability"``, ``"likelihood"`` or ``"prior"``.
    """
    check_density(of)
    _register()
    if target not in _ENTERED:
        _ENTERED[target] = _Entered(target)
    asked = {"target": np.int64(_ENTERED[target].number), "density": np.int64(DENSITIES.index(of))}
    n_dim = target.n_dim

    def ask(points: Any, has_gradient: bool) -> Any:
        shapes = (points.shape[:-1], points.shape)[: 1 + has_gradient]
        results = tuple(jax.ShapeDtypeStruct(shape, np.float64) for shape in shapes)
        return jax.ffi.ffi_call(_NAME, results, vmap_method="broadcast_all")(points, **asked)

    @jax.custom_jvp  # type: ignore[untyped-decorator]
    def density(points: Any) -> Any:
        return ask(points, False)[0]

    @density.defjvp  # type: ignore[untyped-decorator]
    def _changes(points: Any, changes: Any) -> Any:
        value, gradient = ask(points[0], True)
        return value, (gradient * changes[0]).sum(axis=-1)

    def log_density_of_target(points: Any) -> Any:
        if not jax.config.jax_enable_x64:
            raise InvalidArgument(
                "equant.jax computes with 64 bits: call "
                "jax.config.update('jax_enable_x64', True) before anything else of JAX"
            )
        points = jax.numpy.asarray(points, np.float64)
        if points.ndim == 0 or points.shape[-1] != n_dim:
            raise InvalidArgument(f"points have {n_dim} columns ({', '.join(target.names)})")
        return density(points)

    return log_density_of_target
