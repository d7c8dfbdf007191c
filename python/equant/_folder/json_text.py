"""JSON as the command writes it: two blanks a level, numbers with 17 digits."""

from __future__ import annotations

import math
from typing import Any, Iterator


def number_text(value: float) -> str:
    """All digits of a number; 1 for one."""
    return f"{value:.17g}"


def json_text(value: Any) -> str:
    """A value with the end of its last line; what is no number is null."""
    return _text(value, "\n") + "\n"


def _text(value: Any, line: str) -> str:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number_text(value)
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, dict):
        members = [f"{_quoted(key)}: {_text(own, line + '  ')}" for key, own in value.items()]
        return _nest("{", members, "}", line)
    return _nest("[", [_text(own, line + "  ") for own in value], "]", line)


def _nest(begin: str, members: list[str], end: str, line: str) -> str:
    inner = line + "  "
    return begin + inner + f",{inner}".join(members) + line + end if members else begin + end


def _quoted(text: str) -> str:
    return '"' + "".join(_characters(text)) + '"'


def _characters(text: str) -> Iterator[str]:
    for character in text:
        if character in '"\\':
            yield "\\" + character
        elif character < " " or character == "\x7f":
            yield f"\\u{ord(character):04x}"
        else:
            yield character
