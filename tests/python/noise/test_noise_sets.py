"""The stars of benchmarks/check-noise-process: what its files have in common, and the process."""

import csv
import pathlib
import sys

import numpy as np
import pytest

BENCHMARKS = pathlib.Path(__file__).resolve().parents[3] / "benchmarks"
if not BENCHMARKS.is_dir():
    pytest.skip("benchmarks are not here", allow_module_level=True)
sys.path.insert(0, str(BENCHMARKS))
noise_sets = pytest.importorskip("noise_sets")


@pytest.fixture(name="folder")
def made_stars(tmp_path, monkeypatch):
    """Two stars at made-up epochs, two observations a night."""
    nights = 50000.7 + np.cumsum(np.random.default_rng(2).integers(1, 20, 80))
    times = np.sort(np.concatenate([nights, nights + 0.02]))
    (tmp_path / "epochs.dat").write_text(
        "Time RV eRV\n" + "".join(f"{time:.5f} 0 1.5\n" for time in times)
    )
    monkeypatch.setattr(noise_sets, "SOURCES", ("epochs.dat",))
    noise_sets.make(tmp_path / "stars", tmp_path, 1, 2)
    return tmp_path / "stars"


def columns(path):
    with open(path, newline="") as stream:
        rows = list(csv.DictReader(stream))
    names = [name for name in rows[0] if name != "tel"]
    return {name: np.array([float(row[name]) for row in rows]) for name in names}


def test_files_of_a_set_differ_by_what_their_names_say(folder):
    stars = {kind: columns(folder / f"{kind}-001.csv") for kind in noise_sets.KINDS}
    velocities = {kind: star["mnvel"] for kind, star in stars.items()}
    bad = velocities["bad"] - velocities["noise"]
    assert velocities["planet-bad"] - velocities["planet"] == pytest.approx(bad, abs=1e-4)
    assert set(np.round(np.abs(bad), 3)) == {0.0, 7.5}
    nights = bad.reshape(-1, 2)
    assert np.ptp(nights, axis=1) == pytest.approx(0.0, abs=1e-4)
    assert (nights[:, 0] != 0.0).sum() == 4
    planet = velocities["planet"] - velocities["noise"]
    assert 1.5 < np.abs(planet).max() <= 3.0 * 1.2 + 1e-4
    with_indicator = columns(folder / "noise-001-s.csv")
    assert np.array_equal(with_indicator["mnvel"], velocities["noise"])
    assert np.corrcoef(with_indicator["svalue"], velocities["noise"])[0, 1] > 0.3


def test_the_same_seed_makes_the_same_stars(folder, tmp_path):
    noise_sets.make(tmp_path / "again", tmp_path, 1, 1)
    again = (tmp_path / "again" / "noise-000.csv").read_text()
    assert again == (folder / "noise-000.csv").read_text()


def test_draws_have_the_covariance_of_the_kernel():
    rotation = {"amplitude_m_s": 2.0, "period_days": 20.0, "decay_days": 50.0, "width": 0.5}
    chance = np.random.default_rng(5)
    times = np.array([0.0, 5.0, 20.0])
    draws = np.array([noise_sets.draw_process(chance, times, rotation) for _ in range(4000)])
    lag = times[:, None] - times
    wanted = 4.0 * np.exp(-0.5 * (np.sin(np.pi * lag / 20.0) ** 2 / 0.25 + lag**2 / 2500.0))
    assert draws.T @ draws / 4000 == pytest.approx(wanted, abs=0.5)
