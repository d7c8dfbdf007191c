"""Schedules: nights filled with observations of many stars."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Sequence

from .. import _c
from .._memory import Handle, address, options, pointer, text
from .._numbers.gate import takes_numbers
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch
from ..table import Table
from .plan import Plan, Planned, along, as_candidates, candidate_arrays

if TYPE_CHECKING:
    from ..posterior import Posterior


@takes_numbers
@dataclass(frozen=True)
class ScheduleStar:
    """A star that may be observed, and when; all as in :meth:`Posterior.plan`.

    ``place`` and ``clock_days`` are telescopes and a clock that all stars share; ``n_most`` limits
    the observations of this star, 0: as many as fit.
    """

    posterior: Posterior
    time_days: Any
    name: str = ""
    target: str = "everything"
    rivals: Sequence[Posterior] = ()
    probabilities: Any = None
    instruments: Any = None
    uncertainty_m_s: Any = None
    cost: Any = None
    weight: Any = None
    exposure_days: Any = None
    overhead_days: Any = None
    place: Any = None
    clock_days: Any = None
    min_gap_days: float = 0.0
    n_most: int = 0

    def _arrays(self) -> Any:
        return candidate_arrays(
            self.posterior,
            self.time_days,
            self.instruments,
            self.uncertainty_m_s,
            self.cost,
            self.weight,
            self.exposure_days,
            self.overhead_days,
            self.place,
            self.clock_days,
        )


@dataclass(frozen=True)
class Scheduled:
    """An observation that is to be made; ``start_days`` to ``end_days`` its place is taken."""

    star: int
    name: str
    place: int
    start_days: float
    end_days: float
    planned: Planned


class Schedule:
    """Observations of many stars, by the clock. Made by :func:`schedule`."""

    def __init__(self, handle: Handle, stars: Sequence[ScheduleStar]) -> None:
        made = handle.pointer
        #: The plan of each star: what was chosen of it, and what is expected then.
        self.plans: tuple[Plan, ...] = tuple(
            Plan(_c.equant_schedule_plan(made, index))
            for index in range(_c.equant_schedule_n_stars(made))
        )
        #: All observations, in the order in which they are made.
        self.observations: tuple[Scheduled, ...] = tuple(
            self._at(made, index, stars) for index in range(_c.equant_schedule_n(made))
        )

    def _at(self, made: Any, index: int, stars: Sequence[ScheduleStar]) -> Scheduled:
        row = options(_c.equant_scheduled)
        call(_c.equant_schedule_at, made, index, row)
        return Scheduled(
            row.star,
            stars[row.star].name or f"star {row.star + 1}",
            row.place,
            row.start_days,
            row.end_days,
            self.plans[row.star].chosen[row.number],
        )

    @property
    def table(self) -> Table:
        """The observations, a row each."""
        names = ("name", "place", "start_days", "end_days")
        return Table.from_records(self.observations, names)

    def __repr__(self) -> str:
        lines = (
            f"  {one.start_days:.4f}  place {one.place}  {one.name}  {one.planned.gain:.3f} nats"
            for one in self.observations
        )
        return "\n".join([f"equant.Schedule: {len(self.observations)} observations", *lines])


@takes_numbers
def schedule(
    stars: Sequence[ScheduleStar],
    *,
    n: int = 0,
    max_draws: int = 0,
    least_value: float = 0.0,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> Schedule:
    """Fills nights with observations of many stars, each where it teaches most for what it costs.

    Parameters
    ----------
    stars
        What may be observed, and when.
    n
        Observations of all stars; 0: until nothing is left.
    max_draws
        Of each posterior; 0: 500.
    least_value
        Nothing is chosen that is worth less: gain times weight over cost.
    engine, progress
        As in :func:`search`.
    """
    stars = list(stars)
    if not stars:
        raise InvalidArgument("a schedule takes stars")
    kept: list[Any] = []  # what the structs point to
    given = (_c.equant_schedule_star * len(stars))()
    for row, star in zip(given, stars):
        models = [star.posterior, *star.rivals]
        handles = (ctypes.c_void_p * len(models))(*[model._handle.pointer for model in models])
        arrays = star._arrays()
        candidates = as_candidates(arrays)
        shares = along(star.probabilities, "probabilities", len(models))
        target = text(star.target)
        kept += [handles, arrays, candidates, shares, target]
        row.struct_size = ctypes.sizeof(_c.equant_schedule_star)
        row.n_posteriors = len(models)
        row.posteriors = ctypes.cast(handles, ctypes.POINTER(ctypes.c_void_p))
        row.candidates = pointer(candidates)
        row.target = target
        row.probabilities = address(shares)
        row.min_gap_days = star.min_gap_days
        row.n_most = star.n_most
    watch = Watch(progress)
    wanted = options(
        _c.equant_schedule_options,
        engine=pointer(as_engine(engine)._options()),
        n_observations=n,
        max_draws=max_draws,
        least_value=least_value,
        progress=watch.callback,
    )
    create, free = _c.equant_schedule_create, _c.equant_schedule_free
    return Schedule(watch.create(create, free, len(stars), given, wanted), stars)
