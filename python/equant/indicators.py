"""Activity indicators: numbers beside the velocities that tell of the star and not of planets."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _c
from ._memory import AnyHandle, Array, address, doubles, string, text, view
from ._numbers.kinds import Kind
from ._numbers.values import plain
from .errors import InvalidArgument


class Indicator(NamedTuple):
    """One indicator of a data set, with a number for each observation.

    Examples
    --------
    >>> Indicator([0.17, 0.18]).uncertainties is None
    True
    """

    #: NaN where an observation has none.
    values: Any
    #: NaN where an uncertainty is not known.
    uncertainties: Any = None
    #: For people, ``"log R'HK"``.
    label: Optional[str] = None
    #: ``"m/s"``; empty where there is none, or where it is not known.
    unit: Optional[str] = None


def indicators_of(handle: AnyHandle, n_obs: int) -> dict[str, Indicator]:
    """The indicators of a data set of the library, as read-only views."""
    found = {}
    for index in range(_c.equant_dataset_n_indicators(handle.pointer)):
        entry = _c.equant_dataset_indicator(handle.pointer, index)[0]
        found[string(entry.name)] = Indicator(
            view(handle, entry.values, (n_obs,)),
            view(handle, entry.uncertainties, (n_obs,)),
            string(entry.label),
            string(entry.unit),
        )
    return found


def given_indicators(given: Optional[dict[str, Any]], n_obs: int) -> dict[str, Indicator]:
    """What a caller gives: values, pairs of values and uncertainties, or Indicators."""
    found = {}
    for name, entry in (given or {}).items():
        if not isinstance(entry, tuple):
            entry = (entry,)
        if not 1 <= len(entry) <= 4:
            raise InvalidArgument(f"indicator '{name}': give values, or (values, uncertainties)")
        whole = _without_units(Indicator(*entry), name)
        values = _numbers(whole.values, name, n_obs)
        errors = whole.uncertainties
        errors = None if errors is None else _numbers(errors, name, n_obs)
        found[str(name)] = whole._replace(values=values, uncertainties=errors)
    return found


def _without_units(entry: Indicator, name: str) -> Indicator:
    """Velocities in m/s, as indicators are that are velocities; others in their own unit."""
    own = getattr(entry.values, "unit", None)
    if own is None or not hasattr(own, "physical_type"):
        return entry
    is_speed = "speed" in str(own.physical_type)
    kind = Kind("m / s" if is_speed else str(own), takes_missing=True)
    values = plain(entry.values, f"indicator '{name}'", kind)
    errors = entry.uncertainties
    if errors is not None:
        errors = plain(errors, f"uncertainty of indicator '{name}'", kind)
    written = entry.unit or ("m/s" if is_speed else str(own))
    return entry._replace(values=values, uncertainties=errors, unit=written)


def _numbers(given: Any, name: str, n_obs: int) -> Array:
    """Numbers for all observations; what is masked is absent, and one number serves for all."""
    array = doubles(plain(given, f"indicator '{name}'", Kind(takes_missing=True)), name).ravel()
    if array.size == 1 and n_obs != 1:
        array = np.full(n_obs, array[0])
    if array.size != n_obs:
        raise InvalidArgument(f"indicator '{name}' has {array.size} numbers for {n_obs} times")
    return array


def kept_rows(indicators: dict[str, Indicator], rows: Any) -> dict[str, Indicator]:
    """The same indicators of some observations."""

    def chosen(array: Optional[Array]) -> Optional[Array]:
        return None if array is None else np.ascontiguousarray(array[rows])

    return {
        name: entry._replace(values=chosen(entry.values), uncertainties=chosen(entry.uncertainties))
        for name, entry in indicators.items()
    }


def indicator_array(indicators: dict[str, Indicator]) -> Any:
    """Indicators as the library takes them; the arrays must live until it has copied them."""
    entries = [
        _c.equant_indicator(
            ctypes.sizeof(_c.equant_indicator),
            text(name),
            text(entry.label),
            text(entry.unit),
            address(entry.values),
            address(entry.uncertainties),
        )
        for name, entry in indicators.items()
    ]
    return (_c.equant_indicator * len(entries))(*entries)


def as_pointer(array: Any) -> Any:
    """The first of an array of structs, for a member of options."""
    return ctypes.cast(array, ctypes.POINTER(_c.equant_indicator))
