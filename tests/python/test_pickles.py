"""Results and what they are made from, pickled, copied and handed to other processes."""

import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import equant

WAYS = {
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def again(request):
    return request.param


def assert_same_fits(one, other):
    assert repr(one) == repr(other)
    assert repr(one.summary) == repr(other.summary)
    assert one.quantities == other.quantities and repr(one.planets) == repr(other.planets)
    assert repr(one.candidate) == repr(other.candidate)
    assert one.data == other.data and one.parameter_names == other.parameter_names
    for name in ("parameters", "covariance", "residuals_m_s", "model_velocities_m_s"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
        assert not getattr(other, name).flags.writeable


def test_data(data, again):
    assert again(data) == data


def test_data_remember_their_files(tmp_path, again):
    path = tmp_path / "star.csv"
    path.write_text("bjd,rv,rv_err\n55000.5,1.5,0.9\n55003.5,-2.5,0.8\n")
    data = equant.Data.from_files(path)
    twin = again(data)
    assert data.warnings and twin.warnings == data.warnings
    assert (twin.format, twin.unit) == (data.format, data.unit) and data.format
    assert twin.time_name == data.time_name == "BJD"


def test_fits(fit, again):
    twin = again(fit)
    assert_same_fits(fit, twin)
    assert twin.evaluator().chi_square(twin.parameters) == pytest.approx(fit.summary.chi_square)


def test_periodograms(data, again):
    found = equant.search(data, period_min_days=500.0, n_peaks=3)
    twin = again(found)
    assert repr(twin.peaks) == repr(found.peaks) and len(found.peaks) == 3
    for name in found.table:
        assert np.array_equal(twin.table[name], found.table[name])
    assert (twin.n_nodes, twin.seconds) == (found.n_nodes, found.seconds)
    assert twin.level(1e-4) == found.level(1e-4) and twin.data == data


def test_bytes_that_are_no_periodogram(data):
    found = equant.search(data, period_min_days=2000.0)
    function, (contents, _) = found.__reduce__()
    for wrong in (b"", contents[:100], contents[:-8], contents + b"0", b"x" + contents[1:]):
        with pytest.raises(equant.FormatError, match="periodogram"):
            function(wrong, data)
    older = contents.replace(equant.version().encode(), b"0.0.9", 1)
    with pytest.raises(equant.FormatError, match="version 0.0.9"):
        function(older, data)


def test_posteriors(posterior, again):
    try:
        twin = again(posterior)
    except equant.Unavailable:
        pytest.skip("built without NetCDF")
    assert repr(twin) == repr(posterior) and repr(twin.summary) == repr(posterior.summary)
    assert repr(twin.quantities) == repr(posterior.quantities)
    assert repr(twin.modes) == repr(posterior.modes)
    assert twin.provenance == posterior.provenance and twin.data == posterior.data
    assert twin.provenance["star_name"] == "a star"
    for name in posterior.names:
        assert np.array_equal(twin[name], posterior[name])
    assert np.array_equal(twin.log_likelihoods, posterior.log_likelihoods)


def test_models_evaluators_and_priors(data, again):
    model = equant.Model(2, n_instruments=3, trend="linear", jitter=True)
    assert again(model).parameter_names == model.parameter_names
    evaluator = equant.Evaluator(data, n_planets=1)
    orbits = equant.orbits_draw(10, 1, seed=1)
    assert np.array_equal(again(evaluator).chi_square(orbits), evaluator.chi_square(orbits))
    priors = equant.Priors(data, 1, prior_set="kipping", changes={"eccentricity_1": 0})
    twin = again(priors)
    assert dict(twin) == dict(priors) and (twin.n_planets, twin.trend) == (1, "none")
    twin["eccentricity_1"] = 0.5
    assert priors["eccentricity_1"] != twin["eccentricity_1"]


def test_addresses_are_not_pickled(data):
    for twice in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="neither copied nor pickled"):
            twice(data._handle)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_pools_of_processes_return_them(data, fit, method):
    """Functions of the package itself: a new process need not find those of a test."""
    long = {"period_min_days": 500.0, "progress": False}
    with multiprocessing.get_context(method).Pool(1) as pool:
        asked = [
            pool.apply_async(copy.deepcopy, (data,)),
            pool.apply_async(equant.search, (data,), long),
            pool.apply_async(equant.fit, (data, 1), {**long, "star_mass": 0.87}),
        ]
        their_data, found, theirs = (answer.get(300) for answer in asked)
    assert their_data == data
    assert found.peaks[0].period_days == pytest.approx(1200, rel=0.01)
    assert_same_fits(fit, theirs)
