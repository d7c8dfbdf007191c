"""Fits with states beside correlated noise, against likelihoods of whole matrices."""

import numpy as np
import pytest

import equant
from shared_data import shared_file

ENGINE = equant.Engine(n_threads=1)
PERIOD, CONJUNCTION, AMPLITUDE = 11.3, 4.0, 6.0
KNOWN = {
    "b.period_days": f"normal({PERIOD}, 0.02)",
    "b.t_conj": f"normal({CONJUNCTION}, 0.1)",
    "b.eccentricity": 0,
    "trend": "none",
}


@pytest.fixture(scope="module")
def data():
    """A circle, and a star that turns in 25 days."""
    random = np.random.default_rng(3)
    time = np.sort(random.uniform(0, 160, 80))
    lag = time[:, None] - time
    covariance = 16 * np.exp(-(lag**2) / (2 * 60**2) - np.sin(np.pi * lag / 25) ** 2 / (2 * 0.6**2))
    velocity = -AMPLITUDE * np.sin(2 * np.pi * (time - CONJUNCTION) / PERIOD)
    velocity += random.multivariate_normal(np.zeros(80), covariance + 1e-9 * np.eye(80))
    velocity += random.normal(0, 1.2, 80)
    return equant.Data.from_arrays(time, velocity, np.ones(80))


def exponential(lag, values):
    amplitude, decay = values
    return amplitude**2 * np.exp(-np.abs(lag) / decay)


def quasi_periodic(lag, values):
    amplitude, period, decay, width = values
    return amplitude**2 * np.exp(
        -0.5 * (np.sin(np.pi * lag / period) / width) ** 2 - 0.5 * (lag / decay) ** 2
    )


def log_likelihood(data, kernel, period, conjunction, k, offset, jitter, *noise):
    time = data.times_days
    covariance = kernel(time[:, None] - time, noise)
    covariance[np.diag_indices(len(time))] += data.uncertainties_m_s**2 + jitter**2
    residual = data.velocities_m_s - offset + k * np.sin(2 * np.pi * (time - conjunction) / period)
    factor = np.linalg.cholesky(covariance)
    white = np.linalg.solve(factor, residual)
    return (
        -0.5 * (white @ white) - np.log(np.diag(factor)).sum() - 0.5 * len(time) * np.log(2 * np.pi)
    )


def normal(x, mean, sigma):
    return -0.5 * ((x - mean) / sigma) ** 2 - np.log(sigma * np.sqrt(2 * np.pi))


def highest(function, start):
    """The maximum near a start, by a method that knows no slopes, then by one that does."""
    optimize = pytest.importorskip("scipy.optimize")
    scale = np.maximum(np.abs(start), 0.1)
    best = optimize.minimize(
        lambda x: -function(x * scale),
        start / scale,
        method="Nelder-Mead",
        options={"maxfev": 4000},
    )
    best = optimize.minimize(lambda x: -function(x * scale), best.x, method="BFGS")
    return best.x * scale, -best.fun


def curvature(function, x, steps):
    n = len(x)
    matrix = np.empty((n, n))
    unit = np.diag(steps)
    for i in range(n):
        for j in range(n):
            matrix[i, j] = (
                function(x + unit[i] + unit[j])
                - function(x + unit[i] - unit[j])
                - function(x - unit[i] + unit[j])
                + function(x - unit[i] - unit[j])
            ) / (4 * steps[i] * steps[j])
    return -matrix


@pytest.mark.parametrize(
    "noise, kernel, states, prior",
    [
        ("exponential", exponential, {"exponential_decay_days": "normal(9, 1)"}, (6, 9, 1)),
        ("qp", quasi_periodic, {"rotation_period_days": "normal(25.6, 0.2)"}, (6, 25.6, 0.2)),
    ],
)
def test_the_maximum_is_that_of_the_whole_matrix(data, noise, kernel, states, prior):
    fit = equant.fit(data, noise=noise, states={**KNOWN, **states}, engine=ENGINE)
    names = fit.parameter_names
    found = dict(zip(names, fit.parameters))
    own = [found[name] for name in names[5:]]  # offset, jitter and noise
    conjunction = fit.planets[0].t_conj
    turns = round((conjunction - CONJUNCTION) / PERIOD)
    conjunction -= turns * fit.planets[0].period_days
    start = np.array([found["period_days_1"], conjunction, found["k_m_s_1"], *own])

    def likelihood(x):
        return log_likelihood(data, kernel, *x)

    def posterior(x):
        place, mean, sigma = prior
        return (
            likelihood(x)
            + normal(x[0], PERIOD, 0.02)
            + normal(x[1], CONJUNCTION, 0.1)
            + normal(x[place], mean, sigma)
        )

    assert fit.summary.log_likelihood == pytest.approx(likelihood(start), abs=1e-6)
    best, height = highest(posterior, start * (1 + 0.01 * np.cos(np.arange(len(start)))))
    assert posterior(start) == pytest.approx(height, abs=1e-5)
    assert posterior(start) >= height - 1e-5
    assert fit.summary.n_fitted == len(start)

    # Errors of noise: the curvature of the whole posterior, but for a jitter at its end of zero.
    moving = np.array([i for i, value in enumerate(start) if value > 1e-3 or i != 4])

    def of_moving(y):
        x = start.copy()
        x[moving] = y
        return posterior(x)

    steps = 1e-3 * np.maximum(np.abs(start[moving]), 0.1)
    covariance = np.linalg.inv(curvature(of_moving, start[moving], steps))
    errors = dict(zip(moving, np.sqrt(np.diag(covariance))))
    for i in range(5, len(start)):
        error = np.sqrt(fit.covariance[i + 2, i + 2])
        assert error == pytest.approx(errors[i], rel=0.05), names[i + 2]
    assert np.sqrt(fit.covariance[0, 0]) < 0.02


def test_what_says_nothing_changes_nothing(data):
    """With and without states: the same maximum, the same errors."""
    for noise in ("exponential", "rotation", "qp"):
        plain = equant.fit(data, 1, noise=noise, trend="none", engine=ENGINE)
        stated = equant.fit(data, 1, noise=noise, states={"trend": "none"}, engine=ENGINE)
        assert stated.summary.log_likelihood == pytest.approx(
            plain.summary.log_likelihood, abs=1e-5
        )
        assert stated.summary.bic == pytest.approx(plain.summary.bic, abs=1e-4)
        ours, theirs = (np.sqrt(np.diag(one.covariance))[:6] for one in (stated, plain))
        assert np.allclose(ours, theirs, rtol=1e-3)


def test_chosen_noise_keeps_what_is_known(data):
    """The noise is found, and what was said of planet and rotation counts in the end."""
    fit = equant.fit(
        data,
        noise="auto",
        states={**KNOWN, "rotation_period_days": "24:24.5"},
        engine=ENGINE,
    )
    assert fit.letters == "b" and fit.planets[0].eccentricity == 0.0
    assert fit.planets[0].period_days == pytest.approx(PERIOD, abs=0.06)
    assert fit.noise.rotation is not None
    assert 24 <= fit.noise.rotation.value <= 24.5
    white = equant.fit(data, states=KNOWN, noise="white", engine=ENGINE)
    assert fit.summary.bic < white.summary.bic - 20


def test_fixed_noise_does_not_move(data):
    fit = equant.fit(
        data,
        noise="rotation",
        states={**KNOWN, "rotation_period_days": 25, "mep_width": 0.6, "jitter": 1.1},
        engine=ENGINE,
    )
    found = dict(zip(fit.parameter_names, fit.parameters))
    assert found["mep_period_days"] == 25 and found["mep_width"] == 0.6
    assert found["jitter_m_s_1"] == 1.1
    assert fit.summary.n_fitted == 6  # period, conjunction, K, offset, amplitude and decay


def test_what_counts_for_nothing_is_said(data):
    random = np.random.default_rng(8)
    quiet = equant.Data.from_arrays(data.times_days, random.normal(0, 1, 80), np.ones(80))
    with pytest.warns(UserWarning, match="rotation_period_days counts for nothing"):
        fit = equant.fit(
            quiet, noise="auto", states={"rotation_period_days": "normal(25, 1)"}, engine=ENGINE
        )
    assert fit.noise.is_white


@pytest.mark.parametrize(
    "noise, states, said",
    [
        ("night", {"rotation_period_days": 25}, "a noise that the model does not have"),
        (None, {"rotation_period_days": 25}, "as in --noise rotation"),
        ("rotation(period=20:30)", {"rotation_period_days": 25}, "have said already"),
        ("rotation", {"rotation_period_days": 900}, "longer than the data"),
        ("rotation", {"rotation_perod_days": 25}, "did you mean 'rotation_period_days'"),
        ("rotation", {"rotation_period_days[X]": 25}, "the data have no instrument 'X'"),
    ],
)
def test_mistakes_are_named(data, noise, states, said):
    with pytest.raises(equant.InvalidArgument, match=said):
        equant.fit(data, 1, noise=noise, states=states, engine=ENGINE)


def test_instruments_have_noise_of_their_own():
    random = np.random.default_rng(2)
    time = np.sort(random.uniform(0, 100, 60))
    made_by = np.arange(60) % 2
    data = equant.Data.from_arrays(
        time, random.normal(0, 3, 60), np.ones(60), np.array(["one", "two"])[made_by]
    )
    fit = equant.fit(
        data,
        0,
        noise="exponential@one, exponential@two",
        states={"exponential_decay_days": 2, "exponential_decay_days[two]": "normal(5, 0.01)"},
        engine=ENGINE,
    )
    found = dict(zip(fit.parameter_names, fit.parameters))
    assert found["exponential_decay_days_1"] == 2
    assert found["exponential_decay_days_2"] == pytest.approx(5, abs=0.05)


def test_sampling_takes_the_same_sentence(data):
    posterior = equant.sample(
        data,
        noise="rotation",
        states={**KNOWN, "rotation_period_days": "normal(25, 0.01)"},
        max_steps=500,
        n_walkers=40,
        min_ess=1,
        seed=1,
        engine=ENGINE,
        progress=False,
    )
    drawn = np.ravel(posterior["mep_period_days"])
    assert abs(np.median(drawn) - 25) < 0.02
    with pytest.raises(equant.InvalidArgument, match="a noise that the model does not have"):
        equant.sample(data, states={"rotation_period_days": 25}, progress=False)


def test_noise_that_is_given_and_that_is_chosen_end_together(tmp_path):
    """CoRoT-7: one optimisation alone stays at a rotation of 9 days, 6 lower in ln L."""
    path = tmp_path / "corot7.rdb"
    path.write_bytes((shared_file("kima/corot7.txt")).read_bytes())
    states = {
        "b.period_days": "normal(0.85359159, 0.00000057)",
        "b.t_conj": "normal(54398.07756, 0.0006)",
        "b.eccentricity": 0,
        "c.period_days": "3:4.5",
        "rotation_period_days": "normal(23.64, 3.62)",
        "trend": "none",
    }
    found = [
        equant.fit(equant.Data.from_files(path), noise=noise, states=states, engine=ENGINE)
        for noise in ("rotation", "auto")
    ]
    for one in found:
        assert one.summary.log_likelihood > -482.9
        assert one.planets[1].period_days == pytest.approx(3.6968, abs=0.001)
    assert found[0].summary.log_likelihood == pytest.approx(
        found[1].summary.log_likelihood, abs=1e-3
    )
