"""Draws from the posterior: how well the planets of a star are known."""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

from . import _c
from ._folder.folder_lock import run_lock
from ._folder.spoken_call import spoken_call
from ._memory import address, elements, pointer, text
from ._numbers.gate import takes_numbers
from ._sampling_options import sampling_options
from .data import Data, PathLike, data_pointer
from .engine import Engine, EngineLike
from .errors import InvalidArgument
from .posterior import Posterior, run_path
from .priors import Priors
from .progress import ProgressLike, Watch
from .star import Star, star_of
from .states import StatesLike, as_states, states_pointer, trend_of


@takes_numbers
def sample(
    data: Data,
    n_planets: int = 1,
    *,
    trend: str = "none",
    priors: Union[Priors, Mapping[str, Any], None] = None,
    prior_set: Optional[str] = None,
    marginalise_offsets: bool = False,
    noise: Optional[str] = None,
    outliers: Any = None,
    states: StatesLike = None,
    basis: Optional[str] = None,
    star_mass: float = 0.0,
    star: Optional[Star] = None,
    star_name: Optional[str] = None,
    start: str = "fit",
    known: Any = None,
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
    path: Optional[PathLike] = None,
    checkpoint_seconds: float = 0.0,
    force: bool = False,
    engine: EngineLike = None,
    progress: ProgressLike = None,
) -> Posterior:
    """Draws from the posterior by ensembles of walkers, until the goals are met.

    Zeros mean the defaults. Same data, options and seed give the same draws, on any number of
    threads. Ctrl-C ends the run after a last checkpoint, from which :func:`sample_resume` goes on.

    Parameters
    ----------
    data
        The observations.
    n_planets, trend
        Of the model: ``"none"``, ``"linear"`` or ``"quadratic"`` is a trend. Offsets and jitters
        of all instruments are parameters.
    priors
        :class:`Priors`, or a dict of those that differ from the set.
    prior_set
        A name of :func:`prior_sets`, where `priors` is not a :class:`Priors`.
    marginalise_offsets
        Integrate offsets out rather than sample them.
    noise
        Terms of correlated noise in the words of :func:`fit`, ``"rotation(period=20:30),night"``.
        Their parameters are sampled with everything else; so are offsets. None takes the noise of
        `priors`, where these are :class:`Priors`.
    outliers
        As in :func:`fit`: those of a fit of as many planets beside the same noise have wider
        errors in the run, which :attr:`Posterior.provenance` says. None: none.
    states
        What is known of parameters, as in :func:`fit`: values and priors take the place of those in
        `priors`, what follows from an orbit multiplies the likelihood.
    basis
        Coordinates of orbits in which walkers move, ``"per tc secosw k"``: logper or per, logk or
        k, secosw, ecosw or e, lambda, m0, tc or tp. The posterior is the same in all.
    star_mass
        In solar masses, for m sin i and a.
    star
        A :class:`Star`: mass with its error, radius, luminosity, temperature; each draw has a star
        of its own.
    star_name
        Kept with the run, for reports.
    start
        ``"fit"``: around the best fit and its rivals; ``"prior"``: anywhere in the prior.
    known
        Planets to begin the fit with: rows of five elements, or planets of a fit.
    seed
        Another one, another run.
    n_populations, n_walkers
        Independent populations (4), and walkers in each (by the model).
    n_temperatures
        Several give the evidence.
    n_burn_in, thinning, max_draws
        Steps before draws are kept, steps from one to the next, draws to keep at most.
    max_rhat, min_ess
        Goals for every parameter: 1.01 and 1000.
    max_steps, max_seconds
        Where to stop short of them: 1,000,000 steps, and no limit in time.
    path
        A file of the run, written at every checkpoint and at the end; or a folder, in which it is
        run.nc. It must not be there already, and no other program may write there at the same
        time.
    checkpoint_seconds
        Between two writings of it; 60.
    force
        Go on where another program has the folder, or where it cannot be locked.
    engine
        An :class:`Engine`, or the name of a backend.
    progress
        None shows a bar in terminals and notebooks, False shows none; a function is called with
        a :class:`Progress`.

    Examples
    --------
    >>> import equant
    >>> data = equant.Data.demonstration()
    >>> posterior = equant.sample(data, 1, priors={"period_days_1": "log-uniform(1000, 1500)"},
    ...                           prior_set="kipping", min_ess=200, max_rhat=1.1, seed=1)
    >>> print(round(posterior.quantity("period_days_1").median))
    1200
    """
    given = dict(locals())
    said = as_states(states)
    if said is not None:
        n_planets = max(n_planets, len(said.letters))
        trend = trend_of(said, trend)
    place = None if path is None else run_path(path)
    if not isinstance(priors, Priors):
        priors = Priors(
            data, n_planets, trend=trend, prior_set=prior_set, noise=noise, changes=priors
        )
    rows = elements(known, "known")
    watch = Watch(progress)
    chosen = sampling_options(
        {**given, "n_planets": n_planets, "trend": trend},
        priors=priors._handle.pointer,
        marginalise_offsets=int(marginalise_offsets),
        star=pointer(star_of(star, star_mass)._options()),
        command=text(spoken_call(sample, given)),
        outliers=text(None if outliers is None else str(outliers)),
        states=states_pointer(said),
        n_known=len(rows),
        known=address(rows),
        path=place,
        progress=watch.callback,
    )
    with run_lock(place, force):
        _refuse_a_run(place)
        return Posterior(
            watch.create(_c.equant_sample, _c.equant_posterior_free, data_pointer(data), chosen)
        )


def _refuse_a_run(place: Optional[bytes]) -> None:
    """Hours of work would be gone where a run is there already."""
    if place is not None and os.path.lexists(place):
        raise InvalidArgument(
            f"{os.fsdecode(place)} is there already; go on with it by equant.sample_resume, or "
            "name another path"
        )


@takes_numbers
def sample_resume(
    path: PathLike,
    *,
    max_rhat: float = 0.0,
    min_ess: float = 0.0,
    max_steps: int = 0,
    max_seconds: float = 0.0,
    checkpoint_seconds: float = 0.0,
    n_threads: int = 0,
    force: bool = False,
    progress: ProgressLike = None,
) -> Posterior:
    """Goes on with a run, to the draws that it would have made uninterrupted.

    `path` is its file, or the folder that has it. Data and options come from there; those given
    here say how long to go on. Zeros leave them as they were. No other program may write there at
    the same time; `force` goes on all the same.
    """
    watch = Watch(progress)
    chosen = sampling_options(
        {**locals(), "engine": Engine(n_threads=n_threads)}, progress=watch.callback
    )
    place = run_path(path)
    with run_lock(place, force):
        return Posterior(
            watch.create(_c.equant_sample_resume, _c.equant_posterior_free, place, chosen)
        )
