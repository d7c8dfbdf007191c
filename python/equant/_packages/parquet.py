"""Gaia's epochs and tables of velocities in Parquet files, and catalogues made of them, by pyarrow.

What is read is written out as the table of text that the library reads, which then decides about
rows, units and times as for any other serialisation.
"""

from __future__ import annotations

import contextlib
import io
import os
import tempfile
from typing import Any, Iterable, Iterator, TextIO

import numpy as np

from ..errors import FormatError, Unavailable

#: How Parquet files begin.
MAGIC = b"PAR1"

#: Columns that the library knows, as letters without underscores.
KNOWN = {
    "sourceid",
    "transitid",
    "obstimetcb",
    "obstimebarycorr",
    "centroidposal",
    "centroidposerroral",
    "scanposangle",
    "parallaxfactoral",
    "colourfactoral",
    "usedbyagisal",
    "agissourceexcessnoise",
}


def is_parquet(path: Any) -> bool:
    """Whether a file begins as Parquet files do; False for what cannot be opened."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def write_as_text(path: Any, text: TextIO, takes_all: bool = False) -> None:
    """Writes the columns of interest as csv, row group by row group.

    With `takes_all` those are all columns of a table that has no epoch astrometry.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise Unavailable(
            f"{os.fsdecode(path)}: this is a Parquet file, which needs pyarrow: pip install pyarrow"
        ) from None
    try:
        with pyarrow.parquet.ParquetFile(os.fsdecode(path)) as file:
            names = [
                name for name in file.schema_arrow.names if name.replace("_", "").lower() in KNOWN
            ]
            letters = {name.replace("_", "").lower() for name in names}
            if takes_all and "centroidposal" not in letters:
                names = list(file.schema_arrow.names)
            if not names:
                raise FormatError(
                    f"{os.fsdecode(path)}: this Parquet file has no column of epoch astrometry"
                )
            text.write(",".join(_heading(name) for name in names) + "\n")
            for batch in file.iter_batches(columns=names, batch_size=4096):
                text.writelines(_lines(batch.select(names)))
    except pyarrow.ArrowException as error:
        raise FormatError(f"{os.fsdecode(path)}: pyarrow cannot read this file: {error}") from None


def _heading(name: str) -> str:
    return f'"{name}"' if "," in name else name


def _lines(batch: Any) -> Iterator[str]:
    for row in zip(*(_values(column) for column in batch.columns)):
        yield ",".join(_cell(value) for value in row) + "\n"


def _values(column: Any) -> list[Any]:
    """Numbers of single precision with as few digits as give them back, as other files have them."""
    values: list[Any] = column.to_pylist()
    if str(column.type) == "float":
        return [_shortest(value) for value in values]
    if str(column.type).startswith("list<") and str(column.type.value_type) == "float":
        return [None if array is None else [_shortest(one) for one in array] for array in values]
    return values


class _Digits(str):
    """A number that is text already."""


def _shortest(value: Any) -> Any:
    return None if value is None else _Digits(np.format_float_positional(np.float32(value), trim="-"))


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return '"(' + ",".join(_word(entry) for entry in value) + ')"'
    if isinstance(value, str) and not isinstance(value, _Digits):  # arrays that were text already
        return '"' + value.replace('"', "") + '"'
    return _word(value)


def _word(value: Any) -> str:
    return "null" if value is None else str(value).lower()


@contextlib.contextmanager
def as_text_files(paths: Iterable[Any]) -> Iterator[list[Any]]:
    """The paths, with tables of text, as long as they are needed, in the place of Parquet files."""
    with tempfile.TemporaryDirectory() as folder:
        given = []
        for number, path in enumerate(paths):
            if is_parquet(path):
                stem = os.path.splitext(os.path.basename(os.fsdecode(path)))[0]
                os.mkdir(os.path.join(folder, str(number)))
                table = os.path.join(folder, str(number), stem + ".csv")
                with open(table, "w", encoding="utf-8") as file:
                    write_as_text(path, file, takes_all=True)
                path = table
            given.append(path)
        yield given


def column_names(path: str) -> list[str]:
    """Those of a Parquet file; none where it is something else."""
    if not is_parquet(path):
        return []
    import pyarrow.parquet

    try:
        return list(pyarrow.parquet.read_schema(path).names)
    except pyarrow.ArrowException:
        return []


def columns_as_bytes(columns: dict[str, Any], path: str) -> bytes:
    """Arrays of one length as a Parquet table; NaN becomes a missing value."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise Unavailable(
            f"{path}: Parquet files are written by pyarrow: pip install pyarrow"
        ) from None

    def convert(values: Any) -> Any:
        is_text = values.dtype.kind == "U"
        kind = pyarrow.string() if is_text else pyarrow.from_numpy_dtype(values.dtype)
        return pyarrow.array(values.tolist(), type=kind, from_pandas=True)

    table = pyarrow.table({name: convert(values) for name, values in columns.items()})
    target = io.BytesIO()
    pyarrow.parquet.write_table(table, target)
    return target.getvalue()
