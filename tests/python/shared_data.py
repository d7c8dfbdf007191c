"""Real observations that do not travel with the repository. A test that finds none is skipped, and
says so; EQUANT_REQUIRE_DATA=1 makes it fail."""

import os
import pathlib

import pytest

SHARED = pathlib.Path(
    os.environ.get("EQUANT_SHARED_DATA", pathlib.Path(__file__).parents[3] / "shared" / "data")
)


def shared_file(name=""):
    """The path of a file or folder of real data."""
    path = SHARED / name
    if not path.exists():
        if os.environ.get("EQUANT_REQUIRE_DATA"):
            pytest.fail(f"{path} is missing, and EQUANT_REQUIRE_DATA is set")
        pytest.skip(f"{path} is missing")
    return path
