"""Parameter sets of many stars in one call."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Optional, Sequence

import numpy as np

from .. import _c
from .._exclusive import Exclusive
from .._memory import Handle, address, doubles, options, string
from .._numbers.gate import takes_numbers
from .._numbers.kinds import COUNT
from ..data import Data, data_pointer
from ..engine import EngineLike, as_engine
from ..errors import InvalidArgument, check
from ..evaluator import Evaluation, _wanted
from ..model import Model


class EvaluatorList(Exclusive):
    """Many data sets under one model: evaluates parameter sets of all of them in one call.

    For archives of short series, none of which would fill a GPU, or the threads of a machine. Each
    result is that of an :class:`Evaluator` of the same data set and backend, to the bit.

    Parameters
    ----------
    data
        The observations of each star, all with as many instruments as the model.
    model
        The columns of a parameter set; without it a :class:`Model` of `n_planets`.
    n_planets
        Where there is no model.
    engine
        An :class:`Engine`, or the name of a backend; without a name it is the processor.

    Examples
    --------
    >>> import equant
    >>> star = equant.Data.demonstration()
    >>> stars = equant.EvaluatorList([star, star])
    >>> orbit = [1198.5, 7.35, 0.07, 2.86, 3.23]
    >>> stars.evaluate([1, 0, 1], [orbit, orbit, orbit]).chi_square.round(2)
    array([3344.15, 3344.15, 3344.15])
    """

    @takes_numbers
    def __init__(
        self,
        data: Sequence[Data],
        model: Optional[Model] = None,
        *,
        n_planets: int = 1,
        engine: EngineLike = None,
    ) -> None:
        self.data = tuple(data)
        if not self.data:
            raise InvalidArgument("a list of evaluators needs at least one data set")
        self.model = model or Model(n_planets, n_instruments=self.data[0].n_instruments)
        self.engine = as_engine(engine)
        self._renew()
        self._sizes = {"chi_square": (), "log_likelihood": (), "linear": (self.model.n_linear,)}
        self._guard()

    def _renew(self) -> None:
        pointers = (ctypes.c_void_p * len(self.data))(*(data_pointer(own) for own in self.data))
        self._handle = Handle(
            _c.equant_evaluator_list_create,
            _c.equant_evaluator_list_free,
            len(self.data),
            pointers,
            self.model._handle.pointer,
            self.engine._options(),
        )

    @takes_numbers(star=COUNT)
    def evaluate(
        self,
        star: Any,
        parameters: Any,
        want: Sequence[str] = ("chi_square", "log_likelihood"),
    ) -> Evaluation:
        """Results of parameter sets, each beside the data of its star.

        Parameters
        ----------
        star
            Whose each set is: numbers from 0 on, ``[...]``, in any order.
        parameters
            ``[..., n_parameters]``.
        want
            Any of ``"chi_square"``, ``"log_likelihood"`` and ``"linear"``.
        """
        sets = doubles(parameters, "parameters")
        whose = np.asarray(star)
        if sets.ndim == 0 or sets.shape[-1] != self.model.n_parameters:
            raise InvalidArgument(f"a parameter set has {self.model.n_parameters} columns")
        if whose.shape != sets.shape[:-1] or not np.issubdtype(whose.dtype, np.integer):
            raise InvalidArgument("each parameter set needs the number of its star")
        if whose.size and whose.min() < 0:
            raise InvalidArgument("stars are numbered from 0 on")
        places = np.ascontiguousarray(whose, dtype=np.uintp)
        arrays = {
            name: np.empty(whose.shape + self._sizes[name])
            for name in _wanted(want, {}, self._sizes)
        }
        asked = options(
            _c.equant_results, **{name: address(array) for name, array in arrays.items()}
        )
        with self._lock:
            check(
                _c.equant_evaluator_list_evaluate(
                    self._handle.pointer,
                    math.prod(whose.shape),
                    places.ctypes.data_as(ctypes.POINTER(ctypes.c_size_t)),
                    address(sets),
                    asked,
                )
            )
        return Evaluation(**arrays)

    @property
    def backend(self) -> str:
        """Name of the backend in use."""
        return string(_c.equant_evaluator_list_backend(self._handle.pointer))

    def __len__(self) -> int:
        return len(self.data)

    def __repr__(self) -> str:
        return f"equant.EvaluatorList({len(self)} data sets, {self.backend})"
