"""Sphinx extension: the navigation beside a page, from titles alone.

The theme asks for the titles of all pages, anew for each page. Sphinx copies every heading and every
name of the references for that and drops all but the titles, which took half of the time that the
site takes. Here the others are dropped once, and what is copied is what is shown.
"""

from sphinx.addnodes import toctree


def titles_of(contents):
    """The contents of a page, of which the title and the pages below it are left."""
    titles = contents.deepcopy()
    for entry in titles.children:
        if len(entry) > 1:
            if below := list(entry.findall(toctree)):
                entry[1][:] = below
            else:
                entry.pop(1)
    return titles


class TitleNavigation:
    """What pages ask for their navigation."""

    def __init__(self):
        self.titles = None  # of all pages, from the first page that is written on

    def attach(self, app, page, template, context, doctree):
        navigation = context.get("toctree")

        def from_titles(**options):
            whole = app.env.tocs
            if options.get("titles_only"):
                self.titles = self.titles or {name: titles_of(toc) for name, toc in whole.items()}
                app.env.tocs = self.titles
            try:
                return navigation(**options)
            finally:
                app.env.tocs = whole

        if navigation is not None:
            context["toctree"] = from_titles


def setup(app):
    app.connect("html-page-context", TitleNavigation().attach, priority=100)  # before the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}
