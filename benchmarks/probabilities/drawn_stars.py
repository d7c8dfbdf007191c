"""Stars drawn from the priors of src/model/prior_table.c at the epochs of real ones, made without
equant: what they have and which velocities they show. Standard library only."""

import math
import random

import simulations

KINDS = ("white", "rotating", "giant", "bad nights")
SPARSE = "sparse"
LEAST, SHORTEST_SPAN = 20, 60.0


def log_normal(draw, median, width):
    return median * math.exp(draw.gauss(0.0, width))


def log_uniform(draw, low, high):
    return math.exp(draw.uniform(math.log(low), math.log(high)))


def real_epochs(stars, most):
    """[(name, [(day, error, instrument)])] of stars of few enough observations, large and small by
    turns: those with the fewest alone are offered neither rotation nor slow noise."""
    found = []
    for star in stars:
        rows = sorted((time, error, file.name) for file in star.files
                      for time, error in zip(file.times, file.errors) if error > 0)
        if LEAST <= len(rows) <= most and star.span > SHORTEST_SPAN:
            found.append((star.name, [(time - rows[0][0], error, name)
                                      for time, error, name in rows]))
    random.Random("epochs").shuffle(found)
    return found


# --- Noise -------------------------------------------------------------------------------


def matern(dt, amplitude, decay):
    x = math.sqrt(3) * dt / decay
    return amplitude ** 2 * (1 + x) * math.exp(-x)


def spots(dt, amplitude, period, decay, width):
    """Of the term mep (docs/noise.md): Matern 3/2 and two harmonics."""
    f = 1.0 / (4.0 * width * width)

    def swing(nu):
        return math.exp(-dt / decay) * (math.cos(nu * dt) + math.sin(nu * dt) / (nu * decay))

    nu = 2 * math.pi / period
    return (amplitude ** 2 * (matern(dt, 1.0, decay) + f * swing(nu) + f * f / 4 * swing(2 * nu))
            / (1 + f + f * f / 4))


def draw_process(draw, times, covariance):
    """Values of a process by the Cholesky factor of its covariance."""
    root, white = [], [draw.gauss(0.0, 1.0) for _ in times]
    for i, time in enumerate(times):
        row = []
        for j in range(i + 1):
            left = covariance(abs(time - times[j])) * (1 + (1e-9 if i == j else 0.0))
            other = row if i == j else root[j]
            left -= sum(a * b for a, b in zip(row, other[:j]))
            row.append(math.sqrt(max(left, 1e-12)) if i == j else left / other[j])
        root.append(row)
    return [sum(a * b for a, b in zip(row, white)) for row in root]


def draw_noise(draw, kind, rows):
    """Values beside the errors, what they are in words, and their standard deviation."""
    times = [row[0] for row in rows]
    jitter = log_normal(draw, *((4.4, 0.4) if kind == "giant" else (2.6, 0.8)))
    values = [draw.gauss(0.0, jitter) for _ in times]
    told = {"jitter": jitter}
    if kind == "rotating":
        active = draw.random() < 0.35
        period = log_normal(draw, *((13.0, 0.6) if active else (33.0, 0.4)))
        told |= {"amplitude": log_normal(draw, *((8.0, 0.8) if active else (3.2, 0.6))),
                 "period": period, "decay": period * max(1.0, min(4.0, log_normal(draw, 1.7, 0.5))),
                 "width": log_normal(draw, 0.5, 0.5)}
        more = draw_process(draw, times, lambda dt: spots(
            dt, told["amplitude"], told["period"], told["decay"], told["width"]))
    elif kind == "giant":
        told |= {"amplitude": log_normal(draw, 6.9, 0.6),
                 "decay": max(1.0, min(200.0, log_normal(draw, 12.0, 1.2)))}
        more = draw_process(draw, times,
                            lambda dt: matern(dt, told["amplitude"], told["decay"]))
    elif kind == "bad nights":
        more, shifts = [], {}
        for day, error, name in rows:
            night = (math.floor(day - 0.5), name)
            if night not in shifts:
                is_bad = draw.random() < 0.015
                shifts[night] = (draw.choice((-1, 1)) * math.hypot(error, jitter)
                                 * log_uniform(draw, 3.0, 30.0) if is_bad else 0.0)
            more.append(shifts[night])
        told["n_bad"] = sum(shift != 0 for shift in shifts.values())
    else:
        more = [0.0] * len(times)
    return [a + b for a, b in zip(values, more)], told


# --- Planets -----------------------------------------------------------------------------


def draw_planet(draw, from_prior, scatter, n_obs, span):
    """(period, K, e, omega, M0). From the priors of a fit, or from elsewhere: amplitudes that
    show, and flat eccentricities."""
    angles = draw.uniform(0.0, 2 * math.pi), draw.uniform(0.0, 2 * math.pi)
    floor = scatter * math.sqrt(2 / n_obs)
    if from_prior:
        scale = floor * 0.25 * 2.0 ** draw.randrange(8)
        k = math.hypot(draw.gauss(0.0, scale), draw.gauss(0.0, scale))
        period, e = log_uniform(draw, 0.6, 2 * span), draw.betavariate(0.867, 3.03)
    else:
        k = floor * log_uniform(draw, 3.0, 100.0)
        period, e = log_uniform(draw, 1.5, span), draw.uniform(0.0, 0.85)
    return period, k, min(e, 1 - (0.33 / period) ** (2 / 3) if period > 0.4 else 0.0, 0.93), *angles


def draw_star(draw, number, epochs):
    """{kind, from_prior, name, noise, planets, rows}; rows are (day, velocity, error, instrument)."""
    kind = KINDS[number % len(KINDS)]
    from_prior = number // len(KINDS) % 2 == 0
    name, rows = epochs[number // (2 * len(KINDS)) % len(epochs)]
    offsets = {one: draw.gauss(0.0, 10.0) for one in sorted({row[2] for row in rows})}
    noise, told = draw_noise(draw, kind, rows)
    errors = [row[1] for row in rows]
    scatter = math.sqrt(sum(e * e for e in errors) / len(errors) + told["jitter"] ** 2
                        + told.get("amplitude", 0.0) ** 2)
    planets = [draw_planet(draw, from_prior, scatter, len(rows), rows[-1][0])
               for _ in range(draw.randrange(5))]
    return {"kind": kind, "from_prior": from_prior, "epochs": name, "noise": told, "rms": scatter,
            "planets": planets,
            "rows": [(day, offsets[one] + more + draw.gauss(0.0, error)
                      + sum(simulations.velocity(day, *planet) for planet in planets), error, one)
                     for (day, error, one), more in zip(rows, noise)]}


def draw_sparse_star(draw):
    """29 epochs over seven seasons, one planet of 900 to 2300 days, white noise."""
    sigma = draw.uniform(2.0, 5.0)
    planet = (log_uniform(draw, 900.0, 2300.0), draw.uniform(15.0, 30.0),
              min(0.93, draw.betavariate(0.867, 3.03)), draw.uniform(0, 2 * math.pi),
              draw.uniform(0, 2 * math.pi))
    times = sorted((draw.randrange(7) + draw.uniform(0.0, 0.6)) * simulations.YEAR
                   for _ in range(29))
    return {"kind": SPARSE, "from_prior": False, "epochs": "random", "noise": {"jitter": 0.0},
            "rms": sigma, "planets": [planet],
            "rows": [(t, simulations.velocity(t, *planet) + draw.gauss(0.0, sigma), sigma, "a")
                     for t in times]}
