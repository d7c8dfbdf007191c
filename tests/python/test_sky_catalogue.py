"""Catalogues of astrometry: a row for each source, and columns that tables can be made of."""

import numpy as np
import pytest

import equant


def made_up(size, seed, n=60):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    factor = np.sin(psi + 2 * np.pi * t / 365.25)
    w = 2 * t / 365.25 * np.cos(psi) + 10 * factor + size * np.sin(psi + 2 * np.pi * t / 250)
    return equant.Astrometry.from_arrays(t, w + rng.normal(0, 0.1, n), np.full(n, 0.1), psi, factor)


def test_rows_of_noise_and_of_an_orbit():
    sources = [made_up(0.0, 1), made_up(0.7, 2), made_up(0.0, 3, n=4)]
    table = equant.catalogue_astrometry(sources, period_days=(30, 0))
    assert list(table["verdict"]) == ["5p", "orbit", ""]
    assert list(table["n_transits"]) == [60, 60, 4]
    assert abs(table["period_days"][1] - 250) < 3
    assert np.isnan(table["period_days"][0]) and table["fap"][0] > 1e-3
    assert abs(table["parallax_mas"][0] - 10) < 5 * table["parallax_mas_err"][0]
    assert table["flags"][2] == "unsolved"
    alone = equant.catalogue_astrometry(sources[1:2], period_days=(30, 0))
    assert alone[0].tobytes() == table[1].tobytes()


def test_nothing_in_nothing_out():
    assert equant.catalogue_astrometry([]).size == 0


def test_what_is_no_source_is_refused():
    with pytest.raises(equant.InvalidArgument):
        equant.catalogue_astrometry(["file"])
    with pytest.raises(equant.InvalidArgument):
        equant.catalogue_astrometry([], false_alarm=2.0)


def test_periodogram_of_an_orbit():
    periodogram = equant.periodogram_astrometry(made_up(0.7, 2), period_days=(30, 0))
    best = np.argmax(periodogram.gain)
    assert abs(periodogram.period_days[best] - 250) < 20
    assert periodogram.gain[best] > periodogram.level(1e-6) > periodogram.level(0.1) > 0
    assert periodogram.eccentricity.shape == periodogram.gain.shape
    assert np.isnan(periodogram.level(1.0))
    assert repr(periodogram).startswith("<SkyPeriodogram of ")
    still = equant.periodogram_astrometry(made_up(0.0, 1), period_days=(30, 0))
    assert still.gain.max() < still.level(1e-3)


def test_periodogram_of_too_little_is_refused():
    with pytest.raises(equant.InvalidArgument):
        equant.periodogram_astrometry(made_up(0.0, 3, n=4))
    with pytest.raises(equant.InvalidArgument):
        equant.periodogram_astrometry("file")
