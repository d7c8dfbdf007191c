"""Kepler's equation, velocities, random numbers, coordinates."""

import pathlib

import numpy as np
import pytest

import equant

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "kepler_table.txt"


def test_kepler_against_tables_of_multiple_precision():
    M, e, E, sine, cosine = np.loadtxt(GOLDEN).T
    found = equant.kepler(M, e, sin_cos=True)
    for values, expected in zip(found, (E, sine, cosine)):
        # The condition of the equation: an error of M grows by 1 / (1 - e cos E).
        bound = 1e-15 * (1 + np.abs(E)) / (1 - e * cosine)
        assert (np.abs(values - expected) <= bound).all()


def test_kepler_broadcasts():
    E = equant.kepler(np.array([[0.5], [1.5]]), [0.1, 0.2, 0.3])
    assert E.shape == (2, 3)
    assert E[1, 2] == equant.kepler(1.5, 0.3)


def test_kepler_keeps_the_revolution():
    assert equant.kepler(1.0 + 20 * np.pi, 0.4) == pytest.approx(
        equant.kepler(1.0, 0.4) + 20 * np.pi
    )


def test_kepler_sine_and_cosine():
    E, sine, cosine = equant.kepler(np.linspace(-3, 3, 11), 0.6, sin_cos=True)
    assert np.allclose(sine, np.sin(E)) and np.allclose(cosine, np.cos(E))
    scalars = equant.kepler(1.0, 0.6, sin_cos=True)
    assert all(type(value) is float for value in scalars)


def test_kepler_out():
    out = np.empty(4)
    assert equant.kepler(np.ones(4), 0.1, out=out) is out
    three = tuple(np.empty(4) for _ in range(3))
    assert equant.kepler(np.ones(4), 0.1, sin_cos=True, out=three)[2] is three[2]
    with pytest.raises(equant.InvalidArgument):
        equant.kepler(np.ones(4), 0.1, out=np.empty(3))


def test_kepler_outside_the_domain():
    assert np.isnan(equant.kepler([1.0, np.inf, 1.0], [1.0, 0.5, -0.1])).all()


def test_velocities_of_planets_add_up():
    times = np.array([[5.0, 1.0], [3.0, 100.0]])
    a = equant.radial_velocity(times, 4.2, 50.0, 0.3, 1.0, 2.0)
    b = equant.radial_velocity(times, 300.0, 20.0, 0.1, 2.0, 3.0)
    both = equant.radial_velocity(
        times, [4.2, 300.0], [50.0, 20.0], [0.3, 0.1], [1.0, 2.0], [2.0, 3.0]
    )
    assert both.shape == (2, 2)
    assert np.allclose(both, a + b)


def test_velocity_of_a_circle():
    times = np.linspace(100, 110, 7)
    v = equant.radial_velocity(
        times, 4.0, 10.0, reference_time_days=100.0, offset_m_s=3.0, trend_terms=[0.5, 0.25]
    )
    dt = times - 100.0
    assert np.allclose(v, 10 * np.cos(2 * np.pi * dt / 4) + 3 + 0.5 * dt + 0.25 * dt**2)


def test_velocity_at_one_time_and_at_none():
    assert type(equant.radial_velocity(1.0, 4.0, 10.0)) is float
    assert equant.radial_velocity([], 4.0, 10.0).shape == (0,)


def test_orbits_are_addressed():
    orbits = equant.orbits_draw(10, 2, seed=5)
    assert np.array_equal(orbits[4:], equant.orbits_draw(6, 2, seed=5, first=4))
    narrow = equant.orbits_draw(100, 1, period_days=(3, 4), k_m_s=(1, 2), eccentricity_max=0.5)
    assert (narrow[:, 0] >= 3).all() and (narrow[:, 0] < 4).all() and (narrow[:, 2] < 0.5).all()


def test_random_numbers():
    normal = equant.random_normal(1, 100_000)
    assert abs(normal.mean()) < 0.02 and abs(normal.std() - 1) < 0.01
    uniform = equant.random_uniform(1, 100_000, purpose=2)
    assert 0 < uniform.min() and uniform.max() < 1 and abs(uniform.mean() - 0.5) < 0.005
    assert not np.array_equal(uniform, equant.random_uniform(1, 100_000, purpose=3))


@pytest.mark.parametrize("basis", ["elements", "regular", "roots", "linear"])
def test_bases_there_and_back(basis):
    orbits = equant.orbits_draw(20, 3, seed=2, eccentricity_max=0.9).reshape(20, 3, 5)
    back = equant.basis_to_elements(equant.basis_from_elements(orbits, basis), basis)
    assert np.allclose(back, orbits, rtol=1e-9)
