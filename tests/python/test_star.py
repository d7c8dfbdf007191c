"""A star that is known with errors: refused where it cannot be, drawn with posteriors, propagated
in fits, kept in files."""

import numpy as np
import pytest

import equant

STAR = equant.Star(
    mass=0.874,
    mass_err=0.04,
    radius=0.999,
    radius_err=0.017,
    temperature_k=5372,
    temperature_err_k=92,
)


@pytest.fixture(scope="module")
def data():
    return equant.Data.demonstration()


@pytest.fixture(scope="module")
def fits(data):
    common = dict(period_min_days=1000, period_max_days=1500)
    exact = equant.Star(mass=0.874, radius=0.999, temperature_k=5372)
    return [equant.fit(data, 1, star=star, **common) for star in (STAR, exact)]


@pytest.fixture(scope="module")
def posterior(data):
    return equant.sample(
        data,
        1,
        priors={"period_days_1": "log-uniform(1000, 1500)"},
        star=STAR,
        seed=3,
        min_ess=1,
        max_rhat=9,
        max_steps=900,
        n_burn_in=300,
        engine=equant.Engine(n_threads=1),
    )


@pytest.mark.parametrize(
    "wrong, part",
    [
        (dict(mass=-1), "mass must be positive"),
        (dict(mass_err=0.1), "needs the mass itself"),
        (dict(mass=1, mass_err=0.9), "more than half"),
        (dict(radius=float("nan")), "radius must be positive"),
    ],
)
def test_impossible_stars_are_refused(wrong, part):
    with pytest.raises(equant.InvalidArgument, match=part):
        equant.Star(**wrong)


def test_two_masses_are_refused(data):
    with pytest.raises(equant.InvalidArgument, match="leave one out"):
        equant.fit(data, 1, star=STAR, star_mass=0.9)
    with pytest.raises(equant.InvalidArgument, match="an equant.Star"):
        equant.fit(data, 1, star=0.9)


def test_fits_propagate_the_errors_of_the_star(fits):
    """Kepler's third law by hand: a goes with M^(1/3), insolation with L M^(-2/3)."""
    with_errors, exact = (fit.planets[0] for fit in fits)
    assert with_errors.a_au == exact.a_au and with_errors.t_eq_k == exact.t_eq_k
    of_mass = with_errors.a_au * 0.04 / 0.874 / 3
    assert with_errors.a_au_err == pytest.approx(np.hypot(exact.a_au_err, of_mass), rel=1e-3)
    of_light = np.hypot(2 * 0.017 / 0.999, 4 * 92 / 5372)
    of_star = with_errors.insolation_earth * np.hypot(of_light, 2 / 3 * 0.04 / 0.874)
    assert with_errors.insolation_earth_err == pytest.approx(
        np.hypot(exact.insolation_earth_err, of_star), rel=2e-3
    )
    light = 0.999**2 * (5372 / 5772) ** 4
    assert with_errors.insolation_earth == pytest.approx(light / with_errors.a_au**2, rel=1e-12)
    assert with_errors.t_eq_k == pytest.approx(
        5372 * np.sqrt(0.999 * 6.957e8 / (2 * with_errors.a_au * 149597870700)), rel=1e-4
    )


def test_every_draw_has_a_star(posterior):
    """The mass of a draw's star, from its P, a and m sin i, is drawn as it was given."""

    period, axis, mass = (
        posterior[f"{name}_1"].ravel() for name in ("period_days", "a_au", "m_sin_i_jupiter")
    )
    star = axis**3 / (period / 365.2568983) ** 2 - mass / 1047.5655
    n = star.size
    assert star.mean() == pytest.approx(0.874, abs=5 * 0.04 / np.sqrt(n))
    assert star.std() == pytest.approx(0.04, rel=5 / np.sqrt(2 * n))
    assert abs(np.corrcoef(star, period)[0, 1]) < 5 / np.sqrt(n)
    light = posterior["insolation_earth_1"].ravel() * axis**2
    assert abs(np.corrcoef(star, light)[0, 1]) < 5 / np.sqrt(n)
    assert light.std() / light.mean() == pytest.approx(
        np.hypot(2 * 0.017 / 0.999, 4 * 92 / 5372), rel=0.05
    )


def test_the_star_is_kept(fits, posterior, tmp_path):
    fits[0].save(tmp_path / "fit")
    again = equant.load(tmp_path / "fit")
    assert again.star == STAR and again.star_mass == STAR.mass
    assert again.planets[0].t_eq_k == pytest.approx(fits[0].planets[0].t_eq_k, rel=1e-12)
    posterior.save(tmp_path / "run")
    opened = equant.load(tmp_path / "run")
    assert opened.provenance["star_mass_err"] == "0.040000000000000001"
    for name in ("a_au_1", "t_eq_k_1"):
        assert np.array_equal(opened[name], posterior[name])
