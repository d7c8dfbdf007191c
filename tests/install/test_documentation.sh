#!/usr/bin/env bash
# Keeps the pages true. Every piece of C on them, and of Python on that about samplers, is a piece
# of a program in examples/, which the tests run; every link leads somewhere.
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


programs = {language: [lines_without_indent(path.read_text())
                       for path in pathlib.Path("examples").glob(pattern)]
            for language, pattern in {"c": "*.c", "python": "python/*.py"}.items()}


def wrong_pieces(page):
    languages = "c|python" if page.name == "samplers.md" else "c"
    blocks = re.findall(rf"^```({languages})\n(.*?)^```", page.read_text(), re.M | re.S)
    for language, block in blocks:
        piece = lines_without_indent(block)
        if not any(contains(program, piece) for program in programs[language]):
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
