"""All that a fit found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

from .. import _c
from .._memory import Array, Handle, options, record, string, view, word
from ..comparison import Alias, AliasPair, alias_pairs_of, aliases_of, numbers_of
from ..data import Data
from ..errors import call
from ..star import Star
from .fitted_noise import FittedNoise, noise_of
from .fitted_planet import FittedQuantity, Planet, judged_planet, quantities_of
from .outliers import Outlier, outliers_of
from .rivals import Rival, rivals_of


@dataclass(frozen=True)
class FitSummary:
    """How well a fit fits.

    ``n_fitted`` counts the parameters that were free: fixed planets and jitters that were left out
    have columns in the model, but are not among them. A planet could have periods from
    ``period_min_days`` to ``period_max_days`` in the end. ``end`` is ``"finished"``, or
    ``"seconds"`` where the budget was over, or ``"cancelled"``.
    """

    n_obs: int
    n_fitted: int
    chi_square: float
    log_likelihood: float
    bic: float
    rms_m_s: float
    reference_time_days: float
    log_likelihood_without_planets: float
    bic_without_planets: float
    period_min_days: float
    period_max_days: float
    end: str = "finished"


@dataclass(frozen=True)
class FitContents:
    """All that makes a fit beside its data; from the library, or from a folder."""

    summary: FitSummary
    quantities: tuple[FittedQuantity, ...]
    planets: tuple[Planet, ...]
    aliases: tuple[tuple[Alias, ...], ...]
    alias_pairs: tuple[AliasPair, ...]
    number_probabilities: tuple[float, ...]
    candidate: Optional[Planet]
    refusal: str
    rivals: tuple[Rival, ...]
    trend: str
    parameters: Array
    covariance: Array
    residuals_m_s: Array
    model_velocities_m_s: Array
    noise: FittedNoise
    noise_m_s: Array
    outliers: tuple[Outlier, ...]
    star: Star
    made_by: str


def contents_of(handle: Handle, data: Data, star: Star, made_by: str) -> FitContents:
    """What the library has found, in memory of our own."""
    fit = handle.pointer
    summary = options(_c.equant_fit_summary)
    call(_c.equant_fit_summarize, fit, summary)
    n = _c.equant_model_n_parameters(_c.equant_fit_model(fit))
    quantities = quantities_of(fit, _c.equant_fit_n_quantities, _c.equant_fit_quantity)
    refused = quantities_of(
        fit, _c.equant_fit_n_candidate_quantities, _c.equant_fit_candidate_quantity
    )
    planets = (
        judged_planet(
            [quantity for quantity in quantities if quantity.planet == index + 1],
            _c.equant_fit_planet,
            fit,
            index,
        )
        for index in range(_c.equant_fit_n_planets(fit))
    )
    return FitContents(
        summary=replace(
            record(FitSummary, summary), end=word("equant_fit_end", summary.end)
        ),
        quantities=quantities,
        planets=tuple(planets),
        aliases=aliases_of(fit),
        alias_pairs=alias_pairs_of(fit),
        number_probabilities=numbers_of(fit),
        candidate=judged_planet(refused, _c.equant_fit_candidate, fit) if refused else None,
        refusal=string(_c.equant_fit_refusal(fit)),
        rivals=rivals_of(fit),
        trend=word("equant_trend", _c.equant_fit_trend(fit)),
        parameters=_kept(handle, _c.equant_fit_parameters, n),
        covariance=_kept(handle, _c.equant_fit_covariance, n, n),
        residuals_m_s=_kept(handle, _c.equant_fit_residuals_m_s, summary.n_obs),
        model_velocities_m_s=_kept(handle, _c.equant_fit_velocities_m_s, summary.n_obs),
        noise=noise_of(fit, data),
        noise_m_s=_kept(handle, _c.equant_fit_noise_m_s, summary.n_obs),
        outliers=outliers_of(fit, data),
        star=star,
        made_by=made_by,
    )


def _kept(handle: Handle, function: Any, *shape: int) -> Array:
    return view(handle, function(handle.pointer), shape).copy()
