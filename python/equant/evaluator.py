"""Parameter sets in; chi-square, likelihood, velocities, derivatives out."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _c
from ._exclusive import Exclusive
from ._memory import Array, Handle, address, choice, doubles, options, output, record, string
from ._numbers.gate import takes_numbers
from ._numbers.values import FLOAT64
from .data import Data, data_pointer
from .device import DeviceMemory, device_memory, device_output
from .engine import EngineLike, as_engine
from .errors import InvalidArgument, call, check
from .model import Model

AnyArray = Any  # a NumPy array, or an array on a GPU where the parameters are on one


@dataclass(frozen=True)
class Evaluation:
    """What :meth:`Evaluator.evaluate` was asked for; None elsewhere.

    Arrays have the leading shape of the parameters: ``[...]`` for the first two,
    ``[..., n_linear]`` for `linear`, ``[..., n_obs]`` for the others.
    """

    chi_square: Optional[AnyArray] = None
    log_likelihood: Optional[AnyArray] = None
    linear: Optional[AnyArray] = None
    velocities: Optional[AnyArray] = None
    residuals: Optional[AnyArray] = None


@dataclass(frozen=True)
class Derivatives:
    """What :meth:`Evaluator.differentiate` was asked for; None elsewhere."""

    chi_square: Optional[Array] = None
    log_likelihood: Optional[Array] = None
    chi_square_gradient: Optional[Array] = None
    log_likelihood_gradient: Optional[Array] = None
    fisher: Optional[Array] = None
    jacobian: Optional[Array] = None


@dataclass(frozen=True)
class KernelInfo:
    """A function that an evaluator launches on its GPU, as the driver describes it.

    Registers and local bytes are those of a thread; shared bytes and threads those of a block;
    ``occupancy`` is the share of its threads that a multiprocessor holds.
    """

    name: str
    registers: int
    local_bytes: int
    shared_bytes: int
    threads: int
    occupancy: float


class Evaluator(Exclusive):
    """A data set and a model bound to an engine: evaluates parameter sets.

    Parameter sets are the last axis of an array: ``[n_parameters]`` for one,
    ``[..., n_parameters]`` for many. C-contiguous arrays of float64 are read where they are.
    Arrays on a GPU (of CuPy, PyTorch, JAX, or :class:`DeviceArray`) stay there, and so do the
    results; the engine must then name the GPU. A set outside the domain (e < 0, e >= 1, P <= 0, a
    jitter < 0, anything not finite) has chi-square ``inf`` and log-likelihood ``-inf``.

    Calls from several threads are answered one after the other; for calls side by side make an
    evaluator for each thread, with ``Engine(n_threads=1)``. Evaluators can be pickled.

    Parameters
    ----------
    data
        The observations.
    model
        The columns of a parameter set; or leave it out and say `n_planets`, `trend`,
        `offset_columns`, `trend_columns`, `jitter` and `noise`, which :class:`Model` explains.
    engine
        An :class:`Engine`, or the name of a backend.

    Examples
    --------
    >>> import equant
    >>> evaluator = equant.Evaluator(equant.Data.demonstration(), n_planets=1)
    >>> orbit = [1198.5, 7.35, 0.07, 2.86, 3.23]
    >>> round(evaluator.chi_square(orbit), 2)
    3344.15
    >>> evaluator.chi_square([orbit, orbit]).shape
    (2,)
    """

    @takes_numbers
    def __init__(
        self,
        data: Data,
        model: Optional[Model] = None,
        *,
        n_planets: int = 1,
        trend: str = "none",
        offset_columns: str = "solved",
        trend_columns: str = "solved",
        jitter: bool = False,
        noise: Optional[str] = None,
        engine: EngineLike = None,
    ) -> None:
        self.data = data
        self.model = model or Model(
            n_planets,
            n_instruments=data.n_instruments,
            trend=trend,
            offset_columns=offset_columns,
            trend_columns=trend_columns,
            jitter=jitter,
            noise=noise,
        )
        self.engine = as_engine(engine)
        self._renew()
        self.n_parameters = self.model.n_parameters
        self.n_obs = data.n_obs
        self._sizes: dict[str, tuple[int, ...]] = {
            "chi_square": (),
            "log_likelihood": (),
            "linear": (self.model.n_linear,),
            "velocities": (self.n_obs,),
            "residuals": (self.n_obs,),
        }
        self._prepare_single_sets()
        self._guard()

    def _renew(self) -> None:
        self._handle = Handle(
            _c.equant_evaluator_create,
            _c.equant_evaluator_free,
            data_pointer(self.data),
            self.model._handle.pointer,
            self.engine._options(),
        )
        self._pointer = self._handle.pointer

    def _prepare_single_sets(self) -> None:
        """Everything that a call with one parameter set needs, made once.

        To copy a few numbers into a place with a known address takes a sixth of the time that
        NumPy takes to tell an address.
        """
        self._one = np.empty(self.n_parameters)
        self._one_address = address(self._one)
        self._one_shape = (self.n_parameters,)
        self._answer = ctypes.c_double()
        place = ctypes.addressof(self._answer)
        self._call = _c.equant_evaluator_evaluate
        self._ask_chi_square = ctypes.pointer(options(_c.equant_results, chi_square=place))
        self._ask_log_likelihood = ctypes.pointer(options(_c.equant_results, log_likelihood=place))

    def _single(self, parameters: Array, question: Any) -> float:
        with self._lock:
            self._one[:] = parameters
            status = self._call(self._pointer, 1, self._one_address, question)
            if status:
                check(status)
            return self._answer.value

    def chi_square(
        self, parameters: Any, out: Optional[AnyArray] = None, *, stream: Any = None
    ) -> Union[float, AnyArray]:
        """Chi-square of each parameter set: a float for one, an array for many.

        Parameters
        ----------
        parameters
            ``[..., n_parameters]``.
        out
            ``[...]``, to be filled and returned instead of a new array.
        stream
            For arrays on a GPU: the stream to work on, if not that of the array.
        """
        if (
            type(parameters) is np.ndarray
            and out is None
            and parameters.shape == self._one_shape
            and parameters.dtype is FLOAT64
        ):
            return self._single(parameters, self._ask_chi_square)
        return self._scalars("chi_square", parameters, out, stream)

    chi2 = chi_square

    def log_likelihood(
        self, parameters: Any, out: Optional[AnyArray] = None, *, stream: Any = None
    ) -> Union[float, AnyArray]:
        """Gaussian log-likelihood, with its normalisation; otherwise as :meth:`chi_square`."""
        if (
            type(parameters) is np.ndarray
            and out is None
            and parameters.shape == self._one_shape
            and parameters.dtype is FLOAT64
        ):
            return self._single(parameters, self._ask_log_likelihood)
        return self._scalars("log_likelihood", parameters, out, stream)

    def _scalars(self, name: str, parameters: Any, out: Any, stream: Any) -> Any:
        on_device = device_memory(parameters, stream)
        if on_device is not None:
            return getattr(self._evaluate_on_device(on_device, [name], {name: out}), name)
        sets, shape = self._sets(parameters)
        answers = output(out, shape, name)
        question = options(_c.equant_results, **{name: address(answers)})
        with self._lock:
            check(self._call(self._pointer, math.prod(shape), address(sets), question))
        return answers if shape or out is not None else answers.item()

    def evaluate(
        self,
        parameters: Any,
        want: Sequence[str] = ("chi_square", "log_likelihood"),
        out: Optional[Mapping[str, AnyArray]] = None,
        *,
        stream: Any = None,
    ) -> Evaluation:
        """Several results of the same parameter sets, in one pass.

        Parameters
        ----------
        parameters
            ``[..., n_parameters]``.
        want
            Any of ``"chi_square"``, ``"log_likelihood"``, ``"linear"`` (offsets, then trend, as
            given or as solved), ``"velocities"`` and ``"residuals"`` (observed minus predicted).
        out
            Arrays to be filled, by these names; they count as wanted.
        stream
            For arrays on a GPU: the stream to work on, if not that of the array.
        """
        given = dict(out or {})
        names = _wanted(want, given, self._sizes)
        on_device = device_memory(parameters, stream)
        if on_device is not None:
            return self._evaluate_on_device(on_device, names, given)
        sets, shape = self._sets(parameters)
        arrays = {name: output(given.get(name), shape + self._sizes[name], name) for name in names}
        places = {name: address(array) for name, array in arrays.items()}
        with self._lock:
            check(
                self._call(
                    self._pointer,
                    math.prod(shape),
                    address(sets),
                    options(_c.equant_results, **places),
                )
            )
        return Evaluation(**arrays)

    def _evaluate_on_device(
        self,
        parameters: DeviceMemory,
        names: Sequence[str],
        given: Mapping[str, Any],
    ) -> Evaluation:
        shape = self._leading_shape(parameters.shape)
        backend = self.engine.backend or ""
        arrays, places = {}, {}
        for name in names:
            arrays[name], places[name] = device_output(
                given.get(name), shape + self._sizes[name], name, backend, parameters.stream
            )
        with self._lock:
            check(
                _c.equant_evaluator_evaluate_on_device(
                    self._pointer,
                    math.prod(shape),
                    parameters.address,
                    options(_c.equant_results, **places),
                    parameters.stream,
                )
            )
        return Evaluation(**arrays)

    def velocities(self, parameters: Any, out: Optional[AnyArray] = None) -> AnyArray:
        """Predicted velocities in m/s at the times of the data, ``[..., n_obs]``."""
        return self._vectors("velocities", parameters, out)

    def residuals(self, parameters: Any, out: Optional[AnyArray] = None) -> AnyArray:
        """Observed minus predicted velocities in m/s, ``[..., n_obs]``."""
        return self._vectors("residuals", parameters, out)

    def linear(self, parameters: Any, out: Optional[AnyArray] = None) -> AnyArray:
        """Offsets, then trend, as given or as solved, ``[..., n_linear]``."""
        return self._vectors("linear", parameters, out)

    def _vectors(self, name: str, parameters: Any, out: Any) -> Any:
        given = None if out is None else {name: out}
        return getattr(self.evaluate(parameters, [name], given), name)

    def differentiate(
        self,
        parameters: Any,
        want: Sequence[str] = ("log_likelihood", "log_likelihood_gradient"),
        out: Optional[Mapping[str, Array]] = None,
        *,
        basis: str = "elements",
    ) -> Derivatives:
        """Derivatives with respect to the columns of the parameter sets, in double precision.

        Nuisance parameters that the model solves for follow their best values: the derivatives
        are those of the profile.

        Parameters
        ----------
        parameters
            ``[..., n_parameters]``, elements as everywhere.
        want
            Any of ``"chi_square"`` and ``"log_likelihood"``, ``[...]``;
            ``"chi_square_gradient"`` and ``"log_likelihood_gradient"``, ``[..., n_parameters]``;
            ``"fisher"``, ``[..., n_parameters, n_parameters]``; ``"jacobian"`` of the
            velocities, ``[..., n_parameters, n_obs]``.
        out
            Arrays to be filled, by these names; they count as wanted.
        basis
            By which coordinates of the planets to differentiate: ``"elements"``, ``"regular"``,
            ``"roots"`` or ``"linear"``; :func:`equant.basis_from_elements` has
            their definitions.

        Examples
        --------
        >>> import equant
        >>> evaluator = equant.Evaluator(equant.Data.demonstration(), n_planets=1)
        >>> there = evaluator.differentiate([1198.5, 7.35, 0.07, 2.86, 3.23], ["jacobian"])
        >>> there.jacobian.shape
        (5, 401)
        """
        n = self.n_parameters
        sizes = {
            "chi_square": (),
            "log_likelihood": (),
            "chi_square_gradient": (n,),
            "log_likelihood_gradient": (n,),
            "fisher": (n, n),
            "jacobian": (n, self.n_obs),
        }
        given = dict(out or {})
        names = _wanted(want, given, sizes)
        sets, shape = self._sets(parameters)
        arrays = {name: output(given.get(name), shape + sizes[name], name) for name in names}
        places = {name: address(array) for name, array in arrays.items()}
        with self._lock:
            check(
                _c.equant_evaluator_differentiate(
                    self._pointer,
                    choice("equant_basis", "basis", basis),
                    math.prod(shape),
                    address(sets),
                    options(_c.equant_derivatives, **places),
                )
            )
        return Derivatives(**arrays)

    def gradient(
        self,
        parameters: Any,
        out: Optional[Array] = None,
        *,
        of: str = "log_likelihood",
        basis: str = "elements",
    ) -> Array:
        """Gradient of the log-likelihood, or of ``"chi_square"``, ``[..., n_parameters]``."""
        name = f"{of}_gradient"
        given = None if out is None else {name: out}
        gradient: Array = getattr(
            self.differentiate(parameters, [name], given, basis=basis), name
        )
        return gradient

    @property
    def backend(self) -> str:
        """Name of the backend in use; where none was named, that of small batches."""
        return string(_c.equant_evaluator_backend(self._pointer))

    @property
    def kernels(self) -> tuple[KernelInfo, ...]:
        """Functions that chi-square takes on a GPU, in the order of their launch."""
        found = []
        for index in range(_c.equant_evaluator_n_kernels(self._pointer)):
            info = options(_c.equant_kernel_info)
            call(_c.equant_evaluator_kernel, self._pointer, index, info)
            found.append(record(KernelInfo, info))
        return tuple(found)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of the columns of a parameter set."""
        return self.model.parameter_names

    def _leading_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        if not shape or shape[-1] != self.n_parameters:
            names = ", ".join(self.parameter_names)
            raise InvalidArgument(
                f"a parameter set has {self.n_parameters} columns ({names}), "
                f"not {shape[-1] if shape else 'a single number'}"
            )
        return shape[:-1]

    def _sets(self, parameters: Any) -> tuple[Array, tuple[int, ...]]:
        sets = doubles(parameters, "parameters")
        return sets, self._leading_shape(sets.shape)

    def __reduce__(self) -> Any:
        return _evaluator_from, (self.data, self.model, self.engine)

    def __repr__(self) -> str:
        planets = "1 planet" if self.model.n_planets == 1 else f"{self.model.n_planets} planets"
        return (
            f"equant.Evaluator({planets}, {self.n_parameters} parameters, {self.n_obs} "
            f"observations, {self.backend})"
        )


def _wanted(want: Sequence[str], given: Mapping[str, Any], known: Mapping[str, Any]) -> list[str]:
    """Names of all results that are asked for, each once."""
    asked = [want] if isinstance(want, str) else list(want)
    names = list(dict.fromkeys([*asked, *given]))
    for name in names:
        if name not in known:
            words = ", ".join(f"'{word}'" for word in known)
            raise InvalidArgument(f"there is no result '{name}'; there are {words}")
    return names


def _evaluator_from(data: Data, model: Model, engine: Any) -> Evaluator:
    return Evaluator(data, model, engine=engine)
