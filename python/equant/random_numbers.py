"""Counter-based random numbers: same seed, same draws."""

from __future__ import annotations

from typing import Any, Optional

from . import _c
from ._memory import Array, address, output
from ._numbers.gate import takes_numbers
from .errors import call


@takes_numbers
def random_uniform(
    seed: int, n: int, *, purpose: int = 0, first: int = 0, out: Optional[Array] = None
) -> Array:
    """Numbers between 0 and 1, both excluded.

    Draws are addressed, not stepped: number ``first + i`` of (`seed`, `purpose`) is the same
    whoever asks for it and when.

    Examples
    --------
    >>> bool((random_uniform(7, 5)[2:] == random_uniform(7, 3, first=2)).all())
    True
    """
    return _draw(_c.equant_random_uniform, seed, n, purpose, first, out)


@takes_numbers
def random_normal(
    seed: int, n: int, *, purpose: int = 0, first: int = 0, out: Optional[Array] = None
) -> Array:
    """Numbers of mean 0 and standard deviation 1; otherwise as :func:`random_uniform`."""
    return _draw(_c.equant_random_normal, seed, n, purpose, first, out)


def _draw(
    function: Any, seed: int, n: int, purpose: int, first: int, out: Optional[Array]
) -> Array:
    numbers = output(out, (n,))
    call(function, seed, purpose, first, n, address(numbers))
    return numbers
