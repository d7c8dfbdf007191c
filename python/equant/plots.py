"""Pictures by matplotlib, which is imported when the first is asked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from ._measured import between, measured
from .quantities import quantity_kind

if TYPE_CHECKING:
    from .fitted_star import Fit
    from .periodogram import Periodogram
    from .posterior import Posterior

CURVE = "0.25"
FALSE_ALARM = 1e-3  # that a planet may have
MARKERS = "osD^vP*X"
MOST_TURNS = 100  # of a planet that can be told apart over the span of the data


def plot_periodogram(periodogram: Periodogram, ax: Any = None) -> Any:
    """Power against period, with a false-alarm level and the highest peak; returns the axes."""
    ax = ax or _figure(figsize=(8, 3.5)).subplots()
    ax.plot(periodogram.period_days, periodogram.power, lw=0.7, label="any eccentricity")
    ax.plot(periodogram.period_days, periodogram.circular, lw=0.7, alpha=0.7, label="circular")
    level = periodogram.level(FALSE_ALARM)
    ax.axhline(level, color=CURVE, lw=0.7, ls="--")
    ax.annotate(
        f"FAP {FALSE_ALARM:g}",
        (1, level),
        xycoords=("axes fraction", "data"),
        xytext=(-4, 2),
        textcoords="offset points",
        ha="right",
        fontsize="small",
        color=CURVE,
    )
    for peak in periodogram.peaks[:1]:
        ax.annotate(
            f"{peak.period_days:.6g} d",
            (peak.period_days, peak.power),
            xytext=(4, 2),
            textcoords="offset points",
            fontsize="small",
        )
    ax.set_xscale("log")
    ax.set_xlim(periodogram.period_days.min(), periodogram.period_days.max())
    ax.set_ylim(bottom=0)
    ax.margins(y=0.15)
    ax.set_xlabel("period (days)")
    ax.set_ylabel("share of chi-square explained")
    ax.legend(loc="upper left", fontsize="small", frameon=False)
    return ax


def plot_fit(fit: Fit) -> Any:
    """Velocities and residuals against time, then a phase curve for each planet."""
    n_rows = math.ceil(len(fit.planets) / 2)
    figure = _figure(figsize=(8, 4.5 + 2.6 * n_rows))
    grid = figure.add_gridspec(2 + n_rows, 2, height_ratios=[2.2, 1.1] + [2] * n_rows)
    top = figure.add_subplot(grid[0, :])
    below = figure.add_subplot(grid[1, :], sharex=top)
    _plot_times(fit, top, below)
    for index in range(len(fit.planets)):
        row, column = divmod(index, 2)
        alone = index == len(fit.planets) - 1 and column == 0
        place = grid[2 + row, :] if alone else grid[2 + row, column]
        _plot_phase(fit, index, figure.add_subplot(place))
    return figure


def _plot_times(fit: Fit, top: Any, below: Any) -> None:
    """The data without their offsets under the curve of the fit, and what is left of them."""
    data, residuals = fit.data, fit.residuals_m_s
    _plot_curve(fit, top)
    shown = fit.velocities(data.times_days) + residuals
    _plot_points(fit, top, data.times_days, shown)
    _plot_points(fit, below, data.times_days, residuals)
    below.axhline(0, color=CURVE, lw=0.7)
    # The curve of an eccentric planet may have spikes where nobody looked.
    top.set_ylim(*_with_margin(shown))
    top.set_ylabel("velocity (m/s)")
    below.set_ylabel("residual (m/s)")
    below.set_xlabel("time (days)")
    below.ticklabel_format(axis="x", useOffset=False, style="plain")
    top.tick_params(labelbottom=False)
    if data.n_instruments > 1:
        top.legend(fontsize="small", ncols=4, loc="best")


def _plot_curve(fit: Fit, ax: Any) -> None:
    """The trend and those planets whose turns can be told apart over the span of the data.

    Nothing where the better part of the model is left out, for then the rest would look like a
    bad fit.
    """
    data = fit.data
    shortest = data.span_days / MOST_TURNS
    fast = [index for index, planet in enumerate(fit.planets) if planet.period_days < shortest]
    hidden = sum(fit.planets[index].k_m_s for index in fast)
    margin = 0.02 * data.span_days
    times = np.linspace(data.times_days[0] - margin, data.times_days[-1] + margin, 4000)
    curve = fit.velocities(times) - (fit.velocities(times, fast) if fast else 0)
    if hidden == 0 or hidden < 0.5 * np.ptp(curve):
        ax.plot(times, curve, color=CURVE, lw=0.5, alpha=0.6, zorder=0)


def _with_margin(values: Any) -> tuple[float, float]:
    margin = 0.1 * (values.max() - values.min())
    return values.min() - margin, values.max() + margin


def _plot_phase(fit: Fit, index: int, ax: Any) -> None:
    """A planet's curve over one period, with the data less everything else."""
    planet, data = fit.planets[index], fit.data
    own = fit.velocities(data.times_days, [index]) + fit.residuals_m_s
    phase = _phase(data.times_days, planet.t_conj, planet.period_days)
    grid = np.linspace(-0.5, 0.5, 500)
    _plot_points(fit, ax, phase, own)
    ax.plot(grid, fit.velocities(planet.t_conj + grid * planet.period_days, [index]), color=CURVE)
    ax.set_xlim(-0.5, 0.5)
    ax.set_title(f"{measured(planet.period_days, planet.period_days_err)} days", fontsize="medium")
    ax.set_xlabel("phase from conjunction")
    ax.set_ylabel("velocity (m/s)")


def _plot_points(fit: Fit, ax: Any, x: Any, y: Any) -> None:
    data = fit.data
    for index, name in enumerate(data.instrument_names):
        mine = data.instruments == index
        ax.errorbar(
            x[mine],
            y[mine],
            data.uncertainties_m_s[mine],
            fmt=MARKERS[index % len(MARKERS)],
            ms=3,
            lw=0,
            elinewidth=0.6,
            alpha=0.8,
            label=name,
        )


def _phase(times: Any, start: float, period: float) -> Any:
    cycles = (times - start) / period
    return cycles - np.floor(cycles + 0.5)


def plot_corner(posterior: Posterior, names: Optional[Sequence[str]] = None) -> Any:
    """Histograms of some quantities and of each pair of them; returns the figure.

    Without names: period, K and eccentricity of each planet.
    """
    chosen = list(names) if names is not None else _main_names(posterior)
    draws = [posterior[name].ravel() for name in chosen]
    n = len(chosen)
    figure = _figure(figsize=(1.2 + 1.7 * n, 1.2 + 1.7 * n))
    axes = figure.subplots(n, n, squeeze=False)
    for row in range(n):
        for column in range(n):
            ax = axes[row, column]
            if column > row:
                ax.set_axis_off()
                continue
            _plot_corner_panel(ax, posterior, chosen, draws, row, column)
            ax.tick_params(labelsize="small")
            ax.tick_params(axis="x", labelbottom=row == n - 1, rotation=45)
            ax.tick_params(axis="y", labelleft=column == 0 and row > 0)
            if row == n - 1:
                ax.set_xlabel(_label(posterior, chosen[column]), fontsize="small")
            if column == 0 and row > 0:
                ax.set_ylabel(_label(posterior, chosen[row]), fontsize="small")
    return figure


def _plot_corner_panel(
    ax: Any, posterior: Posterior, names: Sequence[str], draws: Sequence[Any], row: int, column: int
) -> None:
    bounds = [np.quantile(values, [0.001, 0.999]) for values in draws]
    if row == column:
        quantity = posterior.quantity(names[row])
        ax.hist(draws[row], bins=50, range=tuple(bounds[row]), histtype="stepfilled", alpha=0.6)
        for value in (quantity.low, quantity.median, quantity.high):
            ax.axvline(value, color=CURVE, lw=0.8, ls="--")
        ax.set_yticks([])
        ax.set_xlim(*bounds[row])
        ax.set_title(between(quantity.median, quantity.low, quantity.high), fontsize="small")
        return
    ranges = [tuple(bounds[column]), tuple(bounds[row])]
    ax.hist2d(draws[column], draws[row], bins=40, range=ranges, cmap="Blues")


def plot_trace(posterior: Posterior, names: Optional[Sequence[str]] = None) -> Any:
    """Quantities against the kept steps: the median of each population and where 68 % lie."""
    chosen = list(names) if names is not None else _main_names(posterior)
    figure = _figure(figsize=(8, 1.2 + 1.3 * len(chosen)))
    axes = figure.subplots(len(chosen), 1, sharex=True, squeeze=False)[:, 0]
    for ax, name in zip(axes, chosen):
        for population in posterior[name]:
            low, median, high = np.quantile(population, [0.16, 0.5, 0.84], axis=-1)
            steps = np.arange(median.size)
            line = ax.plot(steps, median, lw=0.8)[0]
            ax.fill_between(steps, low, high, color=line.get_color(), alpha=0.15, lw=0)
        ax.set_ylabel(_label(posterior, name), fontsize="small")
    axes[-1].set_xlabel("kept step")
    return figure


def _main_names(posterior: Posterior) -> list[str]:
    kinds = ("period_days", "k_m_s", "eccentricity")
    names = [quantity.name for quantity in posterior.quantities if quantity.kind in kinds]
    return names or list(posterior.names[:4])


def _label(posterior: Posterior, name: str) -> str:
    quantity = posterior.quantity(name)
    symbol = quantity_kind(quantity.kind).symbol
    is_letter = quantity.planet > 0 and len(symbol) == 1
    short = f"${symbol}_{quantity.planet}$" if is_letter else name
    return f"{short} ({quantity.unit})" if quantity.unit else short


def _figure(figsize: tuple[float, float]) -> Any:
    from matplotlib import pyplot

    return pyplot.figure(figsize=figsize, layout="constrained")
