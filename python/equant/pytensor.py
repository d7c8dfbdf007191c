"""Posteriors as operations of PyTensor: for PyMC.

Needs PyTensor, which PyMC brings along.

>>> import equant, equant.pytensor, pytensor
>>> target = equant.Target(equant.Data.demonstration(), n_planets=1)
>>> points = pytensor.tensor.vector("points")
>>> density = equant.pytensor.log_density(target)(points)
>>> slopes = pytensor.function([points], pytensor.grad(density, points))
>>> slopes(target.draw(1, seed=1)[0]).shape
(11,)
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .target import Target, check_density

try:
    import pytensor.tensor as pt
    from pytensor.gradient import DisconnectedType, grad_undefined
    from pytensor.graph import Apply, Op
except ImportError as error:
    raise ImportError(f"equant.pytensor needs PyTensor (pip install pymc): {error}") from None

__all__ = ["log_density"]


class DensityOp(Op):  # type: ignore[misc]
    """Points ``[n_dim]`` or ``[..., n_dim]`` in, values and their gradients out."""

    __props__ = ("target", "of")

    def __init__(self, target: Target, of: str) -> None:
        self.target, self.of = target, of

    def make_node(self, points: Any) -> Any:
        """One input, two outputs."""
        points = pt.as_tensor_variable(points).astype("float64")
        shape = points.type.shape
        outputs = [pt.tensor(dtype="float64", shape=kept) for kept in (shape[:-1], shape)]
        return Apply(self, [points], outputs)

    def infer_shape(self, _graph: Any, _node: Any, shapes: Any) -> Any:
        """What is known without a computation."""
        return [shapes[0][:-1], shapes[0]]

    def perform(self, _node: Any, inputs: Any, outputs: Any) -> None:
        """Computes both in one pass."""
        values, gradients = self.target.value_and_gradient(inputs[0], of=self.of)
        outputs[0][0], outputs[1][0] = np.asarray(values), gradients

    def grad(self, inputs: Any, slopes: Any) -> Any:
        """Of the values alone."""
        if not isinstance(slopes[1].type, DisconnectedType):
            why = "equant has first derivatives of densities, no second ones"
            return [grad_undefined(self, 0, inputs[0], why)]
        return [slopes[0][..., None] * self(*inputs)[1]]

    def connection_pattern(self, _node: Any) -> Any:
        """Both depend on the points."""
        return [[True, True]]


def log_density(target: Target, of: str = "probability") -> Callable[[Any], Any]:
    """The posterior of a target as a function of a tensor, ``[..., n_dim]`` in, ``[...]`` out.

    It has a gradient, which the same pass computes. In a model of PyMC it is a potential:
    ``pymc.Potential("posterior", log_density(target)(points))``.

    Parameters
    ----------
    target
        What is evaluated: space, priors, noise and engine are those of the target.
    of
        ``"probability"``, ``"likelihood"`` or ``"prior"``.
    """
    check_density(of)
    operation = DensityOp(target, of)

    def log_density_of_target(points: Any) -> Any:
        return operation(points)[0]

    return log_density_of_target
