"""Velocities of Gaia in all files of its archive, as astropy and pyarrow write them."""

import numpy as np
import pytest

import equant

table_class = pytest.importorskip("astropy.table")
votable = pytest.importorskip("astropy.io.votable")
SOURCE = 5853498713190525696


def _columns(n=15):
    rng = np.random.default_rng(8)
    missing = np.arange(n) == 7

    def error():
        return np.ma.array(rng.uniform(0.2, 2, n).astype("f4"), mask=missing)

    return {
        "source_id": np.full(n, SOURCE),
        "transit_id": 10**16 + np.arange(n),
        "obs_time_rv": 1700 + 120 * np.arange(n) + rng.uniform(0, 30, n),
        "radial_velocity": np.ma.array(np.round(rng.normal(-330, 20, n), 4), mask=missing),
        "radial_velocity_error": error(),
        "raw_radial_velocity_error": error(),
        "radial_velocity_mc_error": error(),
        "radial_velocity_is_valid": np.arange(n) % 5 != 1,
    }


def _table(has_arrays):
    table = table_class.Table()
    for name, values in _columns().items():
        if has_arrays and name != "source_id":
            cell = np.empty(1, object)
            cell[0] = np.ma.array(np.ma.filled(values.astype(values.dtype), np.nan)) if values.dtype.kind == "f" else np.ma.array(values)
            cell[0].mask = np.zeros(len(values), bool)
            table[name] = cell
        else:
            table[name] = values[:1] if has_arrays else table_class.MaskedColumn(values)
    for name in ("radial_velocity", "radial_velocity_error", "raw_radial_velocity_error"):
        table[name].unit = "km/s"
    return table


def _write(folder, has_arrays):
    table = _table(has_arrays)
    table.write(folder / "gaia.ecsv")
    made = votable.from_table(table)
    for kind in ("tabledata", "binary2"):
        made.to_xml(str(folder / f"{kind}.xml"), tabledata_format=kind)
    paths = [folder / "gaia.ecsv", folder / "tabledata.xml", folder / "binary2.xml"]
    if not has_arrays:
        table.write(folder / "gaia.fits")
        table.write(folder / "gaia.csv")
        paths += [folder / "gaia.fits", folder / "gaia.csv"]
    return paths


def _write_parquet(folder, has_arrays):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {}
    for name, values in _columns().items():
        kind = arrow.from_numpy_dtype(values.dtype)
        if has_arrays and name != "source_id":
            columns[name] = arrow.array([values.tolist()], type=arrow.list_(kind))
        else:
            columns[name] = arrow.array(values.tolist()[: 1 if has_arrays else None], type=kind)
    parquet.write_table(arrow.table(columns), folder / "gaia.parquet")
    return folder / "gaia.parquet"


def _read(path):
    try:
        return equant.Data.from_files(path)
    except equant.Unavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("has_arrays", [False, True])
def test_all_files_are_read_alike(tmp_path, has_arrays):
    columns = _columns()
    kept = columns["radial_velocity_is_valid"] & ~columns["radial_velocity"].mask
    jd = columns["obs_time_rv"][kept] + 2455197.5
    tdb = jd - 1.550519768e-8 * (jd - 2443144.5003725)
    for path in _write(tmp_path, has_arrays) + [_write_parquet(tmp_path, has_arrays)]:
        data = _read(path)
        assert np.array_equal(data.times_days, tdb), path
        assert np.allclose(data.velocities_m_s, 1000 * columns["radial_velocity"][kept], rtol=1e-14)
        wanted = [1000 * float(one) for one in columns["radial_velocity_error"][kept]]
        assert data.uncertainties_m_s.tolist() == wanted, path
        assert data.instrument_names == ("Gaia RVS",)
        assert any("1 without a velocity" in one and "3 marked" in one for one in data.warnings)


def test_which_error_counts(tmp_path):
    path = _write(tmp_path, False)[0]
    raw = equant.Data.from_files(path, columns={"err": "raw_radial_velocity_error"})
    assert raw.uncertainties_m_s.mean() != _read(path).uncertainties_m_s.mean()
    assert "uncertainties from raw_radial_velocity_error" in raw.warnings[0]
