"""Posteriors of many stars, sampled side by side."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Optional, Union

from .. import _c
from .._folder.spoken_call import spoken_call
from .._memory import adopted, text
from .._numbers.gate import takes_numbers
from .._sampling_options import sampling_options
from ..data import Data, data_pointer
from ..engine import EngineLike
from ..errors import Error
from ..posterior import Posterior
from ..progress import ProgressLike, Watch
from .star_results import reason


@takes_numbers
def sample_stars(
    stars: Iterable[Data],
    n_planets: int = 1,
    *,
    trend: str = "none",
    noise: Optional[str] = None,
    start: str = "fit",
    seed: int = 0,
    n_populations: int = 0,
    n_walkers: int = 0,
    n_temperatures: int = 0,
    n_burn_in: int = 0,
    thinning: int = 0,
    max_draws: int = 0,
    max_rhat: float = 0.0,
    min_ess: float = 0.0,
    max_steps: int = 0,
    max_seconds: float = 0.0,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> list[Union[Posterior, Error]]:
    """Samples many stars side by side, each as :func:`equant.sample` does.

    Half a step at a time the proposals of all stars are evaluated in one call, on a GPU in one
    launch. On the same processors a star has the draws that it has alone, to the bit.

    Parameters
    ----------
    stars
        All are in memory together, with their draws: for more, call it for one batch after the
        other.
    n_planets, trend, noise, start, seed, n_populations, n_walkers, n_temperatures, n_burn_in, \
thinning, max_draws, max_rhat, min_ess, max_steps
        As in :func:`equant.sample`; every star has the default priors of its data.
    max_seconds
        Of all together.
    engine, progress
        As in :func:`equant.sample`.

    Returns
    -------
    list
        For each star its posterior, or the error that says why there is none.
    """
    given = dict(locals())
    held = list(stars)
    n = len(held)
    addresses = (ctypes.c_void_p * max(n, 1))(*(data_pointer(data) for data in held))
    posteriors = (ctypes.c_void_p * max(n, 1))()
    statuses = (ctypes.c_int * max(n, 1))()
    watch = Watch(progress)
    chosen = sampling_options(
        given, command=text(spoken_call(sample_stars, given)), progress=watch.callback
    )

    def run(place: Any) -> int:
        status: int = _c.equant_sample_stars(n, addresses, chosen, posteriors, statuses)
        return status

    watch.create(run, lambda nothing: None)
    chosen.progress = type(watch.callback)()
    return [
        reason(data, chosen, _c.equant_sample, _c.equant_posterior_free)
        if found is None
        else Posterior(adopted(found, _c.equant_posterior_free))
        for found, data in zip(posteriors[:n], held)
    ]
