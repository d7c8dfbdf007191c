"""Numbers that callers give: of every public function quantities, dates and masks are converted or
refused, by walking over all of them."""

import datetime
import inspect
import pickle
import sys
import types
from decimal import Decimal

import numpy as np
import pytest

import equant
from equant._numbers.dates import clock_of
from equant._numbers.gate import takes_numbers
from equant._numbers.kinds import kind_of

#: Functions of one array in columns of several units: they look at it themselves, for they are
#: called by the million.
LOOK_THEMSELVES = {
    "Evaluator": (
        "chi_square",
        "log_likelihood",
        "evaluate",
        "velocities",
        "residuals",
        "linear",
        "differentiate",
        "gradient",
        "chi2",
    ),
    "Target": (
        "gradient",
        "value_and_gradient",
        "log_probability",
        "log_likelihood",
        "log_prior",
        "prior_transform",
        "to_parameters",
        "from_parameters",
        "to_columns",
        "around",
    ),
    "BatchedPosterior": (
        "log_probability",
        "log_likelihood",
        "log_prior",
        "prior_transform",
        "neglogprob_array",
        "logprob_array",
    ),
}

#: Arguments with a numeric name that are something else there, or that the body looks at.
ELSEWHERE = {
    ("Data.from_arrays", name)
    for name in ("time_days", "velocity", "uncertainty", "instrument", "reference_time_days")
}
#: Those that hand them on to what has a gate, and the stream of a GPU.
ELSEWHERE |= {("StarPosition.read", "motion"), ("States.fix", "value"), ("DeviceArray", "stream")}
ELSEWHERE |= {("Data.without", "times"), ("Data.without", "transits")}

#: Arguments that are mappings with numbers in them, each with what it calls of one entry and the
#: unit that a number has there; None: of none.
MAPPINGS = {
    ("Priors", "changes"): lambda n: equant.Priors(star(), 1, changes={"k_m_s_1": n}),
    ("sample", "priors"): lambda n: equant.sample(star(), 1, priors={"k_m_s_1": n}, max_steps=1),
    ("Target", "priors"): lambda n: equant.Target(star(), 1, priors={"k_m_s_1": n}),
    ("States", "values"): lambda n: equant.States({"b.k_m_s": n}),
    ("Data.from_files", "columns"): lambda n: equant.Data.from_files("x", columns={"rv": n}),
    ("Data.from_text", "columns"): lambda n: equant.Data.from_text("", columns={"rv": n}),
    ("Data.from_arrays", "indicators"): lambda n: equant.Data.from_arrays(
        [1.0, 2.0], [1.0, 2.0], 1.0, indicators={"fwhm": n}
    ),
}
#: Mappings of names to names, to arrays that are filled, or of what is only shown.
WITHOUT_NUMBERS = {
    ("Data.from_table", "indicators"),
    ("Table", "columns"),
    ("Evaluator.evaluate", "out"),
    ("Evaluator.differentiate", "out"),
    ("fit_many", "stars"),
    ("sample_many", "stars"),
}


def star():
    return equant.Data.demonstration()


def public_callables():
    """(name, function) of all that callers can call with arguments."""
    for owner in (equant, equant.radvel):
        for name in getattr(owner, "__all__", dir(owner)):
            found = getattr(owner, name)
            home = getattr(found, "__module__", "") or ""
            if name.startswith("_") or not home.startswith("equant"):
                continue
            if owner is equant.radvel and home not in (
                "equant.radvel",
                "equant._packages.radvel_setup",
            ):
                continue
            if inspect.isclass(found):
                yield from of_class(found)
            elif inspect.isfunction(found):
                yield name, found


def of_class(made):
    if not issubclass(made, Exception) and not is_result(made):
        yield made.__name__, made.__init__
    for name, found in inspect.getmembers(made):
        function = getattr(found, "__func__", found)
        is_ours = (getattr(function, "__module__", "") or "").startswith("equant")
        if inspect.isfunction(function) and is_ours and not name.startswith("_"):
            yield f"{made.__name__}.{name}", function


def is_result(made):
    """Whether it is only given out: a record that says nothing to the library."""
    is_record = hasattr(made, "__dataclass_fields__") or hasattr(made, "_fields")
    takes = ("_options", "_arrays")
    is_taken = hasattr(made.__init__, "__numbers__")
    return is_record and not is_taken and not any(hasattr(made, name) for name in takes)


def numeric(name, parameter):
    """Whether the name or the annotation says that it takes numbers."""
    said = str(parameter.annotation)
    words = ("float", "int", "ArrayLike")
    is_number = any(
        word in said.replace("[", " ").replace("]", " ").replace(",", " ").split() for word in words
    )
    return is_number or (said == "Any" and kind_of(name) is not None)


def gated():
    for name, function in public_callables():
        for argument, kind in getattr(function, "__numbers__", {}).items():
            yield name, function, argument, kind


def call_with(function, argument, value):
    """Calls with this argument alone: the gate comes before anything that is missing."""
    owner = [None] if next(iter(inspect.signature(function).parameters)) in ("self", "cls") else []
    return function(*owner, **{argument: value})


def passed_on(function, argument, value):
    """What the function itself is called with."""
    seen = {}

    def recorder(*args, **given):
        seen.update(given)

    recorder.__signature__ = inspect.signature(function)
    gate = takes_numbers(**function.__numbers__)(recorder)
    call_with(gate, argument, value)
    return seen[argument]


def test_every_numeric_argument_goes_through_the_gate():
    missing = []
    for name, function in public_callables():
        owner, _, method = name.partition(".")
        if method in LOOK_THEMSELVES.get(owner, ()):
            continue
        kinds = getattr(function, "__numbers__", {})
        for argument, parameter in inspect.signature(function).parameters.items():
            is_known = argument in kinds or (name, argument) in ELSEWHERE
            if numeric(argument, parameter) and not is_known:
                missing.append(f"{name}({argument}: {parameter.annotation})")
    assert not missing, "\n".join(missing)
    assert len(list(gated())) > 200


def test_mappings_hold_numbers_that_went_through_the_gate():
    found = {
        (name, argument)
        for name, function in public_callables()
        for argument, parameter in inspect.signature(function).parameters.items()
        if "Mapping[" in str(parameter.annotation) or "dict[" in str(parameter.annotation)
    }
    assert found == set(MAPPINGS) | WITHOUT_NUMBERS
    wrong = [1j, np.ma.masked, True]
    for (name, argument), give in MAPPINGS.items():
        is_of_rows = argument == "indicators"  # a masked one is absent, and its unit is its own
        for value in wrong[:1] if is_of_rows else wrong:
            with pytest.raises(equant.InvalidArgument, match="number|masked"):
                give(value)
    units = pytest.importorskip("astropy.units")
    for (name, argument), give in MAPPINGS.items():
        if argument != "indicators":
            with pytest.raises(equant.InvalidArgument, match="is in 'cd'"):
                give(3.0 * units.cd)


def test_priors_take_quantities():
    units = pytest.importorskip("astropy.units")
    priors = equant.Priors(star(), 1, changes={"k_m_s_1": 0.002 * units.km / units.s})
    assert priors["k_m_s_1"] == "fixed(2)"
    priors["period_days_1"] = 48 * units.hour
    assert priors["period_days_1"] == "fixed(2)"
    priors["period_days"] = np.timedelta64(72, "h")
    assert priors["period_days_1"] == "fixed(3)"
    priors["omega_rad_1"] = 180 * units.deg
    assert priors["omega_rad_1"].startswith("fixed(3.14159")
    priors["eccentricity_1"] = 0
    assert priors["eccentricity_1"] == "fixed(0)"
    for wrong in (None, [1.0, 2.0], 20 * units.m, np.ma.masked, np.datetime64("2020-01-01")):
        with pytest.raises(equant.InvalidArgument, match="period_days_1"):
            priors["period_days_1"] = wrong
    assert priors["period_days_1"] == "fixed(3)"


def test_shares_of_outliers_are_numbers():
    units = pytest.importorskip("astropy.units")
    share = 5 * units.percent
    for call in (equant.fit, equant.sample, equant.search):
        assert passed_on(call, "outliers", share) == pytest.approx(0.05)
        assert passed_on(call, "outliers", "auto") == "auto"
        for wrong in (5 * units.m, True, np.ma.masked):
            with pytest.raises(equant.InvalidArgument, match="^outliers "):
                call(star(), outliers=wrong)


def test_quantities_in_other_units_are_converted():
    units = pytest.importorskip("astropy.units")
    others = {
        "d": "hour",
        "m / s": "km/s",
        "km / s": "m/s",
        "rad": "deg",
        "deg": "rad",
        "mas": "arcsec",
        "mas / yr": "arcsec/yr",
        "s": "hour",
        "h": "min",
        "min": "hour",
        "yr": "d",
        "1 / d": "1/yr",
        "solMass": "kg",
        "solRad": "km",
        "solLum": "W",
        "jupiterMass": "kg",
        "K": "mK",
        "m": "km",
        "m / (s d)": "km/(s yr)",
        "AU": "km",
        "m / (s d2)": "km/(s yr2)",
    }
    for name, function, argument, kind in gated():
        if not kind.unit or kind.is_count:
            continue
        for shape in [[1.0, 2.0]] if kind.is_pair else [3.0, [1.0, 2.0]]:
            given = np.multiply(shape, 1) * units.Unit(others[kind.unit])
            found = passed_on(function, argument, given)
            assert type(found) in (float, np.ndarray), (name, argument)
            assert found == pytest.approx(given.to_value(kind.unit)), (name, argument)
        pair = (1 * units.Unit(kind.unit), 2 * units.Unit(others[kind.unit]))
        found = passed_on(function, argument, pair)
        assert found == pytest.approx([one.to_value(kind.unit) for one in pair])


def test_quantities_of_another_dimension_are_refused():
    units = pytest.importorskip("astropy.units")
    for name, function, argument, kind in gated():
        wrong = units.Unit("candela")
        with pytest.raises(equant.InvalidArgument) as refusal:
            call_with(function, argument, [3.0, 4.0] * wrong if kind.is_pair else 3.0 * wrong)
        sentence = str(refusal.value)
        assert sentence.startswith(argument) and "'cd'" in sentence, (name, sentence)
        assert kind.unit in sentence
        with pytest.raises(equant.InvalidArgument, match=argument):
            call_with(function, argument, [1.0 * wrong, 2.0 * wrong])


def test_what_is_masked_or_missing_is_never_used():
    masked = [np.ma.masked, np.ma.array([1.0, 2.0], mask=[True, False]), [1.0, np.ma.masked]]
    pandas = pytest.importorskip("pandas")
    masked += [
        pandas.NA,
        pandas.array([1, None], dtype="Int64"),
        pandas.Series([1, None], dtype="Float64"),
    ]
    units = pytest.importorskip("astropy.units")
    from astropy.utils.masked import Masked

    for name, function, argument, kind in gated():
        own = [*masked, Masked([1.0, 2.0], mask=[True, False])]
        if kind.unit:
            own.append(Masked([1.0, 2.0] * units.Unit(kind.unit), mask=[True, False]))
        for value in own[1:] if kind.is_pair else own:
            if kind.is_pair and not hasattr(value, "__len__"):
                continue
            with pytest.raises(equant.InvalidArgument, match=f"^{argument} has masked or missing"):
                call_with(function, argument, value)


def test_what_is_no_number_is_refused():
    for name, function, argument, kind in gated():
        wrong = [True, [True, 1.0], 1j, [1j], object(), {"a": 1}]
        wrong += [] if kind.takes_text else ["3", ["3"], b"3"]
        wrong += [] if kind.date else [np.datetime64("2020-01-01"), datetime.datetime(2020, 1, 1)]
        if kind.is_mixed or kind.takes_flags:
            wrong = [value for value in wrong if not isinstance(value, (bool, list, dict))]
            wrong = [value for value in wrong if type(value) is not object]
        for value in wrong:
            with pytest.raises(equant.InvalidArgument, match=f"^{argument} "):
                call_with(function, argument, value)


def test_counts_are_whole():
    for name, function, argument, kind in gated():
        if not kind.is_count:
            continue
        if kind.is_pair:
            assert passed_on(function, argument, (3.0, np.int64(2))) == (3, 2)
            continue
        assert passed_on(function, argument, 3) == 3
        assert passed_on(function, argument, np.int64(3)) == 3
        if not kind.takes_text:
            assert type(passed_on(function, argument, 3.0)) is int
            with pytest.raises(equant.InvalidArgument, match=f"^{argument} must be a whole number"):
                call_with(function, argument, 2.5)


def test_plain_numbers_pass_as_they_are():
    for name, function, argument, kind in gated():
        if kind.is_count:
            continue
        for value in (np.arange(2.0), [1.0, 2], (1.0, 2.0), None):
            assert passed_on(function, argument, value) is value
        if not kind.is_pair:
            for value in (np.arange(3.0), 2.5, 3):
                assert passed_on(function, argument, value) is value
            assert passed_on(function, argument, Decimal("2.5")) == 2.5
            assert passed_on(function, argument, np.float32(2.5)) == 2.5


def test_ranges_are_pairs():
    assert sum(kind.is_pair for _, _, _, kind in gated()) >= 8
    for name, function, argument, kind in gated():
        for wrong in (5.0, 5, [1.0], (1.0, 2.0, 3.0), np.float64(1.0)) if kind.is_pair else ():
            with pytest.raises(equant.InvalidArgument, match=f"^{argument} must be two numbers"):
                call_with(function, argument, wrong)


def test_units_change_what_they_should():
    units = pytest.importorskip("astropy.units")
    plain = equant.radial_velocity([0.0, 1.0], period_days=4.0, k_m_s=12.0)
    given = equant.radial_velocity(
        [0.0, 24.0] * units.hour, period_days=96 * units.hour, k_m_s=0.012 * units.km / units.s
    )
    assert given == pytest.approx(plain)
    degrees = equant.kepler([30, 60] * units.deg, 0.1)
    assert degrees == pytest.approx(equant.kepler(np.radians([30, 60]), 0.1))
    data = equant.Data.demonstration()
    with pytest.raises(equant.InvalidArgument, match="period_min_days is in 'm', .* to 'd'"):
        equant.search(data, period_min_days=10 * units.m)
    assert equant.Star(mass=1 * units.M_sun, radius=1 * units.R_sun).mass == 1.0
    states = equant.States({"b.period_days": 48 * units.hour, "b.k_m_s": 1 * units.km / units.s})
    assert (states["b.period_days"], states["b.k_m_s"]) == ("2.0", "1000.0")
    with pytest.raises(equant.InvalidArgument, match="b.period_days is in 'm'"):
        equant.States({"b.period_days": 20 * units.m})


def test_arrays_in_columns_look_at_themselves():
    units = pytest.importorskip("astropy.units")
    data = equant.Data.demonstration()
    evaluator, target = equant.Evaluator(data, n_planets=1), equant.Target(data, 1)
    orbit, point = np.array([1198.5, 7.35, 0.07, 2.86, 3.23]), target.draw(1, seed=1)[0]
    for owner, names, values, width in (
        (evaluator, LOOK_THEMSELVES["Evaluator"], orbit, 5),
        (
            target,
            ("log_probability", "prior_transform", "to_parameters", "from_parameters"),
            point,
            0,
        ),
    ):
        for name in names:
            given = target.to_parameters(values) if name == "from_parameters" else values
            masked = np.ma.array(given, mask=[True] + [False] * (given.size - 1))
            wrong = [masked, [masked, masked], given * units.day, given.astype(complex)]
            wrong += [given.astype("M8[D]"), given.astype(str), given > 0.0]
            for value in wrong:
                with pytest.raises(equant.InvalidArgument):
                    getattr(owner, name)(value)
    with pytest.raises(equant.InvalidArgument, match="^known"):
        equant.fit(data, 1, known=[orbit * units.day])
    with pytest.raises(equant.InvalidArgument, match="rows of elements"):
        equant.fit(data, 1, known=5)
    with pytest.raises(equant.InvalidArgument, match="masked"):
        data[np.ma.array(data.times_days > 0, mask=data.times_days > 2453000)]


DATES = np.array(["2020-01-01T12:00", "2020-01-02T00:00", "2020-01-05T00:00"], "M8[s]")
JULIAN = np.array([2458850.0, 2458850.5, 2458853.5])


def kinds_of_dates():
    yield DATES
    yield DATES.astype("M8[ns]")
    yield DATES.tolist()
    zone = datetime.timezone(datetime.timedelta(hours=9))
    yield [date.replace(tzinfo=datetime.timezone.utc).astimezone(zone) for date in DATES.tolist()]
    pandas = pytest.importorskip("pandas")
    yield from (
        pandas.Series(DATES),
        pandas.DatetimeIndex(DATES),
        list(pandas.DatetimeIndex(DATES)),
    )
    yield pandas.Series(DATES).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
    time = pytest.importorskip("astropy.time")
    yield time.Time(DATES, scale="utc")
    yield time.Time(JULIAN, format="jd", scale="tdb")


def test_dates_of_observations_are_julian_dates():
    for dates in kinds_of_dates():
        data = equant.Data.from_arrays(dates, [1.0, 2.0, 3.0], 1.0)
        assert data.times_days == pytest.approx(JULIAN, abs=1e-6)
        data = equant.Data.from_arrays(dates, [1.0, 2.0, 3.0], 1.0, time_name="MJD")
        assert data.times_days == pytest.approx(JULIAN - 2400000.5, abs=1e-6)
    with pytest.raises(equant.InvalidArgument, match="whether these dates are UTC"):
        equant.Data.from_arrays(DATES, [1.0, 2.0, 3.0], 1.0, time_name="BJD_TDB")
    found = equant.Data.from_arrays(JULIAN, [1, 2, 3], 1.0, reference_time_days=DATES[1])
    assert found.reference_time_days == JULIAN[1]
    with pytest.raises(equant.InvalidArgument, match="reference_time_days is on the clock"):
        equant.Data.from_text("t,rv,err\n1,2,3\n", reference_time_days=DATES[1])


def test_dates_in_tables_are_days():
    for dates in kinds_of_dates():
        for heading, clock in (("jd", 0.0), ("time", 0.0), ("mjd", 2400000.5)):
            table = {heading: dates, "rv": [1.0, 2.0, 3.0], "rv_err": [1.0, 1.0, 1.0]}
            found = equant.Data.from_table(table, unit="m/s").times_days
            assert found == pytest.approx(JULIAN - clock, abs=1e-6), heading
        table = {"seen": dates, "rv": [1.0, 2.0, 3.0], "rv_err": [1.0, 1.0, 1.0]}
        found = equant.Data.from_table(table, unit="m/s", time="seen", time_name="MJD")
        assert found.times_days == pytest.approx(JULIAN - 2400000.5, abs=1e-6)
    table = {"bjd": DATES, "rv": [1.0, 2.0, 3.0], "rv_err": [1.0, 1.0, 1.0]}
    with pytest.raises(equant.FormatError, match="the time is a date"):
        equant.Data.from_table(table, unit="m/s")
    with pytest.raises(equant.InvalidArgument, match="whether these dates are UTC"):
        equant.Data.from_table(table, unit="m/s", time="bjd")
    # Dates beside the time are no concern of it, whatever they are called.
    table = {"bjd": JULIAN, "date_obs_bjd": DATES, "rv": [1.0, 2.0, 3.0], "rv_err": [1.0] * 3}
    assert equant.Data.from_table(table, unit="m/s").times_days == pytest.approx(JULIAN)
    pandas = pytest.importorskip("pandas")
    table["bjd"], table["jd"] = None, pandas.Series(DATES).where([True, False, True])
    del table["bjd"]
    found = equant.Data.from_table(table, unit="m/s", skip_bad_rows=True)
    assert found.times_days == pytest.approx(JULIAN[[0, 2]])


def test_dates_where_the_clock_of_the_data_is_known(fit):
    time = 2455000.0
    date = np.datetime64("2009-06-17T12:00")
    assert clock_of(fit.data) == "JD" and fit.velocities(date) == fit.velocities(time)
    short = equant.Data.from_arrays([0.0, 3.0, 7.0, 9.0], [1.0, 2.0, 0.0, 1.0], 0.5)
    nothing = equant.fit(short, 0)
    with pytest.raises(equant.InvalidArgument, match="time_days is on the clock of the data"):
        nothing.velocities(date)
    assert equant.radial_velocity(date, 4.0, 3.0) == equant.radial_velocity(time, 4.0, 3.0)
    length = np.timedelta64(96, "h")
    assert equant.radial_velocity([1.0], length, 3.0) == equant.radial_velocity([1.0], 4.0, 3.0)


def test_times_that_are_left_out_have_units():
    units = pytest.importorskip("astropy.units")
    data = equant.Data.from_arrays(JULIAN, [1.0, 2.0, 3.0], 1.0)
    span = [(DATES[0], np.datetime64("2020-01-02T06:00"))]
    assert data.without(times=span).n_obs == 1
    assert data.without(times=[(JULIAN[0] * units.day, JULIAN[1])]).n_obs == 1
    transit = (10 * units.day, DATES[1], 0.5 * units.day)
    found = data.without(transits=[transit]).times_days
    assert np.array_equal(found, data.without(transits=[(10.0, JULIAN[1], 12.0)]).times_days)
    assert len(found) < 3
    for wrong in ([(1.0 * units.m, 2.0)], [(1.0, np.ma.masked)], [("a", "b")], [1.0], [(1.0,)]):
        with pytest.raises(equant.InvalidArgument, match="times"):
            data.without(times=wrong)


def test_dates_of_the_sky_are_utc():
    star, words = (270.6, 26.3), "2026-06-16T10:00"
    wanted = equant.sky_conditions("Keck", star, words).airmass
    given = [np.datetime64(words), datetime.datetime(2026, 6, 16, 10)]
    time = pytest.importorskip("astropy.time")
    given += [time.Time(words, scale="utc"), time.Time(words, scale="utc").tdb]
    for date in given:
        assert equant.sky_conditions("Keck", star, date).airmass == pytest.approx(wanted, rel=1e-6)
    units = pytest.importorskip("astropy.units")
    angles = (270.6 * units.deg, np.radians(26.3) * units.rad)
    assert equant.sky_conditions("Keck", angles, words).airmass == pytest.approx(wanted)


def test_rows_that_are_missing_are_left_out():
    times, ones = [1.0, 2.0, 3.0], np.ones(3)
    masked = np.ma.array([5.0, 6.0, 7.0], mask=[False, True, False])
    pandas = pytest.importorskip("pandas")
    nullable = pandas.array([5, None, 7], dtype="Int64")
    dates = pandas.Series(DATES).where([True, False, True])
    for arguments in (
        (times, masked, ones), (times, ones, masked), (masked, ones, ones), (times, nullable, ones),
        (dates, ones, ones), (times, ones, 1.0, np.ma.array(["a", "b", "a"], mask=masked.mask)),
        (times, pandas.Series(nullable), ones), ([1.0, None, 3.0], ones, ones),
        (times, ones, 1.0, ["a", None, "b"]), (times, ones, 1.0, np.array(["a", None, "b"], object)),
    ):  # fmt: skip
        assert equant.Data.from_arrays(*arguments).n_obs == 2
    frame = pandas.DataFrame({"bjd": times, "rv": nullable, "rv_err": ones})
    with pytest.raises(equant.FormatError, match="row 2 of the table: the velocity is missing"):
        equant.Data.from_table(frame, unit="m/s")
    assert equant.Data.from_table(frame, unit="m/s", skip_bad_rows=True).n_obs == 2
    found = equant.Data.from_arrays(times, ones, 1.0, indicators={"s_index": (nullable, masked)})
    assert np.isnan(found.indicators["s_index"].values).tolist() == [False, True, False]


def test_velocities_have_units_of_velocities():
    units = pytest.importorskip("astropy.units")
    table = pytest.importorskip("astropy.table")
    times, ones = [1.0, 2.0, 3.0], np.ones(3)
    with pytest.raises(equant.InvalidArgument, match="velocity is in 'mas', .* to 'm / s'"):
        equant.Data.from_arrays(times, ones * units.mas, 1.0)
    speed = ones * units.m / units.s
    for unit in ("m/s", "km/s"):
        assert equant.Data.from_arrays(times, speed, speed, unit=unit).velocities_m_s[0] == 1.0
        rows = table.Table({"bjd": times, "rv": speed, "rv_err": speed})
        assert equant.Data.from_table(rows, unit=unit).velocities_m_s[0] == 1.0
        rows["rv"] = ones * units.mas
        with pytest.raises(equant.FormatError, match="the unit 'mas' of column 'rv'"):
            equant.Data.from_table(rows, unit=unit)
    widths = [7.0, 7.1, 7.2] * units.km / units.s
    found = equant.Data.from_arrays(times, ones, 1.0, indicators={"fwhm": widths})
    assert found.indicators["fwhm"].values[0] == 7000.0 and found.indicators["fwhm"].unit == "m/s"


def test_units_of_packages_that_are_not_known_are_refused():
    strange = types.SimpleNamespace(units="day", magnitude=3.0)
    with pytest.raises(equant.InvalidArgument, match="period_days has units of a package"):
        equant.radial_velocity(0.0, strange, 3.0)


def test_functions_stay_what_they_were():
    for function in (equant.fit, equant.kepler, equant.sample):
        assert pickle.loads(pickle.dumps(function)) is function
    assert list(inspect.signature(equant.Star).parameters)[:2] == ["mass", "mass_err"]
    star = equant.Star(mass=0.9, mass_err=0.1)
    assert pickle.loads(pickle.dumps(star)) == star
    assert "equant" in sys.modules
    with pytest.raises(TypeError, match="unexpected keyword"):
        equant.kepler(1.0, 0.5, nonsense=3)


def test_other_packages_are_not_imported_for_it():
    import subprocess

    lines = (
        "import sys, numpy, equant; equant.Data.from_arrays(numpy.array(['2020-01-01', "
        "'2020-01-02'], 'M8[D]'), [1, 2.], 1); equant.kepler(1.0, 0.5); "
        "assert not {'pandas', 'astropy'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", lines], check=True)
