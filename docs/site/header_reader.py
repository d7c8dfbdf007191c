"""Reads C headers whose comments are prose, as include/equant.h and its parts are, keeping both.

The rules are those by which the headers are written: the first one is a manual that includes the
others, each of which opens with a title; a banner begins a section, a comment belongs
to the declarations below it down to the next comment or empty line, and what stands behind a
declaration, a member or an enumerator on its line describes that alone. Whatever follows no rule
is an error, so that nothing can be lost from the reference in silence.
"""

import re
from dataclasses import dataclass, field

BANNER = re.compile(r"/\* -+ \*/\n/\* (.*?) +\*/\n")
OPENING = re.compile(r"/\*.*?\*/", re.S)
TITLE = re.compile(r"(equant/\w+\.h): ([^.]*)\.\s*(.*)", re.S)
INCLUDE = re.compile(r'^#include "(equant/\w+\.h)"', re.M)
TOKEN = re.compile(
    r"(?P<comment>/\*.*?\*/)"
    r"|(?P<declaration>typedef (?:enum|struct) \w+ \{.*?^\} \w+;|[^;{}/\#]+;)"
    r"|(?P<macro>\#define \w+ (?:[\w.]+|\"[^\"\n]*\"))"
    r"|(?P<blank>\n[ \t]*\n)"
    r"|[ \t\n]+",
    re.S | re.M,
)
COMPOUND = re.compile(r"typedef (enum|struct) (\w+) \{(.*)\} \w+;", re.S)
ENUMERATOR = re.compile(r"\s*(\w+ = \w+),?[ \t]*(/\*.*?\*/)?\s*", re.S)
MEMBER = re.compile(r"\s*([^;/]+);[ \t]*(/\*.*?\*/)?\s*", re.S)
LINE_OF_COMMENT = re.compile(r"\s*(/\*.*?\*/)\s*", re.S)  # before the member that it is about


@dataclass
class Part:
    """A member or an enumerator, with what is said of it."""

    declarators: list
    remark: str


@dataclass
class Declaration:
    """One declaration: its kind, its name, and its text on one line."""

    kind: str  # function, struct, enum, callback or macro
    name: str
    text: str
    parts: list = field(default_factory=list)
    remark: str = ""


@dataclass
class Item:
    """A comment and the declarations that it is about; either may be missing."""

    comment: str = ""
    declarations: list = field(default_factory=list)


@dataclass
class Section:
    """What stands below a banner; the title is empty before the first one."""

    title: str
    items: list


@dataclass
class Header:
    """One part of the manual: `equant/data.h`, what it is about, and what it declares."""

    name: str
    title: str
    prose: str
    sections: list


def comment_text(comment):
    """What a comment says, without its stars. Relative indents of later lines are kept."""
    lines = comment[2:-2].strip().splitlines()
    if not all(line.startswith(" *") for line in lines[1:]):  # behind a member: one paragraph
        return " ".join(line.strip() for line in lines)
    return "\n".join([lines[0]] + [line[3:].rstrip() for line in lines[1:]])


def optional_text(comment):
    return comment_text(comment) if comment else ""


def declarators(text):
    """`const char *name, *unit` as two declarations: each name gets an anchor of its own."""
    first, *others = [" ".join(part.split()) for part in text.split(",")]
    base = re.match(r"(?:const )?\w+", first)[0]
    return [first] + [f"{base} {other}" for other in others]


def parts_of(body, pattern, separate):
    """The parts between the braces of an enum or a struct."""
    parts, position = [], 0
    while position < len(body):
        before = LINE_OF_COMMENT.match(body, position)
        found = pattern.match(body, before.end() if before else position)
        if not found:
            raise ValueError(f"cannot read this part of a header: {body[position:].strip()!r}")
        remark = found[2] or (before[1] if before else None)
        parts.append(Part(separate(found[1]), optional_text(remark)))
        position = found.end()
    return parts


def read_declaration(text):
    text = text.strip()
    compound = COMPOUND.fullmatch(text)
    if compound:
        kind, name, body = compound.groups()
        if kind == "enum":
            return Declaration(kind, name, name, parts_of(body.strip(), ENUMERATOR, lambda t: [t]))
        return Declaration(kind, name, name, parts_of(body.strip(), MEMBER, declarators))
    line = " ".join(text.rstrip(";").replace("EQUANT_API", "").split())
    is_experimental = "EQUANT_EXPERIMENTAL " in line
    line = line.replace("EQUANT_EXPERIMENTAL ", "")
    for kind, pattern in (
        ("struct", r"typedef struct (\w+) \1"),
        ("callback", r"typedef [\w ]+\(\*(\w+)\)\(.*\)"),
        ("function", r"[^()]*?(\w+)\(.*\)"),
    ):
        found = re.fullmatch(pattern, line)
        if found:
            shown = found[1] if kind == "struct" else line.replace("typedef ", "")
            remark = "Experimental." if is_experimental else ""
            return Declaration(kind, found[1], shown, remark=remark)
    raise ValueError(f"cannot read this declaration of a header: {line!r}")


def read_items(text):
    """Comments and declarations in their order, joined to items."""
    items, current, position = [], None, 0
    while position < len(text):
        token = TOKEN.match(text, position)
        if not token:
            raise ValueError(f"cannot read a header from here on: {text[position:][:60]!r}")
        line_so_far = text[text.rfind("\n", 0, position) + 1 : position]
        position = token.end()
        if token["blank"]:
            current = None
        elif token["comment"] and line_so_far.strip():
            current.declarations[-1].remark = comment_text(token["comment"])
        elif token["comment"]:
            current = Item(comment_text(token["comment"]))
            items.append(current)
        elif token["declaration"]:
            if current is None:
                current = Item()
                items.append(current)
            current.declarations.append(read_declaration(token["declaration"]))
        elif token["macro"]:
            if current is None:
                current = Item()
                items.append(current)
            name = token["macro"].split()[1]
            current.declarations.append(Declaration("macro", name, name))
    return items


def read_part(text):
    """One of the headers that the manual includes."""
    opening = OPENING.match(text)
    found = TITLE.fullmatch(comment_text(opening[0]))
    if not found:
        raise ValueError(f"a header opens with its name and a title, not {opening[0][:60]!r}")
    begin = text.index('extern "C" {\n#endif\n') + len('extern "C" {\n#endif\n')
    body = text[begin : text.rindex("#ifdef __cplusplus")]
    banners = list(BANNER.finditer(body))
    begins = [0, *(banner.end() for banner in banners)]
    ends = [*(banner.start() for banner in banners), len(body)]
    titles = ["", *(banner[1] for banner in banners)]
    sections = [
        Section(title, read_items(body[begin:end]))
        for title, begin, end in zip(titles, begins, ends)
    ]
    name, title, prose = found.groups()
    title = title[0].upper() + title[1:]
    return Header(name, title, prose, [section for section in sections if section.items])


def parts_of_manual(path):
    """The files that the manual includes, in its order."""
    return [path.parent / name for name in INCLUDE.findall(path.read_text(encoding="utf-8"))]


def read_manual(path):
    """The opening comment of the manual, its macros, and the headers that it includes."""
    text = path.read_text(encoding="utf-8")
    opening = comment_text(OPENING.match(text)[0])
    macros = re.findall(r"^#define (EQUANT_VERSION_\w+)", text, re.M)
    parts = [read_part(part.read_text(encoding="utf-8")) for part in parts_of_manual(path)]
    return opening, macros, parts
