"""The posterior as a function for samplers of others."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import equant

PERIODS = {"period_days_1": "log-uniform(50, 100)", "period_days_2": "log-uniform(1000, 1400)"}


@pytest.fixture(scope="module")
def data():
    return equant.Data.demonstration()


@pytest.fixture(scope="module", params=["smooth", "parameters"])
def target(request, data):
    return equant.Target(data, 2, priors=PERIODS, space=request.param)


def test_densities_add_up(target):
    points = target.draw(40, seed=2)
    total = target(points)
    assert total.shape == (40,) and np.isfinite(total).all()
    assert np.array_equal(total, target.log_prior(points) + target.log_likelihood(points))


def test_shapes(target):
    points = target.draw(6, seed=3)
    many = target(points)
    assert [target(point) for point in points] == list(many)
    assert target(list(points[0])) == many[0] and isinstance(target(points[0]), float)
    assert np.array_equal(target(points.reshape(2, 3, -1)), many.reshape(2, 3))
    assert target(np.empty((0, target.n_dim))).shape == (0,)
    out = np.empty(6)
    assert target(points, out) is out and np.array_equal(out, many)
    with pytest.raises(equant.InvalidArgument, match="16 columns"):
        target(points[:, :5])


def test_likelihoods_are_those_of_the_evaluator(target, data):
    evaluator = equant.Evaluator(data, n_planets=2, offset_columns="given", jitter=True)
    points = target.draw(20, seed=4)
    parameters = target.to_parameters(points)
    assert target.parameter_names == evaluator.parameter_names
    assert np.array_equal(target.log_likelihood(points), evaluator.log_likelihood(parameters))


def test_the_cube(target):
    cube = np.random.default_rng(1).random((30, target.n_dim))
    points = target.prior_transform(cube)
    assert np.isfinite(target.log_prior(points)).all()
    assert np.array_equal(target.prior_transform(cube[3]), points[3])
    columns = target.to_columns(points)
    expected = 50 * (100 / 50) ** cube[:, 0]
    assert np.allclose(columns["period_days_1"], expected, rtol=1e-12)
    longitude = np.remainder(columns["omega_rad_2"] + columns["m0_rad_2"], 2 * np.pi)
    assert np.allclose(longitude, 2 * np.pi * cube[:, 9], rtol=0, atol=1e-9)
    wrapping = [name for name, wraps in zip(target.names, target.wraps) if wraps]
    assert len(wrapping) == 4


def test_points_and_parameters(target):
    points = target.draw(10, seed=5)
    back = target.from_parameters(target.to_parameters(points))
    assert np.allclose(back, points, rtol=1e-9, atol=1e-9)


def test_outside(target):
    point = target.draw(1)[0]
    point[0] = np.nan
    assert target(point) == -np.inf
    assert np.isnan(target.to_parameters(point)).all()


def test_walkers_start_inside(target):
    parameters = target.to_parameters(target.draw(1, seed=6)[0])
    walkers = target.around(parameters, 50, seed=1)
    assert walkers.shape == (50, target.n_dim)
    assert np.isfinite(target(walkers)).all()
    assert np.array_equal(walkers, target.around(parameters, 50, seed=1))
    parameters[0] = 1e5
    with pytest.raises(equant.InvalidArgument, match="outside the prior"):
        target.around(parameters, 5)


@pytest.mark.parametrize("space", ["smooth", "parameters"])
def test_walkers_start_as_wide_as_they_are_told(space, data):
    """In multiples of the errors of the fit, which come from elsewhere."""
    fit = equant.fit(data, 1, period_min_days=500.0)
    priors = {"period_days_1": "log-uniform(1000, 1400)"}
    target = equant.Target(fit.data, 1, space=space, priors=priors)
    errors = {"period_days_1": fit.planets[0].period_days_err, "k_m_s_1": fit.planets[0].k_m_s_err}
    best = target.from_parameters(fit.parameters)
    for spread in (0.5, 2.0):
        starts = target.around(fit, 2000, seed=2, spread=spread)
        columns = target.to_columns(starts)
        for name, error in errors.items():
            assert columns[name].std() == pytest.approx(spread * error, rel=0.35)
        assert np.all(target(starts) > target(best) - 10 * spread**2 * target.n_dim)


def test_pickles(target):
    points = target.draw(5, seed=7)
    twin = pickle.loads(pickle.dumps(target))
    assert np.array_equal(twin(points), target(points)) and repr(twin) == repr(target)


def test_what_can_be_asked_for(data):
    circular = equant.Target(data, 1, prior_set="circular", marginalise_offsets=True)
    assert circular.n_dim == 6 and circular.n_parameters == 8
    with pytest.raises(equant.InvalidArgument, match="space must be one of"):
        equant.Target(data, 1, space="elsewhere")
    with pytest.raises(equant.InvalidArgument, match="another model"):
        equant.Target(data, 2, priors=equant.Priors(data, 1))


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"marginalise_offsets": True, "trend": "linear"},
        {"noise": "night,rotation"},
        {"prior_set": "circular"},
    ],
)
def test_gradients_are_those_of_the_values(target, data, keywords):
    long = {"period_days_1": "log-uniform(1000, 1400)"}
    target = equant.Target(data, 1, space=target.space, priors=long, **keywords)
    points = target.draw(30, seed=6)
    points = points[target.log_likelihood(points) > -1e5]
    values, gradients = target.value_and_gradient(points)
    assert np.allclose(values, target(points), rtol=1e-12)
    for i in range(target.n_dim):
        step = 1e-6 * np.maximum(np.abs(points[:, i]), 1e-3)
        up, down = points.copy(), points.copy()
        up[:, i] += step
        down[:, i] -= step
        slopes = (target(up) - target(down)) / (2 * step)
        inside = np.isfinite(slopes)
        scale = np.abs(gradients).max(axis=1)[inside]
        assert np.all(np.abs(slopes - gradients[:, i])[inside] < 1e-4 * scale + 1e-3)


def test_gradients_add_up(target):
    points = target.draw(5, seed=7)
    parts = [target.gradient(points, of=name) for name in ("prior", "likelihood")]
    assert np.allclose(parts[0] + parts[1], target.gradient(points), rtol=1e-12)
    value, gradient = target.value_and_gradient(points[0])
    assert isinstance(value, float) and np.array_equal(gradient, target.gradient(points)[0])
    value, gradient = target.value_and_gradient(np.full(target.n_dim, np.nan))
    assert value == -np.inf and np.isnan(gradient).all()
    with pytest.raises(equant.InvalidArgument, match="'prior'"):
        target.gradient(points, of="evidence")
