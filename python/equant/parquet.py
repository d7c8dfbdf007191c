"""Parquet files as tables of text, which the command reads, too::

    python3 -m equant.parquet FILE.parquet FILE.csv

Of Gaia's epoch astrometry the columns that equant knows are taken, of other tables all.
"""

from __future__ import annotations

import io
import os
import sys
from typing import Optional, Sequence, Union

from ._folder.whole_file import Kind, write_whole
from ._packages.parquet import is_parquet, write_as_text
from .errors import Error, FormatError

PathLike = Union[str, "os.PathLike[str]"]

__all__ = ["convert"]


def convert(path: PathLike, target: PathLike) -> None:
    """Writes the table of a Parquet file as CSV; a file that is there is not replaced.

    Needs pyarrow.
    """
    if not is_parquet(path):
        raise FormatError(f"{os.fspath(path)}: this is no Parquet file")
    text = io.StringIO()
    write_as_text(path, text, takes_all=True)
    nothing = Kind("an empty file", lambda name: False)
    write_whole(os.fspath(target), text.getvalue(), nothing)


def _main(arguments: Optional[Sequence[str]] = None) -> int:
    paths = sys.argv[1:] if arguments is None else list(arguments)
    if len(paths) != 2 or paths[0].startswith("-"):
        print("Usage: python3 -m equant.parquet FILE.parquet FILE.csv", file=sys.stderr)
        return 2
    try:
        convert(paths[0], paths[1])
    except (Error, OSError) as error:
        print(f"equant: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(_main())
