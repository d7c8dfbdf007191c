"""Draws in the layout of ArviZ, the one that the file of a run has."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..quantities import quantity_kinds

if TYPE_CHECKING:
    from ..posterior import Posterior


def posterior_to_arviz(posterior: Posterior) -> Any:
    """An ``InferenceData`` (of ArviZ 1: a ``DataTree``)."""
    import arviz

    n_chains = posterior.summary.n_populations
    kinds = {kind.name: kind for kind in quantity_kinds()}
    columns: dict[str, list[Any]] = {}
    dims: dict[str, list[str]] = {}
    for quantity in posterior.quantities:
        kind = kinds[quantity.kind]
        is_of_term = kind.axis == "alone" and quantity.instrument > 0
        # Noise of one instrument: "night_amplitude_2", as in files of runs.
        name = kind.variable + (quantity.name[len(kind.name) :] if is_of_term else "")
        columns.setdefault(name, []).append(posterior[quantity.name].reshape(n_chains, -1))
        if quantity.planet:
            dims[name] = ["planet"]
        elif quantity.instrument and not is_of_term:
            dims[name] = ["instrument"]
    draws = {
        name: np.stack(values, axis=-1) if name in dims else values[0]
        for name, values in columns.items()
    }
    data = posterior.data
    coords = {
        "planet": np.arange(1, posterior.summary.n_planets + 1),
        "instrument": list(data.instrument_names),
    }
    groups: dict[str, Any] = {
        "posterior": draws,
        "sample_stats": {"log_likelihood": posterior.log_likelihoods.reshape(n_chains, -1)},
        "observed_data": {"rv": np.array(data.velocities_m_s)},
        "constant_data": {
            "t": np.array(data.times_days),
            "sigma": np.array(data.uncertainties_m_s),
        },
    }
    if int(arviz.__version__.split(".")[0]) >= 1:
        return arviz.from_dict(groups, coords=coords, dims=dims)
    with warnings.catch_warnings():
        # It would rather have those of single observations, of which there are none.
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        return arviz.from_dict(**groups, coords=coords, dims=dims)
