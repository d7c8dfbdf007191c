"""The one way in which the package writes files: whole or not at all, and none that is a person's.

A file that was read as data is never replaced, by whatever name or link. One that is there is
replaced where it is empty or of the kind that is written, or where somebody has said so.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from typing import Callable, Iterable, NamedTuple, Union

from .._memory import was_read
from ..errors import InputOutputError, InvalidArgument


class Kind(NamedTuple):
    """What the files of a kind begin with, blanks and line ends left out, or how else to tell."""

    what: str
    begins: Union[str, Callable[[str], bool]]

    def has(self, path: str) -> bool:
        """Whether a file that is there is of this kind."""
        if callable(self.begins):
            return self.begins(path)
        with open(path, encoding="utf-8", errors="replace") as file:
            return "".join(file.read(1024).split()).startswith(self.begins)


def make_folder(folder: str) -> None:
    """Makes a folder, and those above it, where they are missing."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise InputOutputError(f"cannot make the folder {folder}: {error.strerror}") from error


def refuse_inputs(paths: Iterable[str]) -> None:
    """Refuses to overwrite files that were read as data."""
    for path in paths:
        with contextlib.suppress(OSError):  # where there is none, or the library will say more
            if was_read(os.stat(path)):
                raise InvalidArgument(
                    f"{path} would be overwritten, and was read as data; name another"
                )


def check_target(path: str, kind: Kind, is_forced: bool = False) -> None:
    """Refuses to overwrite a file that was read, or one that is something else."""
    try:
        there = os.stat(path)
        if not stat.S_ISREG(there.st_mode):
            return
        refuse_inputs([path])
        if there.st_size == 0 or is_forced or kind.has(path):
            return
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputOutputError(f"cannot overwrite {path}: {error.strerror}") from error
    raise InvalidArgument(
        f"{path} would be overwritten, and is not {kind.what}; name another, or remove it"
    )


def write_whole(
    path: str, contents: Union[str, bytes], kind: Kind, is_forced: bool = False
) -> None:
    """Writes beside the file that may be there and then takes its place."""
    check_target(path, kind, is_forced)
    folder = os.path.dirname(path)
    beside = os.path.join(folder, f".equant-{secrets.token_hex(8)}.part")
    raw = contents.encode("utf-8") if isinstance(contents, str) else contents
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(beside, flags, 0o666)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(descriptor)
            os.replace(beside, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(beside)
            raise
        _sync_folder(folder or ".")
    except OSError as error:
        raise InputOutputError(f"cannot write {path}: {error.strerror}") from error


def _sync_folder(folder: str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError:
        pass  # some file systems cannot; the file itself is safe
    finally:
        os.close(descriptor)
