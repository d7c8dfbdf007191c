"""What the files of a fit are called, and their entries, in folders and in Python."""

from __future__ import annotations

import math
from typing import Optional

MARK = "fit.json"  # written last: a folder with it is complete

#: Names in fit.json of what a fit's summary and a planet's significance are called here.
SUMMARY = {
    "n_obs": "n_obs",
    "n_fitted": "n_fitted",
    "chi2": "chi_square",
    "lnl": "log_likelihood",
    "bic": "bic",
    "rms_m_s": "rms_m_s",
    "lnl_without_planets": "log_likelihood_without_planets",
    "bic_without_planets": "bic_without_planets",
    "t_ref": "reference_time_days",
    "period_min_days": "period_min_days",
    "period_max_days": "period_max_days",
}
SIGNIFICANCE = {
    "fap": "false_alarm",
    "delta_lnl": "log_likelihood_gain",
    "delta_bic": "delta_bic",
    "probability": "probability",
    "fip": "false_inclusion",
}
THRESHOLD = 0.95  # planets that are less probable are candidates
#: Of planets that nobody has named.
LETTERS = "bcdefghijklmnopqrstuvwxyz"
TREND = {"trend_m_s_day": "linear_m_s_day", "trend_m_s_day2": "quadratic_m_s_day2"}


def number_json(value: float) -> Optional[float]:
    """JSON has neither infinities nor NaN."""
    return float(value) if math.isfinite(value) else None
