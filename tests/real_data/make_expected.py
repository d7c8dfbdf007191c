#!/usr/bin/env python3
"""Writes expected.tsv: what the files of a folder of real data hold, counted
without any code of equant. Each folder's layout is stated here by hand, from
its publication or its header; nothing is guessed.

    make_expected.py SHARED_DATA > expected.tsv
"""
import csv
import pathlib
import re
import statistics
import sys

ROOT = pathlib.Path(sys.argv[1])
SCALE = {"m/s": 1.0, "km/s": 1000.0}
OTHER_FOLDERS = "nelson_posteriors", "gaia", "hipparcos", "astrometry"  # no velocities


def plain_rows(path, skip=0):
    lines = [line for line in path.read_text().splitlines() if line.strip()][skip:]
    return [line.split() for line in lines if not line.startswith("#")]


def columns(rows, velocity, instrument=None):
    return [(float(r[velocity]), r[instrument] if instrument is not None else "") for r in rows]


def vels(path):
    unit = re.search(r"# value_units = (\S+)", path.read_text()).group(1).lower()
    return unit, columns(plain_rows(path), 1)


def system(path):
    """One instrument for each file that the .sys names; None where one is missing."""
    found = []
    for name in re.findall(r'^\s*RV\[\]\s+"?([^"\n]+?)"?\s*$', path.read_text(), re.M):
        member = path.parent / name
        if not member.exists():
            return None
        unit, rows = vels(member)
        found.append((unit, [(v * SCALE[unit], name) for v, _ in rows]))
    unit = found[0][0]
    return unit, [(v / SCALE[unit], name) for _, rows in found for v, name in rows]


def csv_rows(path, velocity, instrument=None, keep=lambda row: True):
    with path.open() as stream:
        rows = [row for row in csv.DictReader(stream) if keep(row)]
    return [(float(r[velocity]), r[instrument] if instrument else "") for r in rows]


def read(path):
    folder, name = path.parent.name, path.name
    if name.startswith("prior_bounds") or name == "TRUTH.csv":
        return None
    if path.suffix == ".vels":
        return vels(path)
    if path.suffix == ".sys":
        return system(path)
    if folder == "radvel":
        if path.suffix == ".csv":
            return "m/s", csv_rows(path, "vel")
        skip = 0 if name.startswith("rvs_") else 1
        return "m/s", columns(plain_rows(path, skip), 1, 3)
    if folder == "rvsearch":
        return "m/s", csv_rows(path, "mnvel", "tel")
    if folder == "orbitize":
        with path.open() as stream:
            instrument = "instrument" if "instrument" in stream.readline() else None
        return "km/s", csv_rows(path, "rv", instrument, lambda r: r["object"] == "0" and r["rv"])
    if folder == "thejoker":
        return "km/s", columns(plain_rows(path)[1:], 1)
    if folder == "l1periodogram":
        return "km/s", columns(plain_rows(path, 2), 1)
    if folder == "orvara":
        return "m/s", columns(plain_rows(path), 1, 3)
    if folder == "pyorbit":
        return "m/s", columns(plain_rows(path), 1, 4)
    if folder in ("juliet", "pyaneti"):
        return "km/s", columns(plain_rows(path), 1, 3)
    if folder == "arvi" or name == "corot7.txt":
        return "m/s", columns(plain_rows(path, 2), 1)
    if folder == "agatha":
        return "m/s", columns(plain_rows(path, 1), 1)
    return "m/s", columns(plain_rows(path), 1)  # kima, eprv3: three bare columns


print("# file\tn_obs\tunit\tn_instruments\tmean_m_s; written by make_expected.py")
for path in sorted(ROOT.glob("*/*")):
    if path.parent.name in OTHER_FOLDERS or path.is_dir():
        continue
    table = read(path)
    label = path.relative_to(ROOT)
    if table is None:
        print(f"{label}\tREFUSED")
        continue
    unit, rows = table
    mean = statistics.fmean(v for v, _ in rows) * SCALE[unit]
    print(f"{label}\t{len(rows)}\t{unit}\t{len({i for _, i in rows})}\t{mean:.9g}")
