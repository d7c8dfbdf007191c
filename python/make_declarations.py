#!/usr/bin/env python3
"""Writes equant/_c.py: the declarations of include/equant.h and its parts for ctypes.

    python3 python/make_declarations.py [HEADER [OUTPUT]]

Without arguments it reads the headers of this repository and writes beside the package, which is
what somebody needs who works on it in place. The build of the package runs the same program, so
that no declaration is ever typed twice. It understands the C that the headers are written in, and
stops with a sentence at anything else.
"""

from __future__ import annotations

import pathlib
import re
import sys
from dataclasses import dataclass, field

NUMBERS = {
    "char": "c_char",
    "int": "c_int",
    "size_t": "c_size_t",
    "int64_t": "c_int64",
    "uint32_t": "c_uint32",
    "uint64_t": "c_uint64",
    "double": "c_double",
}

PREAMBLE = '''"""The C API of include/equant.h under its own names.

Made by python/make_declarations.py: edit the header, not this file.
"""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char,
    c_char_p,
    c_double,
    c_int,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any

from ._library import bind
'''

# Functions are looked up when they are first asked for: importing stays quick, and a library
# that is older than the header serves for all that it has.
EPILOGUE = """

def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"include/equant.h has no {name}")
    globals()[name] = function = bind(name, *FUNCTIONS[name])
    return function
"""


@dataclass
class Header:
    """What a header declares, in its order."""

    version: str = ""
    numbers: dict[str, int] = field(default_factory=dict)  # macros such as EQUANT_N_ELEMENTS
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    opaque: list[str] = field(default_factory=list)
    structs: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    callbacks: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    functions: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    later: set[str] = field(default_factory=set)  # structs that are declared further down
    order: list[str] = field(default_factory=list)  # of structs and callbacks

    def base_type(self, name: str) -> str:
        """The ctypes name of a type that is not a pointer."""
        if name in NUMBERS:
            return NUMBERS[name]
        if name in self.enums:
            return "c_int"
        if name in self.structs or name in self.callbacks:
            return name
        raise SystemExit(f"equant.h: do not know the type '{name}'")

    def type_of(self, name: str, stars: int) -> str:
        """The ctypes name of a type with so many stars behind it.

        Numbers, enums, opaque objects, untyped memory and what is declared further down are
        addresses: integers, in both directions.
        """
        if stars == 0:
            return "None" if name == "void" else self.base_type(name)
        if stars > 1:
            return f"POINTER({self.type_of(name, stars - 1)})"
        if name == "char":
            return "c_char_p"
        if name in self.structs:
            return f"POINTER({name})"
        addresses = (NUMBERS, self.enums, self.opaque, self.later)
        if name == "void" or any(name in known for known in addresses):
            return "c_void_p"
        raise SystemExit(f"equant.h: do not know the type '{name}'")


def read_with_parts(path: pathlib.Path) -> str:
    """The text of a header behind that of the parts that it includes, in their order."""
    text = path.read_text(encoding="utf-8")
    parts = re.findall(r'^#include "(equant/\w+\.h)"', text, flags=re.M)
    return "\n".join([*((path.parent / part).read_text(encoding="utf-8") for part in parts), text])


def without_comments(text: str) -> str:
    """The header without comments, preprocessor lines, and the braces of extern "C"."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.S)
    text = text.replace("EQUANT_EXPERIMENTAL ", "").replace("EQUANT_EXPERIMENTAL\n", "\n")
    return re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)


def split_declarator(text: str) -> tuple[str, int, str, int]:
    """`const double *known` as ("double", 1, "known", 0); the last one is an array's length."""
    words = re.sub(r"\bconst\b", " ", text).replace("*", " * ").split()
    if words[0] == "struct":
        words = words[1:]
    stars = words.count("*")
    rest = [word for word in words[1:] if word != "*"]
    name = rest[0] if rest else ""
    length = re.fullmatch(r"(\w+)\[(\d+)\]", name)
    if length:
        return words[0], stars, length[1], int(length[2])
    return words[0], stars, name, 0


def parse_enum(body: str) -> dict[str, int]:
    values = {}
    for entry in filter(None, (part.strip() for part in body.split(","))):
        name, value = entry.split("=")
        values[name.strip()] = int(value)
    return values


def parse_members(header: Header, body: str) -> list[tuple[str, str]]:
    members = []
    for line in filter(None, (part.strip() for part in body.split(";"))):
        first, *others = line.split(",")
        base = re.sub(r"\bconst\b", " ", first).split()[0].rstrip("*")
        for declarator in [first, *(f"{base} {other}" for other in others)]:
            kind, stars, name, length = split_declarator(declarator)
            ctype = header.type_of(kind, stars)
            members.append((name, f"{ctype} * {length}" if length else ctype))
    return members


def parse_arguments(header: Header, text: str) -> list[str]:
    if text.strip() == "void":
        return []
    parts = (split_declarator(part) for part in text.split(","))
    # An array is passed as a pointer.
    return [header.type_of(kind, stars + (length > 0)) for kind, stars, _, length in parts]


DECLARATIONS = re.compile(
    r"typedef\s+enum\s+(?P<enum>\w+)\s*\{(?P<values>[^}]*)\}\s*\w+\s*;"
    r"|typedef\s+struct\s+(?P<opaque>\w+)\s+\w+\s*;"
    r"|typedef\s+struct\s+(?P<struct>\w+)\s*\{(?P<members>[^}]*)\}\s*\w+\s*;"
    r"|typedef\s+(?P<result>\w+)\s*\(\*(?P<callback>\w+)\)\s*\((?P<takes>[^)]*)\)\s*;"
    r"|EQUANT_API\s+(?P<returns>[\w\s*]*?)(?P<function>equant_\w+)\s*\((?P<arguments>[^)]*)\)\s*;"
)


def parse(text: str) -> Header:
    """All declarations of a header's text."""
    header = Header()
    header.version = re.search(r'#define EQUANT_VERSION_STRING "([^"]*)"', text)[1]
    macros = re.findall(r"^#define (EQUANT_(?!VERSION)\w+) (\d+)$", text, flags=re.M)
    macros += re.findall(r"^enum \{ (EQUANT_\w+) = (\d+) \};", text, flags=re.M)
    header.numbers = {name: int(value) for name, value in macros}
    code = without_comments(re.sub(r"^enum \{ EQUANT_\w+ = \d+ \};", "", text, flags=re.M))
    for name, value in header.numbers.items():
        code = code.replace(f"[{name}]", f"[{value}]")
    header.later = {found["struct"] for found in DECLARATIONS.finditer(code) if found["struct"]}
    for found in DECLARATIONS.finditer(code):
        if found["enum"]:
            header.enums[found["enum"]] = parse_enum(found["values"])
        elif found["opaque"]:
            header.opaque.append(found["opaque"])
        elif found["struct"]:
            header.later.discard(found["struct"])
            header.structs[found["struct"]] = parse_members(header, found["members"])
            header.order.append(found["struct"])
        elif found["callback"]:
            result = header.type_of(found["result"], 0)
            header.callbacks[found["callback"]] = (result, parse_arguments(header, found["takes"]))
            header.order.append(found["callback"])
        else:
            kind, stars, _, _ = split_declarator(found["returns"])
            arguments = parse_arguments(header, found["arguments"])
            header.functions[found["function"]] = (header.type_of(kind, stars), arguments)
    left = DECLARATIONS.sub("", code).split()
    if left:
        raise SystemExit(f"equant.h: do not understand '{' '.join(left[:12])}'")
    return header


def lines_of(header: Header):
    """The module, line by line."""
    yield PREAMBLE
    yield f'VERSION = "{header.version}"'
    yield from (f"{name} = {value}" for name, value in header.numbers.items())
    yield ""
    yield "ENUMS: dict[str, dict[str, int]] = {"
    for name, values in header.enums.items():
        yield f'    "{name}": {{'
        yield from (f'        "{key}": {value},' for key, value in values.items())
        yield "    },"
    yield "}"
    for values in header.enums.values():
        yield from (f"{key} = {value}" for key, value in values.items())
    for name in header.order:
        yield ""
        if name in header.callbacks:
            result, arguments = header.callbacks[name]
            yield f"{name} = CFUNCTYPE({', '.join([result, *arguments])})"
            continue
        yield ""
        yield f"class {name}(Structure):"
        yield "    _fields_ = ["
        yield from (f'        ("{key}", {ctype}),' for key, ctype in header.structs[name])
        yield "    ]"
        yield ""
    yield ""
    yield "FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {"
    for name, (result, arguments) in header.functions.items():
        yield f'    "{name}": ({result}, [{", ".join(arguments)}]),'
    yield "}"
    yield EPILOGUE


def main(arguments: list[str]) -> None:
    here = pathlib.Path(__file__).resolve().parent
    defaults = [here.parent / "include" / "equant.h", here / "equant" / "_c.py"]
    given = [pathlib.Path(argument) for argument in arguments]
    source, output = [*given, *defaults[len(given) :]]
    text = "\n".join(lines_of(parse(read_with_parts(source))))
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
