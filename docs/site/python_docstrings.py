"""Sphinx extension: the docstrings of the package, in NumPy's style, as autodoc takes them."""

from sphinx.ext.napoleon import Config, NumpyDocstring

STYLE = Config(napoleon_use_rtype=False)
WITH_SECTIONS = ("class", "exception", "function", "method")


def read_sections(app, what, name, obj, options, lines):
    """Attributes have sentences only, whose colons are no syntax."""
    if what in WITH_SECTIONS:
        lines[:] = NumpyDocstring(lines, STYLE, app, what, name, obj, options).lines()


def hide_handles(app, what, name, obj, options, signature, return_annotation):
    """Objects that wrap a handle of the library are results: nobody calls their class."""
    private = ("_memory.Handle", "fit_contents.FitContents")
    if what == "class" and signature and any(name in signature for name in private):
        return "", return_annotation
    return None


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", read_sections)
    app.connect("autodoc-process-signature", hide_handles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
