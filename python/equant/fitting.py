"""fit: the planets of a star, without a starting guess."""

from __future__ import annotations

import warnings
from typing import Any, Optional

from . import _c
from ._folder.spoken_call import spoken_call
from ._memory import address, choice, elements, names_text, options, pointer, string, text
from ._numbers.gate import takes_numbers
from .comparison import compared_models
from .data import Data, data_pointer
from .engine import EngineLike, as_engine
from .errors import InvalidArgument
from .fitted_star import Fit, fit_of
from .progress import ProgressLike, Watch
from .star import Star, star_of
from .states import StatesLike, as_states, states_pointer


@takes_numbers
def fit(
    data: Data,
    n_planets: Optional[int] = None,
    *,
    max_planets: int = 0,
    false_alarm_max: float = 0.0,
    probability_min: float = 0.0,
    probabilities: str = "quick",
    budget_s: float = 0.0,
    method: str = "scan",
    period_min_days: float = 0.0,
    period_max_days: float = 0.0,
    eccentricity_max: float = 0.0,
    trend: str = "default",
    known: Any = None,
    n_fixed: int = 0,
    jitter: bool = True,
    noise: Optional[str] = None,
    indicators: Any = "auto",
    indicators_as: str = "columns",
    outliers: Any = None,
    star_mass: float = 0.0,
    star: Optional[Star] = None,
    states: StatesLike = None,
    basis: Optional[str] = None,
    seed: int = 0,
    engine: EngineLike = None,
    exact_precision: bool = False,
    models: bool = False,
    progress: ProgressLike = None,
) -> Fit:
    """Finds the planets of a star, with offsets, trend and jitters, without a starting guess.

    A warning says so where the data do not carry as many planets as were asked for, and where an
    indicator is left out or missing in some rows.

    Parameters
    ----------
    data
        The observations.
    n_planets
        None takes as many as the data ask for.
    max_planets
        Where `n_planets` is None; 0 means 10.
    false_alarm_max
        That one planet more may have; 0 means 1e-3.
    probability_min
        That a planet must have to be there, where the fit decides how many there are; what has
        less is a candidate; 0 means that it is not asked for.
    probabilities
        ``"quick"``: of the planets, of their periods and of their number, from models that are
        compared; ``"none"``: planets by false alarms and, against noise, by evidence, with the
        periods that they were found with. :func:`compare` samples them.
    budget_s
        Seconds that the fit may take: after half of them no planet more is looked for, and what
        was found is judged until nine tenths are over; a remark and ``summary.end`` say so. 0
        means as long as it takes.
    method
        ``"scan"``: exact scans, one planet more at a time; ``"de"``: differential evolution of
        all planets together.
    period_min_days, period_max_days, eccentricity_max
        Of the scans; 0 means half a day, twice the span of the data (a planet found at that end
        is followed up to eight times the span), and 0.9.
    trend
        ``"default"`` (a line or a parabola where the data ask for one), ``"none"``, ``"linear"``
        or ``"quadratic"``.
    known
        Planets to start from, refined with the rest: rows of five elements, or planets.
    n_fixed
        The first of them that stay as they are.
    jitter
        Whether noise beyond the uncertainties is fitted.
    noise
        Beside jitters: ``"white"``; ``"auto"``: what the data ask for of nights, rotation, slow
        drifts, and indicators that the velocities follow; or terms that are there in any case,
        ``"rotation(period=20:30, decay=60), night"``: a value fixes a parameter, a range bounds
        it. None: ``"auto"`` where the fit decides how many planets there are, else ``"white"``.
        :attr:`Fit.noise` says what it is.
    indicators
        That velocities may follow: ``"auto"``: those of the data that the data ask for, where the
        noise is not white; ``"none"``; or names, ``"fwhm,bis"`` or a list, which are there in any
        case.
    indicators_as
        ``"columns"``: velocities follow each as it was measured; ``"series"``: all of them and the
        velocities are series of one process, spots, and their likelihoods are one
        (:attr:`FittedNoise.series`).
    outliers
        Observations and nights that the rest does not predict: ``"auto"`` widens the errors of
        those that are hardly chance; ``"none"``; or the share of them that is to be expected, 0.05.
        None: ``"auto"`` where the noise is, else ``"none"``. :attr:`Fit.outliers` names them.
    star_mass
        In solar masses, for m sin i and a; 0 where it is unknown.
    star
        A :class:`Star`: mass with its error, radius, luminosity, temperature, for more.
    states
        What is known of parameters: :class:`States`, or a dict of them,
        ``{"b.period_days": "normal(20.8851, 0.0003)", "b.eccentricity": 0}``. Planets that they
        name are there; without `n_planets` there are no others.
    basis
        Coordinates of the final optimisation, such as ``"per tc secosw sesinw k"``; the maximum
        does not depend on them.
        :func:`equant.orbit_coordinates` has planets in them. None: as the fit likes.
    models
        Whether models that differ by one choice are fitted as well: without a planet, on circles,
        with another trend, without jitter; :attr:`Fit.models` has them.
    seed, engine, exact_precision, progress
        As in :func:`search`.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> found = equant.fit(data, 2, period_min_days=50, period_max_days=2000)
    >>> [round(planet.period_days) for planet in found.planets]
    [76, 1199]
    """
    made_by = spoken_call(fit, locals())
    if n_planets is not None and n_planets < 0:
        raise InvalidArgument(f"n_planets must be 0 or more, or None, not {n_planets}")
    if indicators_as not in ("columns", "series"):
        raise InvalidArgument(f"indicators_as is 'columns' or 'series', not {indicators_as!r}")
    if probabilities not in ("quick", "none"):
        raise InvalidArgument(f"probabilities are 'quick' or 'none', not {probabilities!r}")
    rows = elements(known, "known")
    known_star = star_of(star, star_mass)
    said = as_states(states)
    watch = Watch(progress)
    chosen_engine = as_engine(engine)
    chosen = options(
        _c.equant_fit_options,
        engine=pointer(chosen_engine._options()),
        exact_precision=int(exact_precision),
        method=choice("equant_fit_method", "method", method),
        n_planets={None: 0, 0: -1}.get(n_planets, n_planets),
        max_planets=max_planets,
        false_alarm_max=false_alarm_max,
        probability_min=probability_min,
        no_probabilities=int(probabilities == "none"),
        budget_s=budget_s,
        period_min_days=period_min_days,
        period_max_days=period_max_days,
        eccentricity_max=eccentricity_max,
        trend=choice("equant_trend", "trend", trend),
        n_known=len(rows),
        known=address(rows),
        n_fixed=n_fixed,
        no_jitter=int(not jitter),
        noise=text(noise, "noise"),
        indicators=names_text(indicators, "indicators"),
        indicators_as_series=int(indicators_as == "series"),
        outliers=text(None if outliers is None else str(outliers)),
        star=pointer(known_star._options()),
        states=states_pointer(said),
        basis=text(basis, "basis"),
        seed=seed,
        progress=watch.callback,
    )
    handle = watch.create(_c.equant_fit_star, _c.equant_fit_free, data_pointer(data), chosen)
    found = fit_of(handle, data, known_star, made_by, chosen_engine)
    if models:
        found.models = compared_models(watch, data_pointer(data), handle.pointer, chosen)
    for index in range(_c.equant_fit_n_remarks(handle.pointer)):
        warnings.warn(string(_c.equant_fit_remark(handle.pointer, index)), stacklevel=3)
    if n_planets is not None and len(found.planets) < n_planets:
        warnings.warn(
            f"{n_planets} planet{'' if n_planets == 1 else 's'} asked for and "
            f"{len(found.planets)} found: {data.n_obs} observations carry no more",
            stacklevel=3,
        )
    return found
