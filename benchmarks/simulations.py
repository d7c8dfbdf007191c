"""Simulated stars, made without equant: when they are observed, with what, and how their
planets move them. Standard library only."""

import math

YEAR = 365.25


def solve_kepler(mean_anomaly, eccentricity):
    """E of M = E - e sin E, by Newton's method inside a bracket that always holds the root."""
    mean = math.remainder(mean_anomaly, 2 * math.pi)
    low, high = mean - eccentricity, mean + eccentricity
    anomaly = mean + eccentricity * math.sin(mean)
    for _ in range(60):
        excess = anomaly - eccentricity * math.sin(anomaly) - mean
        if excess > 0:
            high = anomaly
        else:
            low = anomaly
        step = excess / (1 - eccentricity * math.cos(anomaly))
        anomaly = anomaly - step
        if not low <= anomaly <= high:
            anomaly = 0.5 * (low + high)
        if abs(step) < 1e-13:
            break
    return anomaly


def velocity(time, period, k, eccentricity, omega, m0):
    """Of the star at `time`, days from when the mean anomaly was m0."""
    anomaly = solve_kepler(m0 + 2 * math.pi * time / period, eccentricity)
    true_anomaly = 2 * math.atan2(math.sqrt(1 + eccentricity) * math.sin(anomaly / 2),
                                  math.sqrt(1 - eccentricity) * math.cos(anomaly / 2))
    return k * (math.cos(omega + true_anomaly) + eccentricity * math.cos(omega))


class Instrument:
    """How well it measures, where its zero is, and which part of the campaign it saw."""

    def __init__(self, name, random, span, sigma):
        length = span * random.uniform(0.4, 1.0)
        self.name = name
        self.sigma = sigma
        self.offset = random.gauss(0.0, 20.0)
        self.first = random.uniform(0.0, span - length)
        self.last = self.first + length


def observe_night(random, night, right_ascension):
    """Hour of an observation in that night, in days from midnight; None by day or below the
    horizon. A star culminates earlier by a turn a year, so it has seasons and drifts through
    the night: what makes the aliases of a real campaign."""
    culmination = math.remainder(right_ascension - night / YEAR, 1.0)
    hour = culmination + random.uniform(-0.16, 0.16)
    return hour if abs(hour) < 0.2 else None


def observing_times(random, n_obs, first, last, right_ascension):
    """n_obs times between two days, in runs of a few nights each."""
    times = []
    while len(times) < n_obs:
        night = math.floor(random.uniform(first, last))
        for _ in range(random.randint(1, 6)):
            hour = observe_night(random, night, right_ascension)
            if hour is not None and night <= last and len(times) < n_obs:
                times.append(night + hour)
            night += random.randint(1, 3)
    return times


def observe(random, n_obs, span, instruments, planets):
    """Rows (time, velocity, error, instrument) with white noise of the stated errors, which
    differ from row to row. Each planet: (period, K, e, omega, M0 at time 0)."""
    right_ascension = random.random()
    shares = [random.uniform(1.0, 3.0) for _ in instruments]
    counts = [max(5, int(n_obs * share / sum(shares))) for share in shares[:-1]]
    counts.append(n_obs - sum(counts))
    rows = []
    for instrument, count in zip(instruments, counts):
        for time in observing_times(random, count, instrument.first, instrument.last,
                                    right_ascension):
            error = instrument.sigma * math.exp(random.gauss(0.0, 0.25))
            value = instrument.offset + sum(velocity(time, *planet) for planet in planets)
            rows.append((time, value + random.gauss(0.0, error), error, instrument.name))
    return sorted(rows)


def write_star(path, rows, epoch=2455000.0):
    """A table that equant reads; times get an epoch that looks like one."""
    with open(path, "w") as stream:
        stream.write("time,mnvel,errvel,tel\n")
        for time, value, error, name in rows:
            stream.write(f"{epoch + time:.6f},{value:.5f},{error:.5f},{name}\n")
