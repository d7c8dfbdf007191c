"""Correlated noise: against dense matrices, against other packages, copies, wrong arguments."""

import copy
import pickle

import numpy as np
import pytest

import equant


def rows(n=60, seed=3):
    """Times with gaps and repeats, values, variances."""
    chance = np.random.default_rng(seed)
    times = 2455000.0 + np.sort(chance.uniform(0.0, 80.0, n))
    times[10] = times[9]
    return times, chance.normal(0.0, 3.0, n), chance.uniform(0.5, 2.0, n) ** 2


def dense(covariance, values):
    sign, log_determinant = np.linalg.slogdet(covariance)
    chi_square = values @ np.linalg.solve(covariance, values)
    return -0.5 * (chi_square + log_determinant + len(values) * np.log(2.0 * np.pi))


def test_catalogue_names_what_noise_takes():
    terms = equant.noise_terms()
    assert {"night", "exponential", "rotation", "mep", "esp2"} <= set(terms)
    for term in terms.values():
        words = ", ".join(f"{name}=250.0" for name in term.parameters)
        noise = equant.Noise(f"{term.name}({words})")
        assert noise.names == tuple(f"{term.name}_{name}" for name in term.parameters)
        assert np.isfinite(noise.log_likelihood(*rows()))


def test_sum_of_terms_against_a_matrix():
    times, values, variances = rows()
    gap = np.abs(times[:, None] - times)
    covariance = 4.0 * np.exp(-gap / 3.0) + np.diag(variances)
    x = np.sqrt(3.0) * gap / 20.0
    covariance += 6.25 * (1.0 + x) * np.exp(-x)
    noise = equant.Noise("exponential(amplitude=2, decay=3), matern32(amplitude=2.5, decay=20)")
    found = noise.log_likelihood(times, values, variances)
    assert found == pytest.approx(dense(covariance, values), rel=1e-11)


def test_many_sets_at_once():
    times, values, variances = rows()
    noise = equant.Noise("sho(amplitude=2, period=12, quality=2)")
    sets = np.array([noise.values, [3.0, 20.0, 0.4], [-1.0, 20.0, 0.4]])
    found = noise.log_likelihood(times, values, variances, parameters=sets)
    assert found[0] == noise.log_likelihood(times, values, variances)
    assert found[1] == noise.log_likelihood(times, values, variances, parameters=sets[1])
    assert found[2] == -np.inf


def test_against_celerite2():
    celerite2 = pytest.importorskip("celerite2", reason="celerite2 is not installed")
    times, values, variances = rows(400)
    kernel = celerite2.terms.RotationTerm(sigma=3.0, period=25.0, Q0=1.2, dQ=0.4, f=0.3)
    process = celerite2.GaussianProcess(kernel)
    process.compute(times, diag=variances)
    noise = equant.Noise(
        "rotation(amplitude=3, period=25, quality=1.2, extra_quality=0.4, mix=0.3)"
    )
    found = noise.log_likelihood(times, values, variances)
    assert found == pytest.approx(process.log_likelihood(values), rel=1e-10)


def rotation_covariance(times, amplitude, period, quality, extra_quality, mix):
    """Two oscillators, at the period and at half of it."""
    total = np.zeros((len(times), len(times)))
    gap = np.abs(times[:, None] - times)
    for share, cycle, q in (
        (1.0 / (1.0 + mix), period, 0.5 + quality + extra_quality),
        (mix / (1.0 + mix), period / 2.0, 0.5 + quality),
    ):
        root = np.sqrt(4.0 * q * q - 1.0)
        swing = 2.0 * np.pi * gap / cycle
        total += share * np.exp(-swing / root) * (np.cos(swing) + np.sin(swing) / root)
    return amplitude**2 * total


def test_whitened_draws_are_white():
    times, _, variances = rows()
    noise = equant.Noise("rotation(amplitude=3, period=25, quality=1, extra_quality=0.5, mix=0.3)")
    covariance = rotation_covariance(times, *noise.values) + np.diag(variances)
    draws = noise.draw(times, 4000, seed=11, variances=variances)
    white = np.linalg.solve(np.linalg.cholesky(covariance), draws.T)
    correlation = white @ white.T / len(draws) - np.eye(len(times))
    assert np.abs(white.mean(axis=1)).max() < 5.0 / np.sqrt(4000)
    assert np.abs(correlation).max() < 5.0 * np.sqrt(2.0 / 4000)
    kurtosis = (white**4).mean()
    assert kurtosis == pytest.approx(3.0, abs=5.0 * np.sqrt(96.0 / white.size))


def test_draws_are_numbered():
    times = rows()[0]
    noise = equant.Noise("matern32(amplitude=2, decay=5)")
    draws = noise.draw(times, 5, seed=4)
    assert np.array_equal(noise.draw(times, seed=4), draws[0])
    assert np.array_equal(noise.draw(times, 2, seed=4, first=3), draws[3:])
    assert not np.array_equal(noise.draw(times, seed=5), draws[0])
    wider = noise.draw(times, seed=4, parameters=[4.0, 5.0])
    assert wider == pytest.approx(2.0 * draws[0], rel=1e-9)
    with pytest.raises(equant.InvalidArgument, match="must be 2 values"):
        noise.draw(times, parameters=[1.0])
    with pytest.raises(equant.InvalidArgument, match="earlier than the one before"):
        noise.draw(times[::-1])


def test_copies():
    noise = equant.Noise("night(amplitude=1.5)")
    for again in (copy.copy(noise), copy.deepcopy(noise), pickle.loads(pickle.dumps(noise))):
        assert again.terms == noise.terms
        assert again.log_likelihood(*rows()) == noise.log_likelihood(*rows())


def test_wrong_arguments():
    times, values, variances = rows()
    with pytest.raises(equant.InvalidArgument, match="there is no term 'spots'"):
        equant.Noise("spots(amplitude=1)")
    noise = equant.Noise("night(amplitude=1.5)")
    with pytest.raises(equant.InvalidArgument, match="variances have the shape"):
        noise.log_likelihood(times, values, variances[1:])
    with pytest.raises(equant.InvalidArgument, match="rows of 1 values"):
        noise.log_likelihood(times, values, variances, parameters=[1.0, 2.0])
    with pytest.raises(equant.InvalidArgument, match="earlier than the one before"):
        noise.log_likelihood(times[::-1], values, variances)


def spotted(n=120):
    """Velocities and a line's width that follow one process; the process."""
    chance = np.random.default_rng(2)
    times = 2460000.0 + np.sort(chance.uniform(0.0, 250.0, n))
    spots = equant.Noise("mep(amplitude=1, period=23, decay=50, width=0.5)").draw(times, seed=1)
    width = 7000.0 + 20.0 * spots + chance.normal(0.0, 4.0, n)
    velocities = 4.0 * spots + chance.normal(0.0, 1.0, n)
    return equant.Data.from_arrays(
        times, velocities, np.ones(n), indicators={"fwhm": width}
    ), spots


def test_spots_are_learnt_from_indicators():
    data, spots = spotted()
    learnt = data.learn_spots()
    assert list(learnt.indicators) == ["fwhm", "spots", "spots_rate"]
    found = learnt.indicators["spots"].values
    assert np.corrcoef(found, spots)[0, 1] > 0.97
    assert np.array_equal(learnt.velocities_m_s, data.velocities_m_s)
    again = data.learn_spots(["fwhm"], period_days=(10.0, 40.0))
    assert np.corrcoef(again.indicators["spots"].values, found)[0, 1] > 0.999
    fit = equant.fit(learnt, 0, indicators="spots,spots_rate")
    assert len(fit.noise.indicators) == 2
    with pytest.raises(equant.InvalidArgument, match="no indicator 'crx'"):
        data.learn_spots("crx")
    with pytest.raises(equant.InvalidArgument, match="no series to learn from"):
        equant.Data.demonstration().learn_spots()


def test_a_term_of_one_instrument(tmp_path):
    chance = np.random.default_rng(4)
    times = 2460000.0 + np.sort(chance.uniform(0.0, 60.0, 90))
    made_by = np.arange(90) % 2
    drawn = equant.Noise("exponential@1(amplitude=6, decay=4)").draw(
        times, seed=3, instruments=made_by
    )
    assert np.std(drawn[made_by == 0]) < 1e-3
    data = equant.Data.from_arrays(
        times,
        drawn + chance.normal(0.0, 1.0, 90),
        np.ones(90),
        instrument=np.where(made_by == 0, "quiet", "restless"),
    )
    fit = equant.fit(data, 0, noise="exponential@restless")
    own = fit.noise.terms[0]
    assert (own.name, own.instrument) == ("exponential", "restless")
    assert own.parameters["amplitude"].value == pytest.approx(6.0, rel=0.5)
    assert fit.noise.text.startswith("exponential@restless(amplitude=")
    other = equant.fit(data, 0, noise="exponential@quiet")
    assert fit.summary.log_likelihood > other.summary.log_likelihood + 10.0
    fit.save(tmp_path / "fit")
    assert equant.load(tmp_path / "fit").noise == fit.noise


def test_indicators_as_series(tmp_path):
    data, _ = spotted()
    fit = equant.fit(data, 0, indicators_as="series")
    own = fit.noise.series[0]
    assert (own.name, len(fit.noise.series), fit.noise.indicators) == ("fwhm", 1, ())
    assert own.scale == pytest.approx(20.0, rel=0.4) and own.rate == 0.0
    assert fit.noise.rotation.value == pytest.approx(23.0, abs=2.0)
    assert abs(fit.noise.lead_days) < 4.0 * fit.noise.lead_days_err
    fit.save(tmp_path / "fit")
    assert equant.load(tmp_path / "fit").noise.series == fit.noise.series
    with pytest.raises(equant.InvalidArgument, match="'columns' or 'series'"):
        equant.fit(data, 0, indicators_as="rows")


def test_qp_beside_its_matrix():
    times, values, variances = rows()
    gap = times[:, None] - times
    covariance = 9.0 * np.exp(
        -0.5 * (np.sin(np.pi * gap / 12.0) ** 2 / 0.5**2 + gap**2 / 30.0**2)
    ) + np.diag(variances)
    noise = equant.Noise("qp(amplitude=3, period=12, decay=30, width=0.5)")
    found = noise.log_likelihood(times, values, variances)
    assert found == pytest.approx(dense(covariance, values), rel=1e-11)
    drawn = noise.draw(times, 4000, seed=2, variances=variances)
    assert np.cov(drawn.T)[0, 5] == pytest.approx(covariance[0, 5], abs=0.8)


def test_linear_terms_beside_a_matrix():
    times, values, variances = rows()
    gap = np.abs(times[:, None] - times)
    covariance = 4.0 * np.exp(-gap / 3.0) + np.diag(variances)
    columns = np.array([np.ones(60), (times - 2455040.0) / 40.0])
    noise = equant.Noise("exponential(amplitude=2, decay=3)")
    found = noise.follow(
        times, values, variances, columns, standard_deviations=[3.0, 2.0]
    )
    whole = covariance + columns.T @ np.diag([9.0, 4.0]) @ columns
    assert found.log_marginal == pytest.approx(dense(whole, values), rel=1e-11)
    left = values - found.coefficients @ columns
    assert found.log_likelihood == pytest.approx(dense(covariance, left), rel=1e-11)
    with pytest.raises(equant.InvalidArgument, match="columns must be rows of 60 values"):
        noise.follow(times, values, variances, np.ones(59))


@pytest.mark.parametrize(
    "words, covariance",
    [
        ("exponential(amplitude=2, decay=5)", lambda lag: 4 * np.exp(-np.abs(lag) / 5)),
        (
            "qp(amplitude=3, period=21, width=0.6, decay=40)",
            lambda lag: 9
            * np.exp(-0.5 * ((np.sin(np.pi * lag / 21) / 0.6) ** 2 + (lag / 40) ** 2)),
        ),
    ],
)
def test_whitened_residuals_are_those_of_the_factor(words, covariance):
    times, values, variances = rows()
    factor = np.linalg.cholesky(covariance(times[:, None] - times) + np.diag(variances))
    seen = equant.Noise(words).whiten(times, values, variances)
    assert np.allclose(seen, np.linalg.solve(factor, values), rtol=0, atol=1e-8)
