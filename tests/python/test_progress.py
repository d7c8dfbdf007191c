"""Long calls: callbacks, bars, Ctrl-C, and other threads meanwhile."""

import logging
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import equant
from equant.progress import TerminalBar


@pytest.fixture(scope="module")
def data():
    """Few observations, so that calls are short."""
    times = 200.0 * equant.random_uniform(1, 40)
    noise = equant.random_normal(1, 40)
    return equant.Data.from_arrays(times, noise + 10 * np.sin(times / 5), 1.0)


def test_functions_hear_of_progress(data):
    heard = []
    equant.search(data, progress=heard.append)
    assert heard and all(isinstance(item, equant.Progress) for item in heard)
    assert all(0 <= item.done <= 1 and item.stage for item in heard)


def test_functions_can_cancel(data):
    with pytest.raises(equant.Cancelled):
        equant.search(data, progress=lambda progress: True)


def test_what_functions_raise_ends_the_call(data):
    def complain(progress):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError, match="enough"):
        equant.fit(data, progress=complain)


def test_the_sampler_tells_more(data):
    heard = []

    def listen(progress):
        heard.append(progress)
        return progress.step > 0

    with pytest.raises(equant.Cancelled):
        equant.sample(data, 1, start="prior", min_ess=1e9, progress=listen)
    assert heard[-1].step > 0 and heard[-1].steps_per_s > 0
    assert "step" in str(heard[-1])


def test_a_bar_is_gone_at_the_end(data, capsys):
    equant.search(data, progress=True)
    shown = capsys.readouterr().err
    assert "%" in shown and shown.endswith("\r")
    equant.search(data, period_min_days=100.0)
    assert capsys.readouterr().err == ""  # not a terminal


def test_a_shorter_line_covers_a_longer_one(capsys):
    bar = TerminalBar()
    bar.show(equant.Progress("a long stage", 0.5))
    bar.show(equant.Progress("short", 0.75))
    first, second = capsys.readouterr().err.split("\r")[1:3]
    assert len(first) == len(second) and " 75 %" in second


def test_the_bar_of_a_fit_is_that_of_all_of_it(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    bar = TerminalBar()
    late = equant.Progress("searching for planet 2", 0.0, call_done=0.4, seconds_left=12.0)
    bar.show(late)
    bar.show(equant.Progress("s" * 100, 0.5))
    first, second = capsys.readouterr().err.split("\r")[1:3]
    assert " 40 %" in first and "about 12 s left" in str(late)
    assert len(second) < 60


# Where tests run in the background, children are born deaf to SIGINT: the script listens again.
INTERRUPTED = """
import signal, sys, equant
signal.signal(signal.SIGINT, signal.default_int_handler)
def told(progress):
    print("working", flush=True)
{handler}
try:
    equant.sample(
        equant.Data.demonstration(), 1, start="prior", min_ess=1e9, max_rhat=1.0001, progress=told
    )
except KeyboardInterrupt:
    assert signal.getsignal(signal.SIGINT) is before
    sys.exit(42)
"""


@pytest.mark.parametrize(
    "handler",
    [
        "before = signal.getsignal(signal.SIGINT)",
        "before = lambda *_: None\nsignal.signal(signal.SIGINT, before)",
    ],
)
def test_control_c_is_an_exception(handler):
    script = INTERRUPTED.format(handler=handler)
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert child.stdout.readline() == "working\n"
    child.send_signal(signal.SIGINT)
    child.stdout.read()
    assert child.wait(60) == 42


def test_other_threads_run_meanwhile(data):
    done = threading.Event()

    def work():
        equant.search(data, progress=False)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    ticks = 0
    while not done.is_set():
        time.sleep(0.001)
        ticks += 1
    thread.join()
    assert ticks > 10


def test_long_calls_say_in_the_log_what_they_do(data, caplog):
    with caplog.at_level(logging.INFO, logger="equant"):
        equant.fit(data, 1, progress=False)
    lines = [record.getMessage() for record in caplog.records if record.name == "equant"]
    assert lines[0].startswith("equant_fit_star: ") and " took " in lines[-1]
    caplog.clear()
    equant.fit(data, 1, progress=False)  # silent unless asked for
    assert not caplog.records
