"""What a caller says of a data set, as the library takes it."""

from __future__ import annotations

from typing import Any, Optional

from .. import _c
from .._memory import choice, options, text
from .._numbers.kinds import COUNT
from .._numbers.values import as_text
from ..indicators import Indicator, as_pointer, indicator_array

#: Units as they are written elsewhere.
_UNITS = {"m/s": "m_s", "km/s": "km_s"}


def _columns(columns: Optional[dict[str, Any]]) -> Optional[bytes]:
    """Columns by choice as the library takes them; quotes protect a comma in a name."""
    if columns is None:
        return None
    entries = [
        f"{key}={as_text(column, f'the column of {key}', COUNT)}" for key, column in columns.items()
    ]
    return text(",".join(f'"{entry}"' if "," in entry else entry for entry in entries))


def set_indicators(chosen: Any, indicators: dict[str, Indicator]) -> None:
    """Adds indicators to options, which keep their arrays alive."""
    chosen.n_indicators = len(indicators)
    chosen.indicators = as_pointer(indicator_array(indicators))
    chosen.kept = indicators


def data_options(
    unit: str,
    reference_time_days: Optional[float],
    columns: Optional[dict[str, Any]] = None,
    skip_bad_rows: bool = False,
    time_name: Optional[str] = None,
    star: Optional[str] = None,
) -> Any:
    """Options of :meth:`equant.Data.from_files` and its kin."""
    return options(
        _c.equant_dataset_options,
        velocity_unit=choice("equant_unit", "unit", _UNITS.get(unit, unit)),
        has_reference_time=int(reference_time_days is not None),
        reference_time_days=reference_time_days,
        columns=_columns(columns),
        skip_bad_rows=int(bool(skip_bad_rows)),
        time_name=None if time_name is None else text(time_name),
        star=None if star is None else text(str(star)),
    )
