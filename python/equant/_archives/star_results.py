"""What a call of the library over many stars gives for each of them: a result, or a reason."""

from __future__ import annotations

import ctypes
from typing import Any

from ..data import Data, data_pointer
from ..errors import Error, call


def reason(data: Data, chosen: Any, create: Any, free: Any) -> Error:
    """Why a star has none: the sentence was said on another thread, and is asked for again."""
    place = ctypes.c_void_p()
    try:
        call(create, data_pointer(data), chosen, ctypes.byref(place))
    except Error as error:
        return error
    free(place)
    return Error("it failed once, and not again")
