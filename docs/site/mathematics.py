"""Sphinx extension: formulas as pictures within the page (SVG), drawn when the site is built.

They look the same everywhere, take the colour of the text, and need no script, font or network.
"""

import html
import re

import ziamath
from docutils.nodes import SkipNode

SIZE = 16  # pixels of an em, in which the picture is measured
VIEW = re.compile(r'width="(\S+)" height="(\S+)" viewBox="(\S+) (\S+) \S+ \S+"')

ziamath.config.svg2 = False  # outlines of their own: several pictures share a page


def picture(formula, inline):
    """The formula in units of the text around it, its baseline on that of the text."""
    tex = formula.replace("{aligned}", "{align*}")  # as ziamath knows it
    svg = ziamath.Latex(tex, size=SIZE, color="currentColor", inline=inline).svg()
    width, height, left, top = map(float, VIEW.search(svg).groups())
    depth = (height + top) / SIZE
    frame = (
        f'width="{width / SIZE:.3f}em" height="{height / SIZE:.3f}em" '
        f'style="vertical-align: {-depth:.3f}em" role="img" aria-label="{html.escape(formula)}" '
        f'viewBox="{left} {top} {width} {height}"'
    )
    return VIEW.sub(lambda _: frame, svg, count=1)


def show_inline(writer, node):
    writer.body.append(picture(node.astext(), inline=True))
    raise SkipNode


def show_block(writer, node):
    writer.body.append(f'<div class="math">{picture(node.astext(), inline=False)}</div>')
    raise SkipNode


def setup(app):
    app.add_html_math_renderer("pictures", (show_inline, None), (show_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
