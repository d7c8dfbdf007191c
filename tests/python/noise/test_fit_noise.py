"""Fits with noise beside jitters: what they say of it, and that it is kept."""

import json
import pickle
import re
import subprocess

import numpy as np
import pytest

import equant
from equant._folder import program as _program

RANGE = {
    "max_planets": 2,
    "period_min_days": 6.0,
    "period_max_days": 80.0,
    "eccentricity_max": 0.3,
}


@pytest.fixture
def command():
    try:
        return _program.program()
    except equant.Unavailable:
        pytest.skip("the command is not there")


@pytest.fixture(scope="module")
def active():
    """A star that turns in 25 days, with a planet of 8.3 days."""
    times = 2460000.0 + np.cumsum(1.0 + 2.0 * equant.random_uniform(3, 80))
    spots = equant.Noise("mep(amplitude=4, period=25, decay=50, width=0.5)")
    drawn = spots.draw(times, 1, seed=3).reshape(-1) + equant.random_normal(4, 80)
    planet = equant.radial_velocity(times, 8.3, 4.0, 0.1, 1.0, 0.5)
    return equant.Data.from_arrays(times, drawn + planet, 1.0)


@pytest.fixture(scope="module")
def follower():
    """A star without rotation whose velocities follow an indicator."""
    times = 2460000.0 + np.cumsum(1.0 + 2.0 * equant.random_uniform(5, 60))
    fwhm = 7000.0 + 20.0 * equant.random_normal(6, 60)
    velocities = 0.15 * (fwhm - 7000.0) + equant.random_normal(7, 60)
    return equant.Data.from_arrays(times, velocities, 1.0, indicators={"fwhm": fwhm})


@pytest.fixture(scope="module")
def found(active):
    return equant.fit(active, noise="auto", **RANGE)


@pytest.fixture(scope="module")
def following(follower):
    return equant.fit(follower, noise="auto", **RANGE)


def test_rotation(found):
    assert [round(planet.period_days, 1) for planet in found.planets] == [8.3]
    (term,) = found.noise.terms
    assert term.name == "mep"
    assert list(term.parameters) == ["amplitude", "period", "decay", "width"]
    period = term.parameters["period"]
    assert period.unit == "d" and abs(period.value - 25.0) < 3.0 * period.err < 9.0
    assert found.rotation_days in (None, period.value)  # told where it is determined
    assert re.search("stellar rotation period|with a memory of", repr(found))
    trial, *shapes = found.noise.tried
    assert trial.name == "mep" and trial.chosen and trial.delta_bic > 10.0
    assert [shape.name for shape in shapes if not shape.chosen] == ["esp3", "mep4", "matern32"]
    after = found.residuals_m_s - found.noise_m_s
    assert after.std() < 1.5 < 2.0 < found.residuals_m_s.std()
    assert not found.noise_m_s.flags.writeable


def test_given_terms(active):
    words = "rotation(period=20:30, decay=60)"
    given = equant.fit(active, 1, noise=words, **{**RANGE, "max_planets": 1})
    (term,) = given.noise.terms
    period, decay = term.parameters["period"], term.parameters["decay"]
    assert term.name == "mep" and 20.0 < period.value < 30.0 and not period.fixed
    assert decay == equant.NoiseValue(60.0, 0.0, "d", True)
    (trial,) = given.noise.tried
    assert trial.given and trial.chosen and trial.delta_bic > 10.0
    assert given.rotation_days == period.value


def test_indicators(following):
    (indicator,) = following.noise.indicators
    assert indicator.name == "fwhm"
    expected = 0.15 * indicator.deviation
    assert abs(indicator.slope_m_s - expected) < 4.0 * indicator.slope_m_s_err
    assert following.noise.terms == () and following.rotation_days is None
    assert not following.noise.is_white and not following.noise_m_s.any()


def test_search(active):
    wanted = {"period_min_days": 6.0, "period_max_days": 80.0, "circular_only": True}
    found = equant.search(active, noise="rotation(period=20:30)", **wanted)
    (term,) = [name for name in equant.Noise(found.noise).names if name.endswith("period")]
    assert term == "mep_period"
    assert abs(found.peaks[0].period_days - 8.3) < 0.1 and found.peaks[0].false_alarm < 1e-6
    kept = pickle.loads(pickle.dumps(found))
    assert kept.noise == found.noise and found.indicators == ""
    assert equant.search(active, **wanted).noise == ""


def test_named_indicators(follower):
    range_ = {**RANGE, "max_planets": 1, "indicators": ["fwhm"]}
    named = equant.fit(follower, 0, **{k: v for k, v in range_.items() if k != "max_planets"})
    (indicator,), (trial,) = named.noise.indicators, named.noise.indicators_tried
    assert trial.name == "fwhm" and trial.given and trial.chosen and trial.delta_bic > 10.0
    column = indicator.column(follower)
    assert abs(column.mean()) < 1e-9 and column.std() == pytest.approx(1.0)
    white = equant.fit(follower, 0, indicators="none")
    assert white.noise.is_white and white.noise.indicators_tried == ()
    with pytest.raises(equant.InvalidArgument, match="no indicator 'bis'; they have fwhm"):
        equant.fit(follower, indicators="bis")


def test_remarks_on_indicators():
    times = 2460000.0 + np.cumsum(1.0 + 2.0 * equant.random_uniform(5, 60))
    fwhm = 7000.0 + 20.0 * equant.random_normal(6, 60)
    fwhm[:7] = np.nan
    data = equant.Data.from_arrays(
        times,
        equant.random_normal(7, 60),
        1.0,
        ["one"] * 50 + ["two"] * 10,
        indicators={"fwhm": np.where(np.arange(60) < 50, fwhm, np.nan), "bis": np.ones(60)},
    )
    with pytest.raises(equant.InvalidArgument, match="'bis' has the same value in all rows"):
        equant.fit(data, 0, indicators="fwhm,bis")
    with pytest.warns(UserWarning) as said:
        equant.fit(data, 0, indicators="fwhm")
    assert [str(warning.message) for warning in said] == [
        "The indicator fwhm is missing in 7 of 50 rows of one: there it counts as at its mean.",
        "The indicator fwhm is not of two, whose velocities do not follow it.",
    ]


@pytest.mark.parametrize("which", ["found", "following"])
def test_evaluators_have_the_noise(which, request):
    fit = request.getfixturevalue(which)
    ln_l = fit.evaluator().log_likelihood(fit.parameters)
    assert ln_l == pytest.approx(fit.summary.log_likelihood, abs=1e-6)
    n_noise = sum(len(term.parameters) for term in fit.noise.terms)
    assert fit.parameters.size == fit.covariance.shape[0] == fit.summary.n_fitted - len(
        fit.noise.indicators
    )
    values = [own.value for term in fit.noise.terms for own in term.parameters.values()]
    assert list(fit.parameters[fit.parameters.size - n_noise :]) == values


def test_white(active):
    white = equant.fit(active, 1, period_min_days=6.0, period_max_days=20.0)
    assert white.noise == equant.FittedNoise() and white.noise.is_white
    assert white.rotation_days is None and not white.noise_m_s.any()
    assert "turns" not in repr(white)


def assert_kept(one, other):
    assert one.noise == other.noise and one.rotation_days == other.rotation_days
    assert repr(one) == repr(other)
    for name in ("residuals_m_s", "model_velocities_m_s", "noise_m_s"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.mark.parametrize("which", ["found", "following"])
def test_kept(which, request, tmp_path):
    fit = request.getfixturevalue(which)
    assert_kept(fit, pickle.loads(pickle.dumps(fit)))
    fit.save(tmp_path / "star")
    assert_kept(fit, equant.load(tmp_path / "star"))


def test_files_are_those_of_the_command(found, active, command, tmp_path):
    data = np.array([active.times_days, active.velocities_m_s, active.uncertainties_m_s]).T
    rows = "\n".join(",".join(repr(float(cell)) for cell in row) for row in data)
    (tmp_path / "star.csv").write_text(f"time,mnvel,errvel\n{rows}\n")
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    words = ["--noise", "auto", "--period", "6:80", "--max-eccentricity", "0.3", "--max-planets"]
    run = [command, "fit", str(tmp_path / "star.csv"), *words, "2", "--out", str(theirs)]
    subprocess.run([*run, "--no-pictures"], check=True, capture_output=True)
    found.save(ours)
    one, other = (json.loads((folder / "fit.json").read_text()) for folder in (ours, theirs))
    assert list(one) == list(other) and list(one["noise"]) == list(other["noise"])
    assert one["noise"]["terms"] == other["noise"]["terms"]
    assert one["noise"]["tried"] == other["noise"]["tried"]
    assert one["noise"]["rms_after_m_s"] == pytest.approx(other["noise"]["rms_after_m_s"])
    heads = [
        next(line for line in (folder / "residuals.ecsv").read_text().split("\n") if line[0] != "#")
        for folder in (ours, theirs)
    ]
    assert heads[0] == heads[1] == "time,velocity,uncertainty,instrument,model,residual,noise_m_s"


def test_bad_words(active):
    with pytest.raises(equant.InvalidArgument, match="no term 'nonsense'; there are night, "):
        equant.fit(active, noise="nonsense")
    with pytest.raises(equant.InvalidArgument, match="without jitters has white noise"):
        equant.fit(active, noise="auto", jitter=False)


def test_outliers_are_named_and_kept(tmp_path):
    """Three bad observations of 60, in a fit, in its evaluator, and in its folder."""
    chance = np.random.default_rng(3)
    times = 2460000.0 + np.arange(60) * 5.1 + chance.uniform(0, 0.3, 60)
    velocities = 6 * np.sin(2 * np.pi * times / 13.7) + 2 * chance.standard_normal(60)
    velocities[[10, 28, 45]] += 20
    data = equant.Data.from_arrays(times, velocities, np.full(60, 2.0))
    found = equant.fit(data, progress=False)
    assert [own.rows for own in found.outliers] == [(10,), (28,), (45,)]
    assert {own.unit for own in found.outliers} == {"observation"}
    assert all(own.deviation_sigma > 5 for own in found.outliers)
    assert len(found.planets) == 1
    wide = found.uncertainties_m_s > 2.0
    assert list(np.flatnonzero(wide)) == [10, 28, 45]
    chi_square = found.evaluator().chi_square(found.parameters)
    assert np.isclose(chi_square, found.summary.chi_square, rtol=1e-9)
    found.save(tmp_path / "fit")
    assert equant.load(tmp_path / "fit").outliers == found.outliers
    assert [own.period_days for own in found.rivals if not own.is_of_candidate] == pytest.approx(
        [planet.period_days for planet in found.planets], rel=0.05
    )
    assert all("probable" in own.sentence for own in found.rivals)
    assert equant.load(tmp_path / "fit").rivals == found.rivals
    assert equant.fit(data, progress=False, outliers="none").outliers == ()
    with pytest.raises(equant.InvalidArgument, match="outliers are 'auto'"):
        equant.fit(data, progress=False, outliers=0.7)
    with pytest.warns(UserWarning, match="does not predict the observation of JD 2460142"):
        equant.search(data, outliers="auto", known=found.planets, circular_only=True, progress=False)
