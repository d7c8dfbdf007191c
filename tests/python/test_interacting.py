"""Planets that attract each other, from velocities and from transit times."""

import ctypes

import numpy as np
import pytest

import equant
from equant import _c

EPOCH = 2456000.0
TRUTH = np.array(
    [
        [2e-5, 10.0, 0.02, 0.01, 0.3, np.pi / 2, 0.0],
        [4e-5, 20.3, -0.01, 0.03, 2.9, np.pi / 2, 0.0],
    ]
)


@pytest.fixture(scope="module")
def transits():
    """Of two planets of known masses, with differences of a known size."""
    n = 40
    planet = np.repeat([0, 1], n).astype(np.intc)
    number = np.tile(np.arange(n) - 20, 2).astype(np.intc)
    found = np.empty((2 * n, _c.EQUANT_N_NBODY_TRANSIT))
    options = _c.equant_nbody_options()
    options.struct_size, options.epoch_days = ctypes.sizeof(options), EPOCH
    code = _c.equant_nbody_transits(
        2,
        TRUTH.ctypes.data,
        None,
        2 * n,
        planet.ctypes.data,
        number.ctypes.data,
        ctypes.byref(options),
        found.ctypes.data,
        None,
        None,
    )
    assert code == _c.EQUANT_SUCCESS
    times = found[:, 0] + 1e-4 * np.sin(17.0 * np.arange(2 * n))
    return np.where(planet == 0, "b", "c").tolist(), number, times, np.full(2 * n, 1e-4)


def test_masses_from_transit_times(transits, tmp_path):
    fit = equant.fit_interacting(transits=transits)
    assert [planet.label for planet in fit.planets] == [1, 2]
    for planet, truth in zip(fit.planets, TRUTH):
        mass = planet.mass_jupiter / 1047.5655
        assert abs(mass - truth[0]) < 3 * planet.mass_jupiter_err / 1047.5655 < 0.6 * truth[0]
    assert fit.elements.shape == (2, 7) and fit.summary.n_transits == 80
    columns = fit.transits()
    assert np.max(np.abs(columns["fitted_days"] - columns["time_days"])) < 1e-3
    path = tmp_path / "transits.csv"
    rows = [",".join(map(str, row)) for row in zip(*transits)]
    path.write_text("\n".join(["planet,number,time,error", *rows]) + "\n")
    again = equant.fit_interacting(transits=path)
    assert again.summary == fit.summary or np.isnan(fit.summary.rms_m_s)
    assert np.array_equal(again.elements, fit.elements)


def test_velocities_with_transit_times(transits):
    days = EPOCH + 300.0 + 7.3 * np.arange(25)
    k = [planet.k_m_s for planet in equant.fit_interacting(transits=transits).planets]
    data = equant.Data.from_arrays(days, 5.0 + 0.1 * np.sin(days), np.full(25, 50.0))
    fit = equant.fit_interacting(data, transits=transits)
    assert len(fit.residuals_m_s) == 25 and fit.summary.n_obs == 25
    assert np.allclose([planet.k_m_s for planet in fit.planets], k, rtol=0.05)


@pytest.mark.parametrize(
    "wrong, says",
    [
        ((["b"] * 2, [0, 0], [1.0, 2.0], [0.1, 0.1]), "there twice"),
        ((["b"] * 2, [0, 1], [2.0, 1.0], [0.1, 0.1]), "not later"),
        ((["b"] * 2, [0, 0.5], [1.0, 2.0], [0.1, 0.1]), "whole numbers"),
        ((["b"] * 2, [0, 1], [1.0, 2.0], [0.1, -1.0]), "not positive"),
        ((["b"] * 2, [0, 1], [1.0, 2.0, 3.0], [0.1, 0.1]), "of one length"),
        ((["b"] * 2, [0, 1], [1.0, 2.0], [0.1, 0.1]), "too few"),
        (3, "must be a file, or columns"),
    ],
)
def test_what_are_no_transits(wrong, says):
    with pytest.raises(equant.InvalidArgument, match=says):
        equant.fit_interacting(transits=wrong)


def test_nothing_to_fit():
    with pytest.raises(equant.InvalidArgument, match="attract each other needs"):
        equant.fit_interacting()
