"""Velocities tied to the orbit on the sky by the star's parallax: orbits of all inclinations, and
residuals of Hipparcos, whose own parallax is that of the catalogue and a correction."""

import math

import numpy as np
import pytest

import equant
from shared_data import shared_file

HIPPARCOS_JD, GAIA_JD = 2448349.0625, 2457936.875
AU_PER_DAY_M_S = 2 * np.pi * 149597870700.0 / 86400.0


class Truth:
    """A dark companion: places and velocities of its star, written here anew. Angles in radians."""

    def __init__(self, inclination, parallax, period, a0, e=0.2, omega=1.0, node=2.5, m0=0.7):
        self.parallax, self.period, self.a0, self.e, self.m0 = parallax, period, a0, e, m0
        cw, sw, co, so = math.cos(omega), math.sin(omega), math.cos(node), math.sin(node)
        ci, si = math.cos(inclination), math.sin(inclination)
        self.north = a0 * (cw * co - sw * so * ci), -a0 * (sw * co + cw * so * ci)
        self.east = a0 * (cw * so + sw * co * ci), -a0 * (sw * so - cw * co * ci)
        self.away = a0 * sw * si, a0 * cw * si

    def anomaly(self, days):
        mean = 2 * np.pi * days / self.period + self.m0
        E = mean.copy()
        for _ in range(100):
            E -= (E - self.e * np.sin(E) - mean) / (1 - self.e * np.cos(E))
        return E

    def along(self, days, psi):
        E = self.anomaly(days)
        X, Y = np.cos(E) - self.e, math.sqrt(1 - self.e**2) * np.sin(E)
        east, north = (a * X + b * Y for a, b in (self.east, self.north))
        return east * np.sin(psi) + north * np.cos(psi)

    def velocity(self, days):
        E = self.anomaly(days)
        r = 1 - self.e * np.cos(E)
        dX, dY = -np.sin(E) / r, math.sqrt(1 - self.e**2) * np.cos(E) / r
        return AU_PER_DAY_M_S / self.period / self.parallax * (self.away[0] * dX + self.away[1] * dY)


def tdb(days):
    """Julian dates of days since J2017.5 TCB."""
    jd = GAIA_JD + days
    return jd - 1.550519768e-8 * (jd - 2443144.5003725)


def observe(truth, seed, scale=1.0):
    """Gaia's scans and fifty velocities, `scale` times what they are, with what noise adds to both."""
    rng = np.random.default_rng(seed)
    days, psi = np.sort(rng.uniform(-900, 900, 80)), rng.uniform(0, 2 * np.pi, 80)
    factor = 0.7 * np.sin(psi + 2 * np.pi * days / 365.25)
    base = np.column_stack([np.sin(psi), np.cos(psi), factor, days * np.sin(psi) / 365.25,
                            days * np.cos(psi) / 365.25])
    noise = 0.1 * rng.standard_normal(80), 3.0 * rng.standard_normal(50)
    w = base @ [1.0, -2.0, truth.parallax, 5.0, -8.0] + truth.along(days, psi) + noise[0]
    when = np.sort(rng.uniform(-900, 900, 50))
    v = scale * truth.velocity(when) + noise[1] + 100.0
    source = equant.Astrometry.from_arrays(days, w, np.full(80, 0.1), psi, factor)
    data = equant.Data.from_arrays(tdb(when), v, np.full(50, 3.0))
    # At the true orbit, with all that is linear at its best. The parallax is one of these, but for
    # the velocities, which go with it: chi-square of the fit can only be lower.
    left = w - truth.along(days, psi)
    left -= base @ np.linalg.lstsq(base, left, rcond=None)[0]
    offset = v - truth.velocity(when)
    chi_square = (left**2).sum() / 0.01 + ((offset - offset.mean())**2).sum() / 9.0
    return source, data, chi_square


def fit(source, data, **options):
    return equant.fit_astrometry(source, data, jitter=False, period_days=(40, 200), **options)


CASES = [(1.0, 1), (3.5, 1), (3.5, 2), (8.0, 2), (30.0, 1), (70.0, 2), (90.0, 1), (120.0, 2),
         (172.0, 1), (176.5, 2), (179.0, 1)]


@pytest.mark.parametrize(("degrees", "seed"), CASES)
def test_all_inclinations(degrees, seed):
    """Nearly face-on orbits once stopped at a parallax off by one mas, F2 73."""
    truth = Truth(math.radians(degrees), 25.0, 83.9, 1.0, omega=1.0 + seed, node=0.5 + 1.7 * seed)
    source, data, chi_square = observe(truth, seed)
    tied, free = fit(source, data), fit(source, data, free_velocities=True)
    (own,) = tied.companions
    assert tied.is_tied and not free.is_tied
    assert tied.chi_square < chi_square + 0.1  # of the parallax, which is linear for the sky alone
    assert free.chi_square <= tied.chi_square + 1e-6
    assert tied.tie_chi2_excess == pytest.approx(tied.chi_square - free.chi_square, abs=1e-4)
    assert tied.tie_probability > 1e-3 and "disagree" not in tied.words
    parallax, error = (getattr(tied.solution, name)["parallax"] for name in ("values", "errors"))
    assert abs(parallax - free.solution.values["parallax"]) < error
    assert abs(parallax - 25.0) < 4.5 * error
    assert own.a0_mas / own.a1_au == pytest.approx(parallax, rel=1e-9)
    assert abs(math.degrees(own.inclination_rad) - degrees) < 4.5 * math.degrees(
        own.inclination_rad_err)


def test_a_companion_that_shines_is_told():
    """Half of the light's orbit is missing: velocities are not those of a dark companion."""
    truth = Truth(math.radians(90.0), 25.0, 83.9, 1.0)
    source, data, _ = observe(truth, 3, scale=1.6)
    tied = fit(source, data)
    assert "Sky and velocities disagree" in tied.words
    assert tied.tie_probability < 1e-6
    assert fit(source, data, free_velocities=True).tie_probability is None


# ---- residuals of Hipparcos ----


HEAD = """# This file contains residual records
# HIP MCE NRES NC isol_n SCE F2 F1
# 4711 4710 {n} 1 7 0 0.00 0
# Hp B-V VarAnn NOB NR
# 7.5062 0.203 0 {n} 0
# RAdeg DEdeg Plx pm_RA pm_DE e_RA e_DE e_Plx e_pmRA e_pmDE dpmRA dpmDE and others
# 1.7 6.8 21.4 35.2 -81.7 0.74 0.38 0.82 0.80 0.66 1.5 -0.8 1.5 1.04 --- --- --- --- --- --- --- --- ---
# IORB EPOCH PARF CPSI SPSI RES SRES
"""


def hipparcos(tmp_path, seed=5, n=110):
    """Scans whose residuals are to a catalogue with a parallax off by 0.4 mas, and velocities."""
    rng = np.random.default_rng(seed)
    years, psi = np.sort(rng.uniform(-1.3, 1.9, n)), rng.uniform(0, 2 * np.pi, n)
    s, c, factor = np.sin(psi), np.cos(psi), 0.7 * np.sin(psi + 2 * np.pi * years)
    truth = Truth(math.radians(60.0), 21.0, 500.0, 8.0, e=0.3)
    shift = HIPPARCOS_JD - GAIA_JD
    w = truth.along(365.25 * years + shift, psi) + truth.parallax * factor
    w += (36.1 * s - 80.9 * c) * years + rng.standard_normal(n)
    square = (years**2 - 0.81) / 2
    residual = w - 21.4 * factor - (35.2 * s - 81.7 * c) * years - (1.5 * s - 0.8 * c) * square
    path = tmp_path / "H004711.d"
    path.write_text(HEAD.format(n=n) + "".join(
        f"{i} {y:.10f} {f:.10f} {a:.10f} {b:.10f} {r:.8f} 1.0\n"
        for i, (y, f, a, b, r) in enumerate(zip(years, factor, s, c, residual))))
    when = np.sort(rng.uniform(-1000, 1500, 40)) + shift
    v = truth.velocity(when) + 20.0 * rng.standard_normal(40)
    return path, truth, equant.Data.from_arrays(tdb(when), v, np.full(40, 20.0))


def check_truth(found, truth):
    (own,) = found.companions
    parallax = found.solution.values["parallax"]
    assert abs(parallax - truth.parallax) < 4 * found.solution.errors["parallax"]
    assert abs(own.a1_au - truth.a0 / truth.parallax) < 4 * own.a1_au_err
    assert own.a0_mas / own.a1_au == pytest.approx(parallax, rel=1e-9)
    assert abs(own.period_days - truth.period) < 4 * own.period_days_err


def test_the_catalogues_parallax_is_the_stars(tmp_path):
    path, truth, data = hipparcos(tmp_path)
    (source,) = equant.read_astrometry(path, keep_uncertainties=True)
    assert not source.lacks_parallax
    found = equant.fit_astrometry(source, data, period_days=(200, 1500), star_mass=1.0)
    assert found.is_tied
    check_truth(found, truth)
    check_truth(equant.fit_astrometry(source, period_days=(200, 1500), star_mass=1.0), truth)
    with pytest.raises(equant.Error, match="tells its catalogue's parallax, 21.4 mas"):
        equant.read_astrometry(path, catalogue_parallax_mas=21.4)


def test_a_parallax_that_is_not_known_ties_nothing(tmp_path):
    """A file of 2007 has the same scans, and no catalogue."""
    path, truth, data = hipparcos(tmp_path)
    rows = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    old = tmp_path / "HIP004711.d"
    old.write_text("\n".join([f"  4711  4710 {len(rows)} 1  5   0  0.00  0"] + rows) + "\n")
    (source,) = equant.read_astrometry(old, keep_uncertainties=True)
    assert source.lacks_parallax and any("can be given" in words for words in source.remarks)
    with pytest.raises(equant.Error, match="give the catalogue's parallax"):
        equant.fit_astrometry(source, data)
    sky = equant.fit_astrometry(source, period_days=(200, 1500), star_mass=1.0)
    (own,) = sky.companions
    assert own.a0_mas > 0 and math.isnan(own.a1_au) and math.isnan(own.mass_jupiter)
    (given,) = equant.read_astrometry(old, keep_uncertainties=True, catalogue_parallax_mas=21.4)
    assert not given.lacks_parallax
    check_truth(equant.fit_astrometry(given, data, period_days=(200, 1500)), truth)
    free = equant.fit_astrometry(source, data, period_days=(200, 1500), free_velocities=True)
    assert not free.is_tied
    with pytest.raises(equant.Error, match="residuals of Hipparcos alone"):
        table = tmp_path / "table.csv"
        table.write_text("t,w,sigma,psi,f\n57936,1,0.1,100,0.1\n")
        equant.read_astrometry(table, catalogue_parallax_mas=21.4)


def test_hd_4747():
    """a0 was 4100 mas beside a1 of 0.58 au. Images, or the catalogue of accelerations, give 66 M_jup
    at 48 degrees; P, e and K are those of the velocities (Brandt 2019: 0.740, 698 m/s)."""
    folder = "astrometry/hd4747"
    data = equant.Data.from_files(shared_file(f"{folder}/HD4747_RV.dat"))
    for name, catalogue in (("H003850.d", 53.51), ("003850.txt", 53.09)):
        (source,) = equant.read_astrometry(shared_file(f"{folder}/{name}"))
        found = equant.fit_astrometry(source, data, star_mass=0.82, star_mass_err=0.04)
        (own,) = found.companions
        parallax = found.solution.values["parallax"]
        assert abs(parallax - catalogue) < found.solution.errors["parallax"]
        assert own.a0_mas / own.a1_au == pytest.approx(parallax, rel=1e-9)
        assert abs(own.mass_jupiter - 66.2) < own.mass_jupiter_err
        assert abs(own.eccentricity - 0.736) < 0.01 and abs(own.k_m_s - 705) < 30
        assert "disagree" not in found.words
