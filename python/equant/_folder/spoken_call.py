"""A call in words, for those who want to repeat it."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Mapping

#: Arguments that change nothing about a result.
_SILENT = ("progress", "path", "checkpoint_seconds", "force")


def spoken_call(function: Callable[..., Any], values: Mapping[str, Any]) -> str:
    """The call with those arguments that differ from their defaults.

    >>> def look(data, n_planets=None, *, known=None, seed=0): ...
    >>> spoken_call(look, {"data": object(), "n_planets": 2, "known": [[1.0]], "seed": 0})
    'equant.look(data, 2, known=...)'
    """
    words = []
    for name, parameter in inspect.signature(function).parameters.items():
        value = values[name]
        if parameter.default is parameter.empty:
            words.append(name)
        elif name not in _SILENT and value is not parameter.default:
            plain = isinstance(value, (bool, int, float, str))
            if plain and value == parameter.default:
                continue
            text = repr(value) if plain else "..."  # such as an array, which compares by element
            is_named = parameter.kind is parameter.KEYWORD_ONLY
            words.append(f"{name}={text}" if is_named else text)
    return f"equant.{function.__name__}({', '.join(words)})"
