"""Planets that attract each other: fits of velocities and transit times by integrated orbits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from .. import _c
from .._memory import (
    Array,
    Handle,
    address,
    doubles,
    elements,
    options,
    pointer,
    read_path,
    record,
    view,
)
from .._numbers.gate import takes_numbers
from ..data import Data, data_pointer
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch


@dataclass(frozen=True)
class InteractingPlanet:
    """Osculating Jacobi elements of a planet at the epoch, with errors; NaN: not fitted."""

    mass_jupiter: float
    mass_jupiter_err: float
    period_days: float
    period_days_err: float
    eccentricity: float
    eccentricity_err: float
    omega_rad: float
    omega_rad_err: float
    mean_longitude_rad: float
    mean_longitude_rad_err: float
    k_m_s: float
    label: int
    """Of its transits, 1 is b; 0: it has none."""


@dataclass(frozen=True)
class InteractingSummary:
    """What is fitted and how well."""

    n_obs: int
    n_fitted: int
    epoch_days: float
    star_mass: float
    inclination_rad: float
    inclination_rad_err: float
    chi_square: float
    log_likelihood: float
    bic: float
    rms_m_s: float
    candidate_period_days: float
    """Of the highest peak of the residuals that was not taken; NaN: none was looked for."""
    candidate_false_alarm: float
    n_transits: int
    chi_square_transits: float
    rms_transits_s: float


class InteractingFit:
    """Planets that attract each other, as :func:`fit_interacting` makes them."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        own = options(_c.equant_interacting_summary)
        call(_c.equant_interacting_fit_summarize, handle.pointer, own)
        self.summary: InteractingSummary = record(InteractingSummary, own)
        n = int(_c.equant_interacting_fit_n_planets(handle.pointer))
        self.planets = tuple(self._planet(index) for index in range(n))
        """By period."""
        self.elements: Array = view(
            handle,
            _c.equant_interacting_fit_elements(handle.pointer),
            (n, _c.EQUANT_N_NBODY_ELEMENTS),
        )
        """[planet]: mass (solar masses), period (days), e cos omega, e sin omega, mean longitude,
        inclination, node (rad) at the epoch."""

    def _planet(self, index: int) -> InteractingPlanet:
        own = options(_c.equant_interacting_planet)
        call(_c.equant_interacting_fit_planet, self._handle.pointer, index, own)
        planet: InteractingPlanet = record(InteractingPlanet, own)
        return planet

    @property
    def residuals_m_s(self) -> Array:
        """Of the velocities, in the order of the data."""
        place = _c.equant_interacting_fit_residuals_m_s(self._handle.pointer)
        return view(self._handle, place, (self.summary.n_obs,))

    def transits(self) -> dict[str, Array]:
        """Transit times as columns: ``planet`` (of `planets`), ``number``, ``time_days`` with
        ``time_days_err``, ``fitted_days``, ``linear_days`` of a linear ephemeris, ``distance_au``
        and ``speed_au_day`` on the sky."""
        own = options(_c.equant_interacting_transit)
        names = [name for name, *_ in own._fields_ if name != "struct_size"]
        whole = ("planet", "number")
        columns = {
            name: np.empty(self.summary.n_transits, int if name in whole else float)
            for name in names
        }
        for index in range(self.summary.n_transits):
            call(_c.equant_interacting_fit_transit, self._handle.pointer, index, own)
            for name in names:
                columns[name][index] = getattr(own, name)
        return columns

    def __repr__(self) -> str:
        periods = ", ".join(f"{planet.period_days:.5g}" for planet in self.planets)
        return f"<InteractingFit of planets of {periods} days>"


def _labels(planets: Any) -> Array:
    """Letters from b on, or numbers from 1."""
    given = [ord(p.lower()) - ord("a") if isinstance(p, str) and len(p) == 1 else p for p in planets]
    return _whole(given, "planet")


def _whole(values: Any, name: str) -> Array:
    array = doubles(values, name)
    if not np.all(array == np.rint(array)) or np.any(np.abs(array) > 1e9):
        raise InvalidArgument(f"{name} of transits must be whole numbers")
    return array.astype(np.intc)


def _transits(given: Any) -> Handle:
    if isinstance(given, (str, os.PathLike)):
        return Handle(_c.equant_transits_from_file, _c.equant_transits_free, read_path(given))
    try:
        planet, number, time, error = given
    except (TypeError, ValueError):
        raise InvalidArgument(
            "transits must be a file, or columns of planets, numbers, times and errors"
        ) from None
    columns = (
        _labels(planet),
        _whole(number, "number"),
        doubles(time, "times of transits"),
        doubles(error, "errors of transits"),
    )
    if len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
        raise InvalidArgument("the columns of transits must be of one length")
    return Handle(
        _c.equant_transits_from_arrays,
        _c.equant_transits_free,
        len(columns[0]),
        *(address(column) for column in columns),
    )


@takes_numbers
def fit_interacting(
    data: Optional[Data] = None,
    orbits: Any = None,
    *,
    transits: Any = None,
    star_mass: float = 1.0,
    edge_on: bool = False,
    keep_planets: bool = False,
    false_alarm_max: float = 0.0,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> InteractingFit:
    """Fits planets that attract each other, by integration of their orbits.

    Parameters
    ----------
    data
        Velocities; None: transit times alone.
    orbits
        Keplerian orbits to begin with: rows of five elements, or planets of a fit.
    transits
        Transit times: a file, or a tuple of planets (letters from b on, or numbers from 1),
        numbers, times and errors in days.
    star_mass
        In solar masses.
    edge_on
        Inclinations stay 90 degrees, as they do with transits.
    keep_planets
        Fit just the given orbits, instead of beginning with the two of the largest amplitudes.
    false_alarm_max
        Of a planet that is added; 0: 0.001.
    engine
        An :class:`Engine`, or the name of a backend.
    progress
        As everywhere.

    Examples
    --------
    >>> import equant
    >>> times = ([1, 1, 1, 2, 2, 2] * 2, [0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5],
    ...          [0.0, 9.0, 18.0, 1.0, 15.0, 29.0, 27.0, 36.0, 45.0, 43.0, 57.0, 71.0], [0.01] * 12)
    >>> equant.fit_interacting(transits=times)
    <InteractingFit of planets of 9..., 14... days>
    """
    rows = elements(orbits, "orbits")
    given = None if transits is None else _transits(transits)
    watch = Watch(progress)
    asked = options(
        _c.equant_interacting_options,
        engine=pointer(as_engine(engine)._options()),
        star_mass=star_mass,
        is_edge_on=int(edge_on),
        keeps_planets=int(keep_planets),
        false_alarm_max=false_alarm_max,
        progress=watch.callback,
        transits=None if given is None else given.pointer,
    )
    return InteractingFit(
        watch.create(
            _c.equant_interacting_fit_create,
            _c.equant_interacting_fit_free,
            None if data is None else data_pointer(data),
            len(rows),
            address(rows),
            asked,
        )
    )
