"""Figures by matplotlib, which is imported when the first is asked for.

They are those of the page of `equant report`: same panels, colours, symbols and ticks.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence

import numpy as np

from ._numbers.measured import between
from ._packages import figures as look
from .errors import InvalidArgument
from .quantities import quantity_kind

if TYPE_CHECKING:
    from .fitted_star import Fit
    from .periodogram import Periodogram
    from .posterior import Posterior

FALSE_ALARMS = (0.1, 0.01, 0.001)
MOST_TURNS = 100  # of a planet that can be told apart over the span of the data
PHASE_BINS = 12


# Periodograms ---------------------------------------------------------------------------------


def plot_periodogram(periodogram: Periodogram, ax: Any = None) -> Any:
    """Power against period, with false-alarm levels and the highest peak; returns the axes.

    The window function stands below, unless the axes are given.
    """
    window = None
    if ax is None:
        figure = look.new_figure(8, 3.8)
        ax, window = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    periods = periodogram.period_days
    ax.fill_between(periods, periodogram.power, color=look.FILL, lw=0)
    ax.plot(
        periods, periodogram.power, color=look.ACCENT, lw=0.7, zorder=2.2, label="any eccentricity"
    )
    if not np.array_equal(periodogram.circular, periodogram.power):
        ax.plot(periods, periodogram.circular, color=look.QUIET, lw=0.6, label="circular")
        best = periods[np.argmax(periodogram.power)]
        side = "right" if best**2 < periods.min() * periods.max() else "left"  # the other half
        ax.legend(loc=f"upper {side}", fontsize="small", frameon=False)
    highest = max(periodogram.power.max(), _finite(periodogram.level(FALSE_ALARMS[-1])))
    ax.set_xscale("log")
    ax.set_xlim(periods.min(), periods.max())
    ax.set_ylim(0, 1.25 * highest)
    _plot_levels(periodogram, ax)
    _name_peak(periodogram, ax)
    look.frame(ax)
    look.round_ticks(ax.yaxis, 4)
    ax.set_ylabel("power: share of χ² explained")
    if window is not None:
        _plot_window(periodogram, window)
    below = ax if window is None else window
    look.period_ticks(below.xaxis, periods.min(), periods.max())
    below.set_xlabel("period (days)")
    return ax


def _finite(value: float) -> float:
    return value if math.isfinite(value) else 0.0


def _plot_levels(periodogram: Periodogram, ax: Any) -> None:
    """Each level, and its name in the margin, led there where lines are close together."""
    top = ax.get_ylim()[1]
    levels = [(periodogram.level(false_alarm), false_alarm) for false_alarm in FALSE_ALARMS]
    shown = [(level / top, false_alarm) for level, false_alarm in levels if 0 < level < top]
    apart = 0.075  # of the height of the panel
    place = -math.inf
    for height, false_alarm in shown:
        place = max(height, place + apart)
        ax.axhline(height * top, color=look.QUIET, lw=0.6, ls=(0, (5, 3)))
        _lead(ax, height, place, f"{100 * false_alarm:g} %")
    if shown:
        _lead(ax, None, place + apart, "FAP")


def _lead(ax: Any, height: Optional[float], place: float, words: str) -> None:
    """Words right of the frame, with a line from where they belong."""
    style = {"transform": ax.transAxes, "color": look.QUIET}
    if height is not None:
        ax.plot([1.0, 1.012], [height, place], lw=0.5, clip_on=False, **style)
    ax.text(1.016, place, words, fontsize="x-small", va="center", **style)


def _name_peak(periodogram: Periodogram, ax: Any) -> None:
    """The period of the highest peak, on the side that has room for it."""
    for peak in periodogram.peaks[:1]:
        low, high = ax.get_xlim()
        is_left = math.log(peak.period_days / low) > 0.7 * math.log(high / low)
        ax.annotate(
            f"{peak.period_days:.6g} d",
            (peak.period_days, peak.power),
            xytext=(-4 if is_left else 4, 3),
            textcoords="offset points",
            ha="right" if is_left else "left",
            fontsize="small",
        )


def _plot_window(periodogram: Periodogram, ax: Any) -> None:
    ax.fill_between(periodogram.period_days, periodogram.window, color=look.WASH, lw=0)
    ax.plot(periodogram.period_days, periodogram.window, color=look.QUIET, lw=0.5)
    ax.set_ylim(0, 1.05)
    ax.set_yticks([0, 1])
    ax.set_ylabel("window")
    look.frame(ax)


# Fits -----------------------------------------------------------------------------------------


def _given(axes: Any, n: int, what: str) -> list[Any]:
    """The axes of a caller, as a list."""
    given = list(np.ravel(np.asarray(axes, dtype=object)))
    if len(given) != n:
        raise InvalidArgument(f"axes must be {n}, {what}, not {len(given)}")
    return given


def plot_fit(fit: Fit, axes: Any = None) -> tuple[Any, ...]:
    """Velocities and residuals against time, then a phase curve for each planet.

    Returns their axes, or draws into those that are given, in this order.
    """
    if axes is None:
        top, below, *phases = _axes_of_fit(len(fit.planets))
    else:
        what = "velocities, residuals and one for each planet"
        top, below, *phases = _given(axes, 2 + len(fit.planets), what)
    _plot_times(fit, top, below)
    for index, ax in enumerate(phases):
        _plot_phase(fit, index, ax)
    entries = dict(zip(*reversed(top.get_legend_handles_labels())))
    names = sorted(entries, key=lambda name: name not in fit.data.instrument_names)
    where = {"loc": "outside upper left", "ncols": 6} if axes is None else {"loc": "best"}
    (top.figure if axes is None else top).legend(
        [entries[name] for name in names], names, fontsize="small", frameon=False, **where
    )
    return (top, below, *phases)


def _axes_of_fit(n_planets: int) -> list[Any]:
    n_rows = math.ceil(n_planets / 2)
    figure = look.new_figure(8, 4.7 + 2.9 * n_rows)
    grid = figure.add_gridspec(2 + n_rows, 2, height_ratios=[2.4, 1.0] + [2.2] * n_rows)
    top = figure.add_subplot(grid[0, :])
    axes = [top, figure.add_subplot(grid[1, :], sharex=top)]
    for index in range(n_planets):
        row, column = divmod(index, 2)
        alone = index == n_planets - 1 and column == 0
        axes.append(figure.add_subplot(grid[2 + row, :] if alone else grid[2 + row, column]))
    return axes


def _uncertainties(fit: Fit) -> Any:
    """Of all observations, with the jitter added in quadrature."""
    return np.hypot(fit.uncertainties_m_s, fit.jitters_m_s[fit.data.instruments])


def _plot_times(fit: Fit, top: Any, below: Any) -> None:
    """The data without their offsets under the curve of the fit, and what is left of them."""
    data, residuals = fit.data, fit.residuals_m_s
    zero = look.time_zero(data.times_days)
    times = data.times_days - zero
    shown = fit.velocities(data.times_days) + residuals
    curve_times, curve, title = model_curve(fit)
    _plot_points(fit, top, times, shown)
    if title:
        top.plot(curve_times - zero, curve, color=look.INK, lw=0.7, alpha=0.75, label=title)
    else:
        limit = data.span_days / MOST_TURNS
        top.plot([], [], ls="none", label=f"model not drawn: P < {limit:.2g} d")
    _plot_points(fit, below, times, residuals)
    below.axhline(0, color=look.PALE, lw=0.6, zorder=0)
    top.set_xlim(curve_times[0] - zero, curve_times[-1] - zero)
    top.set_ylim(*_limits(fit, shown, curve if title else ()))
    below.set_ylim(*_limits(fit, residuals))
    for ax, n_most in ((top, 7), (below, 4)):
        look.frame(ax)
        look.round_ticks(ax.yaxis, n_most)
    look.round_ticks(below.xaxis, 9)
    top.tick_params(labelbottom=False)
    look.years_above(top, zero, *top.get_xlim())
    top.set_ylabel("velocity (m/s)")
    below.set_ylabel("O \N{MINUS SIGN} C (m/s)")
    below.set_xlabel(look.time_label(data.times_days[0], zero, data.time_name))


def model_curve(fit: Fit) -> tuple[Any, Any, str]:
    """Times, velocities and name of the trend and those planets whose turns can be told apart.

    The name is empty where the better part of the model is left out, for then the rest would
    look like a bad fit.
    """
    data = fit.data
    shortest = data.span_days / MOST_TURNS
    slow = [i for i, planet in enumerate(fit.planets) if planet.period_days >= shortest]
    fast = [i for i in range(len(fit.planets)) if i not in slow]
    margin = 0.02 * data.span_days or 1.0
    begin, end = data.times_days[0] - margin, data.times_days[-1] + margin
    own = [_times_of(fit.planets[i], data.reference_time_days, begin, end) for i in slow]
    times = np.sort(np.concatenate([np.linspace(begin, end, 1000), *own]))
    curve = fit.velocities(times) - (fit.velocities(times, fast) if fast else 0)
    hidden = sum(fit.planets[i].k_m_s for i in fast)
    ends = np.array([data.times_days[0], data.times_days[-1]])
    everything = tuple(range(len(fit.planets)))
    trend = fit.velocities(ends) - (fit.velocities(ends, everything) if everything else 0)
    shown = sum(fit.planets[i].k_m_s for i in slow) + 0.5 * abs(float(trend[1] - trend[0]))
    if hidden == 0:
        return times, curve, "model"
    return times, curve, f"model, P > {shortest:.2g} d" if hidden < shown else ""


def _times_of(planet: Any, reference: float, begin: float, end: float) -> Any:
    """Times along all turns at which the curve has to be known to look smooth."""
    period, since = planet.period_days, _turn(planet.eccentricity)
    pericentre = reference - planet.m0_rad / (2 * np.pi) * period
    turns = np.arange(math.floor((begin - pericentre) / period), (end - pericentre) / period)
    times = (pericentre + period * np.add.outer(turns, since)).ravel()
    return times[(times > begin) & (times < end)]


def _turn(e: float) -> Any:
    """Parts of a turn since pericentre: even steps of the eccentric and of the true anomaly.

    Without the second the peak of an eccentric orbit has corners.
    """
    n_true = math.floor(120 * math.sqrt(e))
    half = np.pi * (np.arange(n_true) + 0.5) / max(n_true, 1)
    of_true = 2 * np.arctan2(math.sqrt(1 - e) * np.sin(half), math.sqrt(1 + e) * np.cos(half))
    anomaly = np.sort(np.concatenate([2 * np.pi * np.arange(40) / 40, of_true]))
    return (anomaly - e * np.sin(anomaly)) / (2 * np.pi)


def _limits(fit: Fit, values: Any, curve: Any = ()) -> tuple[float, float]:
    both = np.concatenate([values, curve])
    margin = 0.06 * np.ptp(both) + _uncertainties(fit).mean()
    return both.min() - margin, both.max() + margin


def _plot_phase(fit: Fit, index: int, ax: Any) -> None:
    """A planet's curve over one period, with the data less everything else, and their means."""
    planet, data = fit.planets[index], fit.data
    own = fit.velocities(data.times_days, [index]) + fit.residuals_m_s
    phase = _phase(data.times_days, planet.t_conj, planet.period_days)
    turns = (planet.t_peri - planet.t_conj) / planet.period_days + _turn(planet.eccentricity)
    grid = np.sort(np.concatenate([np.linspace(-0.5, 0.5, 501), turns - np.round(turns)]))

    def velocity(at: Any) -> Any:
        return fit.velocities(planet.t_conj + at * planet.period_days, [index])

    ax.axhline(0, color=look.PALE, lw=0.6, zorder=0)
    _plot_points(fit, ax, phase, own, 0.55)
    curve = velocity(grid)
    ax.plot(grid, curve, color=look.INK, lw=1.1, zorder=4)
    if data.n_obs >= 3 * PHASE_BINS:
        _plot_means(fit, ax, phase, velocity)
    ax.set_xlim(-0.5, 0.5)
    ax.set_ylim(*_limits(fit, own, curve))
    look.frame(ax)
    look.round_ticks(ax.yaxis, 6)
    ax.set_xticks([-0.5, -0.25, 0, 0.25, 0.5], ["−0.5", "−0.25", "0", "0.25", "0.5"])
    ax.set_title(_planet_title(fit.letters[index], planet), fontsize="small")
    ax.set_xlabel("phase since conjunction")
    ax.set_ylabel("velocity (m/s)")


def _planet_title(letter: str, planet: Any) -> str:
    period, k, e = (planet.measured(name) for name in ("period_days", "k_m_s", "eccentricity"))
    return f"{letter}: $P$ = {period} d\n$K$ = {k} m/s, $e$ = {e}"


def _plot_means(fit: Fit, ax: Any, phase: Any, velocity: Any) -> None:
    """Means of residuals, each on the curve: those of velocities would lie beside a steep one."""
    weights = _uncertainties(fit) ** -2
    bins = np.clip(np.floor((phase + 0.5) * PHASE_BINS).astype(int), 0, PHASE_BINS - 1)
    total = np.bincount(bins, weights, PHASE_BINS)
    filled = total > 0
    middle = np.bincount(bins, weights * phase, PHASE_BINS)[filled] / total[filled]
    residual = np.bincount(bins, weights * fit.residuals_m_s, PHASE_BINS)[filled] / total[filled]
    ax.errorbar(
        middle,
        velocity(middle) + residual,
        total[filled] ** -0.5,
        fmt="o",
        ms=5,
        mfc="white",
        mec=look.INK,
        mew=1.0,
        ecolor=look.INK,
        elinewidth=1.0,
        zorder=5,
    )


def _plot_points(fit: Fit, ax: Any, x: Any, y: Any, alpha: float = 0.82) -> None:
    """Coloured bars are the stated uncertainties; pale ones have the jitter added."""
    data, whole = fit.data, _uncertainties(fit)
    size = np.interp(data.n_obs, [50, 200, 1000, 5000], [4.5, 3.8, 3.0, 2.0])
    ax.errorbar(x, y, whole, fmt="none", ecolor=look.PALE, elinewidth=0.5, zorder=1)
    for index, name in enumerate(data.instrument_names):
        mine = data.instruments == index
        ax.errorbar(
            x[mine],
            y[mine],
            data.uncertainties_m_s[mine],
            fmt=look.SYMBOLS[index % len(look.SYMBOLS)],
            color=look.COLOURS[index % len(look.COLOURS)],
            ms=size,
            mew=0,
            elinewidth=0.7,
            alpha=alpha,
            label=name,
            zorder=2,
        )
    rows = [row for outlier in fit.outliers for row in outlier.rows]
    ax.plot(x[rows], y[rows], "o", mfc="none", mec=look.INK, mew=0.8, ms=size + 2, zorder=3)


def _phase(times: Any, start: float, period: float) -> Any:
    cycles = (times - start) / period
    return cycles - np.round(cycles)


# Posteriors -----------------------------------------------------------------------------------


class _Column(NamedTuple):
    """Draws of a quantity as they are shown: angles in degrees, around their median."""

    label: str
    draws: Any
    low: float
    median: float
    high: float
    limits: tuple[float, float]


def _column(posterior: Posterior, name: str) -> _Column:
    """Its axis reaches four times the interval to either side, as far as there are draws."""
    quantity = posterior.quantity(name)
    scale = quantity_kind(quantity.kind).shown_factor
    low, median, high = (scale * v for v in (quantity.low, quantity.median, quantity.high))
    draws = scale * posterior[name]
    if quantity.is_angle:
        draws = draws - 360.0 * np.round((draws - median) / 360.0)
    reach = 4.0 * max(high - median, median - low)
    limits = (max(draws.min(), median - reach), min(draws.max(), median + reach))
    if not limits[1] > limits[0]:  # a quantity that the prior fixes
        limits = (median - 0.5, median + 0.5)
    return _Column(_label(posterior, name), draws, low, median, high, limits)


def plot_corner(
    posterior: Posterior, names: Optional[Sequence[str]] = None, axes: Any = None
) -> Any:
    """Histograms of some quantities and the density of each pair of them.

    Returns the axes, ``[n, n]``, of which those above the diagonal are None, or draws into the
    given ones, and takes those above the diagonal off. Contours hold 68.3 % and 95.4 % of the draws. Without names: period, K, eccentricity and omega
    of each planet, omega for two planets at most.
    """
    chosen = list(names) if names is not None else _main_names(posterior)
    columns = [_column(posterior, name) for name in chosen]
    n = len(columns)
    if axes is None:
        places = _axes_of_pairs(n)
    else:
        places = np.reshape(_given(axes, n * n, f"{n} rows of {n}"), (n, n))
    for row, up in enumerate(columns):
        for column, across in enumerate(columns[: row + 1]):
            ax = places[row, column]
            if row == column:
                _plot_histogram(ax, up)
            else:
                _plot_pair(ax, across, up)
            look.frame(ax)
            look.round_ticks(ax.xaxis, 3)
            ax.tick_params(axis="x", labelbottom=row == n - 1, rotation=45)
            if row == n - 1:
                ax.set_xlabel(across.label, fontsize="small")
            if row != column:
                look.round_ticks(ax.yaxis, 4)
                ax.tick_params(axis="y", labelleft=column == 0)
            if column == 0 and row > 0:
                ax.set_ylabel(up.label, fontsize="small")
    if axes is None:
        places[0, 0].figure.align_labels()
    else:
        for ax in places[np.triu_indices(n, 1)]:
            ax.set_axis_off()
    return places


def _axes_of_pairs(n: int) -> Any:
    figure = look.new_figure(1.0 + 1.5 * n, 1.0 + 1.5 * n)
    figure.get_layout_engine().set(w_pad=0.02, h_pad=0.02, wspace=0.02, hspace=0.02)
    grid = figure.add_gridspec(n, n)
    places = np.full((n, n), None, dtype=object)
    for row in range(n):
        for column in range(row + 1):
            places[row, column] = figure.add_subplot(grid[row, column])
    return places


def _plot_histogram(ax: Any, column: _Column) -> None:
    ax.hist(
        column.draws.ravel(),
        look.BINS,
        range=column.limits,
        histtype="stepfilled",
        fc=look.FILL,
        ec=look.ACCENT,
        lw=0.7,
    )
    ax.axvline(column.median, color=look.INK, lw=0.8)
    for bound in (column.low, column.high):
        ax.axvline(bound, color=look.INK, lw=0.7, ls=(0, (4, 3)))
    ax.set_yticks([])
    ax.set_xlim(*column.limits)
    ax.set_ylim(0, 1.08 * ax.dataLim.ymax)
    title = between(column.median, column.low, column.high).replace("-", "\N{MINUS SIGN}")
    ax.set_title(title, fontsize="small")


def _plot_pair(ax: Any, across: _Column, up: _Column) -> None:
    limits = (across.limits, up.limits)
    heights = look.pair_density(across.draws.ravel(), up.draws.ravel(), limits)
    levels = sorted({look.share_level(heights, share) for share in (0.954, 0.683)})
    places = (np.arange(look.BINS) + 0.5) / look.BINS
    middles = [low + places * (high - low) for low, high in limits]
    fills = (look.FILL, look.FILL_STRONG)[-len(levels) :]
    ax.contourf(*middles, heights, [*levels, 2.0], colors=fills)
    ax.contour(*middles, heights, levels, colors=look.ACCENT, linewidths=0.6)
    ax.set_xlim(*across.limits)
    ax.set_ylim(*up.limits)


def plot_trace(
    posterior: Posterior, names: Optional[Sequence[str]] = None, axes: Any = None
) -> Any:
    """Quantities against the step of the sampler: of each population the median and 68 %.

    Returns the axes, one for each quantity, or draws into the given ones.
    """
    chosen = list(names) if names is not None else _main_names(posterior)
    if axes is None:
        figure = look.new_figure(8, 1.2 + 1.3 * len(chosen))
        places = list(figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0])
    else:
        places = _given(axes, len(chosen), "one for each quantity")
    summary = posterior.summary
    steps = np.linspace(summary.n_burn_in, summary.n_steps, summary.n_kept)
    for ax, name in zip(places, chosen):
        column = _column(posterior, name)
        for index, population in enumerate(column.draws):
            colour = look.COLOURS[index % len(look.COLOURS)]
            low, median, high = np.quantile(population, [0.16, 0.5, 0.84], axis=-1)
            ax.plot(steps, median, color=colour, lw=0.8)
            ax.fill_between(steps, low, high, color=colour, alpha=0.15, lw=0)
        ax.set_ylabel(column.label, fontsize="small")
        look.frame(ax)
        look.round_ticks(ax.yaxis, 4)
    look.round_ticks(places[-1].xaxis, 8)
    places[-1].set_xlim(steps[0], max(steps[-1], steps[0] + 1))
    places[-1].set_xlabel("step")
    places[-1].figure.align_ylabels(places)
    return tuple(places)


def _main_names(posterior: Posterior) -> list[str]:
    kinds = ["period_days", "k_m_s", "eccentricity"]
    kinds += ["omega_rad"] if posterior.summary.n_planets <= 2 else []
    names = [
        quantity.name
        for quantity in posterior.quantities
        if quantity.kind in kinds and quantity.high > quantity.low
    ]
    return names or list(posterior.names[:4])


def _label(posterior: Posterior, name: str) -> str:
    """Symbol with the letter of the planet, and the unit of what is shown."""
    quantity = posterior.quantity(name)
    kind = quantity_kind(quantity.kind)
    unit = f" ({kind.shown_unit})" if kind.shown_unit else ""
    if quantity.planet:
        letters = posterior.provenance.get("letters", "").replace(",", "") or "bcdefghijklmnopqrstuvwxyz"
        letter = letters[quantity.planet - 1 : quantity.planet] or str(quantity.planet)
        return f"{kind.symbol}$_\\mathrm{{{letter}}}${unit}"
    of = f", {quantity.instrument_name}" if quantity.instrument_name else ""
    return f"{kind.symbol}{of}{unit}"
