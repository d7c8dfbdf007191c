"""Processes that are forked while other threads compute."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import equant
from equant._exclusive import _Renewal

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")

SECONDS = 60


def in_a_child(function):
    """What a function that is called in a forked process says; fails where it hangs."""
    pid = os.fork()
    if pid == 0:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        try:
            os._exit(0 if function() else 3)
        finally:
            os._exit(4)
    return os.waitpid(pid, 0)[1]


@pytest.fixture
def storm():
    """Runs functions over and over, each in a thread of its own, until the test ends."""
    over = threading.Event()
    threads = []

    def begin(*functions):
        for function in functions:
            thread = threading.Thread(target=lambda f=function: _repeat(f, over))
            threads.append(thread)
            thread.start()

    yield begin
    over.set()
    for thread in threads:
        thread.join()


def _repeat(function, over):
    while not over.is_set():
        function()


def occupy(evaluator, storm):
    """Returns while another thread is inside the evaluator, where it stays for long."""
    inside = threading.Event()

    def stay():
        with evaluator._lock:
            inside.set()
            time.sleep(0.5)

    storm(stay)
    inside.wait()


def test_forks_in_a_storm(data, storm):
    evaluator = equant.Evaluator(data, n_planets=2, engine=equant.Engine(n_threads=2))
    target = equant.Target(data, 1)
    sets, points = equant.orbits_draw(500, 2, seed=1), target.draw(200)
    chi_square, density = evaluator.chi_square(sets), target(points)
    storm(
        lambda: evaluator.chi_square(sets),
        lambda: evaluator.chi_square(sets[0]),
        lambda: target(points),
        lambda: equant.search(data, period_min_days=1000.0, progress=False),
    )

    def same():
        return np.array_equal(evaluator.chi_square(sets), chi_square) and np.array_equal(
            target(points), density
        )

    assert [in_a_child(same) for _ in range(20)] == [0] * 20


def test_the_evaluator_of_a_vanished_thread_is_made_anew(data, storm):
    evaluator = equant.Evaluator(data, n_planets=1)
    orbit = np.array([1198.5, 7.35, 0.07, 2.86, 3.23])
    expected = evaluator.chi_square(orbit)
    occupy(evaluator, storm)

    def renewed():
        was_held = isinstance(evaluator._lock, _Renewal)
        # A grandchild that is forked before the first use finds it held as well.
        child = in_a_child(lambda: evaluator.chi_square(orbit) == expected)
        again = evaluator.chi_square(orbit) == expected
        return was_held and child == 0 and again and not isinstance(evaluator._lock, _Renewal)

    assert in_a_child(renewed) == 0
    assert evaluator.chi_square(orbit) == expected


def test_an_engine_that_fails_in_the_child_says_so(data, storm):
    evaluator = equant.Evaluator(data, n_planets=1)
    occupy(evaluator, storm)

    def complains():
        evaluator.engine = equant.Engine(backend="nowhere")
        for _ in range(2):
            try:
                evaluator.chi_square([1198.5, 7.35, 0.07, 2.86, 3.23])
                return False
            except equant.Error:
                pass
        return True

    assert in_a_child(complains) == 0
