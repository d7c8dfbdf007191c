"""Sphinx extension: links from a page to a file or folder of the repository.

Where a repository is shown on the web, such a link opens the file. Here the file becomes a page
of the site too, its text highlighted, and a folder becomes a list of what is in it.
"""

import html
import pathlib

from docutils import nodes
from pygments.lexers import TextLexer, get_lexer_for_filename, guess_lexer
from pygments.util import ClassNotFound
from sphinx.addnodes import download_reference, pending_xref
from sphinx.highlighting import PygmentsBridge

FOLDER = "source"  # of the site
LINKED = "linked sources"  # in the metadata of a page, which are forgotten together with it


def page_name(path):
    return f"{FOLDER}/{path.as_posix()}"


def path_of_link(app, page, link):
    """The path in the repository that a link means, or None when it means a page."""
    root = pathlib.Path(app.srcdir).resolve()
    target = link["reftarget"]
    if link.get("refdomain") == "doc":  # a page, as its name looks; but is there one?
        if target in app.env.found_docs:
            return None
        candidates = [root / (target + suffix) for suffix in app.config.source_suffix]
    else:
        candidates = [(root / page).parent / target]
    for path in candidates:
        path = path.resolve()
        if path.exists() and path.is_relative_to(root):
            return path.relative_to(root)
    return None


def find_links(app, doctree):
    page = app.env.docname
    links = [*doctree.findall(download_reference), *doctree.findall(pending_xref)]
    for link in links:
        path = path_of_link(app, page, link) if link.get("reftype") == "myst" else None
        if path is None:
            continue
        app.env.metadata[page].setdefault(LINKED, set()).add(path)
        uri = app.builder.get_relative_uri(page, page_name(path))
        link.replace_self(nodes.reference("", "", *link.children, refuri=uri))


def lexer_name(path, text):
    try:
        lexer = get_lexer_for_filename(path.name)
    except ClassNotFound:
        lexer = guess_lexer(text) if text.startswith("#!") else TextLexer()
    return lexer.aliases[0]


def file_body(path):
    text = path.read_text(encoding="utf-8")
    code = PygmentsBridge("html").highlight_block(text, lexer_name(path, text))
    return f'<div class="highlight-default notranslate">{code}</div>'


def folder_body(path):
    lines = []
    for entry in entries(path):
        name = html.escape(entry.name)
        if entry.is_dir():
            lines.append(f"<li>{name}/</li>")
        else:
            lines.append(f'<li><a href="{html.escape(path.name)}/{name}.html">{name}</a></li>')
    return f"<ul>{''.join(lines)}</ul>"


def entries(folder):
    """What is in a folder, but for what tools leave there."""
    return sorted(path for path in folder.iterdir() if not path.name.startswith((".", "__")))


def shown_paths(app, root):
    """What pages link to, and the files of folders among it."""
    linked = set().union(*(data.get(LINKED, ()) for data in app.env.metadata.values()))
    for path in [root / path for path in linked]:
        yield path
        if path.is_dir():
            yield from (entry for entry in entries(path) if entry.is_file())


def source_pages(app):
    root = pathlib.Path(app.srcdir).resolve()
    for path in sorted(set(shown_paths(app, root))):
        name = path.relative_to(root)
        title = html.escape(name.as_posix())
        body = folder_body(path) if path.is_dir() else file_body(path)
        context = {"title": title, "body": f"<h1>{title}</h1>{body}", "display_toc": False}
        yield page_name(name), context, "page.html"


def setup(app):
    # Before Sphinx collects the files that are to be downloaded.
    app.connect("doctree-read", find_links, priority=100)
    app.connect("html-collect-pages", source_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
