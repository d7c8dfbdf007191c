"""Runs of astrometry from their files, and what they predict, against mixtures by SciPy."""

import numpy as np
import pytest

import equant

pytest.importorskip("netCDF4")
scipy_stats = pytest.importorskip("scipy.stats")
scipy_optimize = pytest.importorskip("scipy.optimize")

ONE = equant.Engine(n_threads=1)
TRUTH = dict(period=400.0, e=0.35, m0=1.0)
SHORT = dict(max_steps=480, min_ess=20, period_days=(30, 0), engine=ONE)
OMEGA = 1.1


def place(t, period, e, m0):
    """X and Y of the plane of the orbit, in semi-major axes."""
    m = 2 * np.pi * t / period + m0
    anomaly = m + 0.85 * e * np.sign(np.sin(m))
    for _ in range(7):
        anomaly = anomaly - (anomaly - e * np.sin(anomaly) - m) / (1 - e * np.cos(anomaly))
    return np.cos(anomaly) - e, np.sqrt(1 - e**2) * np.sin(anomaly)


def star():
    """A star with a companion of 400 days, seen along lines with an error of 0.05 mas."""
    rng = np.random.default_rng(4)
    t, psi = np.sort(rng.uniform(-900, 900, 45)), rng.uniform(0, 2 * np.pi, 45)
    year, sine, cosine = t / 365.25, np.sin(psi), np.cos(psi)
    factor = np.sin(2 * np.pi * year) * sine + 0.4 * np.cos(2 * np.pi * year) * cosine
    x, y = place(t, TRUTH["period"], TRUTH["e"], TRUTH["m0"])
    w = (1.0 + 3.0 * year + 0.25 * x + 0.2 * y) * sine + 10.0 * factor
    w += (-2.0 - year + 0.3 * x - 0.35 * y) * cosine + rng.normal(0, 0.05, t.size)
    return equant.Astrometry.from_arrays(t, w, np.full(t.size, 0.05), psi, factor)


@pytest.fixture(scope="module")
def joint():
    """A star on the sky with its velocities by two instruments."""
    rng, source = np.random.default_rng(8), star()
    t = np.sort(rng.uniform(-800, 800, 40))
    x, y = place(t, 400.0, TRUTH["e"], TRUTH["m0"])
    v = 180.0 * (np.cos(np.arctan2(y, x) + OMEGA) + TRUTH["e"] * np.cos(OMEGA))
    names = np.array(["A", "B"])[np.arange(t.size) % 2]
    v += np.where(names == "A", 12.0, -30.0) + rng.normal(0, 5.0, t.size)
    jd = t + source.reference_jd
    velocities = equant.Data.from_arrays(jd, v, np.full(t.size, 5.0), names)
    return equant.sample_astrometry(
        source, velocities, free_velocities=True, star_mass=1.0, star_mass_err=0.05, **SHORT
    )


@pytest.fixture(scope="module")
def opened(joint, tmp_path_factory):
    path = tmp_path_factory.mktemp("sky") / "run.nc"
    joint.save(path)
    return equant.load(path)


class Mixture:
    """Normal distributions with equal weights, by the distribution function."""

    def __init__(self, means, variances):
        self.means, self.widths = means, np.sqrt(variances) + 0 * means

    def quantile(self, share):
        def miss(value):
            return scipy_stats.norm.cdf(value, self.means, self.widths).mean() - share

        reach = 9 * self.widths.max()
        return scipy_optimize.brentq(miss, self.means.min() - reach, self.means.max() + reach)

    def entropy(self):
        reach = 9 * self.widths.max()
        grid = np.linspace(self.means.min() - reach, self.means.max() + reach, 4001)
        density = sum(
            scipy_stats.norm.pdf(grid, m, w) for m, w in zip(self.means, self.widths)
        ) / len(self.means)
        return -np.trapezoid(density * np.log(np.maximum(density, 1e-300)), grid)


def agree(seen, index, means, variances):
    known = Mixture(means, variances)
    width = seen.sd[index]
    for name, share in (("low_95", 0.022750132), ("low_68", 0.158655254), ("median", 0.5),
                        ("high_68", 0.841344746), ("high_95", 0.977249868)):
        assert abs(getattr(seen, name)[index] - known.quantile(share)) < 2e-3 * width, name
    spread = np.sqrt(means.var() + np.mean(variances))
    assert seen.mean[index] == pytest.approx(means.mean(), abs=1e-9 * abs(means).max())
    assert width == pytest.approx(spread, rel=1e-9)
    return known


def columns_of(posterior):
    return {name: posterior[name].ravel() for name in posterior.names}


def test_a_file_holds_the_run(joint, opened):
    assert isinstance(opened, equant.SkyPosterior) and opened.names == joint.names
    for ours, theirs in zip(joint.quantities, opened.quantities):
        assert repr(ours) == repr(theirs)
    for name in joint.names:
        assert np.array_equal(joint[name], opened[name], equal_nan=True)
    assert np.array_equal(joint.log_likelihoods, opened.log_likelihoods)
    assert opened.shape == joint.shape
    ours, theirs = vars(joint.summary), vars(opened.summary)
    assert ours.keys() == theirs.keys()
    for name in ours.keys() - {"seconds", "backend"}:
        assert repr(ours[name]) == repr(theirs[name]), name
    assert opened.velocities.instrument_names == joint.velocities.instrument_names == ("A", "B")
    assert np.array_equal(opened.velocities.times_days, joint.velocities.times_days)
    assert opened.end_jd == joint.end_jd
    assert np.array_equal(opened.source.abscissa_mas, joint.source.abscissa_mas)
    assert opened.provenance("version") == joint.provenance("version") == equant.__version__
    assert opened.provenance("weather") == ""
    assert opened.knows("abscissa") and opened.knows("velocity", 2)
    assert not opened.knows("velocity", 3) and not opened.knows("companion_ra", 2)


def test_velocities(opened):
    own, jd = columns_of(opened), opened.end_jd + np.array([3.0, 90.0])
    n = own["k_m_s_1"].size
    seen = opened.predictive("velocity", jd, number=2, uncertainty=4.0, max_draws=n)
    bare = opened.predictive("velocity", jd, number=1, noise=False, max_draws=n)
    for k, date in enumerate(jd):
        # Times of velocities are TDB, those of the sky TCB.
        t = date - opened.summary.reference_time_days + 1.550519768e-8 * (date - 2443144.5003725)
        x, y = place(t, own["period_days_1"], own["eccentricity_1"], own["m0_rad_1"])
        nu, omega = np.arctan2(y, x), own["omega_rad_1"]
        v = own["k_m_s_1"] * (np.cos(nu + omega) + own["eccentricity_1"] * np.cos(omega))
        variances = 16.0 + own["jitter_m_s_2"] ** 2
        known = agree(seen, k, v + own["offset_m_s_2"], variances)
        entropy = known.entropy()
        assert seen.entropy[k] == pytest.approx(entropy, abs=1e-6)
        of_noise = np.mean(0.5 * np.log(2 * np.pi * np.e * variances))
        assert seen.information[k] == pytest.approx(entropy - of_noise, abs=0.02)
        plain = v + own["offset_m_s_1"]
        assert bare.median[k] == pytest.approx(np.median(plain), abs=0.02 * plain.std())
    assert np.isnan(bare.information).all() and bare.uncertainty == 0
    usual = opened.predictive("velocity", jd)
    assert usual.uncertainty == 5.0 and usual.number in (1, 2)
    assert seen.modes[0][0][1] == pytest.approx(1.0, abs=0.5)


def test_abscissae(opened):
    own, jd = columns_of(opened), opened.end_jd + np.array([10.0, 200.0])
    angle, factor = np.array([0.3, 2.0]), np.array([0.5, -0.4])
    seen = opened.predictive("abscissa", jd, scan_angle_rad=angle, parallax_factor=factor,
                           max_draws=own["m0_rad_1"].size)
    assert seen.uncertainty == pytest.approx(0.05)
    for k, date in enumerate(jd):
        t = date - opened.summary.reference_time_days
        x, y = place(t, own["period_days_1"], own["eccentricity_1"], own["m0_rad_1"])
        ra = own["ra_mas"] + own["pm_ra_mas_yr"] * t / 365.25 + own["B_mas_1"] * x + own["G_mas_1"] * y
        dec = own["dec_mas"] + own["pm_dec_mas_yr"] * t / 365.25 + own["A_mas_1"] * x + own["F_mas_1"] * y
        w = ra * np.sin(angle[k]) + dec * np.cos(angle[k]) + factor[k] * own["parallax_mas"]
        agree(seen, k, w, 0.05**2 + own["jitter_mas"] ** 2)


def test_a_companion_beside_its_star(opened):
    """Where the mass of the star is known, the companion stands at a / a1 of the light, opposite."""
    own, jd = columns_of(opened), np.array([opened.end_jd + 40.0])
    x, y = place(40.0 + opened.end_jd - opened.summary.reference_time_days, own["period_days_1"],
                 own["eccentricity_1"], own["m0_rad_1"])
    light = own["B_mas_1"] * x + own["G_mas_1"] * y
    seen = opened.predictive("companion_ra", jd, uncertainty=1.0, max_draws=light.size)
    agree(seen, 0, -light * own["a_au_1"] / own["a1_au_1"], 1.0 + 0 * light)
    east = opened.predictive("light_ra", jd, max_draws=light.size)
    assert east.median[0] == pytest.approx(np.median(light), abs=0.02 * light.std())


def test_positions_of_a_companion_alone():
    """Half of an orbit of 20 years, and where the companion is found later."""
    rng, sigma = np.random.default_rng(3), 1.0
    truth = dict(period=7300.0, e=0.3, m0=0.4, ti=(300.0, 200.0, -250.0, 220.0))
    t = np.repeat(np.sort(rng.uniform(-2500, 2500, 25)), 2)
    psi = np.tile([np.pi / 2, 0.0], 25)

    def seen_at(days):
        x, y = place(days, truth["period"], truth["e"], truth["m0"])
        a, b, f, g = truth["ti"]
        return b * x + g * y, a * x + f * y

    ra, dec = seen_at(t)
    w = np.where(psi > 1, ra, dec) + rng.normal(0, sigma, t.size)
    source = equant.Astrometry.from_arrays(t, w, np.full(t.size, sigma), psi,
                                           kind="companion")
    made = equant.sample_astrometry(source, max_steps=600, min_ess=20, period_days=(1000, 30000), engine=ONE)
    later = np.array([2600.0, 3000.0])
    jd = source.reference_jd + later
    for what, values in (("companion_ra", seen_at(later)[0]), ("companion_dec", seen_at(later)[1])):
        predicted = made.predictive(what, jd)
        assert predicted.uncertainty == sigma
        assert (np.abs(predicted.median - values) < 4 * predicted.sd).all()
        assert (predicted.sd < 20 * sigma).all()
    with pytest.raises(equant.InvalidArgument, match="nothing is known of the star"):
        made.predictive("abscissa", jd, scan_angle_rad=0.0, parallax_factor=0.0)


def test_what_is_wrong_is_said(joint, opened, tmp_path):
    jd = opened.end_jd + 1.0
    with pytest.raises(equant.InvalidArgument, match="angles and parallax factors are needed"):
        opened.predictive("abscissa", jd)
    with pytest.raises(equant.InvalidArgument, match="none has number 3"):
        opened.predictive("velocity", jd, number=3)
    with pytest.raises(equant.InvalidArgument, match="no number"):
        opened.predictive("velocity", np.nan)
    with pytest.raises(equant.InvalidArgument, match="what must be one of"):
        opened.predictive("colour", jd)
    with pytest.raises(equant.InvalidArgument, match="lies between"):
        opened.predictive("velocity", jd, uncertainty=-1.0)
    alone = equant.sample_astrometry(star(), **SHORT)
    with pytest.raises(equant.InvalidArgument, match="has no velocities"):
        alone.predictive("velocity", jd)
    with pytest.raises(equant.InvalidArgument, match="mass of the star"):
        alone.predictive("companion_dec", jd)
    path = tmp_path / "run.nc"
    joint.save(path)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(equant.FormatError):
        equant.load(path)
    with pytest.raises(equant.FormatError, match="not the file of a run"):
        equant.SkyPosterior.open(__file__)
