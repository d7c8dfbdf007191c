"""Posteriors whose noise has parameters: densities against celerite2, runs, files and words."""

import pickle

import numpy as np
import pytest

import equant

ROTATION = "rotation(amplitude=1:8, period=15:40, quality=0.5:6, extra_quality=0.2:5, mix=0.1:2)"


def star(n=60, seed=5, instruments=2):
    chance = np.random.default_rng(seed)
    times = 2455000.0 + np.sort(chance.uniform(0.0, 120.0, n))
    return equant.Data.from_arrays(
        times, chance.normal(0.0, 4.0, n), chance.uniform(0.5, 2.0, n), np.arange(n) % instruments
    )


@pytest.fixture(scope="module")
def spotted():
    """One planet of 8.3 days beside a star that turns in 25."""
    chance = np.random.default_rng(11)
    times = 2455000.0 + np.sort(chance.uniform(0.0, 160.0, 70))
    noise = equant.Noise("mep(amplitude=4, period=25, decay=50, width=0.4)")
    model = equant.Evaluator(
        equant.Data.from_arrays(times, np.zeros(70), np.ones(70)),
        n_planets=1,
        offset_columns="given",
    )
    velocities = model.velocities([8.3, 6.0, 0.1, 1.0, 2.0, 0.0]) + noise.draw(times, seed=3)
    return equant.Data.from_arrays(times, velocities + chance.normal(0.0, 1.0, 70), np.ones(70))


def log_uniform(value, lowest, highest):
    return -np.log(value * np.log(highest / lowest))


def drawn_sets(target, n=25):
    points = target.draw(n, seed=7)
    return points, target.to_columns(points)


def test_density_is_prior_and_celerite2():
    celerite2 = pytest.importorskip("celerite2", reason="celerite2 is not installed")
    data = star()
    target = equant.Target(
        data,
        1,
        noise=ROTATION,
        prior_set="circular",
        priors={"k_m_s": "log-uniform(1, 10)", "period_days": "log-uniform(2, 20)"},
        space="parameters",
    )
    points, columns = drawn_sets(target)
    model = equant.Evaluator(data, n_planets=1, offset_columns="given")
    for i, found in enumerate(target(points)):
        own = {name: values[i] for name, values in columns.items()}
        term = celerite2.terms.RotationTerm(
            sigma=own["rotation_amplitude_m_s"],
            period=own["rotation_period_days"],
            Q0=own["rotation_quality"],
            dQ=own["rotation_extra_quality"],
            f=own["rotation_mix"],
        )
        jitters = np.array([own["jitter_m_s_1"], own["jitter_m_s_2"]])
        process = celerite2.GaussianProcess(term, mean=0.0)
        process.compute(
            data.times_days,
            diag=data.uncertainties_m_s**2 + jitters[data.instruments] ** 2,
        )
        orbit = [own["period_days_1"], own["k_m_s_1"], 0.0, 0.0, own["m0_rad_1"]]
        residuals = model.residuals([*orbit, own["offset_m_s_1"], own["offset_m_s_2"]])
        log_prior = (
            log_uniform(own["period_days_1"], 2, 20)
            + log_uniform(own["k_m_s_1"], 1, 10)
            - np.log(2.0 * np.pi)
            - 2.0 * np.log(2.0 * 2129.0)
            - np.log((jitters + 1.0) * np.log(2130.0)).sum()
            + log_uniform(own["rotation_amplitude_m_s"], 1, 8)
            + log_uniform(own["rotation_period_days"], 15, 40)
            + log_uniform(own["rotation_quality"], 0.5, 6)
            + log_uniform(own["rotation_extra_quality"], 0.2, 5)
            + log_uniform(own["rotation_mix"], 0.1, 2)
        )
        assert target.log_prior(points[i]) == pytest.approx(log_prior, rel=1e-11)
        expected = log_prior + process.log_likelihood(residuals)
        assert found == pytest.approx(expected, rel=1e-9)


def test_a_decay_in_turns():
    data = star(instruments=1)
    words = "rotation(amplitude=1:8, period=15:40)"
    plain = equant.Target(data, 0, noise=words, space="parameters")
    smooth = equant.Target(data, 0, noise=words)
    assert plain.priors["mep_decay_days"] == "turns(1, 4)"
    assert smooth.names[-2:] == ("ln_mep_decay_days", "ln_mep_width")
    points, columns = drawn_sets(plain, 300)
    turns = columns["mep_decay_days"] / columns["mep_period_days"]
    assert (turns >= 1.0).all() and (turns <= 4.0).all() and turns.min() < 1.1 and turns.max() > 3.6
    expected = (
        -np.log(2.0 * 2129.0)
        - np.log((columns["jitter_m_s_1"] + 1.0) * np.log(2130.0))
        + log_uniform(columns["mep_amplitude_m_s"], 1, 8)
        + log_uniform(columns["mep_period_days"], 15, 40)
        - np.log(columns["mep_decay_days"] * np.log(4.0))
        + log_uniform(columns["mep_width"], 0.2, 2)
    )
    assert plain.log_prior(points) == pytest.approx(expected, rel=1e-11)
    # The volume of the change of variables: logarithms, and ln(1 + jitter).
    sets = plain.to_parameters(points)
    volume = np.log(columns["jitter_m_s_1"] + 1.0) + np.log(sets[:, 2:]).sum(axis=1)
    there = smooth.from_parameters(sets)
    assert smooth.log_prior(there) == pytest.approx(expected + volume, rel=1e-10)
    assert smooth.to_parameters(there) == pytest.approx(sets, rel=1e-12)
    outside = sets[0].copy()
    outside[4] = 4.1 * outside[3]
    assert plain(outside) == -np.inf
    again = pickle.loads(pickle.dumps(smooth))
    assert again(there[0]) == smooth(there[0])


def test_a_run(spotted, tmp_path):
    asked = dict(
        noise="rotation",
        known=[[8.3, 6.0, 0.1, 1.0, 2.0]],
        priors={"period_days_1": "log-uniform(8, 8.6)"},
        n_walkers=64,
        n_populations=2,
        min_ess=200,
        max_rhat=1.05,
        seed=2,
        progress=False,
    )
    posterior = equant.sample(spotted, 1, path=tmp_path / "run.nc", **asked)
    period = posterior.quantity("mep_period_days")
    assert period.unit == "d" and 22.0 < period.median < 28.0
    assert abs(posterior.quantity("k_m_s_1").median - 6.0) < 1.5
    turns = posterior["mep_decay_days"] / posterior["mep_period_days"]
    assert (turns >= 1.0).all() and (turns <= 4.0 * (1.0 + 1e-12)).all()
    opened = equant.Posterior.open(tmp_path / "run.nc")
    assert np.array_equal(opened["mep_width"], posterior["mep_width"])


def test_words_that_make_no_sense(spotted):
    with pytest.raises(equant.InvalidArgument, match="no term 'spots'"):
        equant.sample(spotted, 0, noise="spots")
    with pytest.raises(equant.InvalidArgument, match="what a fit chooses"):
        equant.sample(spotted, 0, noise="auto")
    with pytest.raises(equant.InvalidArgument, match="not integrated out"):
        equant.sample(spotted, 0, noise="rotation", marginalise_offsets=True)
    with pytest.raises(equant.InvalidArgument, match="noise 'mep', not of 'exponential'"):
        priors = equant.Priors(spotted, 0, noise="rotation")
        equant.sample(spotted, 0, priors=priors, noise="exponential")
    with pytest.raises(equant.InvalidArgument, match="prior of decays alone"):
        equant.Priors(spotted, 0, noise="rotation", changes={"mep_width": "turns(1, 2)"})
    with pytest.raises(equant.InvalidArgument, match="cannot have"):
        equant.Priors(spotted, 0, noise="slow", changes={"slow_decay_days": "uniform(100, 300)"})


def test_starts_at_the_ends_of_priors(spotted):
    """A planet that noise would move out of its prior, a prior without ends, one that is fixed."""
    posterior = equant.sample(
        spotted,
        1,
        noise="rotation(amplitude=3:4, width=0.6)",
        prior_set="circular",
        known=[[8.3, 6.0, 0.0, 0.0, 2.0]],
        priors={
            "period_days_1": "normal(8.3, 0.01)",
            "k_m_s_1": "log-uniform(1, 4.5)",
            "offset_m_s_1": "uniform(3, 4)",
            "jitter_m_s_1": "log-uniform(2, 3)",
            "mep_period_days": "normal(25, 1)",
        },
        n_walkers=32,
        n_populations=2,
        max_steps=440,
        seed=2,
        progress=False,
    )
    assert (posterior["k_m_s_1"] <= 4.5).all() and (posterior["jitter_m_s_1"] >= 2.0).all()
    assert (posterior["mep_width"] == 0.6).all()
