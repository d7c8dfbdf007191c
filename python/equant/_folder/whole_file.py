"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets

from ..errors import InputOutputError


def write_whole(path: str, contents: str) -> None:
    """Writes beside the file that may be there and then takes its place."""
    folder = os.path.dirname(path)
    beside = os.path.join(folder, f".equant-{secrets.token_hex(8)}.part")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(beside, flags, 0o666)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                file.write(contents)
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
