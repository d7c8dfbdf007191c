"""Simulated sources with astrometry and velocities of Gaia: epochs.csv, velocities.csv, truth.csv.

    joint_sources.py FOLDER N [--seed S] [--scans EPOCHS]

A third has an orbit, of 10 days to 10 years and of any inclination, about as large as can be found; a
twentieth has harmonics of the scan angle instead; all others are alone. Times and angles are those of
a table of Gaia BH3 (--scans), or made up: visits at random, angles that turn. Errors of velocities
grow with the magnitude from 0.2 to 3 km/s, those of transits are 0.03 to 0.1 mas.
"""
import argparse
import math
import os
import random

TCB_RATE, TCB_ORIGIN = 1.550519768e-8, 2443144.5003725
REFERENCE = 2457936.875
AU_PER_DAY = 149597870.7 / 86400.0  # km/s


def made_up_scans(draw, n=70, span=2000.0):
    visits = []
    for _ in range(n):
        time = draw.uniform(-0.5 * span, 0.5 * span)
        angle = (math.radians(45.0) * math.sin(2 * math.pi * time / 63.0) + 2 * math.pi * time / 365.25
                 + draw.uniform(-0.3, 0.3))
        visits.append((time, angle, math.sin(angle + 2 * math.pi * time / 365.25) * 0.7))
    return sorted(visits)


def scans_of_file(path):
    visits = {}
    for line in open(path):
        words = line.split()
        if len(words) == 8 and words[7] in ("0", "False", "false"):
            visits.setdefault(words[0], []).append([float(words[k]) for k in (2, 6, 5)])
    means = []
    for rows in visits.values():
        time, angle, factor = rows[len(rows) // 2]
        means.append((time - REFERENCE, math.radians(angle), factor))
    return sorted(means)


def kepler(mean, e):
    anomaly = mean + e * math.sin(mean)
    for _ in range(60):
        anomaly -= (anomaly - e * math.sin(anomaly) - mean) / (1.0 - e * math.cos(anomaly))
    return anomaly


class Orbit:
    """The star's: elements in mas, days and radians; velocities in km/s, away from us."""

    def __init__(self, period, e, a0, i, omega, node, m0, parallax):
        self.period, self.e, self.m0 = period, e, m0
        co, so, cn, sn, ci = (math.cos(omega), math.sin(omega), math.cos(node), math.sin(node), math.cos(i))
        self.a = a0 * (co * cn - so * sn * ci)
        self.b = a0 * (co * sn + so * cn * ci)
        self.f = -a0 * (so * cn + co * sn * ci)
        self.g = -a0 * (so * sn - co * cn * ci)
        self.k = 2 * math.pi * a0 / parallax * math.sin(i) / math.sqrt(1 - e * e) / period * AU_PER_DAY
        self.omega = omega

    def place(self, time):
        anomaly = kepler(math.fmod(2 * math.pi * time / self.period + self.m0, 2 * math.pi), self.e)
        x, y = math.cos(anomaly) - self.e, math.sqrt(1 - self.e**2) * math.sin(anomaly)
        return self.b * x + self.g * y, self.a * x + self.f * y

    def velocity(self, time):
        anomaly = kepler(math.fmod(2 * math.pi * time / self.period + self.m0, 2 * math.pi), self.e)
        true = 2 * math.atan2(math.sqrt(1 + self.e) * math.sin(anomaly / 2),
                              math.sqrt(1 - self.e) * math.cos(anomaly / 2))
        return self.k * (math.cos(true + self.omega) + self.e * math.cos(self.omega))


def draw_orbit(draw, error, parallax):
    period = math.exp(draw.uniform(math.log(10.0), math.log(3650.0)))
    e = 0.0 if period < 15 else draw.uniform(0.0, 0.7)
    a0 = error * math.exp(draw.uniform(math.log(0.3), math.log(6.0)))
    return Orbit(period, e, a0, math.acos(draw.uniform(-1, 1)), draw.uniform(0, 2 * math.pi),
                 draw.uniform(0, math.pi), draw.uniform(0, 2 * math.pi), parallax)


def write_source(draw, source_id, scans, files):
    error = draw.uniform(0.03, 0.1)
    velocity_error = math.exp(draw.uniform(math.log(0.2), math.log(3.0)))
    parallax = math.exp(draw.uniform(math.log(1.0), math.log(10.0)))
    pm = draw.gauss(0, 20), draw.gauss(0, 20)
    kind = draw.random()
    kind = "orbit" if kind < 1 / 3 else "impostor" if kind < 1 / 3 + 0.05 else "alone"
    orbit = draw_orbit(draw, error, parallax) if kind == "orbit" else None
    bias = [draw.gauss(0, 2 * error) if kind == "impostor" else 0.0 for _ in range(4)]
    for number, (time, angle, factor) in enumerate(scans):
        x, y = orbit.place(time) if orbit else (0.0, 0.0)
        x += pm[0] * time / 365.25
        y += pm[1] * time / 365.25
        w = x * math.sin(angle) + y * math.cos(angle) + parallax * factor + draw.gauss(0, error)
        for n, k in enumerate((3, 5)):
            w += bias[2 * n] * math.cos(k * angle) + bias[2 * n + 1] * math.sin(k * angle)
        files[0].write(f"{REFERENCE + time:.8f},{w:.6f},{error:.6f},{math.degrees(angle):.6f},"
                       f"{factor:.6f},{number + 1},{source_id}\n")
    offset = draw.gauss(0, 30)
    for number, (time, _, _) in enumerate(scans):
        if number % 3 != 0:  # a third of the transits crosses the spectrometer
            continue
        own = velocity_error * math.exp(draw.uniform(-0.2, 0.2))
        v = offset + (orbit.velocity(time) if orbit else 0.0) + draw.gauss(0, own)
        days = REFERENCE + time - 2455197.5
        files[1].write(f"{source_id},{number + 1},{days:.8f},{v:.5f},{own:.5f}\n")
    files[2].write(f"{source_id},{kind},{orbit.period if orbit else math.nan:.6f},"
                   f"{orbit.k if orbit else 0:.4f},{parallax:.5f},{1.0}\n")


def write(folder, n, seed, scans=None):
    draw = random.Random(seed)
    names = ("epochs.csv", "velocities.csv", "truth.csv")
    files = [open(os.path.join(folder, name), "w") for name in names]
    files[0].write("t_jd,w,sigma,psi_deg,f,transit_id,source_id\n")
    files[1].write("source_id,transit_id,obs_time_rv,radial_velocity,radial_velocity_error\n")
    files[2].write("source_id,kind,period_days,k_km_s,parallax_mas,star_mass\n")
    for number in range(n):
        own = scans if scans else made_up_scans(draw)
        write_source(draw, 4000000000000000000 + 1000 * number + 7, own, files)
    for file in files:
        file.close()


if __name__ == "__main__":
    words = argparse.ArgumentParser()
    words.add_argument("folder")
    words.add_argument("n", type=int)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--scans")
    asked = words.parse_args()
    write(asked.folder, asked.n, asked.seed, scans_of_file(asked.scans) if asked.scans else None)
