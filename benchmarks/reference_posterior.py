"""Posteriors of radial velocities written down a second time: Kepler's equation, likelihoods,
the priors of Ford & Gregory (2006, Table 1), and emcee to sample them. Shares neither code nor
coordinates with the library. Needs numpy and emcee."""

import multiprocessing

import emcee
import numpy as np

import checks

LONGEST_PERIOD = 365250.0
# That of a companion of 0.01 solar masses, whose amplitude falls with the period.
LARGEST_AMPLITUDE, PERIOD_OF_LARGEST = 2129.0, 1.0
N_ELEMENTS = 5
N_WALKERS = 64


class Observations:
    """Times, velocities, errors, and the instrument of each as a number."""

    def __init__(self, rows, instruments):
        rows = sorted(rows)
        self.times, self.velocities, self.errors = np.array([row[:3] for row in rows]).T
        self.instrument = np.array([instruments.index(row[3]) for row in rows])
        self.instruments = instruments
        self.span = self.times[-1] - self.times[0]

    def mean_velocity(self, instrument):
        is_his = self.instrument == instrument
        return np.average(self.velocities[is_his], weights=self.errors[is_his] ** -2)


def read_systemic(path):
    """A .sys file: each .vels file is an instrument."""
    files = checks.Star(path).files
    rows = [(*row, file.name) for file in files
            for row in zip(file.times, file.velocities, file.errors)]
    return Observations(rows, [file.name for file in files])


def read_table(path):
    """Columns time mnvel errvel tel, by their names in the first line."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip()]
    columns = [lines[0].index(name) for name in ("time", "mnvel", "errvel", "tel")]
    rows = [[line[column] for column in columns] for line in lines[1:]]
    rows = [(float(row[0]), float(row[1]), float(row[2]), row[3]) for row in rows]
    return Observations(rows, list(dict.fromkeys(row[3] for row in rows)))


# ---- orbits ----------------------------------------------------------------------------------


def eccentric_anomaly(mean_anomaly, e):
    """By Halley's method, from a start that no eccentricity below 1 leads astray."""
    m = np.remainder(mean_anomaly + np.pi, 2 * np.pi) - np.pi
    anomaly = m + 0.85 * e * np.sign(m)
    for _ in range(30):
        sine, cosine = e * np.sin(anomaly), e * np.cos(anomaly)
        error = anomaly - sine - m
        step = error / (1 - cosine - 0.5 * error * sine / (1 - cosine))
        anomaly = anomaly - step
        if np.max(np.abs(step)) < 1e-13:
            break
    return anomaly


def velocity(days, elements):
    """[set, time] velocities of one planet; elements are columns P, K, e, omega, M0."""
    period, k, e, omega, m0 = (column[:, None] for column in np.asarray(elements).T)
    anomaly = eccentric_anomaly(2 * np.pi * days / period + m0, e)
    sine, cosine = np.sin(anomaly), np.cos(anomaly)
    cos_nu = (cosine - e) / (1 - e * cosine)
    sin_nu = np.sqrt(1 - e * e) * sine / (1 - e * cosine)
    return k * (np.cos(omega) * (cos_nu + e) - np.sin(omega) * sin_nu)


# ---- a star with white noise -----------------------------------------------------------------


class Posterior:
    """Planets, an offset and a jitter for each instrument, under the reference priors.

    Samples in P, K cos lambda, K sin lambda, sqrt(e) cos omega, sqrt(e) sin omega of each planet,
    lambda = omega + M0 at the reference time; then offsets and jitters as they are."""

    def __init__(self, observations, n_planets, reference_time, shortest_period=1.0):
        self.data, self.n_planets = observations, n_planets
        self.shortest_period = shortest_period
        self.days = observations.times - reference_time
        self.n_instruments = len(observations.instruments)
        self.centres = np.array([observations.mean_velocity(i) for i in range(self.n_instruments)])
        self.n_dimensions = N_ELEMENTS * n_planets + 2 * self.n_instruments

    def parameters(self, points):
        """(elements[planet][set, 5], offsets, jitters) of points[set, dimension]."""
        elements = []
        for planet in range(self.n_planets):
            period, a, b, c, d = points[:, N_ELEMENTS * planet:N_ELEMENTS * (planet + 1)].T
            omega = np.arctan2(d, c)
            elements.append(np.column_stack([period, np.hypot(a, b), c * c + d * d, omega,
                                             np.arctan2(b, a) - omega]))
        rest = points[:, N_ELEMENTS * self.n_planets:]
        return elements, rest[:, :self.n_instruments], rest[:, self.n_instruments:]

    def log_likelihood(self, elements, offsets, jitters):
        model = offsets[:, self.data.instrument]
        for planet in elements:
            model = model + velocity(self.days, planet)
        variance = self.data.errors ** 2 + jitters[:, self.data.instrument] ** 2
        residuals = self.data.velocities - model
        return -0.5 * (residuals ** 2 / variance + np.log(2 * np.pi * variance)).sum(axis=1)

    def log_prior(self, elements, offsets, jitters):
        """Up to a constant; in the coordinates of this class."""
        value = np.zeros(len(offsets))
        for period, k, e, _, _ in (planet.T for planet in elements):
            with np.errstate(invalid="ignore", divide="ignore"):
                largest = LARGEST_AMPLITUDE * (PERIOD_OF_LARGEST / period) ** (1 / 3)
                largest = largest / np.sqrt(1 - e * e)
                inside = ((period > self.shortest_period) & (period < LONGEST_PERIOD) & (e < 1)
                          & (k < largest))
                # Area in the plane of (K cos lambda, K sin lambda) is K dK dlambda; that in the
                # plane of the square root of e is de domega / 2.
                density = -np.log(period) - np.log(k + 1) - np.log(np.log1p(largest)) - np.log(k)
            value = np.where(inside, value + density, -np.inf)
        inside = (np.abs(offsets - self.centres) < LARGEST_AMPLITUDE).all(axis=1)
        inside &= ((jitters >= 0) & (jitters < LARGEST_AMPLITUDE)).all(axis=1)
        with np.errstate(invalid="ignore"):
            return np.where(inside, value - np.log(jitters + 1).sum(axis=1), -np.inf)

    def __call__(self, points):
        parameters = self.parameters(points)
        value = self.log_prior(*parameters)
        inside = np.isfinite(value)
        if inside.any():
            value[inside] += self.log_likelihood([planet[inside] for planet in parameters[0]],
                                                 parameters[1][inside], parameters[2][inside])
        return value


# ---- where to begin --------------------------------------------------------------------------


def circular_fit(posterior, periods):
    """Chi-square and coefficients of circles at these periods, by linear least squares."""
    columns = [posterior.data.instrument == i for i in range(posterior.n_instruments)]
    for period in periods:
        phase = 2 * np.pi * posterior.days / period
        columns += [np.cos(phase), -np.sin(phase)]
    weight = 1 / posterior.data.errors
    matrix = np.column_stack(columns) * weight[:, None]
    coefficients, *_ = np.linalg.lstsq(matrix, posterior.data.velocities * weight, rcond=None)
    residuals = posterior.data.velocities * weight - matrix @ coefficients
    return residuals @ residuals, coefficients


def start(posterior, periods, random):
    """Walkers near circles: the periods of the best ones within half a frequency resolution of
    those given."""
    periods = list(periods)
    for planet in 2 * list(range(len(periods))):
        frequencies = 1 / periods[planet] + np.linspace(-0.5, 0.5, 401) / posterior.data.span
        trials = [periods[:planet] + [1 / f] + periods[planet + 1:] for f in frequencies if f > 0]
        periods = min(trials, key=lambda trial: circular_fit(posterior, trial)[0])
    _, coefficients = circular_fit(posterior, periods)
    n = posterior.n_instruments
    place, scale = [], []
    for planet, period in enumerate(periods):
        a, b = coefficients[n + 2 * planet:n + 2 * planet + 2]
        place += [period, a, b, 0, 0]
        scale += [0.02 * period ** 2 / posterior.data.span, 0.3, 0.3, 0.2, 0.2]
    typical = np.median(posterior.data.errors)
    place += [*coefficients[:n], *n * [typical]]
    scale += [*n * [0.3 * typical], *n * [0.2 * typical]]
    walkers = np.array(place) + np.array(scale) * random.standard_normal((N_WALKERS, len(place)))
    walkers[:, -n:] = np.abs(walkers[:, -n:])
    return walkers


# ---- emcee -----------------------------------------------------------------------------------


def run_ensemble(job):
    """One ensemble; the first third of its steps is thrown away. [walker, step, dimension]."""
    posterior, periods, n_steps, thinning, seed = job
    np.random.seed(seed)
    # No snooker moves: those of emcee 3.1.6 make distributions too narrow (dfm/emcee, #531).
    moves = [(emcee.moves.DEMove(), 0.8), (emcee.moves.StretchMove(), 0.2)]
    sampler = emcee.EnsembleSampler(N_WALKERS, posterior.n_dimensions, posterior, moves=moves,
                                    vectorize=True)
    walkers = start(posterior, periods, np.random.default_rng(seed))
    sampler.run_mcmc(walkers, n_steps // thinning, thin_by=thinning)
    return sampler.get_chain(discard=n_steps // thinning // 3).swapaxes(0, 1)


def sample(posterior, periods, n_steps, n_ensembles=2, thinning=5):
    """[walker of any ensemble, step, dimension]; ensembles side by side."""
    jobs = [(posterior, periods, n_steps, thinning, 1 + i) for i in range(n_ensembles)]
    with multiprocessing.Pool(min(n_ensembles, multiprocessing.cpu_count())) as pool:
        return np.concatenate(pool.map(run_ensemble, jobs))
