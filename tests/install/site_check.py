"""Walks over a built site: links, anchors, foreign resources, and the names of the reference.

Usage: site_check.py FOLDER_OF_THE_SITE FOLDER_OF_THE_HEADERS
"""

import html.parser
import pathlib
import re
import sys
import urllib.parse

import equant


class Page(html.parser.HTMLParser):
    """The anchors of a page, what it links to, and what a browser loads with it."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and "href" in values:
            self.loaded.append(values["href"])
        elif "src" in values:
            self.loaded.append(values["src"])


def local_target(page, link):
    """File and anchor that a link of a page means; None when it leads elsewhere."""
    parts = urllib.parse.urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = page if not parts.path else page.parent / urllib.parse.unquote(parts.path)
    return path.resolve(), urllib.parse.unquote(parts.fragment)


def faults_of_links(pages):
    for path, page in pages.items():
        for link in page.links + page.loaded:
            target = local_target(path, link)
            if target is None:
                if link in page.loaded and not link.startswith("data:"):
                    yield f"{path}: a browser would load {link} from the network"
            elif not target[0].is_file():
                yield f"{path}: this link leads nowhere: {link}"
            elif target[0] in pages and target[1] not in pages[target[0]].anchors:
                yield f"{path}: there is no such place on the page: {link}"


def faults_of_reference(pages, headers):
    anchors = set().union(*(page.anchors for page in pages.values()))
    functions = re.findall(r"^EQUANT_API .*?(equant_\w+)\(", headers, re.M | re.S)
    types = re.findall(r"^typedef (?:enum|struct) (\w+)", headers, re.M)
    for name in {*functions, *types}:
        if f"c.{name}" not in anchors:
            yield f"{name} is not in the C reference"
    for name in equant.__all__:
        if not {f"equant.{name}", f"module-equant.{name}"} & anchors:
            yield f"equant.{name} is not in the Python reference"


def main(folder, headers):
    folder = pathlib.Path(folder).resolve()
    pages = {path: Page(path) for path in folder.rglob("*.html")}
    paths = sorted(pathlib.Path(headers).rglob("*.h"))
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    faults = [*faults_of_links(pages), *faults_of_reference(pages, text)]
    print(*faults, f"{len(pages)} pages checked, {len(faults)} faults", sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
