"""Every function of the C API with NULL for its pointers: it refuses, or has nothing to tell, and never
crashes. Functions and arguments are those of the headers, as make_declarations.py reads them."""

import ctypes
import math
import os
import signal

from equant import _c, _library

# EQUANT_ERROR_INVALID_ARGUMENT; _FORMAT of no bytes; _UNAVAILABLE without a GPU; or nothing
REFUSALS = (1, 4, 5, 0, b"\0")
# NULL stands for the usual basis; of no fit, probabilities are "none".
TAKES_NULL = {"equant_basis_word", "equant_fit_probabilities", "equant_sky_velocities_find"}
SECONDS = 60


def is_pointer(kind):
    return (kind in (ctypes.c_void_p, ctypes.c_char_p) or hasattr(kind, "contents")
            or issubclass(kind, ctypes._CFuncPtr))


def has_nothing(name, result, answer):
    """Whether an answer may be that of an object that is not there."""
    if result is None or name in TAKES_NULL:
        return True
    if result is ctypes.c_double:
        return math.isnan(answer)
    return not answer if is_pointer(result) else answer in REFUSALS


def call(name):
    result, kinds = _c.FUNCTIONS[name]
    function = getattr(_library.library, name)
    function.restype, function.argtypes = result, kinds
    return has_nothing(name, result, function(*[None if is_pointer(kind) else kind() for kind in kinds]))


def test_all_functions_take_null():
    names = [name for name, (_, kinds) in _c.FUNCTIONS.items() if any(map(is_pointer, kinds))]
    assert len(names) > 300
    reading, writing = os.pipe()
    child = os.fork()  # a crash is one of the child, which says where it is
    if child == 0:
        signal.alarm(SECONDS)
        for name in names:
            os.write(writing, f"{name}\n".encode())
            if not call(name):
                os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        last = told.read().split()[-1]
    assert os.waitpid(child, 0)[1] == 0, last
