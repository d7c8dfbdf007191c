#!/usr/bin/env bash
# Keeps the pages true. Every piece of C on them is a piece of a program in
# examples/, which the tests compile and run; every link leads somewhere.
set -euo pipefail
cd "$EQUANT_SOURCE"

python3 - ./*.md docs/*.md docs/decisions/*.md <<'PYTHON'
import pathlib
import re
import sys


def lines_without_indent(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


def contains(program, piece):
    return any(program[i:i + len(piece)] == piece for i in range(len(program)))


programs = [lines_without_indent(path.read_text())
            for path in pathlib.Path("examples").glob("*.c")]


def wrong_pieces(page):
    for block in re.findall(r"^```c\n(.*?)^```", page.read_text(), re.M | re.S):
        if not any(contains(program, lines_without_indent(block)) for program in programs):
            yield f"this code is not in examples/:\n{block}"


def broken_links(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target and not (page.parent / target).exists():
            yield f"this link leads nowhere: {target}"


pages = [pathlib.Path(name) for name in sys.argv[1:]]
faults = 0
for page in pages:
    for fault in [*wrong_pieces(page), *broken_links(page)]:
        print(f"{page}: {fault}")
        faults += 1
print(f"{len(pages)} pages checked, {faults} faults")
sys.exit(faults > 0)
PYTHON
