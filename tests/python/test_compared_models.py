"""Models that differ from the adopted one by one choice, against least squares of our own."""

import numpy as np
import pytest

import equant

scipy = pytest.importorskip("scipy.optimize")

PERIOD, CONJUNCTION = 20.885258, 2072.79438
STATES = {
    "b.period_days": PERIOD,
    "b.t_conj": CONJUNCTION,
    "b.eccentricity": 0,
    "trend": "linear",
}


@pytest.fixture(scope="module")
def data():
    random = np.random.default_rng(7)
    time = 2364.8 + np.sort(random.uniform(0, 100, 60))
    velocity = -6 * np.sin(2 * np.pi * (time - CONJUNCTION) / PERIOD) + 0.05 * (time - 2400)
    return equant.Data.from_arrays(time, velocity + random.normal(0, 3, 60), np.full(60, 2.0))


@pytest.fixture(scope="module")
def models(data):
    # White: by default the model without planets has the noise that the data ask for without them.
    engine = equant.Engine(n_threads=1)
    found = equant.fit(data, states=STATES, noise="white", models=True, engine=engine)
    assert found.models[0].is_adopted and not any(own.is_adopted for own in found.models[1:])
    assert found.models[0].log_likelihood == found.summary.log_likelihood
    return {own.name: own for own in found.models}


def largest(data, columns, has_jitter=True):
    """ln L at its maximum over linear columns and one jitter."""
    velocity, error = data.velocities_m_s, data.uncertainties_m_s

    def negative(jitter):
        variance = error**2 + jitter**2
        weight = 1 / np.sqrt(variance)
        solved = np.linalg.lstsq(columns * weight[:, None], velocity * weight, rcond=None)[0]
        residual = velocity - columns @ solved
        return 0.5 * np.sum(residual**2 / variance + np.log(2 * np.pi * variance))

    if not has_jitter:
        return -negative(0.0)
    return -scipy.minimize_scalar(negative, bounds=(0, 20), options={"xatol": 1e-9}).fun


def test_linear_models_are_those_of_least_squares(data, models):
    days = data.times_days - 2400
    one = np.ones_like(days)
    circle = -np.sin(2 * np.pi * (data.times_days - CONJUNCTION) / PERIOD)
    wanted = {
        "adopted": (largest(data, np.column_stack([circle, one, days])), 4),
        "without planets": (largest(data, np.column_stack([one, days])), 3),
        "no trend": (largest(data, np.column_stack([circle, one])), 3),
        "quadratic trend": (largest(data, np.column_stack([circle, one, days, days**2])), 5),
        "no jitter": (largest(data, np.column_stack([circle, one, days]), False), 3),
    }
    for name, (log_likelihood, n_fitted) in wanted.items():
        own = models[name]
        assert own.log_likelihood == pytest.approx(log_likelihood, abs=1e-6), name
        assert own.n_fitted == n_fitted, name
        assert own.bic == pytest.approx(n_fitted * np.log(60) - 2 * log_likelihood, abs=1e-5)
        few = 2 * n_fitted * (n_fitted + 1) / (60 - n_fitted - 1)
        assert own.aicc == pytest.approx(2 * n_fitted - 2 * log_likelihood + few, abs=1e-5)
    assert set(models) == {*wanted, "planet b on an ellipse"}


def test_an_ellipse_is_no_worse_than_its_circle(models):
    ellipse, circle = models["planet b on an ellipse"], models["adopted"]
    assert ellipse.log_likelihood >= circle.log_likelihood
    assert ellipse.n_fitted == circle.n_fitted + 2


def test_words_are_about_the_bic(models):
    lowest = min(own.bic for own in models.values())
    words = {"best": 0, "no worse": 2, "worse": 6, "much worse": 10, "ruled out": np.inf}
    for own in models.values():
        assert own.bic - lowest <= words[own.words]
    assert models["without planets"].words == "ruled out"


def test_planets_that_were_found_stay_themselves(data):
    found = equant.fit(data, 1, trend="linear", models=True, engine=equant.Engine(n_threads=1))
    models = {own.name: own for own in found.models}
    planet = found.planets[0]
    lost = models["without planets"]
    assert lost.log_likelihood == pytest.approx(
        found.summary.log_likelihood_without_planets, abs=1e-6
    )
    assert models["planet b on a circle"].log_likelihood <= found.summary.log_likelihood + 1e-6
    assert models["planet b on a circle"].n_fitted == found.summary.n_fitted - 2
    assert planet.k_m_s == pytest.approx(6, abs=2)
