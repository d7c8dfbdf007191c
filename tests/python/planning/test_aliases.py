"""A plan for the alias of HD 164922's fourth planet, on its real velocities."""

import numpy as np
import pytest

import equant


@pytest.fixture(scope="module")
def posterior():
    """What the three other planets leave, explained by one of 41.7 or 0.974 days."""
    data = equant.Data.demonstration()
    times, velocities = np.asarray(data.times_days), np.asarray(data.velocities_m_s)
    errors, instruments = np.asarray(data.uncertainties_m_s), np.asarray(data.instruments)
    phases = [2 * np.pi * n * (times - times[0]) / p for p in (1198, 75.74, 12.458) for n in (1, 2)]
    phases.append(2 * np.pi * (times - times[0]) / 41.74)
    columns = [instruments == k for k in np.unique(instruments)]
    columns += [wave(phase) for phase in phases for wave in (np.cos, np.sin)]
    design = np.column_stack(columns).astype(float)
    weights = 1 / np.hypot(errors, 2.0)
    found = np.linalg.lstsq(design * weights[:, None], velocities * weights, rcond=None)[0]
    left = velocities - design[:, :-2] @ found[:-2]
    names = np.array(data.instrument_names)[instruments]
    return equant.sample(
        equant.Data.from_arrays(times, left, errors, names),
        noise="night",
        prior_set="circular",
        priors={"period_days_1": "log-uniform(0.9, 100)"},
        max_steps=600,
        min_ess=50,
        seed=1,
        engine="cpu",
    )


def test_the_alias_is_told_by_other_hours(posterior):
    """By the hour: ln B is K^2 sin^2(pi d) / sigma^2 on average, d in turns of the stars."""
    times = np.asarray(posterior.data.times_days)
    sidereal_days = 1 / 1.00273790935
    usual = np.angle(np.mean(np.exp(2j * np.pi * times / sidereal_days))) / (2 * np.pi)
    nights = (np.ceil(times[-1] / sidereal_days) + np.arange(1, 43)) * sidereal_days
    hours = np.array([-6.0, -3.0, 0.0, 3.0, 6.0])
    offered = nights[:, None] + (usual + hours / 24) * sidereal_days
    plan = posterior.plan(offered.ravel(), 2, target="modes", max_draws=1000)
    names = [group.name for group in plan.groups]
    assert names[:2] == ["41.74 days", "0.974 days"]
    assert plan.groups[0].probability > 0.6
    assert "separates 41.7 from 0.974 days" in plan.chosen[0].reason
    factors = np.array([one.log_bayes_factor for one in plan.candidates]).reshape(offered.shape)
    mean = factors.mean(axis=0)
    assert mean[2] < 0.2 * mean[3] and mean[3] < mean[4]
    # Both waves agree an hour or two beside the usual one, which sums of both sides do not see.
    wanted = np.sin(np.pi * hours / 24) ** 2
    beyond = mean[3:] + mean[1::-1] - 2.0 * mean[2]
    assert beyond[1] / beyond[0] == pytest.approx(wanted[4] / wanted[3], rel=0.35)
    assert hours[max(plan.chosen, key=lambda one: one.gain).candidate % 5] == 6.0


def test_reasons_name_planets(posterior):
    plan = posterior.plan(posterior.data.times_days[-1] + np.arange(1.0, 5.0), 1)
    assert "_1" not in plan.chosen[0].reason
