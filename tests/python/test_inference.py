"""Search, fit, priors and sampling, on a star that is made here."""

import ctypes
import gc

import numpy as np
import pytest

import equant
from equant import _c, fitted_star

PERIODS = (12.5, 200.0)


@pytest.fixture(scope="module")
def star():
    """Two planets and noise of a known size, by two instruments with an offset each."""
    times = 300.0 * equant.random_uniform(5, 80)
    v = equant.radial_velocity(times, PERIODS, (12.0, 30.0), (0.2, 0.3), (1.0, 2.0), (0.5, 2.5))
    instruments = np.arange(80) % 2
    v = v + equant.random_normal(5, 80, purpose=1) + 100.0 * instruments
    return equant.Data.from_arrays(times, v, 1.0, instruments, reference_time_days=0.0)


@pytest.fixture(scope="module")
def fit(star):
    return equant.fit(star, star_mass=1.0, period_min_days=2.0)


@pytest.fixture(scope="module")
def run_path(tmp_path_factory):
    return tmp_path_factory.mktemp("run") / "run.nc"


@pytest.fixture(scope="module")
def posterior(star, fit, run_path):
    try:
        return _sampled(star, fit, path=run_path)
    except equant.Unavailable:  # built without NetCDF
        return _sampled(star, fit)


def _sampled(star, fit, **options):
    return equant.sample(
        star,
        2,
        known=fit.planets,
        seed=1,
        min_ess=200,
        max_rhat=1.05,
        n_burn_in=100,
        star_mass=1.0,
        **options,
    )


def test_search_finds_the_larger_planet(star):
    found = equant.search(star, period_min_days=2.0, eccentricity_max=0.5, n_peaks=3)
    peak = found.peaks[0]
    assert peak.period_days == pytest.approx(PERIODS[1], rel=0.1)
    assert peak.false_alarm < 1e-6 and np.isnan(peak.false_alarm_drawn)
    assert found.power.max() <= 1 and (found.power >= found.circular - 1e-9).all()
    assert found.level(1e-3) > found.level(1e-1)
    assert len(found.peak_table["power"]) == len(found.peaks) <= 3
    assert found.table.to_numpy().dtype.names[0] == "frequency_per_day"
    assert "highest peak" in repr(found)


def test_arrays_outlive_the_periodogram(star):
    power = equant.search(star, period_min_days=50.0, circular_only=True).power
    gc.collect()
    assert np.isfinite(power).all()


def test_search_beside_a_known_planet(star, fit):
    found = equant.search(star, known=fit.planets[1:], period_min_days=5.0)
    assert found.peaks[0].period_days == pytest.approx(PERIODS[0], rel=0.01)


def test_fit_finds_both_planets(star, fit):
    assert len(fit.planets) == 2
    for planet, period in zip(fit.planets, PERIODS):
        assert abs(planet.period_days - period) < 4 * planet.period_days_err
        assert planet.m_sin_i_jupiter > 0
    assert np.diff(fit.offsets_m_s)[0] == pytest.approx(100.0, abs=2.0)
    assert fit.summary.rms_m_s == pytest.approx(1.0, abs=0.3)


@pytest.fixture
def handles(monkeypatch):
    """Keeps the library's own fits, of which those of Python are copies."""
    kept = []
    contents_of = fitted_star.contents_of

    def contents(handle, *origin):
        kept.append(handle)
        return contents_of(handle, *origin)

    monkeypatch.setattr(fitted_star, "contents_of", contents)
    return kept


def assert_what_c_says(fit, handle):
    """Model, names, parameters and covariance, with the columns counted by the library."""
    model = _c.equant_fit_model(handle.pointer)
    n = _c.equant_model_n_parameters(model)
    names = tuple(_c.equant_model_parameter_name(model, i).decode() for i in range(n))
    assert fit.model.parameter_names == fit.parameter_names == names
    parameters = (ctypes.c_double * n).from_address(_c.equant_fit_parameters(handle.pointer))
    covariance = (ctypes.c_double * n**2).from_address(_c.equant_fit_covariance(handle.pointer))
    assert fit.parameters.tolist() == list(parameters)
    assert fit.covariance.shape == (n, n) and fit.covariance.ravel().tolist() == list(covariance)
    assert np.allclose(fit.covariance, fit.covariance.T)
    errors = np.sqrt(np.diag(fit.covariance))
    for number, planet in enumerate(fit.planets):
        column = names.index(f"period_days_{number + 1}")
        assert errors[column] == pytest.approx(planet.period_days_err, rel=1e-9)
        assert errors[column + 1] == pytest.approx(planet.k_m_s_err, rel=1e-9)
    evaluator = fit.evaluator()
    assert evaluator.chi_square(fit.parameters) == pytest.approx(fit.summary.chi_square, rel=1e-9)


def test_parts_of_a_fit_belong_together(star, handles):
    fit = equant.fit(star, star_mass=1.0, period_min_days=2.0)
    assert fit.summary.n_fitted == fit.parameters.size
    assert_what_c_says(fit, handles[-1])
    evaluator = fit.evaluator()
    assert evaluator.chi_square(fit.parameters) == pytest.approx(fit.summary.chi_square, rel=1e-9)
    v = fit.velocities(star.times_days) + fit.offsets_m_s[star.instruments]
    assert np.allclose(v + fit.residuals_m_s, star.velocities_m_s)
    assert np.allclose(fit.model_velocities_m_s + fit.residuals_m_s, star.velocities_m_s)
    evaluated = evaluator.residuals(fit.parameters)
    assert np.allclose(fit.residuals_m_s, evaluated, rtol=0, atol=1e-9)
    parts = [fit.velocities(star.times_days, [index]) for index in range(2)]
    assert fit.trend != "none" or np.allclose(sum(parts), fit.velocities(star.times_days))


def test_fit_in_words(fit):
    assert "2 planets" in repr(fit) and "12.5" in repr(fit)
    assert "<table>" in fit._repr_html_()
    assert fit.table["planet"].tolist() == [1, 2]
    assert "P = 12." in repr(fit.planets[0])


def test_fit_without_jitter_or_planets(star, handles):
    none = equant.fit(star, 0, jitter=False)
    assert none.planets == () and none.jitters_m_s.tolist() == [0.0, 0.0]
    assert none.summary.n_fitted == 2 + len(none.trend_terms)
    assert "no planet" in repr(none)
    assert_what_c_says(none, handles[-1])


def test_fit_without_jitter(star, fit, handles):
    bare = equant.fit(star, 2, known=fit.planets, jitter=False)
    assert bare.model.jitter and bare.jitters_m_s.tolist() == [0.0, 0.0]
    assert bare.summary.n_fitted == bare.parameters.size - 2
    assert_what_c_says(bare, handles[-1])
    assert (bare.covariance[-2:] == 0).all() and (np.diag(bare.covariance)[:-2] > 0).all()


def test_fit_with_fixed_planets(star, fit, handles):
    kept = equant.fit(star, 2, known=fit.planets, n_fixed=1)
    assert kept.model.jitter and kept.model.n_planets == 2
    assert kept.summary.n_fitted == kept.parameters.size - 5
    assert_what_c_says(kept, handles[-1])
    assert np.array_equal(kept.planets[0].elements, fit.planets[0].elements)
    assert (kept.covariance[:5] == 0).all() and (np.diag(kept.covariance)[5:12] > 0).all()
    assert kept.planets[0].period_days_err == 0 and kept.planets[1].period_days_err > 0


def test_a_period_at_the_end_of_the_range(star):
    matplotlib = pytest.importorskip("matplotlib")
    found = equant.fit(star, 1, period_min_days=20.0, period_max_days=150.0, star_mass=1.0)
    (planet,) = found.planets
    assert planet.at_limit == "longest" and 60.0 < planet.period_days_bound < planet.period_days
    assert planet.period_days == pytest.approx(150.0)
    assert np.isnan(planet.period_days_err) and np.isnan(planet.a_au_err)
    assert planet.k_m_s_err > 0
    assert planet.measured("period_days") == f"at least {planet.period_days_bound:.0f}"
    matplotlib.use("Agg")
    titles = [ax.get_title() for ax in found.plot()]
    assert any(f"$P$ = at least {planet.period_days_bound:.0f} d" in title for title in titles)
    assert repr(found).count("at least ") == 2 and "P = at least" in repr(planet)
    assert found.table["at_limit"].tolist() == ["longest"]
    assert found.table["period_days_bound"][0] == planet.period_days_bound
    assert (found.summary.period_min_days, found.summary.period_max_days) == (20.0, 150.0)


def test_why_a_candidate_was_refused(star, fit):
    assert fit.candidate.refused_because == "false_alarm"
    assert fit.refusal.startswith("its false-alarm probability, ")
    assert all(planet.refused_because == "not" for planet in fit.planets)
    given = equant.fit(star, 1, period_min_days=2.0)
    assert given.candidate is None and given.refusal == ""


def test_planets_to_start_from(star, fit):
    again = equant.fit(star, 2, known=fit.planets)
    arrays = equant.fit(star, 2, known=np.array([planet.elements for planet in fit.planets]))
    assert np.array_equal(arrays.parameters, again.parameters)
    assert arrays.made_by == "equant.fit(data, 2, known=...)"
    assert again.planets[0].period_days == pytest.approx(fit.planets[0].period_days, rel=1e-4)
    with pytest.raises(equant.InvalidArgument, match="five elements"):
        equant.fit(star, 2, known=[[1.0, 2.0]])


def test_arrays_as_planets_to_sample_around(star, fit):
    known = np.array([planet.elements for planet in fit.planets])
    made = equant.sample(star, 2, known=known, max_steps=40, n_burn_in=10)
    assert made.provenance["command"].startswith("equant.sample(data, 2, known=...")


def test_priors(star):
    priors = equant.Priors(star, 2, prior_set="kipping", changes={"eccentricity_2": 0})
    assert len(priors) == 10 + 2 + 2
    assert priors["eccentricity_2"].startswith("fixed(0")
    assert priors["eccentricity_1"].startswith("beta(")
    priors["k_m_s"] = "uniform(0, 100)"
    assert priors["k_m_s_1"] == priors["k_m_s_2"] == "uniform(0, 100)"
    with pytest.raises(KeyError):
        priors["mass"]
    with pytest.raises(equant.InvalidArgument):
        priors["k_m_s_1"] = "guess(3)"
    with pytest.raises(TypeError):
        del priors["k_m_s_1"]
    assert "k_m_s_1: uniform(0, 100)" in repr(priors)


def test_priors_from_a_file(star, tmp_path):
    path = tmp_path / "priors.yaml"
    path.write_text("set: kipping\nplanets:\n  - period_days: log-uniform(10, 15)\n")
    try:
        priors = equant.Priors.from_file(path, star, 1)
    except equant.Unavailable:
        pytest.skip("built without YAML")
    assert priors["period_days_1"] == "log-uniform(10, 15)"


def test_posterior_contains_the_truth(posterior):
    assert posterior.converged and posterior.summary.rhat < 1.05
    assert posterior.summary.lacks == "none" and posterior.summary.drift <= 4.0
    for name, truth in {"period_days_1": 12.5, "period_days_2": 200.0, "k_m_s_2": 30.0}.items():
        quantity = posterior.quantity(name)
        assert abs(quantity.median - truth) < 4 * (quantity.high - quantity.low)
        assert np.median(posterior[name]) == pytest.approx(quantity.median, rel=1e-6)
    assert posterior["k_m_s_1"].shape == posterior.shape == posterior.log_likelihoods.shape
    assert sum(mode.weight for mode in posterior.modes) == pytest.approx(1.0, abs=0.01)
    with pytest.raises(equant.InvalidArgument, match="no 'mass'"):
        posterior["mass"]


def test_posterior_remembers_how_it_was_made(star, posterior):
    assert np.array_equal(posterior.data.velocities_m_s, star.velocities_m_s)
    assert posterior.provenance["seed"] == "1"


def test_posterior_tables(posterior):
    assert posterior.table["name"][0] == "period_days_1"
    draws = posterior.draws
    assert draws.n_rows == np.prod(posterior.shape)
    assert "converged" in repr(posterior) and "<table>" in posterior._repr_html_()


def test_same_seed_same_draws(star, fit, posterior):
    again = _sampled(star, fit, engine=equant.Engine(n_threads=1))
    assert np.array_equal(again["k_m_s_1"], posterior["k_m_s_1"])


def test_runs_go_on(star, fit, tmp_path):
    path = tmp_path / "run.nc"
    options = dict(known=fit.planets, seed=1, n_burn_in=40, max_rhat=1.001, min_ess=1e6)
    try:
        equant.sample(star, 2, max_steps=80, path=path, **options)
    except equant.Unavailable:
        pytest.skip("built without NetCDF")
    went_on = equant.sample_resume(path, max_steps=160)
    at_once = equant.sample(star, 2, max_steps=160, **options)
    assert np.array_equal(went_on["k_m_s_2"], at_once["k_m_s_2"])
    assert went_on.summary.end == "steps"
    assert went_on.summary.lacks in ("rhat", "ess", "turnover", "burn_in", "drift", "populations")
    assert f"{went_on.summary.lacks} of " in repr(went_on)
    opened = equant.Posterior.open(path)
    assert np.array_equal(opened["k_m_s_2"], at_once["k_m_s_2"])
    assert opened.data.n_obs == star.n_obs


def test_arviz_gets_what_the_file_of_a_run_has(posterior, run_path):
    arviz = pytest.importorskip("arviz")
    data = posterior.to_arviz()
    assert len(arviz.summary(data, var_names=["period_days"])) == 2
    assert data.posterior.k_m_s.attrs["units"] == "m/s"
    if not run_path.exists():
        pytest.skip("built without NetCDF")
    file = arviz.from_netcdf(run_path)
    assert set(data.posterior.data_vars) == set(file.posterior.data_vars)
    for name, values in file.posterior.data_vars.items():
        assert data.posterior[name].dims == values.dims
        for attribute in ("units", "long_name"):
            own = data.posterior[name].attrs.get(attribute)
            assert own == values.attrs.get(attribute)
        assert np.array_equal(data.posterior[name], values)
    assert np.array_equal(data.sample_stats.log_likelihood, file.sample_stats.log_likelihood)
    assert list(data.posterior.instrument.values) == list(file.posterior.instrument.values)


def test_observations_have_log_likelihoods_of_their_own(posterior):
    arviz = pytest.importorskip("arviz")
    data = posterior.to_arviz()
    each = data.log_likelihood.rv
    assert each.shape == (*data.sample_stats.log_likelihood.shape, posterior.data.n_obs)
    sums = each.values.sum(axis=-1)
    assert np.allclose(sums, data.sample_stats.log_likelihood, rtol=1e-12)
    found = arviz.loo(data)
    assert found.n_data_points == posterior.data.n_obs
    some = posterior.to_arviz(thin=4)
    assert np.array_equal(
        some.log_likelihood.rv[0, 0], each[0, 0]
    ) and some.posterior.sizes["draw"] < each.shape[1]
    assert not hasattr(posterior.to_arviz(log_likelihood=False), "log_likelihood")
    with pytest.raises(equant.InvalidArgument, match="thin must be"):
        posterior.to_arviz(thin=0)


def test_correlated_noise_is_conditioned_on_other_observations():
    """Against whole matrices, one observation left out after the other."""
    random = np.random.default_rng(4)
    days = np.sort(60 * random.random(20))
    star = equant.Data.from_arrays(days, 3 * random.standard_normal(20), 1.0)
    run = equant.sample(
        star, 0, noise="exponential", start="prior", max_steps=40, n_burn_in=20, progress=False
    )
    each = run.to_arviz(log_likelihood=True, thin=5).log_likelihood.rv.values
    names = ("offset_m_s_1", "jitter_m_s_1", "exponential_amplitude_m_s", "exponential_decay_days")
    offset, jitter, amplitude, decay = (run[name][:, ::5].ravel()[7] for name in names)
    apart = np.abs(days[:, None] - days)
    covariance = amplitude**2 * np.exp(-apart / decay) + (1.0 + jitter**2) * np.eye(20)
    residuals = star.velocities_m_s - offset
    for i in range(20):
        others = np.arange(20) != i
        weights = np.linalg.solve(covariance[np.ix_(others, others)], covariance[others, i])
        variance = covariance[i, i] - weights @ covariance[others, i]
        square = (residuals[i] - weights @ residuals[others]) ** 2 / variance
        expected = -0.5 * (np.log(2 * np.pi * variance) + square)
        assert each.reshape(-1, 20)[7, i] == pytest.approx(expected, rel=1e-8)
    with pytest.raises(equant.InvalidArgument, match="no log-likelihood of single"):
        priors = {"offset_m_s_1": "uniform(-20, 20)"}
        options = {"start": "prior", "max_steps": 30, "n_burn_in": 10, "progress": False}
        marginal = equant.sample(star, 0, marginalise_offsets=True, priors=priors, **options)
        marginal.to_arviz(log_likelihood=True)


def test_tables_have_units_in_astropy(fit, posterior):
    units = pytest.importorskip("astropy.units")
    planets = fit.to_qtable()
    assert planets["k_m_s"].unit == units.m / units.s
    assert planets["period_days"][0].to_value("h") == fit.planets[0].period_days * 24
    draws = posterior.to_qtable()
    assert draws["omega_rad_1"].unit == units.rad and len(draws) == posterior.log_likelihoods.size
    assert getattr(draws["eccentricity_1"], "unit", None) is None


def test_fewer_planets_than_asked_for_are_no_secret():
    few = equant.Data.from_arrays([0.0, 1.0, 2.5, 4.0], [1.0, 2.0, 1.5, 0.5], 1.0)
    with pytest.warns(UserWarning, match="1 planet asked for and 0 found: 4 observations"):
        assert not equant.fit(few, 1).planets
    with pytest.raises(equant.InvalidArgument, match="n_planets must be 0 or more"):
        equant.fit(few, -1)


def test_gains_are_called_gains(star, fit):
    assert "log_likelihood" not in fit.table
    assert (fit.table["log_likelihood_gain"] > 0.0).all()
    assert fit.summary.log_likelihood < 0.0
