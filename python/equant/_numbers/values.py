"""One argument: plain numbers as they are, quantities and dates converted, the rest refused."""

from __future__ import annotations

from numbers import Number
from typing import Any, Callable

import numpy as np

from ..errors import InvalidArgument
from .dates import days_of, is_date, is_duration, is_time, number_of
from .kinds import Kind

FLOAT64 = np.dtype(np.float64)

#: Elements of lists that need no look.
_PLAIN = {float, int, np.float64, np.float32, np.int64, np.int32}

_DURATIONS = ("d", "h", "min", "s", "yr")


def no_clock() -> str:
    """Where an argument has no data set whose clock could be asked for."""
    return ""


def plain(value: Any, name: str, kind: Kind, clock: Callable[[], str] = no_clock) -> Any:
    """The argument `name` as numbers in the unit of its kind.

    Arrays of numbers come back as they are, not copied. What cannot be told from a number, or
    converted to one, is an :class:`InvalidArgument` that names the argument.
    """
    type_of = type(value)
    if type_of is float or type_of is int or value is None:
        return _whole(value, name, kind) if kind.is_count and value is not None else value
    if type_of is np.ndarray and value.dtype is FLOAT64 and not kind.is_count:
        return value
    if type_of in (list, tuple):
        return _of_sequence(value, name, kind, clock)
    found = _without_wrapping(value, name, kind, clock)
    return _whole(found, name, kind) if kind.is_count and not kind.takes_text else found


def as_text(value: Any, name: str, kind: Kind) -> str:
    """A text as it is, and one number as the text of it: what takes either."""
    if isinstance(value, str):
        return value
    found = plain(value, name, kind)
    if found is None or np.ndim(found) != 0 or isinstance(found, (list, tuple)):
        raise InvalidArgument(f"{name} must be a number or a text, not {value!r}")
    return repr(int(found) if kind.is_count else float(found))


def missing_rows(value: Any, n_rows: int) -> Any:
    """True for rows that are masked, or missing as pandas has it; of one value, for all of them."""
    gone = np.asarray(_gone(value), bool).ravel()
    is_of_rows = gone.size in (1, n_rows)  # else what is given is refused for its length
    return np.broadcast_to(gone, (n_rows,)) if is_of_rows else np.zeros(n_rows, bool)


def _gone(value: Any) -> Any:
    mask = getattr(value, "mask", None)
    if mask is not None and not callable(mask):  # pandas has a method of that name
        return mask
    dtype = getattr(value, "dtype", None)
    letter = getattr(dtype, "kind", "O")
    if hasattr(value, "isna") and (letter not in "fiub" or hasattr(dtype, "na_value")):
        return value.isna()
    is_object = dtype is not None and letter == "O" and np.ndim(value) == 1
    if is_object or isinstance(value, (list, tuple)):
        return [one is None or _is_missing(one) for one in value]
    return _is_missing(value)


# What is around numbers: units, masks, dates


def _without_wrapping(value: Any, name: str, kind: Kind, clock: Callable[[], str]) -> Any:
    if _is_missing(value):
        return _missing(name, kind)
    if is_time(value):
        return _checked(number_of(value, name, kind, _asked(kind, clock)), name, kind)
    if getattr(value, "unit", None) is not None and hasattr(value.unit, "physical_type"):
        return _without_unit(value, name, kind)
    if hasattr(value, "units"):
        raise InvalidArgument(
            f"{name} has units of a package that is not understood: give plain numbers"
            + (f" in {kind.unit}" if kind.unit else "")
        )
    if hasattr(value, "__cuda_array_interface__"):
        return value  # memory of a GPU, which holds numbers alone
    if is_date(value):
        return _checked(number_of(value, name, kind, _asked(kind, clock)), name, kind)
    if is_duration(value):
        return _checked(_duration(value, name, kind), name, kind)
    if hasattr(value, "to_numpy"):
        return _of_pandas(value, name, kind, clock)
    return _of_numbers(_unmasked(value, name, kind), name, kind, clock)


def _asked(kind: Kind, clock: Callable[[], str]) -> str:
    return clock() if kind.date == "clock" else ""


def _without_unit(value: Any, name: str, kind: Kind) -> Any:
    """Of a Quantity, or a column of a table, in the unit of the argument."""
    numbers = _unmasked(value.value if hasattr(value, "to_value") else value, name, kind)
    numbers = np.asarray(getattr(numbers, "unmasked", numbers), dtype=np.float64)
    if kind.is_mixed and str(value.unit.physical_type) != "dimensionless":
        raise InvalidArgument(
            f"{name} is in '{value.unit}', and its columns have units of their own: give plain "
            "numbers in those of their names"
        )
    try:
        found = value.unit.to(kind.unit, numbers)
    except (TypeError, ValueError):
        wanted = f"'{kind.unit}'" if kind.unit else "a number without a unit"
        raise InvalidArgument(
            f"{name} is in '{value.unit}', which cannot be converted to {wanted}"
        ) from None
    return np.asarray(found) if np.ndim(found) else float(found)


def _duration(value: Any, name: str, kind: Kind) -> Any:
    if kind.unit not in _DURATIONS or kind.is_mixed or kind.date == "year":
        raise InvalidArgument(f"{name} is no length of time: give {kind.unit or 'plain numbers'}")
    return days_of(value) * {"d": 1.0, "h": 24.0, "min": 1440.0, "s": 86400.0}[kind.unit]


def _of_pandas(value: Any, name: str, kind: Kind, clock: Callable[[], str]) -> Any:
    """A Series, an Index, an array or a DataFrame, of NumPy's types or of pandas' own."""
    is_number = getattr(getattr(value, "dtype", None), "kind", "") in ("f", "i", "u")
    if hasattr(value, "isna") and is_number:
        if hasattr(value.dtype, "na_value") and np.any(value.isna()):
            _missing(name, kind)
            return value.to_numpy(dtype=np.float64, na_value=np.nan)
        return value.to_numpy()
    return _of_numbers(np.asarray(value.to_numpy()), name, kind, clock)


def _unmasked(value: Any, name: str, kind: Kind) -> Any:
    mask = getattr(value, "mask", None)
    if mask is None or callable(mask):
        return value
    if np.any(mask):
        _missing(name, kind)
        numbers = np.array(np.ma.getdata(value) if np.ma.isMA(value) else value.unmasked)
        if numbers.dtype.kind in "fiu":
            return np.where(mask, np.nan, numbers)
    return np.ma.getdata(value)


def _checked(found: Any, name: str, kind: Kind) -> Any:
    """Dates that are missing are NaN by now."""
    if np.isnan(found).any():
        _missing(name, kind)
    return found


def _is_missing(value: Any) -> bool:
    """Of one value: masked, NA or NaT."""
    return value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType")


def _missing(name: str, kind: Kind) -> float:
    if not kind.takes_missing:
        raise InvalidArgument(f"{name} has masked or missing values: leave them out")
    return float("nan")


# What is left: numbers, or what only looks like them


def _of_sequence(values: Any, name: str, kind: Kind, clock: Callable[[], str]) -> Any:
    """A list or a tuple: element by element where one is no plain number."""
    types = set(map(type, values))
    if types <= _PLAIN and not kind.is_count:
        return values
    found = [_element(one, name, kind, clock) for one in values]
    if all(new is old for new, old in zip(found, values)):
        return values
    return tuple(found) if isinstance(values, tuple) else found


def _element(value: Any, name: str, kind: Kind, clock: Callable[[], str]) -> Any:
    if value is None:
        return _missing(name, kind)
    return plain(value, name, kind, clock)


def _of_numbers(value: Any, name: str, kind: Kind, clock: Callable[[], str]) -> Any:
    if isinstance(value, (str, bytes)):
        return _text(value, name, kind)
    array = value if isinstance(value, (np.ndarray, np.generic)) else _array_of(value)
    letter = array.dtype.kind if array is not None else ""
    if letter in ("f", "i", "u"):
        return _scalar_or(array) if array is not value or not array.ndim else value
    if letter in ("M", "m"):
        return _without_wrapping(array, name, kind, clock)
    if letter == "O" and array is not None and array.ndim:
        return np.asarray(
            [_element(one, name, kind, clock) for one in array.ravel()], dtype=None
        ).reshape(array.shape)
    if letter in ("U", "S") and kind.takes_text:
        return value
    if letter == "b" and kind.takes_flags:
        return array.astype(np.float64)
    words = {"b": "true or false", "c": "complex numbers", "U": "text", "S": "text"}
    if letter in words:
        raise InvalidArgument(f"{name} must be numbers, not {words[letter]}")
    if kind.is_mixed:
        return value
    raise InvalidArgument(f"{name} must be a number, not a {type(value).__name__}")


def _text(value: Any, name: str, kind: Kind) -> Any:
    if not kind.takes_text:
        raise InvalidArgument(f"{name} must be a number, not the text {value!r}")
    return value


def _array_of(value: Any) -> Any:
    """A number, or an array of another package; None for what is neither."""
    if isinstance(value, (bool, complex)):
        return np.asarray(value)
    if isinstance(value, Number) and hasattr(value, "__float__"):  # Fraction, Decimal
        return np.asarray(float(value))
    return np.asarray(value) if hasattr(value, "__array__") or hasattr(value, "__len__") else None


def _scalar_or(array: Any) -> Any:
    return array.item() if array.ndim == 0 else array


def _whole(found: Any, name: str, kind: Kind) -> Any:
    """Numbers that count: 2.0 is 2, and 2.5 is refused."""
    if isinstance(found, np.ndarray):
        if found.dtype.kind in "iu" or found.size == 0:
            return found
        if found.dtype.kind == "f" and np.all(found == np.rint(found)):
            return found.astype(np.int64)
    elif isinstance(found, int) and not isinstance(found, bool):
        if kind.is_unsigned and found < 0:
            raise InvalidArgument(f"{name} must be 0 or more, not {found}")
        if kind.is_unsigned and found >= 2**64:
            raise InvalidArgument(f"{name} must be below 2**64, not {found}")
        return found
    elif isinstance(found, (list, tuple)):
        return found
    elif isinstance(found, float) and found.is_integer():
        return int(found)
    raise InvalidArgument(f"{name} must be a whole number, not {found!r}")
