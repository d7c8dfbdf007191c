"""Plans: which times to observe next."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union

import numpy as np

from .. import _c
from .._memory import Array, address, doubles, options, pointer, string, text
from .._numbers.gate import takes_numbers
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch
from ..table import Table
from .prediction import instrument_number

if TYPE_CHECKING:
    from ..posterior import Posterior


@dataclass(frozen=True)
class Planned:
    """An observation that is worth making.

    ``gain`` is the information about the target that it is expected to bring after those before it,
    in nats, ``total`` that of all of them so far, ``value`` the gain times weight over cost.
    ``log_bayes_factor`` is by how much the right one of the two heaviest groups is expected to gain
    on the other; NaN where there is one. ``probability`` is what the right group is expected to
    have after this one and those before it. ``candidate`` counts from 0.
    """

    candidate: int
    time_days: float
    instrument: int
    uncertainty_m_s: float
    gain: float
    total: float
    value: float
    log_bayes_factor: float
    mean_m_s: float
    sd_m_s: float
    probability: float
    reason: str


@dataclass(frozen=True)
class PlanGroup:
    """Draws that a plan tells apart from others: a mode, a model, or a range of a quantity."""

    name: str
    probability: float


@dataclass(frozen=True)
class Expected:
    """The standard deviation of a quantity now, and what it is expected to be after a plan."""

    name: str
    sd_now: float
    sd_after: float


class Plan:
    """Which times teach most. Made by :meth:`Posterior.plan`."""

    def __init__(self, plan: Any) -> None:
        #: The observations to make, in the order in which they were chosen.
        self.chosen: tuple[Planned, ...] = tuple(
            _planned(_c.equant_plan_chosen, plan, index)
            for index in range(_c.equant_plan_n_chosen(plan))
        )
        #: Each candidate as if it were the only observation.
        self.candidates: tuple[Planned, ...] = tuple(
            _planned(_c.equant_plan_candidate, plan, index)
            for index in range(_c.equant_plan_n_candidates(plan))
        )
        #: What draws are told apart by.
        self.groups: tuple[PlanGroup, ...] = tuple(
            PlanGroup(
                string(_c.equant_plan_group_name(plan, index)),
                _c.equant_plan_group_probability(plan, index),
            )
            for index in range(_c.equant_plan_n_groups(plan))
        )
        #: The most that can be learnt about the groups, in nats.
        self.group_entropy: float = _c.equant_plan_group_entropy(plan)

        #: Quantities of the run now, and after all that is chosen; none of rival runs.
        self.expected: tuple[Expected, ...] = tuple(
            _expected(plan, index) for index in range(_c.equant_plan_n_expected(plan))
        )

    @property
    def gains(self) -> Array:
        """What each candidate would bring if it were the only one, in nats."""
        return np.array([one.gain for one in self.candidates])

    @property
    def table(self) -> Table:
        """The observations to make."""
        names = ("time_days", "gain", "total", "mean_m_s", "sd_m_s", "reason")
        return Table.from_records(self.chosen, names)

    def __repr__(self) -> str:
        lines = (f"  {one.time_days:.4f}  {one.gain:.3f} nats  {one.reason}" for one in self.chosen)
        return "\n".join([f"equant.Plan: {len(self.chosen)} observations", *lines])


def _planned(function: Any, plan: Any, index: int) -> Planned:
    row = options(_c.equant_planned)
    call(function, plan, index, row)
    values = {name: getattr(row, name) for name in Planned.__dataclass_fields__}
    return Planned(**{**values, "reason": string(row.reason)})


def _expected(plan: Any, index: int) -> Expected:
    row = options(_c.equant_expected)
    call(_c.equant_plan_expected, plan, index, row)
    return Expected(string(row.name), row.sd_now, row.sd_after)


def along(values: Any, name: str, n: int) -> Optional[Array]:
    """One number for each candidate; None stays None."""
    if values is None:
        return None
    return np.ascontiguousarray(np.broadcast_to(doubles(values, name), (n,)))


def _instruments(posterior: Posterior, instruments: Any, n: int) -> Optional[Array]:
    if instruments is None:
        return None
    if isinstance(instruments, (int, str)):
        instruments = [instruments] * n
    numbers = [instrument_number(posterior, one) - 1 for one in instruments]
    if len(numbers) != n:
        raise InvalidArgument("instruments must be as many as times")
    return np.array(numbers, dtype=np.intc)


def candidate_arrays(
    posterior: Posterior,
    time_days: Any,
    instruments: Any,
    uncertainty_m_s: Any,
    cost: Any,
    weight: Any,
    exposure_days: Any,
    overhead_days: Any,
    place: Any,
    clock_days: Any,
) -> dict[str, Optional[Array]]:
    """Observations that could be made, by the names of the C struct's members."""
    times = np.atleast_1d(doubles(time_days, "time_days"))
    n = times.size
    exposure = along(0.0 if exposure_days is None else exposure_days, "exposure_days", n)
    overhead = along(0.0 if overhead_days is None else overhead_days, "overhead_days", n)
    assert exposure is not None and overhead is not None
    taken = exposure + overhead
    if cost is None and np.all(taken > 0.0):
        cost = 24.0 * taken
    places = None if place is None else np.broadcast_to(np.asarray(place, dtype=np.intc), (n,))
    return {
        "time_days": times,
        "uncertainties_m_s": along(uncertainty_m_s, "uncertainty_m_s", n),
        "costs": along(cost, "cost", n),
        "weights": along(weight, "weight", n),
        "instruments": _instruments(posterior, instruments, n),
        "places": None if places is None else np.ascontiguousarray(places),
        "clock_days": along(clock_days, "clock_days", n),
        "before_days": 0.5 * exposure + overhead,
        "after_days": 0.5 * exposure,
    }


def as_candidates(arrays: dict[str, Optional[Array]]) -> Any:
    """The C struct of such arrays, which must outlive it."""
    times = arrays["time_days"]
    assert times is not None
    addresses = {name: address(array) for name, array in arrays.items()}
    return options(_c.equant_candidates, n=times.size, **addresses)


def plan(
    posterior: Posterior,
    time_days: Any,
    n: int,
    target: str,
    rivals: Sequence[Posterior],
    probabilities: Any,
    instruments: Union[None, int, str, Sequence[Union[int, str]]],
    uncertainty_m_s: Any,
    cost: Any,
    weight: Any,
    min_gap_days: float,
    exposure_days: Any,
    overhead_days: Any,
    place: Any,
    clock_days: Any,
    max_draws: int,
    engine: EngineLike,
    progress: ProgressLike,
) -> Plan:
    """See :meth:`Posterior.plan`."""
    arrays = candidate_arrays(
        posterior,
        time_days,
        instruments,
        uncertainty_m_s,
        cost,
        weight,
        exposure_days,
        overhead_days,
        place,
        clock_days,
    )
    given = as_candidates(arrays)
    models = [posterior, *rivals]
    shares = along(probabilities, "probabilities", len(models))
    watch = Watch(progress)
    wanted = options(
        _c.equant_plan_options,
        engine=pointer(as_engine(engine)._options()),
        target=text(target),
        n_observations=n,
        min_gap_days=min_gap_days,
        max_draws=max_draws,
        probabilities=address(shares),
        progress=watch.callback,
    )
    handles = (ctypes.c_void_p * len(models))(*[model._handle.pointer for model in models])
    create, free = _c.equant_plan_create, _c.equant_plan_free
    made = watch.create(create, free, len(models), handles, given, wanted)
    return Plan(made.pointer)


@takes_numbers
def mixture_entropy(
    means: Any, variances: Any, weights: Any = None, groups: Any = None
) -> tuple[float, float, float]:
    """The entropy of a mixture of normal distributions, by quadrature, in nats.

    Beside it the mean entropies of its components and of its groups: the first less the last is
    what a value tells of its group.

    Parameters
    ----------
    means, variances
        Of the components.
    weights
        Of any sum; None means equal.
    groups
        To which each component belongs, from 0; None means one group.

    Examples
    --------
    >>> import equant
    >>> whole, single, _ = equant.mixture_entropy([0.0, 100.0], [1.0, 1.0])
    >>> round(whole - single, 6)  # ln 2: they are told apart
    0.693147
    """
    centres = np.atleast_1d(doubles(means, "means"))
    n = centres.size
    spreads, shares = along(variances, "variances", n), along(weights, "weights", n)
    numbers = None if groups is None else np.ascontiguousarray(groups, dtype=np.uintp)
    if numbers is not None and numbers.shape != (n,):
        raise InvalidArgument("groups must be as many as means")
    results = [ctypes.c_double() for _ in range(3)]
    call(
        _c.equant_mixture_entropy,
        n,
        address(centres),
        address(spreads),
        address(shares),
        0 if numbers is None or n == 0 else int(numbers.max()) + 1,
        address(numbers),
        *[ctypes.byref(result) for result in results],
    )
    return results[0].value, results[1].value, results[2].value
