"""Noise of one instrument in models, densities and posteriors, against matrices of NumPy."""

import numpy as np
import pytest

import equant

N = 110
TERMS = "exponential@two"


@pytest.fixture(scope="module")
def drifting():
    """One planet of 17.3 days; the second instrument has noise of two days."""
    chance = np.random.default_rng(3)
    times = 2459000.0 + np.sort(chance.uniform(0.0, 150.0, N))
    number = np.r_[0, 1, chance.integers(0, 2, N - 2)]
    noise = equant.Noise("exponential@1(amplitude=4, decay=2)")
    mean = 8.0 * np.sin(2.0 * np.pi * times / 17.3) + np.array([-3.0, 5.0])[number]
    velocities = mean + noise.draw(times, instruments=number, seed=4) + chance.normal(0.0, 1.0, N)
    return equant.Data.from_arrays(
        times, velocities, np.ones(N), np.array(["one", "two"])[number]
    )


@pytest.fixture(scope="module")
def fitted(drifting):
    return equant.fit(drifting, n_planets=1, period_min_days=10.0, period_max_days=30.0, noise=TERMS)


def dense(data, residuals, jitters, terms):
    """ln L; terms of (instrument or None, function of gaps)."""
    gaps = np.abs(data.times_days[:, None] - data.times_days)
    covariance = np.diag(data.uncertainties_m_s**2 + np.asarray(jitters)[data.instruments] ** 2)
    for owner, kernel in terms:
        own = np.ones(data.n_obs) if owner is None else 1.0 * (data.instruments == owner)
        covariance += np.outer(own, own) * kernel(gaps)
    _, log_determinant = np.linalg.slogdet(covariance)
    square = residuals @ np.linalg.solve(covariance, residuals)
    return -0.5 * (square + log_determinant + data.n_obs * np.log(2.0 * np.pi))


def exponential(amplitude, decay):
    return lambda gaps: amplitude**2 * np.exp(-gaps / decay)


def matern32(amplitude, decay):
    return lambda gaps: amplitude**2 * (1 + 3**0.5 * gaps / decay) * np.exp(-(3**0.5) * gaps / decay)


def test_sets_of_a_model(drifting):
    evaluator = equant.Evaluator(
        drifting,
        n_planets=1,
        offset_columns="given",
        jitter=True,
        noise="exponential@1, matern32, exponential@0",
    )
    assert evaluator.model.parameter_names[-6:] == (
        "exponential_amplitude_m_s_2",
        "exponential_decay_days_2",
        "matern32_amplitude_m_s",
        "matern32_decay_days",
        "exponential_amplitude_m_s_1",
        "exponential_decay_days_1",
    )
    chance = np.random.default_rng(8)
    sets = np.array([[17.3, 8.0, 0.1, 0.4, 2.0, -3.0, 5.0, 0.5, 0.3, 4, 2, 1.2, 30, 0.7, 5]] * 40)
    sets *= chance.uniform(0.9, 1.1, sets.shape)
    plain = equant.Evaluator(drifting, n_planets=1, offset_columns="given")
    for own, found in zip(sets, evaluator.log_likelihood(sets)):
        terms = [
            (1, exponential(*own[9:11])),
            (None, matern32(*own[11:13])),
            (0, exponential(*own[13:15])),
        ]
        wanted = dense(drifting, plain.residuals(own[:7]), own[7:9], terms)
        assert found == pytest.approx(wanted, rel=1e-10)


def test_the_fit_is_a_model(drifting, fitted):
    assert fitted.parameter_names[-2:] == (
        f"exponential_amplitude_m_s_{list(drifting.instrument_names).index('two') + 1}",
        f"exponential_decay_days_{list(drifting.instrument_names).index('two') + 1}",
    )
    there = fitted.evaluator()
    assert there.chi_square(fitted.parameters) == pytest.approx(fitted.summary.chi_square)
    assert there.log_likelihood(fitted.parameters) == pytest.approx(fitted.summary.log_likelihood)
    assert fitted.covariance[-1, -1] > 0.0


def test_a_saved_fit(fitted, tmp_path):
    fitted.save(tmp_path / "star")
    again = equant.load(tmp_path / "star")
    assert again.parameter_names == fitted.parameter_names
    assert again.evaluator().chi_square(again.parameters) == pytest.approx(
        fitted.summary.chi_square, rel=1e-9
    )


def test_a_run(drifting, fitted, tmp_path):
    asked = dict(
        noise=TERMS,
        known=[fitted.parameters[:5]],
        priors={"period_days_1": "log-uniform(15, 20)"},
        n_walkers=64,
        n_populations=2,
        min_ess=300,
        max_rhat=1.05,
        seed=2,
        progress=False,
    )
    path = tmp_path / "run.nc"
    posterior = equant.sample(drifting, 1, path=path, **asked)
    assert posterior.converged
    for name, value, error in zip(
        fitted.parameter_names, fitted.parameters, np.sqrt(np.diag(fitted.covariance))
    ):
        own = posterior.quantity(name)
        if name.startswith(("period", "k_", "offset", "exponential_amplitude")):
            assert abs(own.median - value) < 1.5 * max(error, own.high - own.low), name
    decay = posterior.quantity(fitted.parameter_names[-1])
    assert decay.instrument_name == "two" and decay.unit == "d" and 0.5 < decay.median < 6.0
    again = equant.Posterior.open(path)
    assert [q.name for q in again.quantities] == [q.name for q in posterior.quantities]
    assert (again[decay.name] == posterior[decay.name]).all()


def test_densities_and_priors(drifting):
    words = "exponential@two(amplitude=1:8, decay=0.5:9), exponential@one(amplitude=1:3, decay=2)"
    target = equant.Target(drifting, 0, noise=words, space="parameters")
    points = target.draw(5, seed=1)
    columns = target.to_columns(points)
    names = list(drifting.instrument_names)
    one, two = names.index("one"), names.index("two")
    for i, found in enumerate(target(points)):
        own = {name: values[i] for name, values in columns.items()}
        offsets = np.array([own["offset_m_s_1"], own["offset_m_s_2"]])
        terms = [
            (
                instrument,
                exponential(
                    own[f"exponential_amplitude_m_s_{instrument + 1}"],
                    own.get(f"exponential_decay_days_{instrument + 1}", 2.0),
                ),
            )
            for instrument in (one, two)
        ]
        wanted = dense(
            drifting,
            drifting.velocities_m_s - offsets[drifting.instruments],
            [own["jitter_m_s_1"], own["jitter_m_s_2"]],
            terms,
        )
        assert found - target.log_prior(points[i]) == pytest.approx(wanted, rel=1e-9)
    with pytest.raises(equant.InvalidArgument, match="no instrument of this name; they have"):
        equant.Priors(drifting, 0, noise="night@three")
