"""Dates as Julian dates, without importing the packages that they are from."""

from __future__ import annotations

import datetime
import sys
from typing import Any

import numpy as np

from ..errors import InvalidArgument
from .kinds import Kind

_NOON_2000 = np.datetime64("2000-01-01T12:00:00", "us")
_JD_2000 = 2451545.0
_JD_OF_MJD = 2400000.5

#: Julian dates of observations: from the year 1311 to the year 2680.
_JULIAN_DATES = (2.2e6, 2.7e6)
_MODIFIED = (1.0, 2.0e5)


def is_time(value: Any) -> bool:
    """Whether it is a Time of astropy."""
    return hasattr(value, "jd") and hasattr(value, "scale")


def is_date(value: Any) -> bool:
    """Whether it is a date of NumPy, of Python, or of pandas, which is one of Python."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return kind == "M" or isinstance(value, (datetime.date, datetime.datetime))


def is_duration(value: Any) -> bool:
    """The same for lengths of time."""
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    return kind == "m" or isinstance(value, datetime.timedelta)


def days_of(duration: Any) -> Any:
    """A length of time in days; NaN where it is missing."""
    return _ratio(np.asarray(_plain(duration)).astype("timedelta64[ns]"), np.timedelta64(1, "D"))


def number_of(value: Any, name: str, kind: Kind, clock: str) -> Any:
    """Dates as the argument counts them; `clock` is "JD", "BJD", "HJD", "MJD", or "" for one that
    is not known.
    """
    if kind.date == "":
        wanted = f"numbers in {kind.unit}" if kind.unit else "plain numbers"
        raise InvalidArgument(f"{name} takes no dates: give {wanted}")
    if kind.date == "clock" and clock == "":
        raise InvalidArgument(
            f"{name} is on the clock of the data, which is not known here to count Julian dates: "
            "give days on it, and no dates"
        )
    if kind.date == "clock" and clock not in ("JD", "MJD") and not is_time(value):
        raise InvalidArgument(
            f"{name} is in {clock}, and whether these dates are UTC, and of the barycentre, is not "
            f"known: give {clock} in days, or an astropy Time"
        )
    jd = _jd_of_time(value, name, kind) if is_time(value) else _jd_of_dates(value)
    if kind.date == "year":
        return 2000.0 + (jd - _JD_2000) / 365.25
    return jd - _JD_OF_MJD if clock == "MJD" else jd


def clock_of(data: Any) -> str:
    """What the times of a data set count; "" where they are no Julian dates."""
    middle = float(data.times_days[0])
    low, high = _MODIFIED if data.time_name == "MJD" else _JULIAN_DATES
    return str(data.time_name) if low < middle < high else ""


def clock_named(time_name: Any) -> str:
    """What times of that name count: "BJD_TDB" is "BJD"."""
    name = "JD" if time_name is None else str(time_name).upper()
    return next((own for own in ("MJD", "BJD", "HJD", "JD") if own in name), "")


def _jd_of_time(value: Any, name: str, kind: Kind) -> Any:
    """Of a Time in its own scale, which is that of the argument, or in UTC."""
    if value.scale == "local":
        raise InvalidArgument(f"{name} is in the scale 'local', which no other is known to be")
    jd = value.utc.jd if kind.date == "utc" else value.jd
    values = np.ma.filled(np.ma.asarray(jd, dtype=np.float64), np.nan)
    return values if np.ndim(values) else float(values)


def _jd_of_dates(value: Any) -> Any:
    """Of dates, which are UTC where they do not say otherwise; NaN where they are missing."""
    instants = np.asarray(_plain(value)).astype("datetime64[us]")
    return _JD_2000 + _ratio(instants - _NOON_2000, np.timedelta64(1, "D"))


def _ratio(durations: Any, unit: Any) -> Any:
    found = np.where(np.isnat(durations), np.nan, durations / unit)
    return found if found.ndim else float(found)


def _plain(value: Any) -> Any:
    """Without a zone, in UTC, as NumPy wants it."""
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(value, (pandas.Series, pandas.Index)):
        return np.asarray(value, dtype="M8[ns]" if is_date(value) else "m8[ns]")
    if pandas is not None and hasattr(value, "to_datetime64"):
        return value.to_datetime64()
    return value
