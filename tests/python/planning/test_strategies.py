"""Strategies on simulated stars: the summaries are those of the stars."""

import numpy as np
import pytest

import equant


def test_strategies_are_compared():
    nights = 2461000.4 + np.arange(700.0)
    times = np.sort(np.concatenate([nights, nights + 0.1]))
    wanted = dict(n_stars=4, n_most=10, span_days=200.0, amplitude=1.0, period_max_days=40.0)
    study = equant.compare_strategies(times, ahead_days=6.0, **wanted)
    assert list(study.by_name) == ["random", "uniform", "everything", "modes", "candidate"]
    uniform, modes = study["uniform"], study["modes"]
    taken = {s.name: np.where(s.answered, s.observations, 10) for s in (uniform, modes)}
    assert taken["uniform"].mean() == pytest.approx(uniform.mean_observations)
    assert modes.saving == pytest.approx(1 - taken["modes"].sum() / taken["uniform"].sum())
    assert np.all((study.period_days > 5) & (study.period_days < 40))
    with pytest.raises(equant.InvalidArgument):
        equant.compare_strategies(times, question="why")
