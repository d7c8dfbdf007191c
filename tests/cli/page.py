"""Judges a page of `equant report`: page.py FILE FIGURE... fails unless the page is well-formed,
needs nothing but itself, and has exactly these figures, each with something drawn in it."""

import html.parser
import math
import re
import sys

VOID = {"meta", "link", "path", "rect", "br", "hr", "img"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.anchors, self.figures, self.faults = [], set(), set(), {}, []
        self.figure = None
        self.text = []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.faults.append(f"two elements are called {attributes['id']}")
            self.ids.add(attributes["id"])
        if tag == "figure":
            self.figure = attributes.get("id")
            self.figures[self.figure] = 0
        if tag == "svg" and self.open.count("svg") == 1 and self.figure:
            if not attributes.get("aria-label"):
                self.faults.append(f"{self.figure} has no label")
        if tag == "path" and self.figure:
            self.figures[self.figure] += len(attributes.get("d", ""))
        self.check_outline(tag, attributes)
        self.check_links(tag, attributes)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes what is not open")
        if tag == "figure":
            self.figure = None

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)

    def check_outline(self, tag, attributes):
        if re.search(r"nan|inf", attributes.get("d", "")):
            self.faults.append(f"a path of {self.figure} leads to nowhere")
        for name in ("x", "y", "width", "height"):
            if tag in ("rect", "text", "svg") and name in attributes:
                if not math.isfinite(float(attributes[name])):
                    self.faults.append(f"<{tag}> has {name} {attributes[name]}")

    def check_links(self, tag, attributes):
        target = attributes.get("href", "")
        if target.startswith("#"):
            self.anchors.add(target[1:])
        elif tag != "a" and target and not target.startswith("data:"):
            self.faults.append(f"<{tag}> wants {target}")
        if "src" in attributes or tag in ("script", "img", "iframe", "object"):
            self.faults.append(f"<{tag}> is not allowed")


source = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(source)
page.close()
wanted = set(sys.argv[2:])
if page.open:
    page.faults.append(f"left open: {page.open}")
if re.search(r"@import|url\(", source):
    page.faults.append("the style sheet wants another file")
page.faults += [f"#{name} leads nowhere" for name in page.anchors - page.ids]
page.faults += [f"no {name}" for name in wanted - set(page.figures)]
page.faults += [f"unexpected {name}" for name in set(page.figures) - wanted]
page.faults += [f"{name} is empty" for name, size in page.figures.items() if size < 200]
if re.search(r"\b(nan|inf)\b", " ".join(page.text)):
    page.faults.append("a number is nan or inf")
for fault in page.faults:
    print(f"    {sys.argv[1]}: {fault}")
sys.exit(bool(page.faults))
