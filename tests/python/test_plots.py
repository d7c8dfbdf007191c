"""Figures are drawn, with all that belongs into them; people judge what they look like."""

import numpy as np
import pytest

import equant
from equant import plots
from equant._packages import figures

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")


@pytest.fixture(scope="module")
def fit(data):
    return equant.fit(data, 2, period_min_days=50.0)


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    matplotlib.pyplot.close("all")


def drawn(figure, path):
    """Draws a figure for good, whose ticks are known only then."""
    figure.savefig(path)
    return figure


def tick_numbers(axis):
    texts = (tick.get_text() for tick in axis.get_ticklabels())
    return [float(t.replace("\N{MINUS SIGN}", "-").replace("\N{THIN SPACE}", "")) for t in texts]


def assert_round(numbers):
    """Steps of 1, 2 or 5 times a power of ten."""
    step = np.diff(numbers).min()
    assert any(
        np.log10(step / digit) == pytest.approx(round(np.log10(step / digit)), abs=1e-6)
        for digit in (1, 2, 5)
    )


def test_periodogram(data, tmp_path):
    found = equant.search(data, period_min_days=50.0)
    ax = found.plot()
    figure = drawn(ax.figure, tmp_path / "periodogram.png")
    window = figure.axes[1]
    assert window.get_xlabel() == "period (days)" and window.get_ylabel() == "window"
    assert np.array_equal(window.lines[0].get_ydata(), found.window)
    levels = {line.get_ydata()[0] for line in ax.lines if len(set(line.get_ydata())) == 1}
    assert levels >= {found.level(p) for p in (0.1, 0.01, 0.001)}
    words = [text.get_text() for text in ax.texts]
    assert {"FAP", "10 %", "1 %", "0.1 %"} <= set(words)
    assert any(word.endswith(" d") for word in words)
    assert_round(tick_numbers(ax.yaxis))


def test_periodogram_in_axes_of_others(data, tmp_path):
    figure, given = matplotlib.pyplot.subplots()
    assert equant.search(data, period_min_days=500.0, circular_only=True).plot(given) is given
    assert given.get_xlabel() == "period (days)" and len(figure.axes) == 1
    drawn(figure, tmp_path / "alone.png")


def test_fit(data, fit, tmp_path):
    figure = drawn(fit.plot()[0].figure, tmp_path / "fit.png")
    top, below, *phases = figure.axes
    assert len(phases) == 2
    assert below.get_xlabel() == "JD \N{MINUS SIGN} 2450000 (days)"
    for ax in (top, below, *phases):
        assert_round(tick_numbers(ax.yaxis))
    assert_round(tick_numbers(below.xaxis))
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["k", "j", "a", "model"]
    for planet, ax in zip(fit.planets, phases):
        for name in ("period_days", "k_m_s", "eccentricity"):
            assert planet.measured(name) in ax.get_title()


def test_colours_are_those_of_the_page(data, fit):
    top = fit.plot()[0]
    for index, name in enumerate(data.instrument_names):
        mine = next(c for c in top.containers if c.get_label() == name)
        assert mine.lines[0].get_color() == figures.COLOURS[index]
        assert mine.lines[0].get_marker() == figures.SYMBOLS[index]


def test_the_model_goes_through_the_data(data, fit):
    times, curve, title = plots.model_curve(fit)
    assert title == "model" and (np.diff(times) >= 0).all()
    assert np.allclose(curve, fit.velocities(times))
    e = max(planet.eccentricity for planet in fit.planets)
    assert e > 0.3  # pericentre is not cut off
    reach = fit.velocities(np.linspace(data.times_days[0], data.times_days[-1], 200_000))
    assert curve.min() < reach.min() + 0.1 and curve.max() > reach.max() - 0.1


def test_what_is_not_drawn_is_said(tmp_path):
    """Turns of a hot Jupiter over years would melt into a band."""
    times = 50000.0 + 2000.0 * np.sort(equant.random_uniform(3, 60))
    v = equant.radial_velocity(times, 4.23, 56.0, 0.0, 0.0, 0.0) + equant.random_normal(3, 60)
    star = equant.Data.from_arrays(times, v, 1.0)
    fit = equant.fit(star, 1, period_min_days=3.0, period_max_days=6.0)
    figure = drawn(fit.plot()[0].figure, tmp_path / "fast.png")
    assert plots.model_curve(fit)[2] == ""
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names[1:] == ["model not drawn: P < 19 d"]
    label = figure.axes[1].get_xlabel().replace("\N{MINUS SIGN}", "-")
    assert label == "time - 50000 (days)"


def test_axes_call_times_what_the_data_call_them():
    for first, zero, name, label in (
        (2455001.5, 2455000.0, "JD", "JD - 2455000 (days)"),
        (2455001.5, 2455000.0, "BJD", "BJD - 2455000 (days)"),
        (2455001.5, 2455000.0, "MJD", "JD - 2455000 (days)"),  # a heading that cannot be true
        (55001.5, 55000.0, "BJD", "BJD - 2455000 (days)"),
        (55001.5, 55000.0, "MJD", "MJD - 55000 (days)"),
        (55001.5, 55000.0, "JD", "time - 55000 (days)"),  # modified, or merely shortened
        (12.0, 0.0, "BJD", "time (days)"),
    ):
        assert figures.time_label(first, zero, name).replace("\N{MINUS SIGN}", "-") == label


def test_fits_without_planets_and_with_one_observation_less(tmp_path):
    star = equant.Data.from_arrays([1.0, 2.0, 4.0], [1.0, 3.0, 2.0], 0.5)
    figure = drawn(equant.fit(star, 0).plot()[0].figure, tmp_path / "none.png")
    assert len(figure.axes) == 2 and figure.axes[1].get_xlabel() == "time (days)"


def test_corner(posterior, tmp_path):
    corner = drawn(posterior.plot()[0, 0].figure, tmp_path / "corner.png")
    assert len(corner.axes) == 4 * 5 // 2
    pair = corner.axes[1]
    assert len(pair.collections) >= 2  # the filled contours and their lines
    labels = {ax.get_xlabel() for ax in corner.axes} - {""}
    assert labels == {r"P$_\mathrm{b}$ (d)", r"K$_\mathrm{b}$ (m/s)", r"e$_\mathrm{b}$", r"ω$_\mathrm{b}$ (deg)"}
    assert len(posterior.plot(["k_m_s_1", "m0_rad_1"])[0, 0].figure.axes) == 3


def test_angles_are_in_the_unit_that_the_label_says(posterior):
    quantity = posterior.quantity("omega_rad_1")
    ax = posterior.plot(["omega_rad_1"])[0, 0]
    assert ax.get_xlabel() == r"ω$_\mathrm{b}$ (deg)"
    middle = ax.lines[0].get_xdata()[0]
    assert middle == pytest.approx(np.degrees(quantity.median))


def test_contours_hold_their_share():
    x, y = equant.random_normal(1, 200_000), equant.random_normal(1, 200_000, purpose=1)
    heights = figures.pair_density(x, y, [(-4.0, 4.0), (-4.0, 4.0)])
    for share in (0.683, 0.954):
        level = figures.share_level(heights, share)
        inside = heights[heights >= level].sum() / heights.sum()
        assert inside == pytest.approx(share, abs=0.02)


def test_trace(posterior, tmp_path):
    figure = drawn(posterior.plot_trace(["k_m_s_1", "omega_rad_1"])[0].figure, tmp_path / "trace.png")
    assert len(figure.axes) == 2 and figure.axes[1].get_ylabel() == r"ω$_\mathrm{b}$ (deg)"
    steps = figure.axes[0].lines[0].get_xdata()
    assert steps[0] == posterior.summary.n_burn_in and steps[-1] == posterior.summary.n_steps


def test_every_plot_draws_into_axes_of_others(fit, posterior, tmp_path):
    figure, given = matplotlib.pyplot.subplots(2, 2)
    assert fit.plot(given) == tuple(given.ravel())
    assert len(figure.axes) == 4 and given[0, 0].get_legend() is not None
    drawn(figure, tmp_path / "fit.png")
    names = ["k_m_s_1", "omega_rad_1"]
    figure, given = matplotlib.pyplot.subplots(2, 2)
    assert (posterior.plot(names, given) == given).all()
    assert not given[0, 1].axison and len(figure.axes) == 4
    drawn(figure, tmp_path / "corner.png")
    figure, given = matplotlib.pyplot.subplots(2, 1)
    assert posterior.plot_trace(names, axes=given) == tuple(given)
    drawn(figure, tmp_path / "trace.png")
    with pytest.raises(equant.InvalidArgument, match="axes must be 2, one for each quantity, not 1"):
        posterior.plot_trace(names, axes=given[0])
    with pytest.raises(equant.InvalidArgument, match="axes must be 4"):
        fit.plot(given)
