"""Observations of one star by one or more instruments."""

from __future__ import annotations

import ctypes
import os
from functools import partial
from typing import Any, Iterable, Optional, Sequence, Union

import numpy as np

from . import _c
from ._data.html_table import as_html
from ._data.instruments import instruments_of, labels_of
from ._data.observations import Observations
from ._data.options import data_options, set_indicators
from ._data.origin import Origin, common_origin, origin_of
from ._data.rows import Rows, Words, chosen_rows, handle_from_rows, joined_rows, rows_of, words_of
from ._memory import (
    AnyHandle,
    Array,
    Borrowed,
    Handle,
    address,
    doubles,
    names_text,
    options,
    read_path,
    text,
    texts,
)
from ._numbers.dates import clock_named, clock_of
from ._numbers.gate import takes_numbers
from ._numbers.kinds import CLOCK, Kind
from ._numbers.values import missing_rows, plain
from ._packages.parquet import as_text_files
from ._packages.tables import about_rows, has_other_units, n_lines_before, table_as_ecsv
from .errors import FormatError, InvalidArgument
from .indicators import given_indicators, kept_rows

PathLike = Union[str, bytes, os.PathLike[Any]]


#: What :meth:`Data.from_arrays` looks at itself: rows may be missing, `unit` and `time_name` count.
_IN_ARRAYS = dict.fromkeys(
    ("time_days", "velocity", "uncertainty", "instrument", "reference_time_days")
)


#: What :meth:`Data.without` takes in a row.
_SPAN = (CLOCK, CLOCK)
_TRANSIT = (Kind("d"), CLOCK, Kind("h"))


class Data(Observations):
    """Observations of one star, sorted by time.

    Made by :meth:`from_files`, :meth:`from_arrays`, :meth:`from_table` or
    :meth:`demonstration`. Arrays of a data set are read-only views of the library's memory.

    ``data[:100]``, ``data[data.uncertainties_m_s < 2]`` and ``data["HARPS"]`` are data sets of
    some of the observations, with the same reference time; ``first + second`` has those of both.
    Two are equal where all observations, instruments and the reference time are. Data sets can be
    pickled.

    Examples
    --------
    >>> Data.demonstration()
    equant.Data(401 observations, 3 instruments: k, j, a; 7016.7 days)
    """

    def __init__(self, handle: AnyHandle, _origin: Optional[Origin] = None) -> None:
        if not isinstance(handle, (Handle, Borrowed)):
            raise TypeError(
                _how_to_make(f"equant.Data is not made from a {_kind(handle)} as it is")
            )
        self._handle = handle
        self._n_lines_before = None
        self._known_origin = _origin

    # How to make one ----------------------------------------------------------------------

    @classmethod
    @takes_numbers
    def from_files(
        cls,
        *paths: PathLike,
        unit: str = "from_file",
        reference_time_days: Optional[float] = None,
        columns: Optional[dict[str, Any]] = None,
        skip_bad_rows: bool = False,
        time_name: Optional[str] = None,
        star: Optional[str] = None,
    ) -> Data:
        """Reads files, whose formats are recognised by their contents.

        Several files without instrument columns are several instruments. What had to be guessed
        is in :attr:`warnings`.

        Parameters
        ----------
        paths
            One or more files: text, VOTables, FITS tables, or Parquet, which needs pyarrow.
        unit
            Of the velocities: ``"m/s"`` or ``"km/s"``; ``"from_file"`` leaves it to the files.
        reference_time_days
            The time to which ``m0_rad`` refers; chosen near the middle without it.
        columns
            Which column is what where their names do not say it, by name or by number from 1 on:
            ``{"time": "BJD", "rv": 3, "err": "e_RV", "instrument": "tel"}``; indicators are
            ``{"s_index": "CaHK", "s_index_err": 7}``.
        skip_bad_rows
            Leave out rows that cannot be used; :attr:`warnings` say how many and which.
        time_name
            What the times are called, ``"BJD"``; the heading of their column says it otherwise.
        star
            Of a file with rows of several stars, the star whose rows are read;
            :func:`equant.stream_stars` reads one star after the other.
        """
        for path in paths:
            if isinstance(path, (list, tuple)):
                raise TypeError("paths are given one by one: Data.from_files(*paths) takes a list")
        for path in paths:
            read_path(path)  # refuses what is no path, too
        chosen = data_options(unit, reference_time_days, columns, skip_bad_rows, time_name, star)
        with as_text_files(paths) as tables:
            names = (ctypes.c_char_p * len(paths))(*[read_path(table) for table in tables])
            return cls(_handle(_c.equant_dataset_from_files, len(paths), names, chosen))

    @classmethod
    @takes_numbers
    def from_text(
        cls,
        contents: Union[str, bytes],
        name: str = "text",
        *,
        unit: str = "from_file",
        reference_time_days: Optional[float] = None,
        columns: Optional[dict[str, Any]] = None,
        skip_bad_rows: bool = False,
        time_name: Optional[str] = None,
        star: Optional[str] = None,
    ) -> Data:
        """The same for the contents of one file.

        Examples
        --------
        >>> Data.from_text("bjd,rv,rv_err\\n55000.5,1.5,0.9\\n55003.5,-2.5,0.8\\n").n_obs
        2
        """
        raw = contents.encode("utf-8") if isinstance(contents, str) else bytes(contents)
        chosen = data_options(unit, reference_time_days, columns, skip_bad_rows, time_name, star)
        return cls(_handle(_c.equant_dataset_from_text, raw, len(raw), text(name), chosen))

    @classmethod
    @takes_numbers(
        time_days=None, velocity=None, uncertainty=None, instrument=None, reference_time_days=None
    )
    def from_arrays(
        cls,
        time_days: Any,
        velocity: Any,
        uncertainty: Any,
        instrument: Any = None,
        *,
        unit: str = "m_s",
        reference_time_days: Optional[float] = None,
        indicators: Optional[dict[str, Any]] = None,
        skip_bad_rows: bool = False,
        time_name: Optional[str] = None,
    ) -> Data:
        """Observations from arrays, which are copied.

        What is masked or missing (None, NA), in any of the arrays, is absent: its observation is
        left out.

        Parameters
        ----------
        time_days
            Times in days, in any order; an astropy ``Time`` becomes Julian dates of its own scale,
            dates of NumPy, pandas and Python those of UTC; modified ones where `time_name` is
            ``"MJD"``. Such dates are refused where it is ``"BJD"`` or ``"HJD"``.
        velocity, uncertainty
            Quantities of astropy have their own unit. One uncertainty may serve for all.
        instrument
            Who made each observation: names or numbers. None means one instrument.
        unit
            Of velocities without one: ``"m/s"`` or ``"km/s"``.
        reference_time_days
            The time to which ``m0_rad`` refers; chosen near the middle without it.
        indicators
            Activity indicators by name: values, or pairs of values and uncertainties; NaN or
            masked where an observation has none.
        skip_bad_rows
            Leave out observations that are not finite or have uncertainties of zero.
        time_name
            What the times are called: ``"JD"``, ``"BJD"``, ``"HJD"`` or ``"MJD"``.

        Examples
        --------
        >>> data = Data.from_arrays([0, 3, 1], [4.0, 2.0, -1.0], 0.5, ["a", "b", "a"])
        >>> data.velocities_m_s
        array([ 4., -1.,  2.])
        >>> data.instrument_names
        ('a', 'b')
        """
        clock = clock_named(time_name)
        epoch = plain(reference_time_days, "reference_time_days", CLOCK, lambda: clock)
        chosen = data_options(unit, epoch, None, skip_bad_rows, time_name)
        is_km_s = chosen.velocity_unit == _c.EQUANT_UNIT_KM_S
        speed = Kind("km / s" if is_km_s else "m / s", takes_missing=True)
        instants = CLOCK._replace(takes_missing=True)
        times = doubles(plain(time_days, "time_days", instants, lambda: clock), "times").ravel()
        velocities = doubles(plain(velocity, "velocity", speed), "velocities").ravel()
        errors = doubles(plain(uncertainty, "uncertainty", speed), "uncertainties").ravel()
        if errors.size == 1:
            errors = np.full(times.shape, errors[0])
        if not times.size == velocities.size == errors.size:
            raise InvalidArgument(
                f"there are {times.size} times, {velocities.size} velocities and "
                f"{errors.size} uncertainties"
            )
        columns = (time_days, velocity, uncertainty, instrument)
        absent = np.any([missing_rows(column, times.size) for column in columns], axis=0)
        labels = labels_of(instrument, times.size)
        beside = given_indicators(indicators, times.size)
        if absent.any():
            beside = kept_rows(beside, ~absent)
            times, velocities, errors = times[~absent], velocities[~absent], errors[~absent]
            labels = None if labels is None else labels[~absent]
        names, indices = instruments_of(labels)
        set_indicators(chosen, beside)
        return cls(
            _handle(
                _c.equant_dataset_from_arrays,
                times.size,
                address(times),
                address(velocities),
                address(errors),
                address(indices),
                max(len(names), 1),
                texts(names) if names else None,
                chosen,
            )
        )

    @classmethod
    @takes_numbers
    def from_table(
        cls,
        table: Any,
        *,
        time: Optional[str] = None,
        velocity: Optional[str] = None,
        uncertainty: Optional[str] = None,
        instrument: Optional[str] = None,
        indicators: Optional[dict[str, Any]] = None,
        unit: str = "from_file",
        reference_time_days: Optional[float] = None,
        skip_bad_rows: bool = False,
        time_name: Optional[str] = None,
        star: Optional[str] = None,
    ) -> Data:
        """Observations from a pandas ``DataFrame``, an astropy ``Table``, or a dict of columns.

        Columns are recognised by their names, as those of files are; `time`, `velocity`,
        `uncertainty` and `instrument` name them where that fails. Units of astropy columns are
        heeded; without one the unit is guessed, and a warning says so, unless `unit` is ``"m/s"``
        or ``"km/s"``. Dates of astropy, pandas, NumPy and Python become days: Julian dates, or the
        modified ones that a heading such as ``"mjd"`` asks for. Activity indicators are recognised likewise; `indicators` names
        others, ``{"s_index": "CaHK"}`` or with uncertainties ``{"s_index": ("CaHK", "eCaHK")}``.
        With `skip_bad_rows` rows that cannot be used are left out, and :attr:`warnings` count
        them. `time_name` says what the times are called where their heading does not, and `star`
        whose rows to take of a table with rows of several stars.

        Examples
        --------
        >>> table = {"jd": [1.0, 2.0, 3.0], "rv": [5.0, 6.0, 4.0], "rv_err": [1.0, 1.0, 1.0]}
        >>> Data.from_table(table, unit="m_s").n_obs
        3
        """
        names = {"time": time, "rv": velocity, "err": uncertainty, "instrument": instrument}
        for name, entry in (indicators or {}).items():
            pair = entry if isinstance(entry, tuple) else (entry,)
            names.update(zip((name, f"{name}_err"), pair))
        contents, columns = table_as_ecsv(
            table,
            {key: value for key, value in names.items() if value},
            unit in ("km/s", "km_s"),
            time_name,
        )
        n_before = n_lines_before(contents)
        try:
            if unit != "from_file" and has_other_units(contents):
                wanted = columns or None
                cls.from_text(contents, "table", columns=wanted, skip_bad_rows=True, star=star)
            data = cls.from_text(
                contents,
                "table",
                unit=unit,
                reference_time_days=reference_time_days,
                columns=columns or None,
                skip_bad_rows=skip_bad_rows,
                time_name=time_name,
                star=star,
            )
        except FormatError as error:
            raise FormatError(about_rows(str(error), n_before)) from None
        data._n_lines_before = n_before
        return data

    @classmethod
    def demonstration(cls) -> Data:
        """HD 164922: 401 velocities by three instruments (Fulton et al. 2016)."""
        return cls(_handle(_c.equant_dataset_demonstration))

    # Some of it, and more of it -----------------------------------------------------------

    def __getitem__(self, which: Any) -> Data:
        """Some of the observations: a slice, a mask, indices, or names of instruments.

        Instruments of which none is left are left out; the reference time stays.

        Examples
        --------
        >>> data = Data.demonstration()
        >>> data["j"].n_obs, data[:100].n_obs, data[data.uncertainties_m_s < 1.5].n_obs
        (276, 100, 328)
        """
        chosen = chosen_rows(self, which)
        if chosen.size == 0:
            raise InvalidArgument("no observation is left, and a data set has at least one")
        rows = {name: column[chosen] for name, column in rows_of(self).items()}
        kept = np.unique(rows["instrument"])
        rows["instrument"] = np.searchsorted(kept, rows["instrument"])
        names = tuple(self.instrument_names[index] for index in kept)
        return _data_from(rows, names, self.reference_time_days, self._origin, words_of(self))

    __iter__: None = None  # or Python would ask for data[0], data[1], ...

    @classmethod
    @takes_numbers
    def concatenate(
        cls, parts: Iterable[Data], *, reference_time_days: Optional[float] = None
    ) -> Data:
        """All observations of several data sets; ``first + second`` is short for two.

        Instruments of the same name are one instrument. An indicator is NaN in the observations
        of parts that do not have it. The reference time is that of the parts where they agree,
        else chosen anew, unless it is given.

        Examples
        --------
        >>> data = Data.demonstration()
        >>> Data.concatenate([data["k"], data["j"], data["a"]]) == data
        True
        """
        whole = list(parts)
        for part in whole:
            data_pointer(part)
        if not whole:
            raise InvalidArgument("there is nothing to concatenate")
        names = tuple(dict.fromkeys(name for part in whole for name in part.instrument_names))
        epochs = {part.reference_time_days for part in whole}
        if reference_time_days is None and len(epochs) == 1:
            reference_time_days = epochs.pop()
        words = {name: word for part in reversed(whole) for name, word in words_of(part).items()}
        origin = common_origin(part._origin for part in whole)
        return _data_from(joined_rows(whole, names), names, reference_time_days, origin, words)

    @takes_numbers
    def learn_spots(
        self, indicators: Any = None, *, period_days: tuple[float, float] = (0.0, 0.0)
    ) -> Data:
        """The same data with what their indicators say of spots: ``spots`` and ``spots_rate``.

        The indicators are taken for series of one process, a star that turns: each is ``c G``,
        bisector spans ``c G + d G'``. Velocities may then follow ``G`` and its derivative:
        ``equant.fit(data.learn_spots(), indicators="spots,spots_rate")``.

        Parameters
        ----------
        indicators
            Names of those to learn from; default all that have 20 values of an instrument.
        period_days
            The shortest and the longest rotation; default 5 to 150 days, at most half the span.
        """
        shortest, longest = period_days
        wanted = options(
            _c.equant_spots_options,
            indicators=names_text(indicators, "indicators"),
            period_min_days=shortest,
            period_max_days=longest,
        )
        made = Handle(
            _c.equant_spots_learn, _c.equant_dataset_free, self._handle.pointer, wanted, None
        )
        return Data(made, self._origin)

    def without(
        self,
        *,
        times: Iterable[tuple[float, float]] = (),
        transits: Iterable[tuple[float, float, float]] = (),
    ) -> Data:
        """The same data without observations at some times; the reference time stays.

        :attr:`warnings` count what is left out.

        Parameters
        ----------
        times
            Pairs of a first and a last day, both included; either may be infinite.
        transits
            Period in days, time of a conjunction and duration in hours: observations of the
            Rossiter-McLaughlin effect are left out so.

        Examples
        --------
        >>> data = Data.from_arrays([1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 4.0, 9.0], 1.0)
        >>> data.without(times=[(3.5, 5)], transits=[(10, 2, 4)]).times_days
        array([1., 3.])
        """
        spans = [_c.equant_time_span(*_numbers(self, "times", row, _SPAN)) for row in times]
        windows = [
            _c.equant_transit_times(*_numbers(self, "transits", row, _TRANSIT)) for row in transits
        ]
        made = Handle(
            _c.equant_dataset_without,
            _c.equant_dataset_free,
            self._handle.pointer,
            len(spans),
            (_c.equant_time_span * max(len(spans), 1))(*spans),
            len(windows),
            (_c.equant_transit_times * max(len(windows), 1))(*windows),
        )
        known = self._known_origin
        if known is not None:
            new = origin_of(made.pointer).warnings
            known = known._replace(warnings=known.warnings + new)
        return Data(made, known)

    def __add__(self, other: Any) -> Data:
        return Data.concatenate([self, other]) if isinstance(other, Data) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, Data):
            return NotImplemented
        mine, theirs = rows_of(self), rows_of(other)
        return (
            self.instrument_names == other.instrument_names
            and self.reference_time_days == other.reference_time_days
            and mine.keys() == theirs.keys()
            and all(np.array_equal(mine[name], theirs[name], equal_nan=True) for name in mine)
        )

    def __hash__(self) -> int:
        return hash((self.instrument_names, self.times_days.tobytes()))

    # Elsewhere ----------------------------------------------------------------------------

    def to_columns(self) -> dict[str, Array]:
        """Columns ``time_days``, ``velocity_m_s``, ``uncertainty_m_s`` and ``instrument``.

        Indicators follow, ``s_index``, and behind them their uncertainties, ``s_index_err``, where
        any is known.
        """
        columns = {
            "time_days": self.times_days,
            "velocity_m_s": self.velocities_m_s,
            "uncertainty_m_s": self.uncertainties_m_s,
            "instrument": np.array(self.instrument_names)[self.instruments],
        }
        for name, entry in self.indicators.items():
            columns[name] = entry.values
            if not np.isnan(entry.uncertainties).all():
                columns[f"{name}_err"] = entry.uncertainties
        return columns

    def to_pandas(self) -> Any:
        """The observations as a pandas ``DataFrame``."""
        import pandas

        return pandas.DataFrame(self.to_columns())

    def __reduce__(self) -> Any:
        rows = {name: np.array(column) for name, column in rows_of(self).items()}
        names, epoch = self.instrument_names, self.reference_time_days
        return _data_from, (rows, names, epoch, self._origin, words_of(self))

    def __repr__(self) -> str:
        names = ", ".join(self.instrument_names)
        kinds = "instrument" if self.n_instruments == 1 else "instruments"
        return (
            f"equant.Data({self.n_obs} observations, {self.n_instruments} {kinds}: {names}; "
            f"{self.span_days:.1f} days)"
        )

    def _repr_html_(self) -> str:
        return as_html(self)


def data_pointer(data: Any) -> Any:
    """The library's data set behind an argument `data`, which must be a :class:`Data`."""
    if not isinstance(data, Data):
        raise TypeError(_how_to_make(f"data must be an equant.Data, not a {_kind(data)}"))
    return data._handle.pointer


def _kind(value: Any) -> str:
    return type(value).__name__


def _how_to_make(complaint: str) -> str:
    return (
        f"{complaint}; Data.from_table makes one of a DataFrame or another table, "
        "Data.from_arrays of arrays, Data.from_files of files"
    )


def _handle(create: Any, *arguments: Any) -> Handle:
    return Handle(create, _c.equant_dataset_free, *arguments)


def _data_from(
    rows: Rows,
    names: tuple[str, ...],
    reference_time_days: Optional[float],
    origin: Origin,
    words: Words,
) -> Data:
    """A data set from its rows, in any order of time."""
    return Data(handle_from_rows(rows, names, reference_time_days, origin, words), origin)


def _numbers(data: Data, name: str, row: Any, kinds: Sequence[Kind]) -> list[float]:
    """One entry of a list of times, in the units of its numbers."""
    n = len(row) if hasattr(row, "__len__") else 1
    if n != len(kinds):
        raise InvalidArgument(f"{name}: each entry has {len(kinds)} numbers, not {n}")
    clock = partial(clock_of, data)
    numbers = [plain(value, name, kind, clock) for value, kind in zip(row, kinds)]
    try:
        return [float(number) for number in numbers]
    except (TypeError, ValueError):
        raise InvalidArgument(f"{name} must be rows of numbers, not {row!r}") from None
