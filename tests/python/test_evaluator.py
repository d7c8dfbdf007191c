"""Evaluators: values against formulas written down here once more, shapes, memory, threads."""

import multiprocessing
import pickle
import threading

import numpy as np
import pytest

import equant

ORBIT = np.array([1198.5, 7.35, 0.07, 2.86, 3.23])


@pytest.fixture(scope="module")
def evaluator(data):
    return equant.Evaluator(data, n_planets=1)


@pytest.fixture(scope="module")
def orbits():
    return equant.orbits_draw(37, 1, seed=3, eccentricity_max=0.8)


def velocity(times, period, k, e, omega, m0, reference):
    M = 2 * np.pi * (times - reference) / period + m0
    E = M.copy()
    for _ in range(200):
        E -= (E - e * np.sin(E) - M) / (1 - e * np.cos(E))
    nu = 2 * np.arctan2(np.sqrt(1 + e) * np.sin(E / 2), np.sqrt(1 - e) * np.cos(E / 2))
    return k * (np.cos(nu + omega) + e * np.cos(omega))


def test_velocities_chi_square_and_likelihood(data):
    evaluator = equant.Evaluator(data, n_planets=1, offset_columns="given", jitter=True)
    offsets, jitters = np.array([0.5, -0.25, 1.0]), np.array([2.0, 3.0, 1.0])
    found = evaluator.evaluate(
        np.concatenate([ORBIT, offsets, jitters]),
        ["chi_square", "log_likelihood", "velocities", "residuals", "linear"],
    )
    expected = velocity(data.times_days, *ORBIT, data.reference_time_days)
    expected = expected + offsets[data.instruments]
    residuals = data.velocities_m_s - expected
    variance = data.uncertainties_m_s**2 + jitters[data.instruments] ** 2
    assert np.allclose(found.velocities, expected, atol=1e-9)
    assert np.allclose(found.residuals, residuals, atol=1e-9)
    assert np.allclose(found.chi_square, np.sum(residuals**2 / variance), rtol=1e-10)
    terms = residuals**2 / variance + np.log(2 * np.pi * variance)
    assert np.allclose(found.log_likelihood, -0.5 * np.sum(terms), rtol=1e-10)
    assert np.array_equal(found.linear, offsets)


def test_one_set_is_a_float_and_the_same_bits_as_a_batch(evaluator, orbits):
    batch = evaluator.chi_square(orbits)
    likelihoods = evaluator.log_likelihood(orbits)
    for orbit, chi_square, likelihood in zip(orbits, batch, likelihoods):
        assert type(evaluator.chi_square(orbit)) is float
        assert evaluator.chi_square(orbit) == chi_square == evaluator.chi_square(list(orbit))
        assert evaluator.log_likelihood(orbit) == likelihood
    assert evaluator.chi2(orbits[0]) == batch[0]


def test_leading_shapes(evaluator, orbits):
    grid = orbits[:12].reshape(3, 4, 5)
    assert evaluator.chi_square(grid).shape == (3, 4)
    assert evaluator.velocities(grid).shape == (3, 4, 401)
    assert evaluator.linear(grid).shape == (3, 4, 3)
    assert evaluator.gradient(grid).shape == (3, 4, 5)
    assert evaluator.chi_square(np.empty((0, 5))).shape == (0,)


def test_other_layouts_give_the_same(evaluator, orbits):
    expected = evaluator.chi_square(orbits)
    assert np.array_equal(evaluator.chi_square(np.asfortranarray(orbits)), expected)
    assert np.array_equal(evaluator.chi_square(orbits[::2]), expected[::2])
    assert np.array_equal(evaluator.chi_square(orbits.tolist()), expected)
    askew = np.frombuffer(b"." + orbits.tobytes(), dtype=np.float64, offset=1).reshape(orbits.shape)
    assert np.array_equal(evaluator.chi_square(askew), expected)


def test_out_is_filled_and_returned(evaluator, orbits):
    out = np.empty(len(orbits))
    assert evaluator.chi_square(orbits, out) is out
    assert np.array_equal(out, evaluator.chi_square(orbits))
    found = evaluator.evaluate(orbits, [], out={"residuals": np.empty((37, 401))})
    assert found.chi_square is None
    assert np.array_equal(found.residuals, evaluator.residuals(orbits))


@pytest.mark.parametrize(
    "out", [np.empty(36), np.empty(37, np.float32), np.empty(74)[::2], [0.0] * 37]
)
def test_out_must_fit(evaluator, orbits, out):
    with pytest.raises(equant.InvalidArgument):
        evaluator.chi_square(orbits, out)


def test_read_only_parameters_are_welcome(evaluator, orbits):
    fixed = orbits.copy()
    fixed.flags.writeable = False
    assert np.array_equal(evaluator.chi_square(fixed), evaluator.chi_square(orbits))


def test_outside_the_domain(evaluator):
    assert evaluator.chi_square(np.array([1198.5, 7.0, 1.5, 0.0, 0.0])) == np.inf
    assert evaluator.log_likelihood([-1.0, 7.0, 0.5, 0.0, 0.0]) == -np.inf


def test_wrong_columns_have_a_sentence(evaluator):
    with pytest.raises(equant.InvalidArgument, match="5 columns.*not 4"):
        evaluator.chi_square(np.zeros(4))
    with pytest.raises(equant.InvalidArgument, match="single number"):
        evaluator.chi_square(1.0)
    with pytest.raises(equant.InvalidArgument, match="no result 'mass'"):
        evaluator.evaluate(ORBIT, ["mass"])


def test_gradient_is_the_slope(data):
    evaluator = equant.Evaluator(data, n_planets=1, offset_columns="given", jitter=True)
    point = np.concatenate([ORBIT, [0.5, -0.25, 1.0], [2.0, 3.0, 1.0]])
    gradient = evaluator.gradient(point)
    for column, slope in enumerate(gradient):
        step = np.zeros_like(point)
        step[column] = 1e-5 * max(abs(point[column]), 0.1)
        rise = evaluator.log_likelihood(point + step) - evaluator.log_likelihood(point - step)
        assert slope == pytest.approx(rise / (2 * step[column]), rel=1e-4, abs=1e-4)
    found = evaluator.differentiate(point, ["jacobian", "fisher", "chi_square_gradient"])
    assert found.jacobian.shape == (11, 401)
    assert np.allclose(found.fisher, found.fisher.T)
    assert found.log_likelihood is None


def test_bases(evaluator):
    ln_p = evaluator.gradient(ORBIT, basis="regular")[0]
    assert ln_p == pytest.approx(evaluator.gradient(ORBIT)[0] * ORBIT[0])
    with pytest.raises(equant.InvalidArgument, match="'regular'"):
        evaluator.gradient(ORBIT, basis="polar")


def test_engines(data, orbits):
    exact = equant.Evaluator(data).chi_square(orbits)
    scalar = equant.Evaluator(data, engine="cpu/scalar")
    assert scalar.backend == "cpu/scalar"
    assert np.array_equal(scalar.chi_square(orbits), exact)
    mixed = equant.Evaluator(data, engine=equant.Engine(precision="mixed", n_threads=1))
    assert np.allclose(mixed.chi_square(orbits), exact, rtol=1e-4)
    with pytest.raises(equant.Unavailable, match="abacus"):
        equant.Evaluator(data, engine="abacus")


def test_pickles(data, orbits):
    evaluator = equant.Evaluator(data, trend="linear", engine=equant.Engine(precision="mixed"))
    copy = pickle.loads(pickle.dumps(evaluator))
    assert copy.engine == evaluator.engine
    assert np.array_equal(copy.chi_square(orbits), evaluator.chi_square(orbits))


def test_threads_may_share_an_evaluator(evaluator, orbits):
    expected = evaluator.chi_square(orbits)
    wrong = []

    def work():
        for _ in range(50):
            singles = [evaluator.chi_square(orbit) for orbit in orbits]
            if not np.array_equal(singles, expected):
                wrong.append(singles)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_forked_processes_have_threads_of_their_own(evaluator, orbits):
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("this system does not fork")
    threaded = equant.Evaluator(evaluator.data, engine=equant.Engine(n_threads=2))
    expected = threaded.chi_square(orbits)
    queue = multiprocessing.get_context("fork").SimpleQueue()
    child = multiprocessing.get_context("fork").Process(
        target=lambda: queue.put(threaded.chi_square(orbits)), daemon=True
    )
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert np.array_equal(queue.get(), expected)


def test_a_model_may_be_given(data):
    model = equant.Model(2, n_instruments=3, trend="quadratic", trend_columns="given", jitter=True)
    evaluator = equant.Evaluator(data, model)
    assert evaluator.n_parameters == 10 + 2 + 3
    assert evaluator.parameter_names[10:] == (
        "trend_m_s_day",
        "trend_m_s_day2",
        "jitter_m_s_1",
        "jitter_m_s_2",
        "jitter_m_s_3",
    )
    with pytest.raises(equant.InvalidArgument, match="instrument"):
        equant.Evaluator(data, equant.Model(1))


def test_no_planets(data):
    evaluator = equant.Evaluator(data, n_planets=0)
    assert evaluator.n_parameters == 0
    assert np.isfinite(evaluator.chi_square(np.empty(0)))
    assert evaluator.chi_square(np.empty((3, 0))).shape == (3,)


@pytest.mark.parametrize("n_planets", [2**70, 2**64, -1])
def test_numbers_that_do_not_fit(n_planets):
    with pytest.raises(equant.InvalidArgument, match="n_planets must be"):
        equant.Model(n_planets)


def test_threads_that_do_not_fit(data):
    with pytest.raises(equant.InvalidArgument, match="n_threads cannot be"):
        model = equant.Model(1, n_instruments=3)
        equant.Evaluator(data, model, engine=equant.Engine(n_threads=2**40))


def test_lists_are_their_evaluators():
    rng = np.random.default_rng(5)
    stars = []
    for n in (12, 40, 90):
        t = np.sort(rng.uniform(2450000, 2451000, n))
        stars.append(equant.Data.from_arrays(t, rng.normal(0, 5, n), np.full(n, 2.0)))
    every = equant.EvaluatorList(stars, n_planets=1)
    whose = np.array([[2, 0], [1, 2]])
    sets = rng.uniform(0.1, 0.9, (2, 2, 5)) * [300, 10, 0.9, 6, 6]
    found = every.evaluate(whose, sets, ["chi_square", "linear"])
    for place in np.ndindex(2, 2):
        alone = equant.Evaluator(stars[whose[place]], n_planets=1, engine=every.backend)
        one = alone.evaluate(sets[place], ["chi_square", "linear"])
        assert found.chi_square[place] == one.chi_square
        assert np.array_equal(found.linear[place], one.linear)
    assert len(every) == 3 and repr(every).startswith("equant.EvaluatorList(3 data sets, cpu/")
    for wrong in (([3], sets[0, :1]), ([-1], sets[0, :1]), ([0], sets[0]), ([0.5], sets[0, :1])):
        with pytest.raises(equant.InvalidArgument):
            every.evaluate(*wrong)
    with pytest.raises(equant.InvalidArgument):
        every.evaluate([0], sets[0, :1], ["velocities"])
    with pytest.raises(equant.InvalidArgument):
        equant.EvaluatorList([])
