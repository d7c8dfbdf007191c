"""Periodograms of astrometry: what an orbit of each period would explain."""

from __future__ import annotations

import numpy as np

from .. import _c
from .._memory import Array, Handle, options, pointer, view
from .._numbers.gate import takes_numbers
from ..astrometry import Astrometry
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument


class SkyPeriodogram:
    """The gain in ln L of the best orbit at each frequency, behind five parameters."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        n = _c.equant_sky_periodogram_n(handle.pointer)
        columns = (
            _c.equant_sky_periodogram_frequency_per_day,
            _c.equant_sky_periodogram_gain,
            _c.equant_sky_periodogram_eccentricity,
        )
        arrays = [view(handle, column(handle.pointer), (n,)) for column in columns]
        self.frequency_per_day, self.gain, self.eccentricity = arrays

    @property
    def period_days(self) -> Array:
        """Periods, the longest first."""
        return np.asarray(1.0 / self.frequency_per_day)

    @takes_numbers
    def level(self, false_alarm: float) -> float:
        """The gain that noise alone reaches somewhere with this probability."""
        return float(_c.equant_sky_periodogram_level(self._handle.pointer, false_alarm))

    def __repr__(self) -> str:
        best = int(np.argmax(self.gain))
        return (
            f"<SkyPeriodogram of {self.gain.size} frequencies, "
            f"best {self.period_days[best]:.6g} days, gain {self.gain[best]:.4g}>"
        )


@takes_numbers
def periodogram_astrometry(
    source: Astrometry,
    *,
    period_days: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    colour: bool = True,
    engine: EngineLike = None,
) -> SkyPeriodogram:
    """What an orbit of each period, of any eccentricity and phase, explains of a source.

    Parameters
    ----------
    source
        Rows of a star; means of its transits are taken.
    period_days
        Shortest and longest; 0: 1 day, 20 times the span.
    eccentricity_max
        0: 0.95.
    colour
        Whether the colour is fitted, with its prior, where the source has factors of it.
    engine
        Where the scan runs.
    """
    if not isinstance(source, Astrometry):
        raise InvalidArgument("the source must be an equant.Astrometry")
    asked = options(
        _c.equant_sky_periodogram_options,
        engine=pointer(as_engine(engine)._options()),
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        eccentricity_max=eccentricity_max,
        no_colour=int(not colour),
    )
    handle = Handle(
        _c.equant_sky_periodogram_create,
        _c.equant_sky_periodogram_free,
        source._handle.pointer,
        pointer(asked),
    )
    return SkyPeriodogram(handle)
