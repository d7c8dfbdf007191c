"""Predictions: what the draws of a posterior say of times at which nobody has observed."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from .. import _c
from .._memory import Array, Handle, address, choice, doubles, options, pointer
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch
from ..table import Table

if TYPE_CHECKING:
    from ..posterior import Posterior

_COLUMNS = (
    "time_days",
    "mean_m_s",
    "sd_m_s",
    "low_95_m_s",
    "low_68_m_s",
    "median_m_s",
    "high_68_m_s",
    "high_95_m_s",
    "entropy",
    "information",
)


@dataclass(frozen=True)
class Conjunction:
    """When a planet passes between the star and us: the middle of a transit, if there is one.

    68.3 % of the draws of the heaviest mode lie from ``low_days`` to ``high_days``, and 99.7 %
    within ``half_width_99_days`` of the middle of theirs. ``planet`` counts from 1.
    """

    planet: int
    median_days: float
    low_days: float
    high_days: float
    half_width_99_days: float


class Prediction:
    """The predictive distribution at each of some times. Made by :meth:`Posterior.predict`.

    Every attribute is an array along the times: the mean and the standard deviation, the median and
    the ends of intervals of 68.3 and 95.4 %, the entropy in nats, and the ``information`` about
    everything that one observation is expected to bring.
    """

    time_days: Array
    mean_m_s: Array
    sd_m_s: Array
    low_95_m_s: Array
    low_68_m_s: Array
    median_m_s: Array
    high_68_m_s: Array
    high_95_m_s: Array
    entropy: Array
    information: Array

    def __init__(self, handle: Handle) -> None:
        pointer_to = handle.pointer
        n = _c.equant_prediction_n(pointer_to)
        columns = {name: np.empty(n) for name in _COLUMNS}
        modes = []
        for index in range(n):
            row = options(_c.equant_predicted_time)
            call(_c.equant_prediction_at, pointer_to, index, row)
            for name in _COLUMNS:
                columns[name][index] = getattr(row, name)
            modes.append(tuple(_mode(pointer_to, index, number) for number in range(row.n_modes)))
        for name, values in columns.items():
            setattr(self, name, values)
        #: At each time the maxima of the distribution, the heaviest first: velocity and share.
        self.modes: tuple[tuple[tuple[float, float], ...], ...] = tuple(modes)
        #: Whose observations are predicted, from 1.
        self.instrument: int = _c.equant_prediction_instrument(pointer_to)
        #: Of an observation, beside the jitter of the draws.
        self.uncertainty_m_s: float = _c.equant_prediction_uncertainty_m_s(pointer_to)
        self.n_draws: int = _c.equant_prediction_n_draws(pointer_to)

    @property
    def table(self) -> Table:
        """All of it, one row for each time."""
        return Table({name: getattr(self, name) for name in _COLUMNS})

    def __len__(self) -> int:
        return len(self.time_days)

    def __repr__(self) -> str:
        return (
            f"equant.Prediction: {len(self)} times from {self.time_days[0]:.4f} to "
            f"{self.time_days[-1]:.4f}, {self.n_draws} draws"
        )


def _mode(prediction: Any, index: int, number: int) -> tuple[float, float]:
    value, share = ctypes.c_double(), ctypes.c_double()
    call(
        _c.equant_prediction_mode,
        prediction,
        index,
        number,
        ctypes.byref(value),
        ctypes.byref(share),
    )
    return value.value, share.value


def instrument_number(posterior: Posterior, instrument: Union[None, int, str]) -> int:
    """From 1; 0 where nobody is named."""
    if not isinstance(instrument, str):
        return int(instrument or 0)
    names = list(posterior.data.instrument_names)
    if instrument not in names:
        raise InvalidArgument(f"there is no '{instrument}'; there are {', '.join(names)}")
    return names.index(instrument) + 1


def predict(
    posterior: Posterior,
    time_days: Any,
    what: str,
    instrument: Union[None, int, str],
    uncertainty_m_s: float,
    max_draws: int,
    engine: EngineLike,
    progress: ProgressLike,
) -> Prediction:
    """See :meth:`Posterior.predict`."""
    times = np.atleast_1d(doubles(time_days, "time_days"))
    if times.ndim != 1:
        raise InvalidArgument("time_days must be numbers in a row")
    watch = Watch(progress)
    wanted = options(
        _c.equant_predict_options,
        engine=pointer(as_engine(engine)._options()),
        what=choice("equant_predicted", "what", what),
        max_draws=max_draws,
        instrument=instrument_number(posterior, instrument),
        uncertainty_m_s=uncertainty_m_s,
        progress=watch.callback,
    )
    create, free = _c.equant_predict, _c.equant_prediction_free
    return Prediction(
        watch.create(create, free, posterior._handle.pointer, times.size, address(times), wanted)
    )


def conjunctions(posterior: Posterior, start: float, end: float) -> tuple[Conjunction, ...]:
    """See :meth:`Posterior.conjunctions`."""
    n = ctypes.c_size_t()
    theirs = posterior._handle.pointer
    call(_c.equant_predict_conjunctions, theirs, start, end, 0, None, ctypes.byref(n))
    found = (_c.equant_conjunction * n.value)()
    for row in found:
        row.struct_size = ctypes.sizeof(row)
    call(_c.equant_predict_conjunctions, theirs, start, end, n.value, found, ctypes.byref(n))
    names = [name for name in Conjunction.__dataclass_fields__]
    return tuple(Conjunction(**{name: getattr(row, name) for name in names}) for row in found)
