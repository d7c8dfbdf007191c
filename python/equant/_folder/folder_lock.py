"""A folder in which one program at a time may write.

The lock is the one of the command line: the operating system's, on a file that says whose it is.
It goes with its program, however that ends.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import time
from typing import Iterator, Optional

from ..errors import InputOutputError

#: Of folders of results, whose runs are in files of this name.
LOCK, RUN = ".equant.lock", "run.nc"


@contextlib.contextmanager
def folder_lock(folder: str, is_forced: bool = False, name: str = LOCK) -> Iterator[None]:
    """Keeps others out of a folder that is there; `is_forced` goes on where another has it."""
    if is_forced:
        yield
        return
    path = os.path.join(folder, name)
    descriptor = _take(folder, path)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.unlink(path)
        os.close(descriptor)


@contextlib.contextmanager
def run_lock(path: Optional[bytes], is_forced: bool = False) -> Iterator[None]:
    """Keeps others away from the file of a run: from its folder, if it is named as there."""
    if path is None:
        yield
        return
    folder, name = os.path.split(os.fsdecode(path))
    lock = LOCK if name == RUN else f".{name}.lock"
    if not os.path.isdir(folder or "."):  # the library has a sentence for that
        yield
        return
    with folder_lock(folder or ".", is_forced, lock):
        yield


def _take(folder: str, path: str) -> int:
    while True:
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(path, flags, 0o666)
        except OSError as error:
            raise _not_lockable(folder, error) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = _owner(descriptor)
            os.close(descriptor)
            raise InputOutputError(
                f"{folder}: in use by {owner}; wait for it, or name another folder; force=True "
                "goes on all the same"
            ) from None
        except OSError as error:
            os.close(descriptor)
            raise _not_lockable(folder, error) from None
        if _is_current(descriptor, path):
            _sign(descriptor)
            return descriptor
        os.close(descriptor)


def _not_lockable(folder: str, error: OSError) -> InputOutputError:
    return InputOutputError(
        f"{folder}: cannot be locked against other programs: {error.strerror}; if there are none, "
        "say force=True"
    )


def _is_current(descriptor: int, path: str) -> bool:
    """Whoever releases a lock removes its file, perhaps between our opening and locking it."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except OSError:
        return False


def _owner(descriptor: int) -> str:
    raw = os.pread(descriptor, 255, 0).decode("ascii", "replace")
    return "".join(c if " " <= c <= "~" else "?" for c in raw) or "another program"


def _sign(descriptor: int) -> None:
    since = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    with contextlib.suppress(OSError):  # it is only a courtesy
        os.ftruncate(descriptor, 0)
        os.pwrite(
            descriptor,
            f"process {os.getpid()} on host {socket.gethostname()} since {since}".encode(),
            0,
        )
