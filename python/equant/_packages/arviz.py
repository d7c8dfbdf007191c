"""Draws in the layout of ArviZ, the one that the file of a run has."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Optional

import numpy as np

from ..errors import InvalidArgument
from ..quantities import quantity_kinds
from .pointwise import pointwise_log_likelihood

if TYPE_CHECKING:
    from ..posterior import Posterior


def posterior_to_arviz(
    posterior: Posterior, log_likelihood: Optional[bool] = None, thin: int = 1
) -> Any:
    """An ``InferenceData`` (of ArviZ 1: a ``DataTree``)."""
    import arviz

    if thin < 1:
        raise InvalidArgument(f"thin must be 1 or more, not {thin}")
    n_chains = posterior.summary.n_populations
    kinds = {kind.name: kind for kind in quantity_kinds()}
    columns: dict[str, list[Any]] = {}
    dims: dict[str, list[str]] = {}
    described: dict[str, dict[str, str]] = {
        "rv": {"long_name": "velocity", "units": "m/s"},
        "t": {"long_name": "time", "units": "d"},
        "sigma": {"long_name": "uncertainty", "units": "m/s"},
    }
    for quantity in posterior.quantities:
        kind = kinds[quantity.kind]
        is_of_term = kind.axis == "alone" and quantity.instrument > 0
        # Noise of one instrument: "night_amplitude_m_s_2", as in files of runs.
        name = quantity.name if is_of_term else kind.name
        values = posterior[quantity.name][:, ::thin].reshape(n_chains, -1)
        columns.setdefault(name, []).append(values)
        described[name] = {"long_name": kind.meaning, "units": kind.unit}
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
        "sample_stats": {
            "log_likelihood": posterior.log_likelihoods[:, ::thin].reshape(n_chains, -1)
        },
        "observed_data": {"rv": np.array(data.velocities_m_s)},
        "constant_data": {
            "t": np.array(data.times_days),
            "sigma": np.array(data.uncertainties_m_s),
        },
    }
    if log_likelihood is not False:
        pointwise = pointwise_log_likelihood(posterior, thin, is_white_only=log_likelihood is None)
        if pointwise is not None:
            groups["log_likelihood"] = {"rv": pointwise}
        elif log_likelihood:
            raise InvalidArgument(
                "this run has no log-likelihood of single observations: its offsets are integrated "
                "out, or its noise is fixed, of one instrument or qp"
            )
    if int(arviz.__version__.split(".")[0]) >= 1:
        made = arviz.from_dict(groups, coords=coords, dims=dims)
    else:
        with warnings.catch_warnings():
            # It would rather have no sums in sample_stats, where files of runs have them.
            warnings.simplefilter("ignore", PendingDeprecationWarning)
            made = arviz.from_dict(**groups, coords=coords, dims=dims)
    for group in groups:
        for name, variable in made[group].data_vars.items():
            variable.attrs.update({k: v for k, v in described.get(name, {}).items() if v})
    return made
