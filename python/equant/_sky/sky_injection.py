"""Injections into astrometry: which companions of a source would have been found."""

from __future__ import annotations

import numpy as np

from .. import _c
from .._memory import Array, Handle, options, pointer, view
from .._numbers.gate import takes_numbers
from ..astrometry import Astrometry
from ..engine import Engine, EngineLike, as_engine
from ..errors import InvalidArgument
from ..progress import ProgressLike, Watch


class SkyInjection:
    """Shares of companions found, by period and size of the star's orbit."""

    def __init__(self, handle: Handle) -> None:
        n_periods = _c.equant_sky_injection_n_periods(handle.pointer)
        n_sizes = _c.equant_sky_injection_n_sizes(handle.pointer)
        cells = (n_sizes, n_periods)
        self.n_draws = int(_c.equant_sky_injection_n_draws(handle.pointer))
        """Companions of each cell."""
        self.parallax_mas = float(_c.equant_sky_injection_parallax_mas(handle.pointer))
        """Of the source, NaN where it is unknown."""
        self.period_edges_days: Array = view(
            handle, _c.equant_sky_injection_period_edges_days(handle.pointer), (n_periods + 1,)
        )
        self.a0_edges_mas: Array = view(
            handle, _c.equant_sky_injection_a0_edges_mas(handle.pointer), (n_sizes + 1,)
        )
        self.found: Array = view(handle, _c.equant_sky_injection_found(handle.pointer), cells)
        """[size][period]: noise makes the best node hardly ever."""
        self.recovered: Array = view(
            handle, _c.equant_sky_injection_recovered(handle.pointer), cells
        )
        """[size][period]: and that node has the period, too."""

    def __repr__(self) -> str:
        return (
            f"<SkyInjection of {self.found.size * self.n_draws} companions, "
            f"{100 * float(np.mean(self.found)):.0f} % found>"
        )


@takes_numbers
def companion_mass(
    a0_mas: float, period_days: float, parallax_mas: float, star_mass: float
) -> float:
    """The dark mass, in Jupiters, that moves a star of so many suns on an orbit of ``a0_mas``."""
    return float(_c.equant_sky_companion_mass(a0_mas, period_days, parallax_mas, star_mass))


@takes_numbers
def inject_astrometry(
    source: Astrometry,
    *,
    period_days: tuple[float, float] = (0.0, 0.0),
    a0_mas: tuple[float, float] = (0.0, 0.0),
    eccentricity_max: float = 0.0,
    cells: tuple[int, int] = (0, 0),
    draws: int = 0,
    false_alarm: float = 0.0,
    seed: int = 1,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> SkyInjection:
    """Which companions a search of this source would have found.

    Companions of random orientation and phase are put on its scans, with the noise that a fit of it
    has, and each is looked for as :func:`catalogue_astrometry` does.

    Parameters
    ----------
    source
        Rows of a star.
    period_days, a0_mas
        Smallest and largest, log-uniform; 0: 30 days to two spans, a tenth to ten times the error
        of a mean transit.
    eccentricity_max
        Uniform from 0; 0: 0.5.
    cells
        Of periods and of sizes; 0: 12 and 10.
    draws
        Companions of a cell; 0: 84.
    false_alarm
        Found: noise does as well less often; 0: 0.001.
    seed
        Same seed, same map.
    engine
        Where the scans run; in mixed precision without.
    progress
        As everywhere.
    """
    if not isinstance(source, Astrometry):
        raise InvalidArgument("the source must be an equant.Astrometry")
    chosen = Engine(precision="mixed") if engine is None else as_engine(engine)
    watch = Watch(progress)
    asked = options(
        _c.equant_sky_injection_options,
        engine=pointer(chosen._options()),
        false_alarm_max=false_alarm,
        period_min_days=period_days[0],
        period_max_days=period_days[1],
        a0_min_mas=a0_mas[0],
        a0_max_mas=a0_mas[1],
        eccentricity_max=eccentricity_max,
        n_periods=cells[0],
        n_sizes=cells[1],
        n_draws=draws,
        seed=seed,
        progress=watch.callback,
    )
    return SkyInjection(
        watch.create(
            _c.equant_sky_injection_create,
            _c.equant_sky_injection_free,
            source._handle.pointer,
            asked,
        )
    )
