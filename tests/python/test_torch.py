"""Targets as functions of PyTorch."""

import numpy as np
import pytest

import equant

torch = pytest.importorskip("torch", "2.0")
import equant.torch  # noqa: E402


@pytest.fixture(scope="module")
def target(data):
    return equant.Target(data, 1, priors={"period_days_1": "log-uniform(1000, 1400)"})


@pytest.mark.parametrize("of", ["probability", "likelihood", "prior"])
def test_values_and_gradients_are_those_of_the_target(target, of):
    rows = target.draw(6, seed=1)
    rows[2] = np.nan
    values, gradients = target.value_and_gradient(rows, of=of)
    density = equant.torch.log_density(target, of)
    points = torch.tensor(rows, requires_grad=True)
    found = density(points)
    found.sum().backward()
    assert np.array_equal(found.detach().numpy(), values)
    assert np.array_equal(points.grad.numpy(), gradients, equal_nan=True)
    one = torch.tensor(rows[0], requires_grad=True)
    (3.0 * density(2.0 * one / 2.0) ** 2).backward()
    assert np.allclose(one.grad.numpy(), 6.0 * values[0] * gradients[0], rtol=1e-12)


def test_torch_maps_and_checks(target, fit):
    density = equant.torch.log_density(target)
    points = torch.tensor(target.draw(4, seed=2))
    mapped = torch.func.vmap(density, in_dims=1)(points.T.contiguous())
    assert torch.equal(mapped, density(points))
    slopes = torch.func.vmap(torch.func.grad(density))(points)
    assert np.array_equal(slopes.numpy(), target.gradient(points.numpy()))
    best = torch.tensor(target.around(fit, 1, seed=1, spread=1e-4)[0], requires_grad=True)
    assert torch.autograd.gradcheck(density, (best,), eps=1e-6, atol=1e-2, rtol=1e-4)


def test_what_is_refused(target):
    with pytest.raises(equant.InvalidArgument, match="of must be"):
        equant.torch.log_density(target, "evidence")
    density = equant.torch.log_density(target)
    with pytest.raises(equant.InvalidArgument, match="float64"):
        density(torch.zeros(target.n_dim))
    points = torch.tensor(target.draw(1, seed=3), requires_grad=True)
    slopes = torch.autograd.grad(density(points).sum(), points, create_graph=True)[0]
    with pytest.raises(RuntimeError, match="does not require grad"):
        slopes.sum().backward()
