"""Strategies: how many observations ways to choose the next one need, on simulated stars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _c
from .._memory import Array, Handle, address, doubles, options, pointer, string
from .._numbers.gate import takes_numbers
from .._numbers.kinds import JULIAN_DATE
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch

_QUESTIONS = ("period", "alias")


@dataclass(frozen=True)
class Strategy:
    """A way to choose the next observation, and what it came to.

    ``observations`` of each star are those after the first ones, until the right answer was as
    probable as asked for (``answered``) or the star was given up, and means count those without an
    answer with all that they may have; ``misled``: a wrong answer had
    come there before. ``saving`` is by how much their mean is smaller than that of uniform nights,
    ``saving_of_all`` the same with the first ones counted; errors are of bootstrap samples.
    """

    name: str
    mean_observations: float
    mean_error: float
    median_observations: float
    saving: float
    saving_error: float
    saving_of_all: float
    saving_of_all_error: float
    mean_days: float
    answered: Array
    misled: Array
    observations: Array
    days: Array
    probability: Array


class Strategies:
    """Strategies against each other. Made by :func:`compare_strategies`."""

    def __init__(self, handle: Handle) -> None:
        study = handle.pointer
        n_stars = _c.equant_strategies_n_stars(study)
        made = [_strategy(study, index, n_stars) for index in range(_c.EQUANT_N_STRATEGIES)]
        #: Periods of the planets.
        self.period_days: Array = made[0][1]
        #: All strategies by their names.
        self.by_name: dict[str, Strategy] = {one.name: one for one, _ in made}

    def __getitem__(self, name: str) -> Strategy:
        return self.by_name[name]

    def __repr__(self) -> str:
        lines = (
            f"  {one.name:10s}  {one.mean_observations:6.1f} +- {one.mean_error:.1f} observations,"
            f" {100 * one.saving:.0f} +- {100 * one.saving_error:.0f} % fewer"
            for one in self.by_name.values()
        )
        return "\n".join([f"equant.Strategies: {self.period_days.size} stars", *lines])


def _strategy(study: Any, index: int, n_stars: int) -> tuple[Strategy, Array]:
    summary, trial = options(_c.equant_strategy_summary), options(_c.equant_strategy_trial)
    call(_c.equant_strategies_summarize, study, index, summary)
    rows = np.empty((6, n_stars))
    for star in range(n_stars):
        call(_c.equant_strategies_trial, study, index, star, trial)
        rows[:, star] = (
            trial.is_answered,
            trial.is_misled,
            trial.n_observations,
            trial.days,
            trial.probability,
            trial.period_days,
        )
    names = [name for name in Strategy.__dataclass_fields__ if hasattr(summary, name)]
    made = Strategy(
        name=string(_c.equant_strategy_name(index)),
        answered=rows[0] > 0,
        misled=rows[1] > 0,
        observations=rows[2].astype(int),
        days=rows[3],
        probability=rows[4],
        **{name: getattr(summary, name) for name in names},
    )
    return made, rows[5]


@takes_numbers(time_days=JULIAN_DATE)
def compare_strategies(
    time_days: Any,
    *,
    question: str = "period",
    n_stars: int = 200,
    n_first: int = 20,
    n_most: int = 150,
    amplitude: float = 1.0,
    rotation: float = 0.5,
    period_min_days: float = 5.0,
    period_max_days: float = 300.0,
    probability: float = 0.95,
    cadence_days: float = 5.0,
    ahead_days: float = 15.0,
    span_days: float = 1500.0,
    seed: int = 1,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> Strategies:
    """How many observations strategies need until a period is known, on simulated stars.

    Parameters
    ----------
    time_days
        When stars can be observed, in their order, over a year more than ``span_days``.
    question
        ``"period"``: which of all periods is right, or none; ``"alias"``: the period or its alias
        of a day, when these two remain.
    n_stars, n_first, n_most
        Stars; observations that all begin with; how many further ones at most.
    amplitude, rotation
        Of the planet and of the noise by rotation, over the error of an observation.
    period_min_days, period_max_days
        Of the planets, log-uniform.
    probability
        At which the answer counts as given.
    cadence_days, ahead_days
        Of uniform and random nights; of which others take the best time.
    span_days
        After which a star is given up.

    Examples
    --------
    >>> import equant, numpy as np
    >>> nights = np.arange(2461000.4, 2461000.4 + 600)
    >>> study = equant.compare_strategies(nights, n_stars=2, n_most=3, span_days=200)
    >>> study["uniform"].saving
    0.0
    """
    if question not in _QUESTIONS:
        raise InvalidArgument(f"question must be one of {', '.join(_QUESTIONS)}")
    times = np.atleast_1d(doubles(time_days, "time_days"))
    watch = Watch(progress)
    wanted = options(
        _c.equant_strategies_options,
        engine=pointer(as_engine(engine)._options()),
        n_times=times.size,
        time_days=address(times),
        question=_QUESTIONS.index(question),
        n_stars=n_stars,
        n_first=n_first,
        n_most=n_most,
        amplitude=amplitude,
        rotation=rotation if rotation != 0.0 else -1.0,
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        probability=probability,
        cadence_days=cadence_days,
        ahead_days=ahead_days,
        span_days=span_days,
        seed=seed,
        progress=watch.callback,
    )
    create, free = _c.equant_strategies_compare, _c.equant_strategies_free
    return Strategies(watch.create(create, free, wanted))
