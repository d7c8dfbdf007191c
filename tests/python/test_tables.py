"""Tables for papers: astropy reads them, and their numbers are those of the fit and of the run."""

import os
import pickle
import warnings

import numpy as np
import pytest

import equant
from equant._folder.program import program

try:
    program()
except equant.Unavailable as error:
    pytest.skip(str(error), allow_module_level=True)

STAR = equant.Star(mass=0.874, mass_err=0.012, radius=0.999, temperature_k=5372)


@pytest.fixture(scope="module")
def fit():
    data = equant.Data.demonstration()
    return equant.fit(data, 1, period_min_days=1000, period_max_days=1500, star=STAR)


@pytest.fixture(scope="module")
def posterior(fit):
    return equant.sample(
        fit.data,
        1,
        star=STAR,
        priors={"period_days_1": "log-uniform(1000, 1500)"},
        known=fit.planets,
        seed=1,
        max_steps=200,
        n_burn_in=100,
    )


def read(text, style):
    """With astropy, which warns of everything that is not as its standard says."""
    tables = pytest.importorskip("astropy.table")
    names = {"mrt": "ascii.mrt", "ecsv": "ascii.ecsv", "votable": "votable"}
    import io

    source = text.splitlines() if style == "mrt" else io.BytesIO(text.encode())
    if style == "ecsv":
        source = text.splitlines()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return tables.Table.read(source, format=names[style])


@pytest.mark.parametrize("style", ["mrt", "ecsv", "votable"])
def test_parameters_are_those_of_the_fit(fit, style):
    table = read(fit.paper_table("parameters", style), style)
    rows = {(str(row["name"]), str(row["instrument"]).strip("-")): row for row in table}
    for name in ("period_days", "k_m_s", "eccentricity"):
        row, planet = rows[name, ""], fit.planets[0]
        err = getattr(planet, f"{name}_err")
        tolerance = 0.06 * err if style == "mrt" else 1e-12 * abs(row["value"])
        assert row["value"] == pytest.approx(getattr(planet, name), abs=tolerance)
        assert row["err_plus"] == row["err_minus"] == pytest.approx(err, rel=0.06)
        assert str(row["planet"]) == "b"
    for index, name in enumerate(fit.data.instrument_names):
        offset = next(q for q in fit.quantities if q.name == f"offset_m_s_{index + 1}")
        assert rows["offset_m_s", name]["value"] == pytest.approx(offset.value, abs=0.06 * offset.err)


@pytest.mark.parametrize("style", ["mrt", "ecsv", "votable"])
def test_velocities_have_no_offsets(fit, style):
    table = read(fit.paper_table("velocities", style), style)
    data = fit.data
    offsets = np.array(
        [q.value for q in fit.quantities if q.kind == "offset_m_s"], dtype=float
    )
    expected = data.velocities_m_s - offsets[data.instruments]
    assert np.allclose(table["rv"], expected, atol=0.006)
    assert np.allclose(table["time"], data.times_days, atol=1e-6)
    assert np.allclose(table["rv_err"], data.uncertainties_m_s, atol=0.006)
    assert str(table["rv"].unit) == "m / s" and str(table["time"].unit) == "d"


def test_medians_of_the_run(posterior):
    table = read(posterior.paper_table("parameters", "ecsv"), "ecsv")
    (row,) = [row for row in table if row["name"] == "period_days"]
    own = posterior.quantity("period_days_1")
    assert row["value"] == pytest.approx(own.median)
    assert row["err_plus"] == pytest.approx(own.high - own.median)
    assert row["err_minus"] == pytest.approx(own.median - own.low)
    limits = {row["instrument"] or row["planet"]: row for row in table if row["limit"] == "<"}
    for row in limits.values():
        names = {name: i for i, name in enumerate(posterior.data.instrument_names)}
        number = names.get(row["instrument"], 0) + 1
        draws = posterior[f"{row['name']}_{number}"].ravel()
        assert np.mean(draws <= row["value"]) == pytest.approx(0.95, abs=0.001)
    derived = read(posterior.paper_table("derived", "votable", mass_unit="earth"), "votable")
    names = [str(name) for name in derived["name"]]
    assert {"m_sin_i_earth", "a_au", "t_eq_k", "star_mass"} <= set(names)
    mass = derived["value"][names.index("m_sin_i_earth")]
    assert mass == pytest.approx(posterior.quantity("m_sin_i_jupiter_1").median * 317.828, rel=1e-4)
    priors = read(posterior.paper_table("priors", "ecsv"), "ecsv")
    assert "log-uniform(1000, 1500)" in list(priors["prior"])


def test_aicc_and_bic(fit):
    table = read(fit.paper_table("models", "ecsv"), "ecsv")
    n = fit.data.n_obs
    for row in table:
        k, lnl = row["n_fitted"], row["lnl"]
        assert row["bic"] == pytest.approx(k * np.log(n) - 2 * lnl)
        assert row["aicc"] == pytest.approx(2 * k - 2 * lnl + 2 * k * (k + 1) / (n - k - 1))
    assert list(table["verdict"]).count("best") == 1


def test_latex_and_bibtex(fit):
    latex = fit.paper_table("parameters", "aastex", star_name="HD 164922", document=True)
    assert latex.startswith("\\documentclass{aastex631}") and "Parameters of HD 164922" in latex
    planet = fit.planets[0]
    value, err = planet.measured("period_days").split(" ± ")
    assert f"${value} \\pm {err}$" in latex
    assert "@article{Ford2009," in fit.paper_table("bibtex")


def test_saved_and_pickled_fits_make_the_same_table(fit, posterior, tmp_path):
    fit.save(tmp_path / "fit")
    for again in (equant.load(tmp_path / "fit"), pickle.loads(pickle.dumps(fit))):
        assert again.paper_table() == fit.paper_table()
    posterior.save(tmp_path / "run")
    assert equant.load(tmp_path / "run").paper_table() == posterior.paper_table()
    assert pickle.loads(pickle.dumps(posterior)).paper_table() == posterior.paper_table()
    assert os.path.exists(tmp_path / "fit" / "fit.json")


@pytest.mark.parametrize("wrong", [dict(style="nature"), dict(what="all"), dict(what="priors")])
def test_wrong_words(fit, wrong):
    with pytest.raises(equant.Error):
        fit.paper_table(**wrong)
