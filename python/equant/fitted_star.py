"""Fit: the planets of a star, as they were found."""

from __future__ import annotations

import ctypes
import html
import math
import os
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

import numpy as np

from . import _c
from ._fit.fit_contents import FitContents, FitSummary, contents_of
from ._fit.fitted_noise import FittedNoise
from ._fit.fitted_planet import INTERVALS, FittedQuantity, Planet
from ._fit.number_of_planets import NumberOfPlanets
from ._fit.outliers import Outlier, widened_errors
from ._fit.rivals import Rival
from ._folder.fit_folder import StoredFit, write_fit
from ._folder.paper_tables import PaperTables
from ._memory import Array, Handle, path_text
from ._numbers.gate import takes_numbers
from ._numbers.kinds import COUNT
from .comparison import Alias, AliasPair, ComparedModel
from .data import Data, PathLike
from .engine import Engine, EngineLike
from .evaluator import Evaluator
from .model import Model
from .orbits import radial_velocity
from .quantities import planet_kinds
from .star import Star
from .states import Ephemeris, ephemerides_of, letters_of
from .table import Table

if TYPE_CHECKING:
    from .posterior import Posterior


class Fit(PaperTables):
    """The planets of a star and everything fitted along with them. Made by :func:`equant.fit`.

    Fits can be pickled; :meth:`save` writes one to a folder, and :func:`equant.load` reads it back.
    """

    #: The letters of the planets: as states said, else b, c, ...
    letters: str = ""
    #: Whether states have said them.
    has_letters: bool = False
    #: Mass and error of each planet in Jupiters where states tell its inclination; else None.
    masses_jupiter: tuple[Optional[tuple[float, float]], ...] = ()
    #: What the command told people to look at, in sentences, where it made the fit.
    hints: tuple[str, ...] = ()
    #: When planets are at events, by number from 0 and "t_conj", "t_sup" or "t_peri".
    ephemerides: Mapping[tuple[int, str], Ephemeris] = {}
    #: Models that differ by one choice, behind the adopted one, where ``models=True`` asked for them.
    models: tuple[ComparedModel, ...] = ()

    def __init__(
        self, contents: FitContents, stored: StoredFit, data: Data, engine: Engine
    ) -> None:
        self.data = data
        self.stored = stored
        self._engine = engine
        #: How well it fits: chi-square, likelihood, BIC, rms.
        self.summary: FitSummary = contents.summary
        #: Everything that is known, with standard errors: planet by planet, then offsets, trend
        #: and jitters.
        self.quantities: tuple[FittedQuantity, ...] = contents.quantities
        #: The planets, by period.
        self.planets: tuple[Planet, ...] = contents.planets
        #: The planet that was tried last and refused, if any.
        self.candidate: Optional[Planet] = contents.candidate
        #: Why :attr:`candidate` was refused, with its figures; "" without one.
        self.refusal: str = contents.refusal
        #: The best models seen without each planet, and with the candidate: why they are there, and
        #: why it is not.
        self.rivals: tuple[Rival, ...] = contents.rivals
        #: What was fitted: ``"none"``, ``"linear"`` or ``"quadratic"``.
        self.trend: str = contents.trend
        #: The parameter set that was found, ready for :meth:`evaluator`.
        self.parameters: Array = contents.parameters
        #: Covariance of :attr:`parameters`; zero for what was not fitted.
        self.covariance: Array = contents.covariance
        #: Observed minus predicted velocities, in the order of the data.
        self.residuals_m_s: Array = contents.residuals_m_s
        #: Predicted velocities, offsets and trend included, in the order of the data.
        self.model_velocities_m_s: Array = contents.model_velocities_m_s
        #: Of each planet the periods that its signal may have, the most probable, its own, first.
        self.aliases: tuple[tuple[Alias, ...], ...] = contents.aliases
        #: Periods that two planets may have only together, the most probable first.
        self.alias_pairs: tuple[AliasPair, ...] = contents.alias_pairs
        #: The probability that the data show 0, 1, 2 ... planets: a quick estimate. Planets too
        #: weak to show are not counted; :func:`equant.compare` samples the number of all.
        self.number_probabilities: tuple[float, ...] = contents.number_probabilities
        #: The noise beside jitters: terms, indicators, and what was tried.
        self.noise: FittedNoise = contents.noise
        #: What correlated noise explains of :attr:`residuals_m_s`; zeros without any.
        self.noise_m_s: Array = contents.noise_m_s
        #: Observations and nights that the rest does not predict, by time.
        self.outliers: tuple[Outlier, ...] = contents.outliers
        #: Uncertainties as the fit believes them: those of outliers are wider; without jitters.
        self.uncertainties_m_s: Array = widened_errors(data, contents.outliers)
        #: Mass of the star in solar masses; 0 where it is unknown.
        self.star: Star = contents.star
        self.star_mass: float = contents.star.mass
        #: The call, or the command, that made it.
        self.made_by: str = contents.made_by
        #: The model that was fitted, with offsets, trend, jitters and parameters of noise as
        #: columns.
        self.model = Model(
            len(self.planets),
            n_instruments=data.n_instruments,
            trend=self.trend,
            offset_columns="given",
            trend_columns="given",
            jitter=True,
            noise=self.noise.names_of(data) or None,
        )
        self._make_read_only()

    def _make_read_only(self) -> None:
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.flags.writeable = False

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "stored": self.stored.pickled(self.data)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._make_read_only()

    @property
    def n_planets(self) -> int:
        """How many :attr:`planets` there are."""
        return NumberOfPlanets(len(self.planets))

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """Names of :attr:`parameters`."""
        return self.model.parameter_names

    def _columns(self, prefix: str) -> Array:
        """The parameters whose names begin like this; they stand side by side."""
        places = [i for i, name in enumerate(self.parameter_names) if name.startswith(prefix)]
        return self.parameters[places[0] : places[-1] + 1] if places else self.parameters[:0]

    def evaluator(self, engine: EngineLike = None) -> Evaluator:
        """An evaluator of the fitted model, whose parameter sets are like :attr:`parameters`.

        What indicators explain is taken off its velocities, and uncertainties are those that the
        fit believes.
        """
        is_plain = not self.noise.indicators and not self.outliers
        data = self.data if is_plain else self._data_as_believed()
        return Evaluator(data, self.model, engine=engine or self._engine)

    def _data_as_believed(self) -> Data:
        data = self.data
        explained = sum(
            (own.slope_m_s * own.column(data) for own in self.noise.indicators),
            np.zeros(data.n_obs),
        )
        # Instruments are numbered by their first rows: those come first, in the same order.
        _, first = np.unique(data.instruments, return_index=True)
        order = np.concatenate([first, np.delete(np.arange(data.n_obs), first)])
        return Data.from_arrays(
            data.times_days[order],
            (data.velocities_m_s - explained)[order],
            self.uncertainties_m_s[order],
            np.array(data.instrument_names)[data.instruments[order]],
            reference_time_days=data.reference_time_days,
        )

    @property
    def rotation_days(self) -> Optional[float]:
        """In how many days the star turns; None where the noise does not determine it."""
        turns = self.noise.rotation
        return None if turns is None else turns.value

    @property
    def offsets_m_s(self) -> Array:
        """Velocity offsets, one for each instrument."""
        return self._columns("offset_")

    @property
    def trend_terms(self) -> Array:
        """Slope in m/s/day, then curvature in m/s/day^2, as far as there is a trend."""
        return self._columns("trend_")

    @property
    def jitters_m_s(self) -> Array:
        """Noise beyond the uncertainties, one for each instrument; zero where none is fitted."""
        return self._columns("jitter_")

    @takes_numbers(planets=COUNT)
    def velocities(self, time_days: Any, planets: Optional[Sequence[int]] = None) -> Any:
        """Velocities of the fit in m/s at any times, without the offsets of instruments.

        Parameters
        ----------
        time_days
            On the time scale of the data.
        planets
            Indices of planets, whose velocities alone are wanted; None means all of them, and
            the trend.
        """
        chosen = self.planets if planets is None else [self.planets[index] for index in planets]
        rows = np.array([planet.elements for planet in chosen]).reshape(-1, _c.EQUANT_N_ELEMENTS)
        return radial_velocity(
            time_days,
            *rows.T,
            reference_time_days=self.data.reference_time_days,
            trend_terms=self.trend_terms if planets is None else (),
        )

    @property
    def table(self) -> Table:
        """The planets as a table, one row each."""
        apart = ("refused_because", *INTERVALS)
        names = [field.name for field in fields(Planet) if field.name not in apart]
        columns = Table.from_records(self.planets, names)
        bounds = np.array(columns["period_days_bound"], dtype=float)  # of None NaN
        numbers = np.arange(1, len(self.planets) + 1)
        return Table({"planet": numbers, **columns, "period_days_bound": bounds})

    def to_pandas(self) -> Any:
        """The planets as a pandas ``DataFrame``."""
        return self.table.to_pandas().set_index("planet")

    def plot(self, axes: Any = None) -> tuple[Any, ...]:
        """Draws velocities, residuals and the phase curve of each planet; needs matplotlib.

        Returns their axes; ``axes[0].figure`` is the figure. `axes` are others to draw into, in
        this order.
        """
        from .plots import plot_fit

        return plot_fit(self, axes)

    def to_qtable(self) -> Any:
        """The planets as an astropy ``QTable``, with units; needs astropy."""
        return self.table.to_qtable()

    def save(
        self, folder: PathLike, *, star_name: Optional[str] = None, force: bool = False
    ) -> None:
        """Writes the fit to a folder, in the files of ``equant fit --out``.

        ``equant report`` makes a page of it, and :func:`equant.load` reads it back. Not there are
        the picture, which :meth:`plot` draws, and curve.ecsv, which :meth:`velocities` gives.

        Parameters
        ----------
        folder
            Made where it is not there. Files of an earlier fit in it are replaced.
        star_name
            What the star is called, for reports.
        force
            Go on where another program has the folder, or where it cannot be locked.
        """
        write_fit(self, os.fsdecode(path_text(folder)), star_name, force)

    def view(self, path: PathLike = "view.html", *, page: Optional[PathLike] = None) -> str:
        """Makes one HTML page for browsers with the fit in it, as ``equant view`` does.

        The page shows velocities, periodogram and planets, which may be moved and fitted in it,
        and needs no network. Answers with its path.

        Parameters
        ----------
        path
            Of the page; or a folder, in which it is view.html.
        page
            The page that ``make web`` makes; None: the one that is installed with equant.
        """
        from .saved import write_view

        return write_view(path, self, page)

    def report(
        self,
        path: PathLike = "report.html",
        *,
        posterior: Optional[Posterior] = None,
        star_name: Optional[str] = None,
        references: Sequence[str] = (),
        eccentric: bool = False,
        periodograms: bool = True,
    ) -> str:
        """Makes one HTML page about the star, as ``equant report`` does; answers with its path.

        Parameters
        ----------
        path
            Of the page; or a folder, in which it is report.html.
        posterior
            Draws for the same data, to be on the page as well.
        star_name
            What the star is called.
        references
            Papers that published the data.
        eccentric
            Periodograms with eccentric orbits, which take longer.
        periodograms
            Whether there are any.
        """
        from .saved import write_report

        return write_report(
            path,
            self,
            posterior,
            star_name=star_name,
            references=references,
            eccentric=eccentric,
            periodograms=periodograms,
        )

    def _rows(self) -> list[list[str]]:
        rows = []
        for kind in planet_kinds():
            values = [getattr(planet, kind.name) for planet in self.planets]
            if values and not np.isnan(values).all():
                rows.append(
                    [kind.label, *(planet.measured(kind.shown_name) for planet in self.planets)]
                )
        return rows

    def _headline(self) -> str:
        n, found = len(self.planets), self.summary
        planets = "no planet" if n == 0 else "1 planet" if n == 1 else f"{n} planets"
        turns = self.noise.rotation
        memory = self.noise.memory_days
        star = "" if turns is None else f"; stellar rotation period {turns.value:.3g} days"
        if memory is not None:
            star = f"; correlated noise with a memory of {memory:.2g} days"
        return f"{planets}{star}, {found.n_obs} observations, rms {found.rms_m_s:.2f} m/s"

    def __repr__(self) -> str:
        header = ["", *(f"planet {letter}" for letter in self.letters)]
        rows = [header, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows)
        return "\n".join([f"equant.Fit: {self._headline()}", *(lines if self.planets else ())])

    def _repr_html_(self) -> str:
        numbers = "".join(f"<th>planet {letter}</th>" for letter in self.letters)
        rows = "".join(
            f"<tr><th>{html.escape(label)}</th>" + "".join(f"<td>{c}</td>" for c in cells) + "</tr>"
            for label, *cells in self._rows()
        )
        return (
            f"<b>{self._headline()}</b><table><thead><tr><th></th>{numbers}</tr></thead>"
            f"<tbody>{rows}</tbody></table>"
        )


def fit_of(handle: Handle, data: Data, star: Star, made_by: str, engine: Engine) -> Fit:
    """What the library has found."""
    fit = Fit(contents_of(handle, data, star, made_by), StoredFit(handle), data, engine)
    fit.letters = letters_of(handle.pointer)
    fit.has_letters = bool(_c.equant_fit_has_letters(handle.pointer))
    fit.ephemerides = ephemerides_of(handle.pointer)
    fit.masses_jupiter = tuple(_mass_of(handle, planet) for planet in range(len(fit.planets)))
    return fit


def _mass_of(handle: Handle, planet: int) -> Optional[tuple[float, float]]:
    """The mass of a planet in Jupiters, with its error, where its inclination is known."""
    error = ctypes.c_double()
    mass = _c.equant_fit_mass_jupiter(handle.pointer, planet, ctypes.byref(error))
    return None if math.isnan(mass) else (mass, error.value)
