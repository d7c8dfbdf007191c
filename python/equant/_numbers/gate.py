"""The gate: every public function passes its numbers through it."""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Optional, TypeVar, cast, overload

import numpy as np

from ..errors import InvalidArgument
from .dates import clock_of
from .kinds import Kind, kind_of
from .values import FLOAT64, no_clock, plain

F = TypeVar("F", bound=Callable[..., Any])


@overload
def takes_numbers(function: F, /) -> F: ...


@overload
def takes_numbers(**special: Optional[Kind]) -> Callable[[F], F]: ...


def takes_numbers(function: Any = None, /, **special: Optional[Kind]) -> Any:
    """A function whose arguments are numbers in the units of their names when it begins.

    Of a class it is what makes one. `special` says what an argument takes whose name tells too
    little; None leaves it alone.
    """
    if function is None:
        return lambda function: _gated_or_made(function, special)
    return _gated_or_made(function, special)


def _gated_or_made(function: Any, special: dict[str, Optional[Kind]]) -> Any:
    if inspect.isclass(function):
        function.__init__ = _gated(function.__init__, special)  # type: ignore[method-assign]
        return function
    return _gated(function, special)


def kinds_of(function: Callable[..., Any], special: dict[str, Optional[Kind]]) -> dict[str, Kind]:
    """What those arguments take that are numbers."""
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        is_flag = parameter.annotation in ("bool", "Optional[str]", "str", "Optional[Data]", "Data")
        kind = special[name] if name in special else None if is_flag else kind_of(name)
        if kind is not None:
            is_pair = str(parameter.annotation) in ("tuple[float, float]", "tuple[int, int]")
            found[name] = kind._replace(is_pair=is_pair)
    return found


def _gated(function: F, special: dict[str, Optional[Kind]]) -> F:
    kinds = kinds_of(function, special)
    names = list(inspect.signature(function).parameters)
    places = [(names.index(name), name, kind) for name, kind in kinds.items()]

    @functools.wraps(function)
    def checked(*args: Any, **given: Any) -> Any:
        n = len(args)
        for place, name, kind in places:
            if place < n:
                value = args[place]
            elif name in given:
                value = given[name]
            else:
                continue
            if kind.is_pair:
                _check_pair(value, name)
            if type(value) is float and not kind.is_count or value is None:
                continue
            if type(value) is np.ndarray and value.dtype is FLOAT64 and not kind.is_count:
                continue
            found = plain(
                value, name, kind, _clock(args, given) if kind.date == "clock" else no_clock
            )
            if found is value:
                continue
            if place < n:
                args = (*args[:place], found, *args[place + 1 :])
            else:
                given[name] = found
        return function(*args, **given)

    checked.__numbers__ = kinds  # type: ignore[attr-defined]
    return cast(F, checked)


def _check_pair(value: Any, name: str) -> None:
    shape = getattr(value, "shape", None)
    n = len(value) if shape is None and hasattr(value, "__len__") else (shape or (0,))[0]
    if value is not None and n != 2:
        raise InvalidArgument(f"{name} must be two numbers, a pair, not {value!r}")


def _clock(args: tuple[Any, ...], given: dict[str, Any]) -> Callable[[], str]:
    """That of the data of the object whose method it is, or of the posterior that is given."""

    def find() -> str:
        for owner in (given.get("posterior"), *args[:2]):
            data = getattr(owner, "data", None)
            if hasattr(data, "times_days"):
                return clock_of(data)
        return ""

    return find
