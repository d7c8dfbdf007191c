"""The site of the documentation, built by Sphinx from the pages where they lie.

The source directory is the repository itself: a page links to its neighbours, to a program in
examples/ or to the header by the same path on the site and in the repository. The pages are those
of `navigation`; other files that they link to are shown by source_pages.
"""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

project = "equant"
author = "The equant developers"
copyright = "The equant developers. MIT licence"
root_doc = "docs/index"

# --- Pages ------------------------------------------------------------------

include_patterns = [
    "docs/**",
    "include/equant.h",
    "examples/notebooks/*.ipynb",
    "benchmarks/README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".h": "c-header"}

# Below which page stands what, by captions; a page has no directive for it in its text, which
# would be seen where the repository is read on the web.
navigation = {
    "docs/index": {
        "User guide": [
            "docs/getting-started",
            "docs/tutorial",
            "docs/python",
            "docs/model",
            "docs/noise",
            "docs/dynamics",
            "docs/astrometry",
            "docs/dr4",
            "docs/double-lined",
            "docs/sampling",
            "docs/compare",
            "docs/plan",
            "docs/observing",
            "docs/completeness",
            "docs/report",
            "docs/tables",
            "docs/samplers",
            "docs/web",
            "docs/cluster",
            "docs/gpu",
        ],
        "Notebooks": ["examples/notebooks/hot_jupiter", "examples/notebooks/many_planets"],
        "Reference": [
            "docs/commands",
            "docs/quantities",
            "docs/record",
            "docs/formats",
            "docs/astrometry-formats",
            "docs/noise-terms",
            "docs/glossary",
            "docs/site/python-reference",
            "docs/c-api",
            "include/equant",
        ],
        "Methods": [
            "docs/methods",
            "docs/false-alarm",
            "docs/aliases",
            "docs/priors",
            "docs/numerics",
            "docs/paper",
            "benchmarks/README",
        ],
        "Development": [
            "docs/architecture",
            "docs/add-a-backend",
            "docs/decisions/index",
            "CONTRIBUTING",
            "docs/release",
            "CHANGELOG",
        ],
    },
    "docs/decisions/index": {
        "Decisions": sorted(
            page.relative_to(ROOT).with_suffix("").as_posix()
            for page in (ROOT / "docs/decisions").glob("0*.md")
        ),
    },
}


def add_navigation(app, page, source):
    for caption, pages in navigation.get(page, {}).items():
        entries = "\n".join(f"/{entry}" for entry in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n"


def add_front_door(app):
    """The folder of the site opens with its first page."""
    uri = app.builder.get_relative_uri("index", root_doc)
    yield "index", {"uri": uri}, "front_door.html"


def setup(app):
    app.connect("source-read", add_navigation)
    app.connect("html-collect-pages", add_front_door)


# --- Reading ----------------------------------------------------------------

extensions = [
    "myst_nb",
    "c_reference",
    "mathematics",
    "name_links",
    "python_docstrings",
    "source_pages",
    "title_navigation",
]
myst_enable_extensions = ["dollarmath"]
myst_fence_as_directive = ["math"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # their outputs are in the notebooks; the tests execute them
highlight_language = "none"  # what a page does not name is a formula or a transcript

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_class_signature = "mixed"
autodoc_mock_imports = ["jax", "pytensor", "torch"]  # the site needs none of what bridges lead to

smartquotes = False  # quotes are part of what comments and transcripts say
maximum_signature_line_length = 88

nitpicky = True
nitpick_ignore_regex = [  # what others document
    ("c:identifier", "size_t|int64_t|uint32_t|uint64_t"),
    ("py:.*", r"(numpy|os|astropy|pandas|radvel)\..*"),
    # Beside a class that is only known to checkers of types:
    ("py:class", "(Engine|Path|Progress)Like"),
]

# --- Looks ------------------------------------------------------------------

html_theme = "furo"
html_title = "equant"
html_logo = "static/equant.svg"
html_favicon = "static/equant.svg"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#24528f",
        "color-brand-content": "#2a62ad",
        "color-api-name": "#24528f",
        "color-api-pre-name": "#24528f",
    },
    "dark_css_variables": {
        "color-brand-primary": "#8ab4f0",
        "color-brand-content": "#8ab4f0",
        "color-api-name": "#8ab4f0",
        "color-api-pre-name": "#8ab4f0",
    },
}
templates_path = ["templates"]
html_math_renderer = "pictures"
html_copy_source = False
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "native"
