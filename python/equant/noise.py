"""Correlated noise: sums of terms, and the likelihood of what a mean model leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _c
from ._memory import Array, Handle, address, doubles, options, string, text
from ._numbers.gate import takes_numbers
from ._numbers.kinds import FLAGS, JULIAN_DATE
from .errors import InvalidArgument, call


@dataclass(frozen=True)
class NoiseTerm:
    """A kind of noise in the catalogue; ``parameters`` maps names to units."""

    name: str
    description: str
    parameters: dict[str, str]
    is_smooth: bool
    is_rotation: bool


def noise_terms() -> dict[str, NoiseTerm]:
    """The terms that :class:`Noise` understands, by name.

    Examples
    --------
    >>> noise_terms()["night"].parameters
    {'amplitude': 'm/s'}
    """
    return {term.name: term for term in map(_term, range(_c.equant_n_noise_terms()))}


def _term(index: int) -> NoiseTerm:
    info = options(_c.equant_noise_term_info)
    call(_c.equant_noise_term_at, index, info)
    parameters = {}
    for i in range(info.n_parameters):
        own = options(_c.equant_noise_parameter_info)
        call(_c.equant_noise_term_parameter, index, i, own)
        parameters[string(own.name)] = string(own.unit)
    return NoiseTerm(
        string(info.name),
        string(info.description),
        parameters,
        bool(info.is_smooth),
        bool(info.is_rotation),
    )


@dataclass(frozen=True)
class NoiseSlopes:
    """How a log-likelihood changes with the parameters of noise and with each variance."""

    log_likelihood: float
    by_parameter: Array
    by_variance: Array


@dataclass(frozen=True)
class LinearTerms:
    """Coefficients at their best, the log-likelihood there, and that of the integral."""

    coefficients: Array
    log_likelihood: float
    log_marginal: float


class Noise:
    """A sum of noise terms in words, each with its values.

    The likelihood costs time in proportion to the number of observations, so that samplers of
    your own can call it.

    Examples
    --------
    >>> import numpy as np
    >>> noise = Noise("rotation(amplitude=3, period=25, quality=1, extra_quality=0.5, mix=0.3)")
    >>> noise.names[:2]
    ('rotation_amplitude', 'rotation_period')
    >>> t = np.linspace(0.0, 100.0, 50)
    >>> float(round(noise.log_likelihood(t, np.sin(t / 4.0), np.ones(50)), 4))
    -82.205
    """

    def __init__(self, terms: str) -> None:
        self.terms = terms
        self._handle = Handle(_c.equant_noise_create, _c.equant_noise_free, text(terms))
        n = _c.equant_noise_n_parameters(self._handle.pointer)
        name, value = _c.equant_noise_parameter_name, _c.equant_noise_parameter_value
        self.names = tuple(string(name(self._handle.pointer, i)) for i in range(n))
        self.values = np.array([value(self._handle.pointer, i) for i in range(n)])

    def __repr__(self) -> str:
        return f"Noise({self.terms!r})"

    def __reduce__(self) -> Any:
        return Noise, (self.terms,)

    @takes_numbers(times_days=JULIAN_DATE)
    def log_likelihood(
        self,
        times_days: Any,
        residuals: Any,
        variances: Any,
        *,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
    ) -> Any:
        """Log-likelihood of residuals, in the order of their times.

        Parameters
        ----------
        times_days, residuals, variances
            Arrays of one length; ``variances`` are those of white noise, uncertainty squared plus
            jitter squared.
        parameters
            One set of values in the order of ``names``, or rows of them: the answer is then an
            array. Default: the values in the words.
        instruments
            Whose nights are told apart, from 0.
        alpha, beta
            A row measures ``alpha G + beta dG/dt`` of the process; default 1 and 0.
        """
        rows = _Rows(
            times_days,
            values=residuals,
            variances=variances,
            instruments=instruments,
            alpha=alpha,
            beta=beta,
        )
        sets: Optional[Array] = None
        if parameters is not None:
            sets = np.atleast_2d(doubles(parameters, "parameters"))
            if sets.ndim != 2 or sets.shape[1] != len(self.names):
                raise InvalidArgument(f"parameters must be rows of {len(self.names)} values")
        n_sets = 1 if sets is None else len(sets)
        found = np.empty(n_sets)
        call(
            _c.equant_noise_log_likelihood,
            self._handle.pointer,
            rows.struct,
            n_sets,
            address(sets),
            address(found),
        )
        return found if np.ndim(parameters) == 2 else float(found[0])

    @takes_numbers(times_days=JULIAN_DATE)
    def differentiate(
        self,
        times_days: Any,
        residuals: Any,
        variances: Any,
        *,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
    ) -> NoiseSlopes:
        """Log-likelihood of residuals, and how it changes with the noise; exact.

        Parameters are those of :meth:`log_likelihood`, ``parameters`` one set.

        Examples
        --------
        >>> noise = Noise("exponential(amplitude=2, decay=5)")
        >>> slopes = noise.differentiate([0.0, 1.0, 2.5], [1.0, 2.0, 0.5], [0.1, 0.1, 0.1])
        >>> np.round(slopes.by_parameter, 3)
        array([-0.652,  0.028])
        """
        rows = _Rows(
            times_days,
            values=residuals,
            variances=variances,
            instruments=instruments,
            alpha=alpha,
            beta=beta,
        )
        log_likelihood = np.empty(1)
        by_parameter, by_variance = np.empty(len(self.names)), np.empty(rows.n)
        call(
            _c.equant_noise_differentiate,
            self._handle.pointer,
            rows.struct,
            address(self._one_set(parameters)),
            address(log_likelihood),
            address(by_parameter),
            address(by_variance),
        )
        return NoiseSlopes(float(log_likelihood[0]), by_parameter, by_variance)

    @takes_numbers(times_days=JULIAN_DATE, columns=FLAGS)
    def follow(
        self,
        times_days: Any,
        residuals: Any,
        variances: Any,
        columns: Any,
        *,
        standard_deviations: Any = None,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
    ) -> LinearTerms:
        """Linear terms beside the noise, offsets or slopes: at their best, and integrated out.

        Parameters
        ----------
        times_days, residuals, variances, parameters, instruments, alpha, beta
            As in :meth:`log_likelihood`, ``parameters`` one set.
        columns
            What the residuals follow, one row of the array for each term.
        standard_deviations
            Of normal priors of the coefficients about zero; default: flat, of density 1.

        Examples
        --------
        >>> t = np.linspace(0.0, 100.0, 50)
        >>> noise = Noise("matern32(amplitude=1, decay=5)")
        >>> found = noise.follow(t, 3.0 + 0.1 * t, np.ones(50), [np.ones(50), t])
        >>> np.round(found.coefficients, 6)
        array([3. , 0.1])
        """
        rows = _Rows(
            times_days,
            values=residuals,
            variances=variances,
            instruments=instruments,
            alpha=alpha,
            beta=beta,
        )
        given = np.atleast_2d(doubles(columns, "columns"))
        if given.ndim != 2 or given.shape[1] != rows.n:
            raise InvalidArgument(f"columns must be rows of {rows.n} values")
        deviations: Optional[Array] = None
        if standard_deviations is not None:
            deviations = doubles(standard_deviations, "standard_deviations")
            if deviations.shape != (len(given),):
                raise InvalidArgument(f"standard_deviations must be {len(given)} values")
        terms = options(_c.equant_noise_columns, n=len(given))
        terms.columns, terms.standard_deviations = address(given), address(deviations)
        coefficients, values = np.empty(len(given)), np.empty(2)
        call(
            _c.equant_noise_follow,
            self._handle.pointer,
            rows.struct,
            address(self._one_set(parameters)),
            terms,
            address(coefficients),
            address(values),
            address(values[1:]),
        )
        return LinearTerms(coefficients, float(values[0]), float(values[1]))

    def _one_set(self, parameters: Any) -> Optional[Array]:
        if parameters is None:
            return None
        values = doubles(parameters, "parameters")
        if values.shape != (len(self.names),):
            raise InvalidArgument(f"parameters must be {len(self.names)} values")
        return values

    @takes_numbers(times_days=JULIAN_DATE)
    def draw(
        self,
        times_days: Any,
        n_draws: Optional[int] = None,
        *,
        seed: int = 1,
        first: int = 0,
        variances: Any = None,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
    ) -> Array:
        """Draws of the noise at times, in their order: the process, and white noise if asked for.

        Parameters
        ----------
        times_days
            An array; times may be equal.
        n_draws
            How many, as rows of an array; default one, as an array like ``times_days``.
        seed, first
            The same seed gives the same draws, numbered from 0; ``first`` is the number of the
            first one wanted.
        variances
            Of white noise, drawn along; default none.
        parameters
            One set of values in the order of ``names``; default the values in the words.
        instruments, alpha, beta
            As in :meth:`log_likelihood`.

        Examples
        --------
        >>> noise = Noise("night(amplitude=2)")
        >>> night = noise.draw([2460000.6, 2460000.7, 2460001.6], seed=3)
        >>> bool(abs(night[0] - night[1]) < 0.001), bool(abs(night[0] - night[2]) < 0.001)
        (True, False)
        """
        rows = _Rows(
            times_days, variances=variances, instruments=instruments, alpha=alpha, beta=beta
        )
        values = self._one_set(parameters)
        drawn = np.empty((1 if n_draws is None else n_draws, rows.n))
        call(
            _c.equant_noise_draw,
            self._handle.pointer,
            rows.struct,
            address(values),
            seed,
            first,
            len(drawn),
            address(drawn),
        )
        return drawn[0] if n_draws is None else drawn

    @takes_numbers(times_days=JULIAN_DATE, at_days=JULIAN_DATE)
    def predict(
        self,
        times_days: Any,
        residuals: Any,
        variances: Any,
        at_days: Any,
        *,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
        at_instruments: Any = None,
        at_alpha: Any = None,
        at_beta: Any = None,
    ) -> tuple[Array, Array]:
        """What the noise was at other times, given residuals: mean and variance.

        Parameters
        ----------
        times_days, residuals, variances, instruments, alpha, beta
            As in :meth:`log_likelihood`.
        at_days
            Times that are asked for, in their order.
        parameters
            One set of values in the order of ``names``; default the values in the words.
        at_instruments
            Whose nights to include; default none, for between nights there are none.
        at_alpha, at_beta
            What is asked for is ``at_alpha G + at_beta dG/dt``; default 1 and 0.

        Examples
        --------
        >>> noise = Noise("exponential(amplitude=2, decay=5)")
        >>> mean, variance = noise.predict([0.0, 1.0], [1.0, 2.0], [0.1, 0.1], [0.5, 100.0])
        >>> np.round(mean, 3), np.round(variance, 3)
        (array([1.472, 0.   ]), array([0.448, 4.   ]))
        """
        rows = _Rows(
            times_days,
            values=residuals,
            variances=variances,
            instruments=instruments,
            alpha=alpha,
            beta=beta,
        )
        at = _Rows(at_days, instruments=at_instruments, alpha=at_alpha, beta=at_beta)
        values = self._one_set(parameters)
        mean, variance = np.empty(at.n), np.empty(at.n)
        call(
            _c.equant_noise_predict,
            self._handle.pointer,
            rows.struct,
            address(values),
            at.struct,
            address(mean),
            address(variance),
        )
        return mean, variance

    @takes_numbers(times_days=JULIAN_DATE)
    def whiten(
        self,
        times_days: Any,
        residuals: Any,
        variances: Any,
        *,
        parameters: Any = None,
        instruments: Any = None,
        alpha: Any = None,
        beta: Any = None,
    ) -> Array:
        """Residuals in units of what the noise leaves open, given all earlier ones.

        With the covariance C = L Lᵀ of noise and variances it is L⁻¹ r: uncorrelated and of
        variance 1 where the noise is as described. Arguments are those of :meth:`log_likelihood`,
        with one set of parameters.

        Examples
        --------
        >>> noise = Noise("exponential(amplitude=2, decay=5)")
        >>> np.round(noise.whiten([0.0, 1.0, 2.0], [1.0, 1.5, 1.2], [0.1, 0.1, 0.1]), 3)
        array([0.494, 0.576, 0.009])
        """
        rows = _Rows(
            times_days,
            values=residuals,
            variances=variances,
            instruments=instruments,
            alpha=alpha,
            beta=beta,
        )
        values = self._one_set(parameters)
        whitened = np.empty(rows.n)
        call(
            _c.equant_noise_whiten,
            self._handle.pointer,
            rows.struct,
            address(values),
            address(whitened),
        )
        return whitened


class _Rows:
    """Arrays of one length as C takes them; those that are None are left out."""

    def __init__(self, times_days: Any, *, instruments: Any, **given: Any) -> None:
        times = doubles(times_days, "times")
        self.n = len(times)
        self._arrays = {"time_days": times}
        for name, values in given.items():
            if values is not None:
                self._arrays[name] = _like(times, doubles(values, name), name)
        if instruments is not None:
            numbers = np.ascontiguousarray(instruments, dtype=np.int32)
            self._arrays["instruments"] = _like(times, numbers, "instruments")
        addresses = {name: address(array) for name, array in self._arrays.items()}
        self.struct = options(_c.equant_noise_rows, n=self.n, **addresses)


def _like(times: Array, array: Array, name: str) -> Array:
    if times.ndim != 1 or array.shape != times.shape:
        raise InvalidArgument(f"{name} have the shape {array.shape}, times {times.shape}")
    return array
