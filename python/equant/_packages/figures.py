"""What all figures share: colours, symbols and ticks, those of the page of `equant report`."""

from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

INK, QUIET, PALE, EDGE = "#1c2024", "#667078", "#b9c0c6", "#1c2024"
ACCENT, FILL, FILL_STRONG, WASH = "#1b5e8c", "#dbe7f0", "#9dbfd8", "#f5f6f7"

#: Of instruments; they can be told apart without seeing all of them (Okabe and Ito 2008).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#666666")
SYMBOLS = "os^Dv"
PLANET = COLOURS[1]

STEPS = [1, 2, 5, 10]  # of round numbers


def new_figure(width: float, height: float) -> Any:
    """An empty figure, in inches, whose panels make room for their labels."""
    from matplotlib import pyplot

    return pyplot.figure(figsize=(width, height), layout="constrained")


def frame(ax: Any) -> None:
    """A thin frame with its ticks inside."""
    ax.tick_params(which="both", direction="in", color=EDGE, width=0.6, labelsize="small")
    for spine in ax.spines.values():
        spine.set(color=EDGE, linewidth=0.6)


def round_ticks(axis: Any, n_most: int) -> None:
    """At most so many round numbers, with finer ticks between them."""
    from matplotlib.ticker import AutoMinorLocator, FuncFormatter, MaxNLocator

    locator = MaxNLocator(n_most, steps=STEPS, min_n_ticks=2)
    axis.set_major_locator(locator)
    axis.set_major_formatter(FuncFormatter(lambda value, _: _number(value, locator())))
    axis.set_minor_locator(AutoMinorLocator())


def _number(value: float, all_values: Sequence[float]) -> str:
    """As many decimals as tell the numbers of an axis apart; true minus, thin spaces."""
    step = float(np.min(np.diff(all_values))) if len(all_values) > 1 else abs(value) or 1.0
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    text = f"{abs(value):,.{decimals}f}".replace(",", "\N{THIN SPACE}")
    if abs(value) < 1e4:
        text = text.replace("\N{THIN SPACE}", "")
    return f"\N{MINUS SIGN}{text}" if value < -0.5 * 10.0**-decimals else text


def period_ticks(axis: Any, low: float, high: float) -> None:
    """Powers of ten, written out; over less than a factor of a hundred also twos and fives."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    digits = (1.0, 2.0, 5.0) if high / low < 100.0 else (1.0,)
    axis.set_major_locator(LogLocator(subs=digits, numticks=30))
    axis.set_minor_locator(LogLocator(subs=tuple(range(1, 10)), numticks=300))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.10g}"))
    axis.set_minor_formatter(NullFormatter())


# Times ----------------------------------------------------------------------------------------


def time_zero(times: Any) -> float:
    """What is taken from the times of an axis, so that its numbers are short.

    A few nights before a round number do not matter.
    """
    early = times[0] + 0.1 * (times[-1] - times[0])
    return 0.0 if abs(times[0]) < 1e4 else 1000.0 * math.floor(early / 1000.0)


def _julian_zero(time: float) -> float:
    """What a time lacks to be a Julian date; NaN where it is none."""
    if 2.4e6 < time < 2.5e6:
        return 0.0
    return 2400000.5 if 3e4 < time < 7e4 else math.nan


def time_label(first: float, zero: float, name: str) -> str:
    """What stands below an axis of times that begin with `first` and are called `name`."""
    minus, lacks = "\N{MINUS SIGN}", _julian_zero(first)
    if lacks == 0.0:
        return f"{'JD' if name == 'MJD' else name} {minus} {zero:.0f} (days)"
    if lacks > 0.0 and name != "JD":  # else nobody says whether they are modified
        return f"{name} {minus} {zero + (0 if name == 'MJD' else 2400000):.0f} (days)"
    return "time (days)" if zero == 0.0 else f"time {minus} {zero:.0f} (days)"


def years_above(ax: Any, zero: float, low: float, high: float) -> None:
    """Years at the upper edge, where the times are those of a calendar."""
    from matplotlib.ticker import AutoMinorLocator, FuncFormatter, MaxNLocator

    to_julian = _julian_zero(low + zero)
    if not to_julian == _julian_zero(high + zero) or high - low < 2 * 365.25:
        return
    begin = 2451544.5 - zero - to_julian  # of the year 2000
    years = ax.secondary_xaxis(
        "top",
        functions=(
            lambda days: 2000.0 + (np.asarray(days) - begin) / 365.25,
            lambda year: begin + 365.25 * (np.asarray(year) - 2000.0),
        ),
    )
    years.xaxis.set_major_locator(MaxNLocator(10, steps=STEPS, integer=True))
    years.xaxis.set_major_formatter(FuncFormatter(lambda year, _: f"{year:.0f}"))
    years.xaxis.set_minor_locator(AutoMinorLocator())
    frame(years)
    years.tick_params(labelcolor=QUIET)


# Densities of draws ---------------------------------------------------------------------------

BINS = 36
_SMOOTHING = 1.2  # bins; hides the noise of some hundred effective draws, and no feature


def _smoothed(heights: Any) -> Any:
    """Along the rows; what lies beyond the ends is missing from sums and from weights alike."""
    distance = np.subtract.outer(np.arange(BINS), np.arange(BINS)) / _SMOOTHING
    weights = np.where(np.abs(distance) <= 4 / _SMOOTHING, np.exp(-0.5 * distance**2), 0.0)
    return heights @ (weights / weights.sum(axis=1, keepdims=True)).T


def pair_density(across: Any, up: Any, limits: Sequence[tuple[float, float]]) -> Any:
    """Heights ``[up, across]`` of the density of two quantities, the highest 1."""
    counts = np.histogram2d(up, across, BINS, range=[limits[1], limits[0]])[0]
    heights = _smoothed(_smoothed(counts).T).T
    return heights / max(heights.max(), 1e-300)


def share_level(heights: Any, share: float) -> float:
    """The height above which this share of a density lies."""
    falling = np.sort(heights.ravel())[::-1]
    sums = np.cumsum(falling)
    return float(falling[min(np.searchsorted(sums, share * sums[-1]), falling.size - 1)])
