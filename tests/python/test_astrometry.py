"""Files of astrometry: sources, their rows and remarks, beside what other packages read."""

import numpy as np
import pytest

import equant
from shared_data import shared_file

TABLES = "gaia/dr4_serialisations"

COLUMNS = ("abscissa_mas", "uncertainty_mas", "angle_rad", "parallax_factor", "transit")


def read_or_skip(path):
    try:
        return equant.read_astrometry(path)
    except equant.Unavailable as error:
        pytest.skip(str(error))


def test_arrays():
    source = equant.Astrometry.from_arrays(
        [1.0, 0.0], [2.0, 3.0], [0.5, 0.5], [0.1, 0.2], [0.3, 0.4], kind="companion", name="b"
    )
    assert source.time_days.tolist() == [0.0, 1.0]
    assert source.abscissa_mas.tolist() == [3.0, 2.0]
    assert source.parallax_factor.tolist() == [0.4, 0.3]
    assert source.kind.tolist() == [1, 1]
    assert source.colour_factor is None and source.source_id is None
    assert source.reference_jd == 2457936.875
    assert repr(source) == "equant.Astrometry(b: 2 rows, 2 transits, 1.0 days)"
    with pytest.raises(equant.InvalidArgument, match="entries"):
        equant.Astrometry.from_arrays([1.0, 0.0], [2.0], [0.5, 0.5], [0.1, 0.2])
    with pytest.raises(equant.InvalidArgument, match="kind must be"):
        equant.Astrometry.from_arrays([1.0], [2.0], [0.5], [0.1], kind="planet")
    with pytest.raises(equant.InvalidArgument, match="uncertainty of row 0"):
        equant.Astrometry.from_arrays([1.0], [2.0], [0.0], [0.1])


#: 1 July 2017, in nanoseconds since 2010.0.
BEGIN = 236_682_000_000_000_000


def test_many_sources(tmp_path):
    path = tmp_path / "bulk.csv"
    head = "source_id,obs_time_tcb,centroid_pos_al,centroid_pos_error_al,scan_pos_angle"
    head += ",used_by_agis_al"
    numbers = [2**53 + 1 + i for i in range(300)]
    lines = [
        f'{n},"({BEGIN + n % 7}, {BEGIN + 5000000000})","(1.5, 2)","(0.5, 1)","(10, 20)","(true, true)"'
        for n in numbers
    ]
    path.write_text("\n".join([head, *lines, ""]))
    assert [source.source_id for source in equant.stream_astrometry(path)] == numbers
    (one,) = equant.read_astrometry(path, source_id=numbers[7])
    assert one.source_id == numbers[7] and one.n_transits == 1
    path.write_text("\n".join([head, lines[0], lines[1], lines[0], ""]))
    with pytest.raises(equant.FormatError, match=":4: the rows of source"):
        equant.read_astrometry(path)


def test_parquet_written_here(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "epochs.parquet"
    table = arrow.table(
        {
            "sourceId": arrow.array([2**53 + 1] * 2, arrow.int64()),
            "obsTimeTcb": arrow.array([[236682000000000000, None], [236768400000000000] * 2]),
            "centroidPosAl": arrow.array([[1.5, 2.5], [3.5, float("nan")]]),
            "centroidPosErrorAl": arrow.array(
                [[0.1, 0.2], [0.1, 0.2]], arrow.list_(arrow.float32())
            ),
            "scanPosAngle": arrow.array([[0.0, 0.0], [90.0, 90.0]]),
            "usedByAgisAl": arrow.array([[True, True], [True, True]]),
            "other": arrow.array(["a", "b"]),
        }
    )
    parquet.write_table(table, path)
    (source,) = equant.read_astrometry(path)
    assert source.source_id == 2**53 + 1
    assert source.time_days.tolist() == [0.0, 1.0]
    assert source.abscissa_mas.tolist() == [1.5, 3.5]
    assert source.uncertainty_mas[0] == np.float32(0.1)
    parquet.write_table(table.select(["other"]), path)
    with pytest.raises(equant.FormatError, match="no column of epoch astrometry"):
        equant.read_astrometry(path)
    path.write_bytes(b"PAR1 and nothing else")
    with pytest.raises(equant.FormatError, match="pyarrow cannot read"):
        equant.read_astrometry(path)


def test_serialisations_agree():
    (first,) = equant.read_astrometry(shared_file(f"{TABLES}/epoch_astrometry_1.csv"))
    for ending in ("ecsv", "fits", "xml", "votplain.xml", "parquet"):
        (other,) = read_or_skip(shared_file(f"{TABLES}/epoch_astrometry_1.{ending}"))
        for column in COLUMNS:
            assert np.array_equal(getattr(other, column), getattr(first, column)), (ending, column)
        if ending == "parquet":  # has times as doubles, to 32 ns
            assert np.abs(other.time_days - first.time_days).max() < 1e-12
        else:
            assert np.array_equal(other.time_days, first.time_days)


def test_against_astropy():
    fits = pytest.importorskip("astropy.io.fits")
    (source,) = read_or_skip(shared_file(f"{TABLES}/epoch_astrometry_1.fits"))
    with fits.open(shared_file(f"{TABLES}/epoch_astrometry_1.fits")) as file:
        rows = file[1].data
        expected = [
            (
                (int(time) - 236682000000000000 + float(row["obs_time_bary_corr"])) / 86400e9,
                float(w),
                float(sigma),
                np.radians(float(angle)),
                float(row["parallax_factor_al"]),
            )
            for row in rows
            for time, w, sigma, angle, used in zip(
                row["obs_time_tcb"],
                row["centroid_pos_al"],
                row["centroid_pos_error_al"],
                row["scan_pos_angle"],
                row["used_by_agis_al"],
            )
            if used
        ]
    expected = np.array(sorted(expected))
    found = np.column_stack(
        [
            source.time_days,
            source.abscissa_mas,
            source.uncertainty_mas,
            source.angle_rad,
            source.parallax_factor,
        ]
    )
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() < 1e-12


@pytest.mark.parametrize(
    ("name", "n_sources"),
    [("1_archive_epoch_astro", 1), ("2_epoch_astrometry", 1), ("epoch_astrometry_sample", 5)],
)
def test_real_parquet(name, n_sources):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = shared_file(f"gaia/dr4_test/{name}.parquet")
    sources = equant.read_astrometry(path)
    assert len(sources) == n_sources
    table = parquet.read_table(path)
    flags = table.column("used_by_agis_al" if name.startswith("1") else "usedByAgisAl").to_pylist()
    n_used = sum(
        cell.lower().count("true") if isinstance(cell, str) else sum(map(bool, cell))
        for cell in flags
    )
    assert sum(source.n_rows for source in sources) <= n_used
    assert sum(source.n_rows for source in sources) > 0.98 * n_used


def test_motions():
    path = shared_file("astrometry/hd4747/HGCA_vDR3_FAKE_7p.fits")
    try:
        star = equant.read_motions(path, 3850)
    except equant.Unavailable as error:
        pytest.skip(str(error))
    assert star.gaia_id == 2348830516542653824
    assert star.long_mas_yr == pytest.approx((515.54016, 125.43058))


@pytest.mark.parametrize(
    ("name", "ra_deg", "dec_deg", "distance"),
    [
        ("gaia/bh3/epochast.dat", 294.8278, 14.9309, 1.01),
        ("gaia/gaia4/gaia4_epoch_astrometry.csv", 209.5063, 31.6955, 1.01),
        ("hipparcos/H027321.d", 86.8212, -51.0667, 1.0),
        ("hipparcos/HIP027321.d", 86.8212, -51.0667, 1.0),
        ("astrometry/hd4747/003850.txt", 12.36, -23.2128, 1.0),
        ("astrometry/hd4747/HIP003850.csv", 12.364, -23.2119, 1.01),
    ],
)
def test_angles_and_times_by_the_parallax(name, ra_deg, dec_deg, distance):
    """The Earth's place at the times, seen along the angles, is the parallax factor of the file.

    With times off by days, or with sines and cosines exchanged, it would not be: by 1 and more.
    """
    coordinates = pytest.importorskip("astropy.coordinates")
    time = pytest.importorskip("astropy.time")
    (source,) = equant.read_astrometry(shared_file(name))
    when = time.Time(source.reference_jd + source.time_days, format="jd", scale="tdb")
    earth = coordinates.get_body_barycentric("earth", when, ephemeris="builtin")
    x, y, z = (distance * part.to_value("au") for part in (earth.x, earth.y, earth.z))
    ra, dec = np.radians([ra_deg, dec_deg])
    east = x * np.sin(ra) - y * np.cos(ra)
    north = (x * np.cos(ra) + y * np.sin(ra)) * np.sin(dec) - z * np.cos(dec)
    expected = east * np.sin(source.angle_rad) + north * np.cos(source.angle_rad)
    assert np.abs(expected - source.parallax_factor).max() < 0.005
