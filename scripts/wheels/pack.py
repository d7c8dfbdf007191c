"""Packs what scripts/wheels/build has built: python3 pack.py PLATFORM BUILD FOLDER.

A wheel is a zip archive of modules, library and command with three tables about them. What the
distribution is called and needs stands in pyproject.toml, the version in include/equant.h.
"""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = {"manylinux": "libequant.so", "macosx": "libequant.dylib", "win": "libequant.dll"}
# Licences of what is linked in, as their sources have them.
LICENCES = {
    "erfa": "LICENSE",
    "expat": "expat/COPYING",
    "hdf5": "COPYING",
    "libyaml": "License",
    "libzip": "LICENSE",
    "netcdf": "COPYRIGHT",
    "zlib": "LICENSE",
}


def version():
    text = (ROOT / "include/equant.h").read_text()
    return re.search(r'#define EQUANT_VERSION_STRING "([^"]+)"', text).group(1)


def project():
    try:
        import tomllib
    except ModuleNotFoundError:
        import tomli as tomllib
    with open(ROOT / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]


def description(of):
    """README without pictures and links into the repository, which lead nowhere from a page of PyPI."""
    text = (ROOT / of["readme"]).read_text()
    text = re.sub(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", "", text, flags=re.M)
    return re.sub(r"\[([^\]]*)\]\((?!https?:|#)[^)]*\)", r"\1", text)


def metadata(of):
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {of['name']}",
        f"Version: {version()}",
        f"Summary: {of['description']}",
        f"License: {of['license']}",
        f"Author: {of['authors'][0]['name']}",
        f"Keywords: {','.join(of['keywords'])}",
        f"Requires-Python: {of['requires-python']}",
        *(f"Classifier: {one}" for one in of["classifiers"]),
        *(f"Requires-Dist: {one}" for one in of["dependencies"]),
    ]
    for extra, needed in of["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {one} ; extra == "{extra}"' for one in needed]
    lines.append("Description-Content-Type: text/markdown")
    return "\n".join(lines) + "\n\n" + description(of)


def contents(platform, build, of):
    """Pairs of the name in the wheel and the bytes; then those that are programs."""
    name = of["name"].replace("-", "_")
    info = f"{name}-{version()}.dist-info"
    library = next(word for begin, word in LIBRARY.items() if platform.startswith(begin))
    found = next(
        path for path in (build / library, build / "equant.dll", build / "libequant.dll") if path.exists()
    )
    command = build / ("equant.exe" if platform.startswith("win") else "equant")
    declarations = build / "_c.py"
    subprocess.run(
        [sys.executable, ROOT / "python/make_declarations.py", ROOT / "include/equant.h", declarations],
        check=True,
    )
    for path in sorted((ROOT / "python/equant").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts and path.name != "_c.py" and path.suffix != ".so":
            yield f"equant/{path.relative_to(ROOT / 'python/equant').as_posix()}", path.read_bytes(), False
    yield "equant/_c.py", declarations.read_bytes(), False
    yield f"equant/{library}", found.read_bytes(), True
    yield f"{name}-{version()}.data/scripts/{command.name}", command.read_bytes(), True
    yield f"{info}/METADATA", metadata(of).encode(), False
    wheel = f"Wheel-Version: 1.0\nGenerator: equant\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n"
    yield f"{info}/WHEEL", wheel.encode(), False
    for path in of["license-files"]:
        yield f"{info}/licenses/{path}", (ROOT / path).read_bytes(), False
    for library, path in LICENCES.items():
        source = ROOT / "build/wheels/sources" / library / path
        yield f"{info}/licenses/{library}/{source.name}", source.read_bytes(), False


def pack(platform, build, folder):
    of = project()
    name = of["name"].replace("-", "_")
    path = folder / f"{name}-{version()}-py3-none-{platform}.whl"
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for inside, data, is_program in contents(platform, build, of):
            entry = zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, data, compresslevel=9)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{inside},sha256={digest},{len(data)}")
        inside = f"{name}-{version()}.dist-info/RECORD"
        wheel.writestr(zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0)), "\n".join([*record, f"{inside},,", ""]))
    print(f"equant: {path} ({path.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    pack(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
