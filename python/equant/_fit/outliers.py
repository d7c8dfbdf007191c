"""Observations and nights that the rest of a fit does not predict."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np

from .. import _c
from .._memory import Array, options
from ..data import Data
from ..errors import call


@dataclass(frozen=True)
class Outlier:
    """An observation, or all of a night, whose errors a fit has widened.

    ``deviation_m_s`` is what was observed less what the rest predicts, ``expected_m_s`` the
    standard deviation that this was expected to have, ``widening_m_s`` what was added in squares to
    the uncertainties of ``rows``, which are those of the data.
    """

    unit: str
    time_days: float
    instrument: str
    rows: tuple[int, ...]
    deviation_m_s: float
    expected_m_s: float
    widening_m_s: float

    @property
    def deviation_sigma(self) -> float:
        """The deviation in units of what was expected."""
        return self.deviation_m_s / self.expected_m_s


def outliers_of(fit: Any, data: Data) -> tuple[Outlier, ...]:
    """Those of the library's fit, by time."""
    found = []
    for index in range(_c.equant_fit_n_outliers(fit)):
        row = options(_c.equant_fitted_outlier)
        call(_c.equant_fit_outlier, fit, index, row)
        found.append(
            Outlier(
                "night" if row.is_night else "observation",
                row.time_days,
                data.instrument_names[row.instrument],
                tuple((ctypes.c_size_t * row.n_rows).from_address(row.rows)),
                row.deviation_m_s,
                row.expected_m_s,
                row.widening_m_s,
            )
        )
    return tuple(found)


def widened_errors(data: Data, outliers: Sequence[Outlier]) -> Array:
    """The uncertainties of data, those of outliers widened."""
    made = data.uncertainties_m_s.copy()
    for outlier in outliers:
        rows = list(outlier.rows)
        made[rows] = np.hypot(made[rows], outlier.widening_m_s)
    return made
