"""Searches of astrometry for periods, and companions behind the first one."""

import numpy as np

import equant

ONE = equant.Engine(n_threads=1)


def made_up(orbits, seed=2, n=140, sigma=0.1):
    """A star with circular companions: (period, size, phase) of each."""
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    year = t / 365.25
    factor = np.sin(2 * np.pi * year) * np.sin(psi) + 0.4 * np.cos(2 * np.pi * year) * np.cos(psi)
    w = (1 + 3 * year) * np.sin(psi) - 2 * year * np.cos(psi) + 10 * factor
    for period, size, phase in orbits:
        angle = 2 * np.pi * t / period + phase
        w += size * (np.sin(angle) * np.sin(psi) + np.cos(angle) * np.cos(psi))
    return equant.Astrometry.from_arrays(t, w + rng.normal(0, sigma, n), np.full(n, sigma), psi,
                                         factor)


def test_peaks():
    source = made_up([(400, 0.5, 0.0)])
    found = equant.search_astrometry(source, n_peaks=4, period_days=(30, 3000), engine=ONE)
    assert 1 <= len(found.peaks) <= 4 and len(found.gain) == len(found.frequency_per_day)
    best = found.peaks[0]
    assert abs(best.period_days - 400) < 8 and abs(best.a0_mas - 0.5) < 0.1
    assert best.false_alarm < 1e-6 and best.gain > found.peaks[-1].gain
    top = np.argmax(found.gain)
    assert abs(1 / found.frequency_per_day[top] - 400) < 30
    assert found.gain[top] <= best.gain + 1e-6 and found.gain[top] > 0.9 * best.gain


def test_a_second_companion_is_found_behind_the_first():
    source = made_up([(400, 1.0, 0.0), (151, 0.4, 1.0)])
    fit = equant.fit_astrometry(source, period_days=(30, 3000), engine=ONE)
    periods = [own.period_days for own in fit.companions]
    assert len(periods) == 2
    assert abs(periods[0] - 400) < 5 and abs(periods[1] - 151) < 2
    first, second = fit.companions
    assert min(first.gain, second.gain) > 20 and second.false_alarm < 1e-3
    assert abs(second.a0_mas - 0.4) < 5 * second.a0_mas_err
    assert 0.7 < fit.chi_square / 140 < 1.1
    one = equant.fit_astrometry(source, period_days=(30, 3000), max_companions=1, engine=ONE)
    assert len(one.companions) == 1 and one.jitter_mas > 0.1


def test_one_companion_stays_one():
    for seed in range(4):
        source = made_up([(400, 1.0, 0.0)], seed=seed)
        assert len(equant.fit_astrometry(source, period_days=(30, 3000), engine=ONE).companions) == 1


def test_a_nearby_star_that_comes_closer():
    """Barnard's star: without its radial velocity the growing motion is an acceleration."""
    rng = np.random.default_rng(5)
    n, sigma, parallax, v = 150, 0.05, 547.0, -110.5
    t = np.sort(rng.uniform(-1000, 1000, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    year = t / 365.25
    factor = np.sin(2 * np.pi * year) * np.sin(psi) + 0.4 * np.cos(2 * np.pi * year) * np.cos(psi)
    nearness = 1 / (1 + v / 4.740470446 * parallax / 206264806.247 * year)
    w = nearness * (-800 * year * np.sin(psi) + 10360 * year * np.cos(psi) + parallax * factor)
    source = equant.Astrometry.from_arrays(t, w + rng.normal(0, sigma, n), np.full(n, sigma), psi,
                                           factor)
    options = dict(period_days=(30, 3000), engine=ONE)
    assert equant.fit_astrometry(source, **options).verdict != "5p"
    fit = equant.fit_astrometry(source, radial_velocity_km_s=v, **options)
    assert fit.verdict == "5p" and fit.jitter_mas < 0.03
    assert abs(fit.solution.values["parallax"] - parallax) < 4 * fit.solution.errors["parallax"]
    assert abs(fit.solution.values["pm_dec"] - 10360) < 4 * fit.solution.errors["pm_dec"]


def test_two_companions_are_sampled():
    source = made_up([(400, 1.0, 0.0), (151, 0.4, 1.0)], n=100)
    posterior = equant.sample_astrometry(
        source, period_days=(30, 3000), max_steps=450, n_walkers=40, engine=ONE
    )
    assert posterior.summary.n_planets == 2 and posterior.summary.n_fitted == 9
    for name, value in (("period_days_1", 400), ("period_days_2", 151), ("a0_mas_2", 0.4)):
        own = posterior.quantity(name)
        assert abs(own.median - value) < 3 * (own.high - own.low), name
