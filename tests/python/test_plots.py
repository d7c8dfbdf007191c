"""Pictures are drawn; what they look like is for people to judge."""

import pytest

import equant

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def data():
    return equant.Data.demonstration()


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    matplotlib.pyplot.close("all")


def test_periodogram(data, tmp_path):
    axes = equant.search(data, period_min_days=50.0).plot()
    assert axes.get_xlabel() == "period (days)"
    axes.figure.savefig(tmp_path / "periodogram.png")


def test_fit(data, tmp_path):
    fit = equant.fit(data, 1, period_min_days=500.0)
    figure = fit.plot()
    assert len(figure.axes) == 3
    figure.savefig(tmp_path / "fit.png")


def test_posterior(data, tmp_path):
    priors = {"period_days_1": "log-uniform(1000, 1500)"}
    posterior = equant.sample(data, 1, priors=priors, start="prior", max_steps=120, n_burn_in=40)
    corner = posterior.plot()
    assert len(corner.axes) == 9
    corner.savefig(tmp_path / "corner.png")
    assert len(posterior.plot(["k_m_s_1", "m0_rad_1"]).axes) == 4
    assert len(posterior.plot_trace(["k_m_s_1"]).axes) == 1
