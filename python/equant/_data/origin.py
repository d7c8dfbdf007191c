"""What is known of the files behind a data set."""

from __future__ import annotations

from typing import Any, Iterable, NamedTuple

from .. import _c
from .._memory import string


class Origin(NamedTuple):
    """What is known of the files behind a data set."""

    format: str = ""
    unit: str = "m_s"
    warnings: tuple[str, ...] = ()
    ignored_columns: tuple[str, ...] = ()
    time_name: str = "JD"


def origin_of(pointer: Any) -> Origin:
    """What the library knows of a data set of its own."""
    is_km = _c.equant_dataset_unit(pointer) == _c.EQUANT_UNIT_KM_S
    warnings = range(_c.equant_dataset_n_warnings(pointer))
    ignored = range(_c.equant_dataset_n_ignored_columns(pointer))
    return Origin(
        string(_c.equant_dataset_format(pointer)),
        "km_s" if is_km else "m_s",
        tuple(string(_c.equant_dataset_warning(pointer, i)) for i in warnings),
        tuple(string(_c.equant_dataset_ignored_column(pointer, i)) for i in ignored),
        string(_c.equant_dataset_time_name(pointer)),
    )


def common_origin(parts: Iterable[Origin]) -> Origin:
    """That of several data sets joined; where they call their times differently, "JD"."""
    whole = list(parts)
    formats = {part.format for part in whole}
    time_names = {part.time_name for part in whole}
    warnings = dict.fromkeys(warning for part in whole for warning in part.warnings)
    ignored = dict.fromkeys(column for part in whole for column in part.ignored_columns)
    return Origin(
        formats.pop() if len(formats) == 1 else "",
        whole[0].unit,
        tuple(warnings),
        tuple(ignored),
        time_names.pop() if len(time_names) == 1 else Origin().time_name,
    )
