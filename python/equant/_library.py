"""The shared library behind the package: where it lies, and its functions."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from typing import Any


def _path() -> str:
    """Where the library is: as EQUANT_LIBRARY says, else beside this file."""
    chosen = os.environ.get("EQUANT_LIBRARY")
    if chosen:
        return chosen
    suffix = {"win32": "dll", "darwin": "dylib"}.get(sys.platform, "so")
    beside = pathlib.Path(__file__).resolve().with_name(f"libequant.{suffix}")
    if not beside.exists():
        raise ImportError(
            f"there is no {beside}: install the package with 'pip install .', or say by the "
            "environment variable EQUANT_LIBRARY where the library is"
        )
    return str(beside)


def _load(path: str) -> ctypes.CDLL:
    try:
        # A CDLL releases the lock of the interpreter during every call.
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load the library of equant: {error}") from error


path = _path()
library = _load(path)


def bind(name: str, result: Any, arguments: list[Any]) -> Any:
    """The function of this name, told what it takes and returns."""
    try:
        function = getattr(library, name)
    except AttributeError:
        raise AttributeError(f"{path} has no {name}: it is older than this package") from None
    function.restype = result
    function.argtypes = arguments
    return function
