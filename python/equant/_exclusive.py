"""Objects that one thread at a time may be in, and what becomes of them in a forked process."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

from ._memory import Handle


class Exclusive:
    """Has a lock, and an object of the library behind it.

    A forked process has the thread that forked and no other. Where another one was inside an
    object at that moment, its lock is never released and its memory is half written. So such an
    object gets a new lock and a new object of the library, when it is first used there.
    """

    _handle: Handle
    _lock: Any

    def _guard(self) -> None:
        """To be called once the object can be used."""
        self._lock = threading.Lock()
        _GUARDED.add(self)

    def _renew(self) -> None:
        """Makes the object of the library anew."""
        raise NotImplementedError


class _Renewal:
    """Stands for a lock that nobody will release: renews the object, then locks it."""

    def __init__(self, owner: Exclusive) -> None:
        self._owner = weakref.ref(owner)
        self._first = threading.Lock()

    def __enter__(self) -> None:
        owner = self._owner()
        assert owner is not None  # it is being used
        with self._first:
            if owner._lock is self:
                owner._handle.pointer = None  # whatever was begun there stays as it is
                owner._renew()
                owner._lock = threading.Lock()
        self._taken = owner._lock
        self._taken.acquire()

    def __exit__(self, *exception: Any) -> None:
        self._taken.release()

    def acquire(self, blocking: bool) -> bool:
        """For a process that is forked before the renewal."""
        return False


_GUARDED: weakref.WeakSet[Exclusive] = weakref.WeakSet()


def _after_fork_in_child() -> None:
    for owner in list(_GUARDED):
        # A lock does not say that it is locked while its next owner waits for the interpreter.
        if owner._lock.acquire(False):
            owner._lock.release()
        else:
            owner._lock = _Renewal(owner)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)
