"""What callers say of runs of the sampler, as the library takes it."""

from __future__ import annotations

from typing import Any, Mapping

from . import _c
from ._memory import choice, options, pointer, text
from .engine import as_engine

#: Arguments that go to the library as they are, under the names that they have there.
_NUMBERS = (
    "n_planets",
    "seed",
    "n_populations",
    "n_walkers",
    "n_temperatures",
    "n_burn_in",
    "thinning",
    "max_draws",
    "max_rhat",
    "min_ess",
    "max_steps",
    "max_seconds",
    "checkpoint_seconds",
)


def sampler_numbers(given: Mapping[str, Any]) -> dict[str, Any]:
    """Those among the arguments of a function that samples.

    >>> sampler_numbers({"seed": 5, "engine": None})
    {'seed': 5}
    """
    return {name: given[name] for name in _NUMBERS if name in given}


def sampling_options(given: Mapping[str, Any], **others: Any) -> Any:
    """Options of a run from the arguments of a function that makes one, and `others`.

    >>> sampling_options({"min_ess": 200, "engine": None, "data": ...}, n_known=3).min_ess
    200.0
    """
    for name in ("trend", "start"):
        if name in given:
            others[name] = choice(f"equant_{name}", name, given[name])
    for name in ("noise", "basis", "star_name"):
        if name in given:
            others[name] = text(given[name])
    engine = pointer(as_engine(given["engine"])._options())
    return options(_c.equant_sample_options, engine=engine, **sampler_numbers(given), **others)
