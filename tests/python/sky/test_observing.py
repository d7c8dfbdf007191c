"""What the sky allows: the package, and astropy and astroplan beside it where they are."""

import numpy as np
import pytest

import equant

STAR = ("18:02:30.86", "+26:18:46.8")


@pytest.fixture(autouse=True)
def sky():
    """Without ERFA there is nothing to test."""
    try:
        equant.sky_conditions("Keck", STAR, "2026-06-16")
    except equant.Unavailable as error:
        pytest.skip(str(error))


def test_sites_have_names_and_sources():
    names = [site.name for site in equant.sites()]
    assert {"La Silla", "Paranal", "Mauna Kea", "La Palma", "OHP", "Siding Spring"} <= set(names)
    assert all(site.source for site in equant.sites())
    assert equant.Site.find("HARPS").name == "La Silla"
    with pytest.raises(equant.InvalidArgument, match="did you mean 'Paranal'"):
        equant.Site.find("Parnal")


def test_nights_and_times():
    nights = equant.nights(["Keck", "La Palma"], STAR, "2026-06-16", "2026-06-26")
    assert {night.site for night in nights} == {"Mauna Kea", "La Palma"}
    windows = nights.windows()
    hours = 24 * (windows["end_jd_utc"] - windows["start_jd_utc"])
    assert hours.sum() == pytest.approx(nights.hours)
    times = nights.times(step_minutes=20)
    assert np.all(np.diff(times["jd_utc"]) >= 0)
    assert times["altitude_deg"].min() > 29.9
    assert times["sun_altitude_deg"].max() < -11.9
    few = nights.times(gap_hours=8)["jd_utc"]
    assert np.diff(few).min() * 24 > 7.99


def test_slots():
    slots = equant.Slots.from_text("start,end\n2026-06-17T08:00,2026-06-17T09:30\n")
    nights = equant.nights("Keck", STAR, "2026-06-16", "2026-06-20", slots=slots)
    assert nights.hours == pytest.approx(1.5)
    with pytest.raises(equant.FormatError, match="VCARD"):
        equant.Slots.from_text("BEGIN:VCARD\nEND:VCARD\n")


def test_calendars_are_slots():
    text = equant.calendar([("2026-06-17T08:00", "2026-06-17T09:00", "HD 164922, once")])
    table = equant.Slots.from_text(text).to_table()
    assert list(table["label"]) == ["HD 164922, once"]
    assert table["end_jd_utc"][0] - table["start_jd_utc"][0] == pytest.approx(1 / 24, abs=1e-6)


def test_stars_and_places_without_nights():
    with pytest.raises(equant.InvalidArgument, match="never rises at La Silla"):
        equant.nights("La Silla", ("02:31:49", "+89:15:51"), "2026-06-16", "2026-06-20")
    summer = equant.nights("Dome C", ("06:23:57", "-52:41:44"), "2026-12-16", "2026-12-20")
    assert summer.hours == 0 and "the sun does not sink" in summer.trouble
    assert {night.kind for night in summer} == {"never_dark"}
    with pytest.raises(equant.InvalidArgument, match="no time"):
        equant.nights("La Silla", STAR, "soon", "2026-06-20")


def test_altitudes_against_astropy():
    coordinates = pytest.importorskip("astropy.coordinates")
    units = pytest.importorskip("astropy.units")
    from astropy.time import Time
    from astropy.utils import iers

    rng = np.random.default_rng(5)
    with iers.conf.set_temp("auto_download", False), iers.conf.set_temp("auto_max_age", None):
        for site in equant.sites()[::3]:
            place = coordinates.EarthLocation.from_geodetic(
                site.longitude_deg * units.deg,
                site.latitude_deg * units.deg,
                site.height_m * units.m,
            )
            ra, dec = rng.uniform(0, 360), np.degrees(np.arcsin(rng.uniform(-1, 1)))
            time = Time(rng.uniform(2455000, 2461300), format="jd", scale="utc")
            ours = equant.sky_conditions(site, (ra, dec), time.jd)
            frame = coordinates.AltAz(obstime=time, location=place)
            star = coordinates.SkyCoord(ra * units.deg, dec * units.deg).transform_to(frame)
            sun = coordinates.get_body("sun", time, place).transform_to(frame)
            moon = coordinates.get_body("moon", time, place).transform_to(frame)
            assert ours.altitude_deg == pytest.approx(star.alt.deg, abs=0.02)
            assert ours.sun_altitude_deg == pytest.approx(sun.alt.deg, abs=0.02)
            assert ours.moon_altitude_deg == pytest.approx(moon.alt.deg, abs=0.02)
            apart = moon.separation(star).deg
            assert ours.moon_separation_deg == pytest.approx(apart, abs=0.02)


def test_twilight_against_astroplan():
    astroplan = pytest.importorskip("astroplan")
    import astropy.units as units
    from astropy.coordinates import EarthLocation
    from astropy.time import Time
    from astropy.utils import iers

    site = equant.Site.find("Calar Alto")
    with iers.conf.set_temp("auto_download", False), iers.conf.set_temp("auto_max_age", None):
        place = EarthLocation.from_geodetic(
            site.longitude_deg * units.deg, site.latitude_deg * units.deg, site.height_m * units.m
        )
        observer = astroplan.Observer(location=place)
        night = equant.nights(site, STAR, "2026-03-10T13:00", "2026-03-11T11:00")[0]
        noon = Time(night.noon_jd_utc, format="jd", scale="utc")
        kind = {"which": "next", "n_grid_points": 481}
        dusk = observer.sun_set_time(noon, horizon=-12 * units.deg, **kind)
        dawn = observer.sun_rise_time(noon, horizon=-12 * units.deg, **kind)
    assert abs(night.dusk_jd_utc - dusk.jd) * 86400 < 30
    assert abs(night.dawn_jd_utc - dawn.jd) * 86400 < 30
