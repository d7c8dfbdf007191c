#!/usr/bin/env python3
"""Writes tests/golden/transit_table.txt: transits of planets that attract each other over ten years,
as REBOUND's IAS15 integrates them. Needs numpy and rebound; the tests need neither.

    python3 -m venv venv && venv/bin/pip install numpy rebound
    venv/bin/python tests/oracle/make_transit_table.py > tests/golden/transit_table.txt
"""
import numpy as np
import rebound

G = 1.3271244e20 * 86400.0**2 / 149597870700.0**3
N_SYSTEMS, SPAN_DAYS = 10, 10 * 365.25


def draw_system(rng, is_resonant):
    """2 to 7 nearly edge-on planets whose orbits stay five Hill radii apart."""
    n = int(rng.integers(2, 8))
    while True:
        periods = [10 ** rng.uniform(0.3, 1.3)]
        for _ in range(n - 1):
            ratio = rng.uniform(1.4, 3.0)
            if is_resonant and rng.random() < 0.6:
                ratio = rng.choice([1.5, 2.0, 4 / 3]) * (1 + rng.normal() * 0.005)
            periods.append(periods[-1] * ratio)
        period = np.array(periods)
        mass = 10 ** rng.uniform(-6, -3.5, n)
        e = rng.uniform(0, 0.2, n) * (0.3 if is_resonant else 1)
        a = period ** (2 / 3)
        hill = ((mass[1:] + mass[:-1]) / 3) ** (1 / 3) * (a[1:] + a[:-1]) / 2
        if np.all(a[1:] * (1 - e[1:]) - a[:-1] * (1 + e[:-1]) > 5 * hill):
            break
    omega = rng.uniform(0, 2 * np.pi, n)
    return np.stack([mass, period, e * np.cos(omega), e * np.sin(omega),
                     rng.uniform(0, 2 * np.pi, n), np.pi / 2 + rng.normal(0, 0.01, n),
                     rng.normal(0, 0.02, n)], 1)


def begin(star_mass, elements):
    sim = rebound.Simulation()
    sim.G, sim.integrator = G, "ias15"
    sim.add(m=star_mass)
    total = star_mass
    for mass, period, h, k, longitude, inclination, node in elements:
        total += mass
        a = (G * total * (period / (2 * np.pi)) ** 2) ** (1 / 3)
        omega = np.arctan2(k, h)
        sim.add(m=mass, a=a, e=np.hypot(h, k), omega=omega, M=longitude - omega,
                inc=inclination, Omega=node)
    sim.move_to_com()
    return sim


def see(sim, p):
    star, planet = sim.particles[0], sim.particles[p + 1]
    x, y, z = planet.x - star.x, planet.y - star.y, planet.z - star.z
    v, w = planet.vx - star.vx, planet.vy - star.vy
    return x * v + y * w, z, np.hypot(x, y), np.hypot(v, w)


def refine(sim, p, low, high):
    """The middle, by halving: the simulation is at high."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        sim.integrate(middle)
        low, high = (middle, high) if see(sim, p)[0] < 0 else (low, middle)
    return (sim.t,) + see(sim, p)[2:]


def find(star_mass, elements, rng):
    rows = []
    n, shortest = len(elements), elements[:, 1].min()
    for sign in (1, -1):
        sim, step = begin(star_mass, elements), sign * shortest / 12
        sim.dt = sign * 0.01
        number, before = [None] * n, [see(sim, p) for p in range(n)]
        end = 0.8 * SPAN_DAYS if sign > 0 else 0.2 * SPAN_DAYS
        while abs(sim.t) < end:
            t = sim.t
            sim.integrate(t + step)
            for p in range(n):
                now = see(sim, p)
                rises = (before[p][0] < 0 <= now[0]) if sign > 0 else (before[p][0] >= 0 > now[0])
                if rises and now[1] > 0:
                    if number[p] is None:
                        number[p] = round((t + 0.5 * step) / elements[p, 1])
                    else:
                        number[p] += sign
                    if rng.random() < 25 * elements[p, 1] / SPAN_DAYS / n:
                        low, high = min(t, t + step), max(t, t + step)
                        rows.append((p, number[p]) + refine(sim.copy(), p, low, high))
                before[p] = now
    return rows


rng = np.random.default_rng(20260102)
print("# Made by tests/oracle/make_transit_table.py: for each system the number of planets and the")
print("# mass of the star, elements of each planet (equant/dynamics.h), then planet, number, time")
print("# since the epoch (days), distance (au) and speed (au/day) on the sky of transits.")
made = 0
while made < N_SYSTEMS:
    star_mass = float(rng.choice([0.1, 0.33, 1.0, 1.3]))
    elements = draw_system(rng, made % 2 == 1)
    elements[:, 0] *= star_mass
    seed = int(rng.integers(1 << 30))
    rows = find(star_mass, elements, np.random.default_rng(seed))
    nearby = elements.copy()
    nearby[:, 1] *= 1 + 1e-13
    again = find(star_mass, nearby, np.random.default_rng(seed))
    if [r[:2] for r in rows] != [r[:2] for r in again] or not rows or max(
            abs(a[2] - b[2]) for a, b in zip(rows, again)) > 1e-8:
        continue  # chaotic: nobody knows the last digits
    print("system", len(elements), repr(star_mass))
    for row in elements:
        print(" ".join(repr(float(x)) for x in row))
    for row in rows:
        print(row[0], row[1], *(repr(float(x)) for x in row[2:]), flush=True)
    made += 1
