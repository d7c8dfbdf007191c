"""States of parameters: fits and posteriors with them, against brute force and against each other."""

import math
import pickle

import numpy as np
import pytest

import equant

PERIOD, CONJUNCTION, AMPLITUDE = 20.885258, 2072.79438, 6.0
ENGINE = equant.Engine(n_threads=1)


@pytest.fixture(scope="module")
def data():
    """A circle of known phase and white noise."""
    random = np.random.default_rng(5)
    time = 2364.8 + np.sort(random.uniform(0, 100, 40))
    velocity = -AMPLITUDE * np.sin(2 * np.pi * (time - CONJUNCTION) / PERIOD)
    return equant.Data.from_arrays(time, velocity + random.normal(0, 3, 40), np.full(40, 3.0))


def test_states_are_a_mapping():
    states = equant.States(
        {"b.period_days": PERIOD, "b.transit": [(1.5, 0.1), (22.4, 0.2)], "c.k_m_s": "0:10"}
    )
    assert states["b.period_days"] == repr(PERIOD)
    assert states["b.transit"] == ["normal(1.5, 0.1)", "normal(22.4, 0.2)"]
    assert states.letters == "bc" and len(states) == 3
    assert pickle.loads(pickle.dumps(states))._entries() == states._entries()
    assert states.prior("b.eccentricity", "beta(0.867, 3.03)").letters == "bc"
    with pytest.raises(KeyError):
        states["d.k_m_s"]
    assert states.where(0) == ""


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"b.perod_days": 3}, "did you mean 'b.period_days'"),
        ({"b.eccentricity": 0, "b.t_peri": 3}, "a circle has no pericentre"),
        ({"b.k_m_s": "3:1"}, "nothing lies between"),
    ],
)
def test_mistakes_are_named(wrong, said):
    with pytest.raises(equant.InvalidArgument, match=said):
        equant.States(wrong)


def test_predicted_times_have_the_errors_of_a_line(data):
    found = equant.fit(
        data,
        states={
            "b.period_days": f"normal({PERIOD}, 0.0003)",
            "b.t_conj": f"normal({CONJUNCTION}, 0.0012)",
            "b.eccentricity": 0,
        },
        engine=ENGINE,
    )
    assert found.letters == "b"
    own = found.ephemerides[0, "t_conj"]
    first = round((CONJUNCTION - own.time_days) / PERIOD)
    for number in (0, 1, 100):
        time, error = own.at(first + number)
        assert time == pytest.approx(CONJUNCTION + number * PERIOD, abs=1e-3)
        assert error == pytest.approx(math.hypot(0.0012, number * 0.0003), rel=1e-3)
    half, _ = found.ephemerides[0, "t_sup"].at(0)
    assert (half - own.time_days) / own.period_days % 1 == pytest.approx(0.5, abs=1e-9)


def quantile(grid, density, share):
    cumulative = np.cumsum(density)
    return np.interp(share, cumulative / cumulative[-1], grid)


def test_a_prior_of_the_trend_is_about_the_reference_time(data):
    """All that is free is linear: normal equations with a row for the prior."""
    reference, mean, sigma = 2300.0, 0.05, 0.02
    time, velocity = data.times_days, data.velocities_m_s
    moved = equant.Data.from_arrays(
        time, velocity, data.uncertainties_m_s, reference_time_days=reference
    )
    found = equant.fit(
        moved,
        states={
            "b.period_days": PERIOD,
            "b.t_conj": CONJUNCTION,
            "b.eccentricity": 0,
            "jitter": 0,
            "trend": "quadratic",
            "trend_m_s_day": f"normal({mean}, {sigma})",
        },
        engine=ENGINE,
    )
    days = time - reference
    circle = -np.sin(2 * np.pi * (time - CONJUNCTION) / PERIOD)
    rows = np.column_stack([circle, np.ones_like(days), days, days**2]) / 3.0
    rows = np.vstack([rows, [0, 0, 1 / sigma, 0]])
    wanted = np.linalg.lstsq(rows, np.append(velocity / 3.0, mean / sigma), rcond=None)[0]
    assert found.planets[0].k_m_s == pytest.approx(wanted[0], rel=1e-7)
    assert found.offsets_m_s == pytest.approx(wanted[1:2], rel=1e-6)
    assert found.trend_terms == pytest.approx(wanted[2:], rel=1e-6)


def test_a_transit_prior_gives_the_posterior_of_a_grid(data):
    """K and the time of conjunction, all else fixed: every point of a grid can be summed."""
    sigma_t = 0.6  # about as wide as the data know it
    posterior = equant.sample(
        data,
        states={
            "b.period_days": PERIOD,
            "b.eccentricity": 0,
            "b.t_conj": f"normal({CONJUNCTION + 0.5}, {sigma_t})",
            "b.k_m_s": "0:20",
            "jitter": 0,
            "offset": 0,
        },
        min_ess=4000,
        seed=3,
        engine=ENGINE,
        progress=False,
    )
    time, velocity = data.times_days, data.velocities_m_s
    k = np.linspace(0, 20, 801)
    t_conj = CONJUNCTION + 0.5 + np.linspace(-6 * sigma_t, 6 * sigma_t, 801)
    wave = -np.sin(2 * np.pi * (time[:, None] - t_conj) / PERIOD)
    misfit = (
        np.sum(velocity**2)
        - 2 * k[:, None] * (velocity @ wave)
        + k[:, None] ** 2 * np.sum(wave**2, axis=0)
    )
    log_density = -0.5 * misfit / 9.0 - 0.5 * ((t_conj - CONJUNCTION - 0.5) / sigma_t) ** 2
    density = np.exp(log_density - log_density.max())
    drawn_k = np.ravel(posterior["k_m_s_1"])
    drawn_t = np.ravel(posterior["t_conj_1"])
    drawn_t = drawn_t - PERIOD * np.round((drawn_t - CONJUNCTION) / PERIOD)
    for drawn, grid, one in ((drawn_k, k, density.sum(1)), (drawn_t, t_conj, density.sum(0))):
        width = quantile(grid, one, 0.84) - quantile(grid, one, 0.16)
        for share in (0.05, 0.16, 0.5, 0.84, 0.95):
            # The error of a quantile of 4000 draws is below 0.02 widths.
            assert abs(np.quantile(drawn, share) - quantile(grid, one, share)) < 0.06 * width


BASES = [
    None,
    "per k ecosw lambda",
    "logper k e m0",
    "per logk secosw tc",
    "logper logk ecosw tp",
]


def test_five_bases_have_one_posterior(data):
    """Six quantities, five quantiles of each, of every basis against the usual one."""
    shares = (0.05, 0.25, 0.5, 0.75, 0.95)
    names = ("period_days_1", "k_m_s_1", "eccentricity_1", "offset_m_s_1", "jitter_m_s_1")
    found = []
    for basis in BASES:
        posterior = equant.sample(
            data,
            states={"b.period_days": "19:23", "b.k_m_s": "0:20", "b.eccentricity": "0:0.8"},
            basis=basis,
            min_ess=2000,
            seed=1,
            max_steps=20000,
            engine=ENGINE,
            progress=False,
        )
        draws = [np.ravel(posterior[name]) for name in names]
        angle = np.ravel(posterior["lambda_rad_1"])
        draws.append(np.angle(np.exp(1j * (angle - 5.4))))
        found.append(np.array([np.quantile(own, shares) for own in draws]))
    width = found[0][:, 3] - found[0][:, 1]
    for own in found[1:]:
        assert np.all(np.abs(own - found[0]) < 0.2 * width[:, None])


def test_a_basis_has_known_words(data):
    for basis, said in (("per tcc", "no word 'tcc'"), ("per logper", "says the same thing twice")):
        with pytest.raises(equant.InvalidArgument, match=said):
            equant.sample(data, basis=basis, progress=False)


def test_runs_with_states_go_on(data, tmp_path):
    """To the draws of a run that was never stopped."""
    states = {"b.period_days": PERIOD, "b.t_conj": f"normal({CONJUNCTION}, 0.01)"}
    settings = dict(states=states, seed=2, engine=ENGINE, progress=False, min_ess=1e9)
    whole = equant.sample(data, max_steps=600, **settings)
    equant.sample(data, max_steps=500, path=tmp_path / "run.nc", **settings)
    resumed = equant.sample_resume(tmp_path / "run.nc", max_steps=600, n_threads=1, progress=False)
    assert np.array_equal(whole["k_m_s_1"], resumed["k_m_s_1"])
    assert resumed.provenance["state_2"] == f"b.t_conj=normal({CONJUNCTION}, 0.01)"


def test_star_files_are_read(tmp_path):
    path = tmp_path / "star.yaml"
    path.write_text(
        "star: {name: K2-24, mass: 1.07 +- 0.06}\n"
        "data:\n  files: [one.csv, two.csv]\n"
        "planets:\n  b:\n    period_days: normal(20.885, 0.0003)\n"
        "    transits: [2072.79438 0.0012, 2093.68 +- 0.002]\n  c:\n    eccentricity: 0\n"
        "instruments:\n  HIRES: {jitter: 1.5}\ntrend: quadratic\n"
    )
    try:
        found = equant.read_star_file(path)
    except equant.Unavailable:
        pytest.skip("this library reads no star files")
    assert found.values("data", "files") == ["one.csv", "two.csv"]
    assert found.values("star", "mass") == ["1.07 +- 0.06"]
    assert dict(found.states) == {
        "b.period_days": "normal(20.885, 0.0003)",
        "b.transit": ["normal(2072.79438, 0.0012)", "normal(2093.68, 0.002)"],
        "c.eccentricity": "0",
        "jitter[HIRES]": "1.5",
        "trend": "quadratic",
    }
    assert found.states.where(0) == f"{path}:6"


def test_letters_are_kept(data, tmp_path):
    states = equant.States({"d.period_days": PERIOD, "d.eccentricity": 0}, letters="d")
    found = equant.fit(data, states=states, engine=ENGINE)
    assert found.letters == "d"
    found.save(tmp_path / "fit")
    assert equant.load(tmp_path / "fit").letters == "d"
    plain = equant.fit(data, states={"b.period_days": PERIOD}, engine=ENGINE)
    plain.save(tmp_path / "plain")
    assert equant.load(tmp_path / "plain").letters == "b"


# ---- search and parameter sets -----------------------------------------------------------------


def test_a_search_beside_a_known_planet_moves_it_as_far_as_states_let_it():
    """Powers of circles are those of linear least squares with one column for the planet whose
    period and conjunction are fixed: its amplitude."""
    random = np.random.default_rng(7)
    time = np.sort(random.uniform(0, 200, 60))
    known = -np.sin(2 * np.pi * (time - 3.0) / 17.3)
    velocity = 9 * known + 4 * np.cos(2 * np.pi * time / 5.31) + random.normal(0, 2, 60)
    data = equant.Data.from_arrays(time, velocity, np.full(60, 1.5))
    found = equant.search(
        data,
        states={
            "b.period_days": 17.3,
            "b.t_conj": 3.0,
            "b.eccentricity": 0,
            "c.period_days": "4:8",
            "c.eccentricity": 0,
            "jitter": 2.0,
            "trend": "none",
        },
        n_peaks=3,
        engine=ENGINE,
        exact_precision=True,
        progress=False,
    )
    assert found.is_circular and found.n_known == 1 and 3.9 < found.period_days.min() and found.period_days.max() < 8.1

    def misfit(*columns):
        columns = np.column_stack([known, np.ones(60), *columns])
        left = velocity - columns @ np.linalg.lstsq(columns, velocity, rcond=None)[0]
        return np.sum(left**2) / (1.5**2 + 2.0**2)

    def circle(period):
        angle = 2 * np.pi * time / period
        return np.cos(angle), np.sin(angle)

    whole = misfit()
    for f, power in zip(found.frequency_per_day[::7], found.circular[::7]):
        assert power == pytest.approx(1 - misfit(*circle(1 / f)) / whole, abs=1e-6)
    peak = found.peaks[0]
    assert peak.eccentricity == 0 and peak.period_days == pytest.approx(5.31, rel=2e-3)
    gain = max(
        0.5 * (whole - misfit(*circle(p))) for p in peak.period_days * (1 + np.linspace(-1e-4, 1e-4, 41))
    )
    assert peak.log_likelihood_gain == pytest.approx(gain, abs=1e-4)


@pytest.mark.parametrize(
    "wrong, said",
    [
        ({"b.period_days": "4:8", "b.k_m_s": 3}, "`equant fit` takes the rest"),
        ({"b.period_days": "4:8", "c.period_days": "9:10"}, "one planet at a time"),
        ({"b.eccentricity": 0.3}, "tries circles and all shapes"),
        ({"b.period_days": "400:800"}, "nothing in common"),
        ({"jitter[X]": 3}, "the data have no instrument"),
        ({"rotation_period_days": 30}, "of a noise that the model does not have"),
    ],
)
def test_a_search_says_what_makes_no_sense_there(data, wrong, said):
    with pytest.raises(equant.InvalidArgument, match=said):
        equant.search(data, states=wrong, period_max_days=50, engine=ENGINE, progress=False)


def test_states_are_values_and_densities_of_parameter_sets(data):
    """Against formulas of conjunctions and densities."""
    states = equant.States(
        {
            "b.t_conj": CONJUNCTION,
            "b.period_days": f"normal({PERIOD}, 0.01)",
            "b.k_m_s": "log-uniform(1, 20)",
            "c.eccentricity": 0,
            "c.t_conj": f"normal({CONJUNCTION}, 0.5)",
            "c.m_sin_i_jupiter": "normal(0.1, 0.02)",
            "jitter": 1.5,
            "offset": "-5:5",
        }
    )
    model = equant.Model(2, offset_columns="given", jitter=True)
    given = states.given(data, model)
    assert given == ("m0_rad_1", "eccentricity_2", "omega_rad_2", "jitter_m_s_1")
    assert states.n_priors == 5
    e, omega, c_period, c_k = 0.3, 1.1, 42.0, 3.0
    sets = [PERIOD + 0.02, 4.0, e, omega, 0.0, c_period, c_k, 0.7, 0.4, 2.0, 1.0, 9.0]
    filled = states.filled(data, model, [sets, sets])
    assert filled.shape == (2, 12) and np.array_equal(filled[0], filled[1])
    half = 0.5 * (np.pi / 2 - omega)
    anomaly = 2 * math.atan2(math.sqrt(1 - e) * math.sin(half), math.sqrt(1 + e) * math.cos(half))
    at_event = anomaly - e * math.sin(anomaly)
    reference = data.reference_time_days
    m0 = at_event - 2 * np.pi * (CONJUNCTION - reference) / (PERIOD + 0.02)
    assert math.sin(filled[0, 4] - m0) == pytest.approx(0, abs=1e-9)
    assert math.cos(filled[0, 4] - m0) > 0
    assert list(filled[0, [7, 8, 11]]) == [0, 0, 1.5]

    c_time = reference + (np.pi / 2 - 2.0) / (2 * np.pi) * c_period
    c_time += c_period * round((CONJUNCTION - c_time) / c_period)
    mass = 4.919e-3 * c_k * (c_period) ** (1 / 3)  # M_Jup around a star of one solar mass
    wanted = (
        _normal(PERIOD + 0.02, PERIOD, 0.01)
        - math.log(4.0 * math.log(20.0))
        + _normal(c_time, CONJUNCTION, 0.5)
        + _normal(mass, 0.1, 0.02)
        - math.log(10.0)
    )
    star = equant.Star(mass=1.0)
    assert states.log_prior(data, model, filled, star)[1] == pytest.approx(wanted, abs=2e-3)
    filled[0, 1] = 30.0  # beyond its range
    assert states.log_prior(data, model, filled, star)[0] == -np.inf
    with pytest.raises(equant.InvalidArgument, match="needs the mass of the star"):
        states.log_prior(data, model, filled)
    with pytest.raises(equant.InvalidArgument, match="the model has 1"):
        states.log_prior(data, equant.Model(1, jitter=True), np.zeros(6), star)


def _normal(x, mean, sigma):
    return -0.5 * ((x - mean) / sigma) ** 2 - math.log(sigma * math.sqrt(2 * math.pi))


# ---- bases of fits, shapes, masses ---------------------------------------------------------------


def test_a_fit_has_one_maximum_in_all_bases(data):
    found = [equant.fit(data, 1, basis=basis, engine=ENGINE, progress=False) for basis in BASES]
    usual = found[0]
    for own in found[1:]:
        assert own.summary.log_likelihood == pytest.approx(usual.summary.log_likelihood, abs=1e-7)
        assert own.planets[0].elements == pytest.approx(usual.planets[0].elements, rel=2e-4)
        assert own.planets[0].k_m_s_err == pytest.approx(usual.planets[0].k_m_s_err, rel=1e-3)
        assert own.summary.n_fitted == usual.summary.n_fitted


def test_orbits_in_the_coordinates_of_a_basis():
    """Errors against draws of the elements."""
    random = np.random.default_rng(3)
    elements = np.array([10.0, 3.0, 0.3, 1.0, 2.0])
    root = 1e-3 * random.normal(size=(5, 5))
    draws = elements + random.normal(size=(20000, 5)) @ root.T
    for basis in ("per tc secosw sesinw k", "logper logk e w m0", "tp ecosw"):
        words = equant.orbit_coordinates(
            elements, basis, reference_time_days=100.0, covariance=root @ root.T
        )
        all_of = [
            list(equant.orbit_coordinates(own, basis, reference_time_days=100.0).values())
            for own in draws[:2000]
        ]
        spread = np.std(np.array(all_of)[:, :, 0], axis=0)
        assert [error for _, error in words.values()] == pytest.approx(spread, rel=0.08)
    e, omega, m0 = 0.3, 1.0, 2.0
    half = 0.5 * (np.pi / 2 - omega)
    anomaly = 2 * math.atan2(math.sqrt(1 - e) * math.sin(half), math.sqrt(1 + e) * math.cos(half))
    days = (anomaly - e * math.sin(anomaly) - m0) / (2 * np.pi) * 10
    found = equant.orbit_coordinates(elements, "tc secosw", reference_time_days=100.0)
    assert found["tc"][0] == pytest.approx(100 + days - 10 * round(days / 10), abs=1e-9)
    assert found["sesinw"][0] == pytest.approx(math.sqrt(e) * math.sin(omega))
    with pytest.raises(equant.InvalidArgument, match="no word 'tcc'"):
        equant.orbit_coordinates(elements, "tcc")


@pytest.fixture(scope="module")
def crowded():
    """Two planets so near that the data alone allow orbits to cross."""
    random = np.random.default_rng(11)
    time = np.sort(random.uniform(0, 120, 50))
    velocity = 6 * np.sin(2 * np.pi * time / 10.0) + 6 * np.cos(2 * np.pi * time / 16.0)
    return equant.Data.from_arrays(time, velocity + random.normal(0, 3, 50), np.full(50, 3.0))


CROWDED = {
    "b.period_days": 10.0,
    "c.period_days": 16.0,
    "b.k_m_s": "0:20",
    "c.k_m_s": "0:20",
    "b.eccentricity": "0:0.8",
    "c.eccentricity": "0:0.8",
    "jitter": 0,
    "trend": "none",
}


def crosses(b, c):
    return 1 + b >= 1.6 ** (2 / 3) * (1 - c)


def test_orbits_that_do_not_cross_are_those_of_all_that_do_not(crowded):
    settings = {"min_ess": 1500, "seed": 2, "engine": ENGINE, "progress": False}
    every = equant.sample(crowded, states=CROWDED, **settings)
    apart = equant.sample(crowded, states={**CROWDED, "orbits": "non-crossing"}, **settings)
    b, c = (np.ravel(every[f"eccentricity_{i}"]) for i in (1, 2))
    kept = ~crosses(b, c)
    assert 0.05 < kept.mean() < 0.95
    own = [np.ravel(apart[f"eccentricity_{i}"]) for i in (1, 2)]
    assert not crosses(*own).any()
    for mine, theirs in zip(own, (b[kept], c[kept])):
        width = np.subtract(*np.quantile(theirs, [0.84, 0.16]))
        for share in (0.16, 0.5, 0.84):
            assert abs(np.quantile(mine, share) - np.quantile(theirs, share)) < 0.15 * width


def test_a_fit_of_orbits_that_do_not_cross(crowded):
    """No worse than the best of many orbits around it that do not."""
    tight = {**CROWDED, "b.eccentricity": "0.35:0.8"}
    free = equant.fit(crowded, states=tight, engine=ENGINE, progress=False)
    apart = equant.fit(
        crowded, states={**tight, "orbits": "non-crossing"}, engine=ENGINE, progress=False
    )
    assert crosses(*(own.eccentricity for own in free.planets))
    assert not crosses(*(own.eccentricity for own in apart.planets))
    assert apart.summary.log_likelihood < free.summary.log_likelihood
    evaluator = equant.Evaluator(crowded, n_planets=2)
    random = np.random.default_rng(4)
    here = np.concatenate([own.elements for own in apart.planets])
    height = apart.summary.log_likelihood
    assert float(evaluator.log_likelihood(here)) == pytest.approx(height, abs=1e-6)
    for size in (0.3, 0.1, 0.03, 0.01, 0.003):
        sets = here + size * random.normal(size=(20000, 10)) * np.tile([0, 3, 0.5, 1, 1], 2)
        b, c = sets[:, 2], sets[:, 7]
        sets = sets[(b >= 0.35) & (c >= 0) & (sets[:, 1] > 0) & (sets[:, 6] > 0) & ~crosses(b, c)]
        assert np.max(evaluator.log_likelihood(sets)) < height + 0.02


def test_what_transits_say_of_shapes_and_inclinations_of_masses(data):
    states = equant.States({"b.density_ratio": "normal(1.2, 0.1)", "b.inclination_deg": 60})
    model = equant.Model(1)
    e, omega = 0.3, 1.1
    ratio = ((1 + e * math.sin(omega)) / math.sqrt(1 - e * e)) ** 3
    found = states.log_prior(data, model, [PERIOD, 4.0, e, omega, 0.0])
    assert float(found) == pytest.approx(_normal(ratio, 1.2, 0.1), abs=1e-9)
    assert states.inclination_deg("b") == (60.0, 0.0) and math.isnan(states.inclination_deg("c")[0])
    star_mass, least, jupiters = 1.0, 30.0, 1047.5655
    mass, err = equant.planet_mass_jupiter(
        star_mass, least, 30.0, m_sin_i_err=1.0, inclination_err_deg=0.5
    )
    known = least * (star_mass + least / jupiters) ** (-2 / 3)
    assert mass * 0.5 * (star_mass + mass / jupiters) ** (-2 / 3) == pytest.approx(known, rel=1e-9)
    random = np.random.default_rng(1)
    draws = [
        equant.planet_mass_jupiter(star_mass, a, b)[0]
        for a, b in zip(random.normal(least, 1, 4000), random.normal(30, 0.5, 4000))
    ]
    assert err == pytest.approx(np.std(draws), rel=0.06)
    with pytest.raises(equant.InvalidArgument, match="up to 90 degrees"):
        equant.States({"b.inclination_deg": 120})
    with pytest.raises(equant.InvalidArgument, match="orbits are non-crossing"):
        equant.States({"orbits": "apart"})
