"""Fits of astrometry: a made-up orbit, AGIS's own answers, Hipparcos's catalogue, quiet sources."""

import re

import numpy as np
import pytest

import equant
from shared_data import shared_file


def made_up(size, seed=1, n=80):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    year = t / 365.25
    factor = np.sin(2 * np.pi * year) * np.sin(psi) + 0.4 * np.cos(2 * np.pi * year) * np.cos(psi)
    phase = 2 * np.pi * t / 400
    w = (1 + 3 * year) * np.sin(psi) - 2 * year * np.cos(psi) + 10 * factor
    w += size * (np.sin(phase) * np.sin(psi) + np.cos(phase) * np.cos(psi))
    return equant.Astrometry.from_arrays(t, w + rng.normal(0, 0.1, n), np.full(n, 0.1), psi, factor)


def test_an_orbit_is_found_again():
    fit = equant.fit_astrometry(made_up(1.0), period_days=(30, 0), star_mass=1.0)
    assert fit.verdict == "orbit" and "orbit" in fit.words
    (own,) = fit.companions
    assert abs(own.period_days - 400) < 4 * own.period_days_err
    assert abs(own.a0_mas - 1) < 4 * own.a0_mas_err
    assert own.inclination_rad < 1.0 and not own.node_is_known
    assert own.covariance[0, 0] == pytest.approx(own.period_days_err**2)
    assert own.mass_jupiter > 0
    solution = fit.solution
    assert abs(solution.values["parallax"] - 10) < 4 * solution.errors["parallax"]
    assert fit.models["orbit"].chi_square < fit.models["5p"].chi_square
    assert repr(fit) == "equant.SkyFit(orbit, 80 transits)"
    left = fit.residuals
    assert len(left["residual"]) == 80 and not left["is_velocity"].any()
    assert fit.chi_square == pytest.approx(((left["residual"] / left["uncertainty"]) ** 2).sum())


def test_noise_is_none():
    fit = equant.fit_astrometry(made_up(0.0), period_days=(30, 0))
    assert fit.verdict == "5p" and fit.companions == () and fit.flags == []
    assert fit.false_alarm > 1e-3


def test_what_cannot_be():
    with pytest.raises(equant.InvalidArgument):
        equant.fit_astrometry("file")
    with pytest.raises(equant.InvalidArgument, match="5, 7 or 9"):
        equant.solve_astrometry(made_up(0.0), 6)
    with pytest.raises(equant.InvalidArgument, match="no range"):
        equant.fit_astrometry(made_up(0.0), period_days=(100, 10))


@pytest.mark.parametrize("epochs, answers", [
    ("1_archive_epoch_astro", "1_archive_source_update_results"),
    ("2_epoch_astrometry", "2_agis_source_update_results"),
])
def test_agis(epochs, answers):
    """Two sources of DR4 with the answers of Gaia's own solution: CCDs, its excess noise."""
    parquet = pytest.importorskip("pyarrow.parquet")
    (source,) = equant.read_astrometry(shared_file(f"gaia/dr4_test/{epochs}.parquet"))
    table = parquet.read_table(shared_file(f"gaia/dr4_test/{answers}.parquet")).to_pydict()
    agis = {name: values[0] for name, values in table.items()}
    noise = next(re.search(r"noise of (\S+) mas", words) for words in source.remarks
                 if "excess" in words)
    found = equant.solve_astrometry(source, ccds=True, excess_noise_mas=float(noise.group(1)))
    assert found.n_rows == agis["nObsAl"]
    names = {"parallax": "varpi", "pm_ra": "muAlphaStar", "pm_dec": "muDelta"}
    for own, theirs in names.items():
        assert found.values[own] == pytest.approx(agis[theirs], rel=3e-4)
        assert found.errors[own] == pytest.approx(agis[theirs + "Error"], rel=1e-4)
    assert found.errors["ra"] == pytest.approx(agis["alphaStarError"], rel=1e-4)
    assert found.errors["dec"] == pytest.approx(agis["deltaError"], rel=1e-4)
    # Theirs is per nanometre, and its value is rounded to single precision.
    assert 1e-3 * found.values["colour"] == pytest.approx(agis["pseudoColor"], rel=1e-3)
    assert 1e-3 * found.errors["colour"] == pytest.approx(agis["pseudoColorError"], rel=1e-4)


def test_anonymous_sources():
    """A verdict for each; no orbit where the scan-angle model is preferred."""
    pytest.importorskip("pyarrow")
    sources = equant.read_astrometry(shared_file("gaia/dr4_test/epoch_astrometry_sample.parquet"))
    assert len(sources) == 5
    for source in sources:
        fit = equant.fit_astrometry(source, period_days=(10, 0))
        models = fit.models
        print(source, fit.verdict, fit.words)
        assert fit.verdict in ("5p", "7p", "9p", "orbit", "scan_angle")
        if "scan_angle" in models and models["scan_angle"].bic < models["orbit"].bic:
            both = models["orbit_scan_angle"].bic
            assert fit.verdict != "orbit" or both < models["scan_angle"].bic


def test_hipparcos():
    """Beta Pictoris: the catalogue's solution, and its errors."""
    (source,) = equant.read_astrometry(shared_file("hipparcos/H027321.d"))
    found = equant.solve_astrometry(source, ccds=True)
    assert found.n_rows == 111
    names = ["ra", "dec", "parallax", "pm_ra", "pm_dec"]
    corrections = [-0.0001, 0.0005, -0.0016, 0.0006, -0.0006]
    expected = np.array([0.0, 0.0, 51.44, 4.65, 83.1]) + corrections
    errors = [0.100, 0.111, 0.116, 0.112, 0.147]
    assert [found.values[name] for name in names] == pytest.approx(expected, abs=2e-3)
    assert [found.errors[name] for name in names] == pytest.approx(errors, abs=6e-3)
