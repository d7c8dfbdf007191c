"""Catalogues of astrometry: a row for each source, and columns that tables can be made of."""

import numpy as np
import pytest

import equant


def made_up(size, seed, n=60):
    rng = np.random.default_rng(seed)
    t = np.sort(rng.uniform(-900, 900, n))
    psi = rng.uniform(0, 2 * np.pi, n)
    factor = np.sin(psi + 2 * np.pi * t / 365.25)
    w = 2 * t / 365.25 * np.cos(psi) + 10 * factor + size * np.sin(psi + 2 * np.pi * t / 250)
    return equant.Astrometry.from_arrays(t, w + rng.normal(0, 0.1, n), np.full(n, 0.1), psi, factor)


def test_rows_of_noise_and_of_an_orbit():
    sources = [made_up(0.0, 1), made_up(0.7, 2), made_up(0.0, 3, n=4)]
    table = equant.catalogue_astrometry(sources, period_days=(30, 0))
    assert list(table["verdict"]) == ["5p", "orbit", ""]
    assert list(table["n_transits"]) == [60, 60, 4]
    assert abs(table["period_days"][1] - 250) < 3
    assert np.isnan(table["period_days"][0]) and table["fap"][0] > 1e-3
    assert abs(table["parallax_mas"][0] - 10) < 5 * table["parallax_mas_err"][0]
    assert table["flags"][2] == "unsolved"
    alone = equant.catalogue_astrometry(sources[1:2], period_days=(30, 0))
    assert alone[0].tobytes() == table[1].tobytes()


def test_the_search_alone():
    sources = [made_up(0.0, 1), made_up(0.7, 2), made_up(0.0, 3, n=4)]
    found = equant.search_catalogue(sources, period_days=(30, 0))
    assert list(found["is_searched"]) == [True, True, False]
    assert abs(found["period_days"][1] - 250) < 20 and found["fap"][1] < 1e-6
    assert found["fap"][0] > 1e-3 and np.isnan(found["period_days"][2])
    alone = equant.search_catalogue(sources[1:2], period_days=(30, 0))
    assert alone[0].tobytes() == found[1].tobytes()


def test_nothing_in_nothing_out():
    assert equant.catalogue_astrometry([]).size == 0
    assert equant.search_catalogue([]).size == 0


def test_what_is_no_source_is_refused():
    with pytest.raises(equant.InvalidArgument):
        equant.catalogue_astrometry(["file"])
    with pytest.raises(equant.InvalidArgument):
        equant.catalogue_astrometry([], false_alarm=2.0)


def test_periodogram_of_an_orbit():
    periodogram = equant.periodogram_astrometry(made_up(0.7, 2), period_days=(30, 0))
    best = np.argmax(periodogram.gain)
    assert abs(periodogram.period_days[best] - 250) < 20
    assert periodogram.gain[best] > periodogram.level(1e-6) > periodogram.level(0.1) > 0
    assert periodogram.eccentricity.shape == periodogram.gain.shape
    assert np.isnan(periodogram.level(1.0))
    assert repr(periodogram).startswith("<SkyPeriodogram of ")
    still = equant.periodogram_astrometry(made_up(0.0, 1), period_days=(30, 0))
    assert still.gain.max() < still.level(1e-3)


def test_periodogram_of_too_little_is_refused():
    with pytest.raises(equant.InvalidArgument):
        equant.periodogram_astrometry(made_up(0.0, 3, n=4))
    with pytest.raises(equant.InvalidArgument):
        equant.periodogram_astrometry("file")


def test_injections_of_large_and_small_companions():
    source = made_up(0.0, 1)
    few = dict(period_days=(60, 900), a0_mas=(0.01, 1.0), cells=(2, 2), draws=6)
    found = equant.inject_astrometry(source, **few)
    assert found.found.shape == found.recovered.shape == (2, 2) and found.n_draws == 6
    assert found.period_edges_days[0] == 60 and found.a0_edges_mas[2] == pytest.approx(1.0)
    assert found.found[0].max() <= 0.5 < found.found[1].min()
    assert np.all(found.recovered <= found.found) and abs(found.parallax_mas - 10) < 0.5
    again = equant.inject_astrometry(source, **few, engine="cpu", progress=False)
    assert np.array_equal(again.found, found.found)
    assert repr(found).startswith("<SkyInjection of 24 companions, ")
    with pytest.raises(equant.InvalidArgument):
        equant.inject_astrometry(source, eccentricity_max=2.0)
    with pytest.raises(equant.InvalidArgument):
        equant.inject_astrometry("file")


def test_masses_of_dark_companions():
    jupiter = equant.companion_mass(0.0496, 4332.6, 10.0, 1.0)
    assert jupiter == pytest.approx(1.0, rel=0.01)
    assert np.isnan(equant.companion_mass(1.0, 100.0, 0.0, 1.0))


def test_catalogues_as_files(tmp_path):
    table = equant.catalogue_astrometry([made_up(0.0, 1), made_up(0.7, 2)], period_days=(30, 0))
    equant.write_catalogue(table, tmp_path / "table.csv")
    lines = (tmp_path / "table.csv").read_text().splitlines()
    assert lines[0].startswith("source_id,n_transits,verdict,parallax_mas,") and len(lines) == 3
    assert ",,,," in lines[1] and "nan" not in lines[1]
    with pytest.raises(equant.InvalidArgument):
        equant.write_catalogue(table, tmp_path / "table.txt")
    with pytest.raises(equant.InvalidArgument):
        equant.write_catalogue(np.zeros(3), tmp_path / "table.csv")
    pyarrow = pytest.importorskip("pyarrow.parquet")
    table["source_id"][0] = 2**53 + 1
    equant.write_catalogue(table, tmp_path / "table.parquet")
    read = pyarrow.read_table(tmp_path / "table.parquet")
    assert read.column_names == list(table.dtype.names)
    assert read["source_id"].to_pylist()[0] == 2**53 + 1
    assert read["period_days"].null_count == 1 and read["verdict"].to_pylist() == ["5p", "orbit"]
    equant.write_catalogue(table[:0], tmp_path / "none.parquet")
    none = pyarrow.read_table(tmp_path / "none.parquet")
    assert none.num_rows == 0 and none.schema.equals(read.schema)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "none.parquet",
        "table.csv",
        "table.parquet",
    ]
