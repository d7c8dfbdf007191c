"""The most probable period of an orbit as long as the data, beside an integral by numpy."""

import numpy as np
import pytest

import equant

SIGMA = 0.1


def made_up(size, period, eccentricity, seed, n=70):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    year = t / 365.25
    factor = np.sin(2 * np.pi * year) * np.sin(psi) + 0.4 * np.cos(2 * np.pi * year) * np.cos(psi)
    x, y = place(2 * np.pi * t / period + 2.0, eccentricity)
    w = (1 + 3 * year) * np.sin(psi) - 2 * year * np.cos(psi) + 10 * factor
    w += size * (0.5 * y * np.sin(psi) + x * np.cos(psi)) + rng.normal(0, SIGMA, n)
    return t, w, psi, factor


def place(mean, e):
    anomaly = mean + e * np.sin(mean)
    for _ in range(20):
        anomaly = anomaly - (anomaly - e * np.sin(anomaly) - mean) / (1 - e * np.cos(anomaly))
    return np.cos(anomaly) - e, np.sqrt(1 - e * e) * np.sin(anomaly)


def log_probabilities(t, w, psi, factor, log_periods):
    """ln of the likelihood with all but the period integrated, the noise being known."""
    year, e = t / 365.25, (np.arange(14) + 0.5)[:, None, None] / 14 * 0.95
    base = np.array([np.sin(psi), np.cos(psi), factor, year * np.sin(psi), year * np.cos(psi)]) / SIGMA
    q, _ = np.linalg.qr(base.T)
    left = w / SIGMA - q @ (q.T @ (w / SIGMA))
    m0 = 2 * np.pi * np.arange(40)[None, :, None] / 40
    low, high = np.log(0.01 * SIGMA), np.log(100 * (np.ptp(w) + SIGMA))
    inverse = np.exp(-2 * np.arange(low, high, 0.3))  # of the square of scales
    found = []
    for log_period in log_periods:
        x, y = place(2 * np.pi * t / np.exp(log_period) + m0, np.broadcast_to(e, (14, 40, len(t))))
        columns = np.stack([x * np.cos(psi), x * np.sin(psi), y * np.cos(psi), y * np.sin(psi)], 2) / SIGMA
        columns = columns - (columns @ q) @ q.T
        values, vectors = np.linalg.eigh(columns @ np.swapaxes(columns, 2, 3))
        along = np.einsum("emab,ema->emb", vectors, columns @ left)[..., None]
        more = values[..., None] + inverse
        each = 0.5 * (along**2 / more - np.log(more / inverse)).sum(2)
        found.append(np.logaddexp.reduce(each, axis=None))
    return np.array(found)


@pytest.mark.parametrize("seed", [3, 5])
def test_most_probable_period(seed):
    t, w, psi, factor = made_up(0.22, 1500.0, 0.2, seed)
    source = equant.Astrometry.from_arrays(t, w, np.full(len(t), SIGMA), psi, factor)
    fit = equant.fit_astrometry(source, period_days=(100, 0), orbit=True, jitter=False)
    (own,) = fit.companions
    grid = np.log(own.period_days) + np.arange(-16, 17) * 0.04
    told = log_probabilities(t, w, psi, factor, grid)
    assert own.period_days_err > 0.05 * own.period_days
    assert abs(np.argmax(told) - 16) <= 2
    # Chi-squares of models are the least, that of the orbit told is not below it.
    assert fit.models["orbit"].chi_square <= fit.chi_square < fit.models["orbit"].chi_square + 6


def test_a_period_that_is_known_stays_the_best():
    t, w, psi, factor = made_up(2.0, 600.0, 0.3, 3)
    source = equant.Astrometry.from_arrays(t, w, np.full(len(t), SIGMA), psi, factor)
    fit = equant.fit_astrometry(source, period_days=(100, 0), jitter=False)
    assert fit.chi_square == pytest.approx(fit.models["orbit"].chi_square, rel=1e-9)
