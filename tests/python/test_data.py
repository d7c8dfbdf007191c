"""Data sets: from files, arrays and tables, and what they show."""

import gc
import pickle

import numpy as np
import pytest

import equant

TIMES = [2455003.5, 2455000.25, 2455001.75]
VELOCITIES = [3.0, 1.0, 2.0]
ERRORS = [0.3, 0.1, 0.2]
RADVEL = "time,mnvel,errvel,tel\n2455000.25,-3.25,1.25,j\n2455010.50,10.5,1.5,k\n"


def test_arrays_are_sorted_by_time():
    data = equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS)
    assert data.times_days.tolist() == sorted(TIMES)
    assert data.velocities_m_s.tolist() == [1.0, 2.0, 3.0]
    assert data.uncertainties_m_s.tolist() == [0.1, 0.2, 0.3]
    assert len(data) == data.n_obs == 3


def test_kilometres_per_second():
    data = equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, unit="km_s")
    assert data.velocities_m_s.tolist() == [1000.0, 2000.0, 3000.0]
    assert data.unit == "km_s"


def test_instruments_keep_the_order_of_their_first_observation():
    data = equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, ["late", "early", "late"])
    assert data.instrument_names == ("late", "early")
    assert data.instrument_n_obs == (2, 1)
    assert data.instruments.tolist() == [1, 0, 0]


def test_reference_time():
    data = equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, reference_time_days=2455000.0)
    assert data.reference_time_days == 2455000.0


def test_views_are_read_only_and_outlive_their_data_set():
    data = equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS)
    times = data.times_days
    with pytest.raises(ValueError):
        times[0] = 0.0
    del data
    gc.collect()
    assert times.tolist() == sorted(TIMES)


def test_files(tmp_path):
    path = tmp_path / "star.csv"
    path.write_text(RADVEL)
    data = equant.Data.from_files(path)
    assert data.format == "RadVel table"
    assert data.instrument_names == ("j", "k")
    assert data.velocities_m_s.tolist() == [-3.25, 10.5]


def test_a_missing_file_is_an_error_of_the_system(tmp_path):
    with pytest.raises(OSError, match="no such file") as caught:
        equant.Data.from_files(tmp_path / "nowhere.csv")
    assert isinstance(caught.value, equant.InputOutputError)


def test_a_senseless_file_is_named_with_its_line():
    with pytest.raises(equant.FormatError, match=r"star\.csv:3"):
        equant.Data.from_text("time,mnvel,errvel\n1,2,3\n1,two,3\n", "star.csv")


@pytest.mark.parametrize(
    "arguments, words",
    [
        (([1, 2], [1, 2], [1, -1]), "above zero"),
        (([1, 2], [1, 2, 3], [1, 1]), "3 velocities"),
        (([1, 2], ["a", 2], [1, 1]), "velocity must be a number, not the text 'a'"),
        (([1, 2], [1, 2], [1, 1], ["a"]), "1 instruments"),
        (([], [], []), "observation"),
    ],
)
def test_wrong_arrays_have_a_sentence(arguments, words):
    with pytest.raises(equant.InvalidArgument, match=words):
        equant.Data.from_arrays(*arguments)


def test_unknown_units_name_those_that_there_are():
    with pytest.raises(ValueError, match="'m_s', 'km_s'"):
        equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, unit="furlongs")


def test_a_dict_of_columns():
    table = {"jd": TIMES, "rv": VELOCITIES, "e_rv": ERRORS, "note": ["a,b", 'say "x"', ""]}
    data = equant.Data.from_table(table, unit="m_s")
    assert data.velocities_m_s.tolist() == [1.0, 2.0, 3.0]
    assert data.warnings == ()


def test_named_columns():
    table = {"when": TIMES, "fast": VELOCITIES, "sure": ERRORS, "who": ["a", "b", "a"]}
    names = {"time": "when", "velocity": "fast", "uncertainty": "sure", "instrument": "who"}
    data = equant.Data.from_table(table, unit="m_s", **names)
    assert set(data.instrument_names) == {"a", "b"}
    with pytest.raises(equant.InvalidArgument, match="no column 'where'"):
        equant.Data.from_table(table, **{**names, "time": "where"})


def test_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"bjd": TIMES, "rv": VELOCITIES, "rv_err": ERRORS, "ins": list("aba")})
    data = equant.Data.from_table(frame, unit="m_s")
    assert data.n_instruments == 2
    back = data.to_pandas()
    assert back.velocity_m_s.tolist() == [1.0, 2.0, 3.0]
    assert set(back.instrument) == {"a", "b"}


@pytest.mark.parametrize("kind", ["Table", "QTable"])
def test_astropy_units_are_heeded(kind):
    tables = pytest.importorskip("astropy.table")
    units = pytest.importorskip("astropy.units")
    table = getattr(tables, kind)(
        {
            "time": np.array(TIMES) * 24 * units.hour,
            "rv": np.array(VELOCITIES) * units.km / units.s,
            "rv_err": np.array(ERRORS) * units.m / units.s,
        }
    )
    data = equant.Data.from_table(table)
    assert np.allclose(data.times_days, sorted(TIMES), rtol=1e-15)
    assert np.allclose(data.velocities_m_s, [1000, 2000, 3000])
    assert np.allclose(data.uncertainties_m_s, [0.1, 0.2, 0.3])
    assert data.warnings == ()


def test_astropy_quantities_and_times():
    units = pytest.importorskip("astropy.units")
    time = pytest.importorskip("astropy.time")
    for unit in "m_s", "km_s":
        data = equant.Data.from_arrays(
            time.Time(TIMES, format="jd", scale="tdb"),
            np.array(VELOCITIES) * units.km / units.s,
            0.1 * units.m / units.s,
            unit=unit,
        )
        assert data.times_days.tolist() == sorted(TIMES)
        assert np.allclose(data.velocities_m_s, [1000, 2000, 3000])
        assert np.allclose(data.uncertainties_m_s, 0.1)


def test_pickles():
    data = equant.Data.demonstration()
    copy = pickle.loads(pickle.dumps(data))
    assert np.array_equal(copy.velocities_m_s, data.velocities_m_s)
    assert np.array_equal(copy.instruments, data.instruments)
    assert copy.instrument_names == data.instrument_names
    assert copy.reference_time_days == data.reference_time_days


def test_html_is_escaped():
    data = equant.Data.from_arrays([1, 2], [1, 2], [1, 1], ["<b>", "<b>"])
    assert "&lt;b&gt;" in data._repr_html_()


def test_what_is_masked_is_absent():
    mask = [False, True, False]
    for name in ("times", "velocities", "errors", "names"):
        columns = {"times": TIMES, "velocities": VELOCITIES, "errors": ERRORS, "names": list("aba")}
        columns[name] = np.ma.array(columns[name], mask=mask)
        data = equant.Data.from_arrays(*columns.values())
        assert data.velocities_m_s.tolist() == [2.0, 3.0]
        assert data.instrument_names == ("a",)
    hidden = np.ma.array([1.0, np.nan, 2.0], mask=mask)
    assert equant.Data.from_arrays(TIMES, hidden, 0.5).n_obs == 2
    with pytest.raises(equant.InvalidArgument, match="observation"):
        equant.Data.from_arrays(TIMES, np.ma.array(VELOCITIES, mask=True), 0.5)


def test_units_as_the_warnings_spell_them():
    assert equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, unit="km/s").unit == "km_s"
    assert equant.Data.from_text("1 2 3\n2 3 4\n", unit="m/s").velocities_m_s[0] == 2.0


def test_paths_of_bytes(tmp_path):
    path = tmp_path / "star.csv"
    path.write_text(RADVEL)
    assert equant.Data.from_files(str(path).encode()).n_obs == 2


@pytest.mark.parametrize("name", ["a\0b", "", " "])
def test_names_that_are_none(name):
    with pytest.raises(equant.InvalidArgument, match="NUL|empty"):
        equant.Data.from_arrays(TIMES, VELOCITIES, ERRORS, ["a", name, "a"])


@pytest.mark.parametrize("function", ["fit", "search", "sample", "Data", "Evaluator", "Priors"])
def test_a_table_is_no_data_set(function):
    with pytest.raises(TypeError, match="Data.from_table makes one"):
        if function == "Evaluator":
            equant.Evaluator({"time": TIMES}, equant.Model(1))
        else:
            getattr(equant, function)({"time": TIMES})


def test_paths_come_one_by_one():
    with pytest.raises(TypeError, match=r"from_files\(\*paths\)"):
        equant.Data.from_files(["a.csv", "b.csv"])
    with pytest.raises(TypeError, match="a path must be"):
        equant.Data.from_files(3)


def test_complaints_about_tables_name_rows():
    table = {"jd": TIMES, "rv": VELOCITIES, "rv_err": [0.3, -1.0, 0.2]}
    with pytest.raises(equant.FormatError, match="^row 2 of the table: the uncertainty is -1"):
        equant.Data.from_table(table, unit="m/s")


def test_bad_rows_are_left_out_on_request(tmp_path):
    path = tmp_path / "star.csv"
    path.write_text("time,rv,rv_err\n1,2,1\n2,nan,1\n3,4,0\n4,5,1\n")
    with pytest.raises(equant.FormatError, match="skip bad rows"):
        equant.Data.from_files(path, unit="m/s")
    data = equant.Data.from_files(path, unit="m/s", skip_bad_rows=True)
    assert data.n_obs == 2
    assert "left out: 2, lines 3, 4" in data.warnings[0]
    arrays = equant.Data.from_arrays([1, 2, 3], [1, np.nan, 3], [1, 1, 1], skip_bad_rows=True)
    assert arrays.n_obs == 2
    assert "row 1" in arrays.warnings[0]
    table = {"t": [1.0, 2.0, 3.0], "rv": [1.0, np.nan, 3.0], "err": [1.0, 1.0, 0.0]}
    from_table = equant.Data.from_table(table, unit="m/s", skip_bad_rows=True)
    assert from_table.n_obs == 1
    assert "left out: 2, rows 2, 3" in from_table.warnings[0]


def test_columns_by_choice():
    text = 'when,"what, mean",how,CaHK\n1,2,0.5,0.17\n2,3,0.5,0.18\n'
    columns = {"time": "when", "rv": 2, "err": "how", "s_index": "CaHK"}
    data = equant.Data.from_text(text, unit="m/s", columns=columns)
    assert list(data.velocities_m_s) == [2, 3]
    assert list(data.indicators["s_index"].values) == [0.17, 0.18]
    named = equant.Data.from_text(text, unit="m/s", columns={**columns, "rv": "what, mean"})
    assert list(named.velocities_m_s) == [2, 3]
    with pytest.raises(equant.InvalidArgument, match="no kind of column"):
        equant.Data.from_text(text, columns={"tiem": 1})


def test_indicators_of_files():
    data = equant.Data.from_text(
        "t,rv,err,fwhm,e_fwhm,note\n2,1,1,7001,2,x\n1,2,1,nan,3,y\n", unit="m/s"
    )
    fwhm = data.indicators["fwhm"]
    assert (fwhm.label, fwhm.unit) == ("FWHM", "m/s")
    assert np.isnan(fwhm.values[0]) and fwhm.values[1] == 7001
    assert np.isnan(fwhm.uncertainties[0]) and fwhm.uncertainties[1] == 2
    assert data.ignored_columns == ("note",)
    assert not fwhm.values.flags.writeable


def test_indicators_of_arrays_and_pickles():
    masked = np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False])
    data = equant.Data.from_arrays(
        [3, 2, 1],
        [1, 2, 3],
        1,
        indicators={"s_index": (masked, 0.01), "flux": equant.Indicator([1, 2, 3], unit="mmag")},
    )
    for each in (data, pickle.loads(pickle.dumps(data))):
        s_index, flux = each.indicators["s_index"], each.indicators["flux"]
        np.testing.assert_array_equal(s_index.values, [0.3, np.nan, 0.1])
        np.testing.assert_array_equal(s_index.uncertainties, [0.01, np.nan, 0.01])
        np.testing.assert_array_equal(flux.values, [3, 2, 1])
        assert flux.unit == "mmag" and np.isnan(flux.uncertainties).all()
    absent = equant.Data.from_arrays(
        np.ma.masked_array([1, 2], [True, False]), [1, 2], 1, indicators={"bis": [10, 20]}
    )
    assert list(absent.indicators["bis"].values) == [20]
    with pytest.raises(equant.InvalidArgument, match="2 numbers for 3 times"):
        equant.Data.from_arrays([1, 2, 3], [1, 2, 3], 1, indicators={"bis": [1, 2]})


def test_indicators_of_tables():
    table = {
        "day": [1.0, 2.0],
        "rv": [3.0, 4.0],
        "rv_err": [1.0, 1.0],
        "BIS": [10.0, np.nan],
        "CaHK": [0.1, 0.2],
        "eCaHK": [0.01, 0.02],
    }
    data = equant.Data.from_table(
        table, time="day", indicators={"s_index": ("CaHK", "eCaHK")}, unit="m/s"
    )
    assert sorted(data.indicators) == ["bis", "s_index"]
    assert data.indicators["s_index"].uncertainties[1] == 0.02
    columns = data.to_columns()
    assert list(columns) == [
        "time_days",
        "velocity_m_s",
        "uncertainty_m_s",
        "instrument",
        "s_index",
        "s_index_err",
        "bis",
    ]


def test_some_of_the_observations():
    data = equant.Data.demonstration()
    part = data[100:200]
    assert np.array_equal(part.times_days, data.times_days[100:200])
    assert part.reference_time_days == data.reference_time_days
    quiet = data[data.uncertainties_m_s < 1.5]
    assert quiet.uncertainties_m_s.max() < 1.5
    assert quiet.n_obs == (data.uncertainties_m_s < 1.5).sum()
    few = data[[7, 3, 5]]
    assert np.array_equal(few.velocities_m_s, data.velocities_m_s[[3, 5, 7]])
    one = data["j"]
    assert one.instrument_names == ("j",) and one.n_obs == data.instrument_n_obs[1]
    two = data[["a", "k"]]
    assert two.instrument_names == ("k", "a")
    names = two.to_columns()["instrument"]
    assert names.tolist() == [n for n in data.to_columns()["instrument"] if n != "j"]


def test_observations_that_are_not_there():
    data = equant.Data.demonstration()
    for nothing in (slice(0, 0), data.velocities_m_s > 1e9, []):
        with pytest.raises(equant.InvalidArgument, match="no observation is left"):
            data[nothing]
    with pytest.raises(equant.InvalidArgument, match="there is no instrument 'HARPS'"):
        data["HARPS"]
    with pytest.raises(equant.InvalidArgument, match="401 observations"):
        data[[1, 401]]
    with pytest.raises(TypeError, match=r"data\[5:6\]"):
        data[5]
    with pytest.raises(TypeError):
        iter(data)


def test_data_side_by_side():
    data = equant.Data.demonstration()
    assert data[:150] + data[150:] == data
    assert equant.Data.concatenate([data["k"], data["j"], data["a"]]) == data
    assert (data[:5] + data[5:10]).warnings == data.warnings
    other = equant.Data.from_arrays([1.0, 2.0], [0.0, 1.0], 1.0, ["j", "x"])
    both = data + other
    assert both.n_obs == 403 and both.instrument_names == ("k", "j", "a", "x")
    assert both.to_columns()["instrument"].tolist()[:2] == ["j", "x"]
    assert both.reference_time_days not in (data.reference_time_days, other.reference_time_days)
    given = equant.Data.concatenate([data, other], reference_time_days=5.0)
    assert given.reference_time_days == 5.0
    with pytest.raises(TypeError):
        data + [1.0]
    with pytest.raises(TypeError, match="equant.Data"):
        equant.Data.concatenate([data, 3])
    with pytest.raises(equant.InvalidArgument, match="nothing to concatenate"):
        equant.Data.concatenate([])


def test_equal_data():
    columns = ([0.0, 3.0, 1.0], [4.0, 2.0, -1.0], [0.5, 0.6, 0.7], ["a", "b", "a"])
    data = equant.Data.from_arrays(*columns)
    assert data == equant.Data.from_arrays(*columns)
    assert hash(data) == hash(equant.Data.from_arrays(*columns)) and len({data, data[:]}) == 1
    assert data != equant.Data.from_arrays(*columns, reference_time_days=17.0)
    assert data != data[:2] and data != "data"
    for index in range(4):
        changed = [list(column) for column in columns]
        changed[index][1] = "c" if index == 3 else 3.5
        assert data != equant.Data.from_arrays(*changed)


def test_indicators_go_with_their_rows():
    """In parts, in wholes, in copies, and when two data sets are compared."""
    columns = ([3.0, 1.0, 2.0], [4.0, 2.0, -1.0], 0.5)
    s_index = equant.Indicator([0.3, 0.1, np.nan], [0.03, np.nan, 0.02], "my S", "m/s")
    data = equant.Data.from_arrays(*columns, indicators={"s_index": s_index})
    part = data[1:]
    assert part.indicators["s_index"].values.tolist()[1] == 0.3
    assert np.isnan(part.indicators["s_index"].values[0])
    assert part.indicators["s_index"].uncertainties[1] == 0.03
    assert part.indicators["s_index"][2:] == ("my S", "m/s")
    assert data[:1] + data[1:] == data == pickle.loads(pickle.dumps(data))
    bare = equant.Data.from_arrays([9.0], [1.0], 1.0)
    both = data + bare
    assert np.isnan(both.indicators["s_index"].values[-1]) and both.n_obs == 4
    assert (bare + data).indicators["s_index"].label == "my S"
    assert data != equant.Data.from_arrays(*columns)
    other = {"s_index": s_index._replace(values=[0.3, 0.2, np.nan])}
    assert data != equant.Data.from_arrays(*columns, indicators=other)


def test_times_are_called_what_their_heading_calls_them():
    rows = "2455000.5,1.5,0.9\n2455003.5,-2.5,0.8\n"
    named = equant.Data.from_text(f"BJD_TDB,rv,rv_err\n{rows}", unit="m/s")
    plain = equant.Data.from_text(f"time,rv,rv_err\n{rows}", unit="m/s")
    assert (named.time_name, plain.time_name) == ("BJD", "JD")
    assert named[:1].time_name == (named + named).time_name == "BJD"
    assert (named + plain).time_name == "JD"
    assert pickle.loads(pickle.dumps(named)).time_name == "BJD"
    table = {"hjd": [1.0, 2.0], "rv": [5.0, 6.0], "rv_err": [1.0, 1.0]}
    assert equant.Data.from_table(table, unit="m/s").time_name == "HJD"
    assert equant.Data.from_table(table, unit="m/s", time_name="JD").time_name == "JD"
    arrays = ([1.0, 2.0], [3.0, 4.0], 1.0)
    assert equant.Data.from_arrays(*arrays).time_name == "JD"
    assert equant.Data.from_arrays(*arrays, time_name="mjd").time_name == "MJD"
    with pytest.raises(equant.InvalidArgument, match="JD, BJD, HJD or MJD, not 'noon'"):
        equant.Data.from_arrays(*arrays, time_name="noon")


def test_observations_are_left_out_by_their_times():
    times = np.arange(0.0, 20.0, 0.5)
    data = equant.Data.from_arrays(
        times, 100 + times, 1.0, np.where(times < 1, "a", "b"), reference_time_days=3.25
    )
    rest = data.without(times=[(0, 1.5), (18, np.inf)], transits=[(3.0, -2.5, 24.0)])
    phases = (times - 0.5 + 1.5) % 3.0 - 1.5
    kept = (times > 1.5) & (times < 18) & (np.abs(phases) > 0.5)
    assert np.array_equal(rest.times_days, times[kept])
    assert np.array_equal(rest.velocities_m_s, 100 + times[kept])
    assert rest.instrument_names == ("b",)
    assert rest.reference_time_days == 3.25
    assert len(rest.warnings) == 3 and "left out: 4 of 40" in rest.warnings[0]
    again = data[:30].without(times=[(0, 1.5)])
    assert "left out: 4 of 30" in again.warnings[0]
    with pytest.raises(equant.InvalidArgument, match="no observation is left"):
        data.without(times=[(0, 30)])
    with pytest.raises(equant.InvalidArgument, match="each entry has 3 numbers"):
        data.without(transits=[(3.0, 4.0)])
