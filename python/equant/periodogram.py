"""Search: the Keplerian periodogram and its peaks."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from typing import Any, Optional

import numpy as np

from . import _c
from ._memory import (
    Array,
    Handle,
    address,
    choice,
    elements,
    names_text,
    options,
    pointer,
    record,
    string,
    text,
    view,
)
from ._numbers.gate import takes_numbers
from .data import Data, data_pointer
from .engine import EngineLike, as_engine
from .errors import call
from .progress import ProgressLike, Watch
from .star import Star
from .states import StatesLike, as_states, states_pointer
from .table import Table


@dataclass(frozen=True)
class Peak:
    """A peak of a periodogram, refined."""

    period_days: float
    k_m_s: float
    eccentricity: float
    omega_rad: float
    m0_rad: float
    power: float
    """Share of chi-square that it explains, 0 to 1."""
    log_likelihood_gain: float
    """Gain over the model without it."""
    false_alarm: float
    """Probability that noise does as well, analytic."""
    false_alarm_drawn: float
    """The same by Monte Carlo; NaN without draws."""
    remark: str
    """``"alias of 4.23 days with the day"``, or nothing."""

    @property
    def elements(self) -> Array:
        """The five elements of the orbit, as a parameter set has them."""
        return np.array(
            [self.period_days, self.k_m_s, self.eccentricity, self.omega_rad, self.m0_rad]
        )


class Periodogram:
    """At each frequency the best orbit that has it. Made by :func:`equant.search`.

    Arrays are read-only views of the library's memory, frequencies ascending. Periodograms can be
    pickled, for the same version of equant.
    """

    def __init__(self, handle: Handle, data: Data) -> None:
        self._handle = handle
        self.data = data

    def _array(self, function: Any) -> Array:
        handle = self._handle.pointer
        n = int(_c.equant_periodogram_n(handle))
        return view(self._handle, function(handle), (n,))

    @property
    def frequency_per_day(self) -> Array:
        """Frequencies, ascending."""
        return self._array(_c.equant_periodogram_frequency_per_day)

    @property
    def period_days(self) -> Array:
        """Their periods."""
        return 1.0 / self.frequency_per_day

    @property
    def power(self) -> Array:
        """Share of chi-square that the best orbit explains, of any eccentricity."""
        return self._array(_c.equant_periodogram_power)

    @property
    def circular(self) -> Array:
        """The same for circles."""
        return self._array(_c.equant_periodogram_circular)

    @property
    def eccentricity(self) -> Array:
        """Eccentricity of the best orbit."""
        return self._array(_c.equant_periodogram_eccentricity)

    @property
    def window(self) -> Array:
        """The window function of the times."""
        return self._array(_c.equant_periodogram_window)

    @takes_numbers
    def level(self, false_alarm: float) -> float:
        """The power that has this false-alarm probability by the analytic bound."""
        return float(_c.equant_periodogram_level(self._handle.pointer, false_alarm))

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """Peaks, the highest first."""
        handle = self._handle.pointer
        found = []
        for index in range(_c.equant_periodogram_n_peaks(handle)):
            peak = options(_c.equant_peak)
            call(_c.equant_periodogram_peak, handle, index, peak)
            found.append(record(Peak, peak))
        return tuple(found)

    @property
    def peak_table(self) -> Table:
        """The peaks as a table."""
        return Table.from_records(self.peaks, [field.name for field in fields(Peak)])

    @property
    def noise(self) -> str:
        """The noise of the model without a new planet, as :class:`Noise` takes it; "" if white.

        Powers are shares of chi-square under this noise.
        """
        return string(_c.equant_periodogram_noise(self._handle.pointer))

    @property
    def indicators(self) -> str:
        """The indicators that velocities follow in that model, ``"fwhm of HARPS"``."""
        return string(_c.equant_periodogram_indicators(self._handle.pointer))

    @property
    def n_known(self) -> int:
        """Planets that the model has without a new one."""
        return int(_c.equant_periodogram_n_known(self._handle.pointer))

    @property
    def is_circular(self) -> bool:
        """Whether circles alone were tried."""
        return bool(_c.equant_periodogram_is_circular(self._handle.pointer))

    @property
    def n_nodes(self) -> float:
        """Number of orbits that were tried."""
        return float(_c.equant_periodogram_n_nodes(self._handle.pointer))

    @property
    def seconds(self) -> float:
        """Time that the scan alone took."""
        return float(_c.equant_periodogram_seconds(self._handle.pointer))

    @property
    def table(self) -> Table:
        """The curves as a table."""
        names = ("frequency_per_day", "period_days", "power", "circular", "eccentricity", "window")
        return Table({name: getattr(self, name) for name in names})

    def to_pandas(self) -> Any:
        """The curves as a pandas ``DataFrame``."""
        return self.table.to_pandas()

    def plot(self, ax: Any = None) -> Any:
        """Draws the periodogram with its levels and peaks; needs matplotlib."""
        from .plots import plot_periodogram

        return plot_periodogram(self, ax)

    def __reduce__(self) -> Any:
        contents = np.empty(_c.equant_periodogram_n_bytes(self._handle.pointer), np.uint8)
        _c.equant_periodogram_to_bytes(self._handle.pointer, address(contents))
        return _periodogram_from, (contents.tobytes(), self.data)

    def __repr__(self) -> str:
        best = self.peaks[0] if self.peaks else None
        peak = f"; highest peak {best.period_days:.6g} days" if best else ""
        return f"equant.Periodogram({self.power.size} frequencies{peak})"

    def _repr_html_(self) -> str:
        return self.peak_table._repr_html_()


def _periodogram_from(contents: bytes, data: Data) -> Periodogram:
    create, free = _c.equant_periodogram_from_bytes, _c.equant_periodogram_free
    return Periodogram(Handle(create, free, contents, len(contents)), data)


@takes_numbers
def search(
    data: Data,
    *,
    period_min_days: float = 0.0,
    period_max_days: float = 0.0,
    eccentricity_max: float = 0.0,
    circular_only: bool = False,
    trend: str = "default",
    known: Any = None,
    n_peaks: int = 0,
    n_draws: int = 0,
    seed: int = 0,
    noise: Optional[str] = None,
    indicators: Any = "auto",
    outliers: Any = None,
    states: StatesLike = None,
    star: Optional[Star] = None,
    engine: EngineLike = None,
    exact_precision: bool = False,
    progress: ProgressLike = None,
) -> Periodogram:
    """Periods in the data: a periodogram over all periods, eccentricities and phases.

    Offsets, the trend and the planets known are refitted at every node.

    Parameters
    ----------
    data
        The observations.
    period_min_days, period_max_days
        The range; 0 means half a day, and twice the span of the data.
    eccentricity_max
        0 means 0.9.
    circular_only
        A generalised Lomb-Scargle periodogram.
    trend
        ``"default"`` (a line or a parabola where the data ask for one), ``"none"``, ``"linear"``
        or ``"quadratic"``.
    known
        Planets: rows of five elements, or planets of a fit.
    n_peaks
        To report; 0 means 10.
    n_draws
        Of a Monte Carlo for false-alarm probabilities; 0 for none.
    seed
        Of these draws.
    noise, indicators
        As in :func:`fit`: fitted without the planets that are looked for, and again with each
        peak.
    outliers
        As in :func:`fit`, beside the model without the planets that are looked for, which may be
        among them; a warning names each. None: none.
    states
        What is known of planets, trend and jitters: :class:`States`, or a mapping. Planets whose
        period is fixed or has a normal prior stand beside the known ones; one more is looked for,
        of which period and eccentricity may be bounded.
    star
        Where something is said of masses.
    engine
        An :class:`Engine`, or the name of a backend.
    exact_precision
        Take the precision of the engine as it is, rather than ``"mixed"``.
    progress
        None shows a bar in terminals and notebooks, False shows none; a function is called with
        a :class:`Progress`.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> found = equant.search(data, period_min_days=900, period_max_days=1600, n_peaks=1)
    >>> round(found.peaks[0].period_days)
    1200
    """
    rows = elements(known, "known")
    said = as_states(states)
    watch = Watch(progress)
    chosen = options(
        _c.equant_search_options,
        engine=pointer(as_engine(engine)._options()),
        exact_precision=int(exact_precision),
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        eccentricity_max=eccentricity_max,
        circular_only=int(circular_only),
        trend=choice("equant_trend", "trend", trend),
        n_known=len(rows),
        known=address(rows),
        n_peaks=n_peaks,
        n_draws=n_draws,
        seed=seed,
        noise=text(noise, "noise"),
        indicators=names_text(indicators, "indicators"),
        outliers=text(None if outliers is None else str(outliers)),
        states=states_pointer(said),
        star=None if star is None else pointer(star._options()),
        progress=watch.callback,
    )
    handle = watch.create(_c.equant_search, _c.equant_periodogram_free, data_pointer(data), chosen)
    for index in range(_c.equant_periodogram_n_remarks(handle.pointer)):
        warnings.warn(string(_c.equant_periodogram_remark(handle.pointer, index)), stacklevel=3)
    return Periodogram(handle, data)
