"""Values with their errors in words."""

from __future__ import annotations

import math


def measured(value: float, error: float) -> str:
    """A value and its error, to two digits of the error.

    >>> measured(1200.123456, 4.123)
    '1200.1 ± 4.1'
    >>> measured(2455207.25, 12345.6)
    '2455000 ± 12000'
    >>> measured(0.25, float("nan"))
    '0.25'
    """
    if not math.isfinite(error) or error <= 0.0:
        return f"{value:.7g}"
    digits = 1 - math.floor(math.log10(error))
    if digits < 0:
        return f"{round(value, digits):.0f} ± {round(error, digits):.0f}"
    return f"{value:.{digits}f} ± {error:.{digits}f}"


def bounded(bound: float, is_least: bool) -> str:
    """What lies on one side of a bound.

    >>> bounded(130.42, True)
    'at least 130'
    >>> bounded(12345.6, False)
    'at most 12346'
    """
    digits = max(2 - math.floor(math.log10(bound)), 0)
    return f"{'at least' if is_least else 'at most'} {bound:.{digits}f}"


def between(median: float, low: float, high: float) -> str:
    """A median with what it takes to the bounds of an interval.

    >>> between(75.73, 75.691, 75.776)
    '75.730 +0.046 -0.039'
    """
    up, down = high - median, median - low
    smallest = min(up, down)
    if not math.isfinite(smallest) or smallest <= 0.0:
        return f"{median:.7g}"
    digits = max(1 - math.floor(math.log10(smallest)), 0)
    return f"{median:.{digits}f} +{up:.{digits}f} -{down:.{digits}f}"
