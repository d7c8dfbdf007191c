"""Archives from Python: many stars here, and with Dask a worker that is killed."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import equant

OPTIONS = ["--period", "6:80", "--max-eccentricity", "0.9", "--planets", "1", "--noise", "white"]


@pytest.fixture
def star(tmp_path):
    chance = np.random.default_rng(1)
    times = np.sort(chance.uniform(0, 120, 60))
    velocities = 10 * np.cos(2 * np.pi * times / 13.7) + chance.normal(0, 2, 60)
    path = tmp_path / "star.csv"
    rows = (f"{t},{v},2\n" for t, v in zip(times, velocities))
    path.write_text("time,mnvel,errvel\n" + "".join(rows))
    return path


def test_stars_on_this_machine(star, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("time,mnvel,errvel\n1,nan,1\n")
    stars = {"a": star, "b": [star], "broken": bad}
    table = equant.fit_many(stars, tmp_path / "out", options=OPTIONS)
    assert list(table["name"]) == ["a", "b", "broken"]
    assert list(table["status"]) == ["ok", "ok", "failed"]
    assert table["period_days"][0] == table["period_days"][1]
    assert abs(table["period_days"][0][0] - 13.7) < 0.3
    assert "the velocity is 'nan'" in table["message"][2]
    before = os.stat(tmp_path / "out" / "a" / "fit.json").st_mtime_ns
    equant.fit_many(stars, tmp_path / "out", options=OPTIONS)
    assert os.stat(tmp_path / "out" / "a" / "fit.json").st_mtime_ns == before


def test_names_of_stars_are_kept_as_they_are(tmp_path):
    nothing = tmp_path / "nothing.csv"
    names = [" lead ", "#7", "007", "1e3", "[1]", "two words"]
    for count in (1, len(names)):
        stars = {name: nothing for name in names[-count:]}
        table = equant.fit_many(stars, tmp_path / f"out{count}")
        assert list(table["name"]) == names[-count:]
        assert list(table["status"]) == ["failed"] * count
        assert all(os.path.isdir(tmp_path / f"out{count}" / name) for name in stars)
    alone = equant.fit_many({"007": nothing}, tmp_path / "alone")
    assert list(alone["name"]) == ["007"]
    for wrong in (7, 'a "quote"', "a\ttab"):
        with pytest.raises(equant.InvalidArgument, match="name"):
            equant.fit_many({wrong: nothing}, tmp_path / "wrong")


def test_several_stars_in_one_table(tmp_path):
    columns = {"star": ["007", "007", "7"], "bjd": [1.0, 2.0, 3.0], "rv": [5.0, 6.0, 7.0]}
    columns["rv_err"] = [1.0, 1.0, 1.0]
    with pytest.raises(equant.FormatError, match="several stars: column 'star' says '7'"):
        equant.Data.from_table(columns, unit="m/s")
    assert equant.Data.from_table(columns, unit="m/s", star="007").n_obs == 2
    path = tmp_path / "survey.csv"
    path.write_text("star,bjd,rv,rv_err\n007,1,5,1\n007,2,6,1\n7,3,7,1\n")
    assert [name for name, _ in equant.stream_stars(path, unit="m/s")] == ["007", "7"]
    assert equant.Data.from_files(path, unit="m/s", star="7").n_obs == 1
    assert equant.Data.from_files(path, unit="m/s", columns={"star": "none"}).n_obs == 3


def test_posteriors_on_this_machine(star, tmp_path):
    asked = ["--planets", "1", "--walkers", "40", "--populations", "2", "--burn-in", "200"]
    asked += ["--prior", "period_days_1=uniform(13, 14.4)", "--max-steps", "400", "--threads", "1"]
    table = equant.sample_many({"a": star}, tmp_path / "out", options=asked)
    assert list(table["status"]) == ["ok"]
    run = equant.load(tmp_path / "out" / "a")
    assert abs(table["period_days"][0][0] - 13.7) < 0.3
    assert table["period_days"][0][0] == pytest.approx(float(np.median(run["period_days_1"])))


def test_what_people_get_wrong(star, tmp_path):
    with pytest.raises(equant.InvalidArgument, match="there are no stars"):
        equant.fit_many({}, tmp_path / "out")
    with pytest.raises(equant.InvalidArgument, match="needs files"):
        equant.fit_many({"a": []}, tmp_path / "out")
    with pytest.raises(equant.InputOutputError, match="there is no option --nonsense"):
        equant.fit_many({"a": star}, tmp_path / "out", options=["--nonsense"])


def test_dask_with_a_worker_that_is_killed(star, tmp_path):
    distributed = pytest.importorskip("distributed")
    stars = {f"star{i:02d}": star for i in range(24)}
    out = tmp_path / "out"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster, distributed.Client(cluster) as client:
        pids = list(client.run(os.getpid).values())

        def kill_one():
            while len(list(out.glob("*/fit.json"))) < 4:
                time.sleep(0.05)
            os.kill(pids[0], signal.SIGKILL)

        killer = threading.Thread(target=kill_one, daemon=True)
        killer.start()
        table = equant.fit_many(stars, out, options=OPTIONS, client=client, n_shards=8)
        killer.join(timeout=10)
        assert not killer.is_alive()
    assert list(table["name"]) == sorted(stars)
    assert set(table["status"]) == {"ok"}
