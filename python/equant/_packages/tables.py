"""Tables and quantities of other packages, without importing those packages."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..errors import InvalidArgument


def days(values: Any) -> Any:
    """Times in days: an astropy Time as Julian dates in its own scale, a Quantity converted."""
    if hasattr(values, "jd") and hasattr(values, "scale"):
        return values.jd
    return _converted(values, "d", 1.0)


def metres_per_second(values: Any, scale: float = 1.0) -> Any:
    """Velocities as plain numbers; those with a unit of their own in m/s times `scale`."""
    return _converted(values, "m/s", scale)


def _converted(values: Any, unit: str, scale: float) -> Any:
    if getattr(values, "unit", None) is None:
        return values
    quantity = values if hasattr(values, "to_value") else values.quantity
    return np.asarray(quantity.to_value(unit)) * scale


def absent_rows(n_rows: int, *columns: Any) -> Any:
    """True for rows in which some column is masked, by NumPy or by astropy."""
    absent = np.zeros(n_rows, bool)
    for column in columns:
        mask = getattr(column, "mask", None)
        if mask is not None and not callable(mask):  # pandas has a method of that name
            absent |= np.asarray(mask, bool).ravel()
    return absent


def column_names(table: Any) -> list[str]:
    """Names of the columns of a DataFrame, an astropy Table, or a dict of columns."""
    for attribute in ("colnames", "columns", "keys"):
        names = getattr(table, attribute, None)
        if names is not None:
            return [str(name) for name in (names() if callable(names) else names)]
    raise InvalidArgument("a table must be a DataFrame, an astropy Table or a dict of columns")


def table_as_ecsv(table: Any, roles: dict[str, str]) -> tuple[str, dict[str, int]]:
    """A table as the text of an ECSV file, for the readers of the library.

    `roles` says which columns play which role; the readers know the others by their names. With
    the text come the numbers, from 1 on, of these columns in it.
    """
    names = column_names(table)
    for name in roles.values():
        if str(name) not in names:
            raise InvalidArgument(f"the table has no column '{name}'")
    header, columns, numbers = [], [], {}
    for name in names:
        cells, kind, unit = _cells(_column(table, name))
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


def _cells(column: Any) -> tuple[Any, str, str]:
    """Texts of a column, its type and its unit; None for what is no column of cells."""
    unit = ""
    if hasattr(column, "jd") and hasattr(column, "scale"):
        column = column.jd
    elif getattr(column, "unit", None) is not None:
        column, unit = _in_known_unit(column)
    missing = np.ma.getmaskarray(column) if np.ma.isMaskedArray(column) else None
    values = np.asarray(column)
    if values.ndim != 1:
        return None, "", ""
    if values.dtype.kind in "fiub":
        numbers = values.astype(np.float64)
        cells = ["" if np.isnan(number) else repr(float(number)) for number in numbers]
        kind = "float64"
    else:
        cells, kind = [_quoted(str(value)) for value in values], "string"
    if missing is not None:
        cells = ["" if gone else cell for cell, gone in zip(cells, missing)]
    return cells, kind, unit


def _in_known_unit(column: Any) -> tuple[Any, str]:
    """A column with a unit in one that the readers know; others keep theirs."""
    quantity = column if hasattr(column, "to_value") else column.quantity
    kind = str(quantity.unit.physical_type)
    if "speed" in kind:
        return np.asarray(quantity.to_value("m/s")), "m / s"
    if "time" in kind:
        return np.asarray(quantity.to_value("d")), "d"
    return np.asarray(quantity.value), ""


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def n_lines_before(contents: str) -> int:
    """Lines of the text that a table became before that of its first row."""
    return next(
        number for number, line in enumerate(contents.split("\n"), 1) if not line.startswith("#")
    )


def about_rows(sentence: str, n_before: int) -> str:
    """A sentence on lines of the text that a table became, as one on the rows of the table."""

    def row(match: Any) -> str:
        number = int(match[1]) - n_before
        return f"row {number} of the table" if number > 0 else "the table"

    def rows(match: Any) -> str:
        return re.sub(r"\d+", lambda line: str(int(line[0]) - n_before), f"row{match[1]}{match[2]}")

    sentence = re.sub(r"\btable:(\d+)", row, sentence)
    return re.sub(r"(?<=, )line(s?)( [\d, ]+)", rows, sentence)
