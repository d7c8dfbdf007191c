"""The Python on the pages of the documentation does what they show."""

import doctest
import pathlib
import re

import pytest

DOCS = pathlib.Path(__file__).parents[2] / "docs"
OPTIONS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


@pytest.mark.parametrize("name", ["python.md", "noise.md", "noise-terms.md"])
def test_page(name):
    pytest.importorskip("astropy")
    blocks = re.findall(r"^```python\n(.*?)^```", (DOCS / name).read_text("utf-8"), re.M | re.S)
    session = "\n".join(block for block in blocks if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(session, {}, name, None, 0)
    said = []
    results = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=said.append)
    assert results.attempted > 0 and results.failed == 0, "".join(said)
