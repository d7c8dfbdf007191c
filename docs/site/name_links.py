"""Sphinx extension: a name of the API that a page sets as code becomes a link to its reference."""

from docutils import nodes
from sphinx.util.nodes import make_refnode

DOMAINS = ("c", "py")


def anchors(env):
    """Where each name of the reference stands.

    An enumerator is known without its enum, and a method without the package before its class.
    """
    places = {}
    for domain in DOMAINS:
        for name, _, kind, page, anchor, _ in env.get_domain(domain).get_objects():
            if kind != "module":  # `equant` is also the command, and the whole of it
                places[name] = page, anchor
            if kind == "enumerator":
                places[name.rpartition(".")[2]] = page, anchor
            if kind in ("method", "property", "attribute"):
                places[name.removeprefix("equant.")] = page, anchor
    return places


def link_names(app, doctree, page):
    known = anchors(app.env)
    for literal in list(doctree.findall(nodes.literal)):
        target = known.get(literal.astext().removesuffix("()"))
        if target is None or isinstance(literal.parent, (nodes.reference, nodes.title)):
            continue
        reference = make_refnode(app.builder, page, *target, [literal.deepcopy()])
        literal.replace_self(reference)


def setup(app):
    app.connect("doctree-resolved", link_names)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
