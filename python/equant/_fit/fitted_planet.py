"""A planet of a fit, and quantities with their errors."""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass, replace
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from .. import _c
from .._memory import Array, options, record, word
from .._numbers.measured import bounded, measured
from ..errors import call
from ..quantities import planet_kinds, quantity_kind, quantity_kinds


@dataclass(frozen=True)
class FittedQuantity:
    """A quantity of a fit with its standard error.

    ``kind`` is its name in the catalogue, :func:`equant.quantity_kinds`. ``planet`` and
    ``instrument`` count from 1; 0 is none.
    """

    name: str
    kind: str
    planet: int
    instrument: int
    value: float
    err: float

    def __str__(self) -> str:
        unit = quantity_kind(self.kind).unit
        return f"{self.name} = {measured(self.value, self.err)} {unit}".rstrip()


# What only a fit knows of a planet: numbers, and the enumerations of words.
_SIGNIFICANCE = (
    "false_alarm",
    "log_likelihood_gain",
    "delta_bic",
    "probability",
    "false_inclusion",
)
# Intervals of planets that few observations share in, by the beginning of their names in C.
INTERVALS = {"k_m_s_interval": "k_m_s", "eccentricity_interval": "eccentricity"}
_WORDS = {"at_limit": "equant_limit", "refused_because": "equant_refusal"}


def _planet_fields() -> list[tuple[str, Any]]:
    quantities = [n for kind in planet_kinds() for n in (kind.name, f"{kind.name}_err")]
    numbers = [(n, float) for n in (*quantities, *_SIGNIFICANCE)]
    words = [(n, str) for n in _WORDS]
    intervals = [(n, Optional[tuple[float, float]]) for n in INTERVALS]
    return [*numbers, ("period_days_bound", Optional[float]), *words, *intervals]


def _interval(judged: Any, name: str) -> Optional[tuple[float, float]]:
    low, high = getattr(judged, f"{name}_low"), getattr(judged, f"{name}_high")
    return None if np.isnan(low) else (low, high)


_PlanetFields: Any = make_dataclass("_PlanetFields", _planet_fields(), frozen=True)


class Planet(_PlanetFields):  # type: ignore[misc]
    """A planet of a fit: what the catalogue of quantities has of planets, and its significance.

    Each quantity is an attribute under its name, such as ``period_days`` or ``t_conj``, and so is
    its standard error, ``period_days_err``; :func:`equant.quantity_kinds` says which there are, in
    which units, and what they mean. Times are next to the reference time. What needs the mass of
    the star is NaN where that was not given. ``false_alarm`` is a probability,
    ``log_likelihood_gain`` what the model loses without the planet, everything else refitted, and
    ``delta_bic`` by how much the BIC grows. ``probability`` is that of the planet being there, at
    any of its aliases, by the evidences of the models with and without it, and ``false_inclusion``
    that of the contrary; NaN where it was not judged, as of planets that were given. Where few
    observations share in a signal, ``k_m_s_interval`` and ``eccentricity_interval`` hold 68.3 % of
    the probability, and errors say little; an infinite K, or an e of 1, says that the data set no
    upper end. None for all other planets.

    ``at_limit`` is ``"none"``, or the end of the range of periods at which the planet was found,
    ``"longest"`` or ``"shortest"``. The likelihood still grows there: the period has no error but
    a bound, ``period_days_bound``, which it is at least or at most (None: the data set none).

    ``refused_because`` is ``"not"`` for the planets of a fit; for its candidate it is the condition
    that was not met, ``"false_alarm"``, ``"bic"``, ``"few_observations"``, ``"undetermined"``,
    ``"improbable"`` or ``"cycle"``,
    which :attr:`Fit.refusal` puts into words.
    """

    @property
    def elements(self) -> Array:
        """The five elements of the orbit, as a parameter set has them."""
        names = (kind.name for kind in quantity_kinds() if kind.role == "element")
        return np.array([getattr(self, name) for name in names])

    def measured(self, name: str) -> str:
        """A quantity with its error, or its bound, in the unit that the name says.

        ``"omega_rad"`` is in radians and ``"omega_deg"`` in degrees.
        """
        shown = {kind.shown_name: kind for kind in planet_kinds() if kind.shown_name != kind.name}
        scale = shown[name].shown_factor if name in shown else 1.0
        kind = shown[name].name if name in shown else quantity_kind(name).name
        value, error = getattr(self, kind) * scale, getattr(self, f"{kind}_err") * scale
        if self.at_limit == "none" or kind not in ("period_days", "a_au"):
            return measured(value, error)
        power = 1.0 if kind == "period_days" else 2.0 / 3.0  # Kepler's third law
        if self.period_days_bound is None:
            return "undetermined"
        bound = value * (self.period_days_bound / self.period_days) ** power
        return bounded(bound, self.at_limit == "longest")

    def __repr__(self) -> str:
        period = self.measured("period_days")
        k = measured(self.k_m_s, self.k_m_s_err)
        e = measured(self.eccentricity, self.eccentricity_err)
        return f"equant.Planet(P = {period} days, K = {k} m/s, e = {e})"


def planet_from(quantities: Sequence[FittedQuantity], judged: Mapping[str, Any]) -> Planet:
    """A planet of these quantities, all others unknown, and of what only a fit knows of it."""
    values: dict[str, Any] = dict.fromkeys((field.name for field in fields(Planet)), np.nan)
    values.update(judged)
    for quantity in quantities:
        values[quantity.kind] = quantity.value
        values[f"{quantity.kind}_err"] = quantity.err
    return Planet(**values)


def quantities_of(fit: Any, count: Any, function: Any) -> tuple[FittedQuantity, ...]:
    """What the library counts and answers of quantities."""
    found = []
    for index in range(count(fit)):
        quantity = options(_c.equant_fitted_quantity)
        call(function, fit, index, quantity)
        made: FittedQuantity = record(FittedQuantity, quantity)
        found.append(replace(made, kind=quantity_kinds()[quantity.kind].name))
    return tuple(found)


def judged_planet(quantities: Sequence[FittedQuantity], function: Any, *arguments: Any) -> Planet:
    """A planet of these quantities; the library's own struct knows its significance."""
    judged = options(_c.equant_planet)
    call(function, *arguments, judged)
    bound = judged.period_days_bound
    return planet_from(
        quantities,
        {
            **{name: getattr(judged, name) for name in _SIGNIFICANCE},
            "period_days_bound": None if np.isnan(bound) else bound,
            **{name: word(enum, getattr(judged, name)) for name, enum in _WORDS.items()},
            **{name: _interval(judged, own) for name, own in INTERVALS.items()},
        },
    )
