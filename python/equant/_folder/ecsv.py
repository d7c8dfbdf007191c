"""Tables in ECSV, as the command line writes them."""

from __future__ import annotations

import csv
import re
from typing import Any, NamedTuple, Optional, Sequence

from ..errors import FormatError, InputOutputError
from .json_text import number_text


class Column(NamedTuple):
    """A column of a table; its cells are numbers or texts."""

    name: str
    unit: str
    cells: Any  # a sequence of them
    description: str = ""
    is_text: bool = False


def ecsv_text(columns: Sequence[Column], reference_time_days: float) -> str:
    """A table as text."""
    lines = ["# %ECSV 1.0", "# ---", "# delimiter: ','", "# datatype:"]
    for column in columns:
        parts = [f"name: {column.name}", f"unit: {column.unit}" if column.unit else ""]
        parts.append(f"datatype: {'string' if column.is_text else 'float64'}")
        if column.description:
            parts.append("description: '" + column.description.replace("'", "''") + "'")
        lines.append("# - {" + ", ".join(filter(None, parts)) + "}")
    lines.append("# meta: !!omap")
    time = number_text(float(reference_time_days))
    whole = "" if any(character in ".ein" for character in time) else ".0"
    lines.append(f"# - {{t_ref: {time}{whole}}}")
    lines.append("# schema: astropy-2.0")
    lines.append(",".join(column.name for column in columns))
    lines.extend(",".join(map(_cell, row)) for row in zip(*(column.cells for column in columns)))
    return "\n".join([*lines, ""])


def _cell(value: Any) -> str:
    if not isinstance(value, str):
        return number_text(float(value))
    plain = "".join(" " if ord(c) < 0x20 or ord(c) == 0x7F else c for c in value)
    return '"' + plain.replace('"', '""') + '"'


def ecsv_columns(path: str, wanted: Optional[Sequence[str]] = None) -> dict[str, list[str]]:
    """Texts of the cells of a file's columns, which must be there where they are `wanted`."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
    except OSError as error:
        raise InputOutputError(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise FormatError(f"{path}: {error}") from None
    names = rows[0] if rows else []
    if any(len(row) != len(names) for row in rows):
        raise FormatError(f"{path}: a row has more or fewer cells than there are columns")
    missing = [name for name in wanted or () if name not in names]
    if missing:
        raise FormatError(f"{path}: there is no column '{missing[0]}'")
    return {name: [row[place] for row in rows[1:]] for place, name in enumerate(names)}


def _header(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return "".join(line for line in file if line.startswith("#"))


def ecsv_units(path: str) -> dict[str, str]:
    """Units of those columns of a file that have one."""
    return dict(re.findall(r"^# - \{name: ([^,]+), unit: ([^,]+),", _header(path), flags=re.M))


def ecsv_descriptions(path: str) -> dict[str, str]:
    """Descriptions of those columns of a file that have one."""
    entry = r"^# - \{name: ([^,]+),.* description: '(.*)'\}$"
    found = re.findall(entry, _header(path), flags=re.M)
    return {name: description.replace("''", "'") for name, description in found}
