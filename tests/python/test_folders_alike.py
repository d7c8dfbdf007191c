"""A fit by the command and the same fit by the package leave the same folder, byte by byte.

Apart from what is named in :data:`ONLY_COMMAND` and :func:`without_what_differs`: who made the fit,
the picture and curve.ecsv, which the package leaves to others, and the hints of the command. The
command's fit, loaded by the package and saved again, leaves the same folder without exception.
"""

import os
import pickle
import re
import subprocess

import numpy as np
import pytest

import equant
from equant._folder.fit_folder import FILES
from equant._folder.program import program

#: Written by the command alone: nothing reads them.
ONLY_COMMAND = {"curve.ecsv", "repeat.yaml"}
DAYS = np.sort(np.random.default_rng(3).uniform(2455000, 2455120, 50))


def sine(period, k, phase=0.0):
    return k * np.sin(2 * np.pi * (DAYS - 2455060) / period + phase)


def noise(seed=1):
    return np.random.default_rng(seed).normal(0, 1.5, DAYS.size)


#: By name: the velocities, options of the command, and of the package.
CASES = {
    "a circular planet": (
        sine(11.0, 12) + noise(),
        ["--planets", "1", "--max-eccentricity", "0.0001"],
        dict(n_planets=1, eccentricity_max=0.0001),
    ),
    "an eccentric planet and another": (
        sine(11.0, 12) + sine(5.5, 5, 1.0) + sine(37.0, 9) + noise(),
        ["--planets", "2", "--noise", "white"],
        dict(n_planets=2, noise="white"),
    ),
    "a period at the limit": (
        sine(700.0, 200, 0.3) + noise(),
        ["--planets", "1", "--period-max", "230"],
        dict(n_planets=1, period_max_days=230),
    ),
    "the mass of the star, and an inclination": (
        sine(11.0, 12) + noise(),
        ["--star-mass", "0.9+-0.05", "--set", "b.period_days=5:20", "b.inclination_deg=normal(80, 2)"]
        + ["--noise", "white"],
        dict(
            star=equant.Star(mass=0.9, mass_err=0.05),
            states={"b.period_days": "5:20", "b.inclination_deg": "normal(80, 2)"},
            noise="white",
        ),
    ),
    "noise": (
        sine(11.0, 12) + sine(4.1, 3, 2.0) + noise(),
        ["--planets", "1", "--noise", "rotation"],
        dict(n_planets=1, noise="rotation"),
    ),
    "a trend": (
        sine(11.0, 12) + 0.2 * (DAYS - 2455060) + noise(),
        ["--planets", "1", "--trend", "quadratic"],
        dict(n_planets=1, trend="quadratic"),
    ),
    "no planet": (noise(4), ["--planets", "0"], dict(n_planets=0)),
    "no planet found": (noise(5), [], {}),
    "no probabilities": (
        sine(11.0, 12) + noise(),
        ["--probabilities", "none", "--noise", "white"],
        dict(probabilities="none", noise="white"),
    ),
}


#: What shows that a case is what its name says.
SAID = {
    "a period at the limit": '"at_limit": "longest"',
    "the mass of the star, and an inclination": '"m_jupiter": ',
    "noise": '"rotation_days": ',
    "a trend": '"quadratic_m_s_day2": ',
    "no planet": '"planets": []',
    "no planet found": '"planets": []',
    "no probabilities": '"probabilities": "none"',
}


def without_what_differs(name, text):
    """The command that was typed, or the call; and what the command remarks on."""
    if name == "origin.json":
        return re.sub(r'^  "command": ".*"(,?)$', r'  "command": ...\1', text, flags=re.M)
    if name == "fit.json":
        return re.sub(r'\n  "hints": \[.*?\]\n\}', '\n  "hints": ...\n}', text, flags=re.S)
    return text


def contents(folder):
    return {
        name: without_what_differs(name, (folder / name).read_bytes().decode())
        for name in sorted(set(os.listdir(folder)) - ONLY_COMMAND)
    }


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_folders_are_alike(case, tmp_path):
    velocities, options, arguments = CASES[case]
    rows = ["time,mnvel,errvel,tel"] + [
        f"{time!r},{velocity!r},1.5,{'ab'[i % 2]}"
        for i, (time, velocity) in enumerate(zip(DAYS.tolist(), velocities.tolist()))
    ]
    table = tmp_path / "star.csv"
    table.write_text("\n".join(rows) + "\n")
    limits = {"period_min_days": 2, "period_max_days": 100, **arguments}
    words = ["--period-min", "2"] + ([] if "--period-max" in options else ["--period-max", "100"])
    typed = [program(), "fit", str(table), *words, *options, "--no-pictures"]
    subprocess.run([*typed, "--out", str(tmp_path / "command")], check=True, capture_output=True)
    fit = equant.fit(equant.Data.from_files(table), **limits)
    fit.save(tmp_path / "package", star_name="star")
    theirs, ours = contents(tmp_path / "command"), contents(tmp_path / "package")
    assert set(ours) == set(theirs) == set(FILES)
    for name in theirs:
        assert ours[name].split("\n") == theirs[name].split("\n"), name
    assert SAID.get(case, "") in theirs["fit.json"]
    equant.load(tmp_path / "command").save(tmp_path / "again", star_name="star")
    pickle.loads(pickle.dumps(fit)).save(tmp_path / "pickled", star_name="star")
    for name in FILES:
        assert (tmp_path / "again" / name).read_bytes() == (
            tmp_path / "command" / name
        ).read_bytes(), name
        assert (tmp_path / "pickled" / name).read_bytes() == (
            tmp_path / "package" / name
        ).read_bytes(), name
