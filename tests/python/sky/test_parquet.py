"""Parquet files for the command: the one line that its sentence names."""

import os
import subprocess
import sys

import numpy as np
import pytest

import equant
from shared_data import shared_file

arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def _convert(*paths):
    return subprocess.run(
        [sys.executable, "-m", "equant.parquet", *map(os.fspath, paths)],
        capture_output=True,
        text=True,
    )


def test_the_sentence_names_the_line_that_converts(tmp_path):
    table = arrow.table(
        {
            "bjd": [2455000.5, 2455001.25],
            "rv [m/s]": [1.5, -2.0],
            "rv_err": [1.0, 0.5],
            "tel": ["a, b", "c"],
        }
    )
    source, target = tmp_path / "star.parquet", tmp_path / "star.csv"
    parquet.write_table(table, source)
    with pytest.raises(equant.Error, match="python3 -m equant.parquet FILE.parquet FILE.csv"):
        list(equant.astrometry._stream(source, None))
    assert _convert(source, target).returncode == 0
    data = equant.Data.from_files(target)
    assert data.times_days.tolist() == [2455000.5, 2455001.25]
    assert data.velocities_m_s.tolist() == [1.5, -2.0]
    assert data.instrument_names == ("a, b", "c")
    before = target.read_bytes()
    again = _convert(source, target)
    assert again.returncode == 1 and "would be overwritten" in again.stderr
    assert target.read_bytes() == before
    assert "is no Parquet file" in _convert(target, tmp_path / "other.csv").stderr
    assert not (tmp_path / "other.csv").exists()
    assert _convert().returncode == 2


def test_epochs_of_gaia_are_those_of_the_file(tmp_path):
    name = "gaia/dr4_serialisations/epoch_astrometry_1"
    target = tmp_path / "epochs.csv"
    assert _convert(shared_file(f"{name}.parquet"), target).returncode == 0
    (source,) = equant.read_astrometry(target)
    (other,) = equant.read_astrometry(shared_file(f"{name}.parquet"))
    assert source.source_id == other.source_id
    for name in ("time_days", "abscissa_mas", "uncertainty_mas"):
        assert np.array_equal(getattr(source, name), getattr(other, name))
