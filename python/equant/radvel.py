"""Posteriors of radvel, many points at a time: what radvel's ``logprob`` says, in batches."""

from __future__ import annotations

from typing import Any, Union

import numpy as np

from . import _c
from ._memory import Array, doubles
from ._numbers.gate import takes_numbers
from ._numbers.kinds import NUMBER, Kind
from ._packages.radvel_priors import prior_functions
from ._packages.radvel_setup import ConvertedSetup, convert_setup
from .data import Data
from .engine import EngineLike, as_engine
from .errors import InvalidArgument
from .evaluator import Evaluator
from .model import TRENDS

N_ELEMENTS = _c.EQUANT_N_ELEMENTS
# radvel's own limit, beyond which it takes this eccentricity for the velocities.
LARGEST_ECCENTRICITY = 0.99


class BatchedPosterior:
    """A posterior, or a likelihood, of radvel that takes many points in a call.

    Points are ``[..., n_dim]`` in the order of radvel's ``name_vary_params()``, values in radvel's
    own basis; one point gives a float, many give an array. Bases, offsets that are free, fixed or
    integrated out (``linear=True``), jitters, ``dvdt``, ``curv`` and priors are those of the
    object. Parameters that do not vary keep the values that they had when this was made. Priors
    that equant does not know are called one point at a time.

    The only difference: where a period is not positive radvel goes on with 1e-4 days, and the
    answer here is ``-inf``.

    Parameters
    ----------
    posterior
        A ``radvel.posterior.Posterior``, or a likelihood (``RVLikelihood``,
        ``CompositeLikelihood``), which has no priors. Gaussian processes, decorrelation and
        models of your own are refused.
    engine
        An :class:`equant.Engine`, or the name of a backend.

    Examples
    --------
    With ``posterior`` as radvel's documentation builds it::

        batched = equant.radvel.BatchedPosterior(posterior)
        sampler = emcee.EnsembleSampler(n_walkers, batched.n_dim, batched, vectorize=True)
    """

    def __init__(self, posterior: Any, engine: EngineLike = None) -> None:
        self.posterior = posterior
        self.engine = as_engine(engine)
        likelihood = getattr(posterior, "likelihood", posterior)
        members = list(getattr(likelihood, "like_list", [likelihood]))
        _check(members)
        vector = likelihood.vector
        self._rest = np.array(vector.vector[:, 0], dtype=float)
        self._varies = np.flatnonzero(vector.vector[:, 1] == 1)
        #: Names of the dimensions, radvel's own.
        self.names = tuple(str(vector.names[index]) for index in self._varies)
        #: Number of dimensions of a point.
        self.n_dim = len(self.names)
        self._orbits = _Orbits(likelihood, self._varies)
        is_linear = [_is_linear(member) for member in members]
        self._groups = [
            _Instruments(group, self._orbits, solved, self.engine)
            for solved in (False, True)
            if (group := [m for m, linear in zip(members, is_linear) if linear == solved])
        ]
        self._priors = prior_functions(getattr(posterior, "priors", []), vector)

    # Densities ----------------------------------------------------------------------------

    def log_prior(self, points: Any) -> Union[float, Array]:
        """The sum of radvel's priors; ``-inf`` outside."""
        return self._answer(points, self._log_prior)

    def log_likelihood(self, points: Any) -> Union[float, Array]:
        """What radvel's ``likelihood.logprob()`` says."""
        return self._answer(points, self._log_likelihood)

    def log_probability(self, points: Any) -> Union[float, Array]:
        """What radvel's ``posterior.logprob_array()`` says."""
        return self._answer(points, self._log_probability)

    __call__ = logprob_array = log_probability

    def neglogprob_array(self, points: Any) -> Union[float, Array]:
        """The same with the other sign, for what minimises."""
        return -self.log_probability(points)

    def _answer(self, points: Any, function: Any) -> Union[float, Array]:
        array = doubles(points, "points")
        if array.ndim == 0 or array.shape[-1] != self.n_dim:
            raise InvalidArgument(f"a point has {self.n_dim} dimensions: {', '.join(self.names)}")
        rows = array.reshape(-1, self.n_dim)
        full = np.repeat(self._rest[None], len(rows), axis=0)
        full[:, self._varies] = rows
        with np.errstate(all="ignore"):  # what is not finite is outside
            answer = function(full)
        return float(answer[0]) if array.ndim == 1 else answer.reshape(array.shape[:-1])

    def _log_prior(self, full: Array) -> Array:
        total = np.zeros(len(full))
        for prior in self._priors:
            total += prior(full)
        total[~np.isfinite(total)] = -np.inf
        return total

    def _log_likelihood(self, full: Array) -> Array:
        elements = self._orbits.elements(full)
        total = np.zeros(len(full))
        for group in self._groups:
            total += group.log_likelihood(full, elements)
        return total

    def _log_probability(self, full: Array) -> Array:
        total = self._log_prior(full)
        inside = total > -np.inf
        if inside.all():
            total += self._log_likelihood(full)
        elif inside.any():
            total[inside] += self._log_likelihood(full[inside])
        return total

    # Nested sampling ----------------------------------------------------------------------

    def prior_transform(self, cube: Any) -> Array:
        """Points of the prior from points of the unit cube, by radvel's own transforms."""
        array = doubles(cube, "points of the cube")
        self.posterior.check_proper_priors()
        return np.moveaxis(self.posterior.prior_transform(np.moveaxis(array, -1, 0)), 0, -1)

    # Elsewhere ----------------------------------------------------------------------------

    def __reduce__(self) -> Any:
        return type(self), (self.posterior, self.engine)

    def __repr__(self) -> str:
        return f"equant.radvel.BatchedPosterior({self.n_dim} dimensions: {', '.join(self.names)})"


def _check(members: list[Any]) -> None:
    """Refuses what is evaluated in another way than that of radvel's usual likelihood."""
    import radvel

    for member in members:
        if type(member) is not radvel.likelihood.RVLikelihood or member.decorr_params:
            raise InvalidArgument(
                "only radvel's RVLikelihood, and composites of it, can be evaluated in batches: "
                "without Gaussian processes and decorrelation"
            )
        if type(member.model) is not radvel.model.RVModel:
            raise InvalidArgument("only models of radvel.RVModel can be evaluated in batches")


def _is_linear(member: Any) -> bool:
    """Whether radvel integrates the offset of this likelihood out."""
    _, varies, _, linear = member.vector.vector[member.gamma_index]
    return bool(linear) and not varies


@takes_numbers(conjunction=Kind("d"), period=Kind("d"), e=NUMBER, omega=Kind("rad"))
def pericentre_time(conjunction: Array, period: Array, e: Array, omega: Array) -> Array:
    """What radvel calls ``timetrans_to_timeperi``, for arrays."""
    half = np.tan((np.pi / 2 - omega) / 2) * np.sqrt((1 - e) / (1 + e))
    anomaly = 2 * np.arctan(half)
    passage = conjunction - period / (2 * np.pi) * (anomaly - e * np.sin(anomaly))
    return np.where(e >= 1, conjunction, passage)


class _Orbits:
    """What radvel's vector says about planets and trend."""

    def __init__(self, likelihood: Any, varies: Array) -> None:
        vector, model = likelihood.vector, likelihood.model
        self.n_planets = int(model.params.num_planets)
        self.words = model.params.basis.name.split()
        if len(self.words) != N_ELEMENTS:
            raise InvalidArgument(f"'{' '.join(self.words)}' is a basis for printing alone")
        self.time_base = float(model.time_base)
        self.terms = [vector.indices["dvdt"], vector.indices["curv"]]
        is_used = [index in varies or vector.vector[index, 0] != 0 for index in self.terms]
        self.n_terms = 2 if is_used[1] else int(is_used[0])

    def synthesis(self, full: Array) -> list[Array]:
        """P, time of pericentre, e, omega and K, ``[n, n_planets]`` each."""
        planets = full[:, : N_ELEMENTS * self.n_planets].reshape(-1, self.n_planets, N_ELEMENTS)
        period, time, first, second, k = (planets[:, :, i] for i in range(N_ELEMENTS))
        if self.words[0] == "logper":
            period = np.exp(period)
        if self.words[4] == "logk":
            k = np.exp(k)
        if self.words[2] == "secosw":
            e, omega = first**2 + second**2, np.arctan2(second, first)
        elif self.words[2] == "ecosw":
            e, omega = np.sqrt(first**2 + second**2), np.arctan2(second, first)
        else:
            e, omega = first**2 if self.words[2] == "se" else first, second
        if self.words[1] == "tc":
            time = pericentre_time(time, period, e, omega)
        return [period, time, e, omega, k]

    def elements(self, full: Array) -> list[Array]:
        """The same with the eccentricity that radvel takes for velocities."""
        period, time, e, omega, k = self.synthesis(full)
        return [period, time, np.clip(e, 0.0, LARGEST_ECCENTRICITY), omega, k]

    def trend_about(self, full: Array, days: float) -> list[Array]:
        """The trend about a time so many days after radvel's own: its value there, then its
        coefficients, as many as it has.
        """
        slope, bend = full[:, self.terms[0]], full[:, self.terms[1]]
        terms = [slope * days + bend * days**2, slope + 2 * bend * days, bend]
        return terms[: 1 + self.n_terms]


class _Instruments:
    """The likelihoods of radvel whose offsets are all given, or all integrated out."""

    def __init__(
        self, members: list[Any], orbits: _Orbits, is_solved: bool, engine: EngineLike
    ) -> None:
        self.orbits, self.is_solved = orbits, is_solved
        self.offsets = [member.gamma_index for member in members]
        self.jitters = [member.jit_index for member in members]
        numbers = np.repeat(np.arange(len(members)), [len(member.x) for member in members])
        times, velocities, errors = (
            np.concatenate([getattr(member, name) for member in members])
            for name in ("x", "y", "yerr")
        )
        data = Data.from_arrays(times, velocities, errors, numbers)
        self.reference_time = data.reference_time_days
        self.variances = [np.asarray(member.yerr, dtype=float) ** 2 for member in members]
        self.evaluator = Evaluator(
            data,
            n_planets=orbits.n_planets,
            trend=TRENDS[orbits.n_terms],
            offset_columns="solved" if is_solved else "given",
            trend_columns="given",
            jitter=True,
            engine=engine,
        )

    def parameters(self, full: Array, elements: list[Array]) -> Array:
        """Parameter sets of the evaluator."""
        period, time, e, omega, k = elements
        turns = (self.reference_time - time) / period
        sets = np.empty((len(full), self.evaluator.n_parameters))
        end = N_ELEMENTS * self.orbits.n_planets
        planets = sets[:, :end].reshape(len(full), -1, N_ELEMENTS)
        for i, values in enumerate((period, k, e, omega, 2 * np.pi * (turns - np.floor(turns)))):
            planets[:, :, i] = values
        days = self.reference_time - self.orbits.time_base
        value, *trend = self.orbits.trend_about(full, days)
        if not self.is_solved:
            sets[:, end : end + len(self.offsets)] = full[:, self.offsets] + value[:, None]
        end = -len(self.jitters)
        for i, values in enumerate(trend):
            sets[:, end - len(trend) + i] = values
        sets[:, end:] = np.abs(full[:, self.jitters])
        return sets

    def log_likelihood(self, full: Array, elements: list[Array]) -> Array:
        """Sums over the instruments, as radvel has them."""
        value = np.asarray(self.evaluator.log_likelihood(self.parameters(full, elements)))
        if self.is_solved:
            product = 1.0
            for variances, jitter in zip(self.variances, self.jitters):
                weights = variances + full[:, jitter, None] ** 2
                product = product * np.reciprocal(weights, out=weights).sum(axis=1) / (2 * np.pi)
            value -= 0.5 * np.log(product)
        return value
