"""Proper motions of the Hipparcos-Gaia catalogue in a fit: made-up stars, and HD 4747."""

import dataclasses

import numpy as np
import pytest

import equant
from shared_data import shared_file

ONE = equant.Engine(n_threads=1)


def reflex(jd, period, e, t_peri, ti):
    """The star's offsets towards East and North."""
    m = 2 * np.pi * (jd - t_peri) / period
    anomaly = m + 0.85 * e * np.sign(np.sin(m))
    for _ in range(20):
        anomaly = anomaly - (anomaly - e * np.sin(anomaly) - m) / (1 - e * np.cos(anomaly))
    x, y = np.cos(anomaly) - e, np.sqrt(1 - e**2) * np.sin(anomaly)
    a, b, f, g = ti
    return b * x + g * y, a * x + f * y, anomaly


def five_parameters(jd, centre, psi, factor, offsets):
    """Position and motion that five parameters make of places along scans."""
    year = (jd - centre) / 365.25
    sine, cosine = np.sin(psi), np.cos(psi)
    columns = np.array([sine, cosine, factor, year * sine, year * cosine]).T
    along = offsets[0] * sine + offsets[1] * cosine
    return np.linalg.lstsq(columns, along, rcond=None)[0]


def test_motions_of_a_made_up_star_are_what_scans_make_of_its_path():
    """Without noise the fit has no residuals: motions of the library and of numpy are the same."""
    rng = np.random.default_rng(3)
    period, e, t_peri, plx, ratio = 9000.0, 0.4, 2455000.0, 50.0, 12.0
    ti = np.array([25.0, 10.0, -8.0, 30.0])
    reference = 2457936.875

    def scans(begin, end, n, kind, reference_jd):
        jd = np.sort(rng.uniform(begin, end, n))
        psi = rng.uniform(0, 2 * np.pi, n)
        factor = np.sin(2 * np.pi * jd / 365.25) * np.sin(psi)
        made = equant.Astrometry.from_arrays(
            jd - reference_jd, np.zeros(n), np.ones(n), psi, factor, kind=kind,
            reference_jd=reference_jd,
        )
        return made, jd, psi, factor

    gaia, *gaia_rows = scans(2456870, 2457900, 60, "scan", reference)
    hip, *hip_rows = scans(2447900, 2449000, 70, "star", 2448349.0625)
    epochs = {"hipparcos": (1991.4, 1991.3), "gaia": (2016.1, 2016.0)}
    found = {}
    for name, rows in (("hipparcos", hip_rows), ("gaia", gaia_rows)):
        jd, psi, factor = rows
        centre = 2451545 + 365.25 * (epochs[name][0] - 2000)
        ra, dec, _, pm_ra, pm_dec = five_parameters(
            jd, centre, psi, factor, reflex(jd, period, e, t_peri, ti)[:2]
        )
        dec = dec + pm_dec * (epochs[name][1] - epochs[name][0])
        found[name] = np.array([ra, dec]), np.array([pm_ra, pm_dec])
    own = np.array([100.0, -60.0])
    between = np.array(epochs["gaia"]) - np.array(epochs["hipparcos"])
    errors = dict(hipparcos=(0.5, 0.6), long=(0.02, 0.03), gaia=(0.03, 0.04))
    long_motion = own + (found["gaia"][0] - found["hipparcos"][0]) / between
    motions = equant.SkyMotions(
        hip_id=1, gaia_id=1, ra_deg=0, dec_deg=0, parallax_mas=plx, parallax_err_mas=0.03,
        hipparcos_mas_yr=tuple(own + found["hipparcos"][1]), hipparcos_correlation=0.3,
        hipparcos_err_mas_yr=errors["hipparcos"], long_mas_yr=tuple(long_motion),
        long_err_mas_yr=errors["long"], long_correlation=-0.2,
        gaia_mas_yr=tuple(own + found["gaia"][1]), gaia_err_mas_yr=errors["gaia"],
        gaia_correlation=0.5, hipparcos_epoch_yr=epochs["hipparcos"],
        gaia_epoch_yr=epochs["gaia"], chi_square=0.0,
    )
    jd = np.sort(rng.uniform(2454000, 2459000, 14))
    east, north, _ = reflex(jd, period, e, t_peri, ti)
    t = np.repeat(jd - reference, 2)
    psi = np.tile([np.pi / 2, 0.0], jd.size)
    w = np.column_stack([-ratio * east, -ratio * north]).ravel()
    companion = equant.Astrometry.from_arrays(t, w, np.full(t.size, 1.0), psi, kind="companion")
    # v = 2 pi AU / (P plx) (C dX/dM + H dY/dM): C and H of the line of sight
    a0 = np.sqrt(((ti**2).sum() + np.sqrt(((ti**2).sum()) ** 2
                 - 4 * (ti[0] * ti[3] - ti[1] * ti[2]) ** 2)) / 2)
    c = np.sqrt(a0**2 - ti[0] ** 2 - ti[1] ** 2)
    h = -np.sign(ti[0] * ti[2] + ti[1] * ti[3]) * np.sqrt(a0**2 - ti[2] ** 2 - ti[3] ** 2)
    jd_v = np.sort(rng.uniform(2450000, 2459000, 60))
    anomaly = reflex(jd_v, period, e, t_peri, ti)[2]
    slope = 1 - e * np.cos(anomaly)
    v = 2 * np.pi * 149597870700 / 86400 / period / plx * (
        -c * np.sin(anomaly) / slope + h * np.sqrt(1 - e**2) * np.cos(anomaly) / slope
    )
    velocities = equant.Data.from_arrays(jd_v, v + 7.0, np.full(60, 3.0))
    options = dict(jitter=False, period_days=(2000, 40000), engine=ONE)
    fit = equant.fit_astrometry(
        companion, velocities, motions=motions, scans=[gaia, hip], **options
    )
    (star,) = fit.companions
    assert fit.chi_square < 0.05
    assert abs(star.period_days - period) < 3 and abs(star.eccentricity - e) < 1e-3
    assert np.allclose(star.thiele_innes_mas, ti, atol=0.1)
    assert abs(fit.solution.values["pm_ra"] - own[0]) < 0.01
    assert abs(star.a_au - ratio * a0 / plx) < 0.02
    alone = equant.fit_astrometry(companion, velocities, **options).companions[0]
    assert star.inclination_rad_err < alone.inclination_rad_err
    wrong = dataclasses.replace(motions, long_mas_yr=(motions.long_mas_yr[0] + 1.0,
                                                      motions.long_mas_yr[1]))
    assert equant.fit_astrometry(
        companion, velocities, motions=wrong, scans=[gaia, hip], **options
    ).chi_square > 50


def test_motions_need_positions_and_velocities():
    rng = np.random.default_rng(1)
    n = 60
    star = equant.Astrometry.from_arrays(np.sort(rng.uniform(-900, 900, n)), rng.normal(0, 0.1, n),
                                         np.full(n, 0.1), rng.uniform(0, 6, n))
    motions = equant.SkyMotions(1, 1, 0, 0, 10, 0.1, (0, 0), (1, 1), 0, (0, 0), (1, 1), 0, (0, 0),
                                (1, 1), 0, (1991.2, 1991.2), (2016, 2016), 0)
    with pytest.raises(equant.InvalidArgument, match="beside positions"):
        equant.fit_astrometry(star, motions=motions, period_days=(100, 0), engine=ONE)


def test_hd_4747():
    """The catalogue's row with an invented seven-parameter solution; published with it are
    66.1 +- 1.6 Jupiters, e 0.734 and i 48.7 degrees."""
    folder = shared_file("astrometry/hd4747")
    (positions,) = equant.read_astrometry(folder / "HD4747_relAST.txt")
    velocities = equant.Data.from_files(folder / "HD4747_RV.dat")
    motions = equant.read_motions(folder / "HGCA_vDR3_FAKE_7p.fits", 3850)
    scans = [equant.read_astrometry(folder / name)[0]
             for name in ("HIP003850.csv", "003850.txt", "HIP003850.d")]
    fit = equant.fit_astrometry(positions, velocities, motions=motions, scans=scans, engine=ONE)
    (own,) = fit.companions
    assert abs(own.mass_jupiter - 66.1) < 1.0 and 1.3 < own.mass_jupiter_err < 2.0
    assert abs(own.eccentricity - 0.734) < 0.002
    assert abs(np.degrees(own.inclination_rad) - 48.7) < 1.2
    assert abs(own.a_au - 10.0) < 0.3 and own.node_is_known
    assert abs(fit.solution.values["parallax"] - motions.parallax_mas) < 0.1


def test_hd_4747_without_positions():
    folder = shared_file("astrometry/hd4747")
    velocities = equant.Data.from_files(folder / "HD4747_RV.dat")
    motions = equant.read_motions(folder / "HGCA_vDR3_FAKE_7p.fits", 3850)
    fit = equant.fit_astrometry(motions.star(), velocities, motions=motions, star_mass=0.82,
                                star_mass_err=0.04, engine=ONE)
    (own,) = fit.companions
    assert abs(own.mass_jupiter - 66.1) < own.mass_jupiter_err < 3.0
