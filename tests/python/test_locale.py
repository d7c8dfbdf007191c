"""Where the decimal sign is a comma, files and results are those of everywhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent

# Python leaves numbers in the C locale until somebody asks for the user's.
AS_THE_USER = """import locale, sys
locale.setlocale(locale.LC_ALL, '')
assert f'{0.5:n}' == '0,5'
"""

SAMPLE = """
import equant
data = equant.Data.demonstration()
equant.sample(data, 1, known=[[1200.0, 7.0, 0.1, 1.0, 1.0]], star_mass=0.75, seed=1, max_steps=150,
              n_burn_in=50, path=sys.argv[1], progress=False)
"""

RESUME = """
import equant
run = equant.sample_resume(sys.argv[1], max_steps=int(sys.argv[2]), progress=False)
assert run.provenance["star_mass"] == "0.75", run.provenance["star_mass"]
"""


@pytest.fixture(scope="module")
def german(tmp_path_factory):
    """The environment of a user in Germany."""
    folder = tmp_path_factory.mktemp("locales")
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("localedef cannot make de_DE.UTF-8 here")
    return {**os.environ, "LC_ALL": "de_DE.UTF-8", "LOCPATH": str(folder)}


def run(script, *arguments, env=None):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_runs_travel_between_locales(german, tmp_path):
    import equant

    path = tmp_path / "run.nc"
    try:
        equant.sample_resume(tmp_path / "none.nc")
    except equant.Unavailable:
        pytest.skip("built without NetCDF")
    except equant.Error:
        pass
    run(AS_THE_USER + SAMPLE, path, env=german)
    run("import sys\n" + RESUME, path, 200)
    run(AS_THE_USER + RESUME, path, 250, env=german)


@pytest.mark.parametrize("name", ["test_data", "test_inference", "test_target", "test_orbits"])
def test_other_tests_pass_with_a_comma(german, name):
    script = AS_THE_USER + "import pytest; sys.exit(pytest.main(sys.argv[1:]))"
    run(script, "-q", "-p", "no:cacheprovider", HERE / f"{name}.py", env=german)
