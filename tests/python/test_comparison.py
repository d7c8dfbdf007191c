"""Comparisons of numbers of planets, against what the data were made of."""

import numpy as np
import pytest

import equant


def star(k_m_s, n_obs=40):
    """One planet of 7.3 days, or none where k is 0."""
    steps = np.arange(n_obs)
    time = 2455000.0 + 1.9 * steps + 0.3 * np.sin(7.0 * steps)
    noise = equant.random_normal(5, n_obs, purpose=900)
    velocity = k_m_s * np.cos(2 * np.pi * time / 7.3) + noise
    return equant.Data.from_arrays(time, velocity, np.ones(n_obs))


QUICK = dict(noise="white", period_min_days=2.0, period_max_days=70.0, max_planets=2,
             n_sweeps=40, n_populations=2)


def test_a_planet_is_found():
    found = equant.compare(star(4.0), seed=1, **QUICK)
    assert found.agrees and found.remarks == ()
    assert sum(found.number_probabilities) == pytest.approx(1.0)
    assert found.number_probabilities[0] < 1e-6
    assert max(value for value, _ in found.log_evidence if value == value) == 0.0
    best = found.signals[0]
    assert best.period_days == pytest.approx(7.3, abs=0.05)
    assert best.probability > 0.999 and best.fip < 1e-3
    assert best.aliases[0].delta_lnl == 0.0
    assert sum(alias.probability for alias in best.aliases) == pytest.approx(1.0)
    assert found.fip(7.0, 7.6) == pytest.approx(best.fip, abs=1e-3)
    assert found.fip_periodogram.shape == found.frequency_per_day.shape
    nearest = np.argmin(np.abs(found.frequency_per_day - 1 / 7.3))
    assert found.fip_periodogram[nearest] < 1e-2 < np.median(found.fip_periodogram)
    assert any("log-uniform" in sentence for sentence in found.priors)


def test_the_number_of_a_fit_is_a_count(fit):
    assert fit.n_planets == len(fit.planets) == 1 and isinstance(fit.n_planets, int)
    assert sum(fit.number_probabilities) == pytest.approx(1.0)
    assert len(fit.number_probabilities) > fit.n_planets
    for use in (sum, len, list, lambda n: n[0]):
        with pytest.raises(TypeError, match="number_probabilities"):
            use(fit.n_planets)
    found = equant.compare(star(0.0), **QUICK)
    with pytest.raises(AttributeError, match="number_probabilities"):
        found.n_planets


def test_noise_is_no_planet():
    found = equant.compare(star(0.0), ratio_n=1 / 3, circular=True, **QUICK)
    assert found.number_probabilities[0] > 0.5
    assert all(signal.probability < 0.95 for signal in found.signals)
    assert "Comparison" in repr(found)


def test_priors_are_ours_to_choose():
    found = equant.compare(star(4.0), prior_e="rayleigh(0.2)", prior_jitter="uniform(0, 3)", **QUICK)
    assert "Eccentricities are rayleigh(0.2, 0, 0.97)." in found.priors
    assert "Jitters are uniform(0, 3) m/s." in found.priors
    assert found.signals[0].probability > 0.999


def test_what_is_refused():
    for prior in "fixed(0.3)", "uniform(0.1, 0.5)", "round":
        with pytest.raises(equant.InvalidArgument, match="eccentricities"):
            equant.compare(star(0.0), prior_e=prior, **QUICK)
    with pytest.raises(equant.InvalidArgument, match="jitter"):
        equant.compare(star(0.0), prior_jitter="uniform(-1, 2)", **QUICK)
    with pytest.raises(equant.InvalidArgument):
        equant.compare(star(0.0), ratio_n=3.0, **QUICK)


def test_what_is_refused_is_refused_before_the_fit():
    heard = []
    with pytest.raises(equant.InvalidArgument, match="is no prior"):
        equant.compare(star(0.0), prior_e="foo(1)", progress=lambda *said: heard.append(said))
    assert not heard
