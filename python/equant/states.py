"""What is known of parameters before a fit or a run: values, ranges, priors, transits."""

from __future__ import annotations

import ctypes
import math
from typing import Any, Iterator, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _c
from ._memory import (
    Array,
    Handle,
    address,
    doubles,
    options,
    output,
    path_text,
    read_path,
    string,
    text,
)
from ._numbers.gate import takes_numbers
from ._numbers.kinds import COUNT, JULIAN_DATE, NUMBER, Kind, kind_of_parameter
from ._numbers.values import as_text, plain
from .data import Data, PathLike, data_pointer
from .errors import InvalidArgument, call
from .model import Model
from .star import Star


class States(Mapping[str, Any]):
    """States of parameters, as a mapping from names to values.

    Names are those of ``--set``: ``"b.period_days"``, ``"b.t_conj"``, ``"c.eccentricity"``,
    ``"jitter[HARPS]"``, ``"trend"``; values are numbers, which fix a parameter, or texts,
    ``"normal(20.8851, 0.0003)"``, ``"0:10"``, ``"free"``. Transits of a planet are a list of times
    with errors under ``"b.transit"``.

    Parameters
    ----------
    values
        The states.
    letters
        Of the planets, ``"b,c"``; those without a known period get theirs by period. None: b, c, ...
        up to the last that is named.
    transits
        A file of transits: a letter, a time and its error in each line.

    Examples
    --------
    >>> import equant
    >>> states = equant.States({"b.period_days": "normal(20.8851, 0.0003)", "b.eccentricity": 0})
    >>> states.letters
    'b'
    >>> states.fix("b.t_conj", 2406.9628)["b.t_conj"]
    '2406.9628'
    """

    def __init__(
        self,
        values: Optional[Mapping[str, Any]] = None,
        *,
        letters: Optional[str] = None,
        transits: Optional[PathLike] = None,
    ) -> None:
        if values is not None and not isinstance(values, Mapping):
            raise InvalidArgument(f"states must be a mapping of names to values, not {values!r}")
        self._handle = Handle(_c.equant_states_create, _c.equant_states_free)
        if letters is not None:
            call(_c.equant_states_name_planets, self._handle.pointer, text(letters), None)
        for name, value in (values or {}).items():
            self._add(name, value)
        if transits is not None:
            call(_c.equant_states_read_transits, self._handle.pointer, read_path(transits))
        self.check()

    def _add(self, name: str, value: Any) -> None:
        if name.endswith(".transit") and not isinstance(value, str):
            for time, error in value:
                pair = (plain(one, name, Kind("d", date="clock")) for one in (time, error))
                self._add(name, "normal({!r}, {!r})".format(*map(float, pair)))
            return
        said = as_text(value, name, kind_of_parameter(name))
        call(_c.equant_states_set, self._handle.pointer, text(f"{name}={said}"), None)

    def fix(self, name: str, value: float) -> States:
        """Fixes a parameter; returns the states."""
        self._add(name, value)
        return self

    def prior(self, name: str, prior: str) -> States:
        """Gives a parameter a prior, ``"normal(3, 1)"``, or a range, ``"0:10"``."""
        self._add(name, prior)
        return self

    def check(self) -> None:
        """Raises :class:`InvalidArgument` where states contradict each other."""
        call(_c.equant_states_check, self._handle.pointer)

    @property
    def letters(self) -> str:
        """The letters of the planets that they name."""
        states = self._handle.pointer
        found = range(_c.equant_states_n_planets(states))
        return "".join(bytes(_c.equant_states_letter(states, i)).decode() for i in found)

    def _entries(self) -> list[tuple[str, str]]:
        states = self._handle.pointer
        return [
            (string(_c.equant_states_name(states, i)), string(_c.equant_states_text(states, i)))
            for i in range(_c.equant_states_n(states))
        ]

    @takes_numbers(index=COUNT)
    def where(self, index: int) -> str:
        """Where state number `index` was said: a file with its line; "" where nobody knows."""
        found = _c.equant_states_where(self._handle.pointer, index)
        if found is None:
            raise IndexError(index)
        return string(found)

    def inclination_deg(self, letter: str) -> tuple[float, float]:
        """What is known of the inclination of a planet, with its error; NaN where nothing is."""
        err = ctypes.c_double()
        own = self._handle.pointer, letter.encode()[:1]
        return float(_c.equant_states_inclination_deg(*own, ctypes.byref(err))), err.value

    # ---- in parameter sets that are evaluated elsewhere -------------------------------------------

    @property
    def n_priors(self) -> int:
        """How many of them are priors or ranges, transits among them."""
        return int(_c.equant_states_n_priors(self._handle.pointer))

    def given(self, data: Data, model: Model) -> tuple[str, ...]:
        """The columns of a model that states give a value; its planets are b, c, ... in order."""
        own = self._handle.pointer, data_pointer(data), model._handle.pointer
        names = enumerate(model.parameter_names)
        return tuple(name for i, name in names if _c.equant_states_gives(*own, i))

    @takes_numbers
    def filled(self, data: Data, model: Model, parameters: Any) -> Array:
        """Parameter sets ``[..., n_parameters]`` with the values of what is fixed: an event that is
        fixed makes M0, a circle has no omega.
        """
        sets = _sets_of(model, parameters).copy()
        n_sets = sets.size // max(model.n_parameters, 1)
        own = self._handle.pointer, data_pointer(data), model._handle.pointer
        call(_c.equant_states_fill, *own, n_sets, address(sets))
        return sets

    @takes_numbers
    def log_prior(
        self, data: Data, model: Model, parameters: Any, star: Optional[Star] = None
    ) -> Array:
        """Ln of the density of all priors and ranges at parameter sets ``[..., n_parameters]``.

        Normalised; ``-inf`` outside of ranges.

        Examples
        --------
        >>> import equant
        >>> data = equant.Data.demonstration()
        >>> model = equant.Model(1, n_instruments=data.n_instruments)
        >>> states = equant.States({"b.k_m_s": "0:10", "b.t_conj": 2456279.0})
        >>> sets = states.filled(data, model, [75.7, 2.0, 0.1, 1.0, 0.0])
        >>> float(states.log_prior(data, model, sets).round(4))
        -2.3026
        """
        sets = _sets_of(model, parameters)
        found = output(None, sets.shape[:-1])
        own = self._handle.pointer, data_pointer(data), model._handle.pointer
        given = None if star is None else star._options()
        call(_c.equant_states_log_prior, *own, given, found.size, address(sets), address(found))
        return found

    def __getitem__(self, name: str) -> Any:
        found = [said for own, said in self._entries() if own == name]
        if not found:
            raise KeyError(name)
        return found if name.endswith(".transit") else found[0]

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._entries()))

    def __len__(self) -> int:
        return len(dict(self._entries()))

    def __reduce__(self) -> Any:
        return _states_from, (self._entries(), ",".join(self.letters))

    def __repr__(self) -> str:
        return f"States({', '.join(f'{name}={said}' for name, said in self._entries())})"


@takes_numbers
def planet_mass_jupiter(
    star_mass: float,
    m_sin_i: float,
    inclination_deg: float,
    *,
    m_sin_i_err: float = 0.0,
    inclination_err_deg: float = 0.0,
) -> tuple[float, float]:
    """The mass of a planet in Jupiters, with its error, where m sin i and inclination are known.

    Examples
    --------
    >>> import equant
    >>> mass, err = equant.planet_mass_jupiter(1.0, 2.0, 60.0, m_sin_i_err=0.1)
    >>> round(mass, 4), round(err, 4)
    (2.3099, 0.1155)
    """
    err = ctypes.c_double()
    mass = _c.equant_planet_mass_jupiter(
        star_mass, m_sin_i, m_sin_i_err, inclination_deg, inclination_err_deg, ctypes.byref(err)
    )
    return float(mass), err.value


@takes_numbers(reference_time_days=JULIAN_DATE)
def orbit_coordinates(
    elements: Any, basis: str, *, reference_time_days: float = 0.0, covariance: Any = None
) -> dict[str, tuple[float, float]]:
    """An orbit in the coordinates of a basis, as ``fit --basis`` shows it.

    Parameters
    ----------
    elements
        P, K, e, omega, M0 of a planet.
    basis
        Words, ``"per tc secosw sesinw k"``.
    reference_time_days
        Of M0; times of events are next to it.
    covariance
        Of the elements, ``[5, 5]``; None: errors are zero.

    Returns
    -------
    dict
        Value and error by word.

    Examples
    --------
    >>> import equant
    >>> found = equant.orbit_coordinates([10, 3, 0.25, 0, 0], "per k secosw tp")
    >>> found["secosw"], found["tp"]
    ((0.5, 0.0), (0.0, 0.0))
    """
    values, errors = np.zeros(5), np.zeros(5)
    own = doubles(elements, "elements")
    spread = np.zeros((5, 5)) if covariance is None else doubles(covariance, "covariance")
    if own.shape != (5,) or spread.shape != (5, 5):
        raise InvalidArgument("an orbit has five elements, and a covariance of five by five")
    places = (address(array) for array in (own, spread, values, errors))
    call(_c.equant_orbit_coordinates, text(basis), reference_time_days, *places)
    words = (string(_c.equant_basis_word(text(basis), i)) for i in range(5))
    return {word: (float(v), float(e)) for word, v, e in zip(words, values, errors)}


def _sets_of(model: Model, parameters: Any) -> Array:
    sets = doubles(parameters, "parameters")
    if sets.ndim == 0 or sets.shape[-1] != model.n_parameters:
        raise InvalidArgument(
            f"parameter sets of this model have {model.n_parameters} columns, not {sets.shape}"
        )
    return sets


def _states_from(entries: Sequence[tuple[str, str]], letters: str) -> States:
    made = States(letters=letters or None)
    for name, said in entries:
        made._add(name, said)
    return made


StatesLike = Union[None, States, Mapping[str, Any]]


def as_states(states: StatesLike) -> Optional[States]:
    """States from a mapping, or as they are."""
    return states if states is None or isinstance(states, States) else States(states)


def states_pointer(states: Optional[States]) -> Any:
    return None if states is None else states._handle.pointer


def trend_of(states: Optional[States], trend: str) -> str:
    """The trend that states ask for, else the one that was given."""
    if states is None:
        return trend
    if "trend" in states:
        return str(states["trend"])
    if "trend_m_s_day2" in states:
        return "quadratic"
    return "linear" if "trend_m_s_day" in states and trend == "none" else trend


class Ephemeris(NamedTuple):
    """When a planet is at an event: a time, a period, and what their errors are made of."""

    time_days: float
    period_days: float
    variance: float
    covariance: float
    period_variance: float

    @takes_numbers
    def at(self, number: int) -> tuple[float, float]:
        """The time of the event `number` periods on, and its standard error."""
        variance = self.variance + number * (2 * self.covariance + number * self.period_variance)
        return self.time_days + number * self.period_days, math.sqrt(max(variance, 0.0))


def letters_of(fit: Any) -> str:
    return "".join(
        bytes(_c.equant_fit_letter(fit, i)).decode() for i in range(_c.equant_fit_n_planets(fit))
    )


def _predicted(fit: Any, planet: int, event: str, number: int) -> tuple[float, float]:
    time, error = ctypes.c_double(), ctypes.c_double()
    call(
        _c.equant_fit_predict,
        fit,
        planet,
        text(event),
        number,
        ctypes.byref(time),
        ctypes.byref(error),
    )
    return time.value, error.value


def ephemerides_of(fit: Any) -> dict[tuple[int, str], Ephemeris]:
    """Of all planets of a fit, by number and event."""
    found = {}
    for planet in range(_c.equant_fit_n_planets(fit)):
        for event in ("t_conj", "t_sup", "t_peri"):
            times, errors = zip(*(_predicted(fit, planet, event, n) for n in (-1, 0, 1)))
            before, here, after = (error * error for error in errors)
            found[planet, event] = Ephemeris(
                times[1], times[2] - times[1], here, (after - before) / 4, (after + before) / 2 - here
            )
    return found


class StarFile(NamedTuple):
    """A star file: its values, and the states among them."""

    path: str
    #: section, item, key, value, line
    entries: tuple[tuple[str, str, str, str, int], ...]
    states: States

    def values(self, section: str, key: str) -> list[str]:
        """The values of a key, such as ``values("data", "files")``."""
        return [own[3] for own in self.entries if own[0] == section and own[2] == key]


def read_star_file(path: PathLike) -> StarFile:
    """Reads a star file (docs/model.md); what is wrong with it is said with its line."""
    handle = Handle(_c.equant_star_file_read, _c.equant_star_file_free, read_path(path))
    entries: list[tuple[str, str, str, str, int]] = []
    for index in range(_c.equant_star_file_n_entries(handle.pointer)):
        entry = options(_c.equant_star_entry)
        call(_c.equant_star_file_entry, handle.pointer, index, entry)
        section, item, key, value = (
            string(word) for word in (entry.section, entry.item, entry.key, entry.value)
        )
        entries.append((section, item, key, value, int(entry.line)))
    states = States.__new__(States)
    states._handle = Handle(_c.equant_star_file_states, _c.equant_states_free, handle.pointer)
    return StarFile(string(path_text(path)), tuple(entries), states)
