"""Priors of radvel as functions of many points at a time."""

from __future__ import annotations

from typing import Any, Callable, Iterable

import numpy as np

from .._memory import Array

# Rows of radvel's vector in, ``[n, n_parameters]``; one logarithm for each of them out.
PriorFunction = Callable[[Array], Array]


def prior_functions(priors: Iterable[Any], vector: Any) -> list[PriorFunction]:
    """Functions whose sum is what all ``prior(params, vector)`` together compute.

    Bounds, of which there are often many, are looked at together; a prior that is none of those
    below is called point by point.
    """
    import radvel.prior

    kinds = {
        radvel.prior.Gaussian: _gaussian,
        radvel.prior.Jeffreys: _jeffreys,
        radvel.prior.ModifiedJeffreys: _modified_jeffreys,
        radvel.prior.EccentricityPrior: _eccentricity,
        radvel.prior.PositiveKPrior: _positive_k,
        radvel.prior.NumericalPrior: _numerical,
    }
    bounds = [prior for prior in priors if type(prior) is radvel.prior.HardBounds]
    others = [prior for prior in priors if type(prior) is not radvel.prior.HardBounds]
    functions = [kinds.get(type(prior), _one_by_one)(prior, vector) for prior in others]
    return [_hard_bounds(bounds, vector), *functions] if bounds else functions


def _gaussian(prior: Any, vector: Any) -> PriorFunction:
    column = vector.indices[prior.param]
    norm = -0.5 * np.log(prior.sigma**2 * 2.0 * np.pi)
    return lambda full: norm - 0.5 * ((full[:, column] - prior.mu) / prior.sigma) ** 2


def _within(inside: Any, value: Any) -> Array:
    return np.where(inside, value, -np.inf)


def _hard_bounds(priors: list[Any], vector: Any) -> PriorFunction:
    columns = [vector.indices[prior.param] for prior in priors]
    low, high = (
        np.array([getattr(prior, end) for prior in priors]) for end in ("minval", "maxval")
    )
    norm = -sum(np.log(prior.maxval - prior.minval) for prior in priors if prior.finite)

    def log_density(full: Array) -> Array:
        x = full[:, columns]
        return _within(((x > low) & (x < high)).all(axis=1), norm)

    return log_density


def _jeffreys(prior: Any, vector: Any, knee: float = 0.0) -> PriorFunction:
    column, low, high = vector.indices[prior.param], prior.minval, prior.maxval
    norm = np.log(prior.normalization)

    def log_density(full: Array) -> Array:
        x = full[:, column]
        return _within((x >= low) & (x <= high), norm - np.log(x - knee))

    return log_density


def _modified_jeffreys(prior: Any, vector: Any) -> PriorFunction:
    return _jeffreys(prior, vector, prior.kneeval)


def _eccentricity(prior: Any, vector: Any) -> PriorFunction:
    words = vector.params.basis.name.split()
    columns = [5 * number - 3 for number in prior.planet_list]
    limits = np.asarray(prior.upperlims, dtype=float)
    norm = -np.log(limits).sum()

    def log_density(full: Array) -> Array:
        first, second = full[:, columns], full[:, [column + 1 for column in columns]]
        if "e" in words:
            e = first
        elif "secosw" in words:
            e = first**2 + second**2
        elif "ecosw" in words:
            e = np.sqrt(first**2 + second**2)
        else:
            e = first**2
        return _within(((e >= 0) & (e <= limits)).all(axis=1), norm)

    return log_density


def _positive_k(prior: Any, vector: Any) -> PriorFunction:
    # The parameter itself, as radvel has it: with a basis of ln K that is ln K > 0.
    columns = [5 * number - 1 for number in range(1, prior.num_planets + 1)]
    return lambda full: _within((full[:, columns] >= 0).all(axis=1), 0.0)


def _numerical(prior: Any, vector: Any) -> PriorFunction:
    columns = [vector.indices[name] for name in prior.param_list]
    return lambda full: np.log(prior.pdf_estimate(full[:, columns].T))


def _one_by_one(prior: Any, vector: Any) -> PriorFunction:
    """Through radvel's own vector, which is left as it was."""

    def log_density(full: Array) -> Array:
        before = vector.vector[:, 0].copy()
        answers = np.empty(len(full))
        try:
            for index, row in enumerate(full):
                vector.vector[:, 0] = row
                answers[index] = prior(vector.params, vector)
        finally:
            vector.vector[:, 0] = before
        return answers

    return log_density
