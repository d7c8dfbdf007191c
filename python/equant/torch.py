"""Posteriors as functions of PyTorch: for optimisers, normalising flows, Pyro.

Needs PyTorch, 2.0 or later.

>>> import equant, equant.torch, torch
>>> target = equant.Target(equant.Data.demonstration(), n_planets=1)
>>> density = equant.torch.log_density(target)
>>> points = torch.tensor(target.draw(100, seed=1), requires_grad=True)
>>> density(points).sum().backward()
>>> points.grad.shape
torch.Size([100, 11])
"""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from .errors import InvalidArgument
from .target import Target, check_density

try:
    import torch
    from torch.autograd.function import once_differentiable
except ImportError as error:
    raise ImportError(f"equant.torch needs PyTorch (pip install torch): {error}") from None

__all__ = ["log_density"]


class _Density(torch.autograd.Function):  # type: ignore[misc]
    """Values, with the gradients of the same pass kept for the way back."""

    @staticmethod
    def forward(points: Any, target: Target, of: str) -> Any:
        """On the processor, whatever device the points are on."""
        rows = points.detach().to("cpu", torch.float64).numpy()
        values, gradients = target.value_and_gradient(rows, of=of)
        return points.new_tensor(np.asarray(values)), points.new_tensor(gradients)

    @staticmethod
    def setup_context(context: Any, inputs: Any, output: Any) -> None:
        """Gradients are no result that is differentiated further."""
        context.mark_non_differentiable(output[1])
        context.save_for_backward(output[1])

    @staticmethod
    @once_differentiable  # type: ignore[untyped-decorator]
    def backward(context: Any, slopes: Any, _: Any) -> Any:
        """The chain rule."""
        return slopes[..., None] * context.saved_tensors[0], None, None

    @staticmethod
    def vmap(_info: Any, dims: Any, points: Any, target: Target, of: str) -> Any:
        """A batch is computed together."""
        return _Density.apply(points.movedim(dims[0], 0), target, of), (0, 0)


def log_density(target: Target, of: str = "probability") -> Callable[[Any], Any]:
    """The posterior of a target as a function of a tensor, ``[..., n_dim]`` in, ``[...]`` out.

    It may be differentiated once and mapped by ``torch.func.vmap``. It is computed on the
    processor in double precision; tensors must have float64.

    Parameters
    ----------
    target
        What is evaluated: space, priors, noise and engine are those of the target.
    of
        ``"probability"``, ``"likelihood"`` or ``"prior"``.
    """
    check_density(of)

    def log_density_of_target(points: Any) -> Any:
        if points.dtype != torch.float64:
            raise InvalidArgument(f"points must be a tensor of float64, not of {points.dtype}")
        return _Density.apply(points, target, of)[0]

    return log_density_of_target
