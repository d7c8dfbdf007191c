"""The noise of a fit and its outliers, as fit.json has them."""

from __future__ import annotations

import math
from typing import Any, Mapping, Optional, Sequence

from .._fit.fitted_noise import (
    FittedNoise,
    FittedTerm,
    FollowedIndicator,
    NoiseSeries,
    NoiseValue,
    TriedIndicator,
    TriedTerm,
)
from .._fit.outliers import Outlier
from .fit_names import number_json


def noise_to_json(noise: FittedNoise, rms_after_m_s: float) -> Optional[dict[str, Any]]:
    """None where the noise is white and nothing else was tried."""
    if noise.is_white and not noise.tried and not noise.indicators_tried:
        return None
    turns = noise.rotation
    return {
        "terms": [
            {
                "name": term.name,
                "instrument": term.instrument,
                "parameters": {
                    name: {
                        "value": number_json(own.value),
                        "err": number_json(own.err),
                        "unit": own.unit,
                        "fixed": own.fixed,
                    }
                    for name, own in term.parameters.items()
                },
            }
            for term in noise.terms
        ],
        "indicators": [dict(vars(indicator)) for indicator in noise.indicators],
        "series": [
            {
                key: number_json(own) if isinstance(own, float) else own
                for key, own in vars(one).items()
            }
            for one in noise.series
        ],
        "lead_days": noise.lead_days,
        "lead_days_err": noise.lead_days_err,
        "tried": [
            {
                "name": trial.name,
                "instrument": trial.instrument,
                "chosen": trial.chosen,
                "given": trial.given,
                "delta_lnl": number_json(trial.log_likelihood_gain),
                "delta_bic": number_json(trial.delta_bic),
            }
            for trial in noise.tried
        ],
        "indicators_tried": [
            {
                "name": trial.name,
                "instrument": trial.instrument,
                "smoothing_days": trial.smoothing_days,
                "chosen": trial.chosen,
                "given": trial.given,
                "delta_lnl": number_json(trial.log_likelihood_gain),
                "delta_bic": number_json(trial.delta_bic),
            }
            for trial in noise.indicators_tried
        ],
        "rotation_days": None if turns is None else turns.value,
        "rotation_days_err": None if turns is None else number_json(turns.err),
        "rms_after_m_s": rms_after_m_s,
    }


def noise_from_json(shown: Optional[Mapping[str, Any]]) -> FittedNoise:
    """The noise that :func:`noise_to_json`, or the command, wrote."""
    if shown is None:
        return FittedNoise()

    def number(value: Optional[float]) -> float:
        return math.nan if value is None else float(value)

    return FittedNoise(
        tuple(
            FittedTerm(
                term["name"],
                {
                    name: NoiseValue(
                        number(own["value"]),
                        number(own["err"]),
                        own["unit"],
                        bool(own.get("fixed", False)),
                    )
                    for name, own in term["parameters"].items()
                },
                term.get("instrument"),
            )
            for term in shown["terms"]
        ),
        tuple(FollowedIndicator(**indicator) for indicator in shown["indicators"]),
        tuple(
            TriedTerm(
                trial["name"],
                bool(trial["chosen"]),
                number(trial["delta_lnl"]),
                number(trial["delta_bic"]),
                bool(trial.get("given", False)),
                trial.get("instrument"),
            )
            for trial in shown["tried"]
        ),
        tuple(
            TriedIndicator(
                trial["name"],
                trial["instrument"],
                float(trial["smoothing_days"]),
                bool(trial["chosen"]),
                bool(trial["given"]),
                number(trial["delta_lnl"]),
                number(trial["delta_bic"]),
            )
            for trial in shown.get("indicators_tried", ())
        ),
        tuple(
            NoiseSeries(
                own["name"],
                own["instrument"],
                number(own["scale"]),
                number(own["scale_err"]),
                number(own["rate"]),
                number(own["rate_err"]),
                number(own["jitter"]),
                number(own["jitter_err"]),
            )
            for own in shown.get("series", ())
        ),
        shown.get("lead_days"),
        shown.get("lead_days_err"),
    )


def outliers_to_json(outliers: Sequence[Outlier]) -> list[dict[str, Any]]:
    """As the command writes them."""
    return [
        {
            "unit": own.unit,
            "time": own.time_days,
            "instrument": own.instrument,
            "rows": list(own.rows),
            "deviation_m_s": own.deviation_m_s,
            "expected_m_s": own.expected_m_s,
            "deviation_sigma": own.deviation_sigma,
            "widening_m_s": own.widening_m_s,
        }
        for own in outliers
    ]


def outliers_from_json(shown: Sequence[Mapping[str, Any]]) -> tuple[Outlier, ...]:
    """Those that :func:`outliers_to_json`, or the command, wrote."""
    return tuple(
        Outlier(
            own["unit"],
            own["time"],
            own["instrument"],
            tuple(int(row) for row in own["rows"]),
            own["deviation_m_s"],
            own["expected_m_s"],
            own["widening_m_s"],
        )
        for own in shown
    )
