"""Places, positions of stars, and the sky at an instant."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, fields
from typing import Any, Optional, Union

from .. import _c
from .._memory import options, record, text
from .._numbers.gate import takes_numbers
from .._numbers.kinds import UTC, Kind
from .._numbers.values import plain
from ..errors import InvalidArgument, call


@takes_numbers
@dataclass(frozen=True)
class Site:
    """A place on the Earth: degrees, positive to the east and to the north, and metres.

    Examples
    --------
    >>> import equant
    >>> equant.Site.find("lasilla").latitude_deg
    -29.256666666666668
    """

    name: str
    longitude_deg: float
    latitude_deg: float
    height_m: float = 0.0
    source: str = "given"

    @classmethod
    def find(cls, name: str) -> Site:
        """A site by its name or that of an instrument, or "LONGITUDE,LATITUDE[,HEIGHT]"."""
        found = options(_c.equant_site)
        call(_c.equant_site_find, text(name), found)
        return record(cls, found)  # type: ignore[no-any-return]

    def _options(self) -> Any:
        return options(
            _c.equant_site,
            name=text(self.name),
            longitude_deg=self.longitude_deg,
            latitude_deg=self.latitude_deg,
            height_m=self.height_m,
        )


SiteLike = Union[Site, str]


def sites() -> list[Site]:
    """The sites that are known by name, and where their coordinates come from.

    Examples
    --------
    >>> import equant
    >>> [site.name for site in equant.sites()][:2]
    ['La Silla', 'Paranal']
    """
    found = []
    for index in range(_c.equant_n_sites()):
        site = options(_c.equant_site)
        call(_c.equant_site_at, index, site)
        found.append(record(Site, site))
    return found


def as_site(site: SiteLike) -> Site:
    """A site, by its name where that is given."""
    return site if isinstance(site, Site) else Site.find(site)


@takes_numbers
@dataclass(frozen=True)
class StarPosition:
    """Where a star is, ICRS: degrees, and its motion in mas a year since `epoch_year`.

    Examples
    --------
    >>> import equant
    >>> equant.StarPosition.read("18:02:30.86", "+26:30:00").dec_deg
    26.5
    """

    ra_deg: float
    dec_deg: float
    epoch_year: float = 2000.0
    pm_ra_mas_per_yr: float = 0.0
    pm_dec_mas_per_yr: float = 0.0

    @classmethod
    def read(cls, ra: str, dec: str, **motion: float) -> StarPosition:
        """From texts: hours or degrees, "18:02:30.9" or "270.629", and "+26:18:46.8"."""
        read = options(_c.equant_star_position)
        words = (
            one if isinstance(one, str) else repr(float(plain(one, name, Kind("deg"))))
            for one, name in ((ra, "ra"), (dec, "dec"))
        )
        call(_c.equant_star_position_read, *map(text, words), read)
        return cls(read.ra_deg, read.dec_deg, **motion)

    def _options(self) -> Any:
        return options(
            _c.equant_star_position,
            **{item.name: getattr(self, item.name) for item in fields(self)},
        )


def as_position(star: Any) -> StarPosition:
    """A position: itself, or a pair of right ascension and declination."""
    if isinstance(star, StarPosition):
        return star
    try:
        ra, dec = star
    except (TypeError, ValueError):
        raise InvalidArgument(
            "a star is an equant.StarPosition, or a pair of right ascension and declination"
        ) from None
    return StarPosition.read(ra, dec)


@dataclass(frozen=True)
class SkyConditions:
    """The sky at an instant; angles in degrees, altitudes without refraction."""

    jd_utc: float
    bjd_tdb: float
    altitude_deg: float
    azimuth_deg: float
    airmass: float
    hour_angle_hours: float
    sun_altitude_deg: float
    moon_altitude_deg: float
    moon_separation_deg: float
    moon_illumination: float
    barycentric_velocity_m_s: float

    @property
    def utc(self) -> str:
        """The time as "2026-11-16T23:30:15"."""
        return utc_text(self.jd_utc)


TimeLike = Union[float, str]


def jd_of(time: TimeLike) -> float:
    """The Julian date of a text; a number is one already."""
    if not isinstance(time, str):
        return float(plain(time, "time", UTC))
    jd = ctypes.c_double()
    call(_c.equant_utc_read, text(time), ctypes.byref(jd))
    return jd.value


def utc_text(jd: float) -> str:
    """A Julian date as "2026-11-16T23:30:15"; "" for one that is none."""
    if not jd == jd:
        return ""
    buffer = ctypes.create_string_buffer(_c.EQUANT_UTC_TEXT_BYTES)
    call(_c.equant_utc_text, jd, buffer, _c.EQUANT_UTC_TEXT_BYTES)
    return buffer.value.decode()


@takes_numbers
def sky_conditions(site: SiteLike, star: Any, time: TimeLike) -> SkyConditions:
    """Where a star, the sun and the moon are at an instant, as seen from a site.

    Parameters
    ----------
    site
        A :class:`Site`, its name, or "LONGITUDE,LATITUDE,HEIGHT".
    star
        A :class:`StarPosition`, or a pair of right ascension and declination.
    time
        A Julian date of UTC, or a text such as "2026-11-16T23:30".

    Examples
    --------
    >>> import equant
    >>> sky = equant.sky_conditions("Keck", ("18:02:30.86", "26:18:46.8"), "2026-06-16T10:00")
    >>> round(sky.altitude_deg, 2), round(sky.airmass, 3), round(sky.moon_separation_deg)
    (77.45, 1.024, 126)
    """
    found = options(_c.equant_sky_conditions)
    call(
        _c.equant_sky_conditions_at,
        as_site(site)._options(),
        as_position(star)._options(),
        jd_of(time),
        found,
    )
    return record(SkyConditions, found)  # type: ignore[no-any-return]


def calendar(events: Any) -> str:
    """An ICS calendar (RFC 5545) of (start, end, summary[, description[, location]]).

    Examples
    --------
    >>> import equant
    >>> print(equant.calendar([("2026-11-16T23:30", "2026-11-16T23:45", "HD 1")]).splitlines()[6])
    DTSTART:20261116T233000Z
    """
    listed = [_event(*event) for event in events]
    array = (_c.equant_event * max(1, len(listed)))(*listed)
    place = ctypes.c_char_p()
    size = ctypes.c_size_t()
    call(_c.equant_calendar_write, len(listed), array, ctypes.byref(place), ctypes.byref(size))
    try:
        return ctypes.string_at(place, size.value).decode("utf-8")
    finally:
        _c.equant_calendar_free(place)


def _event(
    start: TimeLike,
    end: TimeLike,
    summary: str,
    description: Optional[str] = None,
    location: Optional[str] = None,
) -> Any:
    return options(
        _c.equant_event,
        start_jd_utc=jd_of(start),
        end_jd_utc=jd_of(end),
        summary=text(summary),
        description=text(description),
        location=text(location),
    )
