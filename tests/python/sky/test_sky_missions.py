"""Gaia's epochs and Hipparcos's scans of one star in one fit, against NumPy's least squares."""

import numpy as np
import pytest

import equant

HIPPARCOS_JD, GAIA_JD = 2448349.0625, 2457936.875
CATALOGUE = {"parallax": 21.4, "pm": (35.2, -81.7), "acceleration": (1.5, -0.8)}
HEAD = """# This file contains residual records
#
# HIP    MCE    NRES NC isol_n SCE  F2     F1
# 4711   4710   {n}  1  7      0    0.00   0
# Hp      B-V    VarAnn NOB NR
# 7.5062  0.203  0      {n}  0
# RAdeg        DEdeg        Plx      pm_RA    pm_DE    e_RA   e_DE   e_Plx  e_pmRA e_pmDE dpmRA  \
dpmDE  e_dpmRA  e_dpmDE  ddpmRA  ddpmDE  e_ddpmRA  e_ddpmDE  upsRA   upsDE   e_upsRA  e_upsDE  var
# 1.76733108   6.87560704   21.4     35.2     -81.7    0.74   0.38   0.82   0.80   0.66   1.5    \
-0.8   1.50     1.04     ---     ---     ---       ---       ---     ---     ---      ---      ---
#
# IORB   EPOCH    PARF    CPSI    SPSI     RES   SRES
"""


class Sky:
    """Scans of both missions, and what a star does along them."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def scans(self, n, first, last):
        years = np.sort(self.random.uniform(first, last, n))
        psi = self.random.uniform(0.0, 2.0 * np.pi, n)
        factor = 0.7 * np.sin(psi + 2.0 * np.pi * years)
        return years, psi, factor

    @staticmethod
    def columns(years, psi, factor, is_second, motion=5):
        """Linear model, years since J2017.5: written anew here, in the library's order."""
        s, c = np.sin(psi), np.cos(psi)
        columns = [s * ~is_second, c * ~is_second, factor, s * years, c * years]
        if motion == 7:
            columns += [s * years**2 / 2, c * years**2 / 2]
        return np.column_stack(columns + [s * is_second, c * is_second])


def write_scans(path, years, psi, factor, residual, error):
    lines = [f"{i:6d} {y:.10f} {f:.10f} {np.sin(p):.10f} {np.cos(p):.10f} {r:.8f} {error:.4f}"
             for i, (y, f, p, r) in enumerate(zip(years, factor, psi, residual))]
    path.write_text(HEAD.format(n=len(lines)) + "\n".join(lines) + "\n")


def simulate(tmp_path, seed=1, orbit=None, noise=1.0):
    """A star as Gaia and Hipparcos see it; Hipparcos's file has residuals to its catalogue."""
    sky = Sky(seed)
    years, psi, factor = sky.scans(90, -2.9, 2.6)
    shift = (HIPPARCOS_JD - GAIA_JD) / 365.25
    old_years, old_psi, old_factor = sky.scans(110, -1.3, 1.9)
    error, old_error = 0.08, 2.0

    def seen(t, p, f, zero):
        s, c = np.sin(p), np.cos(p)
        w = zero[0] * s + zero[1] * c + 22.0 * f + (36.1 * s - 80.9 * c) * t
        return w + (orbit(t, p) if orbit else 0.0)

    w = seen(years, psi, factor, (3.0, -1.5)) + noise * error * sky.random.standard_normal(90)
    # Hipparcos knows its own position only: another zero, at its own epoch.
    old = seen(old_years + shift, old_psi, old_factor, (0.0, 0.0))
    old += noise * old_error * sky.random.standard_normal(110)
    s, c = np.sin(old_psi), np.cos(old_psi)
    square = (old_years**2 - 0.81) / 2
    told = CATALOGUE["parallax"] * old_factor
    for share, pm, acceleration in zip((s, c), CATALOGUE["pm"], CATALOGUE["acceleration"]):
        told += share * (pm * old_years + acceleration * square)
    residual = old - told
    path = tmp_path / "H004711.d"
    write_scans(path, old_years, old_psi, old_factor, residual, old_error)
    gaia = equant.Astrometry.from_arrays(365.25 * years, w, np.full(90, error), psi, factor)
    (hipparcos,) = equant.read_astrometry(path, keep_uncertainties=True)
    everything = (np.append(years, old_years + shift), np.append(psi, old_psi),
                  np.append(factor, old_factor), np.arange(200) >= 90)
    return gaia, hipparcos, everything, np.append(w, old), np.repeat([error, old_error], [90, 110])


@pytest.mark.parametrize("motion", [5, 7])
def test_linear_algebra(tmp_path, motion):
    gaia, hipparcos, rows, w, errors = simulate(tmp_path)
    joined = gaia.join(hipparcos)
    assert joined.n_rows == 200 and joined.reference_jd == GAIA_JD
    assert (joined.frame == 1).sum() == 110
    solution = equant.solve_astrometry(joined, motion)
    design = Sky.columns(*rows, motion) / errors[:, None]
    expected, *_ = np.linalg.lstsq(design, w / errors, rcond=None)
    covariance = np.linalg.inv(design.T @ design)
    found = np.array(list(solution.values.values()))
    assert list(solution.values)[-2:] == ["ra_2", "dec_2"]
    assert np.abs(found - expected).max() < 1e-5  # digits of the file
    assert np.allclose(solution.covariance, covariance, rtol=1e-5, atol=1e-9)
    chi_square = ((w / errors - design @ expected) ** 2).sum()
    assert solution.chi_square == pytest.approx(chi_square, rel=1e-6)
    # Motions of both missions, as if they were one instrument: known better than by Gaia alone.
    alone = equant.solve_astrometry(gaia, motion)
    for name in ("pm_ra", "parallax"):
        assert solution.errors[name] <= alone.errors[name]
    assert abs(solution.values["pm_ra"] - 36.1) < 4.0 * solution.errors["pm_ra"]


def test_order_does_not_matter_for_what_is_shared(tmp_path):
    gaia, hipparcos, *_ = simulate(tmp_path)
    one, other = (equant.solve_astrometry(a.join(b)) for a, b in ((gaia, hipparcos),
                                                                  (hipparcos, gaia)))
    for name in ("pm_ra", "pm_dec", "parallax"):
        assert one.values[name] == pytest.approx(other.values[name], abs=1e-7)


def test_a_long_orbit(tmp_path):
    """Eleven years, twice of what Gaia sees: Hipparcos, twenty-six years before, fixes the period."""
    period, a0 = 11.0, 6.0

    def orbit(t, psi):
        angle = 2.0 * np.pi * t / period + 0.4
        return a0 * (np.cos(angle) * np.cos(psi) + 0.7 * np.sin(angle) * np.sin(psi))

    gaia, hipparcos, *_ = simulate(tmp_path, 7, orbit)
    alone, both = (
        equant.fit_astrometry(source, period_days=(500, 0))
        for source in (gaia, gaia.join(hipparcos))
    )
    assert both.verdict == "orbit"
    (found,) = both.companions
    assert abs(found.period_days / (365.25 * period) - 1.0) < 0.02
    assert found.period_days_err < 0.5 * alone.companions[0].period_days_err


def test_sentences(tmp_path):
    gaia, hipparcos, *_ = simulate(tmp_path)
    with pytest.raises(equant.InvalidArgument, match="has two already"):
        gaia.join(hipparcos).join(hipparcos)
    path = tmp_path / "HIP004711.d"
    path.write_text("4711 4710 12 1 5 0 0.5 0\n" + "".join(
        f"{i} {-1 + 0.2 * i:.3f} {0.3 * (-1) ** i:.3f} {np.sin(i):.4f} {np.cos(i):.4f} 0.5 2.0\n"
        for i in range(12)))
    (without,) = equant.read_astrometry(path)
    with pytest.raises(equant.InvalidArgument, match="residuals to a solution"):
        gaia.join(without)
    companion = equant.Astrometry.from_arrays([0.0, 1.0], [1.0, 1.0], [1.0, 1.0], [0.0, 1.0],
                                              kind="companion")
    with pytest.raises(equant.InvalidArgument, match="star itself"):
        gaia.join(companion)
