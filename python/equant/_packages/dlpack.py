"""DLPack, the handshake of array packages, as far as arrays of float64 need it.

Structures are those of dlpack.h: https://dmlc.github.io/dlpack/latest
"""

from __future__ import annotations

import ctypes
from typing import Any, Optional

CPU = 1
CUDA = 2
FLOAT = 2  # kind of numbers

_NEW = b"dltensor"
_USED = b"used_dltensor"


class _Device(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int32), ("index", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("ndim", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

# Functions of its own: other packages give those of ctypes.pythonapi their types.
_python = ctypes.PyDLL(None)
_new_capsule = _python.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

# The functions take a capsule as an address, since a destructor gets one that is already dying
# and must not be counted again.
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python)
)
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python)
)
_set_name = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_SetName", _python)
)

# Arrays that somebody else looks at, by the address of what describes them; whoever looks calls
# the deleter when done.
_lent: dict[int, tuple[Any, ...]] = {}


def _take_back(address: int) -> None:
    _lent.pop(address, None)


def _drop_unused(capsule: int) -> None:
    if _is_valid(capsule, _NEW):
        _take_back(_get_pointer(capsule, _NEW))


# What C calls; kept as long as the module, since nobody counts what C holds.
_deleter = _Deleter(_take_back)
_destructor = _Destructor(_drop_unused)


def capsule(data: int, shape: tuple[int, ...], device: tuple[int, int], owner: Any) -> Any:
    """A capsule that describes C-contiguous doubles and keeps their owner alive."""
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    managed = _Managed()
    managed.tensor.data = data
    managed.tensor.device = _Device(*device)
    managed.tensor.ndim = len(shape)
    managed.tensor.dtype = _Type(FLOAT, 64, 1)
    managed.tensor.shape = sizes
    managed.deleter = ctypes.cast(_deleter, ctypes.c_void_p)
    address = ctypes.addressof(managed)
    _lent[address] = (managed, sizes, owner)
    return _new_capsule(address, _NEW, ctypes.cast(_destructor, ctypes.c_void_p))


class Tensor:
    """The array of somebody else's capsule; given back when this is dropped."""

    def __init__(self, source: Any) -> None:
        self._managed: Optional[_Managed] = None
        if not _is_valid(id(source), _NEW):
            raise BufferError("this is not an unused DLPack capsule")
        self._address = _get_pointer(id(source), _NEW)
        self._managed = _Managed.from_address(self._address)
        _set_name(id(source), _USED)

    @property
    def _tensor(self) -> _Tensor:
        assert self._managed is not None
        tensor: _Tensor = self._managed.tensor
        return tensor

    @property
    def address(self) -> int:
        """Where the first element is."""
        first: int = (self._tensor.data or 0) + self._tensor.byte_offset
        return first

    @property
    def shape(self) -> tuple[int, ...]:
        """Lengths of the axes."""
        return tuple(self._tensor.shape[axis] for axis in range(self._tensor.ndim))

    @property
    def is_contiguous_float64(self) -> bool:
        """Whether it is an array of doubles in the order of C."""
        dtype = self._tensor.dtype
        if (dtype.code, dtype.bits, dtype.lanes) != (FLOAT, 64, 1):
            return False
        if not self._tensor.strides or 0 in self.shape:
            return True
        expected = 1
        for axis in reversed(range(self._tensor.ndim)):
            if self.shape[axis] > 1 and self._tensor.strides[axis] != expected:
                return False
            expected *= self.shape[axis]
        return True

    def __del__(self) -> None:
        if self._managed is not None and self._managed.deleter:
            _Deleter(self._managed.deleter)(self._address)
        self._managed = None
