"""Setup files of radvel, converted; and, where radvel is there, the same maximum as its own."""

import os
import pathlib
import types

import numpy as np
import pytest

import equant
from equant.radvel import convert_setup
from shared_data import shared_file


class Parameter:
    def __init__(self, value, vary=True):
        self.value, self.vary = value, vary


def prior(kind, **members):
    """An object of a class of that name, as the converter knows priors."""
    made = type(kind, (), {})()
    made.__dict__.update(members)
    return made


def setup(**changes):
    time = 2364.8 + np.linspace(0, 100, 40) ** 1.01
    velocity = -6 * np.sin(2 * np.pi * (time - 2072.79438) / 20.885258)
    params = {
        "per1": Parameter(20.885258, False),
        "tc1": Parameter(2072.79438, False),
        "secosw1": Parameter(0.0, False),
        "sesinw1": Parameter(0.0, False),
        "k1": Parameter(5.0),
        "per2": Parameter(42.363011),
        "tc2": Parameter(2082.62516),
        "secosw2": Parameter(0.1),
        "sesinw2": Parameter(0.1),
        "k2": Parameter(3.0),
        "dvdt": Parameter(0.0),
        "curv": Parameter(0.0, False),
        "gamma_j": Parameter(0.0),
        "jit_j": Parameter(2.0, False),
    }
    names = dict(
        starname="star",
        nplanets=2,
        fitting_basis="per tc secosw sesinw k",
        planet_letters={1: "b", 2: "d"},
        params=params,
        data={
            "time": time,
            "mnvel": velocity,
            "errvel": np.full(40, 2.0),
            "tel": np.array(["j"] * 40),
        },
        time_base=2400.0,
        priors=[
            prior("EccentricityPrior", upperlims=0.5, planet_list=[1, 2]),
            prior("PositiveKPrior", num_planets=2),
            prior("Gaussian", param="tc2", mu=2082.62516, sigma=0.002),
            prior("Jeffreys", param="k2", minval=0.1, maxval=10.0),
            prior("HardBounds", param="jit_j", minval=0.0, maxval=10.0),
            prior("SecondaryEclipsePrior", planet_num=2, ts=2100.0, ts_err=1.0),
            prior("UserDefinedPrior", param_list=["k1", "k2"]),
        ],
        stellar=dict(mstar=1.07, mstar_err=0.06),
    )
    names.update(changes)
    return types.SimpleNamespace(**names)


def test_parameters_and_priors_become_states():
    made = convert_setup(setup())
    assert made.name == "star" and made.star_mass == 1.07 and made.star_mass_err == 0.06
    assert made.data.reference_time_days == 2400.0
    states = dict(made.states)
    low, high = (float(end) for end in states.pop("d.period_days").split(":"))
    assert low < 42.363011 < high and high - low < 20
    unreached = float(states.pop("b.k_m_s")[len("uniform(0, ") : -1])
    assert unreached == pytest.approx(10 * np.ptp(made.data.velocities_m_s))
    assert made.star == equant.Star(mass=1.07, mass_err=0.06)
    assert states == {
        "b.period_days": "20.885258",
        "b.t_conj": "2072.79438",
        "b.eccentricity": "0.0",
        "jitter[j]": "2.0",
        "trend": "linear",
        "d.eccentricity": "0:0.5",
        "d.t_conj": "normal(2082.62516, 0.002)",
        "d.k_m_s": "log-uniform(0.1, 10.0)",
        "d.t_sup": "normal(2100.0, 1.0)",
    }
    assert made.left_out == (
        "the prior HardBounds of jit_j: its parameter is fixed",
        "the prior UserDefinedPrior",
    )


def test_what_varies_is_uniform_in_the_fitting_basis():
    wanted = setup(
        fitting_basis="per tc secosw sesinw logk",
        priors=[
            prior("HardBounds", param="secosw2", minval=-1, maxval=1),
            prior("HardBounds", param="logk2", minval=np.log(0.1), maxval=np.log(20)),
            prior("Gaussian", param="logk2", mu=1.0, sigma=0.5),
        ],
    )
    wanted.params["logk1"], wanted.params["logk2"] = Parameter(1.6), Parameter(1.0)
    wanted.params["jit_j"] = Parameter(2.0)
    made = convert_setup(wanted)
    assert made.left_out == ("the prior Gaussian of logk2: its parameter has one already",)
    low, high = (float(end) for end in made.states["d.k_m_s"][len("log-uniform(") : -1].split(","))
    assert low == pytest.approx(0.1) and high == pytest.approx(20)
    assert made.states["b.k_m_s"].startswith("log-uniform(0.00")
    assert made.states["jitter[j]"].startswith("uniform(0, ")


def test_offsets_that_radvel_integrates_out_are_free():
    wanted = setup(priors=[])
    wanted.params["gamma_j"] = Parameter(1.0, False)
    wanted.params["gamma_j"].linear = True
    assert "offset[j]" not in convert_setup(wanted).states
    wanted.params["gamma_j"].linear = False
    assert convert_setup(wanted).states["offset[j]"] == "1.0"


def test_processes_and_half_shapes_are_named():
    wanted = setup(priors=[])
    wanted.params["gp_amp"] = Parameter(3.0)
    wanted.params["sesinw2"] = Parameter(0.1, False)
    said = convert_setup(wanted).left_out
    assert "sesinw2 is fixed without its pair" in said
    assert any("Gaussian process (gp_amp)" in own for own in said)


def test_what_is_no_setup_is_refused(tmp_path):
    path = tmp_path / "nothing.py"
    path.write_text("nplanets = 1\n")
    with pytest.raises(equant.InvalidArgument, match="params and data"):
        convert_setup(path)


def test_a_converted_setup_is_a_star_file(tmp_path):
    made = convert_setup(setup())
    path = made.write(tmp_path / "star")
    try:
        read = equant.read_star_file(path)
    except equant.Unavailable:
        pytest.skip("this library reads no star files")
    assert dict(read.states) == dict(made.states)
    data = equant.Data.from_files(
        os.path.join(os.path.dirname(path), *read.values("data", "files"))
    )
    assert np.array_equal(data.velocities_m_s, made.data.velocities_m_s)


def test_the_maximum_is_that_of_radvel(tmp_path):
    """K2-24 with circles of known phase, a trend and a curvature."""
    radvel = pytest.importorskip("radvel")
    optimize = pytest.importorskip("scipy.optimize")
    data = shared_file("radvel/epic203771098.csv")
    path = tmp_path / "k2_24.py"
    path.write_text(
        "import pandas, radvel\n"
        "starname, nplanets, fitting_basis = 'K2-24', 2, 'per tc secosw sesinw k'\n"
        f"data = pandas.read_csv({str(data)!r}).rename(columns=dict(t='time', vel='mnvel'))\n"
        "data['tel'] = 'j'\n"
        "time_base = 2420.0\n"
        "params = radvel.Parameters(2, basis=fitting_basis)\n"
        "for n, per, tc in ((1, 20.885258, 2072.79438), (2, 42.363011, 2082.62516)):\n"
        "    params[f'per{n}'] = radvel.Parameter(per, vary=False)\n"
        "    params[f'tc{n}'] = radvel.Parameter(tc, vary=False)\n"
        "    params[f'secosw{n}'] = radvel.Parameter(0.0, vary=False)\n"
        "    params[f'sesinw{n}'] = radvel.Parameter(0.0, vary=False)\n"
        "    params[f'k{n}'] = radvel.Parameter(5.0)\n"
        "params['dvdt'], params['curv'] = radvel.Parameter(0.0), radvel.Parameter(0.0)\n"
        "params['gamma_j'], params['jit_j'] = radvel.Parameter(0.0), radvel.Parameter(2.7)\n"
        "priors = [radvel.prior.PositiveKPrior(2)]\n"
    )
    made = convert_setup(path)
    assert made.left_out == ()
    ours = made.fit(engine=equant.Engine(n_threads=1))
    import runpy

    names = runpy.run_path(str(path))
    model = radvel.RVModel(names["params"], time_base=2420.0)
    table = names["data"]
    likelihood = radvel.likelihood.RVLikelihood(
        model, *(np.asarray(table[name]) for name in ("time", "mnvel", "errvel")), suffix="_j"
    )
    posterior = radvel.posterior.Posterior(likelihood)
    point, found = posterior.get_vary_params(), None
    for _ in range(10):
        found = optimize.minimize(
            lambda x: -posterior.logprob_array(x),
            point,
            method="Nelder-Mead",
            options={"maxiter": 20000, "xatol": 1e-9, "fatol": 1e-12},
        )
        point = found.x
    assert ours.summary.log_likelihood == pytest.approx(-found.fun, abs=1e-6)
