#!/usr/bin/env python3
"""Opens the file that test_run_file writes with xarray and ArviZ, and checks that everything is
where users of these look for it. Usage: arviz_check.py FILE"""
import pathlib
import sys
import warnings

import numpy as np
import xarray as xr

warnings.simplefilter("ignore")
import arviz as az  # noqa: E402

path = sys.argv[1]
N_CHAINS, N_STEPS, N_WALKERS, N_OBS = 3, 8, 4, 5
N_DRAWS = N_STEPS * N_WALKERS

PER_INSTRUMENT = {"offset_m_s", "jitter_m_s"}
ALONE = {"trend_m_s_day", "trend_m_s_day2"}
OF_LIGHT = {"insolation_earth", "t_eq_k"}  # the luminosity of the star is not known in this file


def variables_of_planets():
    """What docs/quantities.md lists of them."""
    page = pathlib.Path(__file__).parents[2] / "docs" / "quantities.md"
    rows = [line.split("|") for line in page.read_text("utf-8").splitlines() if line[:3] == "| `"]
    variables = [row[1].strip(" `") for row in rows]
    white = variables[: variables.index("jitter_m_s")]  # correlated noise is behind
    return set(white) - PER_INSTRUMENT - ALONE - OF_LIGHT


def check_posterior(posterior):
    of_planets = variables_of_planets()
    assert {"period_days", "k_m_s", "eccentricity", "omega_rad", "t_conj", "a_au"} <= of_planets
    assert set(posterior.data_vars) == of_planets | PER_INSTRUMENT | {"trend_m_s_day"}, posterior
    for name in of_planets:
        assert posterior[name].dims == ("chain", "draw", "planet"), posterior[name]
    for name in PER_INSTRUMENT:
        assert posterior[name].dims == ("chain", "draw", "instrument"), posterior[name]
    assert posterior["trend_m_s_day"].dims == ("chain", "draw")
    assert set(posterior.coords) == {"chain", "draw", "step", "walker", "planet", "instrument"}
    assert dict(posterior.sizes) == {"chain": N_CHAINS, "draw": N_DRAWS, "planet": 2,
                                     "instrument": 2}
    assert list(posterior.instrument.values) == ["HIRES", "APF é"]
    assert list(posterior.planet.values) == [1, 2]
    assert (posterior.walker == np.arange(N_DRAWS) % N_WALKERS).all()
    assert (posterior.step == 10 * (np.arange(N_DRAWS) // N_WALKERS) + 7).all()
    assert posterior.period_days.units == "d" and posterior.k_m_s.dtype == np.float64
    assert (posterior.period_days.diff("planet") >= 0).all()
    assert posterior.attrs["inference_library"] == "equant"
    assert list(posterior.attrs["sample_dims"]) == ["chain", "draw"]


def check_derived(posterior):
    """Masses, axes and times against formulas written down here once more."""
    lam = (posterior.m0_rad + posterior.omega_rad) % (2 * np.pi)
    assert np.allclose(posterior["lambda_rad"], lam, rtol=0, atol=1e-12)
    t_ref = posterior.attrs["reference_time_days"]
    phase = (posterior.m0_rad + 2 * np.pi * (posterior.t_peri - t_ref) / posterior.period_days) / (2 * np.pi)
    assert np.allclose(phase, np.round(phase), atol=1e-7)
    M = posterior.m0_rad + 2 * np.pi * (posterior.t_conj - t_ref) / posterior.period_days
    E = M
    for _ in range(200):
        E = E - (E - posterior.eccentricity * np.sin(E) - M) / (1 - posterior.eccentricity * np.cos(E))
    nu = 2 * np.arctan2(np.sqrt(1 + posterior.eccentricity) * np.sin(E / 2),
                        np.sqrt(1 - posterior.eccentricity) * np.cos(E / 2))
    assert np.allclose(np.sin(nu + posterior.omega_rad), 1, atol=1e-9)

    # Kepler's third law and the mass function, in SI units.
    GM_SUN, GM_JUPITER, AU, DAY = 1.3271244e20, 1.2668653e17, 1.495978707e11, 86400.0
    total = GM_SUN * posterior.attrs["star_mass"] + GM_JUPITER * posterior.m_sin_i_jupiter
    period = posterior.period_days * DAY
    axis = (total * (period / (2 * np.pi)) ** 2) ** (1 / 3) / AU
    assert np.allclose(posterior.a_au, axis, rtol=1e-5)
    K = (2 * np.pi / period / total**2) ** (1 / 3) * GM_JUPITER * posterior.m_sin_i_jupiter \
        / np.sqrt(1 - posterior.eccentricity**2)
    assert np.allclose(posterior.k_m_s, K, rtol=1e-5)


for engine in "netcdf4", "h5netcdf":
    with xr.open_dataset(path, group="posterior", engine=engine) as posterior:
        check_posterior(posterior)
        check_derived(posterior)
    with xr.open_dataset(path, group="sample_stats", engine=engine) as stats:
        assert set(stats.data_vars) == {"lp", "log_likelihood", "log_prior"}
        assert np.allclose(stats.lp, stats.log_likelihood + stats.log_prior, rtol=1e-15)
        assert stats.lp.shape == (N_CHAINS, N_DRAWS)
    with xr.open_dataset(path, group="observed_data", engine=engine) as observed:
        assert observed.rv.shape == (N_OBS,) and observed.rv[1] == -3.25
    with xr.open_dataset(path, group="constant_data", engine=engine) as constant:
        assert constant.t[0] == 2450000.25 and constant.sigma[4] == 2.0
        assert list(constant.instrument.values[:2]) == ["HIRES", "APF é"]
    with xr.open_dataset(path, group="evidence", engine=engine) as evidence:
        assert float(evidence.lnZ) == -100.5 and evidence.lnZ_run.shape == (3,)
        assert evidence.attrs["method"] == "bridge sampling"
    with xr.open_dataset(path, group="sampler", engine=engine) as sampler:
        assert list(sampler.beta.values) == [1, 0.5, 0.1, 0]
        assert bytes(sampler.state.values.astype(np.uint8)) == b"\x00\xff\x03\x00\x11\x80\x01"
    with xr.open_dataset(path, group="provenance", engine=engine) as provenance:
        assert provenance.attrs["options"] == "--planets 2\n--seed 42"

with xr.open_datatree(path) as tree:
    assert {"posterior", "sample_stats", "observed_data"} <= set(tree.children)

data = az.from_netcdf(path)
table = az.summary(data, var_names=["period_days", "k_m_s", "offset_m_s"])
assert len(table) == 6 and table.r_hat.notna().all(), table
print("arviz", az.__version__, "and xarray", xr.__version__, "open it as it is")
