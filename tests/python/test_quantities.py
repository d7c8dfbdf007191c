"""The catalogue of quantities: what fits, posteriors and pages list, and nothing else."""

import copy
import pickle
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

import equant

KINDS = equant.quantity_kinds()
OF_PLANETS = [k.name for k in KINDS if k.axis == "per_planet" and not k.is_posterior_only]

STAR = equant.Star(mass=0.87, luminosity=0.7)


@pytest.fixture(scope="module")
def fit():
    data = equant.Data.demonstration()
    return equant.fit(data, 1, period_min_days=1000, period_max_days=1500, star=STAR)


@pytest.fixture(scope="module")
def posterior(fit):
    return equant.sample(
        fit.data,
        1,
        trend="quadratic",
        star=STAR,
        priors={"period_days_1": "log-uniform(1000, 1500)"},
        known=fit.planets,
        seed=1,
        max_steps=60,
        n_burn_in=20,
    )


def test_the_catalogue():
    for member in ("name", "shown_name", "label", "symbol"):
        assert len({getattr(kind, member) for kind in KINDS}) == len(KINDS)
    names = {kind.name for kind in KINDS} | {"star_mass", "star_luminosity"}
    for kind in KINDS:
        assert set(kind.derived_from) <= names
        assert bool(kind.derived_from) == (kind.role == "derived")
        assert kind.needs_star_mass == ("star_mass" in kind.derived_from)
        assert kind.needs_star_luminosity == ("star_luminosity" in kind.derived_from)
        assert kind.shown_factor == (pytest.approx(180 / np.pi) if kind.is_angle else 1)
    assert [k.name for k in KINDS if k.role == "element"] == [k.name for k in KINDS[:5]]
    assert {k.axis for k in KINDS} == {"alone", "per_planet", "per_instrument"}
    assert all(equant.quantity_kind(f"{kind.name}_3") == kind for kind in KINDS)
    with pytest.raises(equant.InvalidArgument, match="there is no quantity 'mass'"):
        equant.quantity_kind("mass")


def test_planets_have_what_the_catalogue_has(fit):
    (planet,) = fit.planets
    significance = ["false_alarm", "log_likelihood_gain", "delta_bic"]
    significance += ["probability", "false_inclusion"]
    numbers = [name for own in OF_PLANETS for name in (own, f"{own}_err")] + significance
    expected = [*numbers, "period_days_bound", "at_limit"]
    others = ["refused_because", "k_m_s_interval", "eccentricity_interval"]
    assert [field.name for field in fields(equant.Planet)] == [*expected, *others]
    assert planet.k_m_s_interval is planet.eccentricity_interval is None
    assert list(fit.table)[1:] == expected
    assert all(np.isfinite(getattr(planet, name)) for name in numbers)
    assert (planet.at_limit, planet.period_days_bound) == ("none", None)
    assert planet.refused_because == "not" and np.isnan(fit.table["period_days_bound"]).all()
    assert planet == copy.deepcopy(planet) == pickle.loads(pickle.dumps(planet))
    assert len({planet, copy.copy(planet)}) == 1
    assert not hasattr(planet, "mass")


def test_quantities_of_a_fit(fit):
    names = [quantity.name for quantity in fit.quantities]
    others = fit.parameter_names[5:]
    assert names == [*(f"{name}_1" for name in OF_PLANETS), *others]
    for quantity in fit.quantities:
        assert quantity.planet == (quantity.kind in OF_PLANETS)
        if quantity.planet:
            assert quantity.value == getattr(fit.planets[0], quantity.kind)
            assert quantity.err == getattr(fit.planets[0], f"{quantity.kind}_err")
        else:
            assert quantity.value == fit.parameters[fit.parameter_names.index(quantity.name)]
    assert (
        str(fit.quantities[1]).startswith("k_m_s_1 = 7.") and str(fit.quantities[1])[-3:] == "m/s"
    )


def test_angles_are_in_the_unit_that_the_name_says(fit, posterior):
    for kind in KINDS:
        assert kind.is_angle == (kind.unit == "rad") == kind.name.endswith("_rad")
        assert kind.is_angle == (kind.shown_unit == "deg") == kind.shown_name.endswith("_deg")
        assert kind.is_angle == ("deg" in kind.label.split()) and "rad" not in kind.label.split()
    (planet,) = fit.planets
    lines = {line.split("  ")[0]: line for line in repr(fit).splitlines()}
    for kind in KINDS:
        if not kind.is_angle or kind.name not in OF_PLANETS:
            continue
        value = getattr(planet, kind.name)
        assert 0 <= value < 2 * np.pi and fit.table[kind.name][0] == value
        assert float(planet.measured(kind.name).split()[0]) == pytest.approx(value, rel=0.05)
        degrees = planet.measured(kind.shown_name)
        assert float(degrees.split()[0]) == pytest.approx(np.degrees(value), rel=0.05)
        assert lines[kind.label].endswith(degrees)
    for quantity in (*fit.quantities, *posterior.quantities):
        if quantity.name.rstrip("0123456789_").endswith("_rad"):
            assert equant.quantity_kind(quantity.kind).unit == "rad" and "rad" in str(quantity)
        assert "_deg" not in quantity.name
    draws = posterior["omega_rad_1"]
    assert np.ptp(draws) <= 2 * np.pi and abs(draws).max() < 4 * np.pi
    # The elements are what the evaluator takes: radians.
    again = equant.radial_velocity(
        fit.data.times_days,
        *(getattr(planet, name) for name in ("period_days", "k_m_s", "eccentricity")),
        planet.omega_rad,
        planet.m0_rad,
        reference_time_days=fit.data.reference_time_days,
    )
    assert np.allclose(again, fit.velocities(fit.data.times_days, [0]))


def test_masses_need_that_of_the_star(fit):
    bare = equant.fit(fit.data, 1, known=fit.planets, n_fixed=1)
    missing = {k.name for k in KINDS if k.needs_star_mass}
    assert missing == {n for n in OF_PLANETS if np.isnan(getattr(bare.planets[0], n))}
    assert missing.isdisjoint(quantity.kind for quantity in bare.quantities)
    assert not any(k.label in repr(bare) for k in KINDS if k.needs_star_mass)


def test_texts_have_every_label(fit):
    labels = [line.split("  ")[0] for line in repr(fit).splitlines()[2:]]
    assert labels == [kind.label for kind in KINDS if kind.name in OF_PLANETS]


def test_posteriors_have_all_of_it(posterior):
    listed = dict.fromkeys(quantity.kind for quantity in posterior.quantities)
    white = [kind.name for kind in KINDS]
    assert list(listed) == white[: white.index("jitter_m_s") + 1]  # correlated noise is behind
    for quantity in posterior.quantities:
        kind = equant.quantity_kind(quantity.name)
        assert quantity.kind == kind.name
        assert quantity.unit == kind.unit and quantity.is_angle == kind.is_angle
        assert quantity.is_derived == (kind.role == "derived")
        assert np.isfinite(posterior[quantity.name]).all()


def test_the_page_of_quantities():
    page = Path(__file__).parents[2] / "docs" / "quantities.md"
    rows = [line.strip("|\n ").split("|") for line in page.read_text().splitlines() if "|" in line]
    listed = [[cell.strip(" `") for cell in row] for row in rows[2:]]
    expected = [[k.name, k.shown_name, k.shown_unit, k.label, k.meaning] for k in KINDS]
    assert listed == expected
