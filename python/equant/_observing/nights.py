"""Nights of an interval, their windows, and times to choose from."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass, fields
from typing import Any, Optional, Sequence, Union

import numpy as np

from .. import _c
from .._memory import Handle, options, pointer, read_path, string, text, word
from .._numbers.gate import takes_numbers
from .._numbers.kinds import UTC
from ..errors import InvalidArgument, call
from ..table import Table
from .sky import Site, SiteLike, SkyConditions, TimeLike, as_position, as_site, jd_of


class Slots:
    """Nights or times that may be used, from a CSV table or an ICS calendar in UTC."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    @classmethod
    def read(cls, path: Union[str, os.PathLike[str]]) -> Slots:
        """From a file; docs/observing.md has its columns."""
        return cls(Handle(_c.equant_slots_read, _c.equant_slots_free, read_path(path)))

    @classmethod
    def from_text(cls, content: str, name: str = "slots") -> Slots:
        """From the content of such a file.

        Examples
        --------
        >>> import equant
        >>> equant.Slots.from_text("2026-11-16\\n2026-11-18\\n")
        <Slots: 2>
        """
        raw = text(content)
        size = 0 if raw is None else len(raw)
        create = _c.equant_slots_from_text
        return cls(Handle(create, _c.equant_slots_free, raw, size, text(name)))

    def __len__(self) -> int:
        return int(_c.equant_slots_n(self._handle.pointer))

    def to_table(self) -> Table:
        """All slots: start and end, whether they are nights, site and label."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("start_jd_utc", "end_jd_utc", "is_night", "site", "label")
        }
        for index in range(len(self)):
            slot = options(_c.equant_slot)
            call(_c.equant_slots_at, self._handle.pointer, index, slot)
            for name, column in columns.items():
                value = getattr(slot, name)
                column.append(string(value) if isinstance(value, bytes) else value)
        return Table(columns)

    def __repr__(self) -> str:
        return f"<Slots: {len(self)}>"


@dataclass(frozen=True)
class Night:
    """A night at a site, from noon to noon of local mean time; NaN: it does not happen."""

    site: str
    date: str
    kind: str
    noon_jd_utc: float
    sunset_jd_utc: float
    sunrise_jd_utc: float
    dusk_jd_utc: float
    dawn_jd_utc: float
    dark_start_jd_utc: float
    dark_end_jd_utc: float
    rise_jd_utc: float
    set_jd_utc: float
    transit_jd_utc: float
    hours: float
    best_jd_utc: float
    best_airmass: float
    best_altitude_deg: float
    moon_illumination: float
    moon_separation_deg: float
    moon_rise_jd_utc: float
    moon_set_jd_utc: float
    reason: str


class Nights(Sequence[Night]):
    """Nights by time, with their windows; made by :func:`nights`."""

    def __init__(self, handle: Handle, names: Sequence[str]) -> None:
        self._handle = handle
        self.site_names = list(names)
        self._nights = [self._night(i) for i in range(_c.equant_nights_n(handle.pointer))]

    def _night(self, index: int) -> Night:
        found = options(_c.equant_night)
        call(_c.equant_nights_at, self._handle.pointer, index, found)
        values = {item.name: getattr(found, item.name) for item in fields(Night)}
        values["site"] = self.site_names[found.site]
        values["kind"] = word("equant_night_kind", found.kind)
        values["date"] = string(found.date)
        values["reason"] = string(found.reason)
        return Night(**values)

    def __len__(self) -> int:
        return len(self._nights)

    def __getitem__(self, index: Any) -> Any:
        return self._nights[index]

    @property
    def trouble(self) -> str:
        """Why nothing can be observed in all of the interval; "" where something can."""
        return string(_c.equant_nights_trouble(self._handle.pointer))

    @property
    def hours(self) -> float:
        """In which the star can be observed, all nights together."""
        return sum(night.hours for night in self._nights)

    def to_table(self) -> Table:
        """One row for each night."""
        return Table.from_records(self._nights, [item.name for item in fields(Night)])

    def windows(self) -> Table:
        """Times at which all limits are kept: site, night, start and end."""
        columns: dict[str, list[Any]] = {
            name: [] for name in ("site", "date", "start_jd_utc", "end_jd_utc")
        }
        for index in range(_c.equant_nights_n_windows(self._handle.pointer)):
            window = options(_c.equant_window)
            call(_c.equant_nights_window, self._handle.pointer, index, window)
            columns["site"].append(self.site_names[window.site])
            columns["date"].append(self._nights[window.night].date)
            columns["start_jd_utc"].append(window.start_jd_utc)
            columns["end_jd_utc"].append(window.end_jd_utc)
        return Table(columns)

    @takes_numbers
    def times(self, step_minutes: float = 10.0, gap_hours: float = 0.0) -> Table:
        """Times to choose from, with what the sky is like: one row each.

        With `gap_hours` the highest are taken first, and none that is nearer to one that is
        taken: 12 leaves one time a night.
        """
        call(_c.equant_nights_find_times, self._handle.pointer, step_minutes, gap_hours)
        n = _c.equant_nights_n_times(self._handle.pointer)
        names = [item.name for item in fields(SkyConditions)]
        columns = {name: np.empty(n) for name in names}
        places = []
        site = ctypes.c_size_t()
        found = options(_c.equant_sky_conditions)
        for index in range(n):
            call(_c.equant_nights_time, self._handle.pointer, index, ctypes.byref(site), found)
            places.append(self.site_names[site.value])
            for name in names:
                columns[name][index] = getattr(found, name)
        return Table({"site": places, **columns})

    def __repr__(self) -> str:
        return f"<Nights: {len(self)} at {', '.join(self.site_names)}, {self.hours:.1f} hours>"


@takes_numbers(start=UTC, end=UTC)
def nights(
    site: Union[SiteLike, Sequence[SiteLike]],
    star: Any,
    start: TimeLike,
    end: TimeLike,
    *,
    sun_altitude_deg: float = -12.0,
    altitude_min_deg: Optional[float] = None,
    airmass_max: Optional[float] = None,
    moon_separation_deg: float = 30.0,
    moon_illumination_max: Optional[float] = None,
    window_min_minutes: float = 0.0,
    slots: Optional[Slots] = None,
) -> Nights:
    """The nights of an interval at one or several sites, and when a star can be observed.

    Parameters
    ----------
    site
        A :class:`Site`, its name, or several of them.
    star
        A :class:`StarPosition`, or a pair of right ascension and declination.
    start, end
        Julian dates of UTC, or texts such as "2026-11-16".
    sun_altitude_deg
        The sun is below this; above zero, by day too.
    altitude_min_deg
        Of the star; 30 where no airmass is given either. Negative: none.
    airmass_max
        Of Pickering (2002).
    moon_separation_deg, moon_illumination_max
        What the moon must keep while it is up; 0: no separation.
    window_min_minutes
        Shorter windows do not count.
    slots
        Nights or times that may be used.

    Examples
    --------
    >>> import equant
    >>> found = equant.nights("Keck", ("18:02:30.86", "26:18:46.8"), "2026-06-16", "2026-06-20")
    >>> found
    <Nights: 5 at Mauna Kea, 34.0 hours>
    >>> found.times(gap_hours=12)["airmass"].round(3)
    array([1.006, 1.006, 1.006, 1.007])
    """
    several = [site] if isinstance(site, (str, Site)) else list(site)
    if not several:
        raise InvalidArgument("nights are those of at least one site")
    places = [as_site(one) for one in several]
    limits = options(
        _c.equant_observing_limits,
        sun_altitude_deg=sun_altitude_deg if sun_altitude_deg != 0.0 else -1e-9,
        altitude_min_deg=altitude_min_deg,
        airmass_max=airmass_max,
        moon_separation_deg=moon_separation_deg if moon_separation_deg != 0.0 else -1.0,
        moon_illumination_max=moon_illumination_max,
        window_min_minutes=window_min_minutes,
        slots=None if slots is None else slots._handle.pointer,
    )
    handle = Handle(
        _c.equant_nights_create,
        _c.equant_nights_free,
        len(places),
        (_c.equant_site * len(places))(*[place._options() for place in places]),
        as_position(star)._options(),
        jd_of(start),
        jd_of(end),
        pointer(limits),
    )
    return Nights(handle, [place.name or "the site" for place in places])
