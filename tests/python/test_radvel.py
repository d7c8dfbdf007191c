"""Posteriors of radvel in batches: the numbers are radvel's own."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

radvel = pytest.importorskip("radvel")

import equant.radvel  # noqa: E402

BASES = [
    "per tp e w k",
    "per tc e w k",
    "per tc se w k",
    "per tc secosw sesinw k",
    "per tc secosw sesinw logk",
    "per tc ecosw esinw k",
    "logper tc secosw sesinw k",
    "logper tc secosw sesinw logk",
    "logper tp e w logk",
]
PLANETS = [(1201.0, 2455600.3, 0.1, 2.6, 7.2), (75.77, 2455210.1, 0.4, 1.9, 2.2)]
TIME_BASE = 2454000.0


def build(basis="per tc secosw sesinw k", linear=(False, False, False), trend=True):
    """A posterior of HD 164922 as radvel's documentation builds it."""
    data = equant.Data.demonstration()
    parameters = radvel.Parameters(len(PLANETS), basis="per tc e w k")
    for number, elements in enumerate(PLANETS, 1):
        for word, value in zip(("per", "tc", "e", "w", "k"), elements):
            parameters[f"{word}{number}"] = radvel.Parameter(value=value)
    converted = parameters.basis.to_any_basis(parameters, basis)
    parameters = radvel.Parameters(len(PLANETS), basis=basis)
    for name in parameters:
        parameters[name].value = converted[name].value
    parameters["dvdt"] = radvel.Parameter(value=1e-4 if trend else 0.0, vary=trend)
    parameters["curv"] = radvel.Parameter(value=1e-8 if trend else 0.0, vary=trend)
    model = radvel.RVModel(parameters, time_base=TIME_BASE)
    members = []
    for number, name in enumerate(data.instrument_names):
        mine = data.instruments == number
        members.append(
            radvel.likelihood.RVLikelihood(
                model,
                data.times_days[mine],
                data.velocities_m_s[mine],
                data.uncertainties_m_s[mine],
                suffix=f"_{name}",
            )
        )
    likelihood = radvel.likelihood.CompositeLikelihood(members)
    for name, is_linear in zip(data.instrument_names, linear):
        likelihood.params[f"gamma_{name}"] = radvel.Parameter(
            value=0.3, vary=not is_linear, linear=is_linear
        )
        likelihood.params[f"jit_{name}"] = radvel.Parameter(value=2.6)
    likelihood.vector.dict_to_vector()
    return radvel.posterior.Posterior(likelihood)


def points_about(posterior, n, scale=1.0):
    """Points near the posterior's own, as a sampler would try them."""
    names = posterior.name_vary_params()
    centre = posterior.get_vary_params()
    scales = {"per1": 3.0, "per2": 0.04, "logper": 3e-3, "tc": 3.0, "tp": 3.0, "k": 0.5}
    widths = []
    for name in names:
        keys = [key for key in scales if name.startswith(key)]
        widths.append(scales[max(keys, key=len)] if keys else 0.1)
        if name in ("dvdt", "curv"):
            widths[-1] = {"dvdt": 1e-4, "curv": 1e-8}[name]
    random = np.random.default_rng(3)
    return centre + scale * np.array(widths) * random.standard_normal((n, len(names)))


def assert_same(posterior, points):
    """Answers of radvel, one after the other, and ours."""
    expected = np.array([posterior.logprob_array(point) for point in points])
    batched = equant.radvel.BatchedPosterior(posterior)
    found = batched(points)
    assert batched.names == tuple(posterior.name_vary_params())
    assert np.array_equal(np.isfinite(found), np.isfinite(expected))
    inside = np.isfinite(expected)
    assert inside.any()
    assert np.allclose(found[inside], expected[inside], rtol=1e-9, atol=0)
    return found


@pytest.mark.parametrize("basis", BASES)
def test_bases(basis):
    posterior = build(basis)
    assert_same(posterior, points_about(posterior, 50))


@pytest.mark.parametrize("linear", [(True, True, True), (True, False, True)])
def test_offsets_integrated_out(linear):
    posterior = build(linear=linear, trend=False)
    assert_same(posterior, points_about(posterior, 50))


def test_offsets_that_are_fixed():
    posterior = build()
    posterior.params["gamma_k"].vary = False
    posterior.params["curv"].vary = False
    posterior.vector.dict_to_vector()
    posterior.list_vary_params()
    assert_same(posterior, points_about(posterior, 20))


def test_all_priors():
    posterior = build(trend=False)
    random = np.random.default_rng(1)
    posterior.priors += [
        radvel.prior.EccentricityPrior(2, upperlims=[0.6, 0.5]),
        radvel.prior.PositiveKPrior(2),
        radvel.prior.Gaussian("per1", 1200.0, 4.0),
        radvel.prior.HardBounds("jit_k", 2.4, 10.0),
        radvel.prior.Jeffreys("k1", 6.5, 100.0),
        radvel.prior.ModifiedJeffreys("jit_j", 2.4, 20.0, -1.0),
        radvel.prior.NumericalPrior(["secosw2", "sesinw2"], random.standard_normal((2, 50))),
        radvel.prior.SecondaryEclipsePrior(2, 2455240.0, 30.0),
        radvel.prior.InformativeBaselinePrior("per1", 1000.0),
        radvel.prior.UserDefinedPrior(["jit_a"], lambda x: -x[0], "$x$"),
    ]
    found = assert_same(posterior, points_about(posterior, 200))
    assert 0 < np.isfinite(found).sum() < len(found)


def test_priors_in_a_basis_of_logarithms():
    posterior = build("logper tc secosw sesinw logk", trend=False)
    posterior.priors += [
        radvel.prior.PositiveKPrior(2),
        radvel.prior.EccentricityPrior(2),
        radvel.prior.InformativeBaselinePrior("logper1", 1000.0),
    ]
    assert_same(posterior, points_about(posterior, 100, scale=2.0))


def test_orbits_beyond_radvels_limit():
    posterior = build("per tc e w k", trend=False)
    points = points_about(posterior, 6)
    names = posterior.name_vary_params()
    points[:, names.index("e1")] = [0.985, 0.995, 1.0, 1.2, -0.05, 0.0]
    points[:3, names.index("jit_k")] *= -1
    points[3:, names.index("k2")] *= -1
    assert_same(posterior, points)


def test_periods_that_are_not_positive():
    posterior = build(trend=False)
    points = points_about(posterior, 3)
    points[1, 0] = -5.0
    found = equant.radvel.BatchedPosterior(posterior)(points)
    assert found[1] == -np.inf and np.isfinite(found[[0, 2]]).all()


def test_a_likelihood_alone():
    posterior = build(trend=False)
    points = points_about(posterior, 5)
    batched = equant.radvel.BatchedPosterior(posterior.likelihood)
    expected = [posterior.likelihood.logprob_array(point) for point in points]
    assert np.allclose(batched.log_probability(points), expected, rtol=1e-9, atol=0)
    assert np.all(batched.log_prior(points) == 0)


def test_shapes_and_pickles():
    posterior = build(trend=False)
    batched = equant.radvel.BatchedPosterior(posterior)
    points = points_about(posterior, 6)
    many = batched(points)
    assert isinstance(batched(points[0]), float) and batched(points[0]) == many[0]
    assert np.array_equal(batched(points.reshape(2, 3, -1)), many.reshape(2, 3))
    assert np.array_equal(batched.neglogprob_array(points), -many)
    assert np.array_equal(pickle.loads(pickle.dumps(batched))(points), many)
    with pytest.raises(equant.InvalidArgument, match="16 dimensions"):
        batched(points[:, :3])


def test_the_unit_cube():
    posterior = build(trend=False)
    bounds = {
        name: (centre - 1.0, centre + 1.0)
        for name, centre in zip(posterior.name_vary_params(), posterior.get_vary_params())
    }
    posterior.priors += [radvel.prior.HardBounds(name, *ends) for name, ends in bounds.items()]
    batched = equant.radvel.BatchedPosterior(posterior)
    cube = np.random.default_rng(5).random((4, batched.n_dim))
    expected = [posterior.prior_transform(row) for row in cube]
    assert np.array_equal(batched.prior_transform(cube), expected)
    assert np.array_equal(batched.prior_transform(cube[0]), expected[0])


def test_what_is_refused():
    posterior = build(trend=False)
    member = posterior.likelihood.like_list[0]
    member.decorr_params = ["c1_x_k"]
    with pytest.raises(equant.InvalidArgument, match="decorrelation"):
        equant.radvel.BatchedPosterior(posterior)
    member.decorr_params = []
    posterior.model.__class__ = radvel.model.GeneralRVModel
    with pytest.raises(equant.InvalidArgument, match="RVModel"):
        equant.radvel.BatchedPosterior(posterior)
