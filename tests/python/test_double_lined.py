"""Double-lined binaries against brute force in numpy, and calibrated on simulated ones."""

import itertools

import numpy as np
import pytest

import equant

SPAN = 1800.0


def shape(times, period, e, omega, t_peri):
    mean = 2 * np.pi * (times - t_peri) / period
    anomaly = mean + 0.0
    for _ in range(200):
        anomaly -= (anomaly - e * np.sin(anomaly) - mean) / (1 - e * np.cos(anomaly))
    nu = 2 * np.arctan2(np.sqrt(1 + e) * np.sin(anomaly / 2), np.sqrt(1 - e) * np.cos(anomaly / 2))
    return np.cos(nu + omega) + e * np.cos(omega)


def simulate(draw, n, period, e, k1, q, gamma=3000.0, errors=(900.0, 1400.0)):
    """Columns of a binary, roles at random; with the roles and what parts the stars."""
    times = 2457000.0 + np.sort(draw.uniform(0, SPAN, n))
    x = shape(times, period, e, draw.uniform(0, 6.28), 2457000.0 + draw.uniform(0, period))
    stars = np.array([gamma + k1 * x, gamma - k1 / q * x]) + draw.normal(size=(2, n)) * np.array(errors)[:, None]
    sigma = np.repeat(np.array(errors)[:, None], n, axis=1)
    swap = draw.random(n) < 0.5
    for array in (stars, sigma):
        array[:, swap] = array[::-1, swap]
    columns = {
        "time_days": times,
        "velocity_1_m_s": stars[0],
        "uncertainty_1_m_s": sigma[0],
        "velocity_2_m_s": stars[1],
        "uncertainty_2_m_s": sigma[1],
    }
    return columns, swap, np.abs(k1 * (1 + 1 / q) * x)


def densities(columns, first, second, jitter=0.0):
    """ln of both hypotheses of each row."""

    def one(velocity, error, model):
        variance = error**2 + jitter**2
        return -0.5 * ((velocity - model) ** 2 / variance + np.log(2 * np.pi * variance))

    a = columns["velocity_1_m_s"], columns["uncertainty_1_m_s"]
    b = columns["velocity_2_m_s"], columns["uncertainty_2_m_s"]
    return np.array([one(*a, first) + one(*b, second), one(*a, second) + one(*b, first)])


def mixture(columns, first, second, jitter=0.0):
    return np.sum(np.logaddexp(*densities(columns, first, second, jitter)) - np.log(2))


def test_likelihood_is_the_sum_over_all_roles():
    draw = np.random.default_rng(1)
    columns, _, _ = simulate(draw, 9, 41.3, 0.3, 4000.0, 0.8)
    fit = equant.fit_double_lined(**columns, period_days=(20.0, 100.0))
    rows = densities(columns, *fit.velocities(columns["time_days"]), fit.jitter_m_s)
    patterns = [sum(rows[role, k] for k, role in enumerate(roles)) for roles in itertools.product((0, 1), repeat=9)]
    assert fit.log_likelihood == pytest.approx(np.logaddexp.reduce(patterns) - 9 * np.log(2), abs=1e-8)
    np.testing.assert_allclose(fit.swapped, 1 / (1 + np.exp(rows[0] - rows[1])), atol=1e-9)
    model = shape(columns["time_days"], fit.period_days, fit.eccentricity, fit.omega_rad, fit.t_peri_days)
    np.testing.assert_allclose(
        fit.velocities(columns["time_days"])[0], fit.gamma_m_s + fit.k_m_s[0] * model, rtol=1e-9
    )


def best_by_brute_force(columns, low, high):
    """The best circular ln L, by all frequencies, phases and amplitudes of a grid."""
    times, best = columns["time_days"], -np.inf
    total = columns["velocity_1_m_s"] + columns["velocity_2_m_s"]
    apart = np.abs(columns["velocity_1_m_s"] - columns["velocity_2_m_s"])
    weight = 1 / (columns["uncertainty_1_m_s"] ** 2 + columns["uncertainty_2_m_s"] ** 2)
    for frequency in np.arange(1 / high, 1 / low, 1 / (12 * SPAN)):
        for phase in np.arange(0, np.pi, np.pi / 24):
            x = np.cos(2 * np.pi * frequency * times - phase)
            size = np.sum(weight * apart * np.abs(x)) / np.sum(weight * x * x)
            centred = x - np.average(x, weights=weight)
            slope = np.sum(weight * total * centred) / np.sum(weight * centred**2)
            gamma = 0.5 * np.average(total - slope * x, weights=weight)
            first, second = 0.5 * (size + slope), 0.5 * (size - slope)
            best = max(best, mixture(columns, gamma + first * x, gamma - second * x))
    return best


def test_no_circular_orbit_is_better():
    draw = np.random.default_rng(2)
    columns, _, _ = simulate(draw, 10, 23.7, 0.0, 8000.0, 0.7)
    fit = equant.fit_double_lined(**columns, period_days=(10.0, 60.0), jitter=False)
    assert fit.log_likelihood >= best_by_brute_force(columns, 10.0, 60.0)
    assert abs(1 / fit.period_days - 1 / 23.7) * SPAN < 0.5


def test_errors_are_those_of_the_curvature():
    draw = np.random.default_rng(3)
    columns, _, _ = simulate(draw, 24, 67.0, 0.4, 20000.0, 0.6)
    fit = equant.fit_double_lined(**columns, jitter=False)
    times = columns["time_days"]

    def at(elements):
        period, k, h, longitude, gamma, k1, k2 = elements
        e, omega = np.hypot(k, h), np.arctan2(h, k)
        x = shape(times, period, e, omega, times.mean() - (longitude - omega) / (2 * np.pi) * period)
        return mixture(columns, gamma + k1 * x, gamma - k2 * x)

    e, omega = fit.eccentricity, fit.omega_rad
    longitude = omega + 2 * np.pi * (times.mean() - fit.t_peri_days) / fit.period_days
    best = np.array([fit.period_days, e * np.cos(omega), e * np.sin(omega), longitude, fit.gamma_m_s, *fit.k_m_s])
    steps = 0.02 * np.sqrt(np.diag(fit.covariance))
    curvature = np.empty((7, 7))
    for i, j in itertools.product(range(7), repeat=2):
        a, b = np.eye(7)[i] * steps, np.eye(7)[j] * steps
        curvature[i, j] = -(at(best + a + b) - at(best + a - b) - at(best - a + b) + at(best - a - b))
        curvature[i, j] /= 4 * steps[i] * steps[j]
    expected = np.sqrt(np.diag(np.linalg.inv(curvature)))
    np.testing.assert_allclose(np.sqrt(np.diag(fit.covariance)), expected, rtol=0.02)
    ratio = np.zeros(7)
    ratio[5:] = 1 / fit.k_m_s[1], -fit.k_m_s[0] / fit.k_m_s[1] ** 2
    assert fit.mass_ratio_err == pytest.approx(np.sqrt(ratio @ fit.covariance @ ratio), rel=1e-3)


def test_simulated_binaries():
    draw = np.random.default_rng(4)
    pulls, right, judged = [], 0, 0
    for _ in range(20):
        period, q = np.exp(draw.uniform(np.log(10), np.log(500))), draw.uniform(0.5, 0.95)
        columns, swap, apart = simulate(draw, 20, period, 0.6 * draw.random() ** 2, draw.uniform(10e3, 50e3), q)
        fit = equant.fit_double_lined(**columns, period_days=(5.0, 1000.0))
        assert abs(1 / fit.period_days - 1 / period) * SPAN < 0.5
        pulls.append((fit.mass_ratio - q) / fit.mass_ratio_err)
        clear = apart > 3 * np.hypot(900.0, 1400.0)
        right += np.sum((fit.swapped > 0.5)[clear] == swap[clear])
        judged += clear.sum()
    assert right >= 0.99 * judged
    assert abs(np.mean(pulls)) < 3 / np.sqrt(20) and 0.5 < np.std(pulls) < 1.6


def test_roles_that_are_known():
    draw = np.random.default_rng(5)
    columns, swap, _ = simulate(draw, 20, 50.0, 0.2, 20000.0, 0.7)
    for name in ("velocity", "uncertainty"):
        first, second = (columns[f"{name}_{i}_m_s"].copy() for i in (1, 2))
        columns[f"{name}_1_m_s"] = np.where(swap, first, second)  # the lighter star first
        columns[f"{name}_2_m_s"] = np.where(swap, second, first)
    for roles in ({"keep_roles": True}, {"is_ordered": np.ones(20, bool)}):
        fit = equant.fit_double_lined(**columns, **roles)
        assert not fit.swapped.any() and fit.mass_ratio == pytest.approx(1 / 0.7, abs=0.1)
    free = equant.fit_double_lined(**columns)
    assert free.mass_ratio == pytest.approx(0.7, abs=0.05) and free.swapped.round().sum() == 20


def test_a_pair_that_does_not_move():
    draw = np.random.default_rng(6)
    columns, _, _ = simulate(draw, 20, 50.0, 0.0, 1e-3, 1.0)
    columns["velocity_1_m_s"] += 20000.0
    assert equant.fit_double_lined(**columns).log_odds < 3


def test_what_is_refused():
    draw = np.random.default_rng(7)
    columns, _, _ = simulate(draw, 8, 50.0, 0.0, 20000.0, 0.8)
    with pytest.raises(equant.InvalidArgument, match="a file, or all five arrays"):
        equant.fit_double_lined(time_days=columns["time_days"])
    with pytest.raises(equant.InvalidArgument, match="of one length"):
        equant.fit_double_lined(**{**columns, "velocity_2_m_s": np.zeros(3)})
    with pytest.raises(equant.InvalidArgument, match="row 0: velocity 1 has no uncertainty"):
        equant.fit_double_lined(**{**columns, "uncertainty_1_m_s": np.zeros(8)})
    with pytest.raises(equant.InvalidArgument, match="no range"):
        equant.fit_double_lined(**columns, period_days=(30.0, 20.0))
