"""Sampling of astrometry: against a plain sampler of all parameters, and published figures."""

import numpy as np
import pytest

import equant
from shared_data import shared_file


def place(t, period, e, m0):
    """X and Y of the plane of the orbit, arrays of sets by rows."""
    m = 2 * np.pi * t / period + m0
    anomaly = m + 0.85 * e * np.sign(np.sin(m))
    for _ in range(7):
        sine, cosine = np.sin(anomaly), np.cos(anomaly)
        anomaly = anomaly - (anomaly - e * sine - m) / (1 - e * cosine)
    return np.cos(anomaly) - e, np.sqrt(1 - e**2) * np.sin(anomaly)


ONE = equant.Engine(n_threads=1)


class Star:
    """A star with a companion of 400 days, seen along lines with an error of 0.05 mas."""

    truth = dict(period=400.0, e=0.35, m0=1.0, ti=(0.30, 0.25, -0.35, 0.20))

    def __init__(self, n=45, seed=4):
        rng = np.random.default_rng(seed)
        self.t = np.sort(rng.uniform(-900, 900, n))
        self.psi = rng.uniform(0, 2 * np.pi, n)
        year = self.t / 365.25
        self.factor = np.sin(2 * np.pi * year) * np.sin(self.psi) + 0.4 * np.cos(
            2 * np.pi * year
        ) * np.cos(self.psi)
        sine, cosine = np.sin(self.psi), np.cos(self.psi)
        self.base = np.array([sine, cosine, self.factor, year * sine, year * cosine])
        own = self.truth
        x, y = place(self.t, own["period"], own["e"], own["m0"])
        a, b, f, g = own["ti"]
        w = np.array([1.0, -2.0, 10.0, 3.0, -1.0]) @ self.base
        w += (a * x + f * y) * cosine + (b * x + g * y) * sine
        self.sigma = 0.05
        self.w = w + rng.normal(0, self.sigma, n)

    def source(self):
        sigma = np.full(self.t.size, self.sigma)
        return equant.Astrometry.from_arrays(self.t, self.w, sigma, self.psi, self.factor)

    def log_density(self, sets):
        """Of (ln P, sqrt e cos M0, sqrt e sin M0, A, B, F, G, five of the motion): a scale of the
        four constants whose logarithm is uniform leaves 1/(A^2 + B^2 + F^2 + G^2)^2."""
        e = sets[:, 1] ** 2 + sets[:, 2] ** 2
        inside = (e < 0.95) & (sets[:, 0] > 0) & (sets[:, 0] < np.log(36000.0))
        e = np.where(inside, e, 0.5)
        m0 = np.arctan2(sets[:, 2], sets[:, 1])
        period = np.exp(np.where(inside, sets[:, 0], 5.0))
        x, y = place(self.t, period[:, None], e[:, None], m0[:, None])
        a, b, f, g = (sets[:, k, None] for k in range(3, 7))
        seen = sets[:, 7:] @ self.base
        seen = seen + (a * x + f * y) * np.cos(self.psi) + (b * x + g * y) * np.sin(self.psi)
        chi2 = (((self.w - seen) / self.sigma) ** 2).sum(axis=1)
        prior = -2 * np.log((sets[:, 3:7] ** 2).sum(axis=1))
        return np.where(inside, prior - 0.5 * chi2, -np.inf)


def stretch(log_density, start, n_steps, rng):
    """Goodman and Weare's ensemble, every tenth step behind the first third."""
    now, kept = start.copy(), []
    density = log_density(now)
    half, n_dim = len(now) // 2, now.shape[1]
    for step in range(n_steps):
        for own, other in ((slice(0, half), slice(half, None)),
                           (slice(half, None), slice(0, half))):
            z = (1 + rng.uniform(size=half)) ** 2 / 2
            partner = now[other][rng.integers(half, size=half)]
            trial = partner + z[:, None] * (now[own] - partner)
            found = log_density(trial)
            better = np.log(rng.uniform(size=half)) < (n_dim - 1) * np.log(z) + found - density[own]
            now[own] = np.where(better[:, None], trial, now[own])
            density[own] = np.where(better, found, density[own])
        if step > n_steps // 3 and step % 10 == 0:
            kept.append(now.copy())
    return np.concatenate(kept)


def semi_major_axis(a, b, f, g):
    u, v = (a**2 + b**2 + f**2 + g**2) / 2, a * g - b * f
    return np.sqrt(u + np.sqrt(u**2 - v**2))


def test_as_a_plain_sampler_of_everything():
    star = Star()
    posterior = equant.sample_astrometry(star.source(), jitter=False, seed=3, period_days=(30, 0),
                                         engine=ONE)
    assert posterior.converged and posterior.summary.n_fitted == 4
    rng = np.random.default_rng(1)
    own = star.truth
    root = np.sqrt(own["e"])
    centre = np.array([np.log(own["period"]), root * np.cos(own["m0"]), root * np.sin(own["m0"]),
                       *own["ti"], 1.0, -2.0, 10.0, 3.0, -1.0])
    start = centre + rng.normal(0, 0.01, (80, centre.size))
    plain = stretch(star.log_density, start, 4000, rng)
    theirs = {
        "period_days_1": np.exp(plain[:, 0]),
        "eccentricity_1": plain[:, 1] ** 2 + plain[:, 2] ** 2,
        "a0_mas_1": semi_major_axis(*plain[:, 3:7].T),
        "A_mas_1": plain[:, 3],
        "G_mas_1": plain[:, 6],
        "parallax_mas": plain[:, 9],
        "pm_ra_mas_yr": plain[:, 10],
    }
    for name, values in theirs.items():
        ours = np.quantile(posterior[name], [0.16, 0.5, 0.84])
        known = np.quantile(values, [0.16, 0.5, 0.84])
        assert np.abs(ours - known).max() < 0.12 * values.std(), (name, ours, known)


def test_same_seed_same_draws_on_any_threads():
    source = Star().source()
    runs = [
        equant.sample_astrometry(
            source, max_steps=450, period_days=(30, 0), engine=equant.Engine(n_threads=n)
        )
        for n in (1, 2)
    ]
    assert runs[0].names == runs[1].names and runs[0].shape == runs[1].shape
    for name in runs[0].names:
        assert (runs[0][name] == runs[1][name]).all()
    assert "jitter_mas" in runs[0].names and "mass_jupiter_1" not in runs[0].names


def test_a_file_of_draws(tmp_path):
    netcdf = pytest.importorskip("netCDF4")
    posterior = equant.sample_astrometry(
        Star().source(), max_steps=450, star_mass=1.0, period_days=(30, 0), engine=ONE
    )
    posterior.save(tmp_path / "run.nc")
    with netcdf.Dataset(tmp_path / "run.nc") as file:
        masses = np.array(file["posterior/mass_jupiter_1"])
        assert (masses == posterior["mass_jupiter_1"].reshape(masses.shape)).all()
        assert "scale uniform" in file["provenance"].prior_thiele_innes


def test_with_velocities_of_the_same_orbit():
    """K follows from the sky: the velocities' own amplitude is known again, and the node."""
    star, rng = Star(), np.random.default_rng(8)
    alone = equant.fit_astrometry(star.source(), jitter=False, orbit=True, period_days=(30, 0),
                                  engine=ONE).companions[0]
    t = np.sort(rng.uniform(-800, 800, 30))
    k, e, omega = 180.0, star.truth["e"], alone.omega_rad
    x, y = place(t, 400.0, e, star.truth["m0"])
    nu = np.arctan2(y, x)
    v = k * (np.cos(nu + omega) + e * np.cos(omega)) + 12.0 + rng.normal(0, 5.0, t.size)
    jd = t + star.source().reference_jd
    velocities = equant.Data.from_arrays(jd, v, np.full(t.size, 5.0))
    free = equant.sample_astrometry(
        star.source(), velocities, jitter=False, free_velocities=True, period_days=(30, 0),
        engine=ONE
    )
    assert abs(free.quantity("k_m_s_1").median - k) < 10
    node = free.quantity("node_rad_1").median
    assert min(abs(node - alone.node_rad), 2 * np.pi - abs(node - alone.node_rad)) < 0.5


def test_gaia_bh3():
    """The posterior of single CCDs against the published one, in place and in width."""
    source = equant.read_astrometry(shared_file("gaia/bh3/epochast.dat"))[0]
    posterior = equant.sample_astrometry(source, ccds=True, jitter=False, min_ess=300, n_burn_in=200,
                                         n_walkers=20, period_days=(100, 0), engine=ONE)
    published = {
        "period_days_1": (4194.7, 112.3, 1.0),
        "eccentricity_1": (0.7262, 0.0056, 1.0),
        "a0_mas_1": (27.07, 0.56, 1.0),
        "inclination_rad_1": (110.659, None, 180 / np.pi),
        "omega_rad_1": (77.77, None, 180 / np.pi),
        "node_rad_1": (136.200, None, 180 / np.pi),
    }
    for name, (value, width, unit) in published.items():
        own = posterior.quantity(name)
        half = 0.5 * (own.high - own.low) * unit
        assert abs(own.median * unit - value) < (width or half), name
        assert width is None or 0.8 < half / width < 1.2, name


def test_a_run_that_was_stopped_goes_on_to_the_same_draws(tmp_path):
    """Stopped at step 600 of 1200, and killed before its end: all bits are those of a whole run."""
    star = Star()
    settings = dict(seed=3, max_draws=4000, n_populations=2, n_walkers=20, n_burn_in=100, min_ess=1e9,
                    engine=ONE, progress=False)
    path = tmp_path / "run.state"
    whole = equant.sample_astrometry(star.source(), max_steps=1200, **settings)
    first = equant.sample_astrometry(star.source(), max_steps=600, path=path, **settings)
    assert first.summary.n_steps == 600
    second = equant.sample_astrometry(star.source(), max_steps=1200, path=path, resume=True, **settings)
    assert second.summary.n_steps == 1200
    assert [q.name for q in whole.quantities] == [q.name for q in second.quantities]
    for quantity in whole.quantities:
        assert np.array_equal(whole[quantity.name], second[quantity.name])
    assert np.array_equal(whole.log_likelihoods, second.log_likelihoods)
    with pytest.raises(equant.InvalidArgument, match="other data"):
        equant.sample_astrometry(Star(seed=5).source(), path=path, resume=True, **settings)
    with pytest.raises(equant.InvalidArgument, match="with the seed 3, not 4"):
        equant.sample_astrometry(star.source(), path=path, resume=True, **{**settings, "seed": 4})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(equant.FormatError, match="damaged"):
        equant.sample_astrometry(star.source(), path=path, resume=True, **settings)
    with pytest.raises(equant.InvalidArgument, match="needs its path"):
        equant.sample_astrometry(star.source(), resume=True, **settings)


def test_where_the_star_will_be():
    """Positions and abscissae at other times, against NumPy over the same draws."""
    star = Star()
    made = equant.sample_astrometry(star.source(), seed=2, min_ess=50, max_steps=600, engine=ONE)
    later = np.array([950.0, 1100.0])
    angle, factor = np.array([0.3, 2.0]), np.array([0.5, -0.4])
    seen = made.predict(made.summary.reference_time_days + later, angle, factor)
    own = {name: made[name].ravel() for name in made.names}
    for k, t in enumerate(later):
        x, y = place(t, own["period_days_1"], own["eccentricity_1"], own["m0_rad_1"])
        ra = own["B_mas_1"] * x + own["G_mas_1"] * y
        dec = own["A_mas_1"] * x + own["F_mas_1"] * y
        low, middle, high = np.quantile(ra, [0.158655253931457, 0.5, 0.841344746068543])
        assert seen[k].ra_mas == pytest.approx(middle, abs=1e-9)
        assert seen[k].ra_low_mas == pytest.approx(low, abs=1e-9)
        assert seen[k].ra_high_mas == pytest.approx(high, abs=1e-9)
        assert seen[k].dec_mas == pytest.approx(np.median(dec), abs=1e-9)
        assert seen[k].dec_sd_mas == pytest.approx(np.std(dec), rel=1e-6)
        assert seen[k].correlation == pytest.approx(np.corrcoef(ra, dec)[0, 1], abs=1e-6)
        year = t / 365.25
        abscissa = (
            (own["ra_mas"] + own["pm_ra_mas_yr"] * year + ra) * np.sin(angle[k])
            + (own["dec_mas"] + own["pm_dec_mas_yr"] * year + dec) * np.cos(angle[k])
            + own["parallax_mas"] * factor[k]
        )
        assert seen[k].abscissa_mas == pytest.approx(np.median(abscissa), abs=1e-9)
    assert np.isnan(made.predict(2457000.0)[0].abscissa_mas)
    # What was seen at the last time is predicted as well as it was seen.
    last = star.t[-1]
    again = made.predict(made.summary.reference_time_days + last, star.psi[-1], star.factor[-1])[0]
    assert abs(again.abscissa_mas - star.w[-1]) < 5 * star.sigma
    with pytest.raises(equant.InvalidArgument, match="no number"):
        made.predict(np.nan)
