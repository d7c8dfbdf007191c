"""Catalogues of astrometry: what many sources do on the sky, one row for each."""

from __future__ import annotations

import csv
import ctypes
import io
import os
from typing import Any, Iterable, Union

import numpy as np

from .. import _c
from .._folder.whole_file import Kind, write_whole
from .._memory import Array, Handle, options, pointer, string
from .._numbers.gate import takes_numbers
from .._packages import parquet
from ..astrometry import Astrometry
from ..engine import Engine, EngineLike, as_engine
from ..errors import InvalidArgument, call

#: Columns that are named otherwise in tables than in C.
_MEMBERS = {
    "chi2_5p": "chi_square_5p",
    "chi2_orbit": "chi_square_orbit",
    "chi2_scan_angle": "chi_square_scan_angle",
    "fap": "false_alarm",
}
_NUMBERS = (
    "parallax_mas",
    "parallax_mas_err",
    "pm_ra_mas_yr",
    "pm_ra_mas_yr_err",
    "pm_dec_mas_yr",
    "pm_dec_mas_yr_err",
    "chi2_5p",
    "chi2_orbit",
    "chi2_scan_angle",
    "gain",
    "fap",
    "period_days",
    "eccentricity",
    "a0_mas",
    "a0_mas_err",
)
_DTYPE = np.dtype(
    [("source_id", np.int64), ("n_transits", np.int64), ("verdict", "U10")]
    + [(name, np.float64) for name in _NUMBERS]
    + [("flags", "U256")]
)
_SIGNAL = np.dtype(
    [("is_searched", np.bool_)]
    + [(name, np.float64) for name in ("gain", "fap", "period_days", "eccentricity", "m0_rad")]
)


def _row(row: Any) -> tuple[Any, ...]:
    verdict = string(_c.equant_sky_verdict_name(row.verdict)) if row.is_solved else ""
    numbers = (getattr(row, _MEMBERS.get(name, name)) for name in _NUMBERS)
    return (row.source_id, row.n_transits, verdict, *numbers, row.flags.decode())


@takes_numbers
def catalogue_astrometry(
    sources: Iterable[Astrometry],
    *,
    false_alarm: float = 0.0,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    colour: bool = True,
    fit_all: bool = False,
    engine: EngineLike = None,
) -> Array:
    """What many sources do on the sky: a structured array with a row for each.

    All of them are scanned for an orbit in one go, on a GPU where there is one; those for which
    noise is no explanation are fitted as :func:`fit_astrometry` does. Columns are those of
    ``equant catalogue``; a number that a source has not is NaN.

    Parameters
    ----------
    sources
        All are in memory together: for more, call it for one batch after the other. A row
        depends on its source alone.
    false_alarm
        Allowed to an orbit; 0: 0.001.
    period_days
        Shortest and longest; 0: 10 days, 20 times the span of a source.
    eccentricity_max
        0: 0.95.
    colour
        Whether the colour is fitted, with its prior, where a source has factors of it.
    fit_all
        Fits every source, whatever the scan says.
    engine
        Where the scan runs, and on how many threads the rest; in mixed precision without.
    """
    rows = _of_all(
        sources,
        _c.equant_sky_catalogue_run,
        _c.equant_sky_catalogue_row,
        engine,
        false_alarm_max=false_alarm,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        no_colour=int(not colour),
        fit_all=int(fit_all),
    )
    return np.array([_row(row) for row in rows], dtype=_DTYPE)


@takes_numbers
def search_catalogue(
    sources: Iterable[Astrometry],
    *,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    colour: bool = True,
    engine: EngineLike = None,
) -> Array:
    """The best orbit of the grid for many sources, without fits: a structured array.

    Columns are ``is_searched``, ``gain`` in ln L over five parameters, ``fap``, ``period_days``,
    ``eccentricity`` and ``m0_rad`` of the node. Noise has a best orbit, too: ``fap`` tells.

    Parameters
    ----------
    sources
        All are in memory together.
    period_days
        Shortest and longest; 0: 10 days, 20 times the span of a source.
    eccentricity_max
        0: 0.95.
    colour
        Whether the colour is fitted, with its prior, where a source has factors of it.
    engine
        Where the scan runs, and on how many threads the rest; in mixed precision without.
    """
    found = _of_all(
        sources,
        _c.equant_sky_catalogue_search,
        _c.equant_sky_signal,
        engine,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        no_colour=int(not colour),
    )
    names = [_MEMBERS.get(name, name) for name in _SIGNAL.names or ()]
    return np.array([tuple(getattr(one, name) for name in names) for one in found], dtype=_SIGNAL)


def _of_all(
    sources: Iterable[Astrometry], run: Any, row: Any, engine: EngineLike, **asked: Any
) -> list[Any]:
    """What a catalogue tells of each source, as the library has it."""
    held = list(sources)
    if not all(isinstance(source, Astrometry) for source in held):
        raise InvalidArgument("sources must be equant.Astrometry, as equant.read_astrometry gives")
    chosen = Engine(precision="mixed") if engine is None else as_engine(engine)
    words = options(_c.equant_sky_catalogue_options, engine=pointer(chosen._options()), **asked)
    handle = Handle(_c.equant_sky_catalogue_create, _c.equant_sky_catalogue_free, pointer(words))
    told = (row * max(len(held), 1))()
    told[0].struct_size = ctypes.sizeof(row)
    addresses = (ctypes.c_void_p * max(len(held), 1))(*(s._handle.pointer for s in held))
    call(run, handle.pointer, len(held), addresses, told)
    return list(told[: len(held)])


def write_catalogue(table: Array, path: Any, *, force: bool = False) -> None:
    """Writes what :func:`catalogue_astrometry` gives, as Parquet or CSV by the name of the file.

    Numbers of sources stay whole numbers of 64 bits, and numbers that a source has not are missing.
    Parquet wants pyarrow. A table of this kind that is there is replaced when the new one is whole,
    a file of another kind with ``force=True`` alone, and one that was read as data never.
    """
    name = os.fsdecode(path)
    if not isinstance(table, np.ndarray) or table.dtype != _DTYPE:
        raise InvalidArgument("the table must be what equant.catalogue_astrometry gives")
    if not name.endswith((".parquet", ".csv")):
        raise InvalidArgument(f"{name}: the name must end with .parquet or .csv")
    names = list(_DTYPE.names or ())
    contents: Union[str, bytes]
    if name.endswith(".parquet"):
        contents = parquet.columns_as_bytes({column: table[column] for column in names}, name)
        kind = Kind(_WHAT, lambda there: parquet.column_names(there) == names)
    else:
        contents = _csv_text(table)
        kind = Kind(_WHAT, ",".join(names))
    write_whole(name, contents, kind, force)


_WHAT = "a table of equant.write_catalogue"


def _csv_text(table: Array) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_DTYPE.names or ())
    for row in table.tolist():
        writer.writerow("" if isinstance(cell, float) and cell != cell else cell for cell in row)
    return text.getvalue()
