"""Arrays in the memory of a GPU: those of other packages, and our own."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _c
from ._memory import Array, address, doubles, options, record, text
from ._numbers.gate import takes_numbers
from ._numbers.kinds import COUNT, NUMBER
from ._packages import dlpack as _dlpack
from .errors import InvalidArgument, call

#: What CUDA calls its default stream where a number is wanted.
DEFAULT_STREAM = 1


@dataclass(frozen=True)
class DeviceMemory:
    """C-contiguous doubles on a GPU, wherever they come from."""

    address: int
    shape: tuple[int, ...]
    stream: Optional[int]
    owner: Any  # keeps the memory alive


@dataclass(frozen=True)
class DeviceInfo:
    """What a GPU can do at best, by its data sheet; zero where it does not tell.

    ``single_per_s`` and ``double_per_s`` are fused multiply-adds, ``instructions_per_s`` of any
    kind, all of all lanes; ``bytes_per_s`` is the speed of its memory.
    """

    name: str
    memory_bytes: int
    bytes_per_s: float
    single_per_s: float
    double_per_s: float
    instructions_per_s: float


def device_describe(backend: str = "cuda") -> DeviceInfo:
    """What a GPU is and can do."""
    info = options(_c.equant_device_info)
    call(_c.equant_device_describe, text(backend), info)
    described: DeviceInfo = record(DeviceInfo, info)
    return described


class DeviceArray:
    """An array of float64 in the memory of a GPU.

    CuPy, PyTorch, JAX and Numba take it without a copy, since it has
    ``__cuda_array_interface__`` and ``__dlpack__``. It needs none of them, though:

    >>> sets = DeviceArray.from_numpy(orbits)                            # doctest: +SKIP
    >>> evaluator = equant.Evaluator(data, n_planets=4, engine="cuda")   # doctest: +SKIP
    >>> evaluator.chi_square(sets).to_numpy()                            # doctest: +SKIP

    Parameters
    ----------
    shape
        Its contents are undefined until something is written.
    backend
        The GPU: ``"cuda"``, ``"cuda:1"``, ...
    stream
        A CUDA stream, as a number, on which work that fills the array is queued.
    """

    dtype = np.dtype(np.float64)

    @takes_numbers(shape=COUNT)
    def __init__(self, shape: Any, backend: str = "cuda", stream: Optional[int] = None) -> None:
        self._address: Optional[int] = None
        self.shape: tuple[int, ...] = (shape,) if isinstance(shape, int) else tuple(shape)
        self.backend = backend
        self.stream = stream
        place = ctypes.c_void_p()
        call(_c.equant_device_allocate, text(backend), max(self.nbytes, 8), ctypes.byref(place))
        self._address = place.value

    @classmethod
    @takes_numbers(array=NUMBER)
    def from_numpy(cls, array: Any, backend: str = "cuda") -> DeviceArray:
        """A copy of an array on the GPU."""
        values = doubles(array, "values")
        made = cls(values.shape, backend)
        call(_c.equant_device_copy, text(backend), made.nbytes, address(values), made._address)
        return made

    def to_numpy(self) -> Array:
        """A copy of the array here, after all work on the GPU is done."""
        result = np.empty(self.shape)
        call(_c.equant_device_wait, text(self.backend))
        call(_c.equant_device_copy, text(self.backend), self.nbytes, self._address, address(result))
        return result

    def __reduce__(self) -> Any:
        """Two owners of one piece of memory would both free it; another process has none of it."""
        raise TypeError(
            "a DeviceArray is memory of a GPU, and is neither copied nor pickled; do so with its "
            "to_numpy()"
        )

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def nbytes(self) -> int:
        """Size of the memory in bytes."""
        return 8 * self.size

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": "<f8",
            "data": (self._address, False),
            "strides": None,
            "stream": self.stream or DEFAULT_STREAM,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        _, _, index = self.backend.partition(":")
        return _dlpack.CUDA, int(index or 0)

    def __dlpack__(self, *, stream: Optional[int] = None, **_: Any) -> Any:
        if stream != -1 and (stream or DEFAULT_STREAM) != (self.stream or DEFAULT_STREAM):
            call(_c.equant_device_wait, text(self.backend))
        return _dlpack.capsule(self._address or 0, self.shape, self.__dlpack_device__(), self)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"equant.DeviceArray(shape={self.shape}, backend={self.backend!r})"

    def __del__(self) -> None:
        if self._address is not None:
            _c.equant_device_free(text(self.backend), self._address)
            self._address = None


def stream_number(stream: Any) -> Optional[int]:
    """A stream of CuPy (``ptr``), PyTorch (``cuda_stream``) or Numba (``handle``), or a number."""
    for attribute in ("ptr", "cuda_stream", "handle"):
        number = getattr(stream, attribute, None)
        if isinstance(number, int):
            return number
    other: Optional[int] = stream
    return other


def device_memory(array: Any, stream: Any = None) -> Optional[DeviceMemory]:
    """The memory of an array on a GPU; None for anything that is not on one.

    Work goes to the stream that the caller names, else to that of the array, so that it comes
    after whatever filled the array.
    """
    if isinstance(array, (np.ndarray, list, tuple, float)):
        return None
    description = getattr(array, "__cuda_array_interface__", None)
    if description is not None:
        return _from_interface(array, description, stream)
    device = getattr(array, "__dlpack_device__", None)
    if device is not None and device()[0] == _dlpack.CUDA:
        # 1 asks the array to be ready for the default stream.
        wanted = stream_number(stream)
        tensor = _dlpack.Tensor(array.__dlpack__(stream=wanted or DEFAULT_STREAM))
        if not tensor.is_contiguous_float64:
            raise InvalidArgument("an array on a GPU must be C-contiguous, of float64")
        return DeviceMemory(tensor.address, tensor.shape, wanted, (array, tensor))
    return None


def _from_interface(array: Any, description: dict[str, Any], stream: Any) -> DeviceMemory:
    shape = tuple(description["shape"])
    if description["typestr"] != "<f8" or not _is_contiguous(shape, description.get("strides")):
        raise InvalidArgument("an array on a GPU must be C-contiguous, of float64")
    number = stream_number(stream) if stream is not None else description.get("stream")
    return DeviceMemory(description["data"][0], shape, number, array)


def _is_contiguous(shape: tuple[int, ...], strides: Optional[tuple[int, ...]]) -> bool:
    if strides is None or 0 in shape:
        return True
    expected = 8
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != expected:
            return False
        expected *= size
    return True


def device_output(
    out: Any, shape: tuple[int, ...], name: str, backend: str, stream: Optional[int]
) -> tuple[Any, int]:
    """The array on a GPU that the caller wants filled, or a new one; and its address."""
    if not backend:
        raise InvalidArgument("these arrays are on a GPU: name it, as in engine='cuda'")
    if out is None:
        made = DeviceArray(shape, backend, stream)
        return made, made._address or 0
    memory = device_memory(out, stream)
    if memory is None or memory.shape != shape:
        raise InvalidArgument(f"{name} must be an array on the GPU, of the shape {shape}")
    return out, memory.address
