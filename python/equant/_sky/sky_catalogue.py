"""Catalogues of astrometry: what many sources do on the sky, one row for each."""

from __future__ import annotations

import csv
import ctypes
import io
import os
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from .. import _c
from .._folder.whole_file import Kind, write_whole
from .._memory import Array, Handle, options, pointer, string
from .._numbers.gate import takes_numbers
from .._packages import parquet
from ..astrometry import Astrometry
from ..data import Data
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
#: Of both, behind the columns of astrometry; named otherwise in C where two names stand.
_JOINT = {
    "joint_gain": "gain",
    "joint_fap": "false_alarm",
    "joint_gain_sky": "gain_sky",
    "joint_gain_velocities": "gain_velocities",
    "tie_chi2_excess": "tie_excess",
    "tie_probability": "tie_chance",
    "velocity_gain": "velocity_gain",
    "velocity_fap": "velocity_false_alarm",
    "velocity_period_days": "velocity_period_days",
    "orbit_period_days": "period_days",
    "orbit_period_days_err": "period_days_err",
    "orbit_eccentricity": "eccentricity",
    "orbit_eccentricity_err": "eccentricity_err",
    "orbit_a0_mas": "a0_mas",
    "orbit_a0_mas_err": "a0_mas_err",
    "inclination_rad": "inclination_rad",
    "inclination_rad_err": "inclination_rad_err",
    "omega_rad": "omega_rad",
    "omega_rad_err": "omega_rad_err",
    "node_rad": "node_rad",
    "node_rad_err": "node_rad_err",
    "t_peri_jd": "t_peri_jd",
    "t_peri_jd_err": "t_peri_jd_err",
    "k_m_s": "k_m_s",
    "k_m_s_err": "k_m_s_err",
    "mass_function_sun": "mass_function_sun",
    "star_mass": "star_mass",
    "star_mass_err": "star_mass_err",
    "mass_jupiter": "mass_jupiter",
    "mass_jupiter_err": "mass_jupiter_err",
}
_JOINT_DTYPE = np.dtype(
    _DTYPE.descr
    + [("n_velocities", np.int64), ("orbit_from", "U10")]
    + [(name, np.float64) for name in _JOINT]
    + [("joint_flags", "U256")]
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
def catalogue_joint(
    sources: Iterable[Optional[Astrometry]],
    velocities: Sequence[Optional[Data]],
    *,
    star_mass: Any = 0.0,
    star_mass_err: Any = 0.0,
    ks_mag: Any = 0.0,
    parallax_bias_mas: Any = 0.0,
    false_alarm: float = 0.0,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    colour: bool = True,
    fit_all: bool = False,
    engine: EngineLike = None,
) -> Array:
    """Orbits of many sources from astrometry and velocities: a structured array, a row for each.

    Experimental. Columns are those of :func:`catalogue_astrometry`, and behind them those that
    ``equant catalogue`` has where velocities are joined; angles are in radians.

    Parameters
    ----------
    sources
        Astrometry of each source; None where there are velocities alone.
    velocities
        Velocities of each; None: it has none.
    star_mass, star_mass_err
        In solar masses, one number for all or one for each; 0: unknown.
    ks_mag
        Magnitudes of 2MASS, from which masses are where there are none; 0: unknown.
    parallax_bias_mas
        Subtracted from parallaxes before they are distances.
    false_alarm, period_days, eccentricity_max, colour, fit_all, engine
        As in :func:`catalogue_astrometry`.
    """
    held, speeds = list(sources), list(velocities)
    if len(held) != len(speeds):
        raise InvalidArgument("sources and velocities must be of one length; None where one has none")
    stars = (_c.equant_sky_star * max(len(held), 1))()
    known = (star_mass, star_mass_err, ks_mag, parallax_bias_mas)
    numbers = [np.broadcast_to(np.asarray(one, np.float64), len(held)) for one in known]
    for star, data, *of_star in zip(stars, speeds, *numbers):
        if data is not None and not isinstance(data, Data):
            raise InvalidArgument("velocities must be equant.Data, or None")
        star.struct_size = ctypes.sizeof(_c.equant_sky_star)
        star.velocities = None if data is None else data._handle.pointer
        star.star_mass, star.star_mass_err, star.ks_mag, star.parallax_bias_mas = of_star
    stars[0].struct_size = ctypes.sizeof(_c.equant_sky_star)
    joint = (_c.equant_sky_joint_row * max(len(held), 1))()
    joint[0].struct_size = ctypes.sizeof(_c.equant_sky_joint_row)

    def run(handle: Any, n: int, addresses: Any, rows: Any) -> int:
        return int(
            _c.equant_sky_catalogue_run_joint(handle, n, addresses, stars, rows, joint)
        )

    rows = _of_all(
        held,
        run,
        _c.equant_sky_catalogue_row,
        engine,
        may_lack=True,
        false_alarm_max=false_alarm,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        no_colour=int(not colour),
        fit_all=int(fit_all),
    )
    pairs = zip(rows, joint)
    return np.array([_row(row) + _joint_row(other) for row, other in pairs], dtype=_JOINT_DTYPE)


def _joint_row(row: Any) -> tuple[Any, ...]:
    numbers = (getattr(row, member) for member in _JOINT.values())
    origin = string(_c.equant_sky_origin_name(row.orbit_from))
    return (row.n_velocities, origin, *numbers, row.flags.decode())


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
    sources: Iterable[Any],
    run: Any,
    row: Any,
    engine: EngineLike,
    *,
    may_lack: bool = False,
    **asked: Any,
) -> list[Any]:
    """What a catalogue tells of each source, as the library has it."""
    held = list(sources)
    if not all(isinstance(one, Astrometry) or (may_lack and one is None) for one in held):
        raise InvalidArgument("sources must be equant.Astrometry, as equant.read_astrometry gives")
    chosen = Engine(precision="mixed") if engine is None else as_engine(engine)
    words = options(_c.equant_sky_catalogue_options, engine=pointer(chosen._options()), **asked)
    handle = Handle(_c.equant_sky_catalogue_create, _c.equant_sky_catalogue_free, pointer(words))
    told = (row * max(len(held), 1))()
    told[0].struct_size = ctypes.sizeof(row)
    addresses = (ctypes.c_void_p * max(len(held), 1))(
        *(None if one is None else one._handle.pointer for one in held)
    )
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
