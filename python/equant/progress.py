"""Long calls: how far they are, and Ctrl-C."""

from __future__ import annotations

import html
import logging
import math
import shutil
import signal
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from . import _c
from ._memory import Handle, record
from .errors import Cancelled

#: Long calls say here which stage they are in and how long they took, at the level INFO, and how
#: far they are, at DEBUG: ``logging.basicConfig(level="INFO")`` shows it.
logger = logging.getLogger("equant")
logger.addHandler(logging.NullHandler())


@dataclass(frozen=True)
class Progress:
    """How far a call has come.

    The figures from `step` on are the sampler's, and NaN while nothing is sampled or nobody knows
    them yet; `rhat`, `ess_bulk` and `ess_tail` are the worst of all parameters. Of a fit, whose
    stages begin anew for each planet, `call_done` and `seconds_left` are estimates of the whole.
    """

    stage: str
    done: float
    step: int = 0
    steps_per_s: float = math.nan
    acceptance: float = math.nan
    rhat: float = math.nan
    ess_bulk: float = math.nan
    ess_tail: float = math.nan
    seconds_left: float = math.nan
    call_done: float = math.nan

    def __str__(self) -> str:
        parts = [self.stage]
        if self.step > 0:
            parts.append(f"step {self.step}")
        if not math.isnan(self.rhat):
            parts.append(f"R-hat {self.rhat:.3f}")
        if not math.isnan(self.ess_bulk):
            parts.append(f"ESS {min(self.ess_bulk, self.ess_tail):.0f}")
        if not math.isnan(self.call_done) and not math.isnan(self.seconds_left):
            parts.append(f"about {self.seconds_left:.0f} s left")
        return "  ".join(parts)


#: What long calls take: None shows a bar in terminals and notebooks, True shows it anywhere,
#: False shows nothing, and a function is called now and then; what it raises ends the call.
ProgressLike = Union[None, bool, Callable[[Progress], Any]]


def _share_done(progress: Progress) -> float:
    """Of the whole call; of the stage where nobody knows that."""
    return progress.done if math.isnan(progress.call_done) else progress.call_done


class TerminalBar:
    """A line that is written over itself, and gone at the end."""

    WIDTH = 24

    def __init__(self) -> None:
        self._length = 0

    def show(self, progress: Progress) -> None:
        done = _share_done(progress)
        full = round(self.WIDTH * min(max(done, 0.0), 1.0))
        bar = "#" * full + "." * (self.WIDTH - full)
        line = f"[{bar}] {100 * done:3.0f} %  {progress}"
        self._write(line[: shutil.get_terminal_size().columns - 1])

    def close(self) -> None:
        self._write("")
        sys.stderr.write("\r")
        sys.stderr.flush()

    def _write(self, line: str) -> None:
        sys.stderr.write("\r" + line.ljust(self._length))
        sys.stderr.flush()
        self._length = len(line)


class NotebookBar:
    """The same in the output of a cell; nothing where the call is over before it shows."""

    def __init__(self) -> None:
        self._display: Any = None

    def show(self, progress: Progress) -> None:
        done = _share_done(progress)
        line = f"{100 * done:.0f} %  {progress}"
        bar = f'<progress value="{done:.3f}" max="1"></progress>'
        self._write(f"{bar} {html.escape(line)}", line)

    def close(self) -> None:
        if self._display is not None:
            self._write("", "")

    def _write(self, as_html: str, as_text: str) -> None:
        from IPython import display

        bundle = {"text/html": as_html, "text/plain": as_text}
        if self._display is None:
            show: Any = display.display
            self._display = show(bundle, raw=True, display_id=True)
        else:
            self._display.update(bundle, raw=True)


def _in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return type(shell).__name__ == "ZMQInteractiveShell"


def _bar(wanted: ProgressLike) -> Any:
    """What shows progress; None where nothing does."""
    if callable(wanted) or wanted is False:
        return None
    if _in_notebook():
        return NotebookBar()
    return TerminalBar() if wanted or sys.stderr.isatty() else None


class Watch:
    """Stands by a long call: shows how far it is, and ends it at Ctrl-C.

    The library calls back on the thread that called it. Python would raise KeyboardInterrupt at
    the first instruction of the callback, where ctypes drops it; so a handler of our own takes
    note of the signal, and the exception comes when the call has returned.
    """

    SECONDS_BETWEEN = 0.1
    SECONDS_BETWEEN_LINES = 1.0  # of the log

    def __init__(self, wanted: ProgressLike) -> None:
        self._function = wanted if callable(wanted) else None
        self._bar = _bar(wanted)
        self._shown = self._logged = 0.0
        self._call = self._stage = ""
        self._cancelled = False
        self._interrupted = False
        self._error: Optional[BaseException] = None
        self.callback = _c.equant_progress(self._hear)

    def create(self, create: Any, free: Any, *arguments: Any) -> Handle:
        """Makes an object of the library by a call that may take long."""
        previous = self._catch_signals()
        begun, self._call = time.monotonic(), getattr(create, "__name__", "")
        try:
            handle = Handle(create, free, *arguments)
            if not self._interrupted:
                logger.info("%s took %.2f s", self._call, time.monotonic() - begun)
                return handle
        except Cancelled:
            logger.info("%s was cancelled", self._call)
            if self._error is not None:
                raise self._error from None
            if not self._interrupted:
                raise
        finally:
            if self._bar is not None:
                self._bar.close()
            self._release_signals(previous)
        raise KeyboardInterrupt

    def _catch_signals(self) -> Any:
        """The handler that was there; None where this thread does not get signals."""
        if threading.current_thread() is not threading.main_thread():
            return None
        previous = signal.getsignal(signal.SIGINT)
        if callable(previous):
            signal.signal(signal.SIGINT, self._note)
            return previous
        return None

    def _note(self, number: int, frame: Any) -> None:
        self._interrupted = True

    def _release_signals(self, previous: Any) -> None:
        """Hands the signal on to the handler that would have got it."""
        if previous is not None:
            signal.signal(signal.SIGINT, previous)
            if self._interrupted:
                previous(signal.SIGINT, None)

    def _log(self, progress: Progress) -> None:
        """A line for each stage; and at DEBUG one a second."""
        if progress.stage != self._stage:
            self._stage = progress.stage
            logger.info("%s: %s", self._call, progress.stage)
        elif time.monotonic() - self._logged > self.SECONDS_BETWEEN_LINES:
            self._logged = time.monotonic()
            logger.debug("%s: %.0f %%  %s", self._call, 100 * _share_done(progress), progress)

    def _hear(self, report: Any, context: Any) -> int:
        """What the library gets: something else than 0 to stop."""
        try:
            if logger.isEnabledFor(logging.INFO):
                self._log(record(Progress, report.contents))
            if self._function is not None:
                self._cancelled = self._function(record(Progress, report.contents)) is True
            elif self._bar is not None and time.monotonic() - self._shown > self.SECONDS_BETWEEN:
                self._shown = time.monotonic()
                self._bar.show(record(Progress, report.contents))
        except BaseException as error:  # whatever it is, it may not cross C
            self._error = error
        return int(self._cancelled or self._interrupted or self._error is not None)
