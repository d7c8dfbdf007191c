"""Who made each observation, from what a caller gives."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._memory import Array
from ..errors import InvalidArgument


def labels_of(instrument: Any, n_obs: int) -> Optional[Array]:
    """What each observation says of its instrument; None where nothing is said."""
    if instrument is None:
        return None
    array = np.asarray(instrument).ravel()
    if array.size != n_obs:
        raise InvalidArgument(f"there are {n_obs} times and {array.size} instruments")
    return array


def instruments_of(array: Optional[Array]) -> tuple[list[str], Optional[Array]]:
    """Names in the order in which they first appear, and the index of each observation's."""
    if array is None:
        return [], None
    unique, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(order.size, np.intc)
    rank[order] = np.arange(order.size, dtype=np.intc)
    indices = np.ascontiguousarray(rank[inverse.ravel()], dtype=np.intc)
    names = [str(unique[place]) for place in order]
    if any(name.strip() == "" for name in names):
        raise InvalidArgument("an instrument has an empty name")
    return names, indices
