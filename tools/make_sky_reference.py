"""Makes the numbers that src/observing is tested against, by astropy and astroplan.

    python tools/make_sky_reference.py tests/fixtures/observing

Writes conditions.csv, the sky at instants, and events.csv, when sun and stars cross altitudes.
Nothing of equant has a part in them but the coordinates of its sites, which are written out here.
Needs astropy and astroplan, and no network: UT1 is that of astropy's own tables, so that the
numbers include what equant leaves out.
"""

import csv
import itertools
import pathlib
import sys

import astropy.units as u
import numpy as np
from astroplan import FixedTarget, Observer
from astroplan.moon import moon_illumination
from astropy.coordinates import AltAz, EarthLocation, SkyCoord, get_body, solar_system_ephemeris
from astropy.time import Time
from astropy.utils import iers

iers.conf.auto_download = False
iers.conf.auto_max_age = None
solar_system_ephemeris.set("builtin")

SITES = {
    "La Silla": (-70.73, -29.256666666666668, 2347),
    "Mauna Kea": (-155.47833333333332, 19.828333333333333, 4160),
    "OHP": (5.713333333333333, 43.93083333333333, 650),
    "Siding Spring": (149.06119444444445, -31.27336111111111, 1149),
}
# Right ascension, declination, motions in mas a year: HD 164922, 51 Peg, Proxima, and one near the
# pole of the south.
STARS = {
    "HD 164922": (270.629, 26.313, 389.7, -602.0),
    "51 Peg": (344.3666, 20.7688, 208.1, 61.0),
    "Proxima": (217.4289, -62.6795, -3781.3, 769.8),
    "beta Hyi": (6.4378, -77.2542, 2219.5, 324.1),
}
NIGHTS = ["2024-03-20", "2025-06-21", "2026-11-16", "2027-01-02"]
GRID_POINTS = 481


def location(site):
    longitude, latitude, height = SITES[site]
    return EarthLocation.from_geodetic(longitude * u.deg, latitude * u.deg, height * u.m)


def coordinates(star):
    ra, dec, pm_ra, pm_dec = STARS[star]
    return SkyCoord(
        ra * u.deg,
        dec * u.deg,
        pm_ra_cosdec=pm_ra * u.mas / u.yr,
        pm_dec=pm_dec * u.mas / u.yr,
        distance=1 * u.kpc,
        obstime=Time(2000.0, format="jyear"),
    )


def now_at(star, time):
    moved = coordinates(star).apply_space_motion(new_obstime=time)
    return SkyCoord(moved.ra, moved.dec)


def conditions(site, star, time):
    place = location(site)
    frame = AltAz(obstime=time, location=place)
    target = now_at(star, time)
    seen = target.transform_to(frame)
    sun = get_body("sun", time, place).transform_to(frame)
    moon = get_body("moon", time, place).transform_to(frame)
    light = time.light_travel_time(target, "barycentric", place)
    speed = target.radial_velocity_correction("barycentric", obstime=time, location=place)
    return {
        "altitude_deg": seen.alt.deg,
        "azimuth_deg": seen.az.deg,
        "sun_altitude_deg": sun.alt.deg,
        "moon_altitude_deg": moon.alt.deg,
        "moon_separation_deg": moon.separation(seen).deg,
        "moon_illumination": float(moon_illumination(time)),
        "bjd_tdb_minus_jd_utc": ((time.tdb.jd1 - time.utc.jd1) + (time.tdb.jd2 - time.utc.jd2))
        + light.to_value(u.day),
        "barycentric_velocity_m_s": speed.to_value(u.m / u.s),
    }


def write_conditions(folder):
    rows = []
    for k, (site, star) in enumerate(itertools.product(SITES, STARS)):
        for night in NIGHTS:
            time = Time(night, scale="utc") + (0.07 + 0.2371 * k % 1.0) * u.day
            time = Time(float(f"{time.jd:.6f}"), format="jd", scale="utc")
            longitude, latitude, height = SITES[site]
            ra, dec, pm_ra, pm_dec = STARS[star]
            row = {
                "longitude_deg": longitude,
                "latitude_deg": latitude,
                "height_m": height,
                "ra_deg": ra,
                "dec_deg": dec,
                "pm_ra": pm_ra,
                "pm_dec": pm_dec,
                "jd_utc": f"{time.jd:.6f}",
            }
            found = conditions(site, star, time)
            rows.append({**row, **{name: f"{value:.9f}" for name, value in found.items()}})
    write_rows(folder / "conditions.csv", rows)


def write_events(folder):
    rows = []
    for site, night in itertools.product(SITES, NIGHTS):
        longitude, latitude, height = SITES[site]
        observer = Observer(location=location(site), pressure=0 * u.bar)
        noon = Time(night, scale="utc") + (0.5 - longitude / 360.0) * u.day
        options = {"which": "next", "n_grid_points": GRID_POINTS}

        def add(name, star, event, site=site, night=night, noon=noon):
            jd = np.ma.filled(event.jd, np.nan)
            if not np.isfinite(jd) or jd - noon.jd > 0.99:
                return
            longitude, latitude, height = SITES[site]
            ra, dec, pm_ra, pm_dec = STARS[star] if star else (0, 0, 0, 0)
            rows.append(
                {
                    "longitude_deg": longitude,
                    "latitude_deg": latitude,
                    "height_m": height,
                    "date": night,
                    "ra_deg": ra,
                    "dec_deg": dec,
                    "pm_ra": pm_ra,
                    "pm_dec": pm_dec,
                    "event": name,
                    "jd_utc": f"{jd:.6f}",
                }
            )

        for name, level in (("sunset", -0.8333), ("dusk", -12), ("dark_start", -18)):
            add(name, None, observer.sun_set_time(noon, horizon=level * u.deg, **options))
        for name, level in (("sunrise", -0.8333), ("dawn", -12), ("dark_end", -18)):
            add(name, None, observer.sun_rise_time(noon, horizon=level * u.deg, **options))
        for star in STARS:
            target = FixedTarget(now_at(star, noon), name=star)
            add("rise", star, observer.target_rise_time(noon, target, **options))
            add("set", star, observer.target_set_time(noon, target, **options))
            transit = observer.target_meridian_transit_time(noon, target, **options)
            add("transit", star, transit)
        add("moon_rise", None, observer.moon_rise_time(noon, horizon=-0.8333 * u.deg, **options))
        add("moon_set", None, observer.moon_set_time(noon, horizon=-0.8333 * u.deg, **options))
    write_rows(folder / "events.csv", rows)


def write_rows(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, fieldnames=rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    into = pathlib.Path(sys.argv[1])
    write_conditions(into)
    write_events(into)
