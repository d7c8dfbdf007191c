"""Exceptions with the library's own sentences."""

from __future__ import annotations

from typing import Any, Callable

from . import _c


class Error(Exception):
    """Anything that equant refuses to do; its text says why, and what to do."""


class InvalidArgument(Error, ValueError):
    """A call that cannot be meant."""


class OutOfMemory(Error, MemoryError):
    """There is not enough memory."""


class InputOutputError(Error, OSError):
    """A file that cannot be opened, read or written."""


class FormatError(Error, ValueError):
    """A file whose contents make no sense."""


class Unavailable(Error, RuntimeError):
    """Something that this machine or this build lacks."""


class Cancelled(Error):
    """A progress callback asked to stop."""


class DeviceError(Error, RuntimeError):
    """A GPU failed."""


class InternalError(Error, RuntimeError):
    """A defect in equant: please report it."""


_CLASSES: dict[int, type[Error]] = {
    _c.EQUANT_ERROR_INVALID_ARGUMENT: InvalidArgument,
    _c.EQUANT_ERROR_OUT_OF_MEMORY: OutOfMemory,
    _c.EQUANT_ERROR_IO: InputOutputError,
    _c.EQUANT_ERROR_FORMAT: FormatError,
    _c.EQUANT_ERROR_UNAVAILABLE: Unavailable,
    _c.EQUANT_ERROR_CANCELLED: Cancelled,
    _c.EQUANT_ERROR_DEVICE: DeviceError,
    _c.EQUANT_ERROR_INTERNAL: InternalError,
}


def check(status: int) -> None:
    """Raises the exception that belongs to a status other than success."""
    if status != _c.EQUANT_SUCCESS:
        sentence = _c.equant_last_error().decode("utf-8", "replace")
        raise _CLASSES.get(status, InternalError)(sentence)


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library that answers with a status, and checks it."""
    check(function(*arguments))
