"""Targets as operations of PyTensor."""

import pickle

import numpy as np
import pytest

import equant

pytensor = pytest.importorskip("pytensor")
import pytensor.tensor as pt  # noqa: E402

import equant.pytensor  # noqa: E402

pytensor.config.cxx = ""  # nothing here is worth a compiler


@pytest.fixture(scope="module")
def target(data):
    return equant.Target(data, 1, priors={"period_days_1": "log-uniform(1000, 1400)"})


@pytest.mark.parametrize("of", ["probability", "likelihood", "prior"])
def test_values_and_gradients_are_those_of_the_target(target, of):
    points = target.draw(6, seed=1)
    points[2] = np.nan
    values, gradients = target.value_and_gradient(points, of=of)
    x = pt.matrix("x")
    density = equant.pytensor.log_density(target, of)(x)
    found = pytensor.function([x], [density, pt.grad(density.sum(), x)], mode="FAST_COMPILE")
    one, slopes = found(points)
    assert np.array_equal(one, values) and np.array_equal(slopes, gradients, equal_nan=True)
    v = pt.vector("v")
    density = equant.pytensor.log_density(target, of)(v)
    one = pytensor.function([v], [density, pt.grad(3.0 * density**2, v)], mode="FAST_COMPILE")
    value, slope = one(points[0])
    assert value == values[0] and np.allclose(slope, 6.0 * values[0] * gradients[0], rtol=1e-12)


def test_one_pass_gives_both(target):
    v = pt.vector("v")
    density = equant.pytensor.log_density(target)(v)
    both = pytensor.function([v], [density, pt.grad(density, v)])
    names = [str(node.op) for node in both.maker.fgraph.toposort()]
    assert sum("DensityOp" in name for name in names) == 1


def test_second_derivatives_are_refused_and_operations_travel(target):
    v = pt.vector("v")
    density = equant.pytensor.log_density(target)(v)
    with pytest.raises(Exception, match="no second ones"):
        slopes = pytensor.function([v], pt.grad(pt.grad(density, v).sum(), v))
        slopes(target.draw(1, seed=2)[0])
    other = pickle.loads(pickle.dumps(density.owner.op))
    points = target.draw(3, seed=3)
    answers = pytensor.function([v], other(v)[0], mode="FAST_COMPILE")
    assert answers(points[0]) == target.value_and_gradient(points[0])[0]
    with pytest.raises(equant.InvalidArgument, match="of must be"):
        equant.pytensor.log_density(target, "evidence")
