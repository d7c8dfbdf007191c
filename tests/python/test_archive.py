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
