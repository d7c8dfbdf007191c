"""Models with noise terms: evaluators against matrices, celerite2 and spleaf; predictions."""

import pickle

import numpy as np
import pytest

import equant

ORBIT = [12.3, 3.0, 0.3, 1.0, 2.0]


def star(n=120, seed=5):
    chance = np.random.default_rng(seed)
    times = 2455000.0 + np.sort(chance.uniform(0.0, 200.0, n))
    return equant.Data.from_arrays(
        times, chance.normal(0.0, 4.0, n), chance.uniform(0.5, 2.0, n), np.arange(n) % 2
    )


def dense(covariance, values):
    sign, log_determinant = np.linalg.slogdet(covariance)
    chi_square = values @ np.linalg.solve(covariance, values)
    ln_l = -0.5 * (chi_square + log_determinant + len(values) * np.log(2.0 * np.pi))
    return chi_square, ln_l


def matern32(times, others, amplitude, decay):
    x = np.sqrt(3.0) * np.abs(times[:, None] - others) / decay
    return amplitude**2 * (1.0 + x) * np.exp(-x)


def white_part(data, jitters):
    return data.uncertainties_m_s**2 + np.asarray(jitters)[data.instruments] ** 2


def given(data, noise):
    return equant.Evaluator(data, n_planets=1, offset_columns="given", jitter=True, noise=noise)


def test_against_a_matrix():
    data = star()
    evaluator = given(data, "matern32")
    assert evaluator.model.parameter_names[-2:] == ("matern32_amplitude_m_s", "matern32_decay_days")
    sets = np.array(
        [[*ORBIT, 0.5, -0.3, 0.7, 1.1, 2.0, 9.0], [*ORBIT, 0.0, 0.0, 0.0, 0.0, 3.0, 1.0]]
    )
    for values, found_chi, found in zip(
        sets, evaluator.chi_square(sets), evaluator.log_likelihood(sets)
    ):
        covariance = matern32(data.times_days, data.times_days, *values[-2:])
        covariance += np.diag(white_part(data, values[7:9]))
        chi_square, ln_l = dense(covariance, evaluator.residuals(values))
        assert found_chi == pytest.approx(chi_square, rel=1e-10)
        assert found == pytest.approx(ln_l, rel=1e-11)
    assert evaluator.log_likelihood([*ORBIT, 0, 0, 0, 0, -1.0, 9.0]) == -np.inf
    again = pickle.loads(pickle.dumps(evaluator))
    assert again.log_likelihood(sets[0]) == evaluator.log_likelihood(sets[0])


def test_solved_offsets_are_generalised_least_squares():
    data = star()
    evaluator = equant.Evaluator(data, n_planets=1, trend="linear", noise="matern32")
    values = [*ORBIT, 2.0, 9.0]
    covariance = matern32(data.times_days, data.times_days, 2.0, 9.0)
    covariance += np.diag(data.uncertainties_m_s**2)
    columns = np.stack(
        [data.instruments == 0, data.instruments == 1, data.times_days - data.times_days.mean()],
        axis=1,
    ).astype(float)
    planets = equant.Evaluator(
        data, n_planets=1, offset_columns="given", noise="matern32"
    ).residuals([*ORBIT, 0.0, 0.0, 2.0, 9.0])
    inverse = np.linalg.inv(covariance)
    best = np.linalg.solve(columns.T @ inverse @ columns, columns.T @ inverse @ planets)
    left = planets - columns @ best
    assert evaluator.residuals(values) == pytest.approx(left, abs=1e-9)
    assert evaluator.chi_square(values) == pytest.approx(left @ inverse @ left, rel=1e-10)
    assert evaluator.linear(values)[2] == pytest.approx(best[2], rel=1e-8)


def test_against_celerite2():
    celerite2 = pytest.importorskip("celerite2", reason="celerite2 is not installed")
    data = equant.Data.demonstration()
    evaluator = equant.Evaluator(
        data, n_planets=1, offset_columns="given", jitter=True, noise="rotation"
    )
    n = data.n_instruments
    values = [1198.5, 7.35, 0.07, 2.86, 3.23, *[0.0] * n, *[2.0] * n, 1.5, 42.0, 1.2, 0.4, 0.3]
    kernel = celerite2.terms.RotationTerm(sigma=1.5, period=42.0, Q0=1.2, dQ=0.4, f=0.3)
    process = celerite2.GaussianProcess(kernel)
    process.compute(data.times_days, diag=data.uncertainties_m_s**2 + 4.0)
    wanted = process.log_likelihood(evaluator.residuals(values))
    assert evaluator.log_likelihood(values) == pytest.approx(wanted, rel=1e-9)


def test_against_spleaf():
    cov = pytest.importorskip("spleaf.cov", reason="spleaf is not installed")
    term = pytest.importorskip("spleaf.term")
    data = equant.Data.demonstration()
    evaluator = equant.Evaluator(
        data, n_planets=0, offset_columns="given", jitter=True, noise="mep"
    )
    n = data.n_instruments
    values = [*[0.0] * n, *[2.0] * n, 1.5, 42.0, 80.0, 0.5]
    process = cov.Cov(
        data.times_days - data.times_days[0],
        err=term.Error(data.uncertainties_m_s),
        jit=term.Jitter(2.0),
        mep=term.MEPKernel(1.5, 42.0, 80.0, 0.5),
    )
    wanted = process.loglike(evaluator.residuals(values))
    assert evaluator.log_likelihood(values) == pytest.approx(wanted, rel=1e-9)


def test_predictions_against_a_matrix():
    data = star(60)
    noise = equant.Noise("matern32(amplitude=2, decay=9)")
    variances = data.uncertainties_m_s**2
    at = np.linspace(data.times_days[0] - 5.0, data.times_days[-1] + 5.0, 77)
    mean, variance = noise.predict(data.times_days, data.velocities_m_s, variances, at)
    covariance = matern32(data.times_days, data.times_days, 2.0, 9.0) + np.diag(variances)
    across = matern32(at, data.times_days, 2.0, 9.0)
    assert mean == pytest.approx(
        across @ np.linalg.solve(covariance, data.velocities_m_s), abs=1e-10
    )
    left = 4.0 - np.einsum("ij,ji->i", across, np.linalg.solve(covariance, across.T))
    assert variance == pytest.approx(left, abs=1e-10)
    with pytest.raises(equant.InvalidArgument, match="earlier than the one before"):
        noise.predict(data.times_days, data.velocities_m_s, variances, at[::-1])


def test_wrong_words():
    with pytest.raises(equant.InvalidArgument, match="there is no term 'rotatoin'"):
        equant.Model(1, noise="rotatoin")
    with pytest.raises(equant.InvalidArgument, match="names alone"):
        equant.Model(1, noise="night(amplitude=2)")
    assert equant.Model(1, noise=None).n_parameters == 5
    assert "noise='night'" in repr(equant.Model(1, noise="night"))
