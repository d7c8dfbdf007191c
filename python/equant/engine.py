"""How to compute: backend, precision, solver, threads; and what this machine offers."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from typing import Any, Optional, Union

from . import _c
from ._memory import choice, options, string, text
from ._numbers.gate import takes_numbers
from .errors import InvalidArgument, call


@takes_numbers
@dataclass(frozen=True)
class Engine:
    """How to compute. The defaults are the best that this machine has, in double precision.

    Parameters
    ----------
    backend
        ``"cpu"``, ``"cpu/avx2"``, ``"cuda"``, ``"cuda:1"``, ...; :func:`backends` lists them.
        None takes the processor, and a GPU for batches that are large enough to gain.
    precision
        ``"double"``, ``"mixed"`` (phase in double, the rest in single), ``"pair"`` or
        ``"single"``.
    solver
        Of Kepler's equation: ``"fast"``, or ``"danby"``, the iteration of Ford (2008).
    summation
        ``"plain"`` or ``"compensated"``.
    n_threads
        0 takes all that the machine offers.
    danby_tolerance, danby_max_iterations
        Of the solver ``"danby"``; 0 means 1e-6 and 10.
    implementation
        ``"fused"``, or ``"split"``, that of Ford (2008), for comparison on GPUs.
    first_guess
        ``"computed"``, or ``"tabulated"``, that of Ford (2008), for comparison on GPUs.

    Examples
    --------
    >>> Engine(precision="mixed", n_threads=1).precision
    'mixed'
    """

    backend: Optional[str] = None
    precision: str = "double"
    solver: str = "fast"
    summation: str = "plain"
    n_threads: int = 0
    danby_tolerance: float = 0.0
    danby_max_iterations: int = 0
    implementation: str = "fused"
    first_guess: str = "computed"

    def _options(self) -> Any:
        return options(
            _c.equant_engine_options,
            backend=text(self.backend),
            precision=choice("equant_precision", "precision", self.precision),
            solver=choice("equant_solver", "solver", self.solver),
            summation=choice("equant_summation", "summation", self.summation),
            n_threads=self.n_threads,
            danby_tolerance=self.danby_tolerance,
            danby_max_iterations=self.danby_max_iterations,
            paper=ctypes.addressof(_paper_options(self.implementation, self.first_guess)),
        )


@functools.cache  # which keeps them where engine options point to
def _paper_options(implementation: str, first_guess: str) -> Any:
    return options(
        _c.equant_paper_options,
        implementation=choice("equant_implementation", "implementation", implementation),
        first_guess=choice("equant_first_guess", "first_guess", first_guess),
    )


EngineLike = Union[Engine, str, None]


def as_engine(engine: EngineLike) -> Engine:
    """An engine from what callers may say: one, the name of a backend, or nothing."""
    if engine is None:
        return Engine()
    if isinstance(engine, str):
        return Engine(backend=engine)
    if isinstance(engine, Engine):
        return engine
    raise InvalidArgument("engine must be an equant.Engine or the name of a backend")


@dataclass(frozen=True)
class Backend:
    """One way to compute that is built into the library."""

    name: str
    description: str
    available: bool
    is_default: bool


def backends() -> list[Backend]:
    """Backends that are built into the library, best first.

    Examples
    --------
    >>> [backend.name for backend in backends() if backend.name == "cpu/scalar"]
    ['cpu/scalar']
    """
    found = []
    for index in range(_c.equant_n_backends()):
        info = options(_c.equant_backend_info)
        call(_c.equant_backend_at, index, info)
        found.append(
            Backend(
                string(info.name),
                string(info.description),
                bool(info.available),
                bool(info.is_default),
            )
        )
    return found


@dataclass(frozen=True)
class Placement:
    """Where work runs. Made by :func:`placement`."""

    backend: str  #: its full name, as :class:`Engine` takes it
    device: int  #: which of several: 1 for ``"cuda:1"``
    has_device_memory: bool  #: true for a GPU
    n_threads: int  #: of the processor


@takes_numbers
def placement(
    kind: str = "batch",
    n_sets: int = 1,
    n_planets: int = 1,
    n_obs: int = 1,
    engine: EngineLike = None,
) -> Placement:
    """Where the library does some work: on the backend that the engine names; where it names none,
    on the processor, or on a GPU where there is one and the work is large enough to gain.

    Parameters
    ----------
    kind
        ``"batch"``, one call of an evaluator; ``"small_batches"``, many small ones; ``"scan"``, of
        a search or a fit; ``"walkers"``, a sampler that evaluates ``n_sets`` at a time;
        ``"monte_carlo"``, ``n_sets`` in all.
    n_sets, n_planets, n_obs
        How large it is. Scans and small batches need no sizes.
    engine
        An :class:`Engine`, or the name of a backend.

    Examples
    --------
    >>> placement("small_batches", engine=Engine("cpu/scalar", n_threads=2))
    Placement(backend='cpu/scalar', device=0, has_device_memory=False, n_threads=2)
    """
    work = options(
        _c.equant_work,
        kind=choice("equant_work_kind", "kind", kind),
        n_sets=n_sets,
        n_planets=n_planets,
        n_obs=n_obs,
    )
    info = options(_c.equant_placement_info)
    call(_c.equant_placement, as_engine(engine)._options(), work, info)
    return Placement(
        string(info.backend), int(info.device), bool(info.has_device_memory), int(info.n_threads)
    )


def default_threads() -> int:
    """Number of threads that ``n_threads=0`` means on this machine."""
    return int(_c.equant_default_threads())


def version() -> str:
    """Version of the library that is running."""
    return string(_c.equant_version())
