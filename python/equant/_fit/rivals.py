"""The models that came closest to a fit and say otherwise."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from .. import _c
from .._memory import options, string, word
from ..errors import call


@dataclass(frozen=True)
class Rival:
    """The best model that a fit has seen without one of its planets, or with its candidate.

    ``period_days`` is that of the planet or of the candidate. ``delta_score`` is ln of evidence and
    prior of the rival less that of the fit: below 0 where the fit is more probable.
    """

    period_days: float
    is_of_candidate: bool
    planets_days: tuple[float, ...]
    noise: str
    n_outliers: int
    trend: str
    delta_lnl: float
    delta_score: float
    sentence: str


def rivals_of(fit: Any) -> tuple[Rival, ...]:
    """Those of the library's fit: planets by period, and last the candidate."""
    found = []
    for index in range(_c.equant_fit_n_rivals(fit)):
        row = options(_c.equant_fitted_rival)
        call(_c.equant_fit_rival, fit, index, row)
        periods = ctypes.cast(row.planets_days, ctypes.POINTER(ctypes.c_double))
        found.append(
            Rival(
                row.period_days,
                bool(row.is_of_candidate),
                tuple(periods[: row.n_planets]),
                string(row.noise),
                row.n_outliers,
                word("equant_trend", row.trend),
                row.delta_lnl,
                row.delta_score,
                string(row.sentence),
            )
        )
    return tuple(found)
