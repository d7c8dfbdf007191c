"""Tables and quantities of other packages, without importing those packages."""

from __future__ import annotations

import re
from typing import Any, Optional

import numpy as np

from .._numbers.dates import clock_named, is_date, is_duration, is_time
from .._numbers.kinds import Kind
from .._numbers.values import missing_rows, plain
from ..errors import InvalidArgument


def column_names(table: Any) -> list[str]:
    """Names of the columns of a DataFrame, an astropy Table, or a dict of columns."""
    for attribute in ("colnames", "columns", "keys"):
        names = getattr(table, attribute, None)
        if names is not None:
            return [str(name) for name in (names() if callable(names) else names)]
    raise InvalidArgument("a table must be a DataFrame, an astropy Table or a dict of columns")


#: Times of a table: dates and lengths of time as the clock of their column counts days.
_TIMES = Kind("d", date="clock", takes_missing=True)


def table_as_ecsv(
    table: Any, roles: dict[str, str], in_km_s: bool = False, time_name: Optional[str] = None
) -> tuple[str, dict[str, int]]:
    """A table as the text of an ECSV file, for the readers of the library.

    `roles` says which columns play which role; the readers know the others by their names. With
    the text come the numbers, from 1 on, of these columns in it. Dates are counted as the heading
    of their column says, or `time_name` in its place.
    """
    names = column_names(table)
    for name in roles.values():
        if str(name) not in names:
            raise InvalidArgument(f"the table has no column '{name}'")
    header, columns, numbers = [], [], {}
    for name in names:
        column, is_time_column = _column(table, name), name == roles.get("time")
        if _has_dates(column):
            column = _days(column, name, time_name, is_time_column)
        cells, kind, unit = _cells(column, in_km_s)
        if cells is None:
            continue
        label = re.sub(r"\W+", "_", name)
        unit_entry = f"unit: {unit}, " if unit else ""
        header.append(f"# - {{name: {label}, {unit_entry}datatype: {kind}}}")
        columns.append([label, *cells])
        numbers[name] = len(columns)
    lines = [",".join(cells) for cells in zip(*columns)]
    preamble = ["# %ECSV 1.0", "# ---", "# delimiter: ','", "# datatype:"]
    chosen = {role: numbers[str(name)] for role, name in roles.items() if str(name) in numbers}
    return "\n".join([*preamble, *header, *lines, ""]), chosen


def _column(table: Any, name: str) -> Any:
    """A column by its name as text; pandas may have other kinds of names."""
    try:
        return table[name]
    except KeyError:
        labels = getattr(table, "columns", table)
        return table[next(label for label in labels if str(label) == name)]


def _has_dates(column: Any) -> bool:
    """Whether a column is one of dates or lengths of time, of any package."""
    if is_time(column) or is_date(column) or is_duration(column):
        return True
    is_of_objects = getattr(column, "dtype", None) == object or isinstance(column, (list, tuple))
    return is_of_objects and any(is_date(one) or is_duration(one) for one in column)


def _days(column: Any, name: str, time_name: Optional[str], is_chosen: bool) -> Any:
    """Such a column in days. One that nobody has called the time, and whose clock is not known,
    stays as it is: it may be another than the time.
    """
    clock = clock_named(name) or "JD" if time_name is None else clock_named(time_name)
    try:
        return plain(column, f"column '{name}'", _TIMES, lambda: clock)
    except InvalidArgument:
        if is_chosen or is_time(column):
            raise
        return column


def _cells(column: Any, in_km_s: bool) -> tuple[Any, str, str]:
    """Texts of a column, its type and its unit; None for what is no column of cells."""
    unit, given = "", column
    if hasattr(getattr(column, "unit", None), "physical_type"):
        column, unit = _in_known_unit(column, in_km_s)
    elif hasattr(column, "to_numpy") and getattr(column.dtype, "kind", "") in ("f", "i", "u"):
        column = column.to_numpy(dtype=np.float64, na_value=np.nan)
    values = np.asarray(np.ma.getdata(column))
    if values.ndim != 1:
        return None, "", ""
    if values.dtype.kind in "fiub":
        numbers = values.astype(np.float64)
        cells = ["" if np.isnan(number) else repr(float(number)) for number in numbers]
        kind = "float64"
    else:
        cells, kind = [_quoted(str(value)) for value in values], "string"
    missing = missing_rows(given, len(cells))
    cells = ["" if gone else cell for cell, gone in zip(cells, missing)]
    return cells, kind, unit


def _in_known_unit(column: Any, in_km_s: bool) -> tuple[Any, str]:
    """A column with a unit in one that the readers know; others keep theirs, which they refuse
    where it is that of no velocity.
    """
    numbers = np.ma.getdata(getattr(column.value, "unmasked", column.value))
    speed = ("km/s", "km / s") if in_km_s else ("m/s", "m / s")
    for wanted, written in (speed, ("d", "d")):
        try:
            return np.asarray(column.unit.to(wanted, numbers)), written
        except (TypeError, ValueError):
            continue
    return np.asarray(numbers), str(column.unit)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def n_lines_before(contents: str) -> int:
    """Lines of the text that a table became before that of its first row."""
    return next(
        number for number, line in enumerate(contents.split("\n"), 1) if not line.startswith("#")
    )


def has_other_units(contents: str) -> bool:
    """Whether columns of the text that a table became have units of no velocity and no time."""
    return re.search(r"(?m)^# - \{name: \w+, unit: (?!(k?m / s|d), )", contents) is not None


def about_rows(sentence: str, n_before: int) -> str:
    """A sentence on lines of the text that a table became, as one on the rows of the table."""

    def row(match: Any) -> str:
        number = int(match[1]) - n_before
        return f"row {number} of the table" if number > 0 else "the table"

    def rows(match: Any) -> str:
        return re.sub(r"\d+", lambda line: str(int(line[0]) - n_before), f"row{match[1]}{match[2]}")

    sentence = re.sub(r"\btable:(\d+)", row, sentence)
    return re.sub(r"(?<=, )line(s?)( [\d, ]+)", rows, sentence)
