"""Archives, compressed files and folders: what comes of them is what comes of the files in them."""

import gzip
import zipfile

import numpy as np
import pytest

import equant

VELOCITIES = "time,rv,rv_err\n" + "".join(
    f"{2457000 + 3.7 * k:.4f},{5 * np.sin(0.9 * k):.4f},1.0\n" for k in range(20)
)


def _sky(source_id):
    rng = np.random.default_rng(source_id)
    days, psi = np.sort(rng.uniform(-900, 900, 40)), rng.uniform(0, 360, 40)
    factor = np.sin(np.radians(psi) + 2 * np.pi * days / 365.25)
    return "t,w,sigma,psi_deg,f,transit_id,source_id\n" + "".join(
        f"{2457936.875 + t:.6f},{5 * f:.6f},0.1,{a:.5f},{f:.6f},{k},{source_id}\n"
        for k, (t, a, f) in enumerate(zip(days, psi, factor))
    )


def _needs_zip(path):
    try:
        equant.Data.from_files(path)
    except equant.Error as error:
        if "has no libzip" in str(error) or "has no zlib" in str(error):
            pytest.skip(str(error))
        raise


def test_velocities(tmp_path):
    plain, packed, archive = (tmp_path / f"star.csv{end}" for end in ("", ".gz", ".zip"))
    plain.write_text(VELOCITIES)
    packed.write_bytes(gzip.compress(VELOCITIES.encode()))
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("star.csv", VELOCITIES)
    _needs_zip(archive)
    wanted = equant.Data.from_files(plain)
    for path in (packed, archive, archive / "star.csv"):
        found = equant.Data.from_files(path)
        assert found.times_days.tobytes() == wanted.times_days.tobytes()
        assert found.velocities_m_s.tobytes() == wanted.velocities_m_s.tobytes()
        assert found.instrument_names == wanted.instrument_names


def test_sources(tmp_path):
    archive, folder = tmp_path / "sources.zip", tmp_path / "sources"
    folder.mkdir()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("velocities.csv", VELOCITIES)
        for number in (11, 12, 13):
            out.writestr(f"EPOCH_ASTROMETRY-Gaia DR4 {number}.csv", _sky(number))
            (folder / f"{number}.csv").write_text(_sky(number))
    (tmp_path / "star.zip").write_bytes(archive.read_bytes())
    _needs_zip(f"{archive}/velocities.csv")
    with pytest.warns(UserWarning, match="no tables of astrometry: 1, left out"):
        packed = list(equant.stream_astrometry(archive))
    plain = list(equant.stream_astrometry(folder))
    assert [source.source_id for source in packed] == [11, 12, 13]
    for one, other in zip(packed, plain):
        assert one.abscissa_mas.tobytes() == other.abscissa_mas.tobytes()


def test_hostile(tmp_path):
    bomb = tmp_path / "bomb.csv.gz"
    bomb.write_bytes(gzip.compress(b"time,rv,rv_err\n" + b"\n" * (100 << 20)))
    with pytest.raises(equant.Error, match="200 times its size|has no zlib"):
        equant.Data.from_files(bomb)
