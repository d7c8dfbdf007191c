"""The command `equant`, which draws the page about a star.

The page is part of the command, not of the library; `pip install` brings both, of one version.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from typing import Iterator, Sequence

from .. import _library
from ..engine import version
from ..errors import InputOutputError, InvalidArgument, Unavailable


def _candidates() -> Iterator[str]:
    """Beside the library where EQUANT_LIBRARY names one, where pip puts programs, on the PATH."""
    if os.environ.get("EQUANT_LIBRARY"):
        yield os.path.join(os.path.dirname(os.path.abspath(_library.path)), "equant")
    yield os.path.join(sysconfig.get_path("scripts"), "equant")
    yield shutil.which("equant") or ""


def program() -> str:
    """The path of the command of this version."""
    for path in _candidates():
        if os.access(path, os.X_OK) and os.path.isfile(path) and _version(path) == version():
            return path
    raise Unavailable(
        f"the page is drawn by the command `equant` of version {version()}, which is not found; "
        "`pip install` of the package brings it"
    )


def _version(path: str) -> str:
    try:
        run = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    words = run.stdout.split()
    return words[1] if len(words) > 1 else ""


def option(name: str, value: str) -> str:
    """An option with its value in one word, so that "--help" may be the name of a star."""
    if not isinstance(value, str) or "\0" in value:
        raise InvalidArgument(f"the value of {name} must be text without NUL, not {value!r}")
    return f"--{name}={value}"


def run_program(arguments: Sequence[str], folder: str) -> None:
    """Runs the command in a folder; what it complains about is an :class:`Error`."""
    run = subprocess.run(
        [program(), *arguments], cwd=folder, capture_output=True, encoding="utf-8", errors="replace"
    )
    if run.returncode != 0:
        raise InputOutputError(run.stderr.strip() or f"equant ended with {run.returncode}")
