"""Packages from PyPI for the checks that need them, in a virtual environment of their own.
Standard library only."""

import os
import pathlib
import subprocess
import sys
import venv

import checks

VERSIONS = {"numpy": "numpy", "emcee": "emcee==3.1.6", "h5py": "h5py", "radvel": "radvel==1.6.7",
            "celerite2": "celerite2==0.3.3"}


def require(*names):
    """Goes on as the Python of an environment that has these packages: $EQUANT_CHECK_VENV, or a
    folder of the build, made and filled when first asked for. Skips where PyPI is out of reach."""
    default = checks.ROOT / "build" / "check-packages"
    folder = pathlib.Path(os.environ.get("EQUANT_CHECK_VENV", default)).absolute()
    if pathlib.Path(sys.prefix) == folder:
        return
    if not (folder / "bin" / "python").exists():
        venv.create(folder, with_pip=True)
    missing = [name for name in names if not (folder / f"has-{name}").exists()]
    if missing:
        print("installing", ", ".join(missing), "into", folder, flush=True)
        wanted = [VERSIONS[name] for name in missing]
        install = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
        if subprocess.run([*install, *wanted], check=False).returncode != 0:
            print("SKIP: PyPI cannot be reached")
            sys.exit(77)
        for name in missing:
            (folder / f"has-{name}").touch()
    python = str(folder / "bin" / "python")
    os.execv(python, [python, *sys.argv])


def provide_equant(library):
    """Makes the package of this repository importable, over a library that is built."""
    subprocess.run([sys.executable, checks.ROOT / "python" / "make_declarations.py"], check=True)
    os.environ["EQUANT_LIBRARY"] = str(library)
    sys.path.insert(0, str(checks.ROOT / "python"))
