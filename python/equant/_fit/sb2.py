"""Double-lined binaries: the orbit of two stars whose lines are told apart, but not which is whose."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Optional

import numpy as np

from .. import _c
from .._memory import Array, Handle, choice, doubles, options, path_text, pointer, view
from .._numbers.gate import takes_numbers
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call

_VALUES = (
    "period_days",
    "eccentricity",
    "omega_rad",
    "t_peri_days",
    "gamma_m_s",
    "mass_ratio",
)
_OTHERS = ("jitter_m_s", "log_likelihood", "chi_square", "gain", "log_odds", "next_period_days")
_PAIRS = ("k_m_s", "mass_sin3_sun", "a_sin_i_au")


@dataclass(frozen=True)
class DoubleLined:
    """The orbit of a double-lined binary, by :func:`fit_double_lined`.

    Star 1 is that of rows that are ordered; without such rows it is the more massive one. ``omega_rad``
    is of star 1. Pairs are of stars 1 and 2. ``swapped`` is how likely column 1 is star 2, for each
    epoch.
    """

    period_days: float
    period_days_err: float
    eccentricity: float
    eccentricity_err: float
    omega_rad: float
    omega_rad_err: float
    t_peri_days: float
    t_peri_days_err: float
    gamma_m_s: float
    gamma_m_s_err: float
    mass_ratio: float
    mass_ratio_err: float
    k_m_s: tuple[float, float]
    k_m_s_err: tuple[float, float]
    mass_sin3_sun: tuple[float, float]
    mass_sin3_sun_err: tuple[float, float]
    a_sin_i_au: tuple[float, float]
    a_sin_i_au_err: tuple[float, float]
    jitter_m_s: float
    log_likelihood: float
    chi_square: float
    gain: float
    log_odds: float
    next_period_days: float
    next_log_ratio: float
    time_days: Array = field(repr=False)
    swapped: Array = field(repr=False)
    covariance: Array = field(repr=False)
    warnings: tuple[str, ...] = ()
    _orbit: Any = field(default=None, repr=False, compare=False)

    @takes_numbers
    def velocities(self, time_days: Any) -> tuple[Array, Array]:
        """Velocities of stars 1 and 2 in m/s at other times."""
        times = doubles(time_days, "times")
        first, second = np.empty(times.shape), np.empty(times.shape)
        call(
            _c.equant_sb2_velocities,
            ctypes.byref(self._orbit),
            times.size,
            times.ctypes.data,
            first.ctypes.data,
            second.ctypes.data,
        )
        return first, second


def _read(path: Any, unit: str, source_id: Optional[int]) -> Handle:
    paths = list(path) if isinstance(path, (list, tuple)) else [path]
    names = (ctypes.c_char_p * len(paths))(*(path_text(one) for one in paths))
    reading = options(
        _c.equant_sb2_reading,
        velocity_unit=choice("equant_unit", "unit", unit),
        source_id=source_id,
    )
    return Handle(_c.equant_sb2_read, _c.equant_sb2_free, len(paths), names, pointer(reading))


def _create(columns: dict[str, Any], is_ordered: Any) -> Handle:
    arrays = {name: doubles(values, name) for name, values in columns.items()}
    if len({array.shape for array in arrays.values()}) != 1:
        raise InvalidArgument("times, velocities and uncertainties must be of one length")
    flags = None if is_ordered is None else np.ascontiguousarray(is_ordered, dtype=np.intc)
    rows = _c.equant_sb2_rows()
    rows.struct_size = ctypes.sizeof(rows)
    rows.n_rows = next(iter(arrays.values())).size
    for name, array in arrays.items():
        setattr(rows, name, array.ctypes.data)
    if flags is not None:
        if flags.size != rows.n_rows:
            raise InvalidArgument("is_ordered must have an entry for each row")
        rows.is_ordered = flags.ctypes.data
    return Handle(_c.equant_sb2_create, _c.equant_sb2_free, ctypes.byref(rows))


@takes_numbers
def fit_double_lined(
    path: Any = None,
    *,
    time_days: Any = None,
    velocity_1_m_s: Any = None,
    uncertainty_1_m_s: Any = None,
    velocity_2_m_s: Any = None,
    uncertainty_2_m_s: Any = None,
    is_ordered: Any = None,
    unit: str = "from_file",
    source_id: Optional[int] = None,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    keep_roles: bool = False,
    jitter: bool = True,
    engine: EngineLike = None,
) -> DoubleLined:
    """The orbit that both stars of a double-lined binary share, without a guess.

    Experimental. Which velocity is of which star may change from epoch to epoch: each role is
    marginalised.

    Parameters
    ----------
    path
        A file, or several of them, with columns of time, ``rv1``, ``rv1_err``, ``rv2`` and
        ``rv2_err``, or Gaia's; else arrays are to be given.
    time_days, velocity_1_m_s, uncertainty_1_m_s, velocity_2_m_s, uncertainty_2_m_s
        Arrays of one length; a velocity that there is not is NaN.
    is_ordered
        True where the first velocity is known to be star 1's.
    unit
        Of a file: ``"m_s"``, ``"km_s"`` or ``"from_file"``.
    source_id
        Of a file of Gaia with several sources: which one.
    period_days
        Shortest and longest; 0: 0.5 days, twice the span.
    eccentricity_max
        0: 0.95.
    keep_roles
        Whether column 1 is star 1 in all rows.
    jitter
        Whether a scatter beyond the uncertainties is fitted.
    engine
        Its threads search.
    """
    columns = {
        "time_days": time_days,
        "velocity_1_m_s": velocity_1_m_s,
        "uncertainty_1_m_s": uncertainty_1_m_s,
        "velocity_2_m_s": velocity_2_m_s,
        "uncertainty_2_m_s": uncertainty_2_m_s,
    }
    given = sum(values is not None for values in columns.values())
    if given != (5 if path is None else 0):
        raise InvalidArgument("a double-lined binary is a file, or all five arrays of its epochs")
    handle = _create(columns, is_ordered) if path is None else _read(path, unit, source_id)
    asked = options(
        _c.equant_sb2_options,
        engine=pointer(as_engine(engine)._options()),
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        keep_roles=int(keep_roles),
        no_jitter=int(not jitter),
    )
    return _fit(handle, asked)


def _fit(handle: Handle, asked: Any) -> DoubleLined:
    rows, orbit = _c.equant_sb2_rows(), _c.equant_sb2_orbit()
    rows.struct_size, orbit.struct_size = ctypes.sizeof(rows), ctypes.sizeof(orbit)
    call(_c.equant_sb2_rows_of, handle.pointer, ctypes.byref(rows))
    swapped = np.empty(rows.n_rows)
    call(_c.equant_sb2_fit, handle.pointer, pointer(asked), ctypes.byref(orbit), swapped.ctypes.data)
    values: dict[str, Any] = {name: getattr(orbit, name) for name in _OTHERS + _VALUES}
    values.update({f"{name}_err": getattr(orbit, f"{name}_err") for name in _VALUES})
    for name in _PAIRS:
        values[name] = tuple(getattr(orbit, name))
        values[f"{name}_err"] = tuple(getattr(orbit, f"{name}_err"))
    n = _c.EQUANT_SB2_N_ELEMENTS
    warnings: list[str] = []
    while (words := _c.equant_sb2_warning(handle.pointer, len(warnings))) is not None:
        warnings.append(words.decode())
    return DoubleLined(
        **values,
        next_log_ratio=orbit.next_log_ratio,
        time_days=view(handle, rows.time_days, (rows.n_rows,)),
        swapped=swapped,
        covariance=np.array(orbit.covariance).reshape(n, n),
        warnings=tuple(warnings),
        _orbit=orbit,
    )
