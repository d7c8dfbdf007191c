"""How many planets, how probable each of them is, and which periods their signals may have."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass, fields
from typing import Any, NoReturn, Optional

from . import _c
from ._memory import Array, Handle, names_text, options, pointer, string, text, view
from ._numbers.gate import takes_numbers
from .data import Data, data_pointer
from .engine import EngineLike, as_engine
from .errors import call
from .progress import ProgressLike, Watch


@dataclass(frozen=True)
class Alias:
    """A period at which observations that repeat show the same signal, fitted in its place."""

    period_days: float
    #: Among all periods of this signal.
    probability: float
    #: ln L of the best model with it, less that of the planet.
    delta_lnl: float
    #: The share of the planet's signal that it explains too: near 1 the data cannot tell.
    overlap: float


def aliases_of(fit: Any) -> tuple[tuple[Alias, ...], ...]:
    """Of each planet of the library's fit, the most probable first, which is the planet."""
    return tuple(
        tuple(_alias(fit, planet, index) for index in range(_c.equant_fit_n_aliases(fit, planet)))
        for planet in range(_c.equant_fit_n_planets(fit))
    )


def _alias(fit: Any, planet: int, index: int) -> Alias:
    row = options(_c.equant_alias)
    call(_c.equant_fit_alias, fit, planet, index, row)
    return Alias(row.period_days, row.probability, row.delta_lnl, row.overlap)


@dataclass(frozen=True)
class AliasPair:
    """Periods that two planets may have only together, both fitted anew."""

    #: The two, from 0.
    planets: tuple[int, int]
    period_days: tuple[float, float]
    #: Among all periods of the two.
    probability: float
    #: ln L of the best model with both, less that of the fit.
    delta_lnl: float


def alias_pairs_of(fit: Any) -> tuple[AliasPair, ...]:
    """Of the library's fit, the most probable first."""
    pairs = []
    for index in range(_c.equant_fit_n_alias_pairs(fit)):
        row = options(_c.equant_alias_pair)
        call(_c.equant_fit_alias_pair, fit, index, row)
        periods = row.first_period_days, row.second_period_days
        planets = int(row.first), int(row.second)
        pairs.append(AliasPair(planets, periods, row.probability, row.delta_lnl))
    return tuple(pairs)


def numbers_of(fit: Any) -> tuple[float, ...]:
    """Probabilities of 0, 1, 2 ... planets, of the library's fit; none where none is known."""
    most = _c.equant_fit_max_planets(fit)
    numbers = tuple(float(_c.equant_fit_number_probability(fit, n)) for n in range(most + 1))
    return () if all(map(math.isnan, numbers)) else numbers


@dataclass(frozen=True)
class Signal:
    """A signal that may be a planet."""

    period_days: float
    period_days_err: float
    #: That there is a planet with one of its periods.
    probability: float
    #: Monte Carlo error of that.
    probability_err: float
    #: False inclusion probability: that there is none.
    fip: float
    #: The periods that it may have, the most probable first; ``overlap`` is NaN.
    aliases: tuple[Alias, ...]


class Comparison:
    """How probable each number of planets is, and each planet. Made by :func:`equant.compare`.

    Arrays are read-only views of the library's memory.
    """

    def __init__(self, handle: Handle, data: Data) -> None:
        self._handle = handle
        self.data = data

    @property
    def agrees(self) -> bool:
        """Whether the chains agree; where they do not, no number should be used."""
        return bool(_c.equant_comparison_agrees(self._handle.pointer))

    @property
    def number_probabilities(self) -> tuple[float, ...]:
        """The probability of 0, 1, 2 ... planets."""
        handle = self._handle.pointer
        most = int(_c.equant_comparison_max_planets(handle))
        return tuple(
            float(_c.equant_comparison_probability(handle, n, None)) for n in range(most + 1)
        )

    @property
    def n_planets(self) -> NoReturn:
        """A comparison has no number of planets, but :attr:`number_probabilities`."""
        raise AttributeError("the probabilities of 0, 1, 2 ... planets are number_probabilities")

    @property
    def log_evidence(self) -> tuple[tuple[float, float], ...]:
        """Of 0, 1, 2 ... planets ln of the evidence over that of the most probable number, and its
        Monte Carlo error; NaN where the chains have not seen so many.
        """
        handle = self._handle.pointer
        found = []
        for n in range(int(_c.equant_comparison_max_planets(handle)) + 1):
            err = ctypes.c_double()
            value = _c.equant_comparison_log_evidence(handle, n, ctypes.byref(err))
            found.append((float(value), err.value))
        return tuple(found)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """Signals of more than 1 %, the most probable first."""
        handle = self._handle.pointer
        n = int(_c.equant_comparison_n_signals(handle))
        return tuple(_signal(handle, index) for index in range(n))

    @takes_numbers
    def fip(self, period_min_days: float, period_max_days: float) -> float:
        """The probability that no planet has a period between two."""
        found = ctypes.c_double()
        call(
            _c.equant_comparison_fip,
            self._handle.pointer,
            period_min_days,
            period_max_days,
            ctypes.byref(found),
            None,
        )
        return found.value

    @property
    def frequency_per_day(self) -> Array:
        """Frequencies of the FIP periodogram, ascending."""
        return self._array(_c.equant_comparison_frequencies)

    @property
    def fip_periodogram(self) -> Array:
        """At each, that no planet is within half of the data's resolution of it."""
        return self._array(_c.equant_comparison_fip_periodogram)

    def _array(self, function: Any) -> Array:
        handle = self._handle.pointer
        n = int(_c.equant_comparison_n_frequencies(handle))
        return view(self._handle, function(handle), (n,))

    @property
    def priors(self) -> tuple[str, ...]:
        """What was believed before the data, in sentences."""
        handle = self._handle.pointer
        n = int(_c.equant_comparison_n_priors(handle))
        return tuple(string(_c.equant_comparison_prior(handle, i)) for i in range(n))

    @property
    def remarks(self) -> tuple[str, ...]:
        """What is to be said about the run, in sentences."""
        handle = self._handle.pointer
        n = int(_c.equant_comparison_n_remarks(handle))
        return tuple(string(_c.equant_comparison_remark(handle, i)) for i in range(n))

    def __repr__(self) -> str:
        numbers = ", ".join(f"{n}: {p:.3f}" for n, p in enumerate(self.number_probabilities))
        return f"equant.Comparison(P(n) = {{{numbers}}})"


def _signal(handle: Any, index: int) -> Signal:
    row = options(_c.equant_signal)
    call(_c.equant_comparison_signal, handle, index, row)
    aliases = []
    for member in range(row.n_aliases):
        alias = options(_c.equant_alias)
        call(_c.equant_comparison_alias, handle, index, member, alias)
        aliases.append(Alias(alias.period_days, alias.probability, alias.delta_lnl, alias.overlap))
    return Signal(
        row.period_days,
        row.period_days_err,
        row.probability,
        row.probability_err,
        row.fip,
        tuple(aliases),
    )


@takes_numbers
def compare(
    data: Data,
    *,
    max_planets: int = 0,
    ratio_n: float = 1.0,
    circular: bool = False,
    prior_e: Optional[str] = None,
    prior_jitter: Optional[str] = None,
    k_min_m_s: float = 0.0,
    k_max_m_s: float = 0.0,
    period_min_days: float = 0.0,
    period_max_days: float = 0.0,
    noise: Optional[str] = None,
    indicators: Any = "auto",
    jitter: bool = True,
    n_sweeps: int = 0,
    n_populations: int = 0,
    seed: int = 0,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> Comparison:
    """Says how probable each number of planets is, and that each signal is one.

    A fit comes first, whose noise, trend and indicators all models have; chains over models of all
    numbers of planets begin at its planets, without any, and without one of them.

    Parameters
    ----------
    data
        The observations.
    max_planets
        Models have 0 to so many; 0 means 6, or two more than the fit has.
    ratio_n
        Before the data each planet more is so many times as likely as one less.
    circular
        Circles only, as prior_e="circular" says.
    prior_e
        Of eccentricities: "kipping", the default, as Kipping (2013) found them, "uniform",
        "circular", or a density from 0 on, such as "rayleigh(0.2)".
    prior_jitter
        Of jitters in m/s, such as "log-uniform(0.1, 10)"; None means
        "modified-log-uniform(1, 2129)".
    k_min_m_s, k_max_m_s
        Scales of amplitudes; 0 means twice the standard error of one, and 128 times that or half
        the range of the velocities.
    period_min_days, period_max_days, noise, indicators, jitter
        Of the fit, as in :func:`fit`.
    n_sweeps, n_populations
        The length of the chains, of which the first quarter is left out, and how many there are; 0
        means 400 and 4.
    seed, engine, progress
        As in :func:`search`; a GPU computes the evidence of all frequencies, everything else is
        the processor's.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> found = equant.compare(data, noise="white", period_min_days=500, max_planets=1, n_sweeps=20)
    >>> [round(signal.period_days, -1) for signal in found.signals if signal.probability > 0.95]
    [1200.0]
    """
    watch = Watch(progress)
    chosen_engine = as_engine(engine)
    chosen = options(
        _c.equant_compare_options,
        n_threads=chosen_engine.n_threads,
        engine=pointer(chosen_engine._options()),
        seed=seed,
        max_planets=max_planets,
        ratio_n=ratio_n,
        k_min_m_s=k_min_m_s,
        k_max_m_s=k_max_m_s,
        circular=int(circular),
        prior_e=text(prior_e),
        prior_jitter=text(prior_jitter),
        n_populations=n_populations,
        n_sweeps=n_sweeps,
        noise=text(noise if noise not in (None, "auto", "white") else None),
        no_jitter=int(not jitter),
        progress=watch.callback,
    )
    call(_c.equant_compare_check, data_pointer(data), chosen)
    wanted = options(
        _c.equant_fit_options,
        engine=pointer(chosen_engine._options()),
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        noise=text(noise, "noise"),
        indicators=names_text(indicators, "indicators"),
        no_jitter=int(not jitter),
        seed=seed,
        progress=watch.callback,
    )
    fit = watch.create(_c.equant_fit_star, _c.equant_fit_free, data_pointer(data), wanted)
    create, free = _c.equant_compare, _c.equant_comparison_free
    return Comparison(watch.create(create, free, data_pointer(data), fit.pointer, chosen), data)


# Models that differ by one choice


@dataclass(frozen=True)
class ComparedModel:
    """A model that differs from the adopted one by one choice, or that one itself.

    ``words`` are about its BIC: ``"best"``, ``"no worse"`` (below 2 from the lowest), ``"worse"``
    (below 6), ``"much worse"`` (below 10) or ``"ruled out"``. ``aicc`` is the AIC for few
    observations; ``delta_log_evidence`` is ln Z less that of the adopted model, by Laplace's
    method, NaN where it was not computed.
    """

    name: str
    words: str
    is_adopted: bool
    n_planets: int
    n_fitted: int
    log_likelihood: float
    bic: float
    aicc: float
    delta_log_evidence: float


def _model(table: Any, index: int) -> ComparedModel:
    own = options(_c.equant_compared_model)
    call(_c.equant_model_table_at, table, index, own)
    values = {field.name: getattr(own, field.name) for field in fields(ComparedModel)}
    values.update(name=string(own.name), words=string(own.words), is_adopted=bool(own.is_adopted))
    return ComparedModel(**values)


def compared_models(watch: Any, data: Any, fit: Any, chosen: Any) -> tuple[ComparedModel, ...]:
    """Those beside a fit of these options."""
    table = watch.create(_c.equant_models_compare, _c.equant_model_table_free, data, fit, chosen)
    count = range(_c.equant_model_table_n(table.pointer))
    return tuple(_model(table.pointer, index) for index in count)
