"""Simulated stars that turn: a quasi-periodic process, drawn by a dense Cholesky decomposition that
shares nothing with equant, at the epochs and with the uncertainties of real stars. Each noise comes
four times: alone, with bad nights, with a planet, with both, so that answers can be compared in
pairs; and each of these with and without an indicator of activity. Needs NumPy."""

import json
import math
import pathlib

import numpy as np

import checks
import simulations

# Precise velocities, 50 to 260 of them, of one to three instruments.
SOURCES = ("l1periodogram/HD10180_2011.dat", "l1periodogram/HD69830_2006.dat",
           "agatha/CoRoT7_HARPS_TERRA.dat", "agatha/HD41248_HARPS_TERRA.dat",
           "agatha/HD039194_HARPS_TERRA.dat",
           *(f"systemic/{name}.sys" for name in
             ("BD-082823", "HD108874", "HD11964", "HD134987", "HD154345", "HD160691", "HD16417",
              "HD168443", "HD179079", "HD181433", "HD187123", "HD192310", "HD40307", "HD4308",
              "HD45364", "HIP14810")))
AMPLITUDES = 1.0, 5.0           # m/s, log-uniform
ROTATIONS = 8.0, 45.0           # days, log-uniform
DECAYS = 1.0, 4.0               # rotations, log-uniform
WIDTHS = 0.3, 1.0
BAD_SHARE, BAD_SIGMAS = 0.05, 5.0
PLANET_K = 3.0                  # m/s
PLANET_PERIODS = 3.0, 300.0     # days, log-uniform, a third of the span at most
PLANET_MOST_ECCENTRICITY = 0.2
INDICATOR_MEAN, INDICATOR_SIZE, INDICATOR_NOISE = 0.17, 0.01, 0.3  # the last: of its size
KINDS = "noise", "bad", "planet", "planet-bad"


def read_epochs(path):
    """Rows (time, uncertainty, instrument) of a file, in the order of time."""
    if path.suffix == ".sys":
        rows = [(time, error, file.name) for file in checks.Star(path).files
                for time, error in zip(file.times, file.errors)]
        return sorted(row for row in rows if row[1] > 0)
    scale = 1000.0 if "km/s" in path.read_text()[:200] else 1.0
    rows = []
    for line in path.read_text().splitlines():
        try:
            time, _, error = map(float, line.split()[:3])
        except ValueError:
            continue
        rows.append((time, scale * error, path.stem))
    return sorted(rows)


def log_uniform(chance, limits):
    return float(np.exp(chance.uniform(*np.log(limits))))


def draw_process(chance, times, rotation):
    lag = times[:, None] - times
    kernel = np.exp(-0.5 * (np.sin(np.pi * lag / rotation["period_days"]) ** 2
                            / rotation["width"] ** 2 + (lag / rotation["decay_days"]) ** 2))
    root = np.linalg.cholesky(kernel + 1e-8 * np.eye(len(times)))
    return rotation["amplitude_m_s"] * (root @ chance.standard_normal(len(times)))


def draw_bad_nights(chance, times, errors, instruments):
    """What bad nights add: five times the usual uncertainty of the instrument, up or down."""
    nights = sorted({(name, math.floor(time - 0.2)) for time, name in zip(times, instruments)})
    n_bad = max(1, round(BAD_SHARE * len(nights)))
    bad = {nights[i]: chance.choice((-1.0, 1.0))
           for i in chance.choice(len(nights), n_bad, replace=False)}
    usual = {name: np.median([error for error, other in zip(errors, instruments) if other == name])
             for name in set(instruments)}
    return np.array([BAD_SIGMAS * usual[name] * bad.get((name, math.floor(time - 0.2)), 0.0)
                     for time, name in zip(times, instruments)]), n_bad


def draw_planet(chance, span):
    low, high = PLANET_PERIODS
    return {"period_days": log_uniform(chance, (low, min(high, span / 3))), "k_m_s": PLANET_K,
            "eccentricity": float(chance.uniform(0, PLANET_MOST_ECCENTRICITY)),
            "omega": float(chance.uniform(0, 2 * math.pi)),
            "m0": float(chance.uniform(0, 2 * math.pi))}


def planet_velocities(planet, times):
    return np.array([simulations.velocity(time - times[0], planet["period_days"], planet["k_m_s"],
                                          planet["eccentricity"], planet["omega"], planet["m0"])
                     for time in times])


def write_table(path, rows, indicator=None):
    heading = "time,mnvel,errvel,tel" + ("" if indicator is None else ",svalue")
    lines = [f"{time:.6f},{velocity:.5f},{error:.5f},{name}"
             + ("" if indicator is None else f",{indicator[k]:.6f}")
             for k, (time, velocity, error, name) in enumerate(rows)]
    path.write_text("\n".join([heading, *lines]) + "\n")


def make_set(number, seed, data, folder):
    """Writes the eight files of a set; returns what a judge must know."""
    chance = np.random.default_rng([seed, number])
    source = SOURCES[number % len(SOURCES)]
    epochs = read_epochs(data / source)
    times, errors, instruments = (list(column) for column in zip(*epochs))
    times, errors = np.array(times), np.array(errors)
    period = log_uniform(chance, ROTATIONS)
    rotation = {"amplitude_m_s": log_uniform(chance, AMPLITUDES), "period_days": period,
                "decay_days": period * log_uniform(chance, DECAYS),
                "width": float(chance.uniform(*WIDTHS))}
    process = draw_process(chance, times, rotation)
    white = errors * chance.standard_normal(len(times))
    offsets = {name: chance.normal(0, 20) for name in sorted(set(instruments))}
    bad, n_bad = draw_bad_nights(chance, times, errors, instruments)
    planet = draw_planet(chance, times[-1] - times[0])
    indicator = INDICATOR_MEAN + INDICATOR_SIZE * (
        process / rotation["amplitude_m_s"] + INDICATOR_NOISE * chance.standard_normal(len(times)))
    star = process + white + np.array([offsets[name] for name in instruments])
    pull = planet_velocities(planet, times)
    velocities = {"noise": star, "bad": star + bad, "planet": star + pull,
                  "planet-bad": star + pull + bad}
    for kind, values in velocities.items():
        rows = list(zip(times, values, errors, instruments))
        write_table(folder / f"{kind}-{number:03d}.csv", rows)
        write_table(folder / f"{kind}-{number:03d}-s.csv", rows, indicator)
    return {"number": number, "source": source, "n_obs": len(times), "n_bad_nights": n_bad,
            "span_days": float(times[-1] - times[0]), "rotation": rotation, "planet": planet}


def make(folder, data, seed, n_sets):
    """Makes the files of n_sets stars, and sets.json about them."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    sets = [make_set(number, seed, data, folder) for number in range(n_sets)]
    (folder / "sets.json").write_text(json.dumps({"seed": seed, "sets": sets}, indent=1))
