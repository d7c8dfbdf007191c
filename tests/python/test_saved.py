"""Results in folders: written here, read by the command, and the other way round."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import equant
from equant._folder import program as _program


@pytest.fixture(scope="module")
def netcdf(posterior, tmp_path_factory):
    """Whether files of runs can be used."""
    try:
        posterior.save(tmp_path_factory.mktemp("probe"))
    except equant.Unavailable:
        pytest.skip("built without NetCDF")


@pytest.fixture(scope="module")
def command():
    try:
        return _program.program()
    except equant.Unavailable:
        pytest.skip("the command is not there")


def assert_alike(one, other):
    """All digits but for angles, which are in degrees in the folder."""
    assert one.parameter_names == other.parameter_names and one.trend == other.trend
    assert one.data == other.data and one.data.warnings == other.data.warnings
    assert repr(one.summary) == repr(other.summary) and one.aliases == other.aliases
    numbers = one.number_probabilities
    assert numbers == pytest.approx(other.number_probabilities, rel=1e-15)
    # Of one number alone there is nothing to compare.
    assert numbers == () or sum(numbers) == pytest.approx(1.0)
    for name in ("parameters", "covariance", "residuals_m_s", "model_velocities_m_s"):
        assert np.array_equal(getattr(one, name), getattr(other, name))
    assert len(one.quantities) == len(other.quantities)
    for mine, theirs in zip(one.quantities, other.quantities):
        assert (mine.name, mine.kind, mine.planet, mine.instrument) == (
            theirs.name,
            theirs.kind,
            theirs.planet,
            theirs.instrument,
        )
        expected = pytest.approx((mine.value, mine.err), rel=1e-14, nan_ok=True)
        assert (theirs.value, theirs.err) == expected
    for mine, theirs in zip([*one.planets, one.candidate], [*other.planets, other.candidate]):
        assert (mine is None) == (theirs is None)
        for name, value in vars(mine).items() if mine is not None else ():
            kept = getattr(theirs, name)
            is_number = isinstance(value, float)
            assert kept == (pytest.approx(value, rel=1e-14, nan_ok=True) if is_number else value)
    assert one.refusal == other.refusal


def test_a_fit_comes_back(fit, tmp_path):
    fit.save(tmp_path / "new" / "folder", star_name="HD 164922")
    assert_alike(fit, equant.load(tmp_path / "new" / "folder"))
    assert ".equant.lock" not in os.listdir(tmp_path / "new" / "folder")
    origin = json.loads((tmp_path / "new" / "folder" / "origin.json").read_text())
    assert origin["star_name"] == "HD 164922" and origin["star_mass"] == 0.87
    assert origin["command"] == "equant.fit(data, 1, period_min_days=500.0, star_mass=0.87)"
    fit.save(tmp_path / "new" / "folder")  # a second time


@pytest.mark.parametrize("trend", ["none", "linear", "quadratic"])
def test_fits_of_all_kinds_come_back(data, trend, tmp_path):
    instruments = np.array(['k "upgraded"', "j, new", "ä"])[data.instruments]
    arrays = (data.times_days, data.velocities_m_s, data.uncertainties_m_s)
    odd = equant.Data.from_arrays(*arrays, instruments)
    found = equant.fit(odd, 0 if trend == "none" else 1, trend=trend, period_min_days=500.0)
    found.save(tmp_path)
    assert_alike(found, equant.load(tmp_path))


def test_indicators_and_the_name_of_times_come_back(data, tmp_path):
    random = equant.random_normal(7, data.n_obs)
    sparse = np.where(np.arange(data.n_obs) % 3, random, np.nan)
    star = equant.Data.from_arrays(
        data.times_days,
        data.velocities_m_s,
        data.uncertainties_m_s,
        indicators={
            "log_rhk": (sparse, 0.01),
            "bis": equant.Indicator(random, None, None, "m/s"),
        },
        time_name="BJD",
    )
    found = equant.fit(star, 0)
    found.save(tmp_path)
    assert_alike(found, equant.load(tmp_path))
    assert equant.load(tmp_path).data.indicators["bis"].unit == "m/s"
    assert equant.load(tmp_path).data.time_name == "BJD"


def test_runs_keep_indicators_and_the_name_of_times(data, netcdf, sampled, tmp_path):
    star = equant.Data.from_arrays(
        data.times_days,
        data.velocities_m_s,
        data.uncertainties_m_s,
        indicators={"s_index": np.linspace(0.1, 0.2, data.n_obs)},
        time_name="HJD",
    )
    run = sampled(star, path=tmp_path / "run.nc")
    for kept in (run.data, equant.load(tmp_path / "run.nc").data):
        assert kept == star and kept.time_name == "HJD"


def test_candidates_and_bounds_come_back(data, tmp_path):
    """A planet whose period is longer than the range, and one that is refused."""
    times = np.linspace(0.0, 300.0, 40)
    slow = equant.radial_velocity(times, 900.0, 80.0, 0.1, 1.0, 0.5) + equant.random_normal(2, 40)
    star = equant.Data.from_arrays(times, slow, 1.0)
    bounded = equant.fit(star, 1, period_min_days=20.0, period_max_days=400.0, trend="none")
    assert bounded.planets[0].at_limit == "longest"
    judged = equant.fit(data["a"], period_min_days=20.0, max_planets=1)
    assert judged.candidate is None or judged.refusal
    for index, found in enumerate((bounded, judged)):
        found.save(tmp_path / str(index))
        assert_alike(found, equant.load(tmp_path / str(index)))


def test_files_are_those_of_the_command(data, command, tmp_path):
    range_ = ["--period", "500:3000", "--planets", "1", "--star-mass", "0.87", "--no-pictures"]
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    run = [command, "fit", "--demo", *range_, "--out", str(theirs)]
    subprocess.run(run, check=True, capture_output=True)
    fit = equant.fit(data, 1, period_min_days=500.0, period_max_days=3000.0, star_mass=0.87)
    fit.save(ours)
    assert_alike(fit, equant.load(theirs))
    one, other = (json.loads((folder / "fit.json").read_text()) for folder in (ours, theirs))
    assert list(one) == list(other)
    for key in set(one) - {"hints"}:
        assert one[key] == other[key], key
    assert set(os.listdir(theirs)) - set(os.listdir(ours)) == {"curve.ecsv"}
    for name in ("planets", "parameters", "covariance", "residuals"):
        one, other = (numbers_of(folder / f"{name}.ecsv") for folder in (ours, theirs))
        assert one == other, name


def numbers_of(path):
    """A table whose numbers are written alike; the description of it stays as it is."""
    lines = path.read_text().splitlines()
    cells = [line.split(",") for line in lines if not line.startswith("#")]
    return [line for line in lines if line.startswith("# -") and "t_ref" not in line], [
        [number_or_text(cell) for cell in row] for row in cells
    ]


def number_or_text(cell):
    try:
        return repr(float(cell))
    except ValueError:
        return cell


def test_the_command_reads_what_is_saved(fit, posterior, netcdf, command, tmp_path):
    fit.save(tmp_path)
    posterior.save(tmp_path)
    run = [command, "report", str(tmp_path), "--no-periodograms"]
    subprocess.run(run, check=True, capture_output=True)
    page = (tmp_path / "report.html").read_text()
    assert "HD 164922" in page and "1200" in page
    assert isinstance(equant.load(tmp_path, "fit"), equant.Fit)
    assert isinstance(equant.load(tmp_path, "run"), equant.Posterior)
    with pytest.raises(equant.InvalidArgument, match="a fit and a run"):
        equant.load(tmp_path)


def test_pages(fit, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fit.report(periodograms=False) == str(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert page.lower().startswith("<!doctype html") and "equant.fit(data, 1" in page
    path = fit.report(tmp_path, star_name="My <star>", references=["A paper"], periodograms=False)
    page = open(path).read()
    assert path == str(tmp_path / "report.html") and "My &lt;star&gt;" in page and "A paper" in page
    assert sorted(os.listdir(tmp_path)) == ["report.html"]
    (tmp_path / "notes").write_text("something else")
    with pytest.raises(equant.InvalidArgument, match="is not a page"):
        fit.report(tmp_path / "notes", periodograms=False)


def test_views(fit, command, tmp_path):
    page = tmp_path / "page"
    page.write_text('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
                    '<meta name="application-name" content="equant">\n<!-- files -->\n')
    folder = tmp_path / "star"
    folder.mkdir()
    for _ in range(2):  # the second in the place of the first
        assert fit.view(folder, page=page) == str(folder / "view.html")
    text = (folder / "view.html").read_text()
    assert 'data-path="fit.json"' in text and 'data-path="residuals.ecsv"' in text
    assert os.listdir(folder) == ["view.html"]
    page.write_text("something else")
    with pytest.raises(equant.InvalidArgument, match="is not a page"):
        fit.view(page, page=page)
    with pytest.raises(equant.Error, match="this is not the page"):
        fit.view(folder, page=page)


def test_names_that_look_like_options(fit, command, tmp_path):
    for name in ("--help", "-h", "--out=elsewhere", "--"):
        path = fit.report(tmp_path / "page.html", star_name=name, references=["--help", "--"],
                          periodograms=False)
        page = open(path).read()
        assert f"<title>{name}" in page and page.count("--help") >= 1
        table = fit.paper_table("parameters", "aastex", star_name=name)
        assert name.replace("--", "") in table and not table.startswith("Usage")
    assert os.listdir(tmp_path) == ["page.html"]
    with pytest.raises(equant.InvalidArgument, match="NUL"):
        fit.report(tmp_path / "page.html", star_name="a\0b", periodograms=False)


@pytest.mark.parametrize("file", ["fit.json", "origin.json"])
def test_json_that_nobody_wrote(fit, tmp_path, file):
    fit.save(tmp_path)
    whole = json.loads((tmp_path / file).read_text())

    def refused(contents):
        (tmp_path / file).write_text(contents)
        with pytest.raises(equant.FormatError, match=str(tmp_path)):
            equant.load(tmp_path, "fit")

    refused("[" * 200_000 + "]" * 200_000)
    refused('{"a":' * 200_000 + "1" + "}" * 200_000)
    refused("[]")
    if file == "origin.json":
        return
    for change in (
        '"n_obs": 1e999',
        '"n_obs": ' + "1" * 400 + ".5",
        '"alias_pairs": [{"planets": [1], "period_days": [], "probability": 0, "delta_lnl": 0}]',
        '"n_planets": 3',
        '"outliers": [{"rows": [1e999]}]',
        '"planets": [[]]',
    ):
        key = change.split('"')[1]
        rest = {name: value for name, value in whole.items() if name != key}
        refused("{" + change + ", " + json.dumps(rest)[1:])


def test_hints_stand_on_the_page(data, command, tmp_path):
    """The command finds them where a fit was made in Python."""
    times = data.times_days
    yearly = equant.radial_velocity(times, 365.25, 30.0, 0.0, 0.0, 0.0) + equant.random_normal(
        1, times.size
    )
    star = equant.Data.from_arrays(times, yearly, 1.0)
    found = equant.fit(star, 1, period_min_days=200.0)
    page = open(found.report(tmp_path, periodograms=False)).read()
    assert "The period of planet b is near a year" in page


def test_a_page_of_a_run(fit, posterior, netcdf, command, tmp_path):
    for options in ({}, {"fit": fit}):
        path = posterior.report(tmp_path / "run.html", periodograms=False, **options)
        page = open(path).read()
        assert "R-hat" in page and "equant.sample(data" in page
        assert ("equant.fit(data" in page) == bool(options)


def test_a_run_comes_back_and_goes_on(data, posterior, netcdf, tmp_path):
    posterior.save(tmp_path)
    twin = equant.load(tmp_path)
    assert np.array_equal(twin["k_m_s_1"], posterior["k_m_s_1"])
    assert twin.provenance == posterior.provenance and twin.summary.n_steps == 120
    with pytest.raises(equant.InvalidArgument, match="is there already"):
        posterior.save(tmp_path)
    twin.save(tmp_path, overwrite=True)
    longer = equant.sample_resume(tmp_path, max_steps=160)
    straight = equant.sample(
        data,
        1,
        priors={"period_days_1": "log-uniform(1000, 1500)"},
        start="prior",
        max_steps=160,
        n_burn_in=40,
        seed=3,
    )
    assert np.array_equal(longer["k_m_s_1"], straight["k_m_s_1"])


def test_a_saved_run_is_the_file_of_the_run(data, netcdf, tmp_path, sampled):
    run = sampled(data, path=tmp_path / "own.nc", n_temperatures=3)
    own = equant.load(tmp_path / "own.nc")
    assert np.isfinite(own.summary.log_evidence)
    run.save(tmp_path / "saved")
    own.save(tmp_path / "again")
    for place in (tmp_path / "saved", tmp_path / "again"):
        twin = equant.load(place)
        assert repr(twin.summary) == repr(own.summary) and twin.provenance == own.provenance
        assert repr(twin.quantities) == repr(own.quantities) and twin.data == own.data
        assert np.array_equal(twin.log_likelihoods, own.log_likelihoods)
        assert figures_of(place / "run.nc") == figures_of(tmp_path / "own.nc")


def figures_of(path):
    """What the file says of its sampler, in words; where something can read it."""
    netcdf4 = pytest.importorskip("netCDF4")
    with netcdf4.Dataset(path) as file:
        groups = (file["sampler"], file["evidence"])
        return [f"{g[name].name} {g[name][:].tolist()}" for g in groups for name in g.variables]


# Folders that are in use ------------------------------------------------------------------------

HOLD = """
import sys
from equant._folder.folder_lock import folder_lock
with folder_lock(sys.argv[1]):
    print("locked", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def in_use(tmp_path):
    """A folder that another process has locked; and that process."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert other.stdout.readline() == b"locked\n"
    yield tmp_path, other
    other.kill()
    other.communicate()


def test_folders_in_use(data, fit, posterior, in_use, sampled):
    folder, other = in_use
    owner = f"in use by process {other.pid} on host .* since 20.* UTC; .*force=True"
    with pytest.raises(equant.InputOutputError, match=owner):
        fit.save(folder)
    with pytest.raises(equant.InputOutputError, match=owner):
        posterior.save(folder)
    with pytest.raises(equant.InputOutputError, match=owner):
        sampled(data, path=folder)
    with pytest.raises(equant.InputOutputError, match=owner):
        equant.sample_resume(folder / "run.nc")
    assert os.listdir(folder) == [".equant.lock"]
    fit.save(folder, force=True)
    other.kill()
    other.wait()
    fit.save(folder)  # the lock went with the process
    assert ".equant.lock" not in os.listdir(folder)


def test_the_command_heeds_the_lock(command, netcdf, in_use):
    folder, other = in_use
    run = [command, "sample", "--demo", "--planets", "1", "--out", str(folder), "--max-steps", "10"]
    answer = subprocess.run(run, capture_output=True, text=True)
    assert answer.returncode == 1 and f"in use by process {other.pid}" in answer.stderr


def test_a_run_is_not_overwritten(data, posterior, netcdf, sampled, tmp_path):
    posterior.save(tmp_path)
    before = (tmp_path / "run.nc").read_bytes()
    for place in (tmp_path, tmp_path / "run.nc"):
        for force in (False, True):
            with pytest.raises(equant.InvalidArgument, match="run.nc is there already; go on"):
                sampled(data, path=place, force=force)
    assert (tmp_path / "run.nc").read_bytes() == before
    assert os.listdir(tmp_path) == ["run.nc"]


def test_two_samplers_of_one_file(data, netcdf, tmp_path, sampled):
    tries = []

    def look(progress):
        if not tries:
            tries.append(progress)
            with pytest.raises(equant.InputOutputError, match="in use by process"):
                sampled(data, path=tmp_path / "star.nc", progress=False)

    sampled(data, path=tmp_path / "star.nc", progress=look)
    assert tries and os.listdir(tmp_path) == ["star.nc"]


def test_a_planted_link_is_not_followed(fit, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / ".equant.lock").symlink_to(tmp_path / "victim")
    with pytest.raises(equant.InputOutputError, match="cannot be locked .* force=True"):
        fit.save(tmp_path / "folder")
    assert not (tmp_path / "victim").exists()


# What is refused --------------------------------------------------------------------------------


def test_files_of_another_kind_are_not_overwritten(fit, tmp_path):
    (tmp_path / "fit.json").write_text('{"precious": 1}')
    with pytest.raises(equant.InvalidArgument, match="fit.json would be overwritten, and is not a file of its kind"):
        fit.save(tmp_path)
    assert os.listdir(tmp_path) == ["fit.json"]
    with pytest.raises(equant.InputOutputError, match="cannot make the folder"):
        fit.save(tmp_path / "fit.json")


def test_folders_that_hold_nothing(tmp_path):
    with pytest.raises(equant.InputOutputError, match="neither fit.json nor run.nc"):
        equant.load(tmp_path)
    with pytest.raises(equant.InputOutputError, match="no fit.json"):
        equant.load(tmp_path, "fit")
    with pytest.raises(equant.InvalidArgument, match="'fit' or 'run'"):
        equant.load(tmp_path, "star")
    with pytest.raises(equant.Error):
        equant.load(tmp_path / "nowhere")


def test_folders_of_two_fits(data, fit, tmp_path):
    other = equant.fit(data[:200], 1, period_min_days=500.0)
    fit.save(tmp_path / "one")
    other.save(tmp_path / "other")
    os.replace(tmp_path / "other" / "residuals.ecsv", tmp_path / "one" / "residuals.ecsv")
    with pytest.raises(equant.FormatError, match="not of one fit"):
        equant.load(tmp_path / "one")


@pytest.mark.parametrize("contents", ["", "[]", "{}", '{"planets": 3}', "{", '{"n_obs": "x"}'])
def test_damaged_folders(fit, contents, tmp_path):
    fit.save(tmp_path)
    (tmp_path / "fit.json").write_text(contents)
    with pytest.raises(equant.FormatError, match="fit.json"):
        equant.load(tmp_path)


def test_pictures_are_white_to_their_edges(command, tmp_path):
    """Also where the paper ends within a pixel."""
    image = pytest.importorskip("matplotlib.image")
    made = subprocess.run(
        [command, "fit", "--demo", "--planets", "0", "--out", tmp_path], capture_output=True
    )
    assert made.returncode == 0
    if not (tmp_path / "fit.png").exists():
        pytest.skip("built without librsvg")
    picture = image.imread(tmp_path / "fit.png")
    for edge in (picture[0], picture[-1], picture[:, 0], picture[:, -1]):
        assert (edge == 1.0).all()
