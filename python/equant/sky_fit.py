"""Fits of astrometry: how a source moves on the sky, and the orbit of a companion."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

from . import _c
from ._memory import Array, Handle, options, pointer, string, view
from ._numbers.gate import takes_numbers
from ._sky.sky_options import sky_fit_options_of, source_pointer
from .astrometry import Astrometry, SkyMotions
from .data import Data
from .engine import EngineLike
from .errors import call
from .table import Table


@dataclass(frozen=True)
class SkySolution:
    """Columns of a linear model, with their values and errors by name.

    Positions, parallax and terms of the scan angle are in mas, proper motions in mas a Julian year,
    the colour in 1/micrometre.
    """

    values: dict[str, float]
    errors: dict[str, float]
    covariance: Array
    n_rows: int
    jitter_mas: float
    chi_square: float
    log_likelihood: float


@dataclass(frozen=True)
class SkyModel:
    """One of the models that were tried."""

    name: str
    n_parameters: int
    chi_square: float
    """With the jitter of the verdict's model: to be compared."""
    log_likelihood: float
    bic: float
    jitter_mas: float
    """Its own."""


@dataclass(frozen=True)
class SkyCompanion:
    """A companion, by the orbit of the star's light; angles in radians.

    ``omega_rad`` is the star's, ``node_rad`` the position angle, North through East, where the star
    recedes. Where ``node_is_known`` is false, both may be half a turn more.
    """

    period_days: float
    period_days_err: float
    eccentricity: float
    eccentricity_err: float
    m0_rad: float
    m0_rad_err: float
    t_peri_jd: float
    t_peri_jd_err: float
    a0_mas: float
    a0_mas_err: float
    inclination_rad: float
    inclination_rad_err: float
    omega_rad: float
    omega_rad_err: float
    node_rad: float
    node_rad_err: float
    node_is_known: bool
    thiele_innes_mas: tuple[float, float, float, float]
    thiele_innes_mas_err: tuple[float, float, float, float]
    k_m_s: float
    k_m_s_err: float
    a1_au: float
    a1_au_err: float
    mass_jupiter: float
    mass_jupiter_err: float
    a_au: float
    a_au_err: float
    mass_function_sun: float
    covariance: Array
    """Of period, eccentricity, M0, a0, inclination, omega, node and parallax."""
    gain: float
    """In ln L over the same model without it."""
    false_alarm: float
    """That noise gains as much, behind the companions before it."""


class SkyFit:
    """What a source does on the sky. Made by :func:`equant.fit_astrometry`."""

    def __init__(self, handle: Handle, source: Astrometry) -> None:
        self._handle = handle
        self.source = source
        self._summary = options(_c.equant_sky_summary)
        call(_c.equant_sky_fit_summarize, handle.pointer, self._summary)

    @property
    def verdict(self) -> str:
        """``"5p"``, ``"7p"``, ``"9p"``, ``"orbit"`` or ``"scan_angle"``."""
        return string(_c.equant_sky_verdict_name(self._summary.verdict))

    @property
    def words(self) -> str:
        """Why, in a sentence or two."""
        return string(_c.equant_sky_fit_words(self._handle.pointer))

    @property
    def flags(self) -> list[str]:
        """Rules that the orbit does not meet."""
        words = string(_c.equant_sky_fit_flags(self._handle.pointer))
        return words.split(",") if words else []

    @property
    def false_alarm(self) -> float:
        """That noise makes an orbit as good as the best one, taken or not."""
        return float(self._summary.false_alarm)

    @property
    def gain(self) -> float:
        """Of the best orbit in ln L."""
        return float(self._summary.gain)

    @property
    def chi_square(self) -> float:
        return float(self._summary.chi_square)

    @property
    def jitter_mas(self) -> float:
        return float(self._summary.jitter_mas)

    @property
    def is_tied(self) -> bool:
        """Whether velocities are those of the orbit on the sky."""
        return bool(self._summary.is_tied)

    @property
    def tie_chi2_excess(self) -> Optional[float]:
        """By how much chi-square is larger than with velocities of their own amplitude, at the
        jitters of these; None where velocities are not tied."""
        return float(self._summary.tie_excess) if self.is_tied else None

    @property
    def tie_probability(self) -> Optional[float]:
        """How often noise makes it as large: where this is small, sky and velocities disagree."""
        return float(self._summary.tie_chance) if self.is_tied else None

    @property
    def n_transits(self) -> int:
        return int(self._summary.n_transits)

    @property
    def solution(self) -> SkySolution:
        """The columns of the verdict's model beside the orbit."""
        return _solution(_c.equant_sky_fit_solution, self._handle.pointer)

    @property
    def models(self) -> dict[str, SkyModel]:
        """All that were tried, by name."""
        tried = {}
        for index in range(_c.equant_sky_fit_n_models(self._handle.pointer)):
            found = options(_c.equant_sky_model)
            call(_c.equant_sky_fit_model, self._handle.pointer, index, found)
            name = string(found.name)
            tried[name] = SkyModel(
                name,
                int(found.n_parameters),
                found.chi_square,
                found.log_likelihood,
                found.bic,
                found.jitter_mas,
            )
        return tried

    @property
    def companions(self) -> tuple[SkyCompanion, ...]:
        """In the order in which they were found."""
        found = []
        for index in range(self._summary.n_companions):
            own = options(_c.equant_sky_companion)
            call(_c.equant_sky_fit_companion, self._handle.pointer, index, own)
            members: dict[str, Any] = {
                name: getattr(own, name) for name in SkyCompanion.__dataclass_fields__
            }
            members["node_is_known"] = bool(own.node_is_known)
            for name in ("thiele_innes_mas", "thiele_innes_mas_err"):
                members[name] = tuple(members[name])
            members["covariance"] = np.array(own.covariance).reshape(8, 8)
            found.append(SkyCompanion(**members))
        return tuple(found)

    @property
    def residuals(self) -> Table:
        """What the verdict's model leaves of each row: ``time_days`` since the reference time,
        ``residual`` and ``uncertainty`` (with jitter) in mas, of velocities (``is_velocity``) in
        m/s.
        """
        n_sky = ctypes.c_size_t()
        addresses = [ctypes.c_void_p() for _ in range(3)]
        handle, found = self._handle.pointer, map(ctypes.byref, addresses)
        call(_c.equant_sky_fit_residuals, handle, ctypes.byref(n_sky), *found)
        n = int(self._summary.n_rows)
        columns = [view(self._handle, address.value, (n,)) for address in addresses]
        names = ("time_days", "residual", "uncertainty")
        return Table({**dict(zip(names, columns)), "is_velocity": np.arange(n) >= n_sky.value})

    def __repr__(self) -> str:
        return f"equant.SkyFit({self.verdict}, {self.n_transits} transits)"


def _solution(create: Any, *arguments: Any) -> SkySolution:
    found = Handle(create, _c.equant_sky_solution_free, *arguments)
    summary = options(_c.equant_sky_solution_summary)
    call(_c.equant_sky_solution_summarize, found.pointer, summary)
    n = int(_c.equant_sky_solution_n_columns(found.pointer))
    columns = [options(_c.equant_sky_column) for _ in range(n)]
    for index, column in enumerate(columns):
        call(_c.equant_sky_solution_column, found.pointer, index, column)
    covariance = _c.equant_sky_solution_covariance(found.pointer)
    return SkySolution(
        values={string(column.name): column.value for column in columns},
        errors={string(column.name): column.error for column in columns},
        covariance=view(found, covariance, (n, n)).copy(),
        n_rows=int(summary.n_rows),
        jitter_mas=summary.jitter_mas,
        chi_square=summary.chi_square,
        log_likelihood=summary.log_likelihood,
    )


@takes_numbers
def solve_astrometry(
    source: Astrometry,
    n_motion: int = 5,
    *,
    n_harmonics: int = 0,
    colour: bool = True,
    ccds: bool = False,
    excess_noise_mas: float = 0.0,
    jitter: bool = False,
) -> SkySolution:
    """The motion of a source without companions.

    Parameters
    ----------
    source
        What was seen.
    n_motion
        5, 7 (with an acceleration) or 9 (with its change).
    n_harmonics
        Of the scan angle: 0 to 3, for 3, 5 and 7 times it.
    colour
        Whether the colour is fitted, with its prior, where the source has factors of it.
    ccds
        Rows as they are, in place of means of transits.
    excess_noise_mas
        Added to all errors in quadrature.
    jitter
        Whether a jitter is found besides.

    Examples
    --------
    >>> import numpy as np
    >>> t = np.linspace(-900, 900, 60)
    >>> psi = np.arange(60.0)
    >>> source = Astrometry.from_arrays(t, 3 * np.sin(psi), np.full(60, 0.1), psi)
    >>> round(solve_astrometry(source).values["ra"], 6)
    3.0
    """
    asked = options(
        _c.equant_sky_solve_options,
        n_motion=n_motion,
        n_harmonics=n_harmonics,
        no_colour=int(not colour),
        as_ccds=int(ccds),
        excess_noise_mas=excess_noise_mas,
        with_jitter=int(jitter),
    )
    return _solution(_c.equant_sky_solve, source_pointer(source), pointer(asked))


@takes_numbers
def fit_astrometry(
    source: Astrometry,
    velocities: Optional[Data] = None,
    *,
    ccds: bool = False,
    jitter: bool = True,
    colour: bool = True,
    orbit: bool = False,
    false_alarm: float = 0.0,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    star_mass: float = 0.0,
    star_mass_err: float = 0.0,
    parallax_zero_point_mas: float = 0.0,
    free_velocities: bool = False,
    max_companions: int = 0,
    motions: Optional[SkyMotions] = None,
    scans: Sequence[Astrometry] = (),
    radial_velocity_km_s: float = 0.0,
    engine: EngineLike = None,
) -> SkyFit:
    """The model that a source asks for, and its companion, without a start.

    Parameters
    ----------
    source
        What was seen.
    velocities
        Of the same star.
    ccds
        Rows as they are, in place of means of transits.
    jitter
        False takes the uncertainties as they are.
    colour
        Whether the colour is fitted, with its prior, where the source has factors of it.
    orbit
        True shows the best orbit also where noise would do as well.
    false_alarm
        Allowed to an orbit; 0: 0.001.
    period_days
        Shortest and longest; 0: 1 day, 20 times the span.
    eccentricity_max
        0: 0.95.
    star_mass, star_mass_err
        Solar masses, for the mass of the companion.
    parallax_zero_point_mas
        Taken from the parallax before it is a distance.
    free_velocities
        Their amplitude is not that of the orbit on the sky, as where the companion shines.
    max_companions
        That are looked for, one behind the other; 0: 3, and without a jitter 1.
    motions
        Of the star, from a catalogue of accelerations, where the source has positions of its
        companion and there are velocities.
    scans
        Behind the motions: of GOST, of Hipparcos.
    radial_velocity_km_s
        Of the star, away from us: nearby stars seem to speed up as they come.
    engine
        Where scans run.
    """
    asked = sky_fit_options_of(locals())
    handle = Handle(
        _c.equant_sky_fit_create, _c.equant_sky_fit_free, source_pointer(source), pointer(asked)
    )
    return SkyFit(handle, source)


@dataclass(frozen=True)
class SkyPeak:
    """An orbit that a search found, refined between the nodes of its grid."""

    period_days: float
    eccentricity: float
    m0_rad: float
    a0_mas: float
    gain: float
    """In ln L, with the jitter of five parameters."""
    chi_square: float
    false_alarm: float
    """That noise gains so much at any period of the search."""


class SkySearch:
    """Gains of orbits at every period. Made by :func:`equant.search_astrometry`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        n = int(_c.equant_sky_search_n(handle.pointer))
        addresses = [ctypes.c_void_p() for _ in range(4)]
        call(_c.equant_sky_search_bins, handle.pointer, *map(ctypes.byref, addresses))
        columns = [view(handle, address.value, (n,)) for address in addresses]
        self.frequency_per_day, self.gain, self.eccentricity, self.m0_rad = columns

    @property
    def peaks(self) -> tuple[SkyPeak, ...]:
        """The best first."""
        found = []
        for index in range(_c.equant_sky_search_n_peaks(self._handle.pointer)):
            peak = options(_c.equant_sky_peak)
            call(_c.equant_sky_search_peak, self._handle.pointer, index, peak)
            members = {name: getattr(peak, name) for name in SkyPeak.__dataclass_fields__}
            found.append(SkyPeak(**members))
        return tuple(found)

    def __repr__(self) -> str:
        return f"equant.SkySearch({len(self.gain)} periods, {len(self.peaks)} peaks)"


@takes_numbers
def search_astrometry(
    source: Astrometry,
    velocities: Optional[Data] = None,
    *,
    n_peaks: int = 10,
    jitter: bool = True,
    colour: bool = True,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    engine: EngineLike = None,
) -> SkySearch:
    """The gain of an orbit at every period behind five parameters, and the peaks.

    Parameters
    ----------
    source
        What was seen; means of transits are searched.
    velocities
        Of the same star; their gain is added.
    n_peaks
        How many are refined.
    jitter
        False takes the uncertainties as they are.
    colour
        Whether the colour is fitted, with its prior, where the source has factors of it.
    period_days
        Shortest and longest; 0: 1 day, 20 times the span.
    eccentricity_max
        0: 0.95.
    engine
        Where scans run.
    """
    asked = sky_fit_options_of(locals())
    return SkySearch(
        Handle(
            _c.equant_sky_search_create,
            _c.equant_sky_search_free,
            source_pointer(source),
            pointer(asked),
            n_peaks,
        )
    )
