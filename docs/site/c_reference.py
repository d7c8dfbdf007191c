"""Sphinx extension: a C header with its parts as a page of the site, the reference of the C API.

The headers are read by header_reader and written as reStructuredText with the directives of
Sphinx's C domain, so that every name has an anchor and an entry in the index, and every type in a
signature is a link. Names in the comments become links as well.
"""

import pathlib
import re

from header_reader import parts_of_manual, read_manual
from sphinx.parsers import RSTParser

TITLE = "C reference"
WORD = re.compile(r"`[^`\n]+`|docs/[\w-]+\.md|\b[A-Za-z]\w*_\w+(?:\(\))?|[\\*_|<>:]")
CONTENTS_LINE = re.compile(r" *equant/(\w+)\.h {2,}(.+?) {2,}(.+)")
ROLES = {
    "function": "func",
    "struct": "struct",
    "enum": "enum",
    "callback": "type",
    "enumerator": "enumerator",
    "macro": "macro",
}
UNLISTED = ("macro", "member", "enumerator")  # too many for the contents beside the page


def indented(lines):
    return ["   " + line if line else "" for line in lines]


class HeaderPage:
    """The reStructuredText of the manual and its parts."""

    def __init__(self, path):
        self.opening, self.macros, self.headers = read_manual(path)
        self.kinds = dict(self.names())

    def declarations(self):
        for header in self.headers:
            for section in header.sections:
                for item in section.items:
                    yield from item.declarations

    def names(self):
        """All names that have an anchor of their own, with their kinds."""
        for declaration in self.declarations():
            yield declaration.name, declaration.kind
            if declaration.kind == "enum":
                for part in declaration.parts:
                    yield part.declarators[0].split()[0], "enumerator"

    def marked_up(self, match):
        word = match[0]
        name = word.removesuffix("()")
        if len(word) == 1:
            return "\\" + word
        if word.startswith("docs/"):
            markup = f":doc:`{word} </{word[:-3]}>`"
        elif name in self.kinds:
            markup = f":c:{ROLES[self.kinds[name]]}:`{name}`"
        else:
            markup = f"``{word.strip('`')}``"
        return f"\\ {markup}\\ "  # markup may touch whatever it stands between

    def prose(self, text):
        """A comment as paragraphs; lines with an indent of their own stay as they are."""
        lines, literal = [], False
        for line in text.splitlines():
            if line.startswith("  ") and not literal:
                lines += ["", "::", ""]
            if literal and line and not line.startswith("  "):
                lines.append("")
            literal = line.startswith("  ") or (literal and not line)
            lines.append("  " + line if literal else WORD.sub(self.marked_up, line))
        return lines

    def contents_or_prose(self, text):
        """The opening comment: as prose, its table of contents as links."""
        before, entries, after = [], {}, []
        for line in text.splitlines()[1:]:
            entry = CONTENTS_LINE.fullmatch(line)
            if entry:
                name, title, description = entry.groups()
                words = WORD.sub(self.marked_up, description)
                entries[f"equant/{name}.h"] = f"* :ref:`{title} <c-header-{name}>`: {words}"
            else:
                (after if entries else before).append(line)
        if set(entries) != {header.name for header in self.headers}:
            raise ValueError("the contents of equant.h do not list what it includes")
        lines = [*entries.values(), "", *self.prose("\n".join(after))]
        return [*self.prose("\n".join(before)), "", *lines]

    def directive(self, kind, signatures, content):
        name = {"callback": "type"}.get(kind, kind)
        first, *others = signatures
        # A signature with further ones is continued by the lines below it.
        lines = [f".. c:{name}:: {first}"] + [f"              {other}" for other in others]
        if kind in UNLISTED:
            lines.append("   :no-contents-entry:")
        return [*lines, "", *indented(content), ""]

    def parts(self, declaration):
        kind = "enumerator" if declaration.kind == "enum" else "member"
        for part in declaration.parts:
            yield from self.directive(kind, part.declarators, self.prose(part.remark))

    def item(self, item):
        """Functions of one comment share an entry; a type has its own."""
        comment, declarations = self.prose(item.comment), list(item.declarations)
        if not declarations:
            yield from [*comment, ""]
        while declarations:
            group = [declarations.pop(0)]
            if group[0].kind == "function":
                while declarations and declarations[0].kind == "function":
                    group.append(declarations.pop(0))
            remarks = [
                f"* ``{one.name}``: {WORD.sub(self.marked_up, one.remark)}"
                for one in group
                if one.remark
            ]
            content = [*comment, "", *remarks, "", *self.parts(group[0])]
            yield from self.directive(group[0].kind, [one.text for one in group], content)
            comment = []

    def lines(self):
        yield from [TITLE, "=" * len(TITLE), ""]
        yield from self.contents_or_prose(self.opening)
        yield from ["", "The version that a program was compiled with:", ""]
        yield from self.directive("macro", self.macros, [])
        for header in self.headers:
            yield from self.part(header)

    def part(self, header):
        label = header.name.removeprefix("equant/").removesuffix(".h")
        yield from [f".. _c-header-{label}:", "", header.title, "-" * len(header.title), ""]
        yield from [f"``#include <{header.name}>``", "", *self.prose(header.prose), ""]
        for section in header.sections:
            if section.title:
                yield from [section.title, "~" * len(section.title), ""]
            for item in section.items:
                yield from self.item(item)


class HeaderParser(RSTParser):
    """Lets a header be a source file of the site, as a Markdown page is."""

    supported = ("c-header",)

    def parse(self, inputstring, document):
        path = pathlib.Path(document["source"])
        document.settings.record_dependencies.add(*map(str, parts_of_manual(path)))
        super().parse("\n".join(HeaderPage(path).lines()), document)


def setup(app):
    app.add_source_suffix(".h", "c-header")
    app.add_source_parser(HeaderParser)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
