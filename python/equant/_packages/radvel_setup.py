"""Setup files of radvel as what equant knows: data, states, a star; and a list of what is lost."""

from __future__ import annotations

import csv
import io
import math
import os
import runpy
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional, Union

import numpy as np

from .._folder.folder_lock import folder_lock
from .._folder.whole_file import Kind, check_target, make_folder, write_whole
from .._memory import path_text, read_path
from ..data import Data, PathLike
from ..errors import InvalidArgument
from ..star import Star
from ..states import States

# A state, or a sentence about what has none.
Answer = Union[tuple[str, str], str]

_FIRST_LINE = "# Converted from a setup file of radvel."


@dataclass(frozen=True)
class ConvertedSetup:
    """A setup file of radvel, as far as it could be converted."""

    #: The name of the star.
    name: str
    #: The observations, times counted from radvel's ``time_base``.
    data: Data
    #: What the parameters and priors say.
    states: States
    #: In solar masses, and its error; 0 where the file has none.
    star_mass: float
    star_mass_err: float
    #: Sentences about what was not converted, or not as it was.
    left_out: tuple[str, ...]

    @property
    def star(self) -> Star:
        """The mass with its error."""
        return Star(mass=self.star_mass, mass_err=self.star_mass_err if self.star_mass > 0 else 0.0)

    def fit(self, **options: Any) -> Any:
        """:func:`equant.fit` with the data, states and star."""
        from ..fitting import fit

        return fit(self.data, **{"states": self.states, "star": self.star, **options})

    def sample(self, **options: Any) -> Any:
        """:func:`equant.sample` with the data, states and star."""
        from ..sampling import sample

        return sample(self.data, **{"states": self.states, "star": self.star, **options})

    def write(self, folder: PathLike, *, force: bool = False) -> str:
        """Writes star.yaml and velocities.csv into a folder; returns the path of the first.

        Files of these names that this method wrote before are replaced; others, such as those of a
        person, with ``force=True`` alone. The setup file itself is never replaced, nor is a file
        that the package has read.
        """
        place = os.fsdecode(path_text(folder))
        path, table = (os.path.join(place, name) for name in ("star.yaml", "velocities.csv"))
        star = Kind("a star file that was converted", "".join(_FIRST_LINE.split()))
        # Any table may begin as this one does: it is known by the star file beside it.
        rows = Kind("a table that was converted", lambda _: os.path.exists(path) and star.has(path))
        make_folder(place)
        with folder_lock(place, force):
            check_target(path, star, force)
            check_target(table, rows, force)
            write_whole(table, self._table(), rows, force)
            write_whole(path, "\n".join(self._lines()) + "\n", star, force)
        return path

    def _table(self) -> str:
        text = io.StringIO(newline="")
        lines = csv.writer(text)
        lines.writerow(["time", "rv", "err", "instrument"])
        names = self.data.instrument_names
        for time, velocity, error, own in zip(
            self.data.times_days,
            self.data.velocities_m_s,
            self.data.uncertainties_m_s,
            self.data.instruments,
        ):
            lines.writerow(
                [repr(float(time)), repr(float(velocity)), repr(float(error)), names[own]]
            )
        return text.getvalue()

    def _lines(self) -> Iterator[str]:
        yield _FIRST_LINE
        for sentence in self.left_out:
            yield f"# Not converted: {sentence}"
        yield "star:"
        yield f"  name: {_quoted(self.name)}"
        if self.star_mass > 0:
            error = f" +- {self.star_mass_err!r}" if self.star_mass_err > 0 else ""
            yield f"  mass: {self.star_mass!r}{error}"
        yield "data:"
        yield "  files: [velocities.csv]"
        yield "  unit: m/s"
        yield f"  t-ref: {self.data.reference_time_days!r}"
        yield "planets:"
        for letter in self.states.letters:
            yield f"  {letter}:"
            for name, said in self.states._entries():
                if name.startswith(f"{letter}."):
                    yield f"    {name[2:]}: {said}"
        others = [own for own in self.states._entries() if own[0][1:2] != "."]
        if others:
            yield "states:"
            for name, said in others:
                yield f"  - {_quoted(f'{name}={said}')}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def convert_setup(setup: Any) -> ConvertedSetup:
    """Converts a setup file of radvel.

    Parameters
    ----------
    setup
        Its path, or the module. A file is run, as radvel runs it, and may need radvel for that.

    Values, ``vary`` and the priors ``Gaussian``, ``HardBounds``, ``Jeffreys``,
    ``ModifiedJeffreys``, ``EccentricityPrior``, ``PositiveKPrior`` and ``SecondaryEclipsePrior``
    become states. What varies without a prior is uniform in the fitting basis, as for radvel,
    within bounds that no data reach: a period moves as far as no observation slips by half a turn;
    ``logk`` is log-uniform in K. Offsets with ``linear=True``, which radvel integrates out, are
    free. :attr:`ConvertedSetup.left_out` says what has no counterpart: Gaussian processes, priors
    of others, and parameters of which only one of a pair is fixed.
    """
    if isinstance(setup, (str, os.PathLike)):
        names = runpy.run_path(os.fsdecode(read_path(setup)))
    else:
        names = vars(setup)
    missing = [name for name in ("params", "data") if name not in names]
    if missing:
        raise InvalidArgument(
            f"a setup file of radvel has {' and '.join(missing)}, and this does not"
        )
    return _Conversion(names).made()


class _Conversion:
    """One setup file on its way."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names
        self.params = names["params"]
        self.basis = str(
            names.get("fitting_basis") or getattr(getattr(self.params, "basis", None), "name", "")
        ).split()
        self.n_planets = int(names.get("nplanets", getattr(self.params, "num_planets", 1)))
        given = names.get("planet_letters") or {}
        usual = "bcdefghijklmnopqrstuvwxyz"
        self.letters = [str(given.get(i + 1, usual[i])) for i in range(self.n_planets)]
        table = names["data"]
        self.time = np.asarray(table["time"], dtype=float)
        self.tel = [str(own) for own in np.asarray(table["tel"])]
        self.data = Data.from_arrays(
            self.time,
            np.asarray(table["mnvel"], dtype=float),
            np.asarray(table["errvel"], dtype=float),
            self.tel,
            reference_time_days=float(names.get("time_base", np.median(self.time))),
        )
        self.states: dict[str, str] = {}
        self.has_prior: set[str] = set()
        self.left_out: list[str] = []

    def value(self, name: str) -> float:
        return float(self.params[name].value)

    def varies(self, name: str) -> bool:
        """Or is integrated out, which is the same to a posterior of the others."""
        return bool(self.params[name].vary) or bool(getattr(self.params[name], "linear", False))

    def has(self, name: str) -> bool:
        return name in self.params

    def say(self, name: str, said: str) -> None:
        self.states[name] = said

    def made(self) -> ConvertedSetup:
        for number, letter in enumerate(self.letters, start=1):
            self._planet(number, letter)
        for own in dict.fromkeys(self.tel):
            self._column(f"gamma_{own}", f"offset[{own}]")
            self._column(f"jit_{own}", f"jitter[{own}]")
        self._trend()
        self._processes()
        for prior in self.names.get("priors") or []:
            self._prior(prior)
        for letter, number in zip(self.letters, range(1, self.n_planets + 1)):
            self._period(number, letter)
            self._amplitude(number, letter)
        for own in dict.fromkeys(self.tel):
            self.states.setdefault(f"jitter[{own}]", f"uniform(0, {self._unreached()!r})")
        stellar = self.names.get("stellar") or {}
        return ConvertedSetup(
            name=str(self.names.get("starname", "")),
            data=self.data,
            states=States(self.states, letters=",".join(self.letters)),
            star_mass=float(stellar.get("mstar", 0.0)),
            star_mass_err=float(stellar.get("mstar_err", 0.0)),
            left_out=tuple(self.left_out),
        )

    def _column(self, radvels: str, own: str) -> None:
        if self.has(radvels) and not self.varies(radvels):
            self.say(own, repr(self.value(radvels)))

    def _planet(self, number: int, letter: str) -> None:
        plain = {"tc": "t_conj", "tp": "t_peri", "k": "k_m_s", "per": "period_days"}
        for word in self.basis:
            name = f"{word}{number}"
            if word in plain:
                self._column(name, f"{letter}.{plain[word]}")
            elif word in ("logper", "logk") and self.has(name) and not self.varies(name):
                self.say(f"{letter}.{plain[word[3:]]}", repr(math.exp(self.value(name))))
        self._shape(number, letter)

    def _shape(self, number: int, letter: str) -> None:
        pairs: list[tuple[str, str, Callable[[float, float], tuple[float, float]]]] = [
            ("e", "w", lambda e, w: (e, w)),
            ("secosw", "sesinw", lambda x, y: (x * x + y * y, math.atan2(y, x))),
            ("ecosw", "esinw", lambda x, y: (math.hypot(x, y), math.atan2(y, x))),
        ]
        for first, second, shape in pairs:
            names = f"{first}{number}", f"{second}{number}"
            if first not in self.basis or not all(self.has(name) for name in names):
                continue
            fixed = [not self.varies(name) for name in names]
            e, omega = shape(*(self.value(name) for name in names))
            if all(fixed):
                self.say(f"{letter}.eccentricity", repr(e))
                if e > 0:
                    self.say(f"{letter}.omega_rad", repr(omega))
            elif fixed[0] and first == "e":
                self.say(f"{letter}.eccentricity", repr(e))
            elif fixed[1] and first == "e":
                self.say(f"{letter}.omega_rad", repr(omega))
            elif any(fixed):
                self.left_out.append(f"{names[fixed.index(True)]} is fixed without its pair")
            elif first == "ecosw":
                self.left_out.append(
                    f"the shape of planet {letter} is uniform in e, not in {names[0]}"
                )

    def _trend(self) -> None:
        words = (("dvdt", "trend_m_s_day"), ("curv", "trend_m_s_day2"))
        order = 0
        for place, (name, _) in enumerate(words, start=1):
            if self.has(name) and (self.varies(name) or self.value(name) != 0.0):
                order = place
        self.say("trend", ("none", "linear", "quadratic")[order])
        for name, own in words[:order]:
            if not (self.has(name) and self.varies(name)):
                self.say(own, repr(self.value(name) if self.has(name) else 0.0))

    def _processes(self) -> None:
        found = [str(name) for name in self.params if str(name).startswith("gp_")]
        if found or self.names.get("hnames"):
            self.left_out.append(
                "a Gaussian process (" + ", ".join(found) + "): give its noise by --noise"
            )

    def _period(self, number: int, letter: str) -> None:
        """One that varies and has no prior stays where no observation slips by half a turn."""
        own = f"{letter}.period_days"
        if own in self.states:
            return
        name = next((word + str(number) for word in ("per", "logper") if word in self.basis), None)
        if name is None or not self.has(name):
            self.left_out.append(f"planet {letter} has no period: it will be looked for")
            return
        days = self.value(name) if name.startswith("per") else math.exp(self.value(name))
        slip = 0.5 * days / float(self.time.max() - self.time.min())
        low, high = days / (1 + slip), days / (1 - slip) if slip < 0.5 else 2 * days
        self.say(own, f"{low!r}:{high!r}")

    def _unreached(self) -> float:
        """An amplitude beyond anything that the data could have, m/s."""
        velocities = self.data.velocities_m_s
        return float(10 * (velocities.max() - velocities.min()))

    def _amplitude(self, number: int, letter: str) -> None:
        """One that varies and has no prior is uniform in the fitting basis."""
        if "logk" not in self.basis:
            self.states.setdefault(f"{letter}.k_m_s", f"uniform(0, {self._unreached()!r})")
            return
        low = 1e-3 * float(np.median(self.data.uncertainties_m_s))
        self.states.setdefault(f"{letter}.k_m_s", f"log-uniform({low!r}, {self._unreached()!r})")

    def _prior(self, prior: Any) -> None:
        kind = type(prior).__name__
        if kind == "PositiveKPrior":
            return
        if kind == "EccentricityPrior":
            self._eccentricity(prior)
            return
        if kind == "SecondaryEclipsePrior":
            letter = self.letters[int(prior.planet_num) - 1]
            self.say(f"{letter}.t_sup", f"normal({float(prior.ts)!r}, {float(prior.ts_err)!r})")
            return
        name = str(getattr(prior, "param", ""))
        if kind == "HardBounds" and _is_of_any_shape(name, prior):
            return
        said = (
            _density_of_logarithm(kind, prior) if name.startswith("log") else _density(kind, prior)
        )
        own = self._own_name(name[3:] if name.startswith("log") else name)
        if said is None or own is None:
            self.left_out.append(f"the prior {_described(prior)}")
        elif own in self.states and not self._may_have(prior):
            self.left_out.append(f"the prior {_described(prior)}: its parameter is fixed")
        elif own in self.has_prior:
            self.left_out.append(f"the prior {_described(prior)}: its parameter has one already")
        else:
            self.has_prior.add(own)
            self.say(own, said)

    def _may_have(self, prior: Any) -> bool:
        return self.has(prior.param) and self.varies(prior.param)

    def _eccentricity(self, prior: Any) -> None:
        numbers = getattr(prior, "planet_list", range(1, self.n_planets + 1))
        limits = np.broadcast_to(np.atleast_1d(prior.upperlims), (len(numbers),))
        for number, limit in zip(numbers, limits):
            own = f"{self.letters[int(number) - 1]}.eccentricity"
            if own not in self.states and float(limit) < 1:
                self.say(own, f"0:{float(limit)!r}")

    def _own_name(self, name: str) -> Optional[str]:
        for prefix, own in (("gamma_", "offset"), ("jit_", "jitter")):
            if name.startswith(prefix) and name[len(prefix) :] in self.tel:
                return f"{own}[{name[len(prefix) :]}]"
        trends = {"dvdt": "trend_m_s_day", "curv": "trend_m_s_day2"}
        if name in trends:
            return trends[name]
        words = {
            "per": "period_days",
            "tc": "t_conj",
            "tp": "t_peri",
            "k": "k_m_s",
            "e": "eccentricity",
            "w": "omega_rad",
        }
        word = name.rstrip("0123456789")
        number = name[len(word) :]
        if word not in words or not number or int(number) > self.n_planets:
            return None
        return f"{self.letters[int(number) - 1]}.{words[word]}"


def _density(kind: str, prior: Any) -> Optional[str]:
    """The words for a prior of radvel that is one of ours."""
    if kind == "Gaussian":
        return f"normal({float(prior.mu)!r}, {float(prior.sigma)!r})"
    if kind == "HardBounds" and math.isfinite(prior.minval) and math.isfinite(prior.maxval):
        return f"uniform({float(prior.minval)!r}, {float(prior.maxval)!r})"
    if kind == "Jeffreys":
        return f"log-uniform({float(prior.minval)!r}, {float(prior.maxval)!r})"
    if kind == "ModifiedJeffreys" and float(prior.minval) >= 0 and float(prior.kneeval) < 0:
        return f"modified-log-uniform({-float(prior.kneeval)!r}, {float(prior.maxval)!r})"
    return None


def _density_of_logarithm(kind: str, prior: Any) -> Optional[str]:
    """The same for a prior of the logarithm, as a density of what it is the logarithm of."""
    if kind == "Gaussian":
        return f"log-normal({float(prior.mu)!r}, {float(prior.sigma)!r})"
    if kind == "HardBounds" and math.isfinite(prior.minval) and math.isfinite(prior.maxval):
        return f"log-uniform({math.exp(prior.minval)!r}, {math.exp(prior.maxval)!r})"
    return None


def _is_of_any_shape(name: str, prior: Any) -> bool:
    """Bounds that every ellipse keeps."""
    is_component = name.rstrip("0123456789") in ("secosw", "sesinw", "ecosw", "esinw")
    return is_component and float(prior.minval) <= -1 and float(prior.maxval) >= 1


def _described(prior: Any) -> str:
    param = getattr(prior, "param", None)
    return type(prior).__name__ + (f" of {param}" if param else "")
