"""Many stars: read from one file, fitted together, each as it is alone."""

import numpy as np
import pytest

import equant

PERIODS = (0.0, 6.5, 9.1)


def made_up(period, seed, n=40):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(0, 120, n))
    v = 15 * np.sin(2 * np.pi * t / period) if period else np.zeros(n)
    return t, v + rng.normal(0, 2, n), np.full(n, 2.0)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "survey.csv"
    lines = ["star,time,mnvel,errvel"]
    for i, period in enumerate(PERIODS):
        lines += [f"star {i},{t},{v},{e}" for t, v, e in zip(*made_up(period, i))]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_file_of_many_stars(table):
    stars = dict(equant.stream_stars(table))
    assert list(stars) == ["star 0", "star 1", "star 2"]
    assert [data.n_obs for data in stars.values()] == [40, 40, 40]
    t, v, _ = made_up(PERIODS[1], 1)
    assert np.array_equal(stars["star 1"].times_days, t)
    assert np.array_equal(stars["star 1"].velocities_m_s, v)


def test_fits_are_those_of_the_stars_alone(table):
    stars = [data for _, data in equant.stream_stars(table)]
    asked = dict(period_min_days=2.0, noise="white", max_planets=1)
    fits = equant.fit_stars(stars, engine=equant.Engine(n_threads=2), **asked)
    assert [len(fit.planets) for fit in fits] == [0, 1, 1]
    for data, fit in zip(stars, fits):
        alone = equant.fit(data, **asked)
        assert fit.summary == alone.summary
        assert np.array_equal(fit.parameters, alone.parameters)
        assert np.array_equal(fit.covariance, alone.covariance)


def test_a_star_that_cannot_be_fitted_says_why(table):
    good = next(equant.stream_stars(table))[1]
    bad = equant.Data.from_arrays([1.0], [1.0], [1.0])
    fits = equant.fit_stars([bad, good], period_min_days=5.0)
    assert isinstance(fits[0], equant.InvalidArgument) and "observation" in str(fits[0])
    assert isinstance(fits[1], equant.Fit)
    assert equant.fit_stars([]) == []


def test_progress_and_the_end_of_patience(table):
    stars = [data for _, data in equant.stream_stars(table)]
    seen = []
    equant.fit_stars(
        stars, period_min_days=5.0, engine=equant.Engine(n_threads=1), progress=seen.append
    )
    assert [report.stage for report in seen] == ["stars"] * 3
    assert seen[-1].done == 1.0
    with pytest.raises(equant.Cancelled):
        equant.fit_stars(stars, period_min_days=5.0, progress=lambda report: True)


def test_a_table_that_is_not_sorted_is_refused(tmp_path):
    path = tmp_path / "mixed.csv"
    path.write_text("star,time,mnvel,errvel\na,1,1,1\nb,1,1,1\na,2,1,1\n")
    with pytest.raises(equant.FormatError, match="star a was there before"):
        list(equant.stream_stars(path))


def test_samples_are_those_of_the_stars_alone(table):
    stars = [data for _, data in equant.stream_stars(table)][1:]
    asked = dict(start="prior", n_populations=2, n_walkers=20, n_burn_in=40, max_steps=100, seed=3)
    together = equant.sample_stars(stars, 1, engine=equant.Engine("cpu", n_threads=2), **asked)
    for data, posterior in zip(stars, together):
        alone = equant.sample(data, 1, engine="cpu", **asked)
        assert np.array_equal(posterior["period_days_1"], alone["period_days_1"])
        assert np.array_equal(posterior.log_likelihoods, alone.log_likelihoods)


def test_a_star_that_cannot_be_sampled_says_why(table):
    star = next(equant.stream_stars(table))[1]
    (refused,) = equant.sample_stars([star], 1, n_walkers=7)
    assert isinstance(refused, equant.InvalidArgument) and "walkers" in str(refused)
    assert equant.sample_stars([]) == []
    with pytest.raises(equant.Cancelled):
        equant.sample_stars([star], 1, start="prior", progress=lambda report: True)
