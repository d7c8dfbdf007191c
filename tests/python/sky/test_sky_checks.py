"""Published orbits against epochs, and astrometry joined with velocities."""

import numpy as np
import pytest

import equant

PERIOD, SIZE = 250.0, 0.9
NAMES = ("a_thiele_innes", "b_thiele_innes", "f_thiele_innes", "g_thiele_innes", "period", "eccentricity", "t_periastron")


def source(seed, size=SIZE, n=70):
    """A circle, seen from above: RA* = size cos, Dec = size sin."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    factor = np.sin(psi + 2 * np.pi * t / 365.25)
    w = 10 * factor + size * np.sin(psi + 2 * np.pi * t / PERIOD) + rng.normal(0, 0.1, n)
    return equant.Astrometry.from_arrays(t, w, np.full(n, 0.1), psi, factor)


def velocities(seed, n=15):
    """Of the same star, inclined by what makes 3 km/s of it."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    v = 3000.0 * np.cos(2 * np.pi * t / PERIOD) + rng.normal(0, 150.0, n)
    return equant.Data.from_arrays(2457936.875 + t, v, np.full(n, 150.0))


@pytest.fixture
def orbits(tmp_path):
    """Right, turned, of another period, of a star that is alone, and of a star that is not there."""
    path = tmp_path / "orbits.csv"
    right = [0.0, SIZE, SIZE, 0.0, PERIOD, 0.0, 0.0]
    turned = [0.0, SIZE, -SIZE, 0.0, PERIOD, 0.0, 0.0]
    other = [0.0, SIZE, SIZE, 0.0, 97.0, 0.0, 0.0]
    errors = [0.03] * 4 + [0.6, 0.05, 3.0]
    with open(path, "w") as out:
        out.write("source_id,solution_type," + ",".join(f"{n},{n}_error" for n in NAMES) + "\n")
        for own, row in enumerate((right, turned, other, right, right), 1):
            cells = ",".join(f"{value},{error}" for value, error in zip(row, errors))
            out.write(f"{own},Orbital,{cells}\n")
    return path


def test_orbits_are_judged(orbits):
    sources = {1: source(1), 2: source(2), 3: source(3), 4: source(4, 0.0), 9: source(5)}
    table = equant.check_orbits(orbits, sources, period_days=(30, 0))
    assert list(table["source_id"]) == [1, 2, 3, 4]
    assert list(table["judgement"]) == ["agrees", "other_geometry", "other_period", "nothing"]
    assert table["ln_ratio"][2] > 50 and abs(table["period_days"][2] - PERIOD) < 3
    assert list(table["solution_type"]) == ["Orbital"] * 4
    assert equant.check_orbits(orbits, []).size == 0
    with pytest.raises(equant.InvalidArgument, match=r"equant\.Astrometry"):
        equant.check_orbits(orbits, ["file"])


def test_numbers_of_another_release(orbits, tmp_path):
    path = tmp_path / "list.csv"
    path.write_text("source_id,dr3_source_id\n71,1\n")
    table = equant.check_orbits(orbits, {71: source(1)}, lists=[path], period_days=(30, 0))
    assert list(table["source_id"]) == [71] and table["judgement"][0] == "agrees"


def test_astrometry_with_velocities():
    sources = [source(1), source(2, 0.0), None]
    table = equant.catalogue_joint(
        sources, [velocities(1), None, velocities(3)], star_mass=[1.0, 0.8, 0.9], period_days=(30, 0)
    )
    assert list(table["n_velocities"]) == [15, 0, 15]
    assert list(table["orbit_from"]) == ["both", "none", "velocities"]
    assert abs(table["orbit_period_days"][0] - PERIOD) < 2
    assert table["mass_jupiter"][0] > 0 and np.isnan(table["mass_jupiter"][1])
    plain = equant.catalogue_astrometry(sources[:2], period_days=(30, 0))
    assert list(table["parallax_mas"][1:2]) == list(plain["parallax_mas"][1:2])
    with pytest.raises(equant.InvalidArgument, match="of one length"):
        equant.catalogue_joint(sources, [None])
