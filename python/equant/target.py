"""The posterior as a function, for samplers of others: emcee, dynesty, UltraNest, nautilus, NUTS."""

from __future__ import annotations

import ctypes
from typing import Any, Mapping, Optional, Union

import numpy as np

from . import _c
from ._exclusive import Exclusive
from ._memory import (
    Array,
    Handle,
    address,
    choice,
    doubles,
    options,
    output,
    pointer,
    string,
    text,
)
from ._numbers.gate import takes_numbers
from ._numbers.values import FLOAT64
from .data import Data, data_pointer
from .engine import EngineLike, as_engine
from .errors import InvalidArgument, call, check
from .priors import Priors

#: What a target has values and gradients of.
DENSITIES = ("probability", "likelihood", "prior")


def check_density(of: str) -> None:
    """Refuses what is none of them."""
    if of not in DENSITIES:
        raise InvalidArgument(f"of must be 'probability', 'likelihood' or 'prior', not {of!r}")


class Target(Exclusive):
    """The posterior of a star's planets as a function: points in, logarithms of densities out.

    A point has a dimension for each parameter that the priors leave free. Points are the last axis
    of an array: one, ``[n_dim]``, gives a float; many, ``[..., n_dim]``, give an array, and are
    computed together, on all threads. So one object serves samplers that ask for one point at a
    time (dynesty) and those that ask for many (``emcee.EnsembleSampler(..., vectorize=True)``,
    UltraNest's and nautilus's ``vectorized=True``). Targets can be pickled, for pools of
    processes.

    Parameters
    ----------
    data
        The observations.
    n_planets, trend
        Of the model; it also has an offset and a jitter for each instrument.
    priors
        :class:`Priors` of the same planets and trend, or a dict of those that differ from the
        set, such as ``{"period_days_1": "log-uniform(1, 100)"}``.
    prior_set
        A name of :func:`prior_sets`, where `priors` is not a :class:`Priors`.
    space
        What points are made of. ``"smooth"``, for walkers: of each planet ln P, y cos λ,
        √e cos ω, √e sin ω, y sin λ, with λ = M0 + ω and y = ln(1 + K/scale); offsets and trend
        as they are; ln(1 + s/scale) of a jitter s. There is no angle, and no edge at K = 0 or
        e = 0. ``"parameters"``, for nested sampling: the parameters as they are.
    marginalise_offsets
        Whether offsets are integrated out; their priors must be uniform.
    noise
        Terms of correlated noise in the words of :func:`fit`, ``"rotation(period=20:30),night"``,
        whose parameters are dimensions; None takes that of `priors`, where these are
        :class:`Priors`.
    engine
        An :class:`Engine`, or the name of a backend. In a pool of processes take
        ``Engine(n_threads=1)``.

    Examples
    --------
    >>> import equant
    >>> target = equant.Target(equant.Data.demonstration(), n_planets=1)
    >>> target.n_dim, target.names[:3]
    (11, ('ln_period_1', 'ln_k_cos_lambda_1', 'sqrt_e_cos_omega_1'))
    >>> points = target.draw(1000, seed=1)
    >>> target(points).shape
    (1000,)
    """

    #: Number of dimensions of a point.
    n_dim: int
    #: Names of the dimensions.
    names: tuple[str, ...]
    #: Number of columns of a parameter set.
    n_parameters: int
    #: Names of the columns of a parameter set.
    parameter_names: tuple[str, ...]
    #: Which dimensions of the unit cube wrap around, being angles without a preference.
    wraps: Array

    @takes_numbers
    def __init__(
        self,
        data: Data,
        n_planets: int = 1,
        *,
        trend: str = "none",
        priors: Union[Priors, Mapping[str, Any], None] = None,
        prior_set: Optional[str] = None,
        space: str = "smooth",
        marginalise_offsets: bool = False,
        noise: Optional[str] = None,
        engine: EngineLike = None,
    ) -> None:
        self.data, self.n_planets, self.trend = data, n_planets, trend
        self.space, self.marginalise_offsets = space, bool(marginalise_offsets)
        self.engine = as_engine(engine)
        if not isinstance(priors, Priors):
            priors = Priors(
                data, n_planets, trend=trend, prior_set=prior_set, noise=noise, changes=priors
            )
        #: Noise beside jitters, in words; None for white noise.
        self.noise: Optional[str] = priors.noise if noise is None else noise
        #: Priors of all parameters, as texts.
        self.priors: dict[str, str] = dict(priors)
        self._make(priors)
        self._describe()
        self._one, self._answer = np.empty(self.n_dim), ctypes.c_double()
        self._one_address = address(self._one)
        self._answer_address = ctypes.addressof(self._answer)
        self._one_shape = (self.n_dim,)
        self._guard()

    def _renew(self) -> None:
        self._make(
            Priors(
                self.data,
                self.n_planets,
                trend=self.trend,
                noise=self.noise,
                changes=self.priors,
            )
        )

    def _make(self, priors: Priors) -> None:
        chosen = options(
            _c.equant_target_options,
            engine=pointer(self.engine._options()),
            n_planets=self.n_planets,
            trend=choice("equant_trend", "trend", self.trend),
            priors=priors._handle.pointer,
            marginalise_offsets=int(self.marginalise_offsets),
            space=choice("equant_space", "space", self.space),
            noise=text(self.noise),
        )
        self._handle = Handle(
            _c.equant_target_create, _c.equant_target_free, data_pointer(self.data), chosen
        )
        self._pointer = self._handle.pointer

    def _describe(self) -> None:
        target = self._pointer
        self.n_dim = int(_c.equant_target_n_dimensions(target))
        names = (_c.equant_target_dimension_name(target, i) for i in range(self.n_dim))
        self.names = tuple(string(name) for name in names)
        self.n_parameters = int(_c.equant_target_n_parameters(target))
        columns = (_c.equant_target_parameter_name(target, i) for i in range(self.n_parameters))
        self.parameter_names = tuple(string(name) for name in columns)
        wraps = [bool(_c.equant_target_cube_wraps(target, i)) for i in range(self.n_dim)]
        self.wraps = np.array(wraps)

    # Densities ----------------------------------------------------------------------------

    def log_probability(self, points: Any, out: Optional[Array] = None) -> Union[float, Array]:
        """Prior and likelihood: ln of the posterior's density but for a constant.

        In the dimensions of the space, Jacobian included; ``-inf`` outside the prior. Calling the
        target itself does the same.

        Parameters
        ----------
        points
            ``[..., n_dim]``.
        out
            ``[...]``, to be filled and returned instead of a new array.
        """
        return self._density(_c.equant_target_log_probability, points, out)

    __call__ = log_probability

    def log_likelihood(self, points: Any, out: Optional[Array] = None) -> Union[float, Array]:
        """Gaussian, with its normalisation; ``-inf`` outside the prior."""
        return self._density(_c.equant_target_log_likelihood, points, out)

    def log_prior(self, points: Any, out: Optional[Array] = None) -> Union[float, Array]:
        """Normalised, in the dimensions of the space; ``-inf`` outside."""
        return self._density(_c.equant_target_log_prior, points, out)

    def _density(self, function: Any, points: Any, out: Optional[Array]) -> Union[float, Array]:
        # One point is copied to a place with a known address: NumPy takes longer to tell one.
        if (
            type(points) is np.ndarray
            and out is None
            and points.shape == self._one_shape
            and points.dtype is FLOAT64
        ):
            with self._lock:
                self._one[:] = points
                status = function(self._pointer, 1, self._one_address, self._answer_address)
                if status:
                    check(status)
                return self._answer.value
        rows = self._rows(points, self.n_dim, self.names)
        answer = output(out, rows.shape[:-1])
        self._call(function, answer.size, address(rows), address(answer))
        return float(answer) if answer.ndim == 0 and out is None else answer

    def value_and_gradient(
        self, points: Any, *, of: str = "probability"
    ) -> tuple[Union[float, Array], Array]:
        """``log_probability`` with its derivatives by the dimensions, ``[...]`` and ``[..., n_dim]``.

        In double precision whatever the engine's; outside the prior ``-inf`` and NaN. Noise terms,
        offsets that are integrated out and the Jacobian of the space are included.

        Parameters
        ----------
        points
            ``[..., n_dim]``.
        of
            ``"probability"``, ``"likelihood"`` or ``"prior"``.

        Examples
        --------
        >>> import equant
        >>> target = equant.Target(equant.Data.demonstration(), n_planets=1)
        >>> values, gradients = target.value_and_gradient(target.draw(1000, seed=1))
        >>> values.shape, gradients.shape
        ((1000,), (1000, 11))
        """
        check_density(of)
        rows = self._rows(points, self.n_dim, self.names)
        values, gradients = np.empty(rows.shape[:-1]), np.empty(rows.shape)
        places = {f"log_{of}": address(values), f"log_{of}_gradient": address(gradients)}
        chosen = options(_c.equant_target_derivatives, **places)
        self._call(_c.equant_target_differentiate, values.size, address(rows), chosen)
        return (float(values) if values.ndim == 0 else values), gradients

    def gradient(self, points: Any, *, of: str = "probability") -> Array:
        """Derivatives of ``log_probability`` by the dimensions, ``[..., n_dim]``.

        As :meth:`value_and_gradient` gives them: for samplers and optimisers that follow gradients.
        """
        return self.value_and_gradient(points, of=of)[1]

    # Points -------------------------------------------------------------------------------

    def prior_transform(self, cube: Any) -> Array:
        """Points of the prior from points of the unit cube, ``[..., n_dim]`` both.

        What is uniform in the cube is distributed as the prior is: what nested samplers ask for.
        :attr:`wraps` tells which dimensions of the cube are angles.
        """
        return self._turn(_c.equant_target_from_unit_cube, cube, self.n_dim, self.names, self.n_dim)

    @takes_numbers
    def draw(self, n: int, seed: int = 0, first: int = 0) -> Array:
        """Points `first`, `first` + 1, ... of the prior, ``[n, n_dim]``.

        The same seed gives the same points.
        """
        points = np.empty((n, self.n_dim))
        self._call(_c.equant_target_draw, seed, first, n, address(points))
        return points

    def to_parameters(self, points: Any) -> Array:
        """Parameter sets, ``[..., n_parameters]``, of points; NaN outside the prior."""
        return self._turn(
            _c.equant_target_to_parameters, points, self.n_dim, self.names, self.n_parameters
        )

    def from_parameters(self, parameters: Any) -> Array:
        """Points of parameter sets, ``[..., n_parameters]``."""
        return self._turn(
            _c.equant_target_from_parameters,
            parameters,
            self.n_parameters,
            self.parameter_names,
            self.n_dim,
        )

    def to_columns(self, points: Any) -> dict[str, Array]:
        """Parameters by name, ``[...]`` each, of points such as a chain of emcee."""
        parameters = self.to_parameters(points)
        return {name: parameters[..., i] for i, name in enumerate(self.parameter_names)}

    @takes_numbers(parameters=None)
    def around(self, parameters: Any, n: int, seed: int = 0, spread: float = 2.0) -> Array:
        """Points to start walkers or chains from, ``[n, n_dim]``: about a parameter set.

        They are drawn from the normal distribution that the posterior is like there, made wider;
        those that are much less probable than this explains are drawn again.

        Parameters
        ----------
        parameters
            A parameter set, or a fit of as many planets and the same trend.
        n
            Number of points.
        seed
            Of the random numbers.
        spread
            Standard deviations of the points in those of the posterior near the parameters.
            Diagnostics that compare chains want starts that are wider than the posterior.
        """
        from ._packages.starting_points import starting_points

        centre = self.from_parameters(getattr(parameters, "parameters", parameters))
        return starting_points(self, centre, n, seed, spread)

    def _rows(self, values: Any, width: int, names: tuple[str, ...]) -> Array:
        rows = doubles(values, "points")
        if rows.ndim == 0 or rows.shape[-1] != width:
            raise InvalidArgument(
                f"there are {width} columns ({', '.join(names)}), "
                f"not {rows.shape[-1] if rows.ndim else 'a single number'}"
            )
        return rows

    def _turn(
        self, function: Any, values: Any, width: int, names: tuple[str, ...], new_width: int
    ) -> Array:
        rows = self._rows(values, width, names)
        result = np.empty((*rows.shape[:-1], new_width))
        self._call(function, rows.size // width, address(rows), address(result))
        return result

    def _call(self, function: Any, *arguments: Any) -> None:
        with self._lock:
            call(function, self._pointer, *arguments)

    # Elsewhere ----------------------------------------------------------------------------

    def copy(self) -> Target:
        """The same once more, for another thread: a target takes one call at a time."""
        make, arguments = self.__reduce__()
        copied: Target = make(*arguments)
        return copied

    def __reduce__(self) -> Any:
        keywords = {
            "trend": self.trend,
            "priors": self.priors,
            "space": self.space,
            "marginalise_offsets": self.marginalise_offsets,
            "noise": self.noise,
            "engine": self.engine,
        }
        return _target_from, (self.data, self.n_planets, keywords)

    def __repr__(self) -> str:
        planets = "1 planet" if self.n_planets == 1 else f"{self.n_planets} planets"
        return (
            f"equant.Target({planets}, {self.n_dim} dimensions in the space '{self.space}', "
            f"{self.data.n_obs} observations)"
        )


def _target_from(data: Data, n_planets: int, keywords: dict[str, Any]) -> Target:
    return Target(data, n_planets, **keywords)
