"""Injections into velocities: which planets a fit of a star would have found."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from . import _c
from ._memory import Array, Handle, address, elements, options, pointer, text, view
from ._numbers.gate import takes_numbers
from .data import Data, data_pointer
from .engine import EngineLike, as_engine
from .errors import call
from .progress import ProgressLike, Watch


class Injection:
    """The completeness of a star's fit, by period and semi-amplitude."""

    def __init__(self, handle: Handle) -> None:
        n_periods = _c.equant_injection_n_periods(handle.pointer)
        n_amplitudes = _c.equant_injection_n_amplitudes(handle.pointer)
        self._handle = handle
        self.n_draws = int(_c.equant_injection_n_draws(handle.pointer))
        """Planets of each cell."""
        self.n_planets = int(_c.equant_injection_n_planets(handle.pointer))
        """Planets of the fit of the star."""
        self.probability_min = float(_c.equant_injection_probability_min(handle.pointer))
        """Posterior probability from which a planet is recovered."""
        self.period_edges_days: Array = view(
            handle, _c.equant_injection_period_edges_days(handle.pointer), (n_periods + 1,)
        )
        self.k_edges_m_s: Array = view(
            handle, _c.equant_injection_k_edges_m_s(handle.pointer), (n_amplitudes + 1,)
        )
        self.recovered: Array = view(
            handle, _c.equant_injection_recovered(handle.pointer), (n_amplitudes, n_periods)
        )
        """[amplitude][period]: the share that is recovered."""

    def planets(self) -> dict[str, Array]:
        """The injected planets as columns: their orbits, ``probability`` and ``is_recovered``."""
        n = _c.equant_injection_n(self._handle.pointer)
        own = options(_c.equant_injected)
        names = [name for name, *_ in own._fields_ if name != "struct_size"]
        columns = {name: np.empty(n, bool if name[:3] == "is_" else float) for name in names}
        for index in range(n):
            call(_c.equant_injection_at, self._handle.pointer, index, own)
            for name in names:
                columns[name][index] = getattr(own, name)
        return columns

    @takes_numbers
    def limit_m_s(self, share: float = 0.5) -> Array:
        """For each period the smallest K of which a share is recovered from there on; NaN: none."""
        middle = np.log(np.sqrt(self.k_edges_m_s[1:] * self.k_edges_m_s[:-1]))
        limits = np.full(self.recovered.shape[1], np.nan)
        for i, column in enumerate(self.recovered.T):
            below = np.flatnonzero(column < share)
            first = below[-1] + 1 if len(below) else 0
            if first == len(column):
                continue
            if first == 0:
                limits[i] = middle[0]
            else:
                part = (share - column[first - 1]) / (column[first] - column[first - 1])
                limits[i] = middle[first - 1] + part * (middle[first] - middle[first - 1])
        k_m_s: Array = np.exp(limits)
        return k_m_s

    def __repr__(self) -> str:
        return (
            f"<Injection of {self.recovered.size * self.n_draws} planets, "
            f"{100 * float(np.mean(self.recovered)):.0f} % recovered>"
        )


@takes_numbers
def minimum_mass(
    period_days: float, k_m_s: float, eccentricity: float, star_mass: float
) -> float:
    """m sin i in Jupiter masses, of an orbit around a star of so many solar masses."""
    return float(_c.equant_minimum_mass_jupiter(period_days, k_m_s, eccentricity, star_mass))


@takes_numbers
def inject(
    data: Data,
    *,
    period_days: tuple[float, float] = (0.0, 0.0),
    k_m_s: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    circular: bool = False,
    cells: tuple[int, int] = (0, 0),
    draws: int = 0,
    probability_min: float = 0.0,
    drawn_noise: bool = False,
    known: Any = None,
    noise: Optional[str] = None,
    indicators: Any = "auto",
    outliers: Any = None,
    seed: int = 1,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> Injection:
    """Which planets a fit of this star would have found.

    The star is fitted; planets of all periods and amplitudes are added to its residuals one at a
    time, and for each it is decided whether a fit would give it a posterior probability of
    `probability_min`.

    Parameters
    ----------
    data
        The observations.
    period_days, k_m_s
        Smallest and largest, log-uniform; 0: 1 day to twice the span, 1 to 40 times the error that
        white noise would leave K.
    eccentricity_max
        Of the distribution of Kipping (2013); 0: 0.95.
    circular
        Circular orbits only.
    cells
        Of periods and of amplitudes; 0: 12 and 10.
    draws
        Planets of a cell; 0: 84.
    probability_min
        A planet is recovered from this posterior probability on; 0: 0.95.
    drawn_noise
        Add each planet to a new draw of the noise of the fit instead of the residuals.
    known
        Planets that the fit starts from: rows of five elements, or planets of a fit.
    noise, indicators, outliers
        As in :func:`fit`.
    seed
        Same seed, same map.
    engine
        An :class:`Engine`, or the name of a backend.
    progress
        As everywhere.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> found = equant.inject(data, noise="white", k_m_s=(0.2, 20), cells=(2, 2), draws=4)
    >>> found.recovered.shape
    (2, 2)
    """
    rows = elements(known, "known")
    watch = Watch(progress)
    fit = options(
        _c.equant_fit_options,
        engine=pointer(as_engine(engine)._options()),
        n_known=len(rows),
        known=address(rows),
        noise=text(noise),
        indicators=text(indicators if isinstance(indicators, str) else ",".join(indicators)),
        outliers=text(None if outliers is None else str(outliers)),
        probability_min=probability_min,
    )
    asked = options(
        _c.equant_injection_options,
        fit=pointer(fit),
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        k_min_m_s=k_m_s[0],
        k_max_m_s=k_m_s[1],
        eccentricity_max=eccentricity_max,
        all_circular=int(circular),
        n_periods=cells[0],
        n_amplitudes=cells[1],
        n_draws=draws,
        drawn_noise=int(drawn_noise),
        seed=seed,
        progress=watch.callback,
    )
    return Injection(
        watch.create(
            _c.equant_injection_create, _c.equant_injection_free, data_pointer(data), asked
        )
    )
