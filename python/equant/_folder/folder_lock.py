"""A folder in which one program at a time may write; the lock is the library's."""

from __future__ import annotations

import contextlib
import os
from typing import Iterator, Optional

from .. import _c
from .._memory import Handle
from ..errors import InputOutputError

#: The file of a run in a folder of results.
RUN = "run.nc"


@contextlib.contextmanager
def folder_lock(folder: str, is_forced: bool = False, name: Optional[str] = None) -> Iterator[None]:
    """Keeps others out of a folder that is there; `is_forced` goes on where another has it."""
    if is_forced:
        yield
        return
    file = None if name is None else os.fsencode(name)
    try:
        lock = Handle(
            _c.equant_folder_lock_take, _c.equant_folder_lock_release, os.fsencode(folder), file, 0
        )
    except InputOutputError as error:
        raise InputOutputError(f"{error}; force=True goes on all the same") from None
    try:
        yield
    finally:
        lock.close()


@contextlib.contextmanager
def run_lock(path: Optional[bytes], is_forced: bool = False) -> Iterator[None]:
    """Keeps others away from the file of a run: from its folder, if it is named as there."""
    if path is None:
        yield
        return
    folder, name = os.path.split(os.fsdecode(path))
    if not os.path.isdir(folder or "."):  # the library has a sentence for that
        yield
        return
    with folder_lock(folder or ".", is_forced, None if name == RUN else f".{name}.lock"):
        yield
