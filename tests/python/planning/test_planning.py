"""Predictions and plans, against NumPy and SciPy: whole matrices, plain sums, Monte Carlo."""

import numpy as np
import pytest

import equant

stats = pytest.importorskip("scipy.stats", reason="SciPy is not installed")


@pytest.fixture(scope="module")
def spotted():
    """A planet of 8.3 days, two instruments, noise that is correlated over days and nights."""
    chance = np.random.default_rng(11)
    n = 50
    times = 2455000.0 + np.sort(np.round(chance.uniform(0.0, 90.0, n)) + chance.uniform(0, 0.3, n))
    noise = equant.Noise("exponential(amplitude=3, decay=6), night(amplitude=1.5)")
    velocities = equant.radial_velocity(
        times, 8.3, 6.0, 0.1, 1.0, 2.0, reference_time_days=2455000.0
    )
    instruments = np.arange(n) // 5 % 2
    velocities = velocities + noise.draw(times, seed=3) + chance.normal(0.0, 1.0, n)
    return equant.Data.from_arrays(
        times, velocities + 40.0 * instruments, np.ones(n), np.array(["one", "two"])[instruments]
    )


@pytest.fixture(scope="module")
def posterior(spotted):
    return equant.sample(
        spotted,
        1,
        known=[[8.3, 6.0, 0.1, 1.0, 2.0]],
        noise="exponential(amplitude=0.5:10, decay=1:30), night(amplitude=0.3:5)",
        seed=2,
        n_burn_in=200,
        max_steps=1000,
        min_ess=100,
        max_draws=10000,
        engine="cpu",
    )


def taken(posterior, n):
    """The draws that a prediction with n of them looks at, by name."""
    all_draws = posterior.draws
    total = len(all_draws["period_days_1"])
    index = ((np.arange(n) + 0.5) * total / n).astype(int)
    return {name: np.asarray(all_draws[name])[index] for name in posterior.names}


def night_of(times, data_times):
    """Nights change in the middle of the longest part of a day without observations."""
    shares = np.sort(data_times % 1.0)
    gaps = np.diff(np.append(shares, shares[0] + 1.0))
    longest = np.argmax(gaps)
    return np.floor(times - (shares[longest] + 0.5 * gaps[longest]))


def by_matrices(posterior, draws, i, times, instrument):
    """Mean and covariance of velocities at some times, without white noise, of one draw."""
    data = posterior.data
    at, instruments = data.times_days, np.asarray(data.instruments)
    own = {name: values[i] for name, values in draws.items()}

    def orbit(t):
        return equant.radial_velocity(
            t,
            own["period_days_1"],
            own["k_m_s_1"],
            own["eccentricity_1"],
            own["omega_rad_1"],
            own["m0_rad_1"],
            reference_time_days=data.reference_time_days,
        )

    offsets = np.array([own["offset_m_s_1"], own["offset_m_s_2"]])
    jitters = np.array([own["jitter_m_s_1"], own["jitter_m_s_2"]])
    everywhere = np.append(at, times)
    made_by = np.append(instruments, np.full(len(times), instrument))
    nights = np.array(
        [
            night_of(t, at[instruments == who]) if np.any(instruments == who) else 0.0
            for t, who in zip(everywhere, made_by)
        ]
    )
    apart = np.abs(everywhere[:, None] - everywhere[None, :])
    same = (nights[:, None] == nights[None, :]) & (made_by[:, None] == made_by[None, :])
    whole = own["exponential_amplitude_m_s"] ** 2 * np.exp(-apart / own["exponential_decay_days"])
    whole = whole + same * own["night_amplitude_m_s"] ** 2
    n = len(at)
    seen = whole[:n, :n] + np.diag(data.uncertainties_m_s**2 + jitters[instruments] ** 2)
    residuals = data.velocities_m_s - orbit(at) - offsets[instruments]
    weights = np.linalg.solve(seen, whole[:n, n:]).T
    mean = orbit(times) + offsets[instrument] + weights @ residuals
    return mean, whole[n:, n:] - weights @ whole[:n, n:], jitters[instrument] ** 2


def mixture(posterior, times, n, instrument, sigma):
    draws = taken(posterior, n)
    rows = [by_matrices(posterior, draws, i, times, instrument) for i in range(n)]
    means = np.array([mean for mean, _, _ in rows])
    variances = np.array([np.diag(c) + white + sigma**2 for _, c, white in rows])
    return means, variances


@pytest.mark.parametrize("instrument", [1, 2])
def test_prediction_is_that_of_matrices(posterior, instrument):
    last = posterior.data.times_days[-1]
    first = posterior.data.times_days[0]
    times = np.concatenate([first + [3.1, 20.05, 60.4], last + [0.004, 0.05, 1.0, 2.02, 9.7, 40.0]])
    n = 60
    found = posterior.predict(times, instrument=instrument, uncertainty_m_s=0.8, max_draws=n)
    means, variances = mixture(posterior, times, n, instrument - 1, 0.8)
    assert found.n_draws == n and found.instrument == instrument
    np.testing.assert_allclose(found.mean_m_s, means.mean(axis=0), rtol=0, atol=2e-7)
    spread = np.sqrt(variances.mean(axis=0) + means.var(axis=0))
    np.testing.assert_allclose(found.sd_m_s, spread, rtol=1e-7)
    for t in range(len(times)):

        def below(x, at=t):
            return stats.norm.cdf(x, means[:, at], np.sqrt(variances[:, at])).mean()

        assert below(found.low_95_m_s[t]) == pytest.approx(0.02275, abs=2e-4)
        assert below(found.low_68_m_s[t]) == pytest.approx(0.15866, abs=1e-3)
        assert below(found.median_m_s[t]) == pytest.approx(0.5, abs=1e-3)
        assert below(found.high_95_m_s[t]) == pytest.approx(0.97725, abs=2e-4)
        x = np.linspace(means[:, t].min() - 30.0, means[:, t].max() + 30.0, 20001)
        p = stats.norm.pdf(x[:, None], means[:, t], np.sqrt(variances[:, t])).mean(axis=1)
        entropy = -np.trapezoid(p * np.log(np.maximum(p, 1e-300)), x)
        assert found.entropy[t] == pytest.approx(entropy, abs=1e-6)
        assert sum(share for _, share in found.modes[t]) == pytest.approx(1.0, abs=1e-6)


def test_velocity_is_narrower_than_an_observation(posterior):
    times = posterior.data.times_days[-1] + np.array([1.0, 5.0])
    seen, true = posterior.predict(times), posterior.predict(times, what="velocity")
    assert np.all(true.sd_m_s < seen.sd_m_s)
    assert np.all(np.isnan(true.information)) and np.all(seen.information > 0.0)


def test_conjunctions_are_those_of_the_draws(posterior):
    last = posterior.data.times_days[-1]
    found = posterior.conjunctions(last, last + 40.0)
    assert len(found) in (4, 5)
    conjunction, period = posterior["t_conj_1"].ravel(), posterior["period_days_1"].ravel()
    for one in found:
        number = round((one.median_days - np.median(conjunction)) / np.median(period))
        low, middle, high = np.quantile(conjunction + number * period, [0.158655, 0.5, 0.841345])
        assert one.median_days == pytest.approx(middle, abs=0.05)
        assert one.high_days - one.low_days == pytest.approx(high - low, rel=0.2)
        assert last <= one.median_days <= last + 40.0


def test_entropy_of_a_mixture_against_monte_carlo():
    chance = np.random.default_rng(4)
    means, sigmas = chance.normal(0.0, 5.0, 30), chance.uniform(0.5, 3.0, 30)
    weights = chance.uniform(0.1, 1.0, 30)
    weights /= weights.sum()
    n = 100_000
    which = chance.choice(30, n, p=weights)
    x = chance.normal(means[which], sigmas[which])
    logs = np.log((weights * stats.norm.pdf(x[:, None], means, sigmas)).sum(axis=1))
    entropy, parts, _ = equant.mixture_entropy(means, sigmas**2, weights)
    assert entropy == pytest.approx(-logs.mean(), abs=4.0 * logs.std() / np.sqrt(n))
    assert parts == pytest.approx((weights * np.log(sigmas * np.sqrt(2 * np.pi * np.e))).sum())


@pytest.mark.parametrize("distance", [0.0, 0.5, 2.0, 6.0])
def test_what_tells_two_models_apart(distance):
    integrate = pytest.importorskip("scipy.integrate")
    shares, spreads = (0.35, 0.65), (1.0, 1.6)

    def term(x):
        p = [stats.norm.pdf(x, centre, s) for centre, s in zip((0.0, distance), spreads)]
        both = shares[0] * p[0] + shares[1] * p[1]
        return sum(w * q * np.log(q / both) for w, q in zip(shares, p) if q > 1e-300)

    expected, _ = integrate.quad(term, -15.0, distance + 18.0, limit=200, epsabs=1e-10)
    entropy, _, groups = equant.mixture_entropy(
        [0.0, distance], np.square(spreads), shares, groups=[0, 1]
    )
    assert entropy - groups == pytest.approx(expected, abs=1e-7)


def test_gain_of_a_plan_is_that_of_a_prediction(posterior):
    times = posterior.data.times_days[-1] + np.arange(1.0, 30.0, 1.7)
    plan = posterior.plan(times, max_draws=400)
    found = posterior.predict(times, max_draws=400)
    if len(plan.groups) == 1:
        np.testing.assert_allclose(plan.gains, found.information, atol=1e-9)
    best = plan.chosen[0]
    assert best.candidate == np.argmax(plan.gains) and best.gain == plan.gains.max()
    assert best.total == best.gain and best.reason


def joint_information(means, covariances, n_each=10):
    """What normal draws tell of themselves by several values: the mean of ln p(y | own) / p(y)."""
    n, n_values = means.shape
    roots = np.linalg.cholesky(covariances)
    chance = np.random.default_rng(1).normal(size=(n, n_each, n_values))
    seen = (means[:, None] + np.einsum("nij,nkj->nki", roots, chance)).reshape(-1, n_values)
    logs = np.empty((len(seen), n))
    for j, (mean, root) in enumerate(zip(means, roots)):
        away = np.linalg.solve(root, (seen - mean).T)
        logs[:, j] = -0.5 * (away**2).sum(axis=0) - np.log(np.diag(root)).sum()
    own = logs[np.arange(len(seen)), np.repeat(np.arange(n), n_each)]
    return np.mean(own - np.logaddexp.reduce(logs, axis=1) + np.log(n))


def test_a_batch_gains_what_matrices_say(posterior):
    """Not exactly: outcomes are drawn, some of each draw, in either."""
    times = posterior.data.times_days[-1] + np.arange(1.0, 12.0, 0.9)
    n = 400
    plan = posterior.plan(times, 3, max_draws=n, uncertainty_m_s=1.0)
    draws = taken(posterior, n)
    who = plan.chosen[0].instrument
    chosen = np.array(sorted(one.time_days for one in plan.chosen))
    rows = [by_matrices(posterior, draws, i, chosen, who) for i in range(n)]
    means = np.array([mean for mean, _, _ in rows])
    covariances = np.array([c + np.eye(3) * (white + 1.0) for _, c, white in rows])
    assert plan.chosen[-1].total == pytest.approx(joint_information(means, covariances), rel=0.15)


def test_repeats_in_one_night_are_worth_less(posterior):
    start = np.floor(posterior.data.times_days[-1]) + 5.1
    times = np.array([start, start + 0.02, start + 0.04, start + 3.0])
    plan = posterior.plan(times, 2, uncertainty_m_s=0.5)
    assert {one.candidate for one in plan.chosen} & {0, 1, 2}
    assert 3 in {one.candidate for one in plan.chosen}


def test_targets(posterior):
    times = posterior.data.times_days[-1] + np.arange(1.0, 17.0, 0.5)
    everything = posterior.plan(times).gains
    of_k = posterior.plan(times, target="k_m_s_1")
    assert len(of_k.groups) > 4
    assert np.all(of_k.gains <= everything + 0.02)
    assert "k_m_s_1" in of_k.chosen[0].reason
    cheap = np.where(np.arange(len(times)) == 7, 0.01, 1.0)
    assert posterior.plan(times, cost=cheap).chosen[0].candidate == 7
    late = posterior.plan(times, 3, weight=np.arange(len(times)) >= 20, min_gap_days=1.4)
    assert all(one.candidate >= 20 for one in late.chosen)
    assert np.diff(sorted(one.time_days for one in late.chosen)).min() >= 1.4


def test_same_plan_on_any_number_of_threads(posterior):
    times = posterior.data.times_days[-1] + np.arange(1.0, 17.0, 0.5)
    one, two = (posterior.plan(times, 3, engine=equant.Engine(n_threads=k)) for k in (1, 2))
    assert repr(one.chosen) == repr(two.chosen)
    assert repr(one.candidates) == repr(two.candidates)


def test_models_are_told_apart(spotted, posterior):
    other = equant.sample(
        spotted, 0, noise="night(amplitude=0.3:9)", seed=2, n_burn_in=200, max_steps=600, min_ess=50
    )
    times = posterior.data.times_days[-1] + np.arange(1.0, 17.0, 0.25)
    plan = posterior.plan(times, 2, target="models", rivals=[other], probabilities=[0.5, 0.5])
    assert [group.probability for group in plan.groups] == [0.5, 0.5]
    assert plan.group_entropy == pytest.approx(np.log(2.0))
    assert 0.0 < plan.chosen[0].gain < plan.chosen[1].total < np.log(2.0)
    assert "separates" in plan.chosen[0].reason
    assert plan.chosen[0].log_bayes_factor > 0.0


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"target": "k_m_s_9"}, "there is no 'k_m_s_9'"),
        ({"target": "models"}, "there is one"),
        ({"cost": 0.0}, "cost"),
        ({"instruments": 7}, "none has number 7"),
        ({"instruments": "nobody"}, "there is no 'nobody'"),
        ({"uncertainty_m_s": -1.0}, "between 0.001 m/s and the speed of light"),
    ],
)
def test_plans_that_are_refused(posterior, change, sentence):
    times = posterior.data.times_days[-1] + np.arange(1.0, 5.0)
    with pytest.raises(equant.InvalidArgument, match=sentence):
        posterior.plan(times, **change)


def test_times_that_are_refused(posterior):
    last = posterior.data.times_days[-1]
    with pytest.raises(equant.InvalidArgument, match="times to come"):
        posterior.plan([last - 5.0])
    with pytest.raises(equant.InvalidArgument, match="earlier than the one before"):
        posterior.plan([last + 5.0, last + 4.0])
    with pytest.raises(equant.InvalidArgument, match="needs candidates"):
        posterior.plan([])
    with pytest.raises(equant.InvalidArgument, match="earlier than the one before"):
        posterior.predict([last + 5.0, last + 4.0])
    with pytest.raises(equant.InvalidArgument, match="takes a posterior and times"):
        posterior.predict([])


def test_runs_of_different_stars_are_no_rivals(posterior):
    data = posterior.data
    other = equant.sample(
        equant.Data.from_arrays(data.times_days, data.velocities_m_s + 1.0, 1.0),
        0,
        n_burn_in=50,
        max_steps=100,
    )
    with pytest.raises(equant.InvalidArgument, match="different observations"):
        posterior.plan([data.times_days[-1] + 1.0], target="models", rivals=[other])


def test_nights_are_filled_without_double_booking(posterior):
    """Greedy over two stars, against the same choice made step by step with plans of each."""
    last = posterior.data.times_days[-1]
    times = np.concatenate([last + day + 0.3 + np.arange(5) / 48 for day in range(1, 4)])
    stars = [
        equant.ScheduleStar(
            posterior, times, name=name, exposure_days=1 / 48, overhead_days=0.002, weight=weight
        )
        for name, weight in (("b", 1.0), ("c", 1.5))
    ]
    made = equant.schedule(stars, max_draws=300, engine="cpu")
    taken = sorted((one.start_days, one.end_days) for one in made.observations)
    assert all(end <= start + 1e-6 for (_, end), (start, _) in zip(taken, taken[1:]))
    assert 6 <= len(taken) <= 9  # every other time fits, three nights of five times
    first = max(made.plans[1].chosen + made.plans[0].chosen, key=lambda one: one.value)
    assert first.value == made.plans[1].chosen[0].value
    assert {one.name for one in made.observations} == {"b", "c"}
    alone = posterior.plan(times, 1, max_draws=300, engine="cpu", weight=1.5)
    assert made.plans[1].chosen[0].gain == pytest.approx(alone.chosen[0].gain, rel=1e-12)
    for plan in made.plans:
        assert all(q.sd_after <= 1.01 * q.sd_now for q in plan.expected)
    few = equant.schedule(stars, n=2, max_draws=300, engine=equant.Engine("cpu", n_threads=2))
    assert len(few.observations) == 2
    two_telescopes = [
        equant.ScheduleStar(posterior, times, exposure_days=1 / 48, place=place) for place in (0, 1)
    ]
    both = equant.schedule(two_telescopes, max_draws=300, engine="cpu")
    assert len(both.observations) > len(taken)
    assert str(both).startswith("equant.Schedule: ")
    assert len(both.table["name"]) == len(both.observations)
    with pytest.raises(equant.InvalidArgument, match="takes stars"):
        equant.schedule([])


def test_spread_that_is_expected(posterior):
    last = posterior.data.times_days[-1]
    plan = posterior.plan(last + np.arange(1.3, 40.0), 4, engine="cpu")
    draws = taken(posterior, 1000)
    by_name = {one.name: one for one in plan.expected}
    assert by_name["k_m_s_1"].sd_now == pytest.approx(np.std(draws["k_m_s_1"]), rel=1e-9)
    assert 0.3 < by_name["k_m_s_1"].sd_after / by_name["k_m_s_1"].sd_now < 1.0
    assert by_name["jitter_m_s_1"].sd_after > 0.9 * by_name["jitter_m_s_1"].sd_now
