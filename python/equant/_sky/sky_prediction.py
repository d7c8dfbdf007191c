"""Predictions of astrometry: the distribution of what will be seen on the sky, and beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

from .. import _c
from .._memory import Array, Handle, address, choice, doubles, options, pointer
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, call
from ..progress import ProgressLike, Watch
from ..table import Table

if TYPE_CHECKING:
    from .sky_posterior import SkyPosterior

_COLUMNS = (
    "jd",
    "mean",
    "sd",
    "low_95",
    "low_68",
    "median",
    "high_68",
    "high_95",
    "entropy",
    "information",
)


class SkyPrediction:
    """The predictive distribution at each of some times. Made by :meth:`SkyPosterior.predictive`.

    Every attribute is an array along the times, in mas, or in m/s where velocities are predicted:
    the mean and the standard deviation, the median and the ends of intervals of 68.3 and 95.4 %,
    the entropy in nats, and the ``information`` about everything that one observation is expected
    to bring (NaN where none is predicted).
    """

    jd: Array
    mean: Array
    sd: Array
    low_95: Array
    low_68: Array
    median: Array
    high_68: Array
    high_95: Array
    entropy: Array
    information: Array

    def __init__(self, handle: Handle, what: str) -> None:
        pointer_to = handle.pointer
        n = _c.equant_sky_prediction_n(pointer_to)
        columns = {name: np.empty(n) for name in _COLUMNS}
        modes = []
        for index in range(n):
            row = options(_c.equant_sky_predicted_value)
            call(_c.equant_sky_prediction_at, pointer_to, index, row)
            for name in _COLUMNS:
                columns[name][index] = getattr(row, name)
            modes.append(tuple((row.mode[k], row.mode_share[k]) for k in range(row.n_modes)))
        for name, values in columns.items():
            setattr(self, name, values)
        #: What is predicted.
        self.what = what
        #: At each time the maxima of the distribution, the heaviest first: value and share.
        self.modes: tuple[tuple[tuple[float, float], ...], ...] = tuple(modes)
        #: The companion or the instrument, from 1; 0 where it is of none.
        self.number: int = _c.equant_sky_prediction_number(pointer_to)
        #: Of an observation, beside the jitter of the draws; 0 where none is predicted.
        self.uncertainty: float = _c.equant_sky_prediction_uncertainty(pointer_to)
        self.n_draws: int = _c.equant_sky_prediction_n_draws(pointer_to)

    @property
    def table(self) -> Table:
        """All of it, one row for each time."""
        return Table({name: getattr(self, name) for name in _COLUMNS})

    def __len__(self) -> int:
        return len(self.jd)

    def __repr__(self) -> str:
        return (
            f"equant.SkyPrediction: {self.what}, {len(self)} times from {self.jd[0]:.4f} to "
            f"{self.jd[-1]:.4f}, {self.n_draws} draws"
        )


def _beside(times: Array, values: Any, name: str) -> Union[Array, None]:
    if values is None:
        return None
    try:
        return np.ascontiguousarray(np.broadcast_to(doubles(values, name), times.shape))
    except ValueError:
        raise InvalidArgument(f"{name} must be one number, or one for each time") from None


def predictive(
    posterior: SkyPosterior,
    what: str,
    jd: Any,
    scan_angle_rad: Any,
    parallax_factor: Any,
    number: int,
    noise: bool,
    uncertainty: float,
    max_draws: int,
    engine: EngineLike,
    progress: ProgressLike,
) -> SkyPrediction:
    """See :meth:`SkyPosterior.predictive`."""
    times = np.atleast_1d(doubles(jd, "jd"))
    if times.ndim != 1:
        raise InvalidArgument("jd must be numbers in a row")
    angles = _beside(times, scan_angle_rad, "scan_angle_rad")
    factors = _beside(times, parallax_factor, "parallax_factor")
    watch = Watch(progress)
    wanted = options(
        _c.equant_sky_predict_options,
        engine=pointer(as_engine(engine)._options()),
        what=choice("equant_sky_observable", "what", what),
        without_noise=int(not noise),
        number=number,
        uncertainty=uncertainty,
        scan_angle_rad=address(angles),
        parallax_factor=address(factors),
        max_draws=max_draws,
        progress=watch.callback,
    )
    create, free = _c.equant_sky_predict, _c.equant_sky_prediction_free
    made = watch.create(
        create, free, posterior._handle.pointer, times.size, address(times), wanted
    )
    return SkyPrediction(made, what)
