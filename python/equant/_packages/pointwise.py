"""How well each observation is predicted by all others, for every draw of a posterior."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from .._memory import Array
from ..evaluator import Evaluator
from ..model import Model
from ..noise import Noise, noise_terms
from ..quantities import quantity_kinds

if TYPE_CHECKING:
    from ..posterior import Posterior

AT_ONCE = 4096  # draws whose residuals are in memory


def pointwise_log_likelihood(
    posterior: Posterior, thin: int = 1, is_white_only: bool = False
) -> Optional[Array]:
    """``[n_populations, n_draws, n_obs]``: ln p of an observation given all others and the draw.

    With white noise these add up to the log-likelihood. Correlated noise is conditioned on the
    other observations, as leave-one-out needs it (Sundararajan & Keerthi 2001). None where the
    run does not have what that takes: offsets that were integrated out, noise of fixed numbers or
    of single instruments, ``qp``.
    """
    noise = _noise_of(posterior)
    if noise is None or (is_white_only and noise.process is not None):
        return None
    trend = ("none", "linear", "quadratic")[
        sum(q.kind.startswith("trend") for q in _own(posterior))
    ]
    data = posterior.data
    model = Model(
        posterior.summary.n_planets,
        n_instruments=data.n_instruments,
        trend=trend,
        offset_columns="given",
        trend_columns="given",
    )
    jitters = [f"jitter_m_s_{i + 1}" for i in range(data.n_instruments)]
    is_whole = {*model.parameter_names, *jitters} <= set(posterior.names)
    if not is_whole:
        return None
    names = [*model.parameter_names, *jitters, *(noise.columns if noise.process else ())]
    draws = np.stack([posterior[name][:, ::thin].ravel() for name in names], axis=-1)
    n_mean = len(model.parameter_names)
    evaluator, n_jitters = Evaluator(data, model), len(jitters)
    found = np.empty((len(draws), data.n_obs))
    for begin in range(0, len(draws), AT_ONCE):
        some = draws[begin : begin + AT_ONCE]
        residuals = evaluator.residuals(some[:, :n_mean])
        white = some[:, n_mean : n_mean + n_jitters][:, data.instruments]
        variances = np.array(data.uncertainties_m_s) ** 2 + white**2
        means, spreads = noise.predict_others(
            data, residuals, variances, some[:, n_mean + n_jitters :]
        )
        apart = (residuals - means) ** 2 / spreads
        found[begin : begin + AT_ONCE] = -0.5 * (np.log(2 * np.pi * spreads) + apart)
    return found.reshape(posterior.summary.n_populations, -1, data.n_obs)


class _NoiseOfRun:
    """Correlated noise of a run: its process, and the quantities that are its parameters."""

    def __init__(self, process: Optional[Noise], columns: tuple[str, ...]) -> None:
        self.process, self.columns = process, columns

    def predict_others(
        self, data: Any, residuals: Array, variances: Array, values: Array
    ) -> tuple[Array, Array]:
        """Mean and variance of each residual, given all others: ``[n_draws, n_obs]`` twice."""
        if self.process is None:
            return np.zeros_like(residuals), variances
        means, spreads = np.empty_like(residuals), np.empty_like(residuals)
        for i, (own, white) in enumerate(zip(residuals, variances)):
            rows = {"instruments": data.instruments, "parameters": values[i]}
            at = {"at_instruments": data.instruments}
            mean, variance = self.process.predict(
                data.times_days, own, white, data.times_days, **rows, **at
            )
            # Of K the whole covariance, S the white part: the process given the data has the mean
            # r - S alpha with alpha = K^-1 r, and the variance S - S C S with C the diagonal of K^-1.
            alpha, inverse = (own - mean) / white, (white - variance) / white**2
            means[i], spreads[i] = own - alpha / inverse, 1.0 / inverse
        return means, spreads


def _own(posterior: Posterior) -> list[Any]:
    return [quantity for quantity in posterior.quantities if not quantity.is_derived]


def _noise_of(posterior: Posterior) -> Optional[_NoiseOfRun]:
    """None where it is noise that :class:`Noise` does not predict row by row."""
    kinds = {kind.name: kind for kind in quantity_kinds()}
    columns = [
        quantity
        for quantity in _own(posterior)
        if kinds[quantity.kind].role == "noise" and quantity.kind != "jitter_m_s"
    ]
    if not columns:
        return _NoiseOfRun(None, ())
    terms: dict[str, list[str]] = {}
    for quantity in columns:
        term = max((t for t in noise_terms() if quantity.kind.startswith(t + "_")), key=len)
        terms.setdefault(term, []).append(quantity.name)
    if "qp" in terms or any(quantity.instrument for quantity in columns):
        return None
    catalogue = noise_terms()
    words = ",".join(
        f"{term}({', '.join(f'{name}=1' for name in catalogue[term].parameters)})" for term in terms
    )
    return _NoiseOfRun(Noise(words), tuple(name for names in terms.values() for name in names))
