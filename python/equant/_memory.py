"""What crosses the border to C: owned objects, views of their memory, arrays, options."""

from __future__ import annotations

import ctypes
import os
import stat
from dataclasses import fields
from numbers import Integral
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np

from . import _c
from ._numbers.kinds import COLUMNS
from ._numbers.values import FLOAT64, plain
from .errors import InvalidArgument, call

Array = np.ndarray


class Handle:
    """An object of the library; freed when nothing refers to it any more."""

    __slots__ = ("pointer", "_free")

    def __init__(
        self, create: Callable[..., int], free: Callable[[Any], None], *arguments: Any
    ) -> None:
        self._free = free
        self.pointer: Optional[int] = None
        place = ctypes.c_void_p()
        call(create, *arguments, ctypes.byref(place))
        self.pointer = place.value

    def __reduce__(self) -> Any:
        """Two owners of one object would both free it; another process has none of it."""
        raise TypeError("an object of the library is neither copied nor pickled by its address")

    def close(self) -> None:
        """Frees it now."""
        if self.pointer is not None:
            self._free(self.pointer)
            self.pointer = None

    def __del__(self) -> None:
        self.close()


def adopted(address: Optional[int], free: Callable[[Any], None]) -> Handle:
    """An object of the library that is there already."""

    def give(place: Any) -> int:
        place._obj.value = address
        return int(_c.EQUANT_SUCCESS)

    return Handle(give, free)


class Borrowed:
    """An object of the library that belongs to another one, which it keeps alive."""

    __slots__ = ("pointer", "owner")

    def __init__(self, pointer: Optional[int], owner: Handle) -> None:
        self.pointer = pointer
        self.owner = owner


AnyHandle = Union[Handle, Borrowed]


class _Window:
    """Memory of a library's object, as NumPy's array interface wants it described.

    An array made from it refers to it, and it refers to the owner: so the memory lives as long
    as somebody looks at it.
    """

    def __init__(
        self, owner: AnyHandle, address: int, shape: tuple[int, ...], typestr: str
    ) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": typestr,
            "data": (address, True),
        }


def view(
    owner: AnyHandle, address: Optional[int], shape: tuple[int, ...], dtype: Any = np.float64
) -> Array:
    """A read-only array over memory of the library, without a copy."""
    if not address or 0 in shape:
        return np.empty(shape, dtype)
    return np.asarray(_Window(owner, address, shape, np.dtype(dtype).str))


def doubles(values: Any, name: str) -> Array:
    """Values as aligned, C-contiguous doubles; the array itself where it is that already."""
    if type(values) is not np.ndarray or values.dtype is not FLOAT64:
        values = plain(values, name, COLUMNS)
    try:
        array = np.asarray(values, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise InvalidArgument(f"{name} are not numbers: {error}") from None
    return array if array.flags.aligned else array.copy()


def output(out: Optional[Array], shape: tuple[int, ...], name: str = "out") -> Array:
    """The array that the caller wants filled, or a new one."""
    if out is None:
        return np.empty(shape)
    if not isinstance(out, np.ndarray) or out.dtype != np.float64 or not out.flags.carray:
        raise InvalidArgument(f"{name} must be a writable, C-contiguous array of float64")
    if out.shape != shape:
        raise InvalidArgument(f"{name} has the shape {out.shape}, it needs {shape}")
    return out


def address(array: Optional[Array]) -> Optional[int]:
    """Where an array begins; None for None."""
    return None if array is None else array.ctypes.data


def elements(planets: Any, name: str) -> Array:
    """Planets as rows of five elements; objects with an attribute `elements` are welcome."""
    given = () if planets is None else planets
    if not hasattr(given, "__iter__"):
        raise InvalidArgument(f"{name} must be rows of elements, or planets, not {planets!r}")
    rows = [getattr(planet, "elements", planet) for planet in given]
    array = doubles(rows, name) if rows else np.empty((0, _c.EQUANT_N_ELEMENTS))
    if array.ndim != 2 or array.shape[1] != _c.EQUANT_N_ELEMENTS:
        raise InvalidArgument(
            f"{name} must be rows of five elements: period_days, k_m_s, eccentricity, "
            "omega_rad, m0_rad"
        )
    return array


def words_of(enum: str) -> dict[str, int]:
    """An enumeration by what tells its names apart: "m_s", not "EQUANT_UNIT_M_S"."""
    names = _c.ENUMS[enum]
    common = os.path.commonprefix(list(names))
    prefix = common[: common.rindex("_") + 1]
    return {name[len(prefix) :].lower(): value for name, value in names.items()}


def choice(enum: str, name: str, word: str) -> int:
    """The value that a word has in an enumeration: ("equant_unit", "unit", "km_s") is 2."""
    values = words_of(enum)
    if not isinstance(word, str) or word not in values:
        words = ", ".join(f"'{key}'" for key in values)
        raise InvalidArgument(f"{name} must be one of {words}, not {word!r}")
    return values[word]


def word(enum: str, value: int) -> str:
    """The word that stands for a value of an enumeration."""
    return {number: name for name, number in words_of(enum).items()}[value]


def options(struct: type[ctypes.Structure], **members: Any) -> Any:
    """A struct of options: its size filled in, members that are None left at zero."""
    result = struct()
    if hasattr(result, "struct_size"):
        result.struct_size = ctypes.sizeof(struct)
    for name, value in members.items():
        if value is not None:
            setattr(result, name, value)
            _check_whole(name, value, getattr(result, name))
    return result


def _check_whole(name: str, asked: Any, kept: Any) -> None:
    """Ctypes cuts whole numbers that are too large, and turns negative ones round."""
    if isinstance(asked, Integral) and isinstance(kept, int) and asked != kept:
        raise InvalidArgument(f"{name} cannot be {asked}: that is too large, or below zero")


def text(value: Optional[str], name: str = "a name") -> Optional[bytes]:
    """A string for the library; None stays None."""
    if value is None:
        return None
    if not isinstance(value, str):
        raise InvalidArgument(f"{name} must be a text, not {value!r}")
    if "\0" in value:
        raise InvalidArgument(f"{value!r} has a character NUL, which no name may have")
    return value.encode("utf-8")


def names_text(value: Any, name: str) -> Optional[bytes]:
    """A word, or several names, for the library; None stays None."""
    if value is None or isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        return text(value, name)
    names = list(value)
    for one in names:
        text(one, name)
    return text(",".join(names), name)


def path_text(path: Any) -> bytes:
    """A path for the library: a string, bytes or something that stands for one."""
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"a path must be a str, bytes or os.PathLike, not a {type(path).__name__}")
    raw = os.fsencode(path)
    if b"\0" in raw:
        raise InvalidArgument(f"{path!r} has a character NUL, which no path may have")
    return raw


#: Files that were read as data, by device and inode: their paths.
_READ: dict[tuple[int, int], set[bytes]] = {}


def read_path(path: Any) -> bytes:
    """The path of data that the library is to read, which the package never overwrites."""
    raw = path_text(path)
    try:
        there = os.stat(raw)
    except OSError:
        return raw  # the library has a sentence for that
    if stat.S_ISREG(there.st_mode):
        _READ.setdefault((there.st_dev, there.st_ino), set()).add(os.path.abspath(raw))
    return raw


def was_read(there: os.stat_result) -> bool:
    """Whether a file was read as data; not one that has the number of another, removed since."""

    def is_still_there(path: bytes) -> bool:
        try:
            return os.path.samestat(os.stat(path), there)
        except OSError:
            return False

    return any(map(is_still_there, _READ.get((there.st_dev, there.st_ino), ())))


def texts(values: Sequence[str]) -> Any:
    """An array of strings for the library."""
    return (ctypes.c_char_p * len(values))(*[text(value) for value in values])


def string(value: Optional[bytes]) -> str:
    """A string from the library."""
    return "" if value is None else value.decode("utf-8", "replace")


def pointer(struct: Optional[ctypes.Structure]) -> Any:
    """A pointer to a struct, which keeps it alive; None for None."""
    return None if struct is None else ctypes.pointer(struct)


def record(cls: Any, struct: ctypes.Structure) -> Any:
    """A dataclass from the members of a struct that have the names of its fields."""
    values = {item.name: getattr(struct, item.name) for item in fields(cls)}
    return cls(**{k: string(v) if isinstance(v, bytes) else v for k, v in values.items()})
