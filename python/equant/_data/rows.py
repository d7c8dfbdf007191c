"""Observations as rows: of a data set, some of them, those of several, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from .. import _c
from .._memory import Array, Handle, address, doubles, texts
from ..errors import InvalidArgument
from ..indicators import Indicator
from .options import data_options, set_indicators
from .origin import Origin

if TYPE_CHECKING:
    from ..data import Data

#: Columns of observations; an indicator has two, ``("bis", "value")`` and ``("bis", "err")``.
Rows = dict[Any, Array]
#: Label and unit of each indicator.
Words = dict[str, tuple[Optional[str], Optional[str]]]


def rows_of(data: Data) -> Rows:
    """All that is known of each observation, under the names that `handle_from_rows` takes."""
    rows: Rows = {
        "time_days": data.times_days,
        "velocity_m_s": data.velocities_m_s,
        "uncertainty_m_s": data.uncertainties_m_s,
        "instrument": data.instruments,
    }
    for name, entry in data.indicators.items():
        rows[name, "value"], rows[name, "err"] = entry.values, entry.uncertainties
    return rows


def words_of(data: Data) -> Words:
    """Labels and units of the indicators."""
    return {name: (entry.label, entry.unit) for name, entry in data.indicators.items()}


def chosen_rows(data: Data, which: Any) -> Array:
    """Indices of the observations that are meant."""
    mask = getattr(which, "mask", None)
    if mask is not None and not callable(mask) and np.any(mask):
        raise InvalidArgument("the choice of observations has masked values: fill them first")
    names = [which] if isinstance(which, str) else which
    if isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names):
        unknown = set(names) - set(data.instrument_names)
        if unknown:
            words = ", ".join(data.instrument_names)
            raise InvalidArgument(f"there is no instrument '{min(unknown)}'; there are {words}")
        which = np.isin(data.to_columns()["instrument"], names)
    elif isinstance(which, (int, np.integer)):
        raise TypeError(f"an observation alone is data[{which}:{which + 1}]")
    try:
        return np.atleast_1d(np.arange(data.n_obs)[which])
    except IndexError as error:
        raise InvalidArgument(f"there are {data.n_obs} observations: {error}") from None


def joined_rows(parts: Sequence[Data], names: tuple[str, ...]) -> Rows:
    """Those of all parts, with `names` of instruments; NaN where a part lacks an indicator."""
    columns = [rows_of(part) for part in parts]
    for part, rows in zip(parts, columns):
        places = np.array([names.index(name) for name in part.instrument_names])
        rows["instrument"] = places[rows["instrument"]]
    return {
        name: np.concatenate(
            [
                rows[name] if name in rows else np.full(part.n_obs, np.nan)
                for part, rows in zip(parts, columns)
            ]
        )
        for name in dict.fromkeys(name for rows in columns for name in rows)
    }


def handle_from_rows(
    rows: Rows,
    names: tuple[str, ...],
    reference_time_days: Optional[float],
    origin: Origin,
    words: Words,
) -> Handle:
    """The library's data set of rows in any order of time."""
    numbers = ("time_days", "velocity_m_s", "uncertainty_m_s")
    columns = [doubles(rows[name], name) for name in numbers]
    instruments = np.ascontiguousarray(rows["instrument"], np.intc)
    chosen = data_options("m_s", reference_time_days, time_name=origin.time_name)
    beside = {
        name: Indicator(doubles(rows[name, "value"], name), doubles(rows[name, "err"], name), *word)
        for name, word in words.items()
    }
    set_indicators(chosen, beside)
    return Handle(
        _c.equant_dataset_from_arrays,
        _c.equant_dataset_free,
        instruments.size,
        *(address(column) for column in columns),
        address(instruments),
        len(names),
        texts(names),
        chosen,
    )
