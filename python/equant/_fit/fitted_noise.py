"""The noise of a fit beside jitters: terms, indicators, and what was tried."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Mapping, Optional

import numpy as np

from .. import _c
from .._memory import Array, address, options, string
from .._numbers.measured import measured
from ..data import Data, data_pointer
from ..errors import call
from ..noise import noise_terms


@dataclass(frozen=True)
class NoiseValue:
    """A parameter of a term with its standard error.

    That is 0 where the parameter is fixed or lies at an end of its range.
    """

    value: float
    err: float
    unit: str
    fixed: bool = False

    def __str__(self) -> str:
        return f"{measured(self.value, self.err)} {self.unit}".rstrip()


@dataclass(frozen=True)
class FittedTerm:
    """A term of the noise, under its name in :func:`equant.noise_terms`.

    One with an ``instrument`` moves the velocities of that alone.
    """

    name: str
    parameters: Mapping[str, NoiseValue]
    instrument: Optional[str] = None


@dataclass(frozen=True)
class FollowedIndicator:
    """An indicator that the velocities of an instrument follow: slope (x - mean) / deviation.

    x is averaged over ``smoothing_days`` first, against magnetic cycles; 0 where it is not.
    """

    name: str
    instrument: str
    slope_m_s: float
    slope_m_s_err: float
    mean: float
    deviation: float
    smoothing_days: float = 0.0

    def column(self, data: Data) -> Array:
        """(x - mean) / deviation at each observation; 0 where the instrument has not measured x."""
        made = np.empty(data.n_obs)
        wanted = options(
            _c.equant_fitted_indicator,
            indicator=list(data.indicators).index(self.name),
            instrument=list(data.instrument_names).index(self.instrument),
            mean=self.mean,
            deviation=self.deviation,
            smoothing_days=self.smoothing_days,
        )
        call(_c.equant_fit_indicator_column, data_pointer(data), wanted, address(made))
        return made


@dataclass(frozen=True)
class NoiseSeries:
    """An indicator that is a series of one process ``G`` with the velocities.

    It is ``scale G + rate H`` and an offset, ``H`` the derivative of ``G`` times a radian of the
    rotation, all in the unit of the indicator.
    """

    name: str
    instrument: str
    scale: float
    scale_err: float
    rate: float
    rate_err: float
    jitter: float
    jitter_err: float


@dataclass(frozen=True)
class TriedTerm:
    """A term that was offered, and what it is worth to the final model, all else refitted.

    ``log_likelihood_gain`` is ln L with it less that without it, ``delta_bic`` by how much the BIC
    grows without it. One that was asked for is ``given``: every model has it.
    """

    name: str
    chosen: bool
    log_likelihood_gain: float
    delta_bic: float
    given: bool = False
    instrument: Optional[str] = None


@dataclass(frozen=True)
class TriedIndicator:
    """An indicator that was offered or asked for, and what it is worth, as of :class:`TriedTerm`.

    Where it was left, the noise stays as it is in that comparison.
    """

    name: str
    instrument: str
    smoothing_days: float
    chosen: bool
    given: bool
    log_likelihood_gain: float
    delta_bic: float


@dataclass(frozen=True)
class FittedNoise:
    """The noise of a fit beside jitters, chosen or asked for; empty where it is white."""

    terms: tuple[FittedTerm, ...] = ()
    indicators: tuple[FollowedIndicator, ...] = ()
    tried: tuple[TriedTerm, ...] = ()
    indicators_tried: tuple[TriedIndicator, ...] = ()
    #: Indicators that are series of one process with the velocities.
    series: tuple[NoiseSeries, ...] = ()
    #: Days by which velocities are ahead of that process; None without series.
    lead_days: Optional[float] = None
    lead_days_err: Optional[float] = None
    #: Whether the period of a rotation is determined (:attr:`rotation`).
    is_rotation_determined: bool = False
    #: Probability that the rotation has a period, against noise of any memory without one; 1 where
    #: it was asked for, None without a rotation.
    rotation_probability: Optional[float] = None
    #: Days after which the correlation of noise of days to months has fallen to 1/e; None without
    #: such noise, or where it is a determined rotation.
    memory_days: Optional[float] = None

    @property
    def is_white(self) -> bool:
        """Whether there are neither terms nor indicators."""
        return not self.terms and not self.indicators

    @property
    def rotation(self) -> Optional[NoiseValue]:
        """The period in which the star turns; None where the noise does not determine it."""
        if not self.is_rotation_determined:
            return None
        turning = {name for name, kind in noise_terms().items() if kind.is_rotation}
        periods = (term.parameters["period"] for term in self.terms if term.name in turning)
        return next(periods, None)

    @property
    def text(self) -> str:
        """The terms as fits take them; "" without any.

        :class:`equant.Noise` takes them too, but for those of one instrument, which has no name
        there: :meth:`text_of`.
        """
        return self.text_of(None)

    def text_of(self, data: Optional[Data]) -> str:
        """The terms as :class:`equant.Noise` takes them: instruments of the data are numbers."""
        return ", ".join(
            f"{term.name}{_owner(term.instrument, data)}"
            f"({', '.join(f'{k}={v.value!r}' for k, v in term.parameters.items())})"
            for term in self.terms
        )

    def names_of(self, data: Data) -> str:
        """The terms without values, as :class:`equant.Model` takes them."""
        return ",".join(f"{term.name}{_owner(term.instrument, data)}" for term in self.terms)


def _owner(instrument: Optional[str], data: Optional[Data]) -> str:
    if instrument is None:
        return ""
    return f"@{instrument if data is None else list(data.instrument_names).index(instrument)}"


def _split(term: str) -> tuple[str, Optional[str]]:
    """Of "mep@HARPS" the kind and the instrument; None where it is of all."""
    name, _, instrument = term.partition("@")
    return name, instrument or None


def noise_of(fit: Any, data: Data) -> FittedNoise:
    """What the library's fit says of its noise."""
    lead_err = ctypes.c_double()
    lead = _c.equant_fit_lead_days(fit, ctypes.byref(lead_err))
    return FittedNoise(
        _terms(fit),
        _indicators(fit, data),
        _tried(fit),
        _indicators_tried(fit, data),
        _series(fit, data),
        _if_finite(lead),
        _if_finite(lead_err.value),
        math.isfinite(_c.equant_fit_rotation_days(fit, None)),
        _if_finite(_c.equant_fit_rotation_probability(fit)),
        _if_finite(_c.equant_fit_memory_days(fit, None)),
    )


def _rows(fit: Any, struct: Any, count: Any, function: Any) -> list[Any]:
    found = []
    for index in range(count(fit)):
        row = options(struct)
        call(function, fit, index, row)
        found.append(row)
    return found


def _terms(fit: Any) -> tuple[FittedTerm, ...]:
    terms: dict[str, dict[str, NoiseValue]] = {}
    for row in _rows(
        fit,
        _c.equant_fitted_noise_parameter,
        _c.equant_fit_n_noise_parameters,
        _c.equant_fit_noise_parameter,
    ):
        value = NoiseValue(row.value, row.err, string(row.unit), bool(row.is_fixed))
        terms.setdefault(string(row.term), {})[string(row.name)] = value
    return tuple(
        FittedTerm(name, parameters, instrument)
        for (name, instrument), parameters in ((_split(term), own) for term, own in terms.items())
    )


def _indicators(fit: Any, data: Data) -> tuple[FollowedIndicator, ...]:
    names = list(data.indicators)
    return tuple(
        FollowedIndicator(
            names[row.indicator],
            data.instrument_names[row.instrument],
            row.slope_m_s,
            row.slope_m_s_err,
            row.mean,
            row.deviation,
            row.smoothing_days,
        )
        for row in _rows(
            fit, _c.equant_fitted_indicator, _c.equant_fit_n_indicators, _c.equant_fit_indicator
        )
    )


def _series(fit: Any, data: Data) -> tuple[NoiseSeries, ...]:
    names = list(data.indicators)
    return tuple(
        NoiseSeries(
            names[row.indicator],
            data.instrument_names[row.instrument],
            row.scale,
            row.scale_err,
            row.rate,
            row.rate_err,
            row.jitter,
            row.jitter_err,
        )
        for row in _rows(fit, _c.equant_fitted_series, _c.equant_fit_n_series, _c.equant_fit_series)
    )


def _tried(fit: Any) -> tuple[TriedTerm, ...]:
    return tuple(
        TriedTerm(
            _split(string(row.term))[0],
            bool(row.is_chosen),
            row.log_likelihood_gain,
            row.delta_bic,
            bool(row.is_given),
            _split(string(row.term))[1],
        )
        for row in _rows(
            fit,
            _c.equant_fitted_noise_trial,
            _c.equant_fit_n_noise_trials,
            _c.equant_fit_noise_trial,
        )
    )


def _indicators_tried(fit: Any, data: Data) -> tuple[TriedIndicator, ...]:
    names = list(data.indicators)
    return tuple(
        TriedIndicator(
            names[row.indicator],
            data.instrument_names[row.instrument],
            row.smoothing_days,
            bool(row.is_chosen),
            bool(row.is_given),
            row.log_likelihood_gain,
            row.delta_bic,
        )
        for row in _rows(
            fit,
            _c.equant_fitted_indicator_trial,
            _c.equant_fit_n_indicator_trials,
            _c.equant_fit_indicator_trial,
        )
    )


def _if_finite(value: float) -> Optional[float]:
    return float(value) if math.isfinite(value) else None
