"""The periods that the signal of a planet may have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

from . import _c
from ._memory import options
from .errors import call


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


def aliases_to_json(aliases: tuple[Alias, ...]) -> list[dict[str, float]]:
    """As fit.json has them."""
    return [dict(vars(alias)) for alias in aliases]


def aliases_from_json(found: Optional[list[dict[str, float]]]) -> tuple[Alias, ...]:
    """And back; of folders that are older, none."""
    return tuple(Alias(**row) for row in found or [])
